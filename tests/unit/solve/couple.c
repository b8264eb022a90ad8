/* Ball contacts with torsional and rolling friction: the same bits for every width and number of
 * threads, and the solutions of general contacts with six rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "law/law_parts.h"
#include "random_problem.h"
#include "solve/sweeps/kernels/sweep.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/contacts/apply.h"
#include "problem/operator/local.h"
#include "problem/residual/residual.h"

enum { SIDE = 9, BALLS = SIDE * SIDE * SIDE, CONTACTS = 3 * BALLS };
typedef struct bed {
  sc_problem problem;
  sc_solver_body body[BALLS + 2];
  double position[BALLS][3], scale[BALLS + 2];
  sc_ball_contact ball[CONTACTS];
  sc_ball_couple couple[CONTACTS];
} bed;

/* Balls of radii a to 1 in a jittered cubic bed on a floor, with velocities and impulses; bounds of
 * moments are shares of the radius of body 1, and none every fifth. */
static bed *make_bed(int side, double a, double warm) {
  bed *b = aligned_alloc(64, (sizeof *b + 63) & ~(size_t)63);
  sc_rng rng;
  memset(b, 0, sizeof *b);
  sc_rng_seed(&rng, 11);
  b->problem = (sc_problem){.bodies = BALLS + 2,
      .body = b->body,
      .position = (const double(*)[3])b->position,
      .ball = b->ball,
      .couple = b->couple,
      .dt = 1e-3,
      .gravity = 10};
  for (int i = 0; i < BALLS + 2; i++) b->scale[i] = i < BALLS ? random_between(&rng, a, 1) : 1;
  for (int i = 0; i < side * side * side; i++) {
    int at[3] = {i % side, i / side % side, i / side / side};
    for (int k = 0; k < 3; k++) b->position[i][k] = at[k] + random_between(&rng, -0.1, 0.1);
    random_vector(&rng, 0.3, b->body[i].v);
    random_vector(&rng, 0.3, b->body[i].q);
    b->body[i].v[2] -= 1;
    b->body[i].inv_mass = 1 / pow(b->scale[i], 3);
    b->body[i].k = 2.5 * b->body[i].inv_mass;
    for (int k = 0, step = 1; k < 3; k++, step *= side) {
      if (at[k] == 0 && k < 2) continue;
      sc_ball_contact *c = &b->ball[b->problem.balls];
      sc_ball_couple *m = &b->couple[b->problem.balls];
      c->i = i;
      c->j = at[k] ? i - step : BALLS;
      sc_set3(k == 0, k == 1, k == 2, c->n);
      for (int e = 0; e < 3; e++) c->n[e] += random_between(&rng, -0.2, 0.2);
      sc_normalise(c->n, c->n);
      c->bias = random_between(&rng, 0, 0.1);
      c->mu = random_between(&rng, 0.05, 0.5);
      random_vector(&rng, warm, c->p);
      random_vector(&rng, warm, m->m);
      m->ratio = b->scale[c->i] / b->scale[c->j];
      m->torsion = b->problem.balls % 3 == 0 ? 0 : random_between(&rng, 0, 0.05);
      m->rolling = b->problem.balls % 5 == 0 ? 0 : random_between(&rng, 0, 0.2);
      b->problem.balls++;
    }
  }
  return b;
}

static uint64_t bits(const bed *b) {
  uint64_t hash = sc_hash(SC_HASH_START, b->body, sizeof b->body);
  for (int c = 0; c < b->problem.balls; c++) {
    hash = sc_hash(hash, b->ball[c].p, sizeof b->ball[c].p);
    hash = sc_hash(hash, b->couple[c].m, sizeof b->couple[c].m);
  }
  return hash;
}

static double run(bed *b, int threads, int64_t sweeps, double omega, int acceleration, double tolerance) {
  sc_arena arena = {0};
  sc_pool *pool = threads > 1 ? sc_pool_create(threads) : NULL;
  scree_solver_def par = {.iterations = sweeps,
      .min_iterations = 1,
      .relaxation = omega,
      .acceleration = acceleration,
      .tolerance = tolerance};
  sc_solver_report report = {0};
  sc_problem_apply_all(&b->problem, pool);
  assert_int_equal(sc_solver_find("nbgs")->solve(&b->problem, &par, pool, &arena, &report, NULL), SCREE_OK);
  sc_pool_destroy(pool);
  sc_arena_free(&arena);
  return report.residual;
}

