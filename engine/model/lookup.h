/* Hash table that finds the row of a body by its slot, if each rank has only a part of the bodies. The table
 * is the member `found` of sc_bodies. */
#ifndef SC_LOOKUP_H
#define SC_LOOKUP_H

#include "model/bodies.h"

/* Returns the row of the body in a slot, or -1 if this rank does not have the body. */
int32_t sc_lookup_find(const sc_bodies *bodies, uint32_t slot);
/* Builds the table from bodies->slot, with space for at least `rows` rows. Returns false if out of memory. */
bool sc_lookup_build(sc_bodies *bodies, size_t rows);
/* Stores the row of a slot. The table must have space for it. */
void sc_lookup_put(sc_bodies *bodies, uint32_t slot, int32_t row);
/* Removes a slot from the table, if the table has it. */
void sc_lookup_drop(sc_bodies *bodies, uint32_t slot);

#endif
