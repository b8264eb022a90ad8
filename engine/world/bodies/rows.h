/* Rows of bodies: search, state and removal. */
#ifndef SC_WORLD_ROWS_H
#define SC_WORLD_ROWS_H

#include "scree/world.h"

/* Returns the row of a body that can be read on this rank, or -1 with an error for a stale id. */
int32_t sc_world_row(const scree_world *world, scree_id id, scree_error *error);
/* Sets *state to the state of a row, without the name. */
void sc_world_state(const scree_world *world, int32_t row, scree_body_state *state);
/* Removes a row with its shapes and its name. */
void sc_world_remove_row(scree_world *world, int32_t row);
/* Removes a row with its shapes. The name stays. */
void sc_world_drop_row(scree_world *world, int32_t row);
/* Drops contacts of bodies that were removed since the last step. Must be called before contacts are read
 * (removed.c). */
void sc_world_settle_contacts(scree_world *world);

#endif
