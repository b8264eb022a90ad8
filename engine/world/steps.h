/* The stages of a step, which steppers call in their own order. */
#ifndef SC_WORLD_STEPS_H
#define SC_WORLD_STEPS_H

#include "base/base.h"
#include "model/bodies.h"
#include "problem/problem.h"
#include "solve/solver.h"
#include "scree/world.h"

typedef struct sc_swings sc_swings; /* mechanism/swing.h */

/* Updates the neighbour list and finds contacts at the present positions, for a substep of dt
 * (step/search.c). */
scree_status sc_world_contacts(scree_world *world, double dt, scree_error *error);
/* Assembles the problem of the present contacts, joints and bonds (step/assemble.c). Biases correct
 * penetrations with erp or drift_time. rows: ball contacts are plain rows instead of entries of the solver's
 * storage. The problem leaves out mechanisms that move by themselves (swings); NULL: there are none. */
scree_status sc_world_assemble(scree_world *world, const sc_solver *solver, double dt, double erp,
    double drift_time, bool rows, const sc_swings *swings, scree_error *error);
/* Returns true if the problem may have to be written to a file (solver.dump, save/problem_keep.c). */
bool sc_world_keeps_problem(const scree_world *world);

/* Copies the problem before its impulses are applied. Sets kept->body to NULL if no file may be needed. */
scree_status sc_world_keep_problem(scree_world *world, sc_problem *kept, scree_error *error);

/* Writes the copy to a file if the solver has failed (`solved`), or, with solver.dump = "unmet", if the
 * residual exceeds the tolerance (excess > 0). Returns `solved`, or the error of the file. */
scree_status sc_world_dump_kept(
    scree_world *world, const sc_problem *kept, scree_status solved, double excess, scree_error *error);
/* Solves the position shifts that correct penetrations. *shift stays NULL if velocities correct them. */
scree_status sc_world_correct_positions(
    scree_world *world, const sc_solver_report *report, const sc_solver_body **shift, scree_error *error);

/* Returns an error if a velocity of the solved problem is not finite. */
scree_status sc_world_check_finite(const scree_world *world, scree_error *error);
/* Returns an error if a state of a body is not finite at the end of a step, after corrections of joints and
 * contacts. */
scree_status sc_world_check_state(const scree_world *world, scree_error *error);
/* Marks of a body by its general contacts with an impulse: one, several, and one with an immovable body. */
enum { SC_MET_ONE = 1, SC_MET_MORE = 2, SC_MET_STILL = 4 };

/* Copies the impulses of the problem to the contacts. met: [bodies] SC_MET_ marks to set, all 0 before the
 * call; NULL: none. */
void sc_world_store_impulses(scree_world *world, uint8_t *met);
/* Stores velocities and impulses of the solved problem. Velocities and loads of bodies in swings->alone do
 * not change. Free bodies are moved back, such that the motion of the step is exact for them
 * (step/free_motion.h). swings: NULL if there are no mechanisms; free bodies are then not moved back. */
void sc_world_store_solution(scree_world *world, const sc_swings *swings, uint8_t *met);
/* Solves the impacts of the contacts found for a step of dt, with the velocities at its start
 * (impact/impact.c). */
scree_status sc_world_impacts(scree_world *world, double dt, scree_error *error);
/* Solves the impacts of contacts that close within the time `reach`, for a step of dt (impact/impact.c). */
scree_status sc_world_impacts_within(scree_world *world, double reach, double dt, scree_error *error);
/* Sets out to I^-1 torque in world axes (step/integrate.c). */
void sc_world_turn(const sc_bodies *bodies, int32_t row, const double torque[3], double out[3]);
/* Removes from velocities and spins of dynamic bodies the parts that a planar world does not allow. */
void sc_world_flatten(sc_bodies *bodies);
/* Marks of bodies with joints or bonds. SC_HELD: has a joint or bond; SC_LISTED: is in the list of bodies of
 * mechanisms; SC_MOVED: its mechanism has already moved it in this step. */
enum { SC_HELD = 1, SC_LISTED, SC_MOVED };

/* Allocates the marks in the arena, a byte per body, and marks all bodies with joints (step/integrate.c).
 * *held is NULL if the world has neither joints nor bonds. */
scree_status sc_world_mark_held(scree_world *world, uint8_t **held, scree_error *error);

/* Allocates the marks like sc_world_mark_held, all 0. */
scree_status sc_world_open_held(scree_world *world, uint8_t **held, scree_error *error);

/* Marks the bodies of rows a and b as held; a negative row is skipped. */
void sc_world_hold(int32_t a, int32_t b, uint8_t *held);

/* Marks the bodies of all bonds in the problem. */
void sc_world_mark_bonded(const scree_world *world, uint8_t *held);
/* Advances positions and orientations by dt with the present velocities, except of bodies marked SC_MOVED,
 * and then by `shift`. held: [bodies] marks, or NULL. shift: [bodies] velocities of position corrections,
 * NULL: none. Adds the energy of the shifts to `correction`. */
void sc_world_advance(scree_world *world, double dt, const uint8_t *held, const sc_solver_body *shift);

/* Advances one body by dt with its velocities. held: the body has a joint. */
void sc_world_advance_row(sc_bodies *bodies, int32_t row, double dt, bool held);

#endif
