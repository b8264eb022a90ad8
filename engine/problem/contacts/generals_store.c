/* Writes general contacts to the bundles of a store and reads them (problem/contacts/contacts.h). */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "problem/contacts/generals.h"
#include "problem/contacts/kernels/kernels.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"

/* Place of a contact: its bundle and lane. */
typedef struct place {
  uint32_t group, lane;
} place;
static place place_of(const sc_generals *g, int32_t c) {
  uint32_t slot = (uint32_t)g->slots.slot[c];
  return (place){slot / SC_LANES, slot % SC_LANES};
}
static int bundle_kind_of(const sc_generals *g, uint32_t group) { return sc_slot_kind(g->taken[group]); }

/* ---- plan: which bundle and lane a contact gets ---- */

bool sc_generals_open(sc_contacts *lanes, int32_t count, sc_pool *pool, sc_arena *arena) {
  sc_generals *g = lanes->generals = SC_TAKE(arena, sc_generals, 1);
  if (!g) return false;
  *g = (sc_generals){.kernels = sc_contact_kernels_best()};
  return sc_slots_open(count, pool, lanes->exchange->shared, arena, &g->slots);
}

/* Stores the number of each contact of a range in its lane. */
static void number_lanes(void *context, int64_t first, int64_t end) {
  const sc_generals *g = context;
  for (int64_t c = first; c < end; c++) {
    const place at = place_of(g, (int32_t)c);
    g->origin[at.group][at.lane] = (int32_t)c;
  }
}

bool sc_contacts_plan_generals(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    const uint8_t *form, sc_arena_mark mark, sc_arena *arena) {
  sc_generals *g = store->generals;
  g->taken = sc_slots_plan(
      problem, sc_general_blocks(g->slots.contacts), pairs, form, mark, arena, &g->slots);
  if (!g->taken || !sc_generals_take_room(problem, pairs, arena, g)) return false;
  g->origin = sc_arena_take(arena, (size_t)g->slots.count * sizeof *g->origin);
  if (pairs->rolls) g->moments = SC_TAKE(arena, sc_general_moments, g->slots.count);
  if (!g->origin || (pairs->rolls && !g->moments)) return false;
  sc_generals_clear_rest(g, problem);
  sc_pool_ranges(g->slots.pool, g->slots.contacts, SC_SHORT_RANGE, number_lanes, g);
  return true;
}

/* ---- writing and reading contacts ---- */

static void put_moments(const sc_general *from, sc_general_moments *m, uint32_t l) {
  for (int k = 0; k < 3; k++) m->x[k][l] = 3 + k < from->c->dim ? from->x[3 + k] : 0;
  m->scale1[l] = from->c->scale1, m->scale2[l] = from->c->scale2;
}

void sc_problem_put_general(const sc_problem *problem, int32_t c, const sc_general *from, double gap) {
  if (!problem->store) {
    if (problem->gap) problem->gap[problem->balls + c] = gap;
    return;
  }
  const sc_generals *g = problem->store->generals;
  const place at = place_of(g, c);
  sc_generals_put_lane(g, problem, g->slots.slot[c], from, (int32_t)(from->c - problem->general));
  g->push[at.group].want[at.lane] = gap;
  if (sc_law_rolls(bundle_kind_of(g, at.group))) put_moments(from, g->moments + at.group, at.lane);
}

int32_t sc_contacts_groups(const sc_contacts *store) { return store->generals->slots.count; }

int sc_contacts_members(const sc_contacts *store, int32_t group, const int32_t **general) {
  const sc_generals *g = store->generals;
  const int kind = bundle_kind_of(g, (uint32_t)group);
  *general = g->origin[group];
  return kind == SC_BUNDLE_ROWS ? 0 : sc_slot_taken(g->taken[group]);
}

/* Sets the bounds of moments as lengths. The kernel then divides them by s1. */
static void put_bounds(const sc_general_source *from, sc_general_couple *c) {
  for (int l = 0; l < SC_LANES; l++)
    c->torsion[l] = from->lane[l]->torsion, c->rolling[l] = from->lane[l]->rolling;
}

/* Sets the blocks of empty lanes to the unit matrix, because sweeps divide by its diagonal. */
static void clear_blocks(const sc_generals *g, int32_t group, bool rolls) {
  for (int l = sc_slot_taken(g->taken[group]); l < SC_LANES; l++)
    for (int k = 0; k < 6; k++) {
      g->bundle[group].A[k][l] = k == 0 || k == 3 || k == 5;
      if (rolls) g->couple[group].R[k][l] = k == 0 || k == 3 || k == 5;
    }
}

