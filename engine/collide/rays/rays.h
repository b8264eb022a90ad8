/* Rays against placed shapes, and a tree of boxes over many placed shapes. */
#ifndef SC_RAYS_H
#define SC_RAYS_H

#include <math.h>
#include "model/bodies.h"
#include "model/cell.h"
#include "model/shapes.h"

typedef struct sc_ray {
  double from[3], d[3]; /* origin [m], unit direction */
  double reach;         /* largest distance of a hit [m] */
} sc_ray;

typedef struct sc_ray_hit {
  double distance;  /* distance of the hit along the ray [m]; INFINITY: no hit */
  double normal[3]; /* unit normal of the surface, out of the shape */
  int32_t row;      /* row in sc_ray_field.placed; without a cell also the row of the shape */
  int32_t triangle; /* row of the triangle in the mesh; -1: the shape is not a mesh */
} sc_ray_hit;

/* Returns the distance at which a ray from o enters a box; INFINITY if the ray does not enter before `most`.
 * inverse: reciprocal of each component of the direction. If the ray lies in the plane of a face,
 * 0 * INFINITY = NaN, and comparisons ignore this face. */
static inline double sc_ray_enter(
    const double o[3], const double inverse[3], const double min[3], const double max[3], double most) {
  double in = 0, out = most;
  for (int k = 0; k < 3; k++) {
    double one = (min[k] - o[k]) * inverse[k], two = (max[k] - o[k]) * inverse[k];
    double low = inverse[k] < 0 ? two : one, high = inverse[k] < 0 ? one : two;
    in = low > in ? low : in;
    out = high < out ? high : out;
  }
  return in <= out * (1 + 1e-14) ? in : INFINITY;
}

/* Finds where a ray enters a shape within ray->reach. Returns true and sets *hit except its row. */
bool sc_ray_shape(const sc_ray *ray, const sc_placed *shape, sc_ray_hit *hit);

/* A node of the tree of boxes. */
typedef struct sc_ray_node {
  double min[3], max[3];
  int32_t left;         /* children: left and left + 1; < 0: the node is a leaf */
  int32_t first, count; /* the shapes of a leaf: item[first] .. item[first + count - 1] */
} sc_ray_node;

/* All shapes of a world that rays may hit, and a tree over the bounded ones. */
typedef struct sc_ray_field {
  sc_shape *ball;          /* [shapes] complete shape of each row, balls included */
  sc_placed *placed;       /* placed shapes; sc_placed.row: row of the shape */
  int32_t *item;           /* rows of `placed`: bounded shapes in the order of the tree, then half-spaces */
  int32_t bounded, planes; /* number of bounded shapes; number of half-spaces */
  sc_ray_node *node;       /* nodes of the tree; NULL: no tree */
} sc_ray_field;

/* Collects the shapes of a world in the arena. In a periodic cell every image of a shape that reaches into
 * the cell is added. avoids: layers to leave out. body: row of a body to leave out; -1: none. tree: false:
 * every ray is tested against every shape. Returns false if out of memory. */
bool sc_ray_field_make(const sc_bodies *bodies, const sc_shapes *shapes, uint32_t avoids, int32_t body,
    bool tree, sc_arena *arena, sc_ray_field *out);
/* Finds the nearest shape that a ray enters. Of shapes at equal distances finds the one with the lowest
 * row. */
void sc_ray_cast(const sc_ray_field *field, const sc_ray *ray, sc_ray_hit *hit);
/* Like sc_ray_cast in a periodic cell. The reach must be finite. The time is proportional to the number of
 * cell faces that the ray passes. */
void sc_ray_cast_cell(const sc_ray_field *field, const sc_cell *cell, const sc_ray *ray, sc_ray_hit *hit);
/* Computes an order of rays in which rays through the same region are adjacent. The field must have a tree.
 * order: [count] set to indices of rays. Returns false if out of memory. */
bool sc_ray_order(
    const sc_ray_field *field, const sc_ray *ray, int64_t count, sc_arena *arena, int64_t *order);

#endif
