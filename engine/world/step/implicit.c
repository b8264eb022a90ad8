/* The implicit time stepping of Stewart & Trinkle (1996), sections 3.6 and 4: non-penetration holds at
 * the end of the step.
 *
 * Contacts, normals, arms and inertia are those of the end-of-step configuration q', which is found by a
 * fixed point:
 *     q* = q + h v*,   start with v* = v
 *     gaps, normals and arms at q*; the gap at the end is gap(q*) + h n.(v' - v*): each contact asks for
 *         n.v' + gap(q*)/h - n.v* >= 0, complementary to its impulse;
 *         friction acts on v' in directions at q*
 *     solve for v', set v* = v', and repeat until v* stands still
 * Contacts that the end configuration brings in enter with the next round, as in the paper's growth of
 * the active set. Any solver takes the rounds; `lemke` makes it the paper's method. Laws with a memory
 * refresh it in every round.
 *
 * Rows of bodies may be put into another order when neighbour lists are built, so what is saved lies by
 * slot. */
#include "world/mechanism/swing.h"
#include "world/mechanism/yields.h"
#include "world/account/account.h"
#include "world/account/losses.h"
#include "world/step/solve.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/operator/delassus.h"
#include "problem/residual/residual.h"

enum { MOST_ROUNDS = 40 };
static const double STANDSTILL = 1e-11; /* relative change of v* that ends the rounds */

typedef struct pose {
  double position[3], orientation[4];
} pose;
typedef struct motion {
  double velocity[3], spin[3];
} motion;
/* by slot: at the start of the step, and v* */
typedef struct saved {
  pose *start;
  motion *before, *trial;
} saved;

static bool take_saved(scree_world *world, saved *s) {
  size_t slots = world->bodies.slots_count;
  s->start = SC_TAKE(&world->arena, pose, slots);
  s->before = SC_TAKE(&world->arena, motion, slots);
  s->trial = SC_TAKE(&world->arena, motion, slots);
  return s->start && s->before && s->trial;
}

static void read_motion(const sc_bodies *bodies, motion *out) {
  for (int32_t row = 0; row < bodies->count; row++) {
    sc_copy3(bodies->velocity[row], out[bodies->slot[row]].velocity);
    sc_copy3(bodies->spin[row], out[bodies->slot[row]].spin);
  }
}

static void write_motion(const motion *in, sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count; row++) {
    sc_copy3(in[bodies->slot[row]].velocity, bodies->velocity[row]);
    sc_copy3(in[bodies->slot[row]].spin, bodies->spin[row]);
  }
}

static void read_poses(const sc_bodies *bodies, pose *out) {
  for (int32_t row = 0; row < bodies->count; row++) {
    pose *p = out + bodies->slot[row];
    sc_copy3(bodies->position[row], p->position);
    memcpy(p->orientation, bodies->orientation[row], sizeof p->orientation);
  }
}

static void write_poses(const pose *in, sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count; row++) {
    const pose *p = in + bodies->slot[row];
    sc_copy3(p->position, bodies->position[row]);
    memcpy(bodies->orientation[row], p->orientation, sizeof p->orientation);
  }
}

/* Bodies stand at q* = q + h v* and carry the velocities of the start. */
static scree_status place_trial(scree_world *world, const saved *s, double dt, scree_error *error) {
  uint8_t *held;
  write_poses(s->start, &world->bodies);
  write_motion(s->trial, &world->bodies);
  scree_status status = sc_world_mark_held(world, &held, error);
  if (status == SCREE_OK) sc_world_mark_bonded(world, held);
  if (status == SCREE_OK) sc_world_advance(world, dt, held, NULL);
  write_motion(s->before, &world->bodies);
  return status;
}

/* Takes n.v* off every bias: gaps are linear about q*. */
static scree_status linearise(scree_world *world, const saved *s, scree_error *error) {
  sc_problem *problem = &world->problem;
  const sc_bodies *bodies = &world->bodies;
  size_t bytes = (size_t)problem->bodies * sizeof *problem->body;
  sc_solver_body *free_body = problem->body, *trial = SC_TAKE(&world->arena, sc_solver_body, problem->bodies);
  if (!trial) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", bodies->count);
  memcpy(trial, free_body, bytes);
  for (int32_t row = 0; row < bodies->count; row++) {
    const motion *m = s->trial + bodies->slot[row];
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    sc_copy3(m->velocity, trial[row].v);
    sc_scale(sc_body_scale(bodies, row), m->spin, trial[row].q);
  }
  problem->body = trial;
  for (int32_t c = 0; c < problem->balls; c++) {
    double u[3];
    sc_problem_ball_velocity(problem, problem->ball + c, u);
    problem->ball[c].bias -= sc_dot(u, problem->ball[c].n);
  }
  for (int32_t c = 0; c < problem->generals; c++) {
    double u[SCREE_LAW_MAX_DIM];
    sc_problem_general_velocity(problem, problem->general + c, u);
    problem->general[c].bias -= u[0];
  }
  problem->body = free_body;
  world->assembled.closing = sc_problem_closing_balls(problem, world->pool);
  return SCREE_OK;
}

