/* Restitution: applies the impact law to contacts that close fast, before the step's contact problem.
 *
 * Input: the contacts of this step and the velocities at its start, before gravity and other forces act.
 * Output: the velocities after all impacts, and the impulse of each contact. The step then continues with
 * these velocities as if there were no restitution. A contact of a pair with restitution e > 0 has an impact
 * if
 * - its gap would close within the step at its present speed: gap + dt u_n < 0, and
 * - it closes faster than the larger one of 4 |g| dt and 1e-6 times the speed of the fastest such contact.
 *   Slower contacts are resting contacts, to which the inelastic law of the step applies.
 *
 * A round solves all impacts that exist at one time. Impacts that are connected by movable bodies form a
 * group. A group is solved together, so that symmetric configurations stay symmetric (impact_group.c). An
 * impact that shares no movable body with another impact is a two-body impact and is solved exactly
 * (impact_blow.c). Rounds repeat until no contact closes fast. In a row of touching bodies, as in Newton's
 * cradle, an impact therefore advances by one contact per round, because the contacts behind it do not close
 * yet. Some clusters would need an infinite number of rounds. After SC_ROUNDS rounds the inelastic law
 * applies to the remaining contacts.
 *
 * Bodies of a mechanism respond together (impact_joints.c), so all their contacts are in one group.
 *
 * Energy never grows. No round gains energy. The step itself starts from these velocities, applies the forces
 * afterwards, and is dissipative (world/step/semi_implicit.c). The impact acts before gravity. A ball of
 * speed v at the floor therefore rises to a height that is too low by about 2 v dt. Friction in an impact
 * uses the coefficient `mu` of the pair's law. */
#include "world/world.h"
#include "world/impact/impact.h"
#include "world/account/account.h"
#include "world/account/losses.h"
#include "world/steps.h"
#include "math/vec.h"
#include "problem/planar.h"

#include <string.h>

static bool has_restitution(const sc_pairs *pairs) {
  for (int32_t i = 0; i < pairs->rules; i++)
    if (pairs->rule[i].restitution > 0) return true;
  return false;
}

double sc_rounds_closing(const scree_world *world, int32_t index, double dt) {
  sc_contact contact, *c = &contact;
  sc_world_contact(world, index, c);
  if (!(sc_impact_restitution(world, c) > 0)) return 0;
  if (world->bodies.planar && sc_planar_flat(world->bodies.plane, c->normal)) return 0;
  double u[3];
  sc_impact_relative_velocity(&world->bodies, c, u);
  double speed = -sc_dot(u, c->normal);
  return speed > 0 && c->gap < dt * speed ? speed : 0;
}

/* ---- groups of impacts ---- */

static int32_t group_leader_of(int32_t *leader, int32_t row) {
  while (leader[row] != row) row = leader[row] = leader[leader[row]];
  return row;
}

static bool is_movable(const scree_world *world, int32_t row) { return world->bodies.inv_mass[row] > 0; }

static int32_t movable_body_of(const scree_world *world, const sc_contact *c) {
  return is_movable(world, c->body1) ? c->body1 : c->body2;
}

static void join_struck_bodies(sc_rounds *r, const sc_contact *c) {
  if (!is_movable(r->world, c->body1) || !is_movable(r->world, c->body2)) return;
  int32_t a = group_leader_of(r->leader, c->body1), b = group_leader_of(r->leader, c->body2);
  r->leader[a > b ? a : b] = a > b ? b : a;
}

/* Resets the union-find parent of a body. The parent becomes the leader of the body's mechanism, or the body
 * itself if it has no joints. */
static void reset_leader(sc_rounds *r, int32_t row) {
  int32_t lead = sc_tied_leader(r->tied, row);
  r->leader[row] = lead < 0 ? row : lead;
  if (lead >= 0) r->leader[lead] = lead;
}

/* Numbers the groups in the order of their first impacts, sorts the impacts by group, and resets the
 * union-find structure. Returns the number of groups. */
