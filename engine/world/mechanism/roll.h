/* Records of bodies that roll on one contact, from step to step (roll.c). */
#ifndef SC_WORLD_ROLL_H
#define SC_WORLD_ROLL_H

#include "scree/world.h"

/* Record of a body that rolled on one contact. Vectors are in world axes. */
typedef struct sc_roll {
  /* arm of the contact [m]; rolling body's part of the relative velocity at the end of the step [m/s] */
  double arm[3], u[3];
  scree_id partner; /* immovable body of the contact */
  int64_t sticks;   /* nonzero: the contact did not slip */
} sc_roll;
/* A body and its record. */
typedef struct sc_rolling {
  scree_id body;
  sc_roll roll;
} sc_rolling;

/* Velocity that is subtracted from a rolling body before the step's problem is solved. */
typedef struct sc_roll_change {
  int32_t row, contact; /* row of the body; index of its contact in problem.general */
  double v[3], q[3];    /* velocity [m/s]; spin in units of sc_solver_body.q [m/s] */
  double loads;         /* work of applied loads during the step on half of this velocity [J] */
} sc_roll_change;

/* Rolling bodies of a step. */
typedef struct sc_rolls {
  /* [bodies] scratch. In sc_world_roll_begin: number of contacts with an impulse, at most 2. After
   * sc_world_store_solution: SC_MET_ marks of the solved contacts (steps.h). NULL: no body can roll */
  uint8_t *contacts;
  /* [bodies] index in world.mechanisms.rolling; -1: the body did not roll in the last step */
  int32_t *place;
  sc_roll_change *change; /* [count] in the order of problem.general */
  int32_t count;
} sc_rolls;

/* Subtracts velocities from bodies that rolled in the last step. Must be called between assembly and solution
 * of the problem. */
scree_status sc_world_roll_begin(scree_world *world, sc_rolls *rolls, scree_error *error);
/* Adds the velocities that sc_world_roll_begin subtracted, and stores the records in
 * world.mechanisms.rolling. Must be called after the solution is stored. */
scree_status sc_world_roll_end(scree_world *world, sc_rolls *rolls, scree_error *error);
/* Sets place[bodies] to the index of each body in world.mechanisms.rolling; -1: the body has no record. */
void sc_world_find_rolling(const scree_world *world, int32_t *place);

#endif
