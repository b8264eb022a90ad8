/* The penalty stepper: soft contacts and explicit steps. It is the reference for hard contact.
 *
 * The scheme is position Verlet. Bodies move by half a step. At these positions, contacts are detected and
 * forces are evaluated. Velocities then change by the whole kick, and bodies move by the other half step. The
 * scheme equals velocity Verlet, shifted by half a step. It is of second order and symplectic. It evaluates
 * forces once per step and stores no forces between steps, so a restart is exact. Dashpots use the velocity
 * at the start of the step.
 *
 * The laws compute contact forces. Their springs are part of the law state of a contact. The contact cache
 * therefore copies them from step to step. Effective radius R and mass m follow from 1/R = 1/R1 + 1/R2 and
 * 1/m = 1/m1 + 1/m2. R1 is the radius of a ball, the bounding radius of another movable body, or infinity for
 * an immovable body that is not a ball.
 *
 * Stable step: by Gershgorin's theorem, stiffness and damping divided by mass have the following bounds for
 * each body. The sums are over the contacts of the body.
 *     w^2 = 2 sum S (1/m + ratio (1/m + |r|^2 tr I^-1)),
 *     g = 2 sum c (1/m + ratio' (1/m + |r|^2 tr I^-1)).
 * S and c are the normal stiffness and damping of a contact. ratio and ratio' are the tangential stiffness
 * and damping, divided by the normal ones. r is the vector from the body's centre to the contact, m the mass
 * and I the inertia of the body. The step is stable if w^2 dt^2/4 + g dt/2 <= 1. */
#include "world/world.h"
#include "world/account/account.h"
#include "world/account/losses.h"
#include "world/step/step.h"
#include "world/steps.h"

#include <math.h>
#include <string.h>
#include "law/cohesion/cohesion.h"
#include "law/soft/penalty.h"
#include "math/vec.h"
#include "model/relative.h"
#include "problem/planar.h"

/* Data of an evaluated contact for the energy balance: arms [m], forces of dashpots (drag) and springs [N],
 * their power [W], and the energy that sliding dissipates [J]. */
typedef struct soft_part {
  double r1[3], r2[3], drag[3], spring[3], power, lost;
} soft_part;

/* Sums of one evaluation of forces. */
typedef struct soft_sum {
  soft_part *part;                  /* [contacts] data for the energy balance */
  double (*force)[3], (*torque)[3]; /* [bodies] sum of contact forces [N] and torques [N m] */
  double *stiffness, *damping;      /* [bodies] half of the body's Gershgorin bounds [1/s2], [1/s] */
  double elastic;                   /* energy in springs [J] */
  double lost;                      /* dissipated energy [J] */
  double power;                     /* power of driven bodies at contacts [W] */
} soft_sum;

static double trace_inv_inertia(const sc_bodies *bodies, int32_t row) {
  double B[6];
  sc_bodies_inverse_inertia(bodies, row, B);
  return B[0] + B[3] + B[5];
}

static void add_to_body(
    soft_sum *sum, int32_t row, double sign, const double r[3], const sc_penalty_out *out) {
  double torque[3];
  sc_cross(r, out->force, torque);
  sc_add(torque, out->torque, torque);
  sc_axpy(sign, out->force, sum->force[row], sum->force[row]);
  sc_axpy(sign, torque, sum->torque[row], sum->torque[row]);
}

/* Returns the power of the contact's second body if it is driven, else 0 [W]. out: force on the first
 * body. */
static double driven_power(
    const sc_bodies *bodies, const sc_contact *contact, const double r2[3], const sc_penalty_out *out) {
  const int32_t j = contact->body2;
  double v[3];
  if (bodies->kind[j] != SCREE_KINEMATIC && !sc_bodies_runs(bodies, j)) return 0;
  sc_surface_velocity(bodies, j, r2, contact->normal, v);
  return sc_dot(out->force, v) + sc_dot(out->torque, bodies->spin[j]);
}

static void add_gershgorin(const sc_bodies *bodies, soft_sum *sum, int32_t row, const double r[3],
    const double *par, double slope, double dashpot) {
  double m = bodies->inv_mass[row], both = m + sc_dot(r, r) * trace_inv_inertia(bodies, row);
  double ratio = par[SC_PENALTY_MU] > 0 ? par[SC_PENALTY_TANGENTIAL] : 0,
         drag = par[SC_PENALTY_MU] > 0 ? par[SC_PENALTY_TANGENTIAL_DAMPING] : 0;
  sum->stiffness[row] += slope * (m + ratio * both);
  sum->damping[row] += dashpot * (m + drag * both);
}

