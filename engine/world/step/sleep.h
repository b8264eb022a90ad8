/* Islands that sleep (world.sleep), in a world on one rank. All functions do nothing if world.sleep is 0. */
#ifndef SC_SLEEP_H
#define SC_SLEEP_H

#include "base/base.h"
#include "scree/world.h"

/* Wakes the islands that were changed since the last step. Call before a step. Sets *all to true if all
 * dynamic bodies sleep and nothing moves. The step can then be skipped. */
scree_status sc_sleep_begin(scree_world *world, bool *all, scree_error *error);
/* Wakes the islands with contacts or joints to moving bodies. Call after the contact detection of a step. */
scree_status sc_sleep_meet(scree_world *world, scree_error *error);
/* Puts islands to sleep that have been slow for a long time. Call after a step. */
scree_status sc_sleep_end(scree_world *world, double dt, scree_error *error);
/* Returns the number of sleeping bodies of this rank. */
int64_t sc_sleep_count(const scree_world *world);

#endif
