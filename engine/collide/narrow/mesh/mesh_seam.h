/* A mesh near one point of it. Points and directions are in world axes, lengths in metres. */
#ifndef SC_MESH_SEAM_H
#define SC_MESH_SEAM_H

#include "collide/narrow/convex/convex.h"

/* Asks for a surface that looks along the unit vector `up` and that the line through `point` along `up` meets
 * between the heights `low` and `high`. The surface may end before the line by `aside`. */
typedef struct sc_cover {
  double point[3], up[3], low, high, aside;
} sc_cover;

/* Unit normals of the triangles within `off` of a point of a mesh, parallel ones once; their number, at most
 * `most`. */
int sc_mesh_normals_at(const sc_placed *mesh, const double x[3], double off, double (*normal)[3], int most);
/* Whether a mesh has the surface that is asked for. A wall looks to both sides, a solid outwards. */
bool sc_mesh_covers(const sc_placed *mesh, const sc_cover *cover);
/* Whether a face with the normal `up` at a point of a mesh ends within `off` of the point in a sharp
 * edge, and the unit vector `way` leads across the edge. */
bool sc_mesh_ends_at(
    const sc_placed *mesh, const double x[3], const double up[3], const double way[3], double off);
/* The depth of a convex shape in the triangles within `off` of a point of a mesh, the largest; 0: apart. */
double sc_mesh_overlap_at(const sc_placed *shape, const sc_placed *mesh, const double x[3], double off);

#endif
