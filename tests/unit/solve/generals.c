/* Sweeps over bundles of general contacts give the bits of the plain loop over rows, for every width of
 * vectors and number of threads, and of every law. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "problem/contacts/slots.h"
#include "random_problem.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"
#include "problem/operator/local.h"
#include "problem/residual/residual.h"

enum { SIDE = 12, CELLS = SIDE * SIDE * SIDE, POINTS = 2, CONTACTS = 3 * CELLS * POINTS, SPARE = 64 };

/* Parameters of a bed. */
typedef struct kind {
  bool planar, drifts, rolls;
  double unit; /* masses over this: 1e-30 makes numbers that no lane takes */
  int laws;    /* of the list below */
} kind;

enum { PLAIN, FREE, HELD, CONE, SPLIT, ENERGY, ROLLS, POLYGON, BONDED, ELLIPTIC, LAWS = ELLIPTIC + 4 };
static const char *const law_name[LAWS] = {"coulomb", "frictionless", "coulomb", "cone", "decoupled",
    "max_dissipation", "coulomb", "polyhedral", "coulomb", "coulomb", "cone", "decoupled", "max_dissipation"};

static void set_parameters(sc_rng *rng, const kind *k, int law, double *par) {
  int count;
  const bool rolls = k->rolls && (!strcmp(law_name[law], "coulomb") || !strcmp(law_name[law], "decoupled"));
  const scree_param *list = scree_law_params(law_name[law], &count);
  scree_param_defaults(list, count, par);
  if (law == FREE) return;
  /* mu; where it is large an ellipse becomes a hyperbola, and cones have ridges */
  par[0] = random_between(rng, 0, random_between(rng, 0, 1) > 0.2 ? 0.6 : 3) *
      (random_between(rng, 0, 1) > 0.1);
  if (law == HELD) par[1] = par[0] + 0.2; /* mu_static */
  for (int i = 0; i < count; i++) {
    if (rolls && !strcmp(list[i].name, "torsion")) par[i] = random_between(rng, 0, 0.05);
    if (rolls && !strcmp(list[i].name, "rolling")) par[i] = fmax(0, random_between(rng, -0.1, 0.2));
    if (law >= ELLIPTIC && !strcmp(list[i].name, "mu2")) par[i] = random_between(rng, 0.01, 1);
    if (law >= ELLIPTIC && !strncmp(list[i].name, "axis", 4)) par[i] = random_between(rng, -1, 1);
    if (law == BONDED && !strcmp(list[i].name, "cohesion_impulse")) par[i] = 0.01;
  }
}

static void add_contact(sc_rng *rng, sc_problem *p, const kind *k, int32_t i, int32_t j, int axis) {
  sc_general_contact *g = p->general + p->generals;
  int law = (int)(sc_rng_next(rng) % (uint64_t)k->laws);
  memset(g, 0, sizeof *g);
  g->i = i, g->j = j, g->law = law, g->contact = p->generals;
  sc_set3(axis == 0, axis == 1, axis == 2, g->n);
  for (int m = 0; m < 3; m++) g->n[m] += random_between(rng, -0.2, 0.2);
  if (k->planar) g->n[1] = 0;
  sc_normalise(g->n, g->n);
  sc_frame(g->n, g->t, g->o);
  if (k->planar) {
    sc_cross(p->plane, g->n, g->t);
    sc_normalise(g->t, g->t);
    sc_cross(g->n, g->t, g->o);
  }
  random_unit(rng, g->arm1);
  random_unit(rng, g->arm2);
  g->scale1 = 1, g->scale2 = k->rolls ? 2 : 1;
  g->drifts = k->drifts && p->generals % 4 == 0;
  for (int r = 0; r < 3 && g->drifts; r++) g->drift[r] = random_between(rng, -1, 1);
  g->bias = random_between(rng, -0.05, 0.05);
  g->par = p->generals * SCREE_LAW_MAX_PARAMS;
  g->block = 36 * p->generals;
  g->x = 6 * p->generals;
  set_parameters(rng, k, law, p->par + g->par);
  g->dim = p->law[law]->dim ? p->law[law]->dim(p->par + g->par) : 3;
  sc_problem_general_block(p, g, p->block + g->block);
  for (int r = 0; r < g->dim; r++) p->x[g->x + r] = 0;
  p->x[g->x] = random_between(rng, 0, 0.1) / k->unit;
  p->generals++;
}

