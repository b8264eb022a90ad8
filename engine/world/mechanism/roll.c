/* Conserves the energy of bodies that roll or spin on one contact.
 *
 * Between two steps the contact point moves over the body, or the normal rotates. A contact velocity u = J v
 * that is 0 at the start of a step is therefore dt k at the end. k is the rate of change of u along the
 * motion. The step's problem has the solution u' = 0 and so dissipates (dt k)^2 / (2 A) in every step (A:
 * Delassus block). This loss is of first order: at dt = 1 ms, Euler's disk loses a third of its energy in
 * half a second. The reversible scheme
 *     u' = -dt k / 2,   dt k = (u at the start of this step) - (u' of the last step)
 * reduces the work of the impulse to zero, as SHAKE does for joints. For contacts that stick, it is the
 * geometric nonholonomic integrator (Ferraro, Iglesias & Martin de Diego 2008). The scheme applies to
 * surfaces of any shape, because k is measured. A disturbance of u' has no effect after one step.
 *
 * The scheme applies to a body that is not a ball, has no joints, and had an impulse at exactly one contact
 * in the last step. The other body of this contact must be immovable. The contact point must have moved by a
 * small part of the body's length. The velocity d = M^-1 J' A^-1 u' is subtracted from the body before the
 * problem is solved, and added afterwards. Every law and every solver then solves for u - u', as if every row
 * had a bias. The normal component of u' is always used, the tangential component only if the contact
 * stuck. */
#include "world/world.h"
#include "world/account/account.h"
#include "world/mechanism/roll.h"
#include "world/steps.h"

#include <string.h>
#include "math/vec.h"
#include "problem/joints/joints.h"
#include "problem/contacts/contacts.h"

static const double SMALL = 0.1, /* largest displacement of the contact point in a step, in body lengths */
    /* largest slip velocity of a contact that sticks, as a share of the body's speed */
    STILL = 1e-6;

/* ---- choice of bodies ---- */

void sc_world_find_rolling(const scree_world *world, int32_t *place) {
  for (int32_t row = 0; row < world->bodies.count; row++) place[row] = -1;
  for (int32_t k = 0; k < world->mechanisms.rollings; k++) {
    int32_t row = sc_bodies_row(&world->bodies, world->mechanisms.rolling[k].body);
    if (row >= 0) place[row] = k;
  }
}

enum { MANY = 2 }; /* Largest contact count that is stored per body. It stands for two or more contacts. */
/* Counts the contacts with an impulse of each body in r->contacts, up to MANY. Counts must be 0 before the
 * call, or MANY for bodies to skip. Most bodies of a heap soon have the count MANY. */
static void count_impulses(const scree_world *world, sc_rolls *r) {
  uint8_t *count = r->contacts;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    const sc_partners *who = world->assembled.partners + c;
    const bool one = count[who->body1] < MANY, two = count[who->body2] < MANY;
    if (!one && !two) continue;
    const double *impulse = sc_collide_impulse(world->collide, c);
    if (sc_dot(impulse, impulse) == 0) continue;
    count[who->body1] += one, count[who->body2] += two;
  }
}

/* Chooses the bodies that can roll: sets r->contacts to 1 for bodies with the count 1 that are not balls and
 * have no joints, and to 0 for all other bodies. Returns the number of bodies with 1. */
static int32_t pick_rolling(const scree_world *world, sc_rolls *r) {
  const sc_bodies *bodies = &world->bodies;
  int32_t count = 0;
  for (int32_t i = 0; i < world->joints.count; i++) {
    const scree_joint_def *def = &world->joints.row[i].def;
    int32_t a = sc_bodies_row(bodies, def->a), b = sc_bodies_row(bodies, def->b);
    if (a >= 0) r->contacts[a] = 0;
    if (b >= 0) r->contacts[b] = 0;
    const int32_t housing = sc_joint_housing(bodies, def);
    if (housing >= 0) r->contacts[housing] = 0;
  }
  for (int32_t row = 0; row < bodies->count; row++) {
    bool rolls = r->contacts[row] == 1 && bodies->kind[row] == SCREE_DYNAMIC && bodies->tensor_row[row] >= 0;
    r->contacts[row] = rolls;
    count += rolls;
  }
  return count;
}

/* Chooses the bodies that can roll from the marks of solved contacts (SC_MET_ONE, SC_MET_STILL). A body must
 * have one contact, with an immovable body. Contacts between bodies that joints or bonds connect have no
 * marks. Returns the number of chosen bodies. */
