/* Stages of a step that several steppers use. */
#ifndef SC_WORLD_STEPS_H
#define SC_WORLD_STEPS_H

#include "base/base.h"
#include "model/bodies.h"
#include "problem/problem.h"
#include "solve/solver.h"
#include "scree/world.h"

typedef struct sc_swings sc_swings; /* see mechanism/swing.h */

/* Updates the neighbour list and detects contacts at the present positions, for a substep of dt
 * (step/search.c). */
scree_status sc_world_contacts(scree_world *world, double dt, scree_error *error);
/* Assembles the problem of the present contacts, joints and bonds (step/assemble.c). erp, drift_time:
 * strength of the biases that correct penetrations. rows: true to store ball contacts as plain rows, false to
 * use the solver's storage. swings: mechanisms, some of which are left out of the problem (swings->apart);
 * NULL: none. */
scree_status sc_world_assemble(scree_world *world, const sc_solver *solver, double dt, double erp,
    double drift_time, bool rows, const sc_swings *swings, scree_error *error);
/* Returns true if the problem of this step may be written to a file (solver.dump, save/problem_keep.c). */
bool sc_world_keeps_problem(const scree_world *world);

/* Copies the problem to *kept. Call before its impulses are applied. Sets kept->body to NULL if no file can
 * be necessary. */
scree_status sc_world_keep_problem(scree_world *world, sc_problem *kept, scree_error *error);

/* Writes the copy `kept` to a file if the solver has failed. With solver.dump = "unmet", also writes it if
 * the residual exceeds the tolerance (excess > 0). solved: status of the solver. Returns `solved`, or the
 * status of the file. */
scree_status sc_world_dump_kept(
    scree_world *world, const sc_problem *kept, scree_status solved, double excess, scree_error *error);
/* Computes the position shifts that correct penetrations. *shift stays NULL if velocities correct them. */
scree_status sc_world_correct_positions(
    scree_world *world, const sc_solver_report *report, const sc_solver_body **shift, scree_error *error);

/* Fails if a velocity of the solved problem is not finite. */
scree_status sc_world_check_finite(const scree_world *world, scree_error *error);
/* Fails if the position, velocity or spin of a body is not finite. Call at the end of a step, after joints
 * and contacts have been corrected. */
scree_status sc_world_check_state(const scree_world *world, scree_error *error);
/* Marks of a body: it has one general contact with an impulse; it has several; it has one with an immovable
 * body. */
enum { SC_MET_ONE = 1, SC_MET_MORE = 2, SC_MET_STILL = 4 };

/* Copies the impulses of the problem to the contacts. met: [bodies] receives SC_MET_ marks, must be 0 before
 * the call; NULL: none. */
void sc_world_store_impulses(scree_world *world, uint8_t *met);
/* Copies velocities and impulses of the solved problem to bodies and contacts. Does not change velocities and
 * loads of bodies marked in swings->alone. Moves free bodies back, so that the step moves them exactly
 * (step/free_motion.h). swings: NULL if there are no mechanisms; free bodies are then not moved back. shift:
 * [bodies] position shifts, along which loads do work; NULL: none. met: see sc_world_store_impulses. */
void sc_world_store_solution(
    scree_world *world, const sc_swings *swings, const sc_solver_body *shift, uint8_t *met);
/* Returns the time that converts position shifts, which solvers compute as velocities, to displacements
 * [s]. */
double sc_world_shift_time(const scree_world *world);
/* Solves the impacts of the detected contacts in a step of dt. Bodies must have the velocities at its start
 * (impact/impact.c). */
scree_status sc_world_impacts(scree_world *world, double dt, scree_error *error);
/* Solves the impacts of contacts that close within the time `reach`, in a step of dt (impact/impact.c). */
scree_status sc_world_impacts_within(scree_world *world, double reach, double dt, scree_error *error);
/* Sets out to I^-1 torque in world axes, with the inertia I of body `row` (step/integrate.c). */
void sc_world_turn(const sc_bodies *bodies, int32_t row, const double torque[3], double out[3]);
/* Removes the components of velocities and spins of dynamic bodies that a planar world does not allow. */
void sc_world_flatten(sc_bodies *bodies);
/* Marks of bodies with joints or bonds. SC_HELD: the body has a joint or bond. SC_LISTED: it is in the list
 * of bodies of mechanisms. SC_MOVED: its mechanism has already moved it in this step. */
enum { SC_HELD = 1, SC_LISTED, SC_MOVED };

/* Allocates marks [bodies] in the arena and marks all bodies with joints as SC_HELD (step/integrate.c). Sets
 * *held to NULL if the world has neither joints nor bonds. */
scree_status sc_world_mark_held(scree_world *world, uint8_t **held, scree_error *error);

/* Allocates marks like sc_world_mark_held, but sets all of them to 0. */
scree_status sc_world_open_held(scree_world *world, uint8_t **held, scree_error *error);

/* Marks the bodies in rows a and b as SC_HELD. Skips negative rows. */
void sc_world_hold(int32_t a, int32_t b, uint8_t *held);

/* Marks the bodies of all bonds in the problem as SC_HELD. */
void sc_world_mark_bonded(const scree_world *world, uint8_t *held);
/* Moves all bodies except those marked SC_MOVED for a time dt with their present velocities. Then applies
 * `shift`. held: [bodies] marks; NULL: none. shift: [bodies] velocities of position corrections; NULL: none.
 * Adds the energy of the shifts to `correction`. */
void sc_world_advance(scree_world *world, double dt, const uint8_t *held, const sc_solver_body *shift);

/* Moves one body for a time dt with its velocities. held: true if the body has a joint. */
void sc_world_advance_row(sc_bodies *bodies, int32_t row, double dt, bool held);

#endif
