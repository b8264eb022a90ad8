/* Steps of second order: velocities change in halves at both ends of a motion, and steps are cut when
 * contacts close.
 *
 * A part of a step, of length h, from positions x and velocities v:
 *     leave     u' = v + h/2 M^-1 f + M^-1 J(x)' p     with the contact law for the motion x' = x + h u'
 *     move      x' = x + h u', q' likewise; contacts are found again
 *     arrive    v' = u' + h/2 M^-1 f' + M^-1 J(x')' p'  with the contact law for v' at x'
 * This is RATTLE (Andersen 1983) for contacts. While bodies move, the velocity J u' at a contact changes at
 * a rate k, because paths and surfaces are curved. The contact law of the motion therefore applies to the
 * velocity in the middle of the motion, J(x) u' + h k/2, with the rate k of the last part (curve.c).
 * Without k, a contact that pivots or rolls loses energy of first order.
 *
 * A contact that closes fast changes velocities suddenly. A part ends when the first of these contacts
 * closes (closing.c). At this time the contacts are solved once more, without forces:
 *     strike    v" = v' + M^-1 J(x')' p",  J v" >= 0 where closed
 * Impacts of pairs with restitution are solved before. Until then, fast contacts are left out: their
 * impulse would end the motion at a gap of 0 and act before the contact closes. After MOST_CUTS cuts all
 * contacts take part in the rest of the step. */
#include "world/step/second_order.h"

#include <string.h>
#include "math/vec.h"
#include "world/cell/cell_drive.h"
#include "world/impact/impact.h"
#include "world/mechanism/yields.h"
#include "world/account/account.h"
#include "world/account/losses.h"
#include "world/account/totals.h"
#include "world/step/solve.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"

enum { MOST_CUTS = 8, MOST_STRIKES = 4 };
/* share of a part: a contact that closes in the last END of a part closes at its end */
static const double END = 1e-6;

/* Mean reaction of a joint over the step so far [N, N m]. */
typedef struct reaction {
  double force[3], torque[3], effort[5];
} reaction;

typedef struct flow {
  scree_world *world;
  double dt, left;      /* length of the step; time that is left of it [s] */
  double kick;          /* time of the forces in the impulses of contacts [s]; 0: no forces */
  uint8_t *kind;        /* [contacts] kind of the contact (closing.c) */
  double *acceleration; /* [bodies] accelerations (closing.c) */
  double widest;        /* largest gap of contacts that are struck [m] */
  int64_t iterations, impacts;
  sc_swings swings;  /* mechanisms in the present stage */
  reaction *joint;   /* [joints] mean reactions of the step so far */
  sc_motion *before; /* [slots] motions at the start of the step */
  sc_arena_mark mark;
} flow;

static scree_status no_memory(const scree_world *world, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts);
}

/* Finds contacts at the present positions and their kinds for a motion of the time `way`. */
static scree_status find(flow *f, double way, scree_error *error) {
  scree_world *world = f->world;
  sc_arena_back(&world->arena, f->mark);
  scree_status status = sc_world_contacts(world, f->dt, error);
  if (status != SCREE_OK) return status;
  f->kind = SC_TAKE(&world->arena, uint8_t, world->contacts + 1);
  f->acceleration = sc_closing_accelerations(world);
  if (!f->kind || !f->acceleration) return no_memory(world, error);
  sc_closing_find(world, f->acceleration, f->dt, way, f->kind, &f->widest);
  return SCREE_OK;
}

/* Sets *skip to marks of the contacts that the stage skips: those of the kinds SC_FAST to `kind`. */
static scree_status leave_out(flow *f, int kind, const uint8_t **skip, scree_error *error) {
  uint8_t *out = SC_TAKE(&f->world->arena, uint8_t, f->world->contacts + 1);
  if (!out) return no_memory(f->world, error);
  for (int32_t c = 0; c < f->world->contacts; c++) out[c] = f->kind[c] != SC_SLOW && f->kind[c] <= kind;
  *skip = out;
  return SCREE_OK;
}

