/* A substep as a list of stages (docs/theory/stepping.md). Each stepper has a table of stages. One function
 * runs a table: it starts the clock of each stage and stops at the first error. */
#ifndef SC_WORLD_STEP_H
#define SC_WORLD_STEP_H

#include "solve/solver.h"
#include "world/mechanism/roll.h"
#include "world/mechanism/swing.h"

/* Data of one substep, shared by its stages. */
typedef struct sc_step {
  scree_world *world;
  double dt;  /* length of the substep [s] */
  bool ended; /* true: all bodies sleep, and all further stages are skipped */
  /* true: contacts of an earlier substep move with their bodies; false: contacts are detected */
  bool follows;
  bool stale;       /* true: the neighbour list of this rank must be rebuilt */
  double ahead;     /* time for which the detected contacts must suffice [s] */
  double stored;    /* energy before the substep [J], for the stepper's energy balance */
  double forces;    /* time for which forces act in the contact problem [s] */
  sc_swings swings; /* states of the mechanisms; all zeros: no mechanism is recorded */
  sc_rolls rolls;   /* bodies that roll on one contact */
  sc_solver_report report;
  const sc_solver_body *shift; /* [bodies] position shifts that correct penetrations; NULL: none */
  void *own;                   /* further data of the stepper, in the arena */
} sc_step;

/* One stage of a substep. */
typedef struct sc_stage {
  const char *name; /* NULL ends a table */
  int clock;        /* scree_stage whose time is measured; SC_NO_CLOCK: the time is not measured */
  scree_status (*run)(sc_step *step, scree_error *error);
  const struct sc_stage *parts; /* table of stages that `run` runs one or several times; NULL: none */
} sc_stage;

/* Runs the stages of a table in order until one fails or step->ended is true. Then restarts the clock that
 * was running before. */
scree_status sc_run_stages(sc_step *step, const sc_stage *stages, scree_error *error);

/* A time-stepping scheme. */
typedef struct sc_stepper {
  const sc_stage *stages;
  void (*undo)(sc_step *step); /* restores the state before the substep after a failure; NULL: not needed */
} sc_stepper;

/* The steppers that a world can use. */
extern const sc_stepper sc_stepper_semi_implicit, sc_stepper_penalty, sc_stepper_stewart_trinkle,
    sc_stepper_second_order;
/* Returns the stepper with the number SCREE_STEPPER_... */
const sc_stepper *sc_find_stepper(int stepper);
/* Stages of every substep, one of which runs the stages of the stepper (stepper.c). */
extern const sc_stage sc_substep_stages[];

/* ---- stages that several steppers share (stages.c, search.c) ---- */

/* Stages that update the neighbour list and the contacts. sc_step_find_contacts runs them. */
extern const sc_stage sc_contact_stages[];

/* Detects contacts at the present positions, or moves the contacts of an earlier substep with their
 * bodies. */
scree_status sc_step_find_contacts(sc_step *step, scree_error *error);
/* Records the states of mechanisms. Call before the problem is assembled. */
scree_status sc_step_record_mechanisms(sc_step *step, scree_error *error);
/* Assembles the problem. Forces act for the time step->forces. */
scree_status sc_step_assemble(sc_step *step, scree_error *error);

/* Solves the problem and sets step->report. */
scree_status sc_step_solve(sc_step *step, scree_error *error);

/* Fails if a solved velocity is not finite. */
scree_status sc_step_check_velocities(sc_step *step, scree_error *error);
/* Runs a table of stages that assembles and solves the problem. Repeats it while further joints or bonds
 * break. Each run starts from the same state, including the states of laws. Arena memory of a run is freed
 * before the next run. */
scree_status sc_step_solve_with_breaks(sc_step *step, const sc_stage *stages, scree_error *error);

/* Sets step->shift to the position shifts that correct penetrations; NULL if there are none. */
scree_status sc_step_correct_positions(sc_step *step, scree_error *error);
/* Adds the second half of the losses of contacts, and adds the losses to the sums of pairs of materials. */
scree_status sc_step_close_losses(sc_step *step, scree_error *error);
/* Moves all bodies except bodies whose mechanisms have already moved. */
scree_status sc_step_move_bodies(sc_step *step, scree_error *error);

/* Corrects the position errors of joints. */
scree_status sc_step_correct_joints(sc_step *step, scree_error *error);

/* Fails if a position, velocity or spin of a body is not finite. */
scree_status sc_step_check_state(sc_step *step, scree_error *error);

/* Removes the joints that broke in the step. */
scree_status sc_step_break_joints(sc_step *step, scree_error *error);

#endif
