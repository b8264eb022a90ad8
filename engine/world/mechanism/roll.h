/* Records of bodies that roll on one contact, from step to step (roll.c). */
#ifndef SC_WORLD_ROLL_H
#define SC_WORLD_ROLL_H

#include "scree/world.h"

/* Record of a body that rolled on one contact, world axes. */
typedef struct sc_roll {
  double arm[3], u[3]; /* arm of the contact [m]; relative velocity at the end of the step [m/s] */
  scree_id partner;    /* the immovable body of the contact */
  int64_t sticks;      /* nonzero: the contact did not slip */
} sc_roll;
/* A record and its body. */
typedef struct sc_rolling {
  scree_id body;
  sc_roll roll;
} sc_rolling;

/* Velocity that is subtracted from a rolling body while the step's problem is solved. */
typedef struct sc_roll_change {
  int32_t row, contact; /* row of the body; row of problem.general */
  double v[3], q[3];    /* velocity; spin in units of sc_solver_body.q [m/s] */
  double loads;         /* work of applied loads on half of this velocity in the step [J] */
} sc_roll_change;

/* Rolling bodies of a step. */
typedef struct sc_rolls {
  uint8_t *contacts;      /* [bodies] marks or counts of contacts with an impulse; NULL: no body can roll */
  int32_t *place;         /* [bodies] row of world.rolling; -1: the body did not roll */
  sc_roll_change *change; /* [count] in the order of problem.general */
  int32_t count;
} sc_rolls;

/* Subtracts velocities of rolling bodies. Must be called between assembly and solution of the problem. */
scree_status sc_world_roll_begin(scree_world *world, sc_rolls *rolls, scree_error *error);
/* Adds back the velocities that sc_world_roll_begin subtracted, and stores the records in world.rolling. Must
 * be called after the solution is stored. */
scree_status sc_world_roll_end(scree_world *world, sc_rolls *rolls, scree_error *error);
/* Sets place[bodies] to the row of world.rolling of each body; -1: the body has no record. */
void sc_world_find_rolling(const scree_world *world, int32_t *place);

#endif