static int32_t pick_marked(const scree_world *world, sc_rolls *r) {
  for (int32_t row = 0; row < world->bodies.count; row++)
    r->contacts[row] = r->contacts[row] == (SC_MET_ONE | SC_MET_STILL);
  int32_t count = pick_rolling(world, r);
  if (!count || !sc_joints_any(&world->joints)) return count;
  for (int32_t row = 0; row < world->bodies.count; row++) r->contacts[row] = r->contacts[row] ? 0 : MANY;
  count_impulses(world, r);
  return pick_rolling(world, r);
}

/* ---- velocities at a contact ---- */

/* Sets u to the solved velocity of body 1 relative to body 2 at a contact, in world axes [m/s]. */
static void compute_slip_velocity(const sc_problem *problem, const sc_general_contact *g, double u[3]) {
  const sc_solver_body *a = problem->body + g->i, *b = problem->body + g->j;
  double turn[3];
  sc_cross(a->q, g->arm1, u);
  sc_add(a->v, u, u);
  sc_cross(b->q, g->arm2, turn);
  sc_sub(u, turn, u);
  sc_sub(u, b->v, u);
}

/* Sets u to the rolling body's contribution to the solved relative velocity. side: 0 or 1 if the rolling body
 * is body 1 or 2. The partner's contribution does not follow from the rolling body's surface, because the
 * partner may change its velocity or rotate. */
static void compute_rolling_velocity(
    const sc_problem *problem, const sc_general_contact *g, int side, double u[3]) {
  const sc_solver_body *body = problem->body + (side ? g->j : g->i);
  sc_cross(body->q, side ? g->arm2 : g->arm1, u);
  sc_add(body->v, u, u);
  if (side) sc_scale(-1, u, u);
}

/* Sets u to the rolling body's contribution to the relative velocity at the start of the step. side: 0 or 1
 * if the rolling body is body 1 or 2. */
static void compute_rolling_before(
    const sc_bodies *bodies, const sc_general_contact *g, int side, double u[3]) {
  const int32_t row = side ? g->j : g->i;
  double r[3];
  sc_scale(sc_body_scale(bodies, row), side ? g->arm2 : g->arm1, r);
  sc_cross(bodies->spin[row], r, u);
  sc_add(bodies->velocity[row], u, u);
  if (side) sc_scale(-1, u, u);
}

/* Computes the velocity change (v, q) of the rolling body that has minimal kinetic energy and changes u by
 * `wanted`. Returns false if the Delassus block A is singular. */
static bool compute_min_change(const sc_problem *problem, const sc_general *contact, int side,
    const double wanted[3], double v[3], double q[3]) {
  const sc_general_contact *g = contact->c;
  const double *A = contact->A, *axis[3] = {g->n, g->t, g->o};
  const int32_t row = side ? g->j : g->i;
  const int n = g->dim;
  const double a = A[0], b = A[1], c = A[2], d = A[n + 1], e = A[n + 2], f = A[2 * n + 2];
  const double x = d * f - e * e, y = c * e - b * f, z = b * e - c * d, det = a * x + b * y + c * z;
  if (!(det > 0)) return false;
  const double inverse[9] = {x, y, z, y, a * f - c * c, b * c - a * e, z, b * c - a * e, a * d - b * b};
  double local[3], impulse[3], p[3] = {0, 0, 0}, turn[3];
  for (int k = 0; k < 3; k++) local[k] = sc_dot(axis[k], wanted);
  sc_mat_vec(inverse, local, impulse);
  for (int k = 0; k < 3; k++) sc_axpy((side ? -1 : 1) * impulse[k] / det, axis[k], p, p);
  sc_scale(problem->body[row].inv_mass, p, v);
  sc_cross(side ? g->arm2 : g->arm1, p, turn);
  const double *K = problem->K[row];
  sc_set3(K[0] * turn[0] + K[1] * turn[1] + K[2] * turn[2], K[1] * turn[0] + K[3] * turn[1] + K[4] * turn[2],
      K[2] * turn[0] + K[4] * turn[1] + K[5] * turn[2], q);
  return true;
}

/* ---- before and after the solution ---- */

/* Computes the target velocity u' of a contact. Returns false if the last step has no record of this contact
 * or the contact point has moved too far. */