/* Sets the springs of a bundle whose blocks are already computed, and adds the springs to these blocks. */
static void set_bundle_springs(const sc_generals *g, int32_t group, const sc_general_source *from) {
  sc_general_bundle *b = g->bundle + group;
  for (int l = 0; l < sc_slot_taken(g->taken[group]); l++) {
    sc_contact_spring spring = from->spring[l];
    const double n[3] = {b->n[0][l], b->n[1][l], b->n[2][l]}, t[3] = {b->t[0][l], b->t[1][l], b->t[2][l]};
    double o[3];
    sc_cross(n, t, o);
    sc_set3(0, sc_dot(spring.last, t), sc_dot(spring.last, o), spring.last);
    sc_spring_put(&spring, g->spring + group, (uint32_t)l);
    b->A[0][l] += spring.normal, b->A[3][l] += spring.tangent, b->A[5][l] += spring.tangent;
  }
}

void sc_contacts_make_group(
    sc_contacts *store, const sc_problem *problem, int32_t group, const sc_general_source *from) {
  const sc_generals *g = store->generals;
  for (int l = 0; l < SC_LANES; l++)
    sc_generals_put_rule(g, problem, group * SC_LANES + l, from->i[l], from->j[l], from->lane[l]);
  const bool rolls = sc_law_rolls(bundle_kind_of(g, (uint32_t)group));
  if (rolls) put_bounds(from, g->couple + group);
  g->kernels->make(g, problem->body, group, from);
  if (g->spring) set_bundle_springs(g, group, from);
  clear_blocks(g, group, rolls);
}

/* Sets the members of general contact c that a bundle does not store: index in the collision stage, law and
 * parameters. */
static void copy_source(const sc_problem *problem, int32_t c, sc_general_contact *to) {
  to->contact = sc_problem_general_source(problem, c);
  const int32_t row = problem->partners[to->contact].rule;
  to->law = problem->row_law[row], to->par = row * SCREE_LAW_MAX_PARAMS;
}

/* Reads the vector in lane l. Loops over three elements are written out here, because compilers do not unroll
 * them, and the loop costs more than the copies. */
static inline void get_vector(const double (*from)[SC_LANES], uint32_t l, double to[3]) {
  const double x = from[0][l], y = from[1][l], z = from[2][l];
  to[0] = x, to[1] = y, to[2] = z;
}

/* Copies a contact from its bundle to scratch. Does not set block, law and index in the collision stage. */
static inline void copy_out(const sc_generals *g, place at, sc_general_room *scratch) {
  sc_general_contact *c = &scratch->c;
  const sc_general_bundle *b = g->bundle + at.group;
  const uint32_t l = at.lane;
  c->i = sc_lane_body(b->i[l]), c->j = sc_lane_body(b->j[l]);
  c->dim = 3, c->drifts = false, c->bias = b->bias[l];
  c->drift[0] = c->drift[1] = c->drift[2] = 0;
  const double n[3] = {b->n[0][l], b->n[1][l], b->n[2][l]}, t[3] = {b->t[0][l], b->t[1][l], b->t[2][l]};
  c->n[0] = n[0], c->n[1] = n[1], c->n[2] = n[2];
  c->t[0] = t[0], c->t[1] = t[1], c->t[2] = t[2];
  sc_cross(n, t, c->o);
  get_vector((const double(*)[SC_LANES])b->arm1, l, c->arm1);
  get_vector((const double(*)[SC_LANES])b->arm2, l, c->arm2);
  get_vector((const double(*)[SC_LANES])b->x, l, scratch->x);
  if (g->spring) c->spring = sc_spring_get(g->spring + at.group, l);
  else c->spring = (sc_contact_spring){0};
}

/* Copies the moments, which are the rows past the third, and sets dimension and scales. */
static void copy_moments(
    const sc_problem *problem, const sc_general_moments *m, uint32_t l, sc_general_room *scratch) {
  sc_general_contact *c = &scratch->c;
  c->dim = problem->law[c->law]->dim(problem->par + c->par);
  c->scale1 = m->scale1[l], c->scale2 = m->scale2[l];
  for (int k = 3; k < c->dim; k++) scratch->x[k] = m->x[k - 3][l];
}

static inline void copy_block(const sc_general_bundle *b, uint32_t l, double A[9]) {
  const double nn = b->A[0][l], nt = b->A[1][l], no = b->A[2][l], tt = b->A[3][l], to = b->A[4][l],
               oo = b->A[5][l];
  A[0] = nn, A[1] = A[3] = nt, A[2] = A[6] = no;
  A[4] = tt, A[5] = A[7] = to, A[8] = oo;
}