/* Returns the share of the present impulses from which a solution with forces over the time `kick` starts.
 * Impulses of impacts do not grow with time. */
static double start_share(const flow *f, double kick) { return f->kick > 0 ? fmin(1, kick / f->kick) : 0; }

typedef struct solving {
  flow *f;
  double kick;
  sc_solver_report *report;
} solving;

static scree_status make_and_solve(void *context, scree_error *error) {
  const solving *s = context;
  flow *f = s->f;
  scree_world *world = f->world;
  const scree_world_def *def = &world->def;
  double start = sc_clock_wall();
  scree_status status = sc_world_swings_begin(world, &f->swings, error);
  if (status == SCREE_OK)
    status = sc_world_assemble(
        world, sc_world_solver(world), s->kick, def->erp, def->drift_time, false, &f->swings, error);
  world->seconds[SCREE_STAGE_ASSEMBLE] += sc_clock_wall() - start;
  start = sc_clock_wall();
  if (status == SCREE_OK) status = sc_world_solve(world, s->report, error);
  if (status == SCREE_OK) status = sc_world_check_finite(world, error);
  world->seconds[SCREE_STAGE_SOLVE] += sc_clock_wall() - start;
  f->iterations += world->iterations;
  return status;
}

/* Solves a stage whose forces act for the time `kick`. Solved velocities stay in the problem. A joint that
 * breaks in a stage transmits its limited load in this stage only. */
static scree_status solve(
    flow *f, sc_stage *stage, double kick, sc_solver_report *report, scree_error *error) {
  stage->warm = start_share(f, kick);
  f->world->stage = stage;
  solving s = {f, kick, report};
  return sc_world_solve_with_breaks(f->world, make_and_solve, &s, error);
}

/* Adds the reactions of the last solution of joints, which are means over `time`. */
static void add_reaction(flow *f, int32_t joint, double time) {
  const sc_joint *from = f->world->joints.row + joint;
  reaction *to = f->joint + joint;
  const double share = time / f->dt;
  sc_axpy(share, from->force, to->force, to->force);
  sc_axpy(share, from->torque, to->torque, to->torque);
  for (int k = 0; k < 5; k++) to->effort[k] += share * from->effort[k];
}

static scree_status store(flow *f, double kick, scree_error *error) {
  scree_world *world = f->world;
  sc_losses_begin(world);
  sc_world_swings_book(world, &f->swings);
  sc_world_store_solution(world, &f->swings, NULL);
  sc_account_note(world);
  sc_losses_add_half(world);
  f->kick = kick;
  sc_curves_add(world);
  for (int32_t i = 0; i < world->joints.count && (world->stage->arrives || world->stage->strikes); i++)
    add_reaction(f, i, world->problem.dt);
  sc_world_yields_spend(world);
  return sc_losses_close(world, error);
}

/* ---- impacts ---- */

/* Copies of the impulses of contacts and of all joints, from before an impact. An impact overwrites them. */
typedef struct kept {
  double (*contact)[SC_CARRIED];
  sc_joint *joint;
} kept;

static scree_status keep_carried(const flow *f, kept *k, scree_error *error) {
  scree_world *world = f->world;
  k->contact = sc_arena_take(&world->arena, (size_t)(world->contacts + 1) * sizeof *k->contact);
  k->joint = SC_TAKE(&world->arena, sc_joint, world->joints.count + 1);
  if (!k->contact || !k->joint) return no_memory(world, error);
  for (int32_t c = 0; c < world->contacts; c++) sc_carried_read(world, c, k->contact[c]);
  for (int32_t i = 0; i < world->joints.count; i++) k->joint[i] = world->joints.row[i];
  return SCREE_OK;
}

static void restore_carried(const flow *f, const kept *k) {
  scree_world *world = f->world;
  for (int32_t c = 0; c < world->contacts; c++) sc_carried_write(world, c, k->contact[c], SCREE_STICKING);
  for (int32_t i = 0; i < world->joints.count; i++) {
    sc_joint *joint = world->joints.row + i;
    k->joint[i].yields = joint->yields; // a joint may break in a strike
    memcpy(k->joint[i].blow, joint->blow, sizeof joint->blow);
    *joint = k->joint[i];
  }
}