/* v* becomes the solution; returns the largest change relative to the largest speed (spins times the
 * bodies' lengths). */
static double accept(const scree_world *world, saved *s) {
  const sc_bodies *bodies = &world->bodies;
  double change = 0, speed = 0;
  for (int32_t row = 0; row < bodies->count; row++) {
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    const sc_solver_body *body = world->problem.body + row;
    motion *m = s->trial + bodies->slot[row];
    double length = sc_body_scale(bodies, row), d[3], turn[3];
    sc_scale(length, m->spin, turn);
    sc_sub(body->v, m->velocity, d);
    sc_sub(body->q, turn, turn);
    change = fmax(change, fmax(sc_norm(d), sc_norm(turn)));
    speed = fmax(speed, fmax(sc_norm(body->v), sc_norm(body->q)));
    sc_copy3(body->v, m->velocity);
    sc_scale(1 / length, body->q, m->spin);
  }
  return speed > 0 ? change / speed : 0;
}

/* One round at q*; *change receives how far v* moved. */
static scree_status round_at(scree_world *world, saved *s, double dt, double *change, scree_error *error) {
  scree_status status = place_trial(world, s, dt, error);
  if (status == SCREE_OK) status = sc_world_contacts(world, dt, error);
  if (status == SCREE_OK) status = sc_world_assemble(world, world->solver, dt, 1, 0, true, NULL, error);
  if (status != SCREE_OK) return status;
  status = linearise(world, s, error);
  double start = sc_clock_wall();
  sc_solver_report report = {0};
  if (status == SCREE_OK) status = sc_world_solve(world, &report, error);
  world->seconds[SCREE_STAGE_SOLVE] += sc_clock_wall() - start;
  if (status == SCREE_OK) status = sc_world_check_finite(world, error);
  if (status != SCREE_OK) return status;
  *change = accept(world, s);
  sc_world_store_impulses(world, NULL);
  return SCREE_OK;
}

/* Returns the change of kinetic energy if orientations q* replace those at the start, at the present spins
 * [J]. */
static double turned(const scree_world *world, const saved *s) {
  const sc_bodies *bodies = &world->bodies;
  double sum = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && sc_bodies_own(bodies, row))
      sum += sc_account_turned(bodies, row, s->start[bodies->slot[row]].orientation, bodies->spin[row]);
  return sum;
}

scree_status sc_world_implicit_step(scree_world *world, double dt, scree_error *error) {
  saved s;
  double change = INFINITY;
  world->free_finite = false;
  sc_arena_reset(&world->arena);
  if (!take_saved(world, &s))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  read_poses(&world->bodies, s.start);
  read_motion(&world->bodies, s.before);
  read_motion(&world->bodies, s.trial);
  uint8_t *held;
  int64_t iterations = 0;
  const bool breakable = sc_world_breakable(world);
  sc_world_yields_clear(world);
  for (int round = 0; round < MOST_ROUNDS && change > STANDSTILL; round++) {
    bool breaks = false;
    scree_status status = round_at(world, &s, dt, &change, error);
    if (status == SCREE_OK && breakable && change <= STANDSTILL)
      status = sc_world_yield(world, &breaks, error);
    if (status != SCREE_OK) {
      write_poses(s.start, &world->bodies);
      write_motion(s.before, &world->bodies);
      return status;
    }
    iterations += world->iterations;
    if (breaks) change = INFINITY;
  }
  scree_status status = sc_world_mark_held(world, &held, error);
  if (status != SCREE_OK) return status;
  sc_world_mark_bonded(world, held);
  world->iterations = iterations;
  sc_world_book_joints(world);
  world->correction += turned(world, &s);
  sc_world_store_solution(world, NULL, NULL);
  world->correction -= turned(world, &s);
  sc_losses_add_half(world);
  if ((status = sc_losses_close(world, error))) return status;
  write_poses(s.start, &world->bodies);
  sc_world_advance(world, dt, held, NULL);
  world->contact_age = 0;
  scree_status corrected = sc_world_correct_joints(world, NULL, error);
  return corrected == SCREE_OK ? sc_world_break_joints(world, error) : corrected;
}
