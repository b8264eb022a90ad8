/* Bundles of general contacts: their kinds, rows of the problem on their way in, impulses on their way
 * out. */
#include "solve/sweeps/bundles/generals.h"

#include <string.h>

enum { CHUNK = 512 }; /* contacts that a thread takes at a time */

typedef struct filler {
  const sc_problem *problem;
  sc_generals *to;
  uint8_t *kind;       /* per contact, while slots are planned */
  int holds, elliptic; /* somewhere sticking has a coefficient of its own; a cone is no circle */
} filler;

/* The form in which lanes take a contact. */
static sc_law_lane lane_of(const sc_problem *problem, const sc_general_contact *c) {
  const sc_law *law = problem->law[c->law];
  sc_law_lane none = {.form = SC_FORM_NONE};
  if (c->dim != 3 || problem->matrix || (problem->drifts && c->drifts) || !law->lane) return none;
  return law->lane(problem->par + c->par);
}

static void set_kinds(void *context, int64_t first, int64_t end) {
  filler *f = context;
  for (int64_t c = first; c < end; c++) {
    sc_law_lane lane = lane_of(f->problem, f->problem->general + c);
    f->kind[c] = (uint8_t)lane.form;
    if (lane.form != SC_FORM_NONE && lane.mu_static > lane.mu)
      __atomic_store_n(&f->holds, 1, __ATOMIC_RELAXED);
    if (sc_law_elliptic((int)lane.form)) __atomic_store_n(&f->elliptic, 1, __ATOMIC_RELAXED);
  }
}

/* ---- one lane ---- */

static int32_t written(const sc_problem *problem, int32_t body) {
  return sc_problem_moves(problem, body) ? body : ~body;
}

/* Written out: compilers leave loops of three as loops. */
static inline void put3(const double from[3], uint32_t l, double (*to)[SC_LANES]) {
  to[0][l] = from[0], to[1][l] = from[1], to[2][l] = from[2];
}

void sc_generals_put_lane(
    const sc_generals *to, const sc_problem *problem, int32_t slot, const sc_general *from, int32_t row) {
  uint32_t group = (uint32_t)slot / SC_LANES, l = (uint32_t)slot % SC_LANES;
  const sc_general_contact *g = from->c;
  static const int entry[6] = {0, 1, 2, 4, 5, 8};
  const double *A = from->A, *x = from->x;
  sc_general_bundle *b = to->bundle + group;
  if (sc_slot_kind(to->taken[group]) == SC_BUNDLE_ROWS) {
    b->i[l] = row;
    return;
  }
  sc_law_lane lane = problem->law[g->law]->lane(problem->par + g->par);
  put3(g->n, l, b->n);
  put3(g->t, l, b->t);
  put3(g->arm1, l, b->arm1);
  put3(g->arm2, l, b->arm2);
  put3(x, l, b->x);
  for (int k = 0; k < 6 && A; k++) b->A[k][l] = A[entry[k]];
  b->bias[l] = g->bias;
  b->mu[l] = lane.mu;
  if (to->mu_static) to->mu_static[group][l] = lane.mu_static;
  for (int k = 0; k < 4 && to->ellipse; k++) to->ellipse[group][k][l] = lane.t[k / 2][k % 2];
  b->i[l] = written(problem, g->i);
  b->j[l] = written(problem, g->j);
}

static void put_lanes(void *context, int64_t first, int64_t end) {
  const filler *f = context;
  for (int64_t c = first; c < end; c++) {
    const sc_general row = sc_problem_row(f->problem, f->problem->general + c);
    sc_generals_put_lane(f->to, f->problem, f->to->slots.slot[c], &row, (int32_t)c);
  }
}

/* An empty lane opens: the immovable world against itself. */
static void clear_lane(const sc_problem *problem, sc_general_bundle *b, int l) {
  b->A[0][l] = b->A[3][l] = b->A[5][l] = b->bias[l] = 1;
  b->i[l] = b->j[l] = ~(problem->bodies - 1);
}

/* Bundles that are not full are cleared first. */
static void clear_rest(void *context, int64_t first, int64_t end) {
  const filler *f = context;
  for (int64_t at = first; at < end; at++) {
    sc_general_bundle *b = f->to->bundle + at;
    int taken = sc_slot_taken(f->to->taken[at]);
    if (taken == SC_LANES) continue;
    memset(b, 0, sizeof *b);
    if (f->to->mu_static) memset(f->to->mu_static[at], 0, sizeof f->to->mu_static[at]);
    if (f->to->ellipse) memset(f->to->ellipse[at], 0, sizeof f->to->ellipse[at]);
    for (int l = taken; l < SC_LANES; l++) clear_lane(f->problem, b, l);
  }
}

