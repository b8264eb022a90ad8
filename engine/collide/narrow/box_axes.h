/* The axis along which two boxes lie furthest apart, of several pairs side by side (box.c). */
#ifndef SC_BOX_AXES_H
#define SC_BOX_AXES_H

#include "collide/narrow/convex.h"
#include "math/lane.h"

/* The axes: 0..2 normals of a, 3..5 of b, 6 + 3 i + j across edges i of a and j of b. */
enum { SC_BOX_EDGES = 6 };

/* Pairs of boxes a and b, one a lane. */
typedef struct sc_box_axes {
  sc_lane A[9], B[9], a[3], b[3], way[3]; /* axes of either, half widths, from the middle of a to that of b */
  sc_lane lead;                           /* edges are taken where they are better by this than faces */
  /* what is found: axes of b, its middle, the best axis as a unit vector from b to a, all in the axes of a */
  sc_lane C[9], middle[3], normal[3];
  sc_lane back[3];             /* that vector in the axes of b */
  sc_lane apart, length, axis; /* separation, length of the product of edges (else 1), which axis it is */
} sc_box_axes;

void sc_box_axes_set(sc_box_axes *axes, int lane, const sc_placed *a, const sc_placed *b);

/* Finds the best axes of the first `count` lanes. */
typedef void sc_box_axes_find(sc_box_axes *axes, int count);
sc_box_axes_find sc_box_axes_scalar, sc_box_axes_avx2, sc_box_axes_avx512;
/* The widest that this processor has. */
sc_box_axes_find *sc_box_axes_best(void);

/* Touches of the boxes of a lane, -1 where axes leave doubt; and whatever the general search says then. */
int sc_box_axes_touches(const sc_box_axes *axes, int lane, const sc_placed *a, const sc_placed *b,
    double reach, sc_hint *hint, sc_touch *out);
int sc_narrow_boxes(const sc_box_axes *axes, int lane, const sc_placed *a, const sc_placed *b, double reach,
    sc_hint *hint, sc_touch *out);

#endif
