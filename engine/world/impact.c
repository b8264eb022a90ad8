/* Restitution: contacts that close fast take the impact law before the step's contact problem is posed.
 *
 * In: the contacts of this step and the velocities at its start, before gravity and other forces act. Out: the velocities after all impacts, on
 * which the step goes on as without restitution.
 * A contact of a pair with restitution e > 0 is struck if
 *   it would close within the step at its present speed, gap + dt u_n < 0, and
 *   it closes faster than  max(4 |g| dt, 1e-6 of the fastest such contact)  : below that, bodies rest, and the inelastic law of the step decides.
 * Simultaneous impacts are taken one after the other: every sweep strikes, in the contacts' order, those that close at least half as fast as the
 * fastest, until none is left. A blow through a row of touching bodies so runs from one to the next, as in Newton's cradle. If
 * SWEEPS are used up (clusters that would bounce for ever), what is left is the inelastic law's.
 *
 * Energy never grows. A single impact loses energy under the energetic law; where Poisson's or Newton's would gain, the energetic one is taken in
 * its place. Sequences of losses lose, and the step itself, which starts from these velocities with forces applied afterwards, is the
 * dissipative one of step.c. Because the impact acts before gravity does, a ball comes back a little low: by about 2 v dt of
 * its height for speed v at the floor.
 *
 * Balls take the closed form, other bodies the full solver with their 3x3 block. Friction in an impact has the coefficient `mu` of the pair's law. */
#include "world/world.h"
#include "law/impact.h"
#include "math/vec.h"

#include <string.h>

enum { SWEEPS = 400 };

static bool any_restitution(const sc_pairs *pairs) {
  for (int32_t i = 0; i < pairs->rules; i++)
    if (pairs->rule[i].restitution > 0) return true;
  return false;
}

/* From the centre of mass of one of its bodies to the contact; for a ball to its surface, whatever the gap. */
static void arm(const sc_bodies *bodies, const sc_contact *c, int32_t row, double r[3]) {
  if (bodies->ball[row] > 0) sc_scale(row == c->body1 ? -bodies->ball[row] : bodies->ball[row], c->normal, r);
  else sc_sub(c->point, bodies->position[row], r);
}

/* Velocity of body 1 against body 2 at the contact. */
static void relative_velocity(const sc_bodies *bodies, const sc_contact *c, double u[3]) {
  double r[3], w[3];
  arm(bodies, c, c->body1, r);
  sc_cross(bodies->spin[c->body1], r, u);
  sc_add(u, bodies->velocity[c->body1], u);
  arm(bodies, c, c->body2, r);
  sc_cross(bodies->spin[c->body2], r, w);
  sc_sub(u, w, u);
  sc_sub(u, bodies->velocity[c->body2], u);
}

/* Closing speed of a contact that impacts may concern, 0 for others. */
static double closing(const scree_world *world, const sc_contact *c, double dt) {
  if (!(world->pairs.rule[c->rule].restitution > 0)) return 0;
  double u[3];
  relative_velocity(&world->bodies, c, u);
  double speed = -sc_dot(u, c->normal);
  return speed > 0 && c->gap < dt * speed ? speed : 0;
}

/* A ball, or a body that an impact does not move. */
static bool round_side(const sc_bodies *bodies, int32_t row) { return bodies->ball[row] > 0 || !(bodies->inv_mass[row] > 0); }

/* Adds what a unit impulse at arm r does to the velocity there: A += 1/m E - [r] I^-1 [r], in the axes given as rows. */
static void add_side(const sc_bodies *bodies, const sc_contact *c, int32_t row, const double axes[3][3], double A[9]) {
  if (!(bodies->inv_mass[row] > 0)) return;
  double r[3], turn[3], spin[3], v[3];
  arm(bodies, c, row, r);
  for (int j = 0; j < 3; j++) {
    sc_cross(r, axes[j], turn);
    sc_world_turn(bodies, row, turn, spin);
    sc_cross(spin, r, v);
    sc_axpy(bodies->inv_mass[row], axes[j], v, v);
    for (int i = 0; i < 3; i++) A[3 * i + j] += sc_dot(axes[i], v);
  }
}

static void give(sc_bodies *bodies, const sc_contact *c, int32_t row, double sign, const double p[3]) {
  if (!(bodies->inv_mass[row] > 0)) return;
  double r[3], turn[3], spin[3];
  sc_axpy(sign * bodies->inv_mass[row], p, bodies->velocity[row], bodies->velocity[row]);
  arm(bodies, c, row, r);
  sc_cross(r, p, turn);
  sc_world_turn(bodies, row, turn, spin);
  sc_axpy(sign, spin, bodies->spin[row], bodies->spin[row]);
}

/* Coefficient of friction of a rule: its law's parameter mu. */
static double friction(const scree_world *world, const sc_rule *rule) {
  const sc_law *law = world->law[rule->law];
  const scree_param *mu = scree_param_find(law->params, law->params_count, "mu");
  return mu && mu->type == SCREE_REAL ? rule->params[mu - law->params] : 0;
}

/* Energy that impulse x takes: -x.(u before + u after)/2. */
static double taken(const double A[9], const double u[3], const double x[3]) {
  double change[3];
  sc_mat_vec(A, x, change);
  return -(sc_dot(x, u) + sc_dot(x, change) / 2);
}

static void strike(scree_world *world, const sc_contact *c) {
  sc_bodies *bodies = &world->bodies;
  const sc_rule *rule = world->pairs.rule + c->rule;
  double axes[3][3], v[3], u[3], A[9] = {0}, x[3], p[3], mu = friction(world, rule), e = rule->restitution;
  relative_velocity(bodies, c, v);
  sc_copy3(c->normal, axes[0]);
  sc_frame(axes[0], axes[1], axes[2]);
  for (int i = 0; i < 3; i++) u[i] = sc_dot(axes[i], v);
  add_side(bodies, c, c->body1, axes, A);
  add_side(bodies, c, c->body2, axes, A);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) A[3 * i + j] = A[3 * j + i] = (A[3 * i + j] + A[3 * j + i]) / 2;
  if (round_side(bodies, c->body1) && round_side(bodies, c->body2)) {
    sc_impact_ball(A[0], A[4], u, mu, e, x);
    A[1] = A[2] = A[3] = A[5] = A[6] = A[7] = 0; A[8] = A[4];
  } else {
    sc_impact_contact(A, u, mu, e, rule->restitution_law, x);
    if (taken(A, u, x) < 0) sc_impact_contact(A, u, mu, e, SCREE_STRONGE, x);
  }
  world->dissipated += taken(A, u, x);
  for (int k = 0; k < 3; k++) p[k] = axes[0][k] * x[0] + axes[1][k] * x[1] + axes[2][k] * x[2];
  give(bodies, c, c->body1, 1, p);
  give(bodies, c, c->body2, -1, p);
  world->impacts++;
}

void sc_world_impacts(scree_world *world, double dt) {
  world->impacts = 0;
  if (!any_restitution(&world->pairs)) return;
  double least = 4 * sc_norm(world->def.gravity) * dt, floor = 0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double fastest = 0;
    for (int32_t c = 0; c < world->contacts; c++) fastest = fmax(fastest, closing(world, world->contact + c, dt));
    if (sweep == 0) floor = fmax(least, 1e-6 * fastest);
    if (!(fastest > floor)) return;
    double now = fmax(floor, fastest / 2);
    for (int32_t c = 0; c < world->contacts; c++)
      if (closing(world, world->contact + c, dt) >= now) strike(world, world->contact + c);
  }
}
