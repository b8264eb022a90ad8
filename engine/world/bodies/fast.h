/* The list of bodies that must not pass through others. */
#ifndef SC_WORLD_FAST_H
#define SC_WORLD_FAST_H

#include "world/world.h"

/* A body that must not pass through others, and its pose at the start of the substep. */
typedef struct sc_fast_body {
  scree_id id;
  double position[3], orientation[4];
} sc_fast_body;

/* Makes room for one more fast body; fails in a periodic cell and without memory. */
scree_status sc_world_reserve_fast(scree_world *world, scree_error *error);
/* Makes a body fast, for which there is room. */
void sc_world_add_fast(scree_world *world, scree_id body);
/* Removes a body from those that are fast. */
void sc_world_forget_fast(scree_world *world, scree_id body);

#endif
