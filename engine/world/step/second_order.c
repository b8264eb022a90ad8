/* Steps of second order. Velocities change in halves at both ends of a motion, and a step is divided into
 * parts where contacts close.
 *
 * A part of a step has the length h and starts from positions x and velocities v:
 *     leave     u' = v + h/2 M^-1 f + M^-1 J(x)' p     with the contact law for the motion x' = x + h u'
 *     move      x' = x + h u', q' likewise; contacts are detected again
 *     arrive    v' = u' + h/2 M^-1 f' + M^-1 J(x')' p'  with the contact law for v' at x'
 * M: masses, f: forces, J: Jacobian of the contacts, p: impulses. This is RATTLE (Andersen 1983) for
 * contacts. While bodies move, the relative velocity J u' at a contact changes at a rate k, because paths and
 * surfaces are curved. The contact law of the motion therefore applies to the velocity in the middle of the
 * motion, J(x) u' + h k/2. k is the rate of the last part (curve.c). Without k, a contact that pivots or
 * rolls loses energy of first order.
 *
 * A contact that closes fast changes velocities suddenly. A part ends when the first of these contacts closes
 * (closing.c). At this time the contacts are solved once more, without forces:
 *     strike    v" = v' + M^-1 J(x')' p",  J v" >= 0 at closed contacts
 * Impacts of pairs with restitution are solved before. The problem contains a fast contact only from the time
 * on at which it closes. Otherwise its impulse would end the motion at a gap of 0 and act before the contact
 * closes. After MOST_CUTS cuts the problem contains all contacts for the rest of the step. */
#include "world/world.h"
#include "world/step/second_order.h"

#include <string.h>
#include "math/vec.h"
#include "world/cell/cell_drive.h"
#include "world/impact/impact.h"
#include "world/mechanism/yields.h"
#include "world/account/account.h"
#include "world/account/losses.h"
#include "world/account/totals.h"
#include "world/step/step.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"

enum { MOST_CUTS = 8, MOST_STRIKES = 4 };
/* A contact that closes within the last share END of a part counts as closing at the end of the part. */
static const double END = 1e-6;

/* Mean reaction of a joint over the step so far. Force [N], torque [N m]; effort: see sc_joint. */
typedef struct reaction {
  double force[3], torque[3], effort[5];
} reaction;

/* Data of a step in the arena. */
typedef struct flow {
  sc_step *step;
  scree_world *world;
  double dt, left;      /* length of the step [s]; remaining time of the step [s] */
  double way;           /* duration of the motion in the present part [s] */
  int part;             /* index of the present part, from 0 */
  bool loads_stay;      /* bodies.loads_stay of the substep */
  double kick;          /* time for which the forces in the impulses of contacts act [s]; 0: no forces */
  uint8_t *kind;        /* [contacts] kind of the contact (closing.c) */
  double *acceleration; /* [bodies] accelerations (closing.c) */
  double widest;        /* largest gap of contacts that are struck [m] */
  int64_t iterations, impacts;
  reaction *joint;   /* [joints] mean reactions over the step so far */
  sc_motion *before; /* [slots] poses and velocities at the start of the step */
  sc_arena_mark mark;
} flow;

static scree_status fail_contacts(const scree_world *world, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", world->contacts.count);
}

/* Detects contacts at the present positions and finds their kinds (closing.c) for a motion of duration
 * `way`. */
static scree_status find_kinds(flow *f, double way, scree_error *error) {
  scree_world *world = f->world;
  sc_arena_back(&world->arena, f->mark);
  scree_status status = sc_step_find_contacts(f->step, error);
  if (status != SCREE_OK) return status;
  f->kind = SC_TAKE(&world->arena, uint8_t, world->contacts.count + 1);
  f->acceleration = sc_closing_accelerations(world);
  if (!f->kind || !f->acceleration) return fail_contacts(world, error);
  sc_closing_find(world, f->acceleration, f->dt, way, f->kind, &f->widest);
  return SCREE_OK;
}

/* Sets *skip to marks of the contacts that the phase skips: contacts that are not SC_SLOW and whose kind is
 * at most `kind`. */
