/* Effort and accuracy of steps (effort.h). */
#include "world/effort.h"

#include <math.h>
#include "model/shape/kind.h"
#include "problem/residual/balance.h"
#include "world/world.h"

/* Number of steps between two evaluations of the unbalanced share of the load. One evaluation costs as much
 * as two sweeps, so an evaluation in every step would be too expensive. */
enum { EVERY = 32 };

/* Factor by which old sums are multiplied at each evaluation. The sums are then means over about 16
 * evaluations. */
static const double FADE = 15.0 / 16;

void sc_effort_add(sc_effort *effort, const sc_solver_ways *ways) {
  sc_solver_ways *sum = &effort->ways;
  sum->untouched += ways->untouched;
  sum->swept += ways->swept;
  sum->accelerated += ways->accelerated;
  sum->escalated += ways->escalated;
  sum->unfit += ways->unfit;
  sum->dear += ways->dear;
  sum->moving += ways->moving;
}

double sc_world_half_width(const sc_shapes *shapes, int32_t row) {
  const sc_shape *shape = sc_shapes_form(shapes, row);
  if (!shape) return shapes->row[row].bound;
  const sc_shape_kind *kind = sc_kind_of(shape);
  double middle[3] = {0}, half[3];
  if (kind->family == SC_FAMILY_HALFSPACE || kind->family == SC_FAMILY_MESH) return INFINITY;
  kind->box(shape, middle, half);
  return fmin(half[0], fmin(half[1], half[2]));
}

double sc_world_inner_radius(const scree_world *world, int32_t row) {
  double least = INFINITY;
  for (int32_t s = world->bodies.first_shape[row]; s >= 0; s = world->shapes.row[s].next)
    least = fmin(least, sc_world_half_width(&world->shapes, s));
  return least;
}

double sc_world_overlap(const scree_world *world, int32_t contact) {
  sc_contact c;
  int32_t one, two;
  sc_world_contact(world, contact, &c);
  if (!(c.gap < 0) || !sc_collide_rows(world->collide, contact, &one, &two) ||
      sc_world_joined(world, c.body1, c.body2, c.image))
    return 0;
  double size = fmin(sc_world_half_width(&world->shapes, one), sc_world_half_width(&world->shapes, two));
  return size > 0 ? -c.gap / size : 0;
}

/* Displacements per step below this share of the mean body radius count as rounding errors. */
static const double STANDS = 1e-13;

/* Returns true if the load (load_scale [m/s]) moves bodies by less than rounding errors in a step. The world
 * then counts as unloaded, because its impulses are rounding errors. Collective. */
static bool is_unloaded(const scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  double sum[2] = {0, 0};
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && sc_bodies_own(bodies, row))
      sum[0] += bodies->radius[row], sum[1]++;
  sc_ranks_sum(world->ranks, sum, 2);
  return world->figures.load_scale * sc_world_dt(world) * sum[1] <= STANDS * sum[0];
}

double sc_world_unbalanced(const scree_world *world, double *residual) {
  sc_balance balance = {0, 0, 0};
  sc_pool *pool = world->laws.users ? NULL : world->pool; /* laws of scripts run on one thread only */
  if (world->problem_valid) balance = sc_problem_balance(&world->problem, world->figures.load_scale, pool);
  double sum[2] = {balance.error, balance.load};
  sc_ranks_sum(world->ranks, sum, 2);
  *residual = balance.residual;
  return sum[1] > 0 && !is_unloaded(world) ? sum[0] / sum[1] : -1;
}

/* A step between the regular evaluations is also evaluated if its relative residual exceeds RECORD times the
 * largest relative residual of the steps evaluated so far. */
static const double RECORD = 1.5;

/* Returns true if the residual of the last step is so large that its unbalanced share of the load may be the
 * largest of all steps. All ranks return the same value, because they have the same residual. */
static bool is_record(const scree_world *world) {
  const double scale = world->figures.residual_scale, relative = world->figures.residual / scale;
  return scale > 0 && isfinite(relative) && relative > world->def.solver.tolerance &&
      relative > RECORD * world->effort.worst_residual;
}

