/* Compatible forces that the world records in frames. */
#ifndef SC_WORLD_FORCES_H
#define SC_WORLD_FORCES_H

#include "base/base.h"
#include "scree/world.h"

/* Sets *force to the forces that the world records, a row per contact in the arena; NULL if it
 * records none. */
scree_status sc_world_recorded_forces(
    const scree_world *world, sc_arena *arena, double (**force)[3], scree_error *error);

#endif
