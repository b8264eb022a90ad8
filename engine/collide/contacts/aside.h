/* What lies beside a touch: the pairs next to its pair in the list, and the faces next to its edge. */
#ifndef SC_ASIDE_H
#define SC_ASIDE_H

#include "collide/contacts/beside.h"
#include "collide/contacts/held.h"

/* One of the two bodies of a pair, and the other one, which holds it. */
typedef struct sc_holding {
  const sc_held *held;
  bool first; /* whether the body that is held is the first of the pair */
} sc_holding;

/* A pair beside it: a shape of the body that is held, and a shape that moves as one with the holder. Both are
 * placed as the held body lies in the pair of sc_held. */
typedef struct sc_aside {
  const sc_placed *one, *two; /* in the order of the list */
  bool first;                 /* whether `one` belongs to the body that is held */
} sc_aside;
typedef bool sc_aside_visit(void *context, const sc_aside *aside);

/* Visits the pairs beside a pair until a visit returns true; whether one did. The pair itself is visited
 * where its holder is a mesh. Shapes further apart than `reach` [m] are left out. */
bool sc_visit_aside(const sc_holding *holding, double reach, sc_aside_visit *visit, void *context);

/* A touch as the holder of an edge sees it. */
typedef struct sc_edge_touch {
  const sc_placed *holder, *other;
  bool first;                   /* whether `other` is the first of the pair */
  int32_t triangle;             /* of a holder that is a mesh */
  double point[3], way[3], gap; /* the point on the holder [m], the unit vector from there to `other` */
} sc_edge_touch;

/* A touch of a and b as b holds it, and as a holds it. */
void sc_edge_touches(const sc_placed *a, const sc_placed *b, const sc_touch *touch, sc_edge_touch edge[2]);

/* Finds the flat faces of the holder at a touch over which the other shape is at no point deeper than `slack`
 * [m]; their number. off [m]: how far the planes of faces may be from the point. */
int sc_faces_below(const sc_edge_touch *edge, double off, double slack, sc_flank face[SC_MAX_FLANKS]);

#endif