/* Raises effort.overlap to the largest overlap of the contacts of the last step. */
static void note_overlaps(scree_world *world) {
  for (int32_t c = 0; c < world->contacts.count; c++)
    world->effort.overlap = fmax(world->effort.overlap, sc_world_overlap(world, c));
}

void scree_world_note_report(scree_world *world, const scree_report *report) {
  SC_DEMAND(world && report, NULL, );
  if (report->step == world->step && world->step >= EVERY)
    world->effort.overlap = fmax(world->effort.overlap, report->overlap);
}

/* SOFTNESS: softness of contacts that become springs. SOFTEN_ABOVE: contacts become springs if the mean
 * unbalanced share of the load is above this share. LOOKS: the mean is used if the sum of its weights is
 * above this number. The sum is 9.9 after 15 evaluations and 10.3 after 16 evaluations. */
static const double SOFTNESS = 0.01, SOFTEN_ABOVE = 0.01, LOOKS = 10;

/* Returns true if the definition of the world and its solver allow rigid contacts to become springs. Measured
 * in a pressed bed of 1000 balls: with 30 sweeps (SCREE_SOFTEN_SWEEPS) springs reduce the unbalanced share
 * from 2.5 % to 0.23 %. With 20 sweeps springs increase it from 4.8 % to 5.7 %. */
static bool may_soften(const scree_world *world) {
  const scree_world_def *def = &world->def;
  return def->solver.soften && !(def->solver.softness > 0) && def->solver.tolerance > 0 &&
      def->solver.iterations >= SCREE_SOFTEN_SWEEPS && def->stepper == SCREE_STEPPER_SEMI_IMPLICIT &&
      world->solver == &sc_solver_auto;
}

double sc_world_softness(const scree_world *world) {
  if (world->def.solver.softness > 0) return world->def.solver.softness;
  return sc_world_softened(world) > 0 ? SOFTNESS : 0;
}

bool sc_world_has_springs(const scree_world *world) {
  bool any = sc_world_softness(world) > 0;
  for (int32_t i = 0; i < world->pairs.rules && !any; i++) any = sc_rule_springs(world->pairs.rule + i);
  return any;
}

int64_t sc_world_softened(const scree_world *world) { return may_soften(world) ? world->effort.softened : 0; }

bool sc_world_is_rigid(const scree_world *world, const sc_contact *contact) {
  const scree_stiffness own = scree_world_get_stiffness(world, contact->material1, contact->material2);
  return contact->state != SCREE_SEPARATING && !sc_stiffness_acts(&own) && !(sc_world_softness(world) > 0) &&
      world->def.stepper != SCREE_STEPPER_PENALTY;
}

/* Returns true if a rigid contact of any rank had an impulse in the last step. Collective. */
static bool has_rigid_contacts(const scree_world *world) {
  double count = 0;
  for (int32_t i = 0; i < world->contacts.count && count == 0; i++) {
    sc_contact contact;
    sc_world_contact(world, i, &contact);
    count += sc_world_is_rigid(world, &contact);
  }
  sc_ranks_sum(world->ranks, &count, 1);
  return count > 0;
}

/* Makes springs of rigid contacts if forces do not balance. Then resets the mean unbalanced share, because
 * the old mean describes rigid contacts. */
static void soften_contacts(scree_world *world) {
  sc_effort *effort = &world->effort;
  if (effort->softened || !(effort->looks > LOOKS) || !may_soften(world)) return;
  if (!(effort->unbalanced > SOFTEN_ABOVE * effort->looks) || !has_rigid_contacts(world)) return;
  effort->softened = world->step;
  effort->unbalanced = effort->looks = 0;
}

void sc_world_note_effort(scree_world *world) {
  const bool regular = world->step % EVERY == 0, record = is_record(world);
  if (regular) note_overlaps(world);
  if (!regular && !record) return;
  sc_effort *effort = &world->effort;
  double residual, share = sc_world_unbalanced(world, &residual);
  effort->worst = fmax(effort->worst, share);
  if (record) effort->worst_residual = world->figures.residual / world->figures.residual_scale;
  if (!regular) return;
  if (share >= 0) {
    effort->unbalanced = FADE * effort->unbalanced + share;
    effort->looks = FADE * effort->looks + 1;
  }
  soften_contacts(world);
}
