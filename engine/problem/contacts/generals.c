/* Bundles of general contacts: allocates and clears them, and copies contacts to their lanes. */
#include "problem/contacts/generals.h"
#include "problem/contacts/contacts.h"

#include <string.h>
#include "problem/contacts/kernels/kernels.h"

enum { CHUNK = 512 }; /* contacts per task of a thread */

typedef struct clearer {
  const sc_problem *problem;
  const sc_generals *to;
} clearer;

/* ---- one lane ---- */

/* Writes a vector to lane l. The loop is written out, because compilers do not unroll it. */
static inline void put_vector(const double from[3], uint32_t l, double (*to)[SC_LANES]) {
  to[0][l] = from[0], to[1][l] = from[1], to[2][l] = from[2];
}

/* Sets block, moments and bounds of a contact with moments. Without rolling friction the contact only has the
 * moment about n, and the other rows of the block are those of the unit matrix. */
static void put_couple(const sc_general *from, const sc_law_lane *lane, sc_general_couple *c, uint32_t l) {
  static const int entry[6][2] = {{3, 3}, {3, 4}, {3, 5}, {4, 4}, {4, 5}, {5, 5}};
  const sc_general_contact *g = from->c;
  const double square = g->scale1 * g->scale1;
  for (int k = 0; k < 6; k++) {
    const int r = entry[k][0], s = entry[k][1];
    c->R[k][l] = s < g->dim ? square * from->A[r * g->dim + s] : r == s;
  }
  for (int k = 0; k < 3; k++) c->m[k][l] = 3 + k < g->dim ? from->x[3 + k] / g->scale1 : 0;
  c->torsion[l] = lane->torsion / g->scale1;
  c->rolling[l] = lane->rolling / g->scale1;
  c->ratio[l] = g->scale1 / g->scale2;
}

static void put_block(const double *A, int dim, sc_general_bundle *b, uint32_t l) {
  static const int entry[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (int k = 0; k < 6; k++) b->A[k][l] = A[entry[k][0] * dim + entry[k][1]];
}

void sc_generals_put_lane(
    const sc_generals *to, const sc_problem *problem, int32_t slot, const sc_general *from, int32_t row) {
  uint32_t group = (uint32_t)slot / SC_LANES, l = (uint32_t)slot % SC_LANES;
  const sc_general_contact *g = from->c;
  sc_general_bundle *b = to->bundle + group;
  if (sc_slot_kind(to->taken[group]) == SC_BUNDLE_ROWS) {
    b->i[l] = row;
    return;
  }
  sc_law_lane lane = problem->law[g->law]->lane(problem->par + g->par);
  SC_ASSERT((int)lane.form == sc_slot_kind(to->taken[group]));
  put_vector(g->n, l, b->n);
  put_vector(g->t, l, b->t);
  put_vector(g->arm1, l, b->arm1);
  put_vector(g->arm2, l, b->arm2);
  put_vector(from->x, l, b->x);
  put_block(from->A, g->dim, b, l);
  b->bias[l] = g->bias;
  if (to->spring) sc_spring_put(&g->spring, to->spring + group, l);
  sc_generals_put_rule(to, problem, slot, g->i, g->j, &lane);
  if (sc_law_rolls((int)lane.form)) put_couple(from, &lane, to->couple + group, l);
}

/* Sets an empty lane to an open contact of the immovable world with itself. */
static void clear_general_lane(const sc_problem *problem, sc_general_bundle *b, int l) {
  b->A[0][l] = b->A[3][l] = b->A[5][l] = b->bias[l] = 1;
  b->i[l] = b->j[l] = ~(problem->bodies - 1);
}

static void clear_couple(sc_general_couple *c, int taken) {
  memset(c, 0, sizeof *c);
  for (int l = taken; l < SC_LANES; l++) c->R[0][l] = c->R[3][l] = c->R[5][l] = 1;
}

/* Clears the bundles of a range that have empty lanes. */
static void clear_general_lanes(void *context, int64_t first, int64_t end) {
  const clearer *f = context;
  for (int64_t at = first; at < end; at++) {
    sc_general_bundle *b = f->to->bundle + at;
    int taken = sc_slot_taken(f->to->taken[at]);
    if (taken == SC_LANES) continue;
    memset(b, 0, sizeof *b);
    if (f->to->mu_static) memset(f->to->mu_static[at], 0, sizeof f->to->mu_static[at]);
    if (f->to->ellipse) memset(f->to->ellipse[at], 0, sizeof f->to->ellipse[at]);
    if (f->to->spring) memset(f->to->spring + at, 0, sizeof *f->to->spring);
    if (f->to->couple) clear_couple(f->to->couple + at, taken);
    for (int l = taken; l < SC_LANES; l++) clear_general_lane(f->problem, b, l);
  }
}

void sc_generals_clear_rest(const sc_generals *to, const sc_problem *problem) {
  clearer f = {problem, to};
  sc_pool_ranges(to->slots.pool, to->slots.count, CHUNK / SC_LANES, clear_general_lanes, &f);
}

/* ---- all bundles ---- */

/* Sets to->K. Allocates and computes K of all bodies if the problem has no K and there are contacts. Returns
 * false if out of memory. */
static bool allocate_inertia(const sc_problem *problem, sc_arena *arena, sc_generals *to) {
  to->K = (const sc_inertia_row *)problem->K;
  if (to->K || !to->slots.count) return true;
  sc_inertia_row *K = SC_TAKE(arena, sc_inertia_row, problem->bodies);
  for (int32_t b = 0; b < problem->bodies && K; b++) sc_problem_inertia(problem, b, K[b]);
  to->K = (const sc_inertia_row *)K;
  return K != NULL;
}

bool sc_generals_take_room(
    const sc_problem *problem, const sc_contact_pairs *pairs, sc_arena *arena, sc_generals *to) {
  size_t count = (size_t)to->slots.count;
  to->bundle = SC_TAKE(arena, sc_general_bundle, count);
  to->push = SC_TAKE(arena, sc_bundle_push, count);
  if (pairs->holds) to->mu_static = sc_arena_take(arena, count * sizeof *to->mu_static);
  if (pairs->elliptic) to->ellipse = sc_arena_take(arena, count * sizeof *to->ellipse);
  if (pairs->rolls) to->couple = SC_TAKE(arena, sc_general_couple, count);
  if (pairs->springs) to->spring = SC_TAKE(arena, sc_bundle_spring, count);
  return to->bundle && to->push && (to->mu_static || !pairs->holds) && (to->ellipse || !pairs->elliptic) &&
      (to->couple || !pairs->rolls) && (to->spring || !pairs->springs) &&
      allocate_inertia(problem, arena, to);
}

bool sc_generals_remember(sc_generals *generals, sc_arena *arena) {
  const int32_t count = generals->slots.count;
  generals->past = SC_TAKE(arena, sc_bundle_past, count);
  if (generals->couple) generals->couple_past = SC_TAKE(arena, sc_bundle_past, count);
  if (!generals->past || (generals->couple && !generals->couple_past)) return false;
  for (int32_t b = 0; b < count; b++) {
    memcpy(generals->past[b].p, generals->bundle[b].x, sizeof generals->past[b].p);
    if (generals->couple)
      memcpy(generals->couple_past[b].p, generals->couple[b].m, sizeof generals->past[b].p);
  }
  return true;
}
