/* Triangles beside a box, side by side, one a lane: the axis along which they lie furthest apart
 * (box_triangle.c). */
#ifndef SC_TRIANGLE_LANES_H
#define SC_TRIANGLE_LANES_H

#include "collide/narrow/convex/convex.h"
#include "math/lanes/lane.h"

/* A triangle beside a box, in the box's axes about its middle: its corners and unit normal,
 * separations along that normal, and along the box's normals and the cross products of edges, the largest
 * with its axis (triangle_lanes.h). */
typedef struct sc_beside {
  double corner[3][3], normal[3];
  double face, apart;
  int axis;
} sc_beside;
/* Their distance or depth where it is `apart`, which must be above `face`; false where it is not, or where
 * there is doubt. */
bool sc_box_nearest(const sc_convex *box, const sc_beside *beside, sc_nearest *nearest);

typedef struct sc_triangle_lanes {
  double turn[9], shift[3]; /* from the axes of the triangles to the box's, about its middle */
  double half[3], lead; /* half widths; edges are taken where they are better by this than the box's faces */
  int count;
  int32_t triangle[SC_LANES];
  sc_lane point[9], plane[3]; /* corners one after the other, the unit normal */
  /* what is found, in the box's axes; separations along the normal, and along the box's normals and the cross
   * products of edges, the largest with its axis: 0..2, 3 + 3 k + i for edge k across edges i of the box */
  sc_lane corner[9], normal[3], face, apart, axis;
} sc_triangle_lanes;

/* No triangles beside a box yet; then one more, of which there may be SC_LANES; and what is found of one. */
void sc_triangle_lanes_open(
    const sc_convex *box, const double turn[9], const double shift[3], sc_triangle_lanes *out);
void sc_triangle_lanes_add(
    sc_triangle_lanes *lanes, int32_t t, const double *const corner[3], const double normal[3]);
void sc_triangle_lanes_get(const sc_triangle_lanes *lanes, int lane, sc_beside *out);

#endif
