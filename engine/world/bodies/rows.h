/* Rows of bodies: search, state and removal. */
#ifndef SC_WORLD_ROWS_H
#define SC_WORLD_ROWS_H

#include "scree/world.h"

/* Returns the row of a body if this rank has its state. Returns -1 and sets *error if the id is stale. */
int32_t sc_world_row(const scree_world *world, scree_id id, scree_error *error);
/* Sets *state to the state of the body in a row. Does not set the name. */
void sc_world_state(const scree_world *world, int32_t row, scree_body_state *state);
/* Removes the body in a row, its shapes and its name. */
void sc_world_remove_row(scree_world *world, int32_t row);
/* Removes the body in a row and its shapes, but not its name. */
void sc_world_drop_row(scree_world *world, int32_t row);
/* Drops contacts of bodies that were removed since the last step. Call before contacts are read
 * (removed.c). */
void sc_world_settle_contacts(scree_world *world);

#endif
