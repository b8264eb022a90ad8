/* A mesh near one point of it. Points and directions are in world axes, lengths in metres. */
#ifndef SC_MESH_SEAM_H
#define SC_MESH_SEAM_H

#include "collide/narrow/convex/convex.h"

/* Asks for a surface that looks along the unit vector `up` and that the line through `point` along `up` meets
 * between the heights `low` and `high`. The surface may end before the line by `aside`. */
typedef struct sc_cover {
  double point[3], up[3], low, high, aside;
} sc_cover;

/* What lies beyond a triangle in some direction, seen from one side of it: more of its plane or nothing
 * sharp, a face that rises, a face that falls, or nothing. BEHIND: the direction leads back over the
 * triangle from an edge beyond which a face falls. */
typedef enum sc_beyond { SC_FLAT, SC_RISES, SC_FALLS, SC_NOTHING, SC_BEHIND } sc_beyond;

/* Finds the triangles that meet at a sharp edge or corner of a triangle within `off` of a point,
 * parallel ones once; their number, at most `most`, 0 away from sharp edges. */
int sc_mesh_faces_at(
    const sc_placed *mesh, int32_t t, const double x[3], double off, int32_t *face, int most);
/* The unit normal of a triangle of a mesh. */
void sc_mesh_normal(const sc_placed *mesh, int32_t t, double normal[3]);
/* Tells what lies beyond the sharp edges of a triangle within `off` of a point, in the direction of the
 * unit vector `way`. up: the triangle's normal or its opposite. *riser: the triangle that rises. */
sc_beyond sc_mesh_beyond(const sc_placed *mesh, int32_t t, const double x[3], const double up[3],
    const double way[3], double off, int32_t *riser);
/* Whether a triangle of a mesh rises over the plane through a point with the normal `up`. */
bool sc_mesh_rises(const sc_placed *mesh, int32_t t, const double x[3], const double up[3]);
/* Whether a mesh has the surface that is asked for. A wall looks to both sides, a solid outwards. */
bool sc_mesh_covers(const sc_placed *mesh, const sc_cover *cover);
#endif
