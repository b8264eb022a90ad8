/* Matches the touches of a pair to its contacts of the last step. */
#ifndef SC_MATCH_H
#define SC_MATCH_H

#include "collide/contact.h"

/* Computes which old touch each touch of a pair matches: from[count], -1: none. Each old touch has at most
 * one match. First choice: the old touch with the same feature id within the distance `far` [m]. Second
 * choice: the nearest old touch within `far` with a similar normal, because corners exchange their ids under
 * tiny motions if edges of two bodies coincide. Third choice: the old touch with the same feature id at any
 * distance. Only the first 64 old touches count. */
void sc_match_touches(
    const sc_touch *old, int32_t olds, const sc_touch *touch, int32_t count, double far, int32_t *from);

#endif
