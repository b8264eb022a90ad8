/* The overlap of a rectangle about 0 and a convex outline of three or four corners, or a line (box_cut.c). */
#ifndef SC_BOX_CUT_H
#define SC_BOX_CUT_H

#include "collide/narrow/convex/outline.h"

enum { SC_CUT = 4 }; /* corners at most */

/* Corners counter-clockwise with heights over the plane; all places behind the last hold the first. plane:
 * h = plane[0] + plane[1] x + plane[2] y, not of lines. */
typedef struct sc_cut {
  int count;
  double x[SC_CUT + 1], y[SC_CUT + 1], h[SC_CUT + 1], plane[3];
} sc_cut;

/* Where edges of an outline are inside: from..to of their length, the sides they cross there; never where
 * from > to. Where corners are inside from is below 0 and to above 1, so that what rounds to an end is
 * crossed there. least: how far their first corners lie within the nearest side. */
typedef struct sc_inside {
  double from[SC_CUT], to[SC_CUT], in[SC_CUT], out[SC_CUT], least[SC_CUT + 1];
} sc_inside;

void sc_cut_edges(const sc_cut *cut, const double half[2], sc_inside *out);

/* Corners of the overlap with |x| <= half[0], |y| <= half[1], counter-clockwise, or the ends of the part of
 * a line. Corners and edges of the outline are named by number as the second shape's; sides are named by
 * `side`: the rectangle's below, to the right, above and to the left. */
void sc_cut_trace(const sc_cut *cut, const sc_inside *inside, const double half[2], const uint32_t side[4],
    sc_outline *out);

#endif