/* Computes the force of one overlapping contact. Adds it to the sums and stores it in the contact. */
static void push_apart(scree_world *world, sc_contact *contact, const sc_law *law, const double *par,
    double dt, double *state, soft_part *part, soft_sum *sum) {
  const sc_bodies *bodies = &world->bodies;
  int32_t i = contact->body1, j = contact->body2;
  double *r1 = part->r1, *r2 = part->r2;
  sc_arms(bodies, i, j, &contact->image, contact->point, r1, r2);
  sc_penalty_in in = {.overlap = -contact->gap,
      .radius = sc_bodies_contact_radius(&world->bodies, contact->body1, contact->body2),
      .mass = 1 / (bodies->inv_mass[i] + bodies->inv_mass[j]),
      .dt = dt};
  sc_copy3(contact->normal, in.normal);
  sc_relative_velocity(bodies, i, r1, j, &contact->image, r2, contact->normal, in.velocity);
  sc_sub(bodies->spin[i], bodies->spin[j], in.spin);
  in.twist = (sc_dot(bodies->spin[i], in.normal) + sc_dot(bodies->spin[j], in.normal)) / 2;
  sc_penalty_out out;
  sc_penalty_force(law->penalty, par, &in, state, &out);
  add_to_body(sum, i, 1, r1, &out);
  add_to_body(sum, j, -1, r2, &out);
  sum->power += driven_power(bodies, contact, r2, &out);
  double dashpot = law->penalty->damping_factor * par[SC_PENALTY_DAMPING] * sqrt(in.mass * out.slope);
  add_gershgorin(bodies, sum, i, r1, par, out.slope, dashpot);
  add_gershgorin(bodies, sum, j, r2, par, out.slope, dashpot);
  sum->elastic += out.elastic;
  part->lost = out.slip_loss;
  sc_copy3(out.drag, part->drag);
  sc_copy3(out.spring, part->spring);
  part->power = sc_dot(out.drag, in.velocity);
  sc_scale(dt, out.force, contact->impulse);
  contact->state = out.sliding ? SCREE_SLIDING : SCREE_STICKING;
}

static scree_status no_springs(
    const scree_world *world, const sc_contact *contact, const sc_law *law, scree_error *error) {
  return sc_fail(error, SCREE_E_ARGUMENT,
      "the penalty stepper needs law \"hooke\" or \"hertz\" between materials \"%s\" and \"%s\", not \"%s\"",
      world->pairs.material[contact->material1].name, world->pairs.material[contact->material2].name,
      law->name);
}

/* Adds the force of cohesion of a contact. Its work counts as `dissipated`, like the work of dashpots. pull:
 * force [N]. */
static void pull_together(
    scree_world *world, sc_contact *contact, double pull, double dt, soft_part *part, soft_sum *sum) {
  sc_penalty_out out = {{0}};
  if (contact->state == SCREE_SEPARATING) {
    *part = (soft_part){{0}};
    sc_arms(
        &world->bodies, contact->body1, contact->body2, &contact->image, contact->point, part->r1, part->r2);
    contact->state = SCREE_SLIDING;
  }
  sc_scale(-pull, contact->normal, out.force);
  add_to_body(sum, contact->body1, 1, part->r1, &out);
  add_to_body(sum, contact->body2, -1, part->r2, &out);
  sum->power += driven_power(&world->bodies, contact, part->r2, &out);
  double v[3];
  sc_relative_velocity(&world->bodies, contact->body1, part->r1, contact->body2, &contact->image, part->r2,
      contact->normal, v);
  sc_add(part->drag, out.force, part->drag);
  part->power += sc_dot(out.force, v);
  sc_axpy(dt, out.force, contact->impulse, contact->impulse);
}

/* Returns true if a contact with a smaller gap on the same smooth surface pulls. at: offset of the pull in
 * the state of contacts. */
static bool is_pulled_beside(scree_world *world, int32_t index, const sc_cohesion *c, double radius, int at) {
  for (int32_t k = sc_collide_nearer_face(world->collide, index, -1); k >= 0;
       k = sc_collide_nearer_face(world->collide, index, k)) {
    sc_contact other;
    sc_world_contact(world, k, &other);
    const double last = sc_contact_state(&world->contacts, k)[at];
    if (sc_cohesion_at(c, other.gap, radius, other.gap<0, last> 0) > 0) return true;
  }
  return false;
}

/* Returns the pull of cohesion of a contact in this step [N]. A contact that pulled in the last step pulls up
 * to its rupture distance. */
static double pull_of(scree_world *world, int32_t index, const sc_contact *contact, double dt) {
  const int at = sc_pull_place(&world->contacts);
  const sc_cohesion *c = &sc_world_rule(world, contact->material1, contact->material2)->cohesion;
  if (at < 0 || !sc_cohesion_acts(c)) return 0;
  const double radius = sc_collide_radius(world->collide, &world->bodies, index);
  double *last = sc_contact_state(&world->contacts, index) + (size_t)at;
  double pull = sc_cohesion_at(c, contact->gap, radius, contact->gap<0, *last> 0);
  if (pull > 0 && is_pulled_beside(world, index, c, radius, at)) pull = 0;
  *last = dt * pull;
  return pull;
}

