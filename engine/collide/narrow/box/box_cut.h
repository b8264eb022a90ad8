/* The overlap of a rectangle about the origin and a triangle, a convex quadrangle or a segment
 * (box_cut.c). */
#ifndef SC_BOX_CUT_H
#define SC_BOX_CUT_H

#include "collide/narrow/convex/clip_polygon.h"

enum { SC_CUT = 4 }; /* largest number of corners of a polygon */

/* A polygon with counter-clockwise corners, or a segment. Elements after the last corner repeat the first. */
typedef struct sc_cut {
  int count;                                          /* number of corners, 2 to SC_CUT */
  double x[SC_CUT + 1], y[SC_CUT + 1], h[SC_CUT + 1]; /* position, height over the rectangle's plane [m] */
  double plane[3]; /* h = plane[0] + plane[1] x + plane[2] y; not set for segments */
} sc_cut;

/* The part of each edge of a polygon that lies inside the rectangle. Edge k starts at corner k. */
typedef struct sc_inside {
  /* the part as fractions of the edge; from > to: the edge lies outside; from < 0 or to > 1: the first or
   * second corner lies inside */
  double from[SC_CUT], to[SC_CUT];
  double in[SC_CUT], out[SC_CUT]; /* sides of the rectangle that the edge crosses at from, to: 0 to 3 */
  double inset[SC_CUT + 1];       /* distance of corner k from the nearest side, negative outside [m] */
} sc_inside;

/* Computes the parts of all edges inside the rectangle |x| <= half[0], |y| <= half[1]. */
void sc_cut_edges(const sc_cut *cut, const double half[2], sc_inside *out);

/* Computes the corners, counter-clockwise, of the intersection of the polygon and the rectangle. For a
 * segment, computes the ends of its part in the rectangle. inside: result of sc_cut_edges. side: feature ids
 * of the rectangle's sides at y < 0, x > 0, y > 0, x < 0. Corners and edges of the polygon have their number
 * as id, marked with SC_ID_SECOND. */
void sc_cut_trace(const sc_cut *cut, const sc_inside *inside, const double half[2], const uint32_t side[4],
    sc_clip_polygon *out);

#endif
