/* Compatible forces that the world records in frames. */
#ifndef SC_WORLD_FORCES_H
#define SC_WORLD_FORCES_H

#include "base/base.h"
#include "scree/world.h"

/* Sets *force to the forces that the world records in frames: [contacts] in the arena [N]. Sets it to NULL if
 * the world records no forces. */
scree_status sc_world_recorded_forces(
    const scree_world *world, sc_arena *arena, double (**force)[3], scree_error *error);

#endif
