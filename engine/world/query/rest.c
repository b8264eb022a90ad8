/* Computes the smallest friction with which a structure can be at rest: limit analysis of rigid bodies in
 * frictional contact.
 *
 * A state of rest is a set of contact forces f in the friction cones |f_t| <= x mu f_n that balances the
 * loads. With these forces, velocities of 0 solve the hard contact problem of a step for every law of
 * sliding. The cones grow with x. Rest is therefore possible above a minimum of x. There are two minima:
 *
 *   associated   x_a = smallest x for which forces in the cones balance. By duality, no mechanism that
 *                dilates by x mu times its slip exists in which loads do more work than friction dissipates
 *                (Drucker 1954, Livesley 1978). The problem is convex; each x needs one solve of a truss
 *                (solve/truss/truss.h).
 *   restricted   Coulomb slip does not dilate, so moving states can balance at larger x than x_a. For given
 *                normal forces N, friction |f_t| <= x mu N is associated with slip without dilation, and the
 *                problem for the smallest x is convex again. Each round replaces N by the normal forces of
 *                the solution, until x converges (Gilbert, Casapulla & Ahmed 2006). The result x_r has forces
 *                in the cones and a mechanism without dilation: rest and the onset of motion are both
 *                solutions. Therefore x_r >= x_a. */
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "math/vec.h"
#include "world/world.h"
#include "world/bodies/rows.h"
#include "world/query/forces_gather.h"

#define AT(member) offsetof(scree_rest_def, member)
#define MOST 1e6 /* largest value of friction that a caller may set: coefficient or factor x */
const scree_param scree_rest_params[] = {
    {"load", SCREE_CHOICE, 0, "", SCREE_LOAD_WEIGHT, 0, 0, AT(load), "step|weight",
        "the weight of each body, or the load of the last step"},
    {"vary", SCREE_CHOICE, 0, "", SCREE_VARY_SCALE, 0, 0, AT(vary), "scale|mu",
        "a factor on the friction coefficients of all pairs, or one coefficient for all contacts"},
    {"most", SCREE_REAL, SCREE_POSITIVE, "", 10, 0, MOST, AT(most), NULL, "largest value that is tested"},
    {"closed", SCREE_REAL, 0, "", 1e-4, 0, 1, AT(closed), NULL,
        "contacts without an impulse are included up to this gap, in units of the smaller radius"},
    {"tolerance", SCREE_REAL, SCREE_POSITIVE, "", 1e-4, 0, 0.1, AT(tolerance), NULL,
        "relative error of the values found"},
    {"rounds", SCREE_INTEGER, 0, "", 100, 1, 1e6, AT(rounds), NULL,
        "maximum number of rounds of the restricted problem"},
    {"iterations", SCREE_INTEGER, 0, "", 200, 1, 1e6, AT(iterations), NULL,
        "maximum number of Newton steps of a solve"},
};
const int scree_rest_params_count = sizeof scree_rest_params / sizeof *scree_rest_params;

scree_rest_def scree_rest_defaults(void) {
  scree_rest_def def = {0};
  scree_param_defaults(scree_rest_params, scree_rest_params_count, &def);
  return def;
}

/* Largest unbalanced force in a state of rest, divided by the largest load. */
static const double BALANCED = 1e-8;
/* Relaxation factor of the normal forces N between rounds. */
static const double SHARE = 0.5;
/* Largest relative change of x between rounds of the restricted problem that counts as converged. */
static const double SETTLES = 1e-3;

/* Tolerance of a round, divided by the tolerance of the result. If x is the exact minimum, normal forces at x
 * (1 + d) have errors of order sqrt(d). Rounds therefore need a smaller tolerance. */
static const double FINER = 0.1;
/* CG_STEPS: conjugate-gradient steps per Newton step. SETTLED: number of successive rounds whose change must
 * be below SETTLES. */
enum { CG_STEPS = 500, SETTLED = 3 };

