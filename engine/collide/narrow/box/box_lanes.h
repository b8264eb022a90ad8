/* Several pairs of boxes side by side, one per lane: the axis of the largest separation, the edges that cross
 * there, and the overlap of their faces (box.c). */
#ifndef SC_BOX_LANES_H
#define SC_BOX_LANES_H

#include "collide/narrow/box/box_cut.h"
#include "collide/narrow/box/triangle_lanes.h"

typedef struct sc_box_lanes {
  /* input: */
  sc_lane A[9], B[9]; /* rotation matrices of a and b, row-major */
  sc_lane a[3], b[3]; /* half widths of a, half widths of b [m] */
  sc_lane way[3];     /* from the centre of a to the centre of b, world axes [m] */
  /* minimum advantage of edge axes [m]: the axis of two edges is chosen only if its separation exceeds the
   * largest separation along face normals by more than `lead` */
  sc_lane lead;
  /* output, in the axes of a: */
  /* apart: largest separation [m], negative: depth; normal: unit vector along its axis, from b to a */
  sc_lane apart, normal[3];
  sc_lane edges;      /* 1: the axis belongs to a pair of edges */
  sc_lane doubt;      /* 1: these edges do not cross, so the general search is needed */
  sc_lane between[3]; /* midpoint of the nearest points of the edges */
  /* projection of the face of b onto the face of a: k, side, id and cut of sc_seen */
  sc_lane k, side, id, x[SC_CUT], y[SC_CUT], h[SC_CUT], plane[3];
  sc_lane from[SC_CUT], to[SC_CUT], in[SC_CUT], out[SC_CUT], inset[SC_CUT]; /* members of sc_inside for each
                                                                               edge */
} sc_box_lanes;

/* Sets the input of a lane. */
void sc_box_lanes_set(sc_box_lanes *lanes, int lane, const sc_placed *a, const sc_placed *b);

/* Kernels for one width of SIMD. */
typedef struct sc_box_kernels {
  void (*test_pairs)(sc_box_lanes *lanes, int count); /* computes the output of the first `count` lanes */
  void (*test_triangles)(sc_triangle_lanes *lanes);   /* computes the output of all triangles */
} sc_box_kernels;
extern const sc_box_kernels sc_box_scalar, sc_box_avx2, sc_box_avx512;

/* Returns the largest separation of two boxes over all axes [m]; negative: depth. */
double sc_box_apart(const sc_placed *a, const sc_placed *b);

/* Computes the touches of the boxes in a lane from the lane's output. Returns their number, or -1 if the
 * general search is needed. cache: pair cache, may be NULL. If the boxes are out of reach, stores the
 * separating axis in the cache. */
int sc_box_lanes_touches(const sc_box_lanes *lanes, int lane, const sc_placed *a, const sc_placed *b,
    double reach, sc_pair_cache *cache, sc_touch *out);
/* Like sc_box_lanes_touches for a single pair. */
int sc_box_touches(const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache, sc_touch *out);
/* Computes the touches of a capsule and a box by distances along the segment of the capsule. Returns their
 * number, or -1 if the segment meets the box or nearly does. cache: as in sc_box_lanes_touches. */
int sc_box_capsule_touches(
    const sc_placed *capsule, const sc_placed *box, double reach, sc_pair_cache *cache, sc_touch *out);

#endif
