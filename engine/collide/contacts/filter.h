/* The contact filter: drops touches of the narrow phase at which the shapes do not press on each other. The
 * list of its rules is in filter.c. */
#ifndef SC_FILTER_H
#define SC_FILTER_H

#include "collide/state.h"

/* A pair of shapes whose touches are filtered, with the poses of the shapes in this step. */
typedef struct sc_filter {
  const sc_placed *a, *b; /* b is placed at the periodic image of the pair */
  const sc_bodies *bodies;
  int32_t body1, body2;            /* rows of the bodies of a and b */
  const sc_image *image;           /* periodic image of body 2; NULL: the body itself */
  double size, dt;                 /* bounding radius of the smaller shape [m]; duration of the step [s] */
  double fall;                     /* gap that gravity closes within the step [m] */
  const sc_pair_cache *pair_cache; /* pair cache; may be NULL */
  const sc_collide *collide;       /* the stage whose list holds the pair; NULL: the pair has no list */
  int32_t pair;                    /* row of the pair in the list */
  /* true: the forces of several touches add up, because contacts have springs or cohesion */
  bool adds_up;
} sc_filter;

/* Applies the rules for one pair of shapes. Returns the number of touches that remain in `touch`. */
int sc_filter_touches(const sc_filter *filter, sc_touch touch[SC_MAX_TOUCHES], int count);

/* ---- merge.c: the rule for bodies of several shapes ---- */
/* Returns whether sc_filter_merge has work to do: some body has several shapes, the geometry of contacts is
 * stored, and contacts have no law state. */
bool sc_filter_merges(const sc_contact_cache *next, const sc_shapes *shapes);
/* Drops contacts that other contacts of the same two bodies imply. The contacts first .. count - 1 of `next`
 * are all contacts of the pairs of one owner (sc_pair_owner). */
void sc_filter_merge(
    const sc_collide *collide, const sc_shapes *shapes, sc_contact_cache *next, int32_t first);

#endif