typedef struct search {
  const scree_rest_def *def;
  sc_gathering gathering;
  sc_truss truss;
  sc_truss_contact *contact; /* [contacts] members of the truss, with the friction for the present x */
  double *mu;                /* [contacts] friction coefficient at x = 1 */
  /* [contacts] prescribed normal forces N that bound friction [N]; NULL: friction is bounded by the cones */
  double *normal;
  double (*force)[3]; /* [contacts] forces at the last x for which forces balance [N] */
  double (*trial)[3]; /* [contacts] forces at the present x [N] */
  double (*u)[6];     /* [bodies + 3] mechanism at the last x for which no forces balance */
  sc_arena *arena;
} search;

static bool is_stopped(const search *s) { return s->truss.stop && s->truss.stop(s->truss.stop_context); }

static void set_friction(search *s, double x) {
  for (int32_t c = 0; c < s->truss.contacts; c++) {
    sc_truss_contact *to = s->contact + c;
    to->mu = x * s->mu[c];
    to->bounded = s->normal != NULL;
    to->bound = s->normal ? to->mu * s->normal[c] : 0;
  }
}

/* Sets *balances to true if forces balance the loads at x. Stores the forces in s->force if they do, else the
 * mechanism in s->u. */
static scree_status find_balance(search *s, double x, bool *balances, scree_error *error) {
  const sc_arena_mark mark = sc_arena_here(s->arena);
  const size_t rows = (size_t)s->truss.bodies + 3;
  sc_truss_report report;
  double(*u)[6] = sc_arena_take(s->arena, rows * sizeof *u);
  if (!u) return sc_fail(error, SCREE_E_MEMORY, "no memory for a range of rest");
  memset(u, 0, rows * sizeof *u);
  set_friction(s, x);
  scree_error why;
  const scree_status status = sc_truss_solve(&s->truss, s->arena, s->trial, u, &report, &why);
  *balances = status == SCREE_OK;
  if (*balances) memcpy(s->force, s->trial, (size_t)s->truss.contacts * sizeof *s->force);
  else memcpy(s->u, u, rows * sizeof *u);
  sc_arena_back(s->arena, mark);
  if (is_stopped(s)) return sc_fail(error, SCREE_E_NUMERIC, "the range of rest: stopped");
  if (status == SCREE_OK || status == SCREE_E_NUMERIC) return SCREE_OK;
  if (error) *error = why;
  return status;
}

/* Widens [*low, *high] until the loads balance at *high and do not balance at *low. *low = 0 may balance. */
static scree_status bracket_minimum(
    search *s, double *low, double *high, bool *balances, scree_error *error) {
  double width = *high - *low;
  scree_status status = find_balance(s, *high, balances, error);
  while (status == SCREE_OK && !*balances && *high < s->def->most) {
    *low = *high;
    *high = fmin(*high + (width *= 2), s->def->most);
    status = find_balance(s, *high, balances, error);
  }
  if (status != SCREE_OK || !*balances) return status;
  bool starts = true;
  while (status == SCREE_OK && starts && *high > 0) {
    status = find_balance(s, *low, &starts, error);
    if (!starts) break;
    *high = *low;
    *low = fmax(0, *low - (width *= 2));
  }
  return status;
}

/* Sets *x to the smallest x at which forces balance, within a relative tolerance. Starts from the interval
 * [low, high]. Sets *x to INFINITY if no x up to def->most balances. s->force then has the forces at *x. */
static scree_status find_minimum(
    search *s, double low, double high, double tolerance, double *x, scree_error *error) {
  bool balances = false;
  high = fmin(high, s->def->most);
  scree_status status = bracket_minimum(s, &low, &high, &balances, error);
  *x = balances ? high : INFINITY;
  while (status == SCREE_OK && balances && *x - low > tolerance * *x) {
    const double middle = (low + *x) / 2;
    bool fits;
    status = find_balance(s, middle, &fits, error);
    if (fits) *x = middle;
    else low = middle;
  }
  return status;
}

/* ---- associated problem ---- */

