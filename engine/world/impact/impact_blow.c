/* An impact at one contact: its frame, its 3x3 Delassus block and its exact solution.
 *
 * Balls use the closed form. Other bodies use the full solver with their 3x3 block. If Poisson's or Newton's
 * hypothesis would gain energy, the energetic hypothesis replaces it. */
#include "world/world.h"
#include "world/steps.h"
#include "world/impact/impact.h"
#include "law/impact/impact.h"
#include "math/vec.h"
#include "model/relative.h"
#include "problem/planar.h"

double sc_impact_restitution(const scree_world *world, const sc_contact *contact) {
  return sc_world_rule(world, contact->material1, contact->material2)->restitution;
}

/* Sets r to the vector from the centre of mass of body `row` to the contact. `row` is one of the contact's
 * bodies. */
static void compute_arm(const sc_bodies *bodies, const sc_contact *c, int32_t row, double r[3]) {
  double other[3];
  bool first = row == c->body1;
  sc_contact_arms(
      bodies, c->body1, c->body2, &c->image, c->point, c->normal, first ? r : other, first ? other : r);
}

void sc_impact_relative_velocity(const sc_bodies *bodies, const sc_contact *c, double u[3]) {
  double r1[3], r2[3];
  sc_contact_arms(bodies, c->body1, c->body2, &c->image, c->point, c->normal, r1, r2);
  sc_relative_velocity(bodies, c->body1, r1, c->body2, &c->image, r2, c->normal, u);
}

/* Returns true if a body is a ball or immovable, so that its part of the Delassus block is diagonal. */
static bool is_round_side(const sc_bodies *bodies, int32_t row) {
  return bodies->tensor_row[row] == SC_TENSOR_BALL || !(bodies->inv_mass[row] > 0);
}

/* Adds the contribution of a body without joints to the Delassus block A: 1/m E - [r] I^-1 [r], in the axes
 * of the impact. r: arm, E: identity, m: mass, I: inertia, [r]: cross-product matrix. */
static void add_free_side(const sc_bodies *bodies, int32_t row, sc_impact *impact) {
  if (!(bodies->inv_mass[row] > 0)) return;
  double r[3], turn[3], spin[3], v[3];
  compute_arm(bodies, &impact->contact, row, r);
  for (int j = 0; j < 3; j++) {
    sc_cross(r, impact->axes[j], turn);
    sc_world_turn(bodies, row, turn, spin);
    sc_cross(spin, r, v);
    sc_axpy(bodies->inv_mass[row], impact->axes[j], v, v);
    if (bodies->planar) sc_planar_project(bodies->plane, v, v);
    for (int i = 0; i < 3; i++) impact->A[3 * i + j] += sc_dot(impact->axes[i], v);
  }
}

/* Adds the contributions of bodies with joints to the Delassus block. Sets impact->stuck. */
static void add_tied(const sc_bodies *bodies, sc_impact *impact) {
  const int32_t row[2] = {impact->contact.body1, impact->contact.body2};
  double r[2][3], v[3];
  for (int side = 0; side < 2; side++) compute_arm(bodies, &impact->contact, row[side], r[side]);
  for (int j = 0; j < 3; j++) {
    sc_tied_respond(impact->tied, row, (const double(*)[3])r, impact->axes[j], false, v);
    for (int i = 0; i < 3; i++) impact->A[3 * i + j] += sc_dot(impact->axes[i], v);
  }
  impact->stuck = !(impact->A[0] > 1e-12 * (bodies->inv_mass[row[0]] + bodies->inv_mass[row[1]]));
  // joints may exclude motion along the surface; a small diagonal term keeps A positive definite
  const double min_diagonal = 1e-9 * (impact->A[0] + impact->A[4] + impact->A[8]);
  impact->A[4] += min_diagonal, impact->A[8] += min_diagonal;
}

/* Returns the coefficient of friction of a rule: the parameter `mu` of its law. Returns 0 if the law has no
 * mu. Also returns 0 for a law with its own friction polygon, because mu is then only a factor. */
static double rule_friction_of(const scree_world *world, const sc_rule *rule) {
  const sc_law *law = world->laws.law[rule->law];
  const scree_param *mu = scree_param_find(law->params, law->params_count, "mu");
  return mu && mu->type == SCREE_REAL && !law->corners ? rule->params[mu - law->params] : 0;
}