/* Solves the impacts of pairs with restitution, among the contacts that close within the time `reach`. */
static scree_status rebound(flow *f, double reach, scree_error *error) {
  scree_world *world = f->world;
  sc_losses_begin(world);
  scree_status status = sc_world_impacts_within(world, reach, f->dt, error);
  if (status != SCREE_OK || !world->blows) return status;
  f->impacts += world->impacts;
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_curve *curve = sc_world_curve(world, c);
    const sc_loss *loss = sc_world_loss(world, c);
    sc_add(curve->sum, world->blow[c], curve->sum);
    if (loss) curve->lost += loss->step;
  }
  world->blows = 0;
  return sc_losses_close(world, error);
}

static scree_status strike(flow *f, double way, scree_error *error) {
  const double kick = f->kick;
  kept k;
  scree_status status = keep_carried(f, &k, error);
  if (status == SCREE_OK) status = rebound(f, SC_CLOSED_PART * way, error);
  if (status != SCREE_OK) return status;
  sc_stage stage = {.way = way, .strikes = true, .closed = f->widest};
  sc_solver_report report = {0};
  f->kick = 0;
  status = leave_out(f, SC_FAST, &stage.skip, error);
  if (status == SCREE_OK) status = solve(f, &stage, way / 2, &report, error);
  if (status == SCREE_OK) status = store(f, 0, error);
  restore_carried(f, &k);
  f->kick = kick;
  return status;
}

/* Solves impacts until no contact is struck, at most MOST_STRIKES times. way: time of the motion before or
 * after the impacts. */
static scree_status settle(flow *f, double way, scree_error *error) {
  scree_status status = SCREE_OK;
  for (int round = 0; status == SCREE_OK && round < MOST_STRIKES; round++) {
    if (!sc_closing_find(f->world, f->acceleration, f->dt, way, f->kind, &f->widest)) break;
    status = strike(f, way, error);
  }
  return status;
}

/* ---- a part of a step ---- */

/* Solves velocities for the motion of a part. Reduces *way, the time of the motion, if a contact closes
 * earlier. */
static scree_status leave(flow *f, bool cuts, double *way, const sc_solver_body **shift, scree_error *error) {
  scree_world *world = f->world;
  sc_stage stage = {.way = *way, .rate_time = *way / 2};
  sc_solver_report report = {0};
  scree_status status = SCREE_OK;
  sc_closing_find(world, f->acceleration, f->dt, *way, f->kind, &f->widest);
  if (cuts) status = leave_out(f, SC_FAST, &stage.skip, error);
  if (status == SCREE_OK) status = solve(f, &stage, *way / 2, &report, error);
  if (status != SCREE_OK) return status;
  const double closes = cuts ? sc_closing_time(world, *way, f->kind) : *way;
  if (closes < (1 - END) * *way) {
    *way = closes;
    stage.way = closes, stage.rate_time = closes / 2;
    status = solve(f, &stage, closes / 2, &report, error);
  }
  if (status == SCREE_OK) status = sc_world_correct_positions(world, &report, shift, error);
  return status == SCREE_OK ? store(f, *way / 2, error) : status;
}

/* Returns the kinetic energy of all bodies of mechanisms, minus the work of gravity over half the time
 * `way`. */
static double energy_of_swings(const flow *f, double way) {
  const sc_bodies *bodies = &f->world->bodies;
  double sum = 0;
  for (int32_t i = 0; i < f->swings.bodies; i++) {
    const int32_t row = f->swings.body[i];
    if (!(bodies->inv_mass[row] > 0)) continue;
    sum += sc_account_kinetic_of(bodies, row) -
        way / 2 * bodies->mass[row] * sc_dot(f->world->def.gravity, bodies->velocity[row]);
  }
  return sum;
}

