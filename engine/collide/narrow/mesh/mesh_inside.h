/* Touches of shapes deep inside solid meshes. */
#ifndef SC_MESH_INSIDE_H
#define SC_MESH_INSIDE_H

#include "collide/touch.h"

/* Computes the touch of a convex shape whose middle lies inside a solid mesh. The normal points along the
 * shortest way from the middle to the surface. Returns 1, or 0 if the middle lies outside or the mesh is a
 * wall. middle: a point inside the shape, in world axes [m]. */
int sc_mesh_push_out(const sc_placed *shape, const sc_placed *mesh, const double middle[3], sc_touch *out);

#endif
