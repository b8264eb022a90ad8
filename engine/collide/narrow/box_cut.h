/* The overlap of a rectangle about 0 and a convex outline of three or four corners, or a line (box_cut.c). */
#ifndef SC_BOX_CUT_H
#define SC_BOX_CUT_H

#include "collide/narrow/outline.h"

enum { SC_CUT = 4 }; /* corners at most */

/* Corners counter-clockwise with heights over the plane; all places behind the last hold the first. plane:
 * h = plane[0] + plane[1] x + plane[2] y, not of lines. */
typedef struct sc_cut {
  int count;
  double x[SC_CUT + 1], y[SC_CUT + 1], h[SC_CUT + 1], plane[3];
} sc_cut;

/* Corners of the overlap with |x| <= half[0], |y| <= half[1], counter-clockwise, or the ends of the part of
 * a line. Corners and edges of the outline are named by number as the second shape's; sides are named by
 * `side`: the rectangle's below, to the right, above and to the left. */
void sc_cut_rectangle(const sc_cut *cut, const double half[2], const uint32_t side[4], sc_outline *out);

#endif
