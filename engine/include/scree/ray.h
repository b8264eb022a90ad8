/* Rays: the first shape that a straight line hits. Rays do not depend on contacts and change nothing.
 *
 * A ray hits a solid where it enters it, or at distance 0 if it starts inside. It hits the triangles of a
 * mesh from either side. The hit of a ray does not depend on the number of threads or on other rays. */
#ifndef SCREE_RAY_H
#define SCREE_RAY_H

#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_ray {
  double from[3], direction[3]; /* direction of any length above 0 */
  double reach;                 /* length of the ray [m]; INFINITY: unlimited */
} scree_ray;
/* The table of its keys. */
extern const scree_param scree_ray_params[];
extern const int scree_ray_params_count;

typedef struct scree_hit {
  scree_id body;              /* 0: no hit within reach */
  int32_t shape, triangle;    /* number of the shape within its body, triangle of a mesh or -1, from 0 */
  double distance;            /* [m] */
  double point[3], normal[3]; /* unit, against the ray */
} scree_hit;

/* Computes the hits of `count` rays. In a periodic cell rays also hit images of bodies; `point` lies on the
 * image. The reach must then be at most 1e4 times the smallest distance between periodic faces. avoids: bits
 * of layers that rays pass through (scree_shape_def). without: a body that rays pass through, 0 for none.
 * Errors: a world on several ranks, numbers that are not finite, a direction of length 0. */
scree_status scree_world_rays(scree_world *world, const scree_ray *rays, int64_t count, uint32_t avoids,
    scree_id without, scree_hit *hits, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