/* Returns general contact c. Block, law and index in the collision stage are set only if `block` is true. */
static inline sc_general get_general(
    const sc_problem *problem, int32_t c, bool block, sc_general_room *scratch) {
  if (!problem->store) return sc_problem_row(problem, problem->general + c);
  const sc_generals *g = problem->store->generals;
  const place at = place_of(g, c);
  const sc_general_bundle *b = g->bundle + at.group;
  const int kind = bundle_kind_of(g, at.group);
  if (kind == SC_BUNDLE_ROWS) return sc_problem_row(problem, problem->general + b->i[at.lane]);
  copy_out(g, at, scratch);
  if (block || sc_law_rolls(kind)) copy_source(problem, c, &scratch->c);
  if (sc_law_rolls(kind)) {
    copy_moments(problem, g->moments + at.group, at.lane, scratch);
    if (block) sc_problem_general_block(problem, &scratch->c, scratch->A);
  } else if (block) {
    copy_block(b, at.lane, scratch->A);
  }
  return (sc_general){&scratch->c, scratch->A, scratch->x};
}

sc_general sc_problem_general(const sc_problem *problem, int32_t c, sc_general_room *scratch) {
  return get_general(problem, c, true, scratch);
}

sc_general sc_problem_impulse(const sc_problem *problem, int32_t c, sc_general_room *scratch) {
  return get_general(problem, c, false, scratch);
}

/* Returns the row of general contact c; NULL if the contact lies in a bundle. */
static const sc_general_contact *find_row(const sc_problem *problem, int32_t c) {
  if (!problem->store) return problem->general + c;
  const sc_generals *g = problem->store->generals;
  const place at = place_of(g, c);
  return bundle_kind_of(g, at.group) == SC_BUNDLE_ROWS ? problem->general + g->bundle[at.group].i[at.lane]
                                                       : NULL;
}

static void set_moments(
    const sc_problem *problem, const sc_generals *g, int32_t general, place at, const double *x) {
  sc_general_moments *m = g->moments + at.group;
  sc_general_contact c;
  copy_source(problem, general, &c);
  const int dim = problem->law[c.law]->dim(problem->par + c.par);
  for (int k = 3; k < dim; k++) {
    m->x[k - 3][at.lane] = x[k];
    g->couple[at.group].m[k - 3][at.lane] = x[k] / m->scale1[at.lane];
  }
}

void sc_problem_general_set(const sc_problem *problem, int32_t c, const double *x) {
  const sc_general_contact *row = find_row(problem, c);
  if (row) {
    memcpy(problem->x + row->x, x, (size_t)row->dim * sizeof *x);
    return;
  }
  const sc_generals *g = problem->store->generals;
  const place at = place_of(g, c);
  for (int k = 0; k < 3; k++) g->bundle[at.group].x[k][at.lane] = x[k];
  if (sc_law_rolls(bundle_kind_of(g, at.group))) set_moments(problem, g, c, at, x);
}

void sc_problem_sides(const sc_problem *problem, int32_t c, int32_t *i, int32_t *j) {
  const sc_general_contact *row = find_row(problem, c);
  if (row) {
    *i = row->i, *j = row->j;
    return;
  }
  const sc_generals *g = problem->store->generals;
  const place at = place_of(g, c);
  const sc_general_bundle *b = g->bundle + at.group;
  *i = sc_lane_body(b->i[at.lane]), *j = sc_lane_body(b->j[at.lane]);
}

/* ---- closing velocities ---- */

static double general_closing_of(const sc_problem *problem, const sc_general_contact *row) {
  double u[SCREE_LAW_MAX_DIM];
  sc_problem_general_velocity(problem, row, u);
  return fmax(0, -u[0] - row->bias);
}

/* Computes the closing velocities of a range of bundles. Stores them in push.x, which is scratch memory
 * here. */
static void find_bundle_closing(void *context, int64_t first, int64_t end) {
  const sc_problem *problem = context;
  const sc_generals *g = problem->store->generals;
  for (int64_t at = first; at < end; at++)
    if (bundle_kind_of(g, (uint32_t)at) != SC_BUNDLE_ROWS) g->kernels->closing(g, problem->body, (int32_t)at);
    else
      for (int l = 0; l < sc_slot_taken(g->taken[at]); l++)
        g->push[at].x[l] = general_closing_of(problem, problem->general + g->bundle[at].i[l]);
}

static double sum_lanes(void *context, int64_t first, int64_t end) {
  const sc_generals *g = ((const sc_problem *)context)->store->generals;
  double sum = 0;
  for (int64_t c = first; c < end; c++) {
    const place at = place_of(g, (int32_t)c);
    sum += g->push[at.group].x[at.lane];
  }
  return sum;
}

static double sum_rows(void *context, int64_t first, int64_t end) {
  const sc_problem *problem = context;
  double sum = 0;
  for (int64_t c = first; c < end; c++) sum += general_closing_of(problem, problem->general + c);
  return sum;
}

double sc_problem_closing_generals(const sc_problem *problem, sc_pool *pool) {
  void *context = (void *)problem;
  if (problem->store)
    sc_pool_ranges(
        pool, problem->store->generals->slots.count, SC_SHORT_RANGE / SC_LANES, find_bundle_closing, context);
  return sc_pool_sum(pool, problem->generals, problem->store ? sum_lanes : sum_rows, context);
}
