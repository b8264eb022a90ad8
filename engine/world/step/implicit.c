/* The implicit time stepping of Stewart & Trinkle (1996), sections 3.6 and 4: non-penetration holds at the
 * end of the step.
 *
 * Contacts, normals, arms and inertia are those of the end-of-step configuration q'. A fixed-point iteration
 * finds q' (h: length of the step, n: normal):
 *     q* = q + h v*,   start with v* = v
 *     gaps, normals and arms at q*; the gap at the end is gap(q*) + h n.(v' - v*): each contact requires
 *         n.v' + gap(q*)/h - n.v* >= 0, complementary to its impulse;
 *         friction acts on v' in directions at q*
 *     solve for v', set v* = v', and repeat until v* does not change any more
 * New contacts of the end configuration are included in the next round, like the growing active set of the
 * paper. Any solver can solve the rounds. With `lemke` the method is that of the paper. Laws with states
 * change their states in the first round only.
 *
 * Building a neighbour list may change the order of rows. Saved poses and velocities are therefore indexed by
 * slot. */
#include "world/world.h"
#include "world/mechanism/swing.h"
#include "world/mechanism/yields.h"
#include "world/account/account.h"
#include "world/account/losses.h"
#include "world/step/step.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/operator/delassus.h"
#include "problem/residual/residual.h"

enum { MOST_ROUNDS = 40 };
static const double STANDSTILL = 1e-11; /* relative change of v* below which the rounds end */

typedef struct pose {
  double position[3], orientation[4];
} pose;
typedef struct motion {
  double velocity[3], spin[3];
} motion;
/* Data of a step in the arena. */
typedef struct saved {
  pose *start;            /* [slots] poses at the start of the step */
  motion *before, *trial; /* [slots] velocities at the start of the step; v* */
  double change;          /* relative change of v* in the last round */
  int64_t iterations;     /* number of solver iterations, summed over the rounds so far */
  bool breakable;         /* true: a joint or bond of the world can break */
} saved;