static bool compute_target_velocity(
    const scree_world *world, const sc_rolls *r, const sc_general_contact *g, int side, double out[3]) {
  const sc_bodies *bodies = &world->bodies;
  int32_t row = side ? g->j : g->i, other = side ? g->i : g->j;
  if (r->place[row] < 0) return false;
  const sc_roll *last = &world->mechanisms.rolling[r->place[row]].roll;
  double arm[3], now[3], n;
  if (last->partner != sc_bodies_id(bodies, other)) return false;
  sc_scale(sc_body_scale(bodies, row), side ? g->arm2 : g->arm1, arm);
  sc_sub(arm, last->arm, arm);
  if (sc_norm(arm) > SMALL * sc_body_scale(bodies, row)) return false;
  compute_rolling_before(bodies, g, side, now);
  sc_sub(last->u, now, out);
  sc_scale(0.5, out, out);
  n = sc_dot(out, g->n);
  if (!last->sticks) sc_scale(n, g->n, out);
  return true;
}

/* Side of a general contact on which a body rolls on an immovable body: none, body 1 or body 2. */
enum { NEITHER, FIRST, SECOND };

typedef struct siding {
  const scree_world *world;
  const uint8_t *rolls; /* [bodies] nonzero: the body rolls */
  uint8_t *side;        /* [rows of problem.general] NEITHER, FIRST or SECOND */
} siding;

static void find_sides(void *context, int64_t first, int64_t end) {
  const siding *s = context;
  const scree_world *world = s->world;
  const double *inv_mass = world->bodies.inv_mass;
  for (int64_t c = first; c < end; c++) {
    const sc_partners *who = world->assembled.partners +
        sc_problem_general_source(&world->problem, (int32_t)c);
    const bool one = s->rolls[who->body1] && !(inv_mass[who->body2] > 0),
               two = s->rolls[who->body2] && !(inv_mass[who->body1] > 0);
    s->side[c] = one ? FIRST : two ? SECOND : NEITHER;
  }
}

/* Returns the sides of all general contacts: [problem.generals] NEITHER, FIRST or SECOND, in the arena.
 * Returns NULL without memory. */
static const uint8_t *list_sides(scree_world *world, const sc_rolls *r) {
  const int32_t count = world->problem.generals;
  uint8_t *side = SC_TAKE(&world->arena, uint8_t, count);
  if (side) sc_pool_ranges(world->pool, count, SC_RANGE, find_sides, &(siding){world, r->contacts, side});
  return side;
}

static scree_status fail_no_memory(int32_t bodies, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bodies that roll", (int)bodies);
}

/* Returns half the product of a body's loads over the step and a velocity change [J]: the work of the loads
 * on half of this change. */
static double loads_work_of(const scree_world *world, const sc_roll_change *change) {
  const double *load = sc_bodies_load(&world->bodies, change->row);
  double turn = sc_dot(load + 3, change->q) / sc_body_scale(&world->bodies, change->row);
  return world->problem.dt / 2 * (sc_dot(load, change->v) + turn);
}

/* Subtracts the velocity d from each body of the problem that rolled in the last step. */
static scree_status subtract_changes(scree_world *world, sc_rolls *r, scree_error *error) {
  sc_problem *problem = &world->problem;
  sc_world_find_rolling(world, r->place);
  for (int32_t row = 0; row < world->bodies.count; row++) r->contacts[row] = r->place[row] < 0 ? MANY : 0;
  count_impulses(world, r);
  const int32_t max = pick_rolling(world, r); /* each rolling body has one contact */
  if (!max) return SCREE_OK;
  r->change = SC_TAKE(&world->arena, sc_roll_change, max);
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  const uint8_t *sides = list_sides(world, r);
  if (!r->change || !sides) return fail_no_memory(max, error);
  for (int32_t c = 0; c < problem->generals; c++) {
    sc_contact found;
    sc_general_room scratch;
    double wanted[3];
    if (sides[c] == NEITHER) continue;
    const int side = sides[c] == SECOND;
    const sc_general contact = sc_problem_general(problem, c, &scratch);
    const sc_general_contact *g = contact.c;
    sc_world_contact(world, g->contact, &found);
    if (sc_dot(found.impulse, found.impulse) == 0 || !compute_target_velocity(world, r, g, side, wanted))
      continue;
    sc_roll_change *change = r->change + r->count;
    change->row = side ? g->j : g->i, change->contact = c;
    if (!compute_min_change(problem, &contact, side, wanted, change->v, change->q)) continue;
    sc_solver_body *body = problem->body + change->row;
    sc_sub(body->v, change->v, body->v);
    sc_sub(body->q, change->q, body->q);
    change->loads = loads_work_of(world, change);
    r->count++;
  }
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}

