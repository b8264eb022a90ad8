/* Contacts between bodies of several shapes. */
#ifndef SC_CONTACT_PARTS_H
#define SC_CONTACT_PARTS_H

#include "collide/state.h"

/* Whether contacts of bodies of several shapes are merged: there are such bodies, and contacts keep their
 * geometry and no state. */
bool sc_parts_merge(const sc_memory *next, const sc_shapes *shapes);
/* The body whose pairs a pair of the list lies among: all pairs of two bodies do. */
int32_t sc_parts_owner(const sc_collide *collide, int32_t p);
/* Takes those of the contacts first .. count - 1, of all pairs of an owner, out that others between the same
 * two bodies imply. */
void sc_parts_merge_run(const sc_collide *collide, const sc_shapes *shapes, sc_memory *next, int32_t first);
/* The first pair from p on whose owner is another than that of the pair before. */
int32_t sc_parts_next_run(const sc_collide *collide, int32_t p);

#endif