/* The plain loop in the order of the visit: bundles of one contact each. */
static uint64_t plain(int sweeps, double omega) {
  bed *b = make_bed(SIDE, 0.3, 0.1);
  sc_arena arena = {0};
  sc_order order;
  sc_problem_apply_all(&b->problem, NULL);
  assert_true(sc_order_build(&b->problem, SC_BALL_BLOCKS, b->problem.balls, &b->ball[0].i, &b->ball[0].j,
      sizeof(sc_ball_contact) / 4, NULL, &arena, &order));
  sc_solver_body sink, *body = sc_arena_take(&arena, (BALLS + 4) * sizeof *body);
  memcpy(body, b->body, sizeof b->body);
  memset(body + BALLS + 2, 0, 2 * sizeof *body);
  body[BALLS + 2].inv_mass = 1;
  for (int s = 0; s < sweeps; s++)
    for (int32_t k = 0; k < order.count; k++) {
      sc_ball_contact *c = &b->ball[order.visit[k]];
      sc_ball_couple *m = &b->couple[order.visit[k]];
      sc_bundle one = {0};
      sc_bundle_couple moment = {0};
      for (int l = 0; l < SC_LANES; l++) {
        one.bias[l] = l ? 1 : c->bias;
        one.i[l] = l ? BALLS + 2 : c->i;
        one.j[l] = l ? ~(BALLS + 3) : c->j == BALLS ? ~c->j : c->j;
      }
      for (int e = 0; e < 3; e++) one.n[e][0] = c->n[e], one.p[e][0] = c->p[e], moment.m[e][0] = m->m[e];
      moment.torsion[0] = m->torsion, moment.rolling[0] = m->rolling, moment.ratio[0] = m->ratio;
      const double mu[1][SC_LANES] = {{c->mu}};
      const sc_bundles single = {.bundle = &one, .mu = mu, .least = -INFINITY, .couple = &moment};
      sc_sweeps_scalar.couple(
          &(sc_sweep_in){.bundles = &single, .end = 1, .body = body, .sink = &sink, .omega = omega});
      for (int e = 0; e < 3; e++) c->p[e] = one.p[e][0], m->m[e] = moment.m[e][0];
    }
  memcpy(b->body, body, sizeof b->body);
  sc_arena_free(&arena);
  uint64_t hash = bits(b);
  free(b);
  return hash;
}

static void same_bits(void **unused) {
  (void)unused;
  const char *const simd[] = {"scalar", "avx2", "avx512"};
  const struct {
    double omega;
    int acceleration;
  } ways[] = {{1, 0}, {0.8, 0}, {1, 1}};
  for (int way = 0; way < 3; way++) {
    uint64_t expected = ways[way].acceleration ? 0 : plain(20, ways[way].omega);
    for (int s = 0; s < 3; s++)
      for (int threads = 1; threads <= 8; threads += threads < 4 ? 1 : 4) {
        bed *b = make_bed(SIDE, 0.3, 0.1);
        setenv("SCREE_SIMD", simd[s], 1);
        run(b, threads, 20, ways[way].omega, ways[way].acceleration, 0);
        unsetenv("SCREE_SIMD");
        if (!expected) expected = bits(b);
        if (bits(b) != expected) fail_msg("%s with %d threads, way %d: other bits", simd[s], threads, way);
        free(b);
      }
  }
}

/* ---- the same contacts with six rows ---- */

static const char *const laws[] = {"coulomb", "max_dissipation", "decoupled"};

/* Balls as general contacts: arms reach the surfaces, impulses in frames. */
static sc_problem as_general(const bed *b, const sc_law *const *law, sc_arena *arena) {
  sc_problem p = b->problem;
  size_t n = (size_t)p.balls;
  p.balls = 0, p.couple = NULL, p.generals = (int32_t)n, p.laws = 1, p.law = (const sc_law **)law;
  p.body = SC_TAKE(arena, sc_solver_body, p.bodies);
  memcpy(p.body, b->body, sizeof b->body);
  p.general = SC_TAKE(arena, sc_general_contact, n);
  p.par = SC_TAKE(arena, double, n *SCREE_LAW_MAX_PARAMS);
  p.block = SC_TAKE(arena, double, n * 36);
  p.x = SC_TAKE(arena, double, n * 6);
  for (int32_t c = 0; c < p.generals; c++) {
    const sc_ball_contact *from = &b->ball[c];
    const sc_ball_couple *couple = &b->couple[c];
    sc_general_contact *g = p.general + c;
    double *par = p.par + c * SCREE_LAW_MAX_PARAMS, *x = p.x + 6 * c, s = b->scale[from->i];
    *g = (sc_general_contact){.i = from->i,
        .j = from->j,
        .dim = 6,
        .scale1 = s,
        .scale2 = b->scale[from->j],
        .bias = from->bias,
        .par = c * SCREE_LAW_MAX_PARAMS,
        .block = 36 * c,
        .x = 6 * c};
    sc_copy3(from->n, g->n);
    sc_frame(g->n, g->t, g->o);
    sc_scale(-1, g->n, g->arm1);
    sc_copy3(g->n, g->arm2);
    memset(par, 0, SCREE_LAW_MAX_PARAMS * sizeof *par);
    scree_param_defaults((*law)->params, (*law)->params_count, par);
    par[SC_PAR_MU] = from->mu, par[SC_PAR_TORSION] = couple->torsion * s,
    par[SC_PAR_ROLLING] = couple->rolling * s;
    const double *axis[] = {g->n, g->t, g->o};
    for (int k = 0; k < 3; k++) x[k] = sc_dot(from->p, axis[k]), x[3 + k] = s * sc_dot(couple->m, axis[k]);
    sc_problem_general_block(&p, g, p.block + g->block);
  }
  return p;
}