/* Adds the reactions of the first stage. Joints of a mechanism that has moved by RATTLE have reactions over
 * the whole way, all other joints over half of it. */
static void add_reactions_behind(flow *f, double way) {
  for (int32_t i = 0; i < f->world->joints.count; i++) {
    int32_t row[2];
    bool moved = false;
    sc_swing_rows(f->world, f->world->joints.row + i, row);
    for (int side = 0; side < 2; side++) moved |= row[side] >= 0 && f->swings.held[row[side]] == SC_MOVED;
    add_reaction(f, i, moved ? way : way / 2);
  }
}

/* Moves mechanisms such that their joints hold at the end of the way, and changes velocities accordingly.
 * The change of energy is added to `correction`. */
static scree_status swing(flow *f, double way, scree_error *error) {
  scree_world *world = f->world;
  if (!world->joints.count) return SCREE_OK;
  const double work = world->work, dissipated = world->dissipated, before = energy_of_swings(f, way);
  double correction = world->correction, elsewhere[SCREE_LOST_ELSEWHERE];
  memcpy(elsewhere, world->lost_elsewhere, sizeof elsewhere);
  scree_status status = sc_world_swings(world, &f->swings, way, error);
  memcpy(world->lost_elsewhere, elsewhere, sizeof elsewhere);
  world->work = work, world->dissipated = dissipated;
  world->correction = correction + energy_of_swings(f, way) - before;
  sc_account_note(world);
  sc_curves_follow(world, &f->swings);
  add_reactions_behind(f, way);
  return status;
}

static scree_status move(flow *f, double way, const sc_solver_body *shift, scree_error *error) {
  scree_world *world = f->world;
  double start = sc_clock_wall();
  sc_curves_leave(world);
  scree_status status = swing(f, way, error);
  if (status != SCREE_OK) return status;
  sc_world_advance(world, way, f->swings.held, shift);
  status = sc_world_correct_joints(world, f->swings.trees, error);
  world->seconds[SCREE_STAGE_INTEGRATE] += sc_clock_wall() - start;
  return status == SCREE_OK ? sc_world_check_state(world, error) : status;
}

/* Sets the impulses of contacts to their sums since the last search. */
static void show_sums(flow *f) {
  scree_world *world = f->world;
  for (int32_t c = 0; c < world->contacts; c++) {
    const sc_curve *curve = sc_world_curve(world, c);
    sc_loss *loss = sc_world_loss(world, c);
    const int32_t last = sc_collide_state(world->collide, c);
    const bool any = curve->sum[0] != 0 || curve->sum[1] != 0 || curve->sum[2] != 0;
    sc_carried_write(world, c, curve->sum,
        !any                           ? SCREE_SEPARATING
            : last == SCREE_SEPARATING ? SCREE_STICKING
                                       : last);
    if (loss) loss->step = curve->lost;
  }
}

static void clear_sums(flow *f) {
  for (int32_t c = 0; c < f->world->contacts; c++) {
    sc_curve *curve = sc_world_curve(f->world, c);
    for (int k = 0; k < SC_CARRIED; k++) curve->sum[k] = 0;
    curve->lost = 0;
  }
}

/* Adds the impulses of contacts to the totals of the step, because the next search may not find these
 * contacts. */
static scree_status add_part(flow *f, scree_error *error) {
  kept k;
  scree_status status = keep_carried(f, &k, error);
  if (status != SCREE_OK) return status;
  show_sums(f);
  status = sc_totals_add_part(f->world, error);
  restore_carried(f, &k);
  clear_sums(f);
  return status;
}

static scree_status arrive(flow *f, double way, scree_error *error) {
  sc_solver_report report = {0};
  scree_status status = add_part(f, error);
  if (status == SCREE_OK) status = find(f, way, error);
  if (status != SCREE_OK) return status;
  sc_curves_measure(f->world, f->dt, way);
  sc_stage stage = {.way = way, .arrives = true};
  status = leave_out(f, SC_STRUCK, &stage.skip, error);
  if (status == SCREE_OK) status = solve(f, &stage, way / 2, &report, error);
  if (status == SCREE_OK) status = store(f, way / 2, error);
  return status == SCREE_OK ? settle(f, way, error) : status;
}

