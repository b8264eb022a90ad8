/* Outlines of faces seen along a direction, and the touches that their corners make (manifold.c,
 * box_face.c). */
#ifndef SC_OUTLINE_H
#define SC_OUTLINE_H

#include "collide/narrow/convex/convex.h"

enum { SC_SPOTS = 2 * SC_MAX_CORNERS };
/* Names within 16 bits: a corner as it came, the crossing of two edges (14 bits), the nearest points; this
 * marks corners and edges of the second shape. */
enum { SC_NAME_CORNER = 0x8000, SC_NAME_SECOND = 0x40, SC_NAME_NEAREST = 0xffff };

/* Returns whether a name is that of a corner of the first shape, where two edges of the shape cross. */
static inline bool sc_is_own_corner(uint32_t name) {
  return !(name & (SC_NAME_CORNER | SC_NAME_SECOND | SC_NAME_SECOND << 8));
}

/* A corner of an outline: position across, height along the direction, its name, and the edge that leaves
 * it. */
typedef struct sc_spot {
  double x, y, h;
  uint32_t name, edge;
} sc_spot;
typedef struct sc_outline {
  int count;
  sc_spot spot[SC_SPOTS];
  double plane[3]; /* of a polygon, h = plane[0] x + plane[1] y + plane[2]; box_face.c does without */
} sc_outline;

/* Cuts a convex outline (or, open, a line of two corners) where `side` of its corners changes sign; what
 * is not negative stays. edge: of the cut. */
void sc_outline_cut(
    const sc_outline *in, const double side[SC_SPOTS], uint32_t edge, bool open, sc_outline *out);
/* Leaves out corners that lie on the line between their neighbours, to `slight`: where edges of two
 * outlines lie on each other they cross somewhere along it, anywhere. Gaps are linear between corners, so
 * nothing is lost. own: corners of the first shape stay. */
void sc_outline_straighten(sc_outline *f, double slight, bool own);
/* Merges touches whose points are within `near` of each other. Returns the number of touches that remain.
 * hair: gaps that differ by less are equal. own: of two touches with equal gaps a corner of the first shape
 * remains. */
int sc_touch_join(sc_touch *touch, int count, double near, double hair, bool own);
/* The least gap of touches; INFINITY: there are none. */
static inline double sc_touch_least(const sc_touch *touch, int count) {
  double least = INFINITY;
  for (int k = 0; k < count; k++) least = touch[k].gap < least ? touch[k].gap : least;
  return least;
}

#endif