static scree_status mark_skipped(flow *f, int kind, const uint8_t **skip, scree_error *error) {
  uint8_t *out = SC_TAKE(&f->world->arena, uint8_t, f->world->contacts.count + 1);
  if (!out) return fail_contacts(f->world, error);
  for (int32_t c = 0; c < f->world->contacts.count; c++) out[c] = f->kind[c] != SC_SLOW && f->kind[c] <= kind;
  *skip = out;
  return SCREE_OK;
}

/* Returns the factor of the present impulses for the warm start of a solution whose forces act for the time
 * `kick`. Returns 0 after an impact, because its impulses are not proportional to a time. */
static double start_share(const flow *f, double kick) { return f->kick > 0 ? fmin(1, kick / f->kick) : 0; }

static scree_status solve_problem(sc_step *step, scree_error *error) {
  flow *f = step->own;
  const scree_status status = sc_step_solve(step, error);
  f->iterations += f->world->figures.iterations;
  return status;
}

static const sc_stage solution[] = {
    {"record mechanisms", SCREE_STAGE_ASSEMBLE, sc_step_record_mechanisms},
    {"assemble problem", SCREE_STAGE_ASSEMBLE, sc_step_assemble},
    {"solve problem", SCREE_STAGE_SOLVE, solve_problem},
    {"check velocities", SCREE_STAGE_SOLVE, sc_step_check_velocities},
    {NULL},
};

/* Solves a phase whose forces act for the time `kick`. The solved velocities stay in the problem. A joint
 * that breaks in a phase transmits its limited load in this phase only. */
static scree_status solve_phase(flow *f, sc_phase *phase, double kick, scree_error *error) {
  phase->warm = start_share(f, kick);
  f->world->phase = phase;
  f->step->forces = kick;
  return sc_step_solve_with_breaks(f->step, solution, error);
}

/* Adds the reaction of joint `joint` in the last solution to the mean reaction over the step. time: time for
 * which this reaction acted [s]. */
static void add_reaction(flow *f, int32_t joint, double time) {
  const sc_joint *from = f->world->joints.row + joint;
  reaction *to = f->joint + joint;
  const double share = time / f->dt;
  sc_axpy(share, from->force, to->force, to->force);
  sc_axpy(share, from->torque, to->torque, to->torque);
  for (int k = 0; k < 5; k++) to->effort[k] += share * from->effort[k];
}

static scree_status store_phase(flow *f, double kick, scree_error *error) {
  scree_world *world = f->world;
  sc_losses_begin(&world->contacts);
  // bodies shift between departure and arrival
  const sc_solver_body *shift = world->phase->arrives || world->phase->strikes ? NULL : f->step->shift;
  sc_world_swings_book(world, &f->step->swings, shift);
  sc_world_store_solution(world, &f->step->swings, shift, NULL);
  sc_account_note(&world->bodies, &world->joints);
  sc_losses_add_half(world);
  f->kick = kick;
  sc_curves_add(world);
  for (int32_t i = 0; i < world->joints.count && (world->phase->arrives || world->phase->strikes); i++)
    add_reaction(f, i, world->problem.dt);
  sc_world_yields_spend(world);
  return sc_losses_close(world, error);
}

/* ---- impacts ---- */

/* Copies of the impulses of all contacts and of all joints before an impact, which overwrites them. */
typedef struct kept {
  double (*contact)[SC_CARRIED];
  sc_joint *joint;
} kept;

static scree_status keep_carried(const flow *f, kept *k, scree_error *error) {
  scree_world *world = f->world;
  k->contact = sc_arena_take(&world->arena, (size_t)(world->contacts.count + 1) * sizeof *k->contact);
  k->joint = SC_TAKE(&world->arena, sc_joint, world->joints.count + 1);
  if (!k->contact || !k->joint) return fail_contacts(world, error);
  for (int32_t c = 0; c < world->contacts.count; c++) sc_carried_read(world, c, k->contact[c]);
  for (int32_t i = 0; i < world->joints.count; i++) k->joint[i] = world->joints.row[i];
  return SCREE_OK;
}

static void restore_carried(const flow *f, const kept *k) {
  scree_world *world = f->world;
  for (int32_t c = 0; c < world->contacts.count; c++)
    sc_carried_write(world, c, k->contact[c], SCREE_STICKING);
  for (int32_t i = 0; i < world->joints.count; i++) {
    sc_joint *joint = world->joints.row + i;
    k->joint[i].yields = joint->yields; // a joint may break in an impact
    memcpy(k->joint[i].impact, joint->impact, sizeof joint->impact);
    *joint = k->joint[i];
  }
}

