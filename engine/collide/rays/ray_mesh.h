/* Rays against meshes. */
#ifndef SC_RAY_MESH_H
#define SC_RAY_MESH_H

#include "collide/rays/rays.h"
#include "model/geometry/geometry.h"

/* Finds the nearest triangle that a ray hits within reach; of equally near triangles the first. o, d: origin
 * and unit direction in the mesh's axes. Returns true and sets *hit except its row. */
bool sc_ray_mesh(
    const scree_geometry *g, const double o[3], const double d[3], double reach, sc_ray_hit *hit);

#endif
