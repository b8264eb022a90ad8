/* Pairs of boxes that are looked at side by side, before their turn in the list comes. */
#ifndef SC_AHEAD_H
#define SC_AHEAD_H

#include "collide/narrow/box/box_lanes.h"
#include "collide/state.h"

/* A stretch of the list, first..end - 1, and what is known of each pair: its lane, or one of these. */
enum { SC_AHEAD_MOST = 64, SC_AHEAD_NOTHING = -1, SC_AHEAD_APART = -2 };
typedef struct sc_ahead {
  int32_t first, end;
  int8_t lane[SC_AHEAD_MOST];
  sc_box_lanes boxes;
} sc_ahead;

/* Looks at the pairs from `first` on, none behind `end`, until the lanes are full. rest: bodies of which some
 * may rest, else NULL. There must be hints. */
void sc_ahead_look(
    const sc_collide *collide, const sc_bodies *rest, int32_t first, int32_t end, sc_ahead *ahead);

/* What is known of a pair; ahead may be NULL. */
static inline int sc_ahead_lane(const sc_ahead *ahead, int32_t pair) {
  return ahead ? ahead->lane[pair - ahead->first] : SC_AHEAD_NOTHING;
}

#endif
