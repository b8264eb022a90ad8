/* Inside of a step: what bodies that roll on one contact carry from step to step (roll.c). */
#ifndef SC_WORLD_ROLL_H
#define SC_WORLD_ROLL_H

#include "world/world.h"

/* What a body that rolled on one contact carries from step to step, world axes. */
typedef struct sc_roll {
  double arm[3], u[3]; /* of the contact; its relative velocity at the end of the step */
  scree_id partner;
  int64_t sticks;
} sc_roll;
typedef struct sc_rolling {
  scree_id body;
  sc_roll roll;
} sc_rolling;

typedef struct sc_roll_change {
  int32_t row, contact; /* body; row of problem.general */
  double v[3], q[3];    /* taken off the body while the problem is solved */
  double loads;         /* what applied loads do on half of that in the step [J] */
} sc_roll_change;

typedef struct sc_rolls {
  uint8_t *contacts; /* per body, marks of those with an impulse; NULL: no body can roll */
  int32_t *place;    /* per body: its row of world.rolling, -1: it did not roll */
  sc_roll_change *change;
  int32_t count;
} sc_rolls;

/* Between assembly and solution of the step's problem. */
scree_status sc_world_roll_begin(scree_world *world, sc_rolls *rolls, scree_error *error);
/* After the solution is stored: the bodies get what was taken off, and remember. */
scree_status sc_world_roll_end(scree_world *world, sc_rolls *rolls, scree_error *error);
/* place[row of a body] = its row of world.rolling, -1: none. */
void sc_world_find_rolling(const scree_world *world, int32_t *place);

#endif
