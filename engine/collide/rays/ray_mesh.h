/* Rays against meshes. */
#ifndef SC_RAY_MESH_H
#define SC_RAY_MESH_H

#include "collide/rays/rays.h"
#include "model/geometry/geometry.h"

/* The nearest triangle that a ray from o along d, unit, both in the mesh's frame, meets within reach; of
 * equally near ones the first. Sets the hit but for its row. */
bool sc_ray_mesh(
    const scree_geometry *g, const double o[3], const double d[3], double reach, sc_ray_hit *hit);

#endif