/* One contact's answer is the law's, whether it separates, sticks, slides, rolls or does all. */
static void answers_are_the_laws(void **unused) {
  (void)unused;
  for (int l = 0; l < 3; l++) {
    const sc_law *law = sc_law_find(laws[l]);
    bed *b = make_bed(SIDE, 0.2, 0.5);
    sc_arena arena = {0};
    sc_problem_apply_all(&b->problem, NULL);
    sc_problem p = as_general(b, &law, &arena);
    int both = 0;
    for (int32_t c = 0; c < p.generals; c++) {
      const sc_general_contact *g = p.general + c;
      double u[3], w[3], v[6], impulse[3], moment[3], x[6];
      const sc_ball_contact *ball = b->problem.ball + c;
      const sc_ball_couple *couple = b->problem.couple + c;
      sc_problem_ball_velocity(&b->problem, ball, u);
      sc_problem_couple_velocity(&b->problem, ball, couple, w);
      sc_local_couple(&b->problem, ball, couple, u, w, impulse, moment);
      sc_problem_general_velocity(&p, g, v);
      near(v[4] * g->scale1, sc_dot(w, g->t), 1e-13 * (1 + sc_norm(w)));
      const sc_general row = sc_problem_row(&p, g);
      sc_local_general(&p, &row, v, x);
      const double *axis[] = {g->n, g->t, g->o};
      for (int k = 0; k < 3; k++) {
        near(x[k], sc_dot(impulse, axis[k]), 1e-11);
        near(x[3 + k] / g->scale1, sc_dot(moment, axis[k]), 1e-11);
      }
      const sc_ball_couple *m = b->problem.couple + c;
      both += x[0] > 0 && m->rolling > 0 && hypot(x[1], x[2]) >= 0.999999 * b->ball[c].mu * x[0] &&
          hypot(x[4], x[5]) >= 0.999999 * m->rolling * g->scale1 * x[0];
    }
    assert_true(both > 100); /* slide and roll at once: the case with turns */
    sc_arena_free(&arena);
    free(b);
  }
}

/* The residual is that of the six rows, on the way to the answer of a packing and near it. */
static void residuals_agree(void **unused) {
  (void)unused;
  const sc_law *law = sc_law_find("coulomb");
  for (int poly = 0; poly < 2; poly++)
    for (int64_t sweeps = 3; sweeps <= 300; sweeps *= 10) {
      bed *b = make_bed(SIDE, poly ? 0.3 : 1, 0);
      sc_arena arena = {0};
      run(b, 1, sweeps, 1, 0, 0);
      sc_problem judged = as_general(b, &law, &arena);
      double residual = sc_problem_residual(&b->problem);
      assert_true(residual > 0);
      near(sc_problem_residual(&judged), residual, 1e-11);
      sc_arena_free(&arena);
      free(b);
    }
}

/* Warm start puts the impulses and moments of both paths on the bodies alike. */
static void warm_starts_agree(void **unused) {
  (void)unused;
  const sc_law *law = sc_law_find("coulomb");
  bed *b = make_bed(SIDE, 0.3, 0.5);
  sc_arena arena = {0};
  sc_problem p = as_general(b, &law, &arena);
  sc_problem_apply_all(&p, NULL);
  sc_problem_apply_all(&b->problem, NULL);
  for (int i = 0; i < BALLS; i++)
    for (int k = 0; k < 3; k++) {
      near(p.body[i].v[k], b->body[i].v[k], 1e-10);
      near(p.body[i].q[k], b->body[i].q[k], 1e-10);
    }
  sc_arena_free(&arena);
  free(b);
}

/* Without bounds for moments the law is the plain one, and so are the velocities. */
static void no_moments_no_change(void **unused) {
  (void)unused;
  bed *with = make_bed(SIDE, 0.3, 0), *without = make_bed(SIDE, 0.3, 0);
  for (int c = 0; c < with->problem.balls; c++) with->couple[c].torsion = with->couple[c].rolling = 0;
  without->problem.couple = NULL;
  run(with, 1, 4000, 1, 0, 1e-13);
  run(without, 1, 4000, 1, 0, 1e-13);
  for (int i = 0; i < BALLS; i++)
    for (int k = 0; k < 3; k++) near(with->body[i].v[k], without->body[i].v[k], 1e-10);
  free(with);
  free(without);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(answers_are_the_laws),
      cmocka_unit_test(residuals_agree), cmocka_unit_test(warm_starts_agree),
      cmocka_unit_test(no_moments_no_change)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
