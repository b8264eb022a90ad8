/* Neighbours of a touch: the pairs next to the touch's pair in the list, and the faces at its edge. */
#ifndef SC_ASIDE_H
#define SC_ASIDE_H

#include "collide/contacts/beside.h"
#include "collide/contacts/held.h"

/* A pair seen from one of its two bodies, the held body. The other body is the holder. */
typedef struct sc_holding {
  const sc_held *held;
  bool first; /* whether the held body is the first body of the pair */
} sc_holding;

/* A pair beside the pair of an sc_holding. One shape belongs to the held body. The other shape belongs to
 * the holder, or to a body that moves as one with the holder. Both shapes are placed relative to the held
 * body as it lies in the pair of sc_held. */
typedef struct sc_aside {
  const sc_placed *one, *two; /* first and second shape of the pair in the list */
  bool first;                 /* whether `one` belongs to the held body */
} sc_aside;
typedef bool sc_aside_visit(void *context, const sc_aside *aside);

/* Visits the pairs beside a pair until a visit returns true. Returns whether a visit returned true.
 * If the holder is a mesh, the pair itself is visited, too. Pairs whose shapes are further apart than
 * `reach` [m] are skipped. */
bool sc_visit_aside(const sc_holding *holding, double reach, sc_aside_visit *visit, void *context);

/* A touch as the holder of an edge sees it. */
typedef struct sc_edge_touch {
  const sc_placed *holder, *other;
  bool first;                   /* whether `other` is the first of the pair */
  int32_t triangle;             /* of the holder if it is a mesh */
  double point[3], way[3], gap; /* the point on the holder [m], the unit vector from there to `other` */
} sc_edge_touch;

/* Views a touch of shapes a and b from one of them. If `first`, a is `other` and b is the holder, else the
 * reverse. Returns false if `other` is not convex. */
bool sc_see_edge(
    const sc_placed *a, const sc_placed *b, const sc_touch *touch, bool first, sc_edge_touch *edge);

/* Finds the flat faces of the holder at a touch. The other shape must lie above the plane of the face, or
 * below it by at most `slack` [m]. Returns the number of faces.
 * off [m]: largest distance of a face's plane from the touch, if the holder is not a mesh. */
int sc_faces_below(const sc_edge_touch *edge, double off, double slack, sc_flank face[SC_MAX_FLANKS]);

#endif