static int32_t sort_groups(sc_rounds *r) {
  const scree_world *world = r->world;
  int32_t groups = 0, *size = r->first + 1;
  for (int32_t i = 0; i < r->impacts; i++) join_struck_bodies(r, &r->impact[i].contact);
  // a leader's parent is replaced by ~number once its group has a number
  for (int32_t i = 0; i < r->impacts; i++)
    r->impact[i].group = group_leader_of(r->leader, movable_body_of(world, &r->impact[i].contact));
  for (int32_t i = 0; i < r->impacts; i++) {
    int32_t *lead = r->leader + r->impact[i].group;
    if (*lead >= 0) *lead = ~groups, size[groups++] = 0;
    r->impact[i].group = ~*lead;
    size[r->impact[i].group]++;
  }
  r->first[0] = 0;
  for (int32_t g = 0; g < groups; g++) size[g] += r->first[g];
  for (int32_t i = r->impacts - 1; i >= 0; i--) r->sorted[--size[r->impact[i].group]] = r->impact + i;
  for (int32_t g = 0; g < groups; g++) r->first[g] = size[g];
  r->first[groups] = r->impacts;
  for (int32_t i = 0; i < r->impacts; i++) {
    reset_leader(r, r->impact[i].contact.body1);
    reset_leader(r, r->impact[i].contact.body2);
  }
  return groups;
}

/* ---- rounds ---- */

static scree_status reserve_impacts(sc_rounds *r, size_t count, scree_error *error) {
  if (count <= r->capacity) return SCREE_OK;
  sc_arena *arena = &r->world->arena;
  r->capacity = 2 * count + 16;
  r->impact = SC_TAKE(arena, sc_impact, r->capacity);
  r->sorted = SC_TAKE(arena, sc_impact *, r->capacity);
  r->first = SC_TAKE(arena, int32_t, r->capacity + 1);
  return r->impact && r->sorted && r->first
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "no memory for %zu impacts", count);
}

