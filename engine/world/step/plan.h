/* Planned velocities: velocities of driven bodies at which the substeps of the next step start. */
#ifndef SC_WORLD_PLAN_H
#define SC_WORLD_PLAN_H

#include "scree/body.h"

/* A planned velocity: the members of `state` that `mask` selects are set at the start of a substep. */
typedef struct sc_planned {
  scree_id body;
  int64_t substep;
  int mask; /* SCREE_SET_ bits of scree_world_set */
  scree_body_state state;
} sc_planned;

/* Sets the planned velocities of the world's present substep. Skips bodies that no longer exist. */
scree_status sc_world_follow_plan(scree_world *world, scree_error *error);

#endif