/* A jittered cubic pile, some points between neighbours, the lowest layer on an immovable body. */
static sc_problem make(const kind *k, sc_arena *arena) {
  static const sc_law *law[LAWS];
  sc_rng rng;
  sc_problem p = {.bodies = CELLS + 1, .dt = 1e-3, .gravity = 10, .laws = k->laws, .law = law};
  sc_rng_seed(&rng, 7);
  for (int l = 0; l < LAWS; l++) law[l] = sc_law_find(law_name[l]);
  p.planar = k->planar;
  p.drifts = k->drifts;
  sc_set3(0, 1, 0, p.plane);
  p.body = SC_TAKE(arena, sc_solver_body, p.bodies + SPARE);
  p.K = sc_arena_take(arena, (size_t)p.bodies * sizeof *p.K);
  double(*position)[3] = sc_arena_take(arena, (size_t)p.bodies * sizeof *position);
  p.position = (const double(*)[3])position;
  p.general = SC_TAKE(arena, sc_general_contact, CONTACTS);
  p.par = SC_TAKE(arena, double, CONTACTS *SCREE_LAW_MAX_PARAMS);
  p.block = SC_TAKE(arena, double, CONTACTS * 36);
  p.x = SC_TAKE(arena, double, CONTACTS * 6);
  memset(p.body, 0, (size_t)p.bodies * sizeof *p.body);
  memset(p.K, 0, (size_t)p.bodies * sizeof *p.K);
  memset(position, 0, (size_t)p.bodies * sizeof *position);
  for (int32_t b = 0; b < CELLS; b++) {
    const int at[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
    random_body(&rng, &p, b);
    p.body[b].inv_mass *= k->unit;
    for (int e = 0; e < 6; e++) p.K[b][e] *= k->unit;
    for (int e = 0; e < 3; e++) position[b][e] = at[e] + random_between(&rng, -0.1, 0.1);
  }
  for (int32_t b = 0; b < CELLS; b++)
    for (int axis = 0, step = 1; axis < 3; axis++, step *= SIDE) {
      bool lowest = b / step % SIDE == 0;
      for (int e = 0; e < POINTS && (axis == 2 || !lowest); e++)
        add_contact(&rng, &p, k, b, lowest ? CELLS : b - step, axis);
    }
  return p;
}

static uint64_t bits(const sc_problem *p) {
  uint64_t hash = SC_HASH_START;
  for (int32_t b = 0; b < p->bodies; b++) {
    hash = sc_hash(hash, p->body[b].v, sizeof p->body[b].v);
    hash = sc_hash(hash, p->body[b].q, sizeof p->body[b].q);
  }
  for (int32_t c = 0; c < p->generals; c++)
    hash = sc_hash(hash, p->x + p->general[c].x, (size_t)p->general[c].dim * sizeof *p->x);
  return hash;
}

enum { SWEEPS = 6 };

static sc_order order_of(const sc_problem *p, sc_arena *arena) {
  sc_order order;
  assert_true(sc_order_build(p, SC_GENERAL_BLOCKS, p->generals, &p->general->i, &p->general->j,
      sizeof(sc_general_contact) / sizeof(int32_t), NULL, arena, &order));
  return order;
}

/* The plain loop in the order of the visit. */
static uint64_t plain(const kind *k, double omega) {
  sc_arena arena = {0};
  sc_problem p = make(k, &arena);
  const sc_order order = order_of(&p, &arena);
  for (int s = 0; s < SWEEPS; s++)
    for (int32_t v = 0; v < order.count; v++) {
      const sc_general_contact *c = p.general + order.visit[v];
      double u[SCREE_LAW_MAX_DIM], next[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM], *x = p.x + c->x;
      sc_problem_general_velocity(&p, c, u);
      const sc_general row = sc_problem_row(&p, c);
      assert_true(sc_local_general(&p, &row, u, next) >= 0);
      for (int r = 0; r < c->dim; r++) {
        d[r] = omega * (next[r] - x[r]);
        x[r] = omega == 1 ? next[r] : x[r] + d[r];
      }
      sc_problem_general_apply(&p, c, d);
    }
  uint64_t hash = bits(&p);
  sc_arena_free(&arena);
  return hash;
}

static uint64_t solve(const kind *k, const char *simd, int threads, double omega, int acceleration) {
  sc_arena arena = {0};
  sc_problem p = make(k, &arena);
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  scree_solver_def par = {
      .iterations = SWEEPS, .min_iterations = 1, .relaxation = omega, .acceleration = acceleration};
  sc_solver_report report;
  setenv("SCREE_SIMD", simd, 1);
  assert_int_equal(sc_solver_find("nbgs")->solve(&p, &par, pool, &arena, &report, NULL), SCREE_OK);
  unsetenv("SCREE_SIMD");
  uint64_t hash = bits(&p);
  sc_pool_destroy(pool);
  sc_arena_free(&arena);
  return hash;
}

static const char *const simd[] = {"scalar", "avx2", "avx512"};
static const int threads_tried[3][4] = {{1, 3}, {2, 8}, {1, 2, 3, 8}};

static void compare(const kind *k, double omega, int acceleration, uint64_t expected) {
  for (int s = 0; s < 3; s++)
    for (int t = 0; t < 4 && threads_tried[s][t]; t++)
      if (solve(k, simd[s], threads_tried[s][t], omega, acceleration) != expected)
        fail_msg("%s with %d threads: other bits", simd[s], threads_tried[s][t]);
}

static void coulomb(void **unused) {
  (void)unused;
  const kind k = {.unit = 1, .laws = 1};
  compare(&k, 1, 0, plain(&k, 1));
}

static void coulomb_relaxed(void **unused) {
  (void)unused;
  const kind k = {.unit = 1, .laws = FREE + 1};
  compare(&k, 0.8, 0, plain(&k, 0.8));
}

/* Kinds of bundles side by side, those that rows are left to among them. */
static void all_laws(void **unused) {
  (void)unused;
  const kind k = {.unit = 1, .laws = LAWS};
  compare(&k, 1, 0, plain(&k, 1));
}

static void in_a_plane(void **unused) {
  (void)unused;
  const kind k = {.planar = true, .unit = 1, .laws = ENERGY + 1};
  compare(&k, 1, 0, plain(&k, 1));
}

static void images_that_move(void **unused) {
  (void)unused;
  const kind k = {.drifts = true, .unit = 1, .laws = FREE + 1}, still = {.unit = 1, .laws = FREE + 1};
  uint64_t expected = plain(&k, 1);
  assert_true(expected != plain(&still, 1));
  compare(&k, 1, 0, expected);
}

/* Masses so large that products of six numbers vanish. */
static void untame(void **unused) {
  (void)unused;
  const kind k = {.unit = 1e-30, .laws = ENERGY + 1};
  compare(&k, 1, 0, plain(&k, 1));
}

static void momentum(void **unused) {
  (void)unused;
  const kind k = {.unit = 1, .laws = LAWS};
  uint64_t expected = solve(&k, "scalar", 1, 1, 1);
  assert_true(expected != plain(&k, 1));
  compare(&k, 1, 1, expected);
}

/* Moments of laws that have them in lanes, others beside them. */
static void moments(void **unused) {
  (void)unused;
  const kind k = {.unit = 1, .laws = LAWS, .rolls = true},
             flat = {.planar = true, .unit = 1, .laws = ROLLS + 1, .rolls = true};
  compare(&k, 0.8, 0, solve(&k, "scalar", 1, 0.8, 0));
  compare(&k, 1, 1, solve(&k, "scalar", 1, 1, 1));
  compare(&flat, 1, 0, solve(&flat, "scalar", 1, 1, 0));
}

/* Keeps one contact of each body that touches the immovable body and removes all other contacts. */
static int32_t keep_apart(sc_problem *p) {
  int32_t kept = 0, last = -1;
  for (int32_t c = 0; c < p->generals; c++)
    if (p->general[c].j == CELLS && p->general[c].i != last) {
      last = p->general[c].i;
      p->general[kept++] = p->general[c];
    }
  return p->generals = kept;
}

/* The result of sweeps is the solution of the laws' scalar code. */
static void moments_are_the_laws(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  sc_problem p = make(&(kind){.unit = 1, .laws = LAWS, .rolls = true}, &arena);
  scree_solver_def par = {.iterations = 400, .min_iterations = 400, .relaxation = 1};
  sc_solver_report report;
  assert_true(keep_apart(&p) == SIDE * SIDE);
  sc_problem_apply_all(&p, NULL);
  assert_true(sc_problem_residual(&p) > 1);
  assert_int_equal(sc_solver_find("nbgs")->solve(&p, &par, NULL, &arena, &report, NULL), SCREE_OK);
  assert_true(sc_problem_residual(&p) < 1e-12);
  sc_arena_free(&arena);
}

static int64_t sweep(int64_t fewest, int64_t most, double tolerance, double *residual) {
  sc_arena arena = {0};
  sc_problem p = make(&(kind){.unit = 1, .laws = LAWS, .rolls = true}, &arena);
  scree_solver_def par = {
      .iterations = most, .min_iterations = fewest, .relaxation = 1, .tolerance = tolerance};
  sc_solver_report report;
  assert_int_equal(sc_solver_find("nbgs")->solve(&p, &par, NULL, &arena, &report, NULL), SCREE_OK);
  *residual = report.residual;
  sc_arena_free(&arena);
  return report.iterations;
}

/* Changes are measured where somebody asks for them, not in every sweep: what is told does not show it. */
static void fewest_sweeps(void **unused) {
  (void)unused;
  enum { MOST = 6, FEWEST = 4 };
  double change[MOST + 1], found;
  for (int n = 1; n <= MOST; n++) {
    assert_int_equal(sweep(1, n, 0, change + n), n);
    assert_int_equal(sweep(n, n, 0, &found), n);
    assert_true(found == change[n] && found > 0);
  }
  for (int n = 1; n <= MOST; n++) {
    int64_t end = FEWEST;
    while (end < MOST && change[end] > change[n]) end++;
    assert_int_equal(sweep(FEWEST, MOST, change[n], &found), end);
    assert_true(found == change[end]);
  }
}

/* Where a bundle is swept. */
typedef struct turn {
  int thread, round;
} turn;

static turn turn_of(const sc_slots *slots, int32_t bundle) {
  for (int thread = 0; thread < slots->threads; thread++)
    for (int round = 0; round < slots->rounds; round++) {
      const sc_stream s = sc_slots_share(slots, thread, 0, round);
      if (bundle >= s.first && bundle < s.first + s.count) return (turn){thread, round};
    }
  fail_msg("bundle %d is nobody's", (int)bundle);
  return (turn){0, 0};
}

/* Whether one bundle is done when the other begins. */
static bool comes_after(const sc_slots *slots, int32_t later, int32_t earlier) {
  const turn a = turn_of(slots, earlier), b = turn_of(slots, later);
  return a.thread == b.thread ? later > earlier : b.round > a.round;
}

/* Contacts of a body come in their order, every contact once. */
static void check_slots(const sc_problem *p, const sc_order *order, const sc_slots *slots) {
  static int32_t last[CELLS + 1];
  static bool seen[CONTACTS * SC_LANES];
  memset(last, 0xff, sizeof last), memset(seen, 0, sizeof seen);
  for (int32_t v = 0; v < order->count; v++) {
    const sc_general_contact *c = p->general + order->visit[v];
    const int32_t slot = slots->slot[order->visit[v]], bundle = slot / SC_LANES;
    assert_true(slot >= 0 && bundle < slots->count && !seen[slot]);
    seen[slot] = true;
    for (int32_t side = 0, b = c->i; side < 2; side++, b = c->j) {
      if (!sc_problem_moves(p, b)) continue;
      assert_true(last[b] < 0 || comes_after(slots, bundle, last[b]));
      last[b] = bundle;
    }
  }
}

/* Bundles that the threads wait for, over those that each would have if all lanes were filled. */
static double longest(const sc_slots *slots) {
  double sum = 0;
  for (int round = 0; round < slots->rounds; round++) {
    int32_t most = 0;
    for (int thread = 0; thread < slots->threads; thread++) {
      const int32_t count = sc_slots_share(slots, thread, 0, round).count;
      most = count > most ? count : most;
    }
    sum += most;
  }
  return sum * slots->threads * SC_LANES / slots->contacts;
}

static void rounds(void **unused) {
  (void)unused;
  sc_arena arena = {0};
  const sc_problem p = make(&(kind){.unit = 1, .laws = 1}, &arena);
  const sc_contact_pairs pairs = {&p.general->i, &p.general->j, sizeof *p.general / sizeof(int32_t)};
  const sc_order order = order_of(&p, &arena);
  for (int threads = 1; threads < 9; threads++) {
    sc_slots slots;
    sc_pool *pool = sc_pool_create(threads);
    assert_non_null(pool);
    assert_true(sc_slots_open(p.generals, pool, NULL, &arena, &slots));
    const uint8_t *taken = sc_slots_plan(
        &p, SC_GENERAL_BLOCKS, &pairs, NULL, sc_arena_here(&arena), &arena, &slots);
    assert_non_null(taken);
    int32_t contacts = 0;
    for (int32_t b = 0; b < slots.count; b++) contacts += sc_slot_taken(taken[b]);
    assert_int_equal(contacts, p.generals);
    check_slots(&p, &order, &slots);
    assert_true(threads > 2 || longest(&slots) < 1.1);
    sc_pool_destroy(pool);
  }
  sc_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coulomb), cmocka_unit_test(coulomb_relaxed),
      cmocka_unit_test(all_laws), cmocka_unit_test(in_a_plane), cmocka_unit_test(images_that_move),
      cmocka_unit_test(untame), cmocka_unit_test(momentum), cmocka_unit_test(moments),
      cmocka_unit_test(moments_are_the_laws), cmocka_unit_test(fewest_sweeps), cmocka_unit_test(rounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
