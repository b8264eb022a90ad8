/* Islands that sleep (world.sleep); none of it where that is 0. Of a whole world alone. */
#ifndef SC_SLEEP_H
#define SC_SLEEP_H

#include "base/base.h"
#include "scree/world.h"

/* Before a step: what something was done to wakes. *all: every dynamic body sleeps, contacts are those of
 * the last step, and there is nothing to do. */
scree_status sc_sleep_begin(scree_world *world, bool *all, scree_error *error);
/* Once a step's contacts are found: what something that moves came near to wakes. */
scree_status sc_sleep_meet(scree_world *world, scree_error *error);
/* After a step: what has been slow for long falls asleep. */
scree_status sc_sleep_end(scree_world *world, double dt, scree_error *error);
/* Dynamic bodies that sleep. */
int64_t sc_sleep_count(const scree_world *world);

#endif
