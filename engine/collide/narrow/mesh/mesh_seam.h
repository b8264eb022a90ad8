/* Queries of a mesh near one of its points. Points and directions are in world axes, lengths in metres. */
#ifndef SC_MESH_SEAM_H
#define SC_MESH_SEAM_H

#include "collide/narrow/convex/convex.h"

/* A surface to search for beside a touch. It faces the unit vector `up`. The line through `point` along `up`
 * meets the surface at a height from `low` to `high` over `point`. The surface may also end at a distance of
 * up to `aside` from this line. */
typedef struct sc_cover {
  double point[3], up[3], low, high, aside;
} sc_cover;

/* Surface beyond a triangle in a direction, seen from one side of the triangle.
 * SC_FLAT: no sharp edge is crossed. SC_RISES: a face that rises. SC_FALLS: a face that falls.
 * SC_NOTHING: the mesh ends. SC_BEHIND: the direction leads back over the triangle from an edge, and
 * a face falls beyond this edge. */
typedef enum sc_beyond { SC_FLAT, SC_RISES, SC_FALLS, SC_NOTHING, SC_BEHIND } sc_beyond;

/* Finds the triangles that meet at a sharp edge or corner of triangle t within `off` of point x. The
 * function stores only the first of several parallel triangles. Returns the number of triangles, at most
 * `max`. Returns 0 if no sharp edge or corner of t is within `off`. */
int sc_mesh_faces_at(const sc_placed *mesh, int32_t t, const double x[3], double off, int32_t *face, int max);
/* Computes the unit normal of a triangle of a mesh. */
void sc_mesh_normal(const sc_placed *mesh, int32_t t, double normal[3]);
/* Returns what lies beyond the sharp edges of triangle t within `off` of point x, in the direction of the
 * unit vector `way`. up: the triangle's normal or its opposite. *riser: set to the triangle across the edge
 * for SC_RISES and SC_FALLS. */
sc_beyond sc_mesh_beyond(const sc_placed *mesh, int32_t t, const double x[3], const double up[3],
    const double way[3], double off, int32_t *riser);
/* Returns whether a triangle of a mesh rises over the plane through point x with the normal `up`. */
bool sc_mesh_rises(const sc_placed *mesh, int32_t t, const double x[3], const double up[3]);
/* Returns true if some triangle of a mesh is part of the surface that `cover` describes. The triangles of a
 * wall face both sides, those of a closed solid only outwards. */
bool sc_mesh_covers(const sc_placed *mesh, const sc_cover *cover);
#endif
