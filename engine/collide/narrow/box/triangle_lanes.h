/* Several triangles near one box, one per lane: the axis of the largest separation (box_triangle.c). */
#ifndef SC_TRIANGLE_LANES_H
#define SC_TRIANGLE_LANES_H

#include "collide/narrow/convex/convex.h"
#include "math/lanes/lane.h"

/* A triangle near a box, in the box's axes about its centre. */
typedef struct sc_beside {
  double corner[3][3], normal[3];
  double face;  /* separation along the triangle's normal [m] */
  double apart; /* largest separation along the box's normals and the cross products of edges [m] */
  /* axis of `apart`: 0..2: normal of the box; 3 + 3 k + i: cross product of edge k and box axis i */
  int axis;
} sc_beside;
/* Computes the nearest points of a triangle and a box, in the box's axes. Their distance or depth is
 * beside->apart, which must be larger than beside->face. Returns false if the nearest points do not lie on
 * the features that belong to beside->axis. */
bool sc_box_nearest(const sc_convex *box, const sc_beside *beside, sc_nearest *nearest);

typedef struct sc_triangle_lanes {
  double turn[9], shift[3]; /* rotation and translation from the mesh's axes to the box's, about its centre */
  double half[3];           /* half widths of the box [m] */
  /* minimum advantage of edge axes [m]: the axis of two edges is chosen only if its separation exceeds the
   * largest separation along the box's normals by more than `lead` */
  double lead;
  int count;                  /* number of triangles, at most SC_LANES */
  int32_t triangle[SC_LANES]; /* [count] rows of the triangles in the mesh */
  sc_lane point[9], plane[3]; /* input: the three corners, the unit normal, in the mesh's axes */
  sc_lane corner[9], normal[3], face, apart, axis; /* output: as in sc_beside */
} sc_triangle_lanes;

/* Sets the box of the lanes, without triangles. */
void sc_triangle_lanes_open(
    const sc_convex *box, const double turn[9], const double shift[3], sc_triangle_lanes *out);
/* Adds triangle t. There must be a free lane. */
void sc_triangle_lanes_add(
    sc_triangle_lanes *lanes, int32_t t, const double *const corner[3], const double normal[3]);
/* Reads the output of a lane. */
void sc_triangle_lanes_get(const sc_triangle_lanes *lanes, int lane, sc_beside *out);

#endif
