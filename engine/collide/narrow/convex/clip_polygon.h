/* Clip polygons: faces projected along the contact normal. The corners of the overlap of two clip polygons
 * are touches (manifold.c, narrow/box/box_face.c). */
#ifndef SC_CLIP_POLYGON_H
#define SC_CLIP_POLYGON_H

#include "collide/narrow/convex/convex.h"

enum { SC_MAX_VERTICES = 2 * SC_MAX_CORNERS }; /* largest number of vertices of a clip polygon */

/* Feature ids of vertices have 16 bits. The crossing of two edges has an id of 14 bits: edge << 8 | edge. */
enum {
  SC_ID_CORNER = 0x8000, /* the vertex is a corner of a face; the low bits are its number */
  SC_ID_SECOND = 0x40,   /* the corner or edge belongs to the second shape */
  SC_ID_NEAREST = 0xffff /* the touch lies between the nearest points */
};

/* Returns whether a feature id is that of a corner of the first shape, where two edges of the shape cross. */
static inline bool sc_is_own_corner(uint32_t id) {
  return !(id & (SC_ID_CORNER | SC_ID_SECOND | SC_ID_SECOND << 8));
}

/* A vertex of a clip polygon. */
typedef struct sc_clip_vertex {
  double x, y, h;    /* x, y: position perpendicular to the contact normal; h: height along it [m] */
  uint32_t id, edge; /* feature ids of the vertex and of the edge that starts at it */
} sc_clip_vertex;
typedef struct sc_clip_polygon {
  int count;
  sc_clip_vertex vertex[SC_MAX_VERTICES];
  double plane[3]; /* h = plane[0] x + plane[1] y + plane[2] if count >= 3; not used by box_face.c */
} sc_clip_polygon;

/* Clips a convex polygon, or a segment of two vertices if `open`, by a line (Sutherland-Hodgman). side:
 * [in->count] signed distance of each vertex; vertices with side >= 0 remain. edge: feature id of the
 * line. */
void sc_clip_polygon_cut(const sc_clip_polygon *in, const double side[SC_MAX_VERTICES], uint32_t edge,
    bool open, sc_clip_polygon *out);
/* Removes vertices that lie within `tolerance` [m] of the line between their neighbours. Such vertices appear
 * where edges of two polygons coincide, and their position along the edge is arbitrary. Nothing is lost,
 * because the gap is linear between vertices. own: corners of the first shape remain. */
void sc_clip_polygon_straighten(sc_clip_polygon *f, double tolerance, bool own);
/* Merges touches whose points are within `near` [m] of each other, in place. Returns the number of touches
 * that remain. gap_tolerance: gaps that differ by less count as equal [m]. own: of two touches with equal
 * gaps a corner of the first shape remains. */
int sc_touch_join(sc_touch *touch, int count, double near, double gap_tolerance, bool own);
/* Returns the smallest gap of touches [m]; INFINITY if there are none. */
static inline double sc_touch_least(const sc_touch *touch, int count) {
  double min = INFINITY;
  for (int k = 0; k < count; k++) min = touch[k].gap < min ? touch[k].gap : min;
  return min;
}

#endif
