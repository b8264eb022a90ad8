/* Matches the touches of a pair to the touches of the same pair in the last step (old touches). */
#ifndef SC_MATCH_H
#define SC_MATCH_H

#include "collide/contact.h"

/* Sets from[count] to the index of the old touch that each new touch of a pair matches; -1: none. Each old
 * touch has at most one match. First choice: the old touch with the same feature id within the distance `far`
 * [m]. Second choice: the nearest old touch within `far` with a similar normal. It is needed because corners
 * exchange their feature ids under tiny motions if edges of two bodies coincide. Third choice: the old touch
 * with the same feature id at any distance. Only the first 64 old touches are searched. */
void sc_match_touches(
    const sc_touch *old, int32_t olds, const sc_touch *touch, int32_t count, double far, int32_t *from);

#endif
