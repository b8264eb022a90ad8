/* Rays: the first shape that a straight line hits. Rays do not depend on contacts and do not change the
 * world.
 *
 * A ray hits a solid where it enters the solid, or at distance 0 if it starts inside. It hits the triangles
 * of a mesh from either side. The hit of a ray depends neither on the number of threads nor on other rays. */
#ifndef SCREE_RAY_H
#define SCREE_RAY_H

#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_ray {
  double from[3], direction[3]; /* start point [m]; direction of any length > 0 */
  double reach;                 /* length of the ray [m]; INFINITY: unlimited */
} scree_ray;
/* Parameter table of the keys of a ray. */
extern const scree_param scree_ray_params[];
extern const int scree_ray_params_count;

typedef struct scree_hit {
  scree_id body; /* body that was hit; 0: no hit within reach */
  /* index of the shape in its body; index of the triangle of a mesh, -1 for other shapes */
  int32_t shape, triangle;
  double distance; /* distance from the start point [m] */
  /* point that was hit [m]; unit normal of the surface, which points against the ray */
  double point[3], normal[3];
} scree_hit;

/* Computes the hits of `count` rays. In a periodic cell, rays also hit images of bodies, and `point` is on
 * the image. The reach must then be at most 1e4 times the smallest distance between periodic faces. avoids:
 * bits of layers whose shapes rays pass through (scree_shape_def). without: body that rays pass through; 0:
 * none. Fails for a world on several ranks, numbers that are not finite, and a direction of length 0. */
scree_status scree_world_rays(scree_world *world, const scree_ray *rays, int64_t count, uint32_t avoids,
    scree_id without, scree_hit *hits, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
