/* Poses: the shapes of a step with their positions and orientations, as the loops over pairs read them. */
#ifndef SC_POSES_H
#define SC_POSES_H

#include <string.h>
#include "base/parallel.h"
#include "collide/contact.h"
#include "math/vec.h"
#include "model/bodies.h"
#include "model/shapes.h"

/* Data of one shape for loops over pairs; the record fills a cache line. */
typedef struct sc_shape_cache {
  double centre[3];     /* position of the shape's centre [m] */
  double radius;        /* bounding radius, INFINITY for a half-space [m] */
  double travel;        /* largest distance that a point of the shape can move within the step [m] */
  uint16_t velocity[3]; /* velocity of the centre, rounded by sc_short [m/s]; only used for spheres */
  int32_t body;         /* row of the shape's body */
  int32_t placed;       /* row in sc_poses.placed; -1: sphere */
} sc_shape_cache;

/* All shapes at the last refresh. Rows are updated when shapes are removed. The array `placed` usually lies
 * in the scratch of the call that refreshed the poses, and is freed with this call. `placed` stays if
 * contacts follow their bodies (contacts/follow.c). It also stays if all shapes are spheres and half-spaces,
 * because contact geometry is then computed from `placed` on demand (contacts/contact.c). */
typedef struct sc_poses {
  int32_t count;
  sc_shape_cache *cache; /* [count], index: row of the shape */
  size_t cache_capacity;
  int32_t placed_count;
  sc_placed *placed; /* [placed_count] shapes that are not spheres; NULL: freed */
  sc_placed *kept;   /* heap memory of `placed`, used if `placed` must outlive the call's scratch */
  size_t kept_capacity;
  bool fresh;              /* poses are up to date for the next search; `placed` lies in scratch */
  sc_arena_mark from, to;  /* if `fresh`: arena marks before and after the poses in scratch */
  bool keeps;              /* true: `placed` is never freed */
  bool plain;              /* all shapes are spheres and half-spaces */
  bool closed;             /* all shapes are spheres, half-spaces and capsules, which need no pair cache */
  sc_cell cell;            /* cell of the world; zeros without a cell */
  const sc_shapes *shapes; /* the shape table, with the same rows */
} sc_poses;

/* Returns a number rounded to the upper 16 bits of a float, 8 bits of mantissa. */
static inline uint16_t sc_short(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return (uint16_t)((bits + 0x8000u) >> 16);
}
/* Inverse of sc_short. */
static inline double sc_of_short(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* Returns the largest distance of a point of the shape from its body's position [m]. Returns 0 for a sphere
 * centred at this position, because spin does not move its surface. */
double sc_poses_lever(const sc_shapes *shapes, int32_t row);
/* Returns the largest speed of a point of a body within `lever` [m] of its position [m/s]. The speed is
 * relative to a frame that moves with `drift` and the flow of a deforming cell. */
double sc_poses_speed(const sc_bodies *bodies, int32_t body, const double drift[3], double lever);
/* Returns the lever of a half-space that rotates about the point `from` [m]: an upper bound of the distance
 * between this point and the parts of the surface near movable bodies. */
double sc_poses_sweep(const sc_poses *poses, const sc_bodies *bodies, const double from[3]);
/* Returns the mean bounding radius of the shapes of movable bodies [m]. If movable bodies have no bounded
 * shapes, returns the mean of all bounded shapes; 0 if all shapes are unbounded. */
double sc_poses_mean_radius(const sc_poses *poses, const sc_bodies *bodies);
/* Computes the poses of all shapes for a step of dt. Allocates `placed` and temporary arrays in scratch. */
scree_status sc_poses_refresh(sc_poses *poses, const sc_bodies *bodies, const sc_shapes *shapes, double dt,
    sc_pool *pool, sc_arena *scratch, scree_error *error);
/* Call when the scratch is freed: forgets the poses that lie in the scratch. */
static inline void sc_poses_leave(sc_poses *poses) {
  if (poses->placed != poses->kept) poses->placed = NULL;
  poses->fresh = false;
}
/* Memory for a placed sphere, which is not stored in sc_poses.placed. */
typedef struct sc_placed_room {
  sc_shape shape;
  sc_placed placed;
} sc_placed_room;
/* Returns a placed shape. room: memory used if the shape is a sphere. */
const sc_placed *sc_poses_placed(const sc_poses *poses, int32_t row, sc_placed_room *room);
/* Frees the heap arrays. */
void sc_poses_free(sc_poses *poses);
/* Returns the size of the heap arrays. */
size_t sc_poses_bytes(const sc_poses *poses);

/* Computes the vector from the centre of an image of b to the centre of a. image: NULL: b itself. */
static inline void sc_poses_displacement(const sc_poses *poses, const sc_shape_cache *a,
    const sc_shape_cache *b, const sc_image *image, double d[3]) {
  sc_sub(a->centre, b->centre, d);
  if (sc_image_is_body(image)) return;
  double shift[3];
  sc_cell_shift(&poses->cell, image, shift);
  sc_sub(d, shift, d);
}
/* Returns true if the bounding spheres of two shapes are further apart than reach, by more than rounding. */
static inline bool sc_poses_apart(const sc_poses *poses, const sc_shape_cache *a, const sc_shape_cache *b,
    const sc_image *image, double reach) {
  const double far = (a->radius + b->radius + reach) * (1 + 1e-9);
  double d[3];
  sc_poses_displacement(poses, a, b, image, d);
  return sc_dot(d, d) > far * far;
}
/* Computes the touch of two spheres. d: vector from the centre of b to the centre of a, of length
 * `distance`. */
static inline void sc_touch_spheres(
    const sc_shape_cache *a, const sc_shape_cache *b, const double d[3], double distance, sc_touch *touch) {
  *touch = (sc_touch){.normal = {0, 0, 1}};
  if (distance > 0) sc_scale(1 / distance, d, touch->normal);
  touch->gap = distance - (a->radius + b->radius);
  sc_axpy(-(a->radius + 0.5 * touch->gap), touch->normal, a->centre, touch->point);
}
/* Computes the touch of sphere a and an image of sphere b. image: NULL: b itself. */
static inline void sc_poses_touch(const sc_poses *poses, const sc_shape_cache *a, const sc_shape_cache *b,
    const sc_image *image, sc_touch *touch) {
  double d[3];
  sc_poses_displacement(poses, a, b, image, d);
  sc_touch_spheres(a, b, d, sc_norm(d), touch);
}

#endif