scree_status sc_world_roll_begin(scree_world *world, sc_rolls *r, scree_error *error) {
  const sc_problem *problem = &world->problem;
  *r = (sc_rolls){0};
  if (!problem->generals || !problem->K || problem->planar || !world->ranks->rolls) return SCREE_OK;
  r->contacts = SC_TAKE(&world->arena, uint8_t, world->bodies.count);
  r->place = SC_TAKE(&world->arena, int32_t, world->bodies.count);
  if (!r->contacts || !r->place)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", problem->generals);
  scree_status status = world->mechanisms.rollings ? subtract_changes(world, r, error) : SCREE_OK;
  memset(r->contacts, 0, (size_t)world->bodies.count);
  return status;
}

/* Stores the arm and the relative velocity of a contact at the end of the step, for the next step. side: 0 or
 * 1 if the rolling body is body 1 or 2. change: velocity that was subtracted from the body; NULL: none. */
static void store_record(
    scree_world *world, sc_rolls *r, const sc_general_contact *g, int side, const sc_roll_change *change) {
  const sc_bodies *bodies = &world->bodies;
  const int32_t row = side ? g->j : g->i;
  const double *arm = side ? g->arm2 : g->arm1;
  double turn[3], slide[3];
  if (r->place[row] < 0) r->place[row] = world->mechanisms.rollings++;
  world->mechanisms.rolling[r->place[row]].body = sc_bodies_id(bodies, row);
  sc_roll *roll = &world->mechanisms.rolling[r->place[row]].roll;
  compute_slip_velocity(&world->problem, g, slide);
  compute_rolling_velocity(&world->problem, g, side, roll->u);
  double along = sc_dot(slide, g->n), slip = sqrt(fmax(0, sc_dot(slide, slide) - along * along)),
         speed = sc_norm(world->problem.body[row].v) + sc_norm(world->problem.body[row].q);
  roll->sticks = slip <= STILL * speed;
  if (change) {
    sc_cross(change->q, arm, turn);
    sc_add(turn, change->v, turn);
    sc_axpy(side ? -1 : 1, turn, roll->u, roll->u);
  }
  sc_scale(sc_body_scale(bodies, row), arm, roll->arm);
  roll->partner = sc_bodies_id(bodies, side ? g->i : g->j);
}

/* Adds the subtracted velocity to its body. Returns the increase of kinetic energy [J]. */
static double restore_change(sc_bodies *bodies, const sc_roll_change *change) {
  double before = sc_account_kinetic_of(bodies, change->row), *spin = bodies->spin[change->row];
  sc_add(bodies->velocity[change->row], change->v, bodies->velocity[change->row]);
  sc_axpy(1 / sc_body_scale(bodies, change->row), change->q, spin, spin);
  return sc_account_kinetic_of(bodies, change->row) - before;
}

/* Replaces the records of the last step by records of the bodies that roll in this step. */
static scree_status store_records(scree_world *world, sc_rolls *r, scree_error *error) {
  const sc_problem *problem = &world->problem;
  const int32_t count = pick_marked(world, r);
  world->mechanisms.rollings = 0;
  if (!count) return SCREE_OK;
  sc_world_find_rolling(world, r->place);
  const sc_arena_mark mark = sc_arena_here(&world->arena);
  const uint8_t *sides = list_sides(world, r);
  if (!sides || !SC_GROW_LEAN(world->mechanisms.rolling, world->mechanisms.rolling_capacity, (size_t)count))
    return fail_no_memory(count, error);
  for (int32_t c = 0, k = 0; c < problem->generals; c++) {
    const sc_roll_change *change = k < r->count && r->change[k].contact == c ? r->change + k++ : NULL;
    sc_general_room scratch;
    if (sides[c] == NEITHER) continue;
    const sc_general contact = sc_problem_general(problem, c, &scratch);
    if (contact.x[0] > 0) store_record(world, r, contact.c, sides[c] == SECOND, change);
  }
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}

scree_status sc_world_roll_end(scree_world *world, sc_rolls *r, scree_error *error) {
  const sc_problem *problem = &world->problem;
  if (!r->contacts) return SCREE_OK;
  scree_status status = store_records(world, r, error);
  for (int32_t k = 0; k < r->count; k++) {
    const sc_roll_change *change = r->change + k;
    double early = problem->dt / 2 * world->bodies.mass[change->row] * sc_dot(world->def.gravity, change->v);
    world->energy.dissipated += early + change->loads - restore_change(&world->bodies, change);
    world->energy.correction -= early;
    world->energy.work += change->loads;
  }
  return status;
}