static scree_status part(flow *f, bool cuts, scree_error *error) {
  const sc_solver_body *shift = NULL;
  double way = f->left;
  scree_status status = settle(f, way, error); // with a longer way more contacts count as closed
  if (status == SCREE_OK && !cuts) status = rebound(f, way, error);
  if (status == SCREE_OK) status = leave(f, cuts, &way, &shift, error);
  if (status == SCREE_OK) status = move(f, way, shift, error);
  if (status == SCREE_OK) status = arrive(f, way, error);
  f->left = way < f->left ? f->left - way : 0;
  return status;
}

/* ---- the step ---- */

/* Replaces the impulses of contacts, which are sums between steps, by the impulses to start from. */
static scree_status begin(flow *f, scree_error *error) {
  scree_status status = find(f, f->dt, error);
  if (status != SCREE_OK) return status;
  for (int32_t c = 0; c < f->world->contacts; c++) {
    sc_curve *curve = sc_world_curve(f->world, c);
    sc_carried_write(f->world, c, curve->start, SCREE_STICKING);
  }
  clear_sums(f);
  return SCREE_OK;
}

static void finish(flow *f) {
  scree_world *world = f->world;
  world->iterations = f->iterations, world->impacts = f->impacts;
  world->contact_age = 0;
  for (int32_t c = 0; c < world->contacts; c++) {
    sc_curve *curve = sc_world_curve(world, c);
    sc_carried_read(world, c, curve->start);
    for (int k = 0; k < SC_CARRIED; k++) curve->start[k] *= start_share(f, f->dt / 2);
  }
  show_sums(f);
  for (int32_t i = 0; i < world->joints.count; i++) {
    sc_joint *joint = world->joints.row + i;
    sc_copy3(f->joint[i].force, joint->force);
    sc_copy3(f->joint[i].torque, joint->torque);
    memcpy(joint->effort, f->joint[i].effort, sizeof joint->effort);
  }
  sc_tied_share_blows(world);
  for (int32_t row = 0; row < world->bodies.count; row++) sc_bodies_clear_load(&world->bodies, row);
}

static bool note_before(flow *f) {
  const sc_bodies *bodies = &f->world->bodies;
  f->before = SC_TAKE(&f->world->arena, sc_motion, bodies->slots_count + 1);
  for (int32_t row = 0; row < bodies->count && f->before; row++)
    sc_motion_read(bodies, row, f->before + bodies->slot[row]);
  return f->before;
}

static void go_back(const flow *f) {
  sc_bodies *bodies = &f->world->bodies;
  for (int32_t row = 0; row < bodies->count; row++)
    sc_motion_write(f->before + bodies->slot[row], bodies, row);
}

scree_status sc_world_second_order_step(scree_world *world, double dt, scree_error *error) {
  flow f = {.world = world, .dt = dt, .left = dt, .kick = dt / 2};
  const size_t joints = (size_t)world->joints.count + 1;
  sc_arena_reset(&world->arena);
  f.joint = SC_TAKE(&world->arena, reaction, joints);
  if (!f.joint || !note_before(&f))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  memset(f.joint, 0, joints * sizeof *f.joint);
  f.mark = sc_arena_here(&world->arena);
  world->free_finite = false;
  world->rollings = 0;
  sc_world_yields_clear(world);
  sc_joints_forget_blows(&world->joints);
  const bool stay = world->bodies.loads_stay;
  world->bodies.loads_stay = true;
  scree_status status = begin(&f, error);
  for (int cut = 0; status == SCREE_OK && f.left > 0; cut++) status = part(&f, cut < MOST_CUTS, error);
  world->stage = NULL;
  world->bodies.loads_stay = stay;
  if (status != SCREE_OK) {
    go_back(&f);
    return status;
  }
  finish(&f);
  return sc_world_break_joints(world, error);
}
