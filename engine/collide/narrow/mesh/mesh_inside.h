/* Shapes deep inside solid meshes. */
#ifndef SC_MESH_INSIDE_H
#define SC_MESH_INSIDE_H

#include "collide/narrow/touch.h"

/* The touch of a convex shape whose middle lies inside a solid mesh, along the shortest way of the
 * middle to the surface; returns 1, or 0 if the middle lies outside or the mesh is a wall. middle: a
 * point inside the shape, in world axes. */
int sc_mesh_push_out(const sc_placed *shape, const sc_placed *mesh, const double middle[3], sc_touch *out);

#endif
