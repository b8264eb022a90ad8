/* Inside of a step: what bodies that roll on one contact carry from step to step (roll.c). */
#ifndef SC_WORLD_ROLL_H
#define SC_WORLD_ROLL_H

#include "world/world.h"

typedef struct sc_roll_change {
  int32_t row, contact; /* body; row of problem.general */
  double v[3], q[3];    /* taken off the body while the problem is solved */
  double loads;         /* what applied loads do on half of that in the step [J] */
} sc_roll_change;

typedef struct sc_rolls {
  uint8_t *contacts; /* per body, those with an impulse; NULL: no body can roll */
  sc_roll_change *change;
  int32_t count;
} sc_rolls;

/* Between assembly and solution of the step's problem. */
scree_status sc_world_roll_begin(scree_world *world, sc_rolls *rolls, scree_error *error);
/* After the solution is stored: the bodies get what was taken off, and remember. */
void sc_world_roll_end(scree_world *world, sc_rolls *rolls);

#endif