/* Returns the id of the dynamic body that moves furthest in the mechanism s->u. The rotation counts times the
 * radius of the body. Returns 0 if no body moves. */
static scree_id find_first_mover(const search *s) {
  const sc_bodies *bodies = &s->gathering.world->bodies;
  int32_t found = -1;
  double most = 0;
  for (int32_t b = 0; b < s->truss.bodies; b++) {
    const double size = sc_norm(s->u[b]) + bodies->radius[b] * sc_norm(s->u[b] + 3);
    if (s->gathering.held[b] || !(size > most)) continue;
    most = size, found = b;
  }
  return found < 0 ? 0 : sc_bodies_id(bodies, found);
}

/* ---- restricted problem ---- */

static void mix_normals(search *s, double share) {
  for (int32_t c = 0; c < s->truss.contacts; c++)
    s->normal[c] += share * (fmax(0, s->force[c][0]) - s->normal[c]);
}

static scree_status find_restricted(search *s, scree_rest_range *range, scree_error *error) {
  const double tolerance = s->def->tolerance;
  double last = range->associated, x = last, off = 0.1;
  int settled = 0;
  s->normal = SC_TAKE(s->arena, double, s->truss.contacts + 1);
  if (!s->normal) return sc_fail(error, SCREE_E_MEMORY, "no memory for a range of rest");
  memset(s->normal, 0, (size_t)s->truss.contacts * sizeof *s->normal);
  mix_normals(s, 1);
  for (range->rounds = 0; range->rounds < s->def->rounds && settled < SETTLED; range->rounds++) {
    const double near = fmax(SETTLES, fmin(0.1, off)), enough = fmax(FINER * tolerance, 0.01 * near);
    scree_status status = find_minimum(s, last * (1 - near), last * (1 + near), enough, &x, error);
    if (status != SCREE_OK) return status;
    if (isinf(x)) return SCREE_OK;
    mix_normals(s, SHARE);
    off = x > 0 ? fabs(x - last) / x : 0;
    settled = off <= SETTLES ? settled + 1 : 0;
    last = x;
  }
  if (settled == SETTLED) range->restricted = fmax(x, range->associated);
  return SCREE_OK;
}

/* ---- associated and restricted problem ---- */

static scree_status open_search(search *s, scree_error *error) {
  const sc_gathering *g = &s->gathering;
  const size_t contacts = (size_t)g->count, rows = (size_t)g->world->bodies.count + 3;
  s->mu = SC_TAKE(s->arena, double, contacts + 1);
  s->force = sc_arena_take(s->arena, (contacts + 1) * sizeof *s->force);
  s->trial = sc_arena_take(s->arena, (contacts + 1) * sizeof *s->trial);
  s->u = sc_arena_take(s->arena, rows * sizeof *s->u);
  if (!s->mu || !s->force || !s->trial || !s->u)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a range of rest");
  memset(s->u, 0, rows * sizeof *s->u);
  for (size_t c = 0; c < contacts; c++) s->mu[c] = s->def->vary == SCREE_VARY_MU ? 1 : g->contact[c].mu;
  s->contact = g->contact;
  s->truss = (sc_truss){.bodies = g->world->bodies.count,
      .held = g->held,
      .load = (const double(*)[6])g->load,
      .contacts = g->count,
      .contact = g->contact,
      .cell = g->has_cell ? &g->cell : NULL,
      .exponent = 2,
      .tolerance = BALANCED,
      .iterations = s->def->iterations,
      .cg_iterations = CG_STEPS * s->def->iterations,
      .stop = g->world->query.stop,
      .stop_context = g->world->query.stop_context};
  return SCREE_OK;
}