void sc_impact_make(const scree_world *world, sc_tied *tied, int32_t index, sc_impact *impact) {
  const sc_bodies *bodies = &world->bodies;
  sc_contact contact, *c = &contact;
  sc_world_contact(world, index, c);
  const sc_rule *rule = sc_world_rule(world, c->material1, c->material2);
  *impact = (sc_impact){.contact = contact,
      .index = index,
      .law = rule->restitution_law,
      .mu = rule_friction_of(world, rule),
      .e = rule->restitution,
      .tangential = rule->tangential_restitution,
      .round = is_round_side(bodies, c->body1) && is_round_side(bodies, c->body2)};
  bool held1 = sc_tied_leader(tied, c->body1) >= 0, held2 = sc_tied_leader(tied, c->body2) >= 0;
  if (held1 || held2) impact->tied = tied, impact->round = false;
  double *A = impact->A;
  sc_copy3(c->normal, impact->axes[0]);
  if (bodies->planar) sc_planar_frame(bodies->plane, impact->axes[0], impact->axes[1], impact->axes[2]);
  else sc_frame(impact->axes[0], impact->axes[1], impact->axes[2]);
  if (!held1) add_free_side(bodies, c->body1, impact);
  if (!held2) add_free_side(bodies, c->body2, impact);
  if (impact->tied) add_tied(bodies, impact);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) A[3 * i + j] = A[3 * j + i] = (A[3 * i + j] + A[3 * j + i]) / 2;
  if (impact->round) A[1] = A[2] = A[3] = A[5] = A[6] = A[7] = 0, A[8] = A[4];
  if (bodies->planar) A[2] = A[5] = A[6] = A[7] = 0, A[8] = A[4]; // nothing moves along o
  sc_impact_velocity(bodies, impact, impact->before);
  sc_copy3(impact->before, impact->start);
}

void sc_impact_velocity(const sc_bodies *bodies, const sc_impact *impact, double u[3]) {
  double v[3];
  sc_impact_relative_velocity(bodies, &impact->contact, v);
  for (int i = 0; i < 3; i++) u[i] = sc_dot(impact->axes[i], v);
  if (bodies->planar) u[2] = 0;
}

/* Applies the impulse sign * p at a contact to body `row`, as if it had no joints. Does nothing for immovable
 * bodies. */
static void apply_side_impulse(
    sc_bodies *bodies, const sc_contact *c, int32_t row, double sign, const double p[3]) {
  if (!(bodies->inv_mass[row] > 0)) return;
  double r[3], turn[3], spin[3], felt[3];
  if (bodies->planar) sc_planar_project(bodies->plane, p, felt);
  else sc_copy3(p, felt);
  sc_axpy(sign * bodies->inv_mass[row], felt, bodies->velocity[row], bodies->velocity[row]);
  compute_arm(bodies, c, row, r);
  sc_cross(r, p, turn);
  sc_world_turn(bodies, row, turn, spin);
  sc_axpy(sign, spin, bodies->spin[row], bodies->spin[row]);
}

void sc_impact_apply(sc_bodies *bodies, const sc_impact *impact, const double x[3]) {
  double p[3];
  for (int k = 0; k < 3; k++)
    p[k] = impact->axes[0][k] * x[0] + impact->axes[1][k] * x[1] + impact->axes[2][k] * x[2];
  const int32_t row[2] = {impact->contact.body1, impact->contact.body2};
  for (int side = 0; side < 2; side++)
    if (sc_tied_leader(impact->tied, row[side]) < 0)
      apply_side_impulse(bodies, &impact->contact, row[side], side ? -1 : 1, p);
  if (!impact->tied) return;
  double r[2][3], u[3];
  for (int side = 0; side < 2; side++) compute_arm(bodies, &impact->contact, row[side], r[side]);
  sc_tied_respond(impact->tied, row, (const double(*)[3])r, p, true, u);
}

/* Returns the energy that the impulse x of an impact dissipates [J]: -x.(u + u')/2. u, u': relative
 * velocities before and after x. */
static double lost_energy_of(const sc_impact *impact) {
  double change[3];
  sc_mat_vec(impact->A, impact->x, change);
  return -(sc_dot(impact->x, impact->before) + sc_dot(impact->x, change) / 2);
}

double sc_impact_solve(sc_bodies *bodies, sc_impact *impact) {
  sc_impact_velocity(bodies, impact, impact->before);
  if (impact->tied && impact->mu == 0) { // all laws agree, and A may be singular along the surface
    sc_set3(-(1 + impact->e) * impact->before[0] / impact->A[0], 0, 0, impact->x);
  } else if (impact->round) {
    sc_impact_ball(impact->A[0], impact->A[4], impact->before, impact->mu, impact->e, impact->x);
  } else {
    sc_impact_contact(impact->A, impact->before, impact->mu, impact->e, impact->law, impact->x);
    if (lost_energy_of(impact) < 0)
      sc_impact_contact(impact->A, impact->before, impact->mu, impact->e, SCREE_STRONGE, impact->x);
  }
  sc_impact_apply(bodies, impact, impact->x);
  if (!impact->tied) return lost_energy_of(impact);
  double u[3]; // A is only approximate for a mechanism
  sc_impact_velocity(bodies, impact, u);
  sc_add(u, impact->before, u);
  return -sc_dot(impact->x, u) / 2;
}