/* Solves the impacts of pairs with restitution at contacts that close within the time `reach`. */
static scree_status solve_rebound(flow *f, double reach, scree_error *error) {
  scree_world *world = f->world;
  sc_losses_begin(&world->contacts);
  scree_status status = sc_world_impacts_within(world, reach, f->dt, error);
  if (status != SCREE_OK || !world->contacts.impacts) return status;
  f->impacts += world->figures.impacts;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_curve *curve = sc_contact_curve(&world->contacts, c);
    const sc_loss *loss = sc_contact_loss(&world->contacts, c);
    sc_add(curve->sum, world->contacts.impact[c], curve->sum);
    if (loss) curve->lost += loss->step;
  }
  world->contacts.impacts = 0;
  return sc_losses_close(world, error);
}

static scree_status strike_contacts(flow *f, double way, scree_error *error) {
  const double kick = f->kick;
  kept k;
  scree_status status = keep_carried(f, &k, error);
  if (status == SCREE_OK) status = solve_rebound(f, SC_CLOSED_PART * way, error);
  if (status != SCREE_OK) return status;
  sc_phase phase = {.way = way, .strikes = true, .closed = f->widest};
  f->kick = 0;
  status = mark_skipped(f, SC_FAST, &phase.skip, error);
  if (status == SCREE_OK) status = solve_phase(f, &phase, way / 2, error);
  if (status == SCREE_OK) status = store_phase(f, 0, error);
  restore_carried(f, &k);
  f->kick = kick;
  return status;
}

/* Solves impacts until no contact is struck (SC_STRUCK), at most MOST_STRIKES times. way: duration of the
 * motion before or after the impacts [s]. */
static scree_status settle_impacts(flow *f, double way, scree_error *error) {
  scree_status status = SCREE_OK;
  for (int round = 0; status == SCREE_OK && round < MOST_STRIKES; round++) {
    if (!sc_closing_find(f->world, f->acceleration, f->dt, way, f->kind, &f->widest)) break;
    status = strike_contacts(f, way, error);
  }
  return status;
}

/* ---- one part of a step ---- */

/* Solves impacts at the start of a part, for a motion until the end of the step. More contacts count as
 * closed for this longer motion than for the last one. */
static scree_status strike_first(sc_step *step, scree_error *error) {
  flow *f = step->own;
  f->way = f->left;
  const scree_status status = settle_impacts(f, f->way, error);
  return status == SCREE_OK && f->part >= MOST_CUTS ? solve_rebound(f, f->way, error) : status;
}

/* Solves the velocities of bodies for the motion of a part. If a contact closes earlier, reduces the duration
 * f->way of the motion. */
static scree_status solve_departure(sc_step *step, scree_error *error) {
  flow *f = step->own;
  scree_world *world = f->world;
  const bool cuts = f->part < MOST_CUTS;
  sc_phase phase = {.way = f->way, .rate_time = f->way / 2};
  scree_status status = SCREE_OK;
  sc_closing_find(world, f->acceleration, f->dt, f->way, f->kind, &f->widest);
  if (cuts) status = mark_skipped(f, SC_FAST, &phase.skip, error);
  if (status == SCREE_OK) status = solve_phase(f, &phase, f->way / 2, error);
  if (status != SCREE_OK) return status;
  const double closes = cuts ? sc_closing_time(world, f->way, f->kind) : f->way;
  if (closes < (1 - END) * f->way) {
    f->way = phase.way = closes, phase.rate_time = closes / 2;
    status = solve_phase(f, &phase, closes / 2, error);
  }
  step->shift = NULL;
  if (status == SCREE_OK) status = sc_step_correct_positions(step, error);
  return status == SCREE_OK ? store_phase(f, f->way / 2, error) : status;
}

/* Returns the kinetic energy of all bodies of mechanisms minus the work of gravity on the motion with their
 * velocities over half the time `way` [J]. */