static bool alloc_saved(scree_world *world, saved *s) {
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

/* Moves the bodies to q* = q + h v*, and sets their velocities to those at the start of the step. */
static scree_status place_trial(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const saved *s = step->own;
  uint8_t *held;
  write_poses(s->start, &world->bodies);
  write_motion(s->trial, &world->bodies);
  scree_status status = sc_world_mark_held(world, &held, error);
  if (status == SCREE_OK) sc_world_mark_bonded(world, held);
  if (status == SCREE_OK) sc_world_advance(world, step->dt, held, NULL);
  write_motion(s->before, &world->bodies);
  return status;
}

static scree_status assemble_rows(sc_step *step, scree_error *error) {
  return sc_world_assemble(step->world, step->world->solver, step->dt, 1, 0, true, NULL, error);
}

/* Subtracts n.v* from the bias of every row, because gaps are linearised about q*. */
static scree_status linearise_gaps(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const saved *s = step->own;
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

/* Sets v* to the solved velocities. Returns the largest change of v* divided by the largest speed. Spins are
 * multiplied by the lengths of the bodies (sc_body_scale). */
static double accept_solution(const scree_world *world, saved *s) {
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

/* Returns the change of kinetic energy from the orientations at the start to the orientations q*, for the
 * present spins [J]. */
static double turned_energy(const scree_world *world, const saved *s) {
  const sc_bodies *bodies = &world->bodies;
  double sum = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && sc_bodies_own(bodies, row))
      sum += sc_account_turned(bodies, row, s->start[bodies->slot[row]].orientation, bodies->spin[row]);
  return sum;
}

/* ---- stages ---- */

static scree_status open_rounds(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  world->figures.free_finite = false;
  sc_arena_reset(&world->arena);
  saved *s = SC_TAKE(&world->arena, saved, 1);
  if (!s || !alloc_saved(world, s))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  read_poses(&world->bodies, s->start);
  read_motion(&world->bodies, s->before);
  read_motion(&world->bodies, s->trial);
  s->change = INFINITY, s->iterations = 0, s->breakable = sc_world_breakable(world);
  sc_world_yields_clear(world);
  step->own = s;
  return SCREE_OK;
}

static scree_status use_solution(sc_step *step, scree_error *error) {
  saved *s = step->own;
  (void)error;
  s->change = accept_solution(step->world, s);
  s->iterations += step->world->figures.iterations;
  sc_world_store_impulses(step->world, NULL);
  return SCREE_OK;
}

static scree_status judge_breaks(sc_step *step, scree_error *error) {
  saved *s = step->own;
  bool breaks = false;
  if (!s->breakable || !(s->change <= STANDSTILL)) return SCREE_OK;
  const scree_status status = sc_world_yield(step->world, &breaks, error);
  if (breaks) s->change = INFINITY;
  return status;
}

static const sc_stage one_round[] = {
    {"place trial", SCREE_STAGE_INTEGRATE, place_trial},
    {"find contacts", SC_NO_CLOCK, sc_step_find_contacts, sc_contact_stages},
    {"assemble problem", SCREE_STAGE_ASSEMBLE, assemble_rows},
    {"linearise gaps", SCREE_STAGE_ASSEMBLE, linearise_gaps},
    {"solve problem", SCREE_STAGE_SOLVE, sc_step_solve},
    {"check velocities", SCREE_STAGE_SOLVE, sc_step_check_velocities},
    {"take solution", SC_NO_CLOCK, use_solution},
    {"judge breaks", SC_NO_CLOCK, judge_breaks},
    {NULL},
};

static scree_status iterate_rounds(sc_step *step, scree_error *error) {
  saved *s = step->own;
  scree_status status = SCREE_OK;
  for (int round = 0; status == SCREE_OK && round < MOST_ROUNDS && s->change > STANDSTILL; round++) {
    step->world->repeats = round > 0;
    status = sc_run_stages(step, one_round, error);
  }
  step->world->repeats = false;
  if (status != SCREE_OK) return status;
  step->world->figures.iterations = s->iterations;
  return SCREE_OK;
}

static scree_status store_rounds(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const saved *s = step->own;
  const scree_status status = sc_world_mark_held(world, &step->swings.held, error);
  if (status != SCREE_OK) return status;
  sc_world_mark_bonded(world, step->swings.held);
  sc_world_book_joints(world);
  world->energy.correction += turned_energy(world, s);
  sc_world_store_solution(world, NULL, NULL, NULL);
  world->energy.correction -= turned_energy(world, s);
  world->contacts.age = 0;
  return SCREE_OK;
}

static scree_status reset_poses(sc_step *step, scree_error *error) {
  const saved *s = step->own;
  (void)error;
  write_poses(s->start, &step->world->bodies);
  return SCREE_OK;
}

static void undo_rounds(sc_step *step) {
  const saved *s = step->own;
  if (!s) return;
  write_poses(s->start, &step->world->bodies);
  write_motion(s->before, &step->world->bodies);
}

static const sc_stage stages[] = {
    {"open step", SC_NO_CLOCK, open_rounds},
    {"iterate rounds", SC_NO_CLOCK, iterate_rounds, one_round},
    {"store solution", SCREE_STAGE_INTEGRATE, store_rounds},
    {"close losses", SCREE_STAGE_INTEGRATE, sc_step_close_losses},
    {"reset poses", SCREE_STAGE_INTEGRATE, reset_poses},
    {"move bodies", SCREE_STAGE_INTEGRATE, sc_step_move_bodies},
    {"correct joints", SCREE_STAGE_INTEGRATE, sc_step_correct_joints},
    {"break joints", SC_NO_CLOCK, sc_step_break_joints},
    {NULL},
};

const sc_stepper sc_stepper_stewart_trinkle = {stages, undo_rounds};