/* Evaluates the forces of all contacts. Resets the springs of contacts that do not overlap to 0. */
static scree_status evaluate_contacts(scree_world *world, double dt, soft_sum *sum, scree_error *error) {
  double deepest = 0;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_contact found, *contact = &found;
    sc_world_contact(world, c, contact);
    const sc_rule *rule = sc_world_rule(world, contact->material1, contact->material2);
    const sc_law *law = world->laws.law[rule->law];
    if (!law->penalty) return no_springs(world, contact, law, error);
    double *state = sc_contact_state(&world->contacts, c);
    if (contact->gap < 0) {
      push_apart(world, contact, law, rule->params, dt, state, sum->part + c, sum);
      deepest = fmax(deepest, -contact->gap);
    } else {
      memset(state, 0, SC_PENALTY_STATES * sizeof *state);
      sc_set3(0, 0, 0, contact->impulse);
      contact->state = SCREE_SEPARATING;
    }
    double pull = pull_of(world, c, contact, dt);
    if (pull > 0) pull_together(world, contact, pull, dt, sum->part + c, sum);
    sc_collide_keep(world->collide, c, contact->impulse, contact->state);
  }
  world->contacts.deepest = deepest;
  return SCREE_OK;
}

static bool alloc_sums(scree_world *world, soft_sum *sum) {
  size_t rows = (size_t)world->bodies.count;
  double *block = SC_TAKE(&world->arena, double, 8 * rows);
  soft_part *part = SC_TAKE(&world->arena, soft_part, world->contacts.count);
  if (!block || !part) return false;
  memset(block, 0, 8 * rows * sizeof *block);
  *sum = (soft_sum){.part = part,
      .force = (double(*)[3])block,
      .torque = (double(*)[3])(block + 3 * rows),
      .stiffness = block + 6 * rows,
      .damping = block + 7 * rows};
  return true;
}

/* Sets v and w to the velocity and spin of a body after the kick. Returns false if a number is not finite. */
static bool kick_row(
    const scree_world *world, const soft_sum *sum, int32_t row, double dt, double v[3], double w[3]) {
  const sc_bodies *bodies = &world->bodies;
  const double *load = sc_bodies_load(bodies, row);
  double torque[3], turn[3];
  for (int k = 0; k < 3; k++)
    v[k] = bodies->velocity[row][k] +
        dt * (world->def.gravity[k] + bodies->inv_mass[row] * (load[k] + sum->force[row][k]));
  if (bodies->planar) sc_planar_project(bodies->plane, v, v);
  sc_add(load + 3, sum->torque[row], torque);
  sc_world_turn(bodies, row, torque, turn);
  sc_axpy(dt, turn, bodies->spin[row], w);
  return isfinite(v[0] + v[1] + v[2] + w[0] + w[1] + w[2]);
}

/* Returns the work of a body's load in a step [J]: load times the mean of the velocities before and after the
 * kick. v, w: velocity and spin after the kick. */
static double work_of_body_load(
    const sc_bodies *bodies, int32_t row, const double v[3], const double w[3], double dt) {
  const double *load = sc_bodies_load(bodies, row);
  double moved[3], turned[3];
  if (!sc_bodies_own(bodies, row)) return 0;
  sc_add(bodies->velocity[row], v, moved);
  sc_add(bodies->spin[row], w, turned);
  return dt / 2 * (sc_dot(load, moved) + sc_dot(load + 3, turned));
}

static scree_status kick_rows(scree_world *world, const soft_sum *sum, double dt, scree_error *error) {
  sc_bodies *bodies = &world->bodies;
  double v[3], w[3];
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && !kick_row(world, sum, row, dt, v, w))
      return sc_fail(error, SCREE_E_NUMERIC,
          "at time %.9g body %llu gets a velocity that is not finite; "
          "the usual cause is a step too large for the stiffness (stable up to %.3g s)",
          world->time, (unsigned long long)sc_bodies_id(bodies, row), world->figures.stable_dt);
  for (int32_t row = 0; row < bodies->count; row++) {
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    kick_row(world, sum, row, dt, v, w);
    world->energy.work += work_of_body_load(bodies, row, v, w, dt);
    sc_copy3(v, bodies->velocity[row]);
    sc_copy3(w, bodies->spin[row]);
    sc_bodies_clear_load(bodies, row);
  }
  return SCREE_OK;
}

/* Sets the loss of a contact in the step. coming: loss by sliding between the evaluation of forces and the
 * end of the step. It counts in this step, as in the report, and is subtracted in the next step. */
