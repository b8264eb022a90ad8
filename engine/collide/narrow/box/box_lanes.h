/* Pairs of boxes side by side, one a lane: the axis along which they lie furthest apart, the edges that cross
 * there, and how their faces lie over each other (box.c). */
#ifndef SC_BOX_LANES_H
#define SC_BOX_LANES_H

#include "collide/narrow/box/box_cut.h"
#include "collide/narrow/box/triangle_lanes.h"

typedef struct sc_box_lanes {
  /* of a and b: their axes, half widths, and the way from the middle of a to that of b */
  sc_lane A[9], B[9], a[3], b[3], way[3];
  sc_lane lead; /* edges are taken where they are better by this than faces */
  /* what is found, all in the axes of a: the separation along the best axis, that from b to a */
  sc_lane apart, normal[3];
  sc_lane edges, doubt; /* not 0 where edges cross there; where they lie so that they say nothing */
  sc_lane between[3];   /* midway between the nearest points of the edges */
  /* the face of a across axis k that looks to `side`, the name of b's, and its corners over a's (sc_seen) */
  sc_lane k, side, id, x[SC_CUT], y[SC_CUT], h[SC_CUT], plane[3];
  sc_lane from[SC_CUT], to[SC_CUT], in[SC_CUT], out[SC_CUT], least[SC_CUT];
} sc_box_lanes;

void sc_box_lanes_set(sc_box_lanes *lanes, int lane, const sc_placed *a, const sc_placed *b);

/* What finds what there is to find of the first `count` lanes, and of all triangles beside a box. */
typedef struct sc_box_kernels {
  void (*meet)(sc_box_lanes *lanes, int count);
  void (*beside)(sc_triangle_lanes *lanes);
} sc_box_kernels;
extern const sc_box_kernels sc_box_scalar, sc_box_avx2, sc_box_avx512;

/* The separation along the best axis of a single pair: below 0 its depth. */
double sc_box_apart(const sc_placed *a, const sc_placed *b);

/* Computes the touches of the boxes of a lane. Returns their number, or -1 if the axes leave doubt. */
int sc_box_lanes_touches(const sc_box_lanes *lanes, int lane, const sc_placed *a, const sc_placed *b,
    double reach, sc_hint *hint, sc_touch *out);
/* Computes the touches of two boxes by separating axes. Returns their number, or -1 if the axes leave doubt.
 * hint: contact cache of the pair, may be NULL. */
int sc_box_touches(const sc_placed *a, const sc_placed *b, double reach, sc_hint *hint, sc_touch *out);
/* Computes the touches of a capsule and a box by distances along the segment of the capsule. Returns their
 * number, or -1 if the segment meets the box. */
int sc_box_capsule_touches(
    const sc_placed *capsule, const sc_placed *box, double reach, sc_hint *hint, sc_touch *out);

#endif
