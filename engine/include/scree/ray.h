/* Rays: what a straight line meets first. Contacts have no part in it, and nothing is changed.
 *
 * A solid is met where the ray enters it, at distance 0 by a ray that starts inside; a mesh is met by its
 * triangles from either side. Each ray's answer is the same for any number of threads and of other rays. */
#ifndef SCREE_RAY_H
#define SCREE_RAY_H

#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_ray {
  double from[3], direction[3]; /* direction of any length above 0 */
  double reach;                 /* [m]; INFINITY: as far as there is anything */
} scree_ray;

typedef struct scree_hit {
  scree_id body;              /* 0: nothing within reach */
  int32_t shape, triangle;    /* number of the shape within its body, triangle of a mesh or -1, from 0 */
  double distance;            /* [m] */
  double point[3], normal[3]; /* unit, against the ray */
} scree_hit;

/* Hits of so many rays. In a periodic cell they meet images of bodies, too, where `point` says, and need a
 * reach of at most 1e4 times the smallest distance between its periodic faces. avoids: bits of layers that
 * rays pass through (scree_shape_def); without: a body that they pass through, 0 for none. Errors: a world on
 * several ranks, numbers that are not finite, a direction of length 0. */
scree_status scree_world_rays(scree_world *world, const scree_ray *rays, int64_t count, uint32_t avoids,
    scree_id without, scree_hit *hits, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
