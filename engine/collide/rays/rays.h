/* Rays against placed shapes, and a tree of boxes over many of them. */
#ifndef SC_RAYS_H
#define SC_RAYS_H

#include <math.h>
#include "model/bodies.h"
#include "model/cell.h"
#include "model/shapes.h"

typedef struct sc_ray {
  double from[3], d[3]; /* d: unit */
  double reach;
} sc_ray;

typedef struct sc_ray_hit {
  double distance; /* INFINITY: none */
  double normal[3];
  int32_t row, triangle; /* in the field's placed, a shape's without a cell; of a mesh, else -1 */
} sc_ray_hit;

/* Where a ray from o enters a box, INFINITY where it does not before `most`; inverse: of its direction. On a
 * face that the ray runs along 0 times infinity is no number, which decides nothing. */
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

/* Where a ray enters a shape within ray->reach: true and *hit, but for its row. */
bool sc_ray_shape(const sc_ray *ray, const sc_placed *shape, sc_ray_hit *hit);

/* All shapes of a world that rays may meet, placed, and a tree over the bounded ones. */
typedef struct sc_ray_node {
  double min[3], max[3];
  int32_t left, first, count; /* children left and left + 1; left < 0: a leaf of item[first ..] */
} sc_ray_node;

typedef struct sc_ray_field {
  sc_shape *ball;                 /* of rows without a form */
  sc_placed *placed;              /* row: of the shape */
  int32_t *item, bounded, planes; /* rows of placed: bounded ones in the tree's order, then half-spaces */
  sc_ray_node *node;              /* NULL: no tree */
} sc_ray_field;

/* Everything lives in the arena. In a cell there is every image of a shape that reaches into it. tree: else
 * every ray looks at every shape. avoids: layers that are left out; body: a row that is, or -1. False without
 * memory. */
bool sc_ray_field_make(const sc_bodies *bodies, const sc_shapes *shapes, uint32_t avoids, int32_t body,
    bool tree, sc_arena *arena, sc_ray_field *out);
/* The nearest shape that a ray enters; of equal ones that with the lowest row. */
void sc_ray_cast(const sc_ray_field *field, const sc_ray *ray, sc_ray_hit *hit);
/* The same in a cell, for a reach that is finite. Takes time in proportion to the faces that are passed. */
void sc_ray_cast_cell(const sc_ray_field *field, const sc_cell *cell, const sc_ray *ray, sc_ray_hit *hit);
/* Numbers of rays, those that pass the same places one after the other; the field has a tree. False without
 * memory. */
bool sc_ray_order(
    const sc_ray_field *field, const sc_ray *ray, int64_t count, sc_arena *arena, int64_t *order);

#endif
