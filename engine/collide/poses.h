/* Shapes put into the world once a step: what the loops over pairs read of them. */
#ifndef SC_POSES_H
#define SC_POSES_H

#include <string.h>
#include "base/parallel.h"
#include "collide/contact.h"
#include "math/vec.h"
#include "model/bodies.h"
#include "model/shapes.h"

/* One shape, a cache line. */
typedef struct sc_shape_cache {
  double centre[3];
  double radius;        /* bounding radius */
  double travel;        /* way its fastest point can go within the step [m] */
  uint16_t velocity[3]; /* of its centre, where it is a sphere, as sc_short rounds it */
  int32_t body;         /* row */
  int32_t placed;       /* row in placed, -1 for a sphere */
} sc_shape_cache;

/* All shapes as they were at the last refresh; rows follow removals. What is placed lies in the scratch of
 * the call that refreshed it, and is gone with it, but where contacts follow their bodies (contacts/follow.c)
 * and where all shapes are spheres and half-spaces: contact geometry between those is made again on demand
 * (contacts/contact.c). */
typedef struct sc_poses {
  int32_t count;
  sc_shape_cache *cache;
  size_t cache_capacity;
  /* shapes that are no spheres */
  int32_t placed_count;
  sc_placed *placed;
  sc_placed *kept; /* room for what is not gone */
  size_t kept_capacity;
  bool fresh;              /* they are of the contacts to be found next, and lie in scratch from */
  sc_arena_mark from, to;  /* here to there */
  bool keeps;              /* shapes of all kinds */
  bool plain;              /* there are spheres and half-spaces only */
  bool closed;             /* and capsules: pairs have closed forms, of which nothing is remembered */
  sc_cell cell;            /* of the world; zeros without one */
  const sc_shapes *shapes; /* the table, which has the same rows */
} sc_poses;

/* A number rounded to the upper half of a float, 8 bits of mantissa; and back. */
static inline uint16_t sc_short(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return (uint16_t)((bits + 0x8000u) >> 16);
}
static inline double sc_of_short(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

/* Largest distance of a point of the shape from its body's position, 0 for a sphere about it (spin moves
 * no surface). */
double sc_poses_lever(const sc_shapes *shapes, int32_t row);
/* Speed of the fastest point of a body within `lever` of its position, beside something that drifts. */
double sc_poses_speed(const sc_bodies *bodies, int32_t body, const double drift[3], double lever);
/* How far from a point anything movable lies that a half-space turning about the point could sweep into. */
double sc_poses_sweep(const sc_poses *poses, const sc_bodies *bodies, const double from[3]);
/* Mean bounding radius of what can move, else of all; 0 if nothing has a size. */
double sc_poses_mean_radius(const sc_poses *poses, const sc_bodies *bodies);
/* Puts all shapes into the world. Scratch is taken from the arena, what is placed, too. */
scree_status sc_poses_refresh(sc_poses *poses, const sc_bodies *bodies, const sc_shapes *shapes, double dt,
    sc_pool *pool, sc_arena *scratch, scree_error *error);
/* What was placed in scratch is gone. */
static inline void sc_poses_leave(sc_poses *poses) {
  if (poses->placed != poses->kept) poses->placed = NULL;
  poses->fresh = false;
}
/* A shape as the narrow phase wants it; room: for a sphere, of which that is not kept. */
typedef struct sc_placed_room {
  sc_shape shape;
  sc_placed placed;
} sc_placed_room;
const sc_placed *sc_poses_placed(const sc_poses *poses, int32_t row, sc_placed_room *room);
void sc_poses_free(sc_poses *poses);
size_t sc_poses_bytes(const sc_poses *poses);

/* From the centre of an image of b to that of a; NULL: of b itself. */
static inline void sc_poses_displacement(const sc_poses *poses, const sc_shape_cache *a,
    const sc_shape_cache *b, const sc_image *image, double d[3]) {
  sc_sub(a->centre, b->centre, d);
  if (sc_image_is_body(image)) return;
  double shift[3];
  sc_cell_shift(&poses->cell, image, shift);
  sc_sub(d, shift, d);
}
/* Whether the balls about two shapes are further apart than reach, by more than rounding. */
static inline bool sc_poses_apart(const sc_poses *poses, const sc_shape_cache *a, const sc_shape_cache *b,
    const sc_image *image, double reach) {
  const double far = (a->radius + b->radius + reach) * (1 + 1e-9);
  double d[3];
  sc_poses_displacement(poses, a, b, image, d);
  return sc_dot(d, d) > far * far;
}
/* The touch of two spheres, their centres `distance` apart along d from b to a. */
static inline void sc_touch_spheres(
    const sc_shape_cache *a, const sc_shape_cache *b, const double d[3], double distance, sc_touch *touch) {
  *touch = (sc_touch){.normal = {0, 0, 1}};
  if (distance > 0) sc_scale(1 / distance, d, touch->normal);
  touch->gap = distance - (a->radius + b->radius);
  sc_axpy(-(a->radius + 0.5 * touch->gap), touch->normal, a->centre, touch->point);
}
/* The same of a sphere and an image of another. */
static inline void sc_poses_touch(const sc_poses *poses, const sc_shape_cache *a, const sc_shape_cache *b,
    const sc_image *image, sc_touch *touch) {
  double d[3];
  sc_poses_displacement(poses, a, b, image, d);
  sc_touch_spheres(a, b, d, sc_norm(d), touch);
}

#endif
