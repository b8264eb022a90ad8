/* Random problems for tests of solvers: a group of bodies with full inertia matrices, with contacts between
 * each other and with the ground. */
#ifndef RANDOM_PROBLEM_H
#define RANDOM_PROBLEM_H

#include <math.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "solve/solver.h"
#include "problem/operator/delassus.h"

/* Fails the test unless |a - b| <= tolerance. */
#define near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static inline double random_between(sc_rng *rng, double a, double b) {
  return a + (b - a) * sc_rng_unit(rng);
}
static inline void random_vector(sc_rng *rng, double size, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = random_between(rng, -size, size);
}
static inline void random_unit(sc_rng *rng, double out[3]) {
  do random_vector(rng, 1, out);
  while (sc_dot(out, out) > 1 || sc_dot(out, out) < 0.01);
  sc_normalise(out, out);
}

/* Sets body b to a body with a mass of 1 to 2 kg, a random symmetric positive definite matrix K, and a
 * velocity with a downward and a random component. */
static inline void random_body(sc_rng *rng, sc_problem *problem, int32_t b) {
  sc_solver_body *body = problem->body + b;
  double *K = problem->K[b], a[3], c[3];
  body->inv_mass = random_between(rng, 0.5, 1);
  body->k = 0;
  random_vector(rng, 0.5, body->v);
  body->v[2] -= 1;
  random_vector(rng, 0.5, body->q);
  random_vector(rng, 1, a);
  random_vector(rng, 1, c);
  memset(K, 0, 6 * sizeof *K);
  K[0] = K[3] = K[5] = 2;
  for (int i = 0, e = 0; i < 3; i++)
    for (int j = i; j < 3; j++) K[e++] += a[i] * a[j] + c[i] * c[j];
}

/* Returns a problem with `bodies` movable bodies and `contacts` general contacts of one law. par, count:
 * parameters of the law. The first contacts, one per body, are with the ground and have nearly upright
 * normals. The bodies therefore share loads, and no body is squeezed between immovable bodies. */
static inline sc_problem random_problem(sc_rng *rng, int32_t bodies, int32_t contacts,
    const sc_law *const *law, const double *par, int count, sc_arena *arena) {
  sc_problem problem = {
      .bodies = bodies + 1, .dt = 1e-3, .gravity = 9.81, .laws = 1, .law = (const sc_law **)law};
  problem.body = SC_TAKE(arena, sc_solver_body, bodies + 1);
  problem.K = sc_arena_take(arena, (size_t)(bodies + 1) * sizeof *problem.K);
  problem.general = SC_TAKE(arena, sc_general_contact, contacts);
  problem.par = SC_TAKE(arena, double, contacts *SCREE_LAW_MAX_PARAMS);
  problem.block = SC_TAKE(arena, double, contacts * 36);
  problem.x = SC_TAKE(arena, double, contacts * 6);
  problem.ball = SC_TAKE(arena, sc_ball_contact, 1);
  problem.ball_contact = SC_TAKE(arena, int32_t, 1);
  problem.joint_row = SC_TAKE(arena, sc_joint_row, 64);
  memset(problem.body + bodies, 0, sizeof *problem.body);
  memset(problem.K + bodies, 0, sizeof *problem.K);
  memset(problem.x, 0, (size_t)contacts * 6 * sizeof(double));
  memset(problem.par, 0, (size_t)contacts * SCREE_LAW_MAX_PARAMS * sizeof(double));
  for (int32_t b = 0; b < bodies; b++) random_body(rng, &problem, b);
  for (int32_t c = 0; c < contacts; c++) {
    sc_general_contact *g = problem.general + c;
    memset(g, 0, sizeof *g);
    g->i = c % bodies;
    g->j = c < bodies || bodies == 1
        ? bodies
        : (g->i + 1 + (int32_t)(sc_rng_next(rng) % (uint64_t)(bodies - 1))) % bodies;
    random_unit(rng, g->n);
    if (g->j == bodies) g->n[2] = fabs(g->n[2]) + 1;
    sc_normalise(g->n, g->n);
    sc_frame(g->n, g->t, g->o);
    random_unit(rng, g->arm1);
    random_unit(rng, g->arm2);
    g->scale1 = g->scale2 = 1;
    g->dim = 3;
    g->bias = random_between(rng, -0.05, 0.1);
    g->par = c * SCREE_LAW_MAX_PARAMS;
    g->block = 9 * c;
    g->x = 3 * c;
    memcpy(problem.par + g->par, par, (size_t)count * sizeof *par);
  }
  problem.generals = contacts;
  for (int32_t c = 0; c < contacts; c++)
    sc_problem_general_block(&problem, problem.general + c, problem.block + problem.general[c].block);
  return problem;
}

/* Adds a joint row between bodies i and j along a random direction. Its impulse is bounded to [lo, hi];
 * infinite bounds: a bilateral row. */
static inline void add_random_joint(
    sc_rng *rng, sc_problem *problem, int32_t i, int32_t j, double lo, double hi) {
  sc_joint_row *row = problem->joint_row + problem->joint_rows++;
  memset(row, 0, sizeof *row);
  row->i = i;
  row->j = j;
  random_unit(rng, row->lin1);
  sc_scale(-1, row->lin1, row->lin2);
  random_vector(rng, 1, row->ang1);
  random_vector(rng, 1, row->ang2);
  row->bias = random_between(rng, -0.1, 0.1);
  row->lo = lo;
  row->hi = hi;
}

#endif