static double energy_of_swings(const flow *f, double way) {
  const sc_bodies *bodies = &f->world->bodies;
  double sum = 0;
  for (int32_t i = 0; i < f->step->swings.bodies; i++) {
    const int32_t row = f->step->swings.body[i];
    if (!(bodies->inv_mass[row] > 0)) continue;
    sum += sc_account_kinetic_of(bodies, row) -
        way / 2 * bodies->mass[row] * sc_dot(f->world->def.gravity, bodies->velocity[row]);
  }
  return sum;
}

/* Adds the reactions in the first solution of a part. The reactions of joints in mechanisms that RATTLE has
 * moved act over the whole duration `way`, all other reactions over half of it. */
static void add_reactions_behind(flow *f, double way) {
  for (int32_t i = 0; i < f->world->joints.count; i++) {
    int32_t row[2];
    bool moved = false;
    sc_swing_rows(&f->world->bodies, f->world->joints.row + i, row);
    for (int side = 0; side < 2; side++)
      moved |= row[side] >= 0 && f->step->swings.held[row[side]] == SC_MOVED;
    add_reaction(f, i, moved ? way : way / 2);
  }
}

/* Moves mechanisms so that their joints have no position errors at the end of a motion of duration `way`, and
 * changes their velocities accordingly. The change of energy counts as `correction`. */
static scree_status swing_mechanisms(flow *f, double way, scree_error *error) {
  scree_world *world = f->world;
  if (!world->joints.count) return SCREE_OK;
  const double work = world->energy.work, dissipated = world->energy.dissipated,
               before = energy_of_swings(f, way);
  double correction = world->energy.correction, elsewhere[SCREE_LOST_ELSEWHERE];
  memcpy(elsewhere, world->energy.elsewhere, sizeof elsewhere);
  scree_status status = sc_world_swings(world, &f->step->swings, way, error);
  memcpy(world->energy.elsewhere, elsewhere, sizeof elsewhere);
  world->energy.work = work, world->energy.dissipated = dissipated;
  world->energy.correction = correction + energy_of_swings(f, way) - before;
  sc_account_note(&world->bodies, &world->joints);
  sc_curves_follow(world, &f->step->swings);
  add_reactions_behind(f, way);
  return status;
}

static scree_status move_part(sc_step *step, scree_error *error) {
  flow *f = step->own;
  sc_curves_leave(f->world);
  scree_status status = swing_mechanisms(f, f->way, error);
  if (status != SCREE_OK) return status;
  sc_world_advance(f->world, f->way, step->swings.held, step->shift);
  status = sc_step_correct_joints(step, error);
  return status == SCREE_OK ? sc_step_check_state(step, error) : status;
}

/* Sets the impulses of contacts to their sums since the last contact detection. */
static void show_sums(flow *f) {
  scree_world *world = f->world;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    const sc_curve *curve = sc_contact_curve(&world->contacts, c);
    sc_loss *loss = sc_contact_loss(&world->contacts, c);
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
  for (int32_t c = 0; c < f->world->contacts.count; c++) {
    sc_curve *curve = sc_contact_curve(&f->world->contacts, c);
    for (int k = 0; k < SC_CARRIED; k++) curve->sum[k] = 0;
    curve->lost = 0;
  }
}

/* Adds the impulses of contacts to the totals of the step. Call before the next contact detection, which may
 * not find these contacts again. */
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

static scree_status add_part_totals(sc_step *step, scree_error *error) { return add_part(step->own, error); }

static scree_status find_next(sc_step *step, scree_error *error) {
  flow *f = step->own;
  const scree_status status = find_kinds(f, f->way, error);
  if (status == SCREE_OK) sc_curves_measure(f->world, f->dt, f->way);
  return status;
}

static scree_status solve_arrival(sc_step *step, scree_error *error) {
  flow *f = step->own;
  sc_phase phase = {.way = f->way, .arrives = true};
  scree_status status = mark_skipped(f, SC_STRUCK, &phase.skip, error);
  if (status == SCREE_OK) status = solve_phase(f, &phase, f->way / 2, error);
  return status == SCREE_OK ? store_phase(f, f->way / 2, error) : status;
}

static scree_status strike_last(sc_step *step, scree_error *error) {
  flow *f = step->own;
  return settle_impacts(f, f->way, error);
}

