/* Steps of a world, and the parts of a step that steppers arrange. */
#ifndef SC_WORLD_STEPS_H
#define SC_WORLD_STEPS_H

#include "base/base.h"
#include "model/bodies.h"
#include "problem/problem.h"
#include "solve/solver.h"
#include "scree/world.h"

typedef struct sc_swings sc_swings; /* mechanism/swing.h */

/* Neighbours and contacts at the present positions, for a substep of dt (step/search.c). */
scree_status sc_world_contacts(scree_world *world, double dt, scree_error *error);
/* The parts of a step (step/assemble.c), for steppers that arrange them otherwise: the problem of the present
 * contacts with biases as erp and drift_time say, where the solver wants them or (rows) in rows, without
 * what goes on by itself (swings; NULL: with all); a check that velocities are finite;
 * impulses to the contacts; and all that is kept of a solved problem (impulses, velocities, the account of
 * energy). */
scree_status sc_world_assemble(scree_world *world, const sc_solver *solver, double dt, double erp,
    double drift_time, bool rows, const sc_swings *swings, scree_error *error);
/* Around a solver (problem_keep.c): whether a copy of the problem may be wanted; the copy, impulses not
 * yet applied (else kept->body is NULL); and the file of it where the solver failed or its residual
 * exceeds the tolerance. dump_kept returns `solved`, or why it could not write. */
bool sc_world_keeps_problem(const scree_world *world);
scree_status sc_world_keep_problem(scree_world *world, sc_problem *kept, scree_error *error);
scree_status sc_world_dump_kept(
    scree_world *world, const sc_problem *kept, scree_status solved, double excess, scree_error *error);
/* Solves the position shifts that correct penetrations. *shift stays NULL if velocities correct them. */
scree_status sc_world_correct_positions(
    scree_world *world, const sc_solver_report *report, const sc_solver_body **shift, scree_error *error);
scree_status sc_world_check_finite(const scree_world *world, scree_error *error);
/* The same of what a step leaves: joints and contacts put bodies right after they have moved. */
scree_status sc_world_check_state(const scree_world *world, scree_error *error);
/* met: a byte per body, 0, where not NULL: marks of its general contacts that have an impulse. */
enum { SC_MET_ONE = 1, SC_MET_MORE = 2, SC_MET_STILL = 4 /* one of them with what cannot move */ };
void sc_world_store_impulses(scree_world *world, uint8_t *met);
/* Stores velocities and impulses of the solved problem. Velocities and loads of bodies in swings->alone do
 * not change. Free bodies are moved back, such that the motion of the step is exact for them
 * (step/free_motion.h). swings: NULL if there are no mechanisms; free bodies are then not moved back. */
void sc_world_store_solution(scree_world *world, const sc_swings *swings, uint8_t *met);
/* Takes the impacts of the contacts found for a step of dt, on the velocities at its start (impact.c). */
scree_status sc_world_impacts(scree_world *world, double dt, scree_error *error);
/* Solves the impacts of contacts that close within the time `reach`, for a step of dt (impact.c). */
scree_status sc_world_impacts_within(scree_world *world, double reach, double dt, scree_error *error);
/* Sets out to I^-1 torque in world axes (step/integrate.c). */
void sc_world_turn(const sc_bodies *bodies, int32_t row, const double torque[3], double out[3]);
/* Removes from velocities and spins of dynamic bodies the parts that a planar world does not allow. */
void sc_world_flatten(sc_bodies *bodies);
/* The bodies that joints hold: a byte per row, in the arena; NULL where there are neither joints nor bonds
 * (integrate.c). open: none is marked yet; hold: the bodies of two rows are, those that are there. And those
 * that the bonds hold which are in the problem. */
enum { SC_HELD = 1, SC_LISTED, SC_MOVED };
scree_status sc_world_mark_held(scree_world *world, uint8_t **held, scree_error *error);
scree_status sc_world_open_held(scree_world *world, uint8_t **held, scree_error *error);
void sc_world_hold(int32_t a, int32_t b, uint8_t *held);
void sc_world_mark_bonded(const scree_world *world, uint8_t *held);
/* Advances positions and orientations by dt with the present velocities, but for bodies marked as moved
 * (held: as marked above, or NULL), then by corrections beside the velocities, a row per body (NULL: there
 * are none). And one body by its velocities. */
void sc_world_advance(scree_world *world, double dt, const uint8_t *held, const sc_solver_body *shift);
void sc_world_advance_row(sc_bodies *bodies, int32_t row, double dt, bool held);

#endif