static void keep_loss(scree_world *world, int32_t contact, double lost, double coming) {
  sc_loss *loss = sc_contact_loss(&world->contacts, contact);
  if (!loss) return;
  loss->step = lost + coming - loss->coming;
  loss->coming = coming;
}

/* Updates the energy balance after the kick. The work of dashpots is their force times the mean velocity of
 * the step. The energy of springs and the losses by sliding are known at half the step, and are extrapolated
 * to its end. */
static void update_energy(scree_world *world, soft_sum *sum, double dt) {
  world->energy.sliding = 0;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    sc_contact found, *contact = &found;
    sc_world_contact(world, c, contact);
    const soft_part *part = sum->part + c;
    double v[3], lost = 0, coming = 0;
    if (contact->state != SCREE_SEPARATING) {
      sc_relative_velocity(&world->bodies, contact->body1, part->r1, contact->body2, &contact->image,
          part->r2, contact->normal, v);
      lost = part->lost - dt / 2 * (part->power + sc_dot(part->drag, v));
      sum->elastic -= dt / 2 * sc_dot(part->spring, v);
      if (contact->state == SCREE_SLIDING)
        coming = dt / 2 * (sc_dot(part->drag, v) + sc_dot(part->spring, v)) - sc_dot(contact->impulse, v) / 2;
    }
    sum->lost += lost, world->energy.sliding += coming;
    keep_loss(world, c, lost, coming);
  }
  world->energy.elastic = sum->elastic;
  world->energy.dissipated += sum->lost;
  world->energy.work += dt * sum->power;
}

static double stable_step(const scree_world *world, const soft_sum *sum) {
  double least = INFINITY;
  for (int32_t row = 0; row < world->bodies.count; row++) {
    double w2 = 2 * sum->stiffness[row], g = 2 * sum->damping[row];
    if (w2 > 0) least = fmin(least, 4 / (g + sqrt(g * g + 4 * w2)));
  }
  return least;
}

/* Returns the energy balance without its term `correction` [J] (account.c). */
static double sum_energy(const scree_world *world) {
  return sc_account_kinetic(&world->bodies) + sc_account_potential(&world->bodies, world->def.gravity) +
      world->energy.elastic + world->energy.dissipated + world->energy.sliding - world->energy.work;
}

/* ---- stages ---- */

static scree_status open_kick(sc_step *step, scree_error *error) {
  (void)error;
  step->stored = sum_energy(step->world);
  step->world->figures.free_finite = false;
  sc_arena_reset(&step->world->arena);
  return SCREE_OK;
}

static scree_status drift_half(sc_step *step, scree_error *error) {
  (void)error;
  sc_world_advance(step->world, step->dt / 2, NULL, NULL);
  return SCREE_OK;
}

static scree_status evaluate_forces(sc_step *step, scree_error *error) {
  scree_world *world = step->world;
  soft_sum *sum = SC_TAKE(&world->arena, soft_sum, 1);
  if (!sum || !alloc_sums(world, sum))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the forces on %d bodies", world->bodies.count);
  step->own = sum;
  const scree_status status = evaluate_contacts(world, step->dt, sum, error);
  if (status == SCREE_OK) world->figures.stable_dt = stable_step(world, sum);
  return status;
}

static scree_status kick_bodies(sc_step *step, scree_error *error) {
  step->world->figures.iterations = 0;
  step->world->contacts.age = step->dt / 2;
  return kick_rows(step->world, step->own, step->dt, error);
}

static scree_status close_losses(sc_step *step, scree_error *error) {
  update_energy(step->world, step->own, step->dt);
  return sc_losses_close(step->world, error);
}

static scree_status balance_penalty(sc_step *step, scree_error *error) {
  (void)error;
  step->world->energy.correction += sum_energy(step->world) - step->stored;
  return SCREE_OK;
}

/* Moves bodies back by the first half step. Velocities have not changed since then. */
static void undo_drift(sc_step *step) { sc_world_advance(step->world, -step->dt / 2, NULL, NULL); }

static const sc_stage stages[] = {
    {"open step", SC_NO_CLOCK, open_kick},
    {"move bodies by half", SCREE_STAGE_INTEGRATE, drift_half},
    {"find contacts", SC_NO_CLOCK, sc_step_find_contacts, sc_contact_stages},
    {"evaluate forces", SCREE_STAGE_SOLVE, evaluate_forces},
    {"kick bodies", SCREE_STAGE_SOLVE, kick_bodies},
    {"close losses", SCREE_STAGE_SOLVE, close_losses},
    {"move bodies by half", SCREE_STAGE_INTEGRATE, drift_half},
    {"balance energy", SCREE_STAGE_INTEGRATE, balance_penalty},
    {NULL},
};

const sc_stepper sc_stepper_penalty = {stages, undo_drift};