static const sc_stage one_part[] = {
    {"solve first impacts", SCREE_STAGE_SOLVE, strike_first},
    {"solve departure", SCREE_STAGE_SOLVE, solve_departure, solution},
    {"move bodies", SCREE_STAGE_INTEGRATE, move_part},
    {"add totals", SC_NO_CLOCK, add_part_totals},
    {"find contacts", SC_NO_CLOCK, find_next, sc_contact_stages},
    {"solve arrival", SCREE_STAGE_SOLVE, solve_arrival, solution},
    {"solve last impacts", SCREE_STAGE_SOLVE, strike_last},
    {NULL},
};

static scree_status iterate_parts(sc_step *step, scree_error *error) {
  flow *f = step->own;
  scree_status status = SCREE_OK;
  for (f->part = 0; status == SCREE_OK && f->left > 0; f->part++) {
    status = sc_run_stages(step, one_part, error);
    f->left = f->way < f->left ? f->left - f->way : 0;
  }
  return status;
}

/* ---- the whole step ---- */

static bool note_motions(flow *f) {
  const sc_bodies *bodies = &f->world->bodies;
  f->before = SC_TAKE(&f->world->arena, sc_motion, bodies->slots_count + 1);
  for (int32_t row = 0; row < bodies->count && f->before; row++)
    sc_motion_read(bodies, row, f->before + bodies->slot[row]);
  return f->before;
}

static scree_status open_flow(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  const size_t joints = (size_t)world->joints.count + 1;
  sc_arena_reset(&world->arena);
  flow *f = SC_TAKE(&world->arena, flow, 1);
  if (!f) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  *f = (flow){.step = step, .world = world, .dt = step->dt, .left = step->dt, .kick = step->dt / 2};
  f->loads_stay = world->bodies.loads_stay;
  f->joint = SC_TAKE(&world->arena, reaction, joints);
  if (!f->joint || !note_motions(f))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies", world->bodies.count);
  memset(f->joint, 0, joints * sizeof *f->joint);
  f->mark = sc_arena_here(&world->arena);
  world->figures.free_finite = false;
  world->mechanisms.rollings = 0;
  sc_world_yields_clear(world);
  sc_joints_forget_impacts(&world->joints);
  world->bodies.loads_stay = true;
  step->own = f;
  return SCREE_OK;
}

/* Detects the first contacts of the step. Replaces their impulses, which are sums over the last step, by the
 * impulses for the warm start. */
static scree_status find_first(sc_step *step, scree_error *error) {
  flow *f = step->own;
  scree_status status = find_kinds(f, f->dt, error);
  if (status != SCREE_OK) return status;
  for (int32_t c = 0; c < f->world->contacts.count; c++) {
    sc_curve *curve = sc_contact_curve(&f->world->contacts, c);
    sc_carried_write(f->world, c, curve->start, SCREE_STICKING);
  }
  clear_sums(f);
  return SCREE_OK;
}

static scree_status close_step(sc_step *step, scree_error *error) {
  flow *f = step->own;
  (void)error;
  scree_world *world = f->world;
  world->figures.iterations = f->iterations, world->figures.impacts = f->impacts;
  world->contacts.age = 0;
  world->phase = NULL;
  world->bodies.loads_stay = f->loads_stay;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_curve *curve = sc_contact_curve(&world->contacts, c);
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
  sc_tied_share_impacts(world);
  for (int32_t row = 0; row < world->bodies.count; row++) sc_bodies_clear_load(&world->bodies, row);
  return SCREE_OK;
}

static void undo_step(sc_step *step) {
  const flow *f = step->own;
  sc_bodies *bodies = &step->world->bodies;
  step->world->phase = NULL;
  for (int32_t row = 0; f && row < bodies->count; row++)
    sc_motion_write(f->before + bodies->slot[row], bodies, row);
}

static const sc_stage stages[] = {
    {"open step", SC_NO_CLOCK, open_flow},
    {"find contacts", SC_NO_CLOCK, find_first, sc_contact_stages},
    {"iterate parts", SC_NO_CLOCK, iterate_parts, one_part},
    {"close step", SC_NO_CLOCK, close_step},
    {"break joints", SC_NO_CLOCK, sc_step_break_joints},
    {NULL},
};

const sc_stepper sc_stepper_second_order = {stages, undo_step};