/* Sets the impact impulses of all contacts to 0. Initialises the union-find structure of bodies. */
static scree_status prepare_impulses(sc_rounds *r, scree_error *error) {
  scree_world *world = r->world;
  size_t contacts = (size_t)world->contacts.count, bodies = (size_t)world->bodies.count;
  r->leader = SC_TAKE(&world->arena, int32_t, bodies + 1);
  if (!r->leader || !SC_GROW(world->contacts.impact, world->contacts.impact_capacity, contacts + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the impulses of %zu contacts", contacts);
  for (size_t row = 0; row < bodies; row++) reset_leader(r, (int32_t)row);
  memset(world->contacts.impact, 0, contacts * sizeof *world->contacts.impact);
  world->contacts.impacts = world->contacts.count;
  return SCREE_OK;
}

scree_status sc_rounds_gather(sc_rounds *r, double min_speed, scree_error *error) {
  r->impacts = 0;
  for (int32_t c = 0; c < r->world->contacts.count; c++)
    r->impacts += sc_rounds_closing(r->world, c, r->dt) > min_speed;
  scree_status status = reserve_impacts(r, (size_t)r->impacts, error);
  const int32_t count = status ? 0 : r->impacts;
  r->impacts = 0;
  for (int32_t c = 0, i = 0; c < r->world->contacts.count && i < count; c++) {
    if (!(sc_rounds_closing(r->world, c, r->dt) > min_speed)) continue;
    sc_impact *impact = r->impact + r->impacts;
    sc_impact_make(r->world, r->tied, c, impact);
    r->impacts += !impact->stuck, i++;
  }
  return status;
}

void sc_rounds_strike(sc_rounds *r) {
  scree_world *world = r->world;
  int32_t groups = sort_groups(r);
  for (int32_t g = 0; g < groups; g++) {
    sc_impact *const *impact = r->sorted + r->first[g];
    int32_t count = r->first[g + 1] - r->first[g];
    bool exact = count == 1 && !(impact[0]->tangential > 0);
    world->energy.dissipated += exact ? sc_impact_solve(&world->bodies, impact[0])
                                      : sc_impact_solve_group(&world->bodies, impact, count);
  }
  for (int32_t i = 0; i < r->impacts; i++) {
    const sc_impact *b = r->impact + i;
    for (int k = 0; k < 3; k++)
      sc_axpy(b->x[k], b->axes[k], world->contacts.impact[b->index], world->contacts.impact[b->index]);
  }
  world->figures.impacts += r->impacts;
}

/* Returns the work that driven bodies, moving surfaces and the motion of the cell do in an impact [J]. */
static double impact_work_of(const scree_world *world, const sc_impact *b) {
  double p[3] = {0, 0, 0}, drift[3], work;
  for (int k = 0; k < 3; k++) sc_axpy(b->x[k], b->axes[k], p, p);
  work = sc_account_driven(&world->bodies, &b->contact, p);
  if (sc_image_is_body(&b->contact.image)) return work;
  sc_cell_drift(&world->cell, &b->contact.image, drift);
  return work + sc_dot(p, drift);
}

void sc_rounds_book(const sc_rounds *r) {
  scree_world *world = r->world;
  double u[3];
  for (int32_t i = 0; i < r->impacts; i++) {
    const sc_impact *b = r->impact + i;
    if (world->def.losses) {
      sc_impact_velocity(&world->bodies, b, u);
      sc_add(u, b->start, u);
      sc_losses_add(&world->contacts, b->index, -sc_dot(b->x, u) / 2);
    }
    world->energy.work += impact_work_of(world, b);
  }
  if (r->tied) world->energy.work += sc_tied_work(r->tied);
}

scree_status sc_rounds_run(sc_rounds *r, double min_speed, scree_error *error) {
  for (int round = 0; round < SC_ROUNDS; round++) {
    scree_status status = sc_rounds_gather(r, min_speed, error);
    if (status || !r->impacts) return status;
    sc_rounds_strike(r);
    sc_rounds_book(r);
  }
  return SCREE_OK;
}

/* Runs rounds of impacts until no contact closes faster than min_speed [m/s]. Joints in loops are solved by
 * sweeps that may not converge. The energy error of such sweeps is added to world->energy.correction. */
static scree_status run_all_rounds(sc_rounds *r, double min_speed, scree_error *error) {
  scree_world *world = r->world;
  const bool tied = r->tied != NULL && world->ranks->ranks == 1;
  double change = tied ? world->energy.work - world->energy.dissipated - sc_account_kinetic(&world->bodies) -
          sc_account_rotors(&world->joints)
                       : 0;
  scree_status status = world->ranks->strike(world->ranks->context, r, min_speed, error);
  if (tied)
    world->energy.correction += sc_account_kinetic(&world->bodies) + sc_account_rotors(&world->joints) -
        (world->energy.work - world->energy.dissipated) + change;
  if (r->tied) sc_account_note(&world->bodies, &world->joints);
  return status;
}

scree_status sc_world_impacts(scree_world *world, double dt, scree_error *error) {
  return sc_world_impacts_within(world, dt, dt, error);
}

scree_status sc_world_impacts_within(scree_world *world, double reach, double dt, scree_error *error) {
  sc_rounds r = {.world = world, .dt = reach};
  world->figures.impacts = world->contacts.impacts = 0;
  if (!has_restitution(&world->pairs)) return SCREE_OK;
  double min_speed = 4 * sc_norm(world->def.gravity) * dt, fastest = 0;
  for (int32_t c = 0; c < world->contacts.count; c++)
    fastest = fmax(fastest, sc_rounds_closing(world, c, reach));
  world->ranks->most(world->ranks->context, &fastest, 1);
  min_speed = fmax(min_speed, 1e-6 * fastest);
  if (!(fastest > min_speed)) return SCREE_OK;
  scree_status status = sc_tied_make(world, dt, &r.tied, error);
  if (!status) status = prepare_impulses(&r, error);
  if (!status) status = run_all_rounds(&r, min_speed, error);
  if (r.tied) world->joints.struck = true;
  return status;
}