void sc_generals_clear_rest(const sc_generals *to, const sc_problem *problem, sc_pool *pool) {
  filler f = {.problem = problem, .to = (sc_generals *)to};
  sc_pool_ranges(pool, to->slots.count, CHUNK / SC_LANES, clear_rest, &f);
}

/* ---- all ---- */

/* K of all bodies where the problem keeps none and there are contacts that ask for it. */
static bool take_inertia(const sc_problem *problem, sc_arena *arena, sc_generals *to) {
  to->K = (const double(*)[6])problem->K;
  if (to->K || !to->slots.count) return true;
  double(*K)[6] = sc_arena_take(arena, (size_t)problem->bodies * sizeof *K);
  for (int32_t b = 0; b < problem->bodies && K; b++) sc_problem_inertia(problem, b, K[b]);
  to->K = (const double(*)[6])K;
  return K != NULL;
}

static bool plan(filler *f, sc_pool *pool, sc_arena *arena) {
  const sc_problem *problem = f->problem;
  int32_t generals = problem->generals;
  sc_slots *slots = &f->to->slots;
  if (!sc_slots_open(generals, pool, sc_problem_exchange(problem)->shared, arena, slots)) return false;
  sc_arena_mark mark = sc_arena_here(arena);
  f->kind = SC_TAKE(arena, uint8_t, generals);
  if (!f->kind) return false;
  sc_pool_ranges(pool, generals, CHUNK, set_kinds, f);
  /* an empty bucket may have no array at all */
  const sc_ball_pairs pairs = {.first = generals ? &problem->general->i : NULL,
      .second = generals ? &problem->general->j : NULL,
      .stride = sizeof *problem->general / sizeof(int32_t)};
  f->to->taken = sc_slots_plan(problem, SC_GENERAL_BLOCKS, &pairs, f->kind, mark, arena, slots);
  return f->to->taken != NULL;
}

bool sc_generals_take_room(
    const sc_problem *problem, bool holds, bool elliptic, sc_arena *arena, sc_generals *to) {
  size_t count = (size_t)to->slots.count;
  to->bundle = SC_TAKE(arena, sc_general_bundle, count);
  if (holds) to->mu_static = sc_arena_take(arena, count * sizeof *to->mu_static);
  if (elliptic) to->ellipse = sc_arena_take(arena, count * sizeof *to->ellipse);
  return to->bundle && (to->mu_static || !holds) && (to->ellipse || !elliptic) &&
      take_inertia(problem, arena, to);
}

bool sc_generals_remember(sc_generals *generals, sc_arena *arena) {
  generals->past = SC_TAKE(arena, sc_bundle_past, generals->slots.count);
  for (int32_t b = 0; b < generals->slots.count && generals->past; b++)
    memcpy(generals->past[b].p, generals->bundle[b].x, sizeof generals->past[b].p);
  return generals->past != NULL;
}

bool sc_generals_fill(
    const sc_problem *problem, bool past, sc_pool *pool, sc_arena *arena, sc_generals *generals) {
  filler f = {.problem = problem, .to = generals};
  *generals = (sc_generals){.bundle = NULL};
  if (!plan(&f, pool, arena) || !sc_generals_take_room(problem, f.holds, f.elliptic, arena, generals))
    return false;
  sc_generals_clear_rest(generals, problem, pool);
  sc_pool_ranges(pool, problem->generals, CHUNK, put_lanes, &f);
  return !past || sc_generals_remember(generals, arena);
}

static void get_lanes(void *context, int64_t first, int64_t end) {
  const filler *f = context;
  for (int64_t c = first; c < end; c++) {
    uint32_t slot = (uint32_t)f->to->slots.slot[c], group = slot / SC_LANES, l = slot % SC_LANES;
    double *x = f->problem->x + f->problem->general[c].x;
    if (sc_slot_kind(f->to->taken[group]) == SC_BUNDLE_ROWS) continue;
    for (int k = 0; k < 3; k++) x[k] = f->to->bundle[group].x[k][l];
  }
}

void sc_generals_unpack(const sc_generals *generals, const sc_problem *problem) {
  filler f = {.problem = problem, .to = (sc_generals *)generals};
  if (!generals->origin) sc_pool_ranges(generals->slots.pool, problem->generals, CHUNK, get_lanes, &f);
}