/* Fails if a dynamic body has a load and no contact. */
static scree_status check_held(const search *s, scree_error *error) {
  const sc_gathering *g = &s->gathering;
  const scree_world *world = g->world;
  const size_t rows = (size_t)world->bodies.count;
  uint8_t *touches = SC_TAKE(s->arena, uint8_t, rows + 1);
  if (!touches) return sc_fail(error, SCREE_E_MEMORY, "no memory for a range of rest");
  memset(touches, 0, rows);
  for (int32_t c = 0; c < g->count; c++) touches[g->contact[c].i] = touches[g->contact[c].j] = 1;
  for (int32_t row = 0; row < world->bodies.count; row++) {
    const double *p = world->bodies.position[row];
    if (g->held[row] || touches[row] || !(sc_norm(g->load[row]) > 0)) continue;
    const scree_id id = sc_bodies_id(&world->bodies, row);
    for (int32_t k = 0; k < world->names.count; k++)
      if (world->names.name[k].id == id)
        return sc_fail(
            error, SCREE_E_NUMERIC, "rest_range: nothing holds body \"%s\"", world->names.name[k].name);
    return sc_fail(error, SCREE_E_NUMERIC, "rest_range: nothing holds body %llu at (%.6g, %.6g, %.6g)",
        (unsigned long long)id, p[0], p[1], p[2]);
  }
  return SCREE_OK;
}

/* Sets range->why to the reason why no value up to def->most is sufficient. */
static scree_status find_why(search *s, scree_rest_range *range, scree_error *error) {
  bool balances = false, rubs = false;
  for (int32_t c = 0; c < s->truss.contacts; c++) rubs |= s->mu[c] > 0;
  range->why = rubs ? "mechanism" : "mu";
  if (!rubs || !(s->def->most < MOST)) return SCREE_OK;
  const scree_status status = find_balance(s, MOST, &balances, error);
  if (balances) range->why = "most";
  return status;
}

static scree_status find_range(search *s, scree_rest_range *range, scree_error *error) {
  scree_status status = sc_forces_gather(&s->gathering, s->arena, error);
  if (status == SCREE_OK) status = check_held(s, error);
  if (status == SCREE_OK) status = open_search(s, error);
  if (status == SCREE_OK) status = find_minimum(s, 0, 1, s->def->tolerance, &range->associated, error);
  range->closed = s->gathering.count;
  if (status != SCREE_OK) return status;
  if (range->associated > 0) range->first = find_first_mover(s);
  if (isinf(range->associated)) return find_why(s, range, error);
  range->restricted = range->associated; // no friction is needed
  if (range->associated == 0) return SCREE_OK;
  range->restricted = INFINITY;
  return find_restricted(s, range, error);
}

static scree_status check_rest(const scree_world *world, const scree_rest_def *def, scree_error *error) {
  scree_status status = sc_ranks_check_whole(
      world->ranks, "the range of rest is found", "a run on one finds it from a checkpoint", error);
  if (status == SCREE_OK)
    status = scree_param_check_all(scree_rest_params, scree_rest_params_count, def, "", error);
  if (status != SCREE_OK) return status;
  if (world->step == 0)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "rest_range: take a step first; it speaks of the contacts of the last step");
  if (def->load == SCREE_LOAD_WEIGHT && sc_joints_any(&world->joints))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "rest_range: joints carry a part of the weights; load = \"step\" takes what contacts carried");
  return SCREE_OK;
}

scree_status scree_world_rest_range(
    const scree_world *world, const scree_rest_def *def, scree_rest_range *range, scree_error *error) {
  SC_DEMAND(world && range, error, SCREE_E_ARGUMENT);
  *range = (scree_rest_range){.associated = INFINITY, .restricted = INFINITY};
  scree_status status = check_rest(world, def, error);
  if (status != SCREE_OK) return status;
  sc_world_settle_contacts((scree_world *)world);
  scree_forces_def forces = scree_forces_defaults();
  forces.load = def->load, forces.closed = def->closed;
  forces.friction = SCREE_FRICTION_CONE, forces.tangential = 1;
  sc_arena arena = {0};
  search s = {.def = def,
      .gathering = {.world = world, .def = &forces, .dt = world->def.dt, .uniform = true},
      .arena = &arena};
  status = find_range(&s, range, error);
  sc_arena_free(&arena);
  return status;
}
