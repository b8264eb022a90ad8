/* Makes random problems with a dense reference: the matrix J of all rows and the matrix of inverse masses, by
 * the definitions in problem.h and planar.h. The problems have balls, general contacts of 3 to 6 rows, joint
 * rows with third bodies and softness, bonds, springs, drifts and planar motion. */
#ifndef DENSE_PROBLEM_H
#define DENSE_PROBLEM_H

#include "../solve/random_problem.h"
#include "law/law_parts.h"
#include "problem/planar.h"

enum { BODIES = 6, CONTACTS = 9, BALLS = 5, JOINTS = 6, BONDS = 3, MOST = 6 * CONTACTS + 3 * BALLS + JOINTS };
enum { COLUMNS = 6 * (BODIES + 1) };

typedef struct kind {
  bool joints, springs, drifts, planar, wide, bonds;
} kind;

static const kind kinds[] = {{0}, {.joints = true}, {.springs = true, .joints = true}, {.drifts = true},
    {.wide = true}, {.wide = true, .springs = true, .drifts = true, .joints = true, .bonds = true},
    {.planar = true}, {.planar = true, .wide = true, .joints = true},
    {.planar = true, .springs = true, .drifts = true, .wide = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct dense {
  kind k;
  sc_arena arena;
  sc_problem problem;
  sc_joint_third third;
  sc_ball_couple couple[BALLS];
  sc_bond_row bond[BONDS];
  int rows;
  double J[MOST][COLUMNS], W[COLUMNS][COLUMNS]; /* rows on v and q of all bodies; inverse masses */
  double soft[MOST], given[MOST], x[MOST]; /* compliance, velocity without bodies, and impulse of a row */
  bool dead[MOST];                         /* rows that cannot move in a planar problem */
} dense;

/* ---- the problem ---- */

static inline void random_spring(sc_rng *rng, sc_contact_spring *s, bool is_ball, const double n[3]) {
  s->normal = random_between(rng, 0.1, 2), s->tangent = random_between(rng, 0.1, 2);
  s->bias = random_between(rng, -0.2, 0.2);
  random_vector(rng, 0.2, s->last);
  if (is_ball)
    sc_axpy(-sc_dot(s->last, n), n, s->last, s->last); // the impulse of the last step is tangential
}

static inline void make_flat(sc_rng *rng, sc_problem *p) {
  p->planar = true;
  random_unit(rng, p->plane);
  for (int32_t b = 0; b < BODIES; b++) {
    const double *n = p->plane, stiff = random_between(rng, 0.5, 2);
    sc_solver_body *body = p->body + b;
    sc_planar_project(n, body->v, body->v);
    sc_scale(sc_dot(n, body->q), n, body->q);
    for (int i = 0, e = 0; i < 3; i++)
      for (int j = i; j < 3; j++) p->K[b][e++] = stiff * n[i] * n[j];
  }
  for (int32_t c = 0; c < p->generals; c++) {
    sc_general_contact *g = p->general + c;
    sc_planar_project(p->plane, g->n, g->n);
    sc_normalise(g->n, g->n);
    sc_planar_frame(p->plane, g->n, g->t, g->o);
  }
}

static inline void add_balls(sc_rng *rng, dense *d) {
  sc_problem *p = &d->problem;
  p->ball = SC_TAKE(&d->arena, sc_ball_contact, BALLS);
  for (int32_t b = 0; b < 3; b++) { // the first three bodies are balls
    double *K = p->K[b];
    memset(K, 0, 6 * sizeof *K);
    p->body[b].k = K[0] = K[3] = K[5] = random_between(rng, 1, 3);
  }
  for (int32_t c = 0; c < BALLS; c++, p->balls++) {
    sc_ball_contact *ball = p->ball + c;
    *ball = (sc_ball_contact){
        .i = c % 3, .j = c < 3 ? (c + 1) % 3 : BODIES, .mu = 0.3, .bias = random_between(rng, -0.1, 0.1)};
    random_unit(rng, ball->n);
    random_vector(rng, 0.1, ball->p);
    if (d->k.springs && c % 2) random_spring(rng, &ball->spring, true, ball->n);
  }
}

static inline void add_joints(sc_rng *rng, dense *d) {
  static const double lo[JOINTS] = {-INFINITY, 0, -INFINITY, -0.3, 0.2, -INFINITY},
                      hi[JOINTS] = {INFINITY, INFINITY, 0, 0.4, 0.2, INFINITY};
  for (int32_t r = 0; r < JOINTS; r++) {
    add_random_joint(rng, &d->problem, r % BODIES, r % 3 ? (r + 2) % BODIES : BODIES, lo[r], hi[r]);
    sc_joint_row *row = d->problem.joint_row + r;
    random_vector(rng, 1, row->lin2);
    row->softness = r % 2 ? random_between(rng, 0.1, 1) : 0;
    row->x = lo[r] == hi[r] ? lo[r] : random_between(rng, fmax(lo[r], -0.1), fmin(hi[r], 0.1));
  }
  d->third = (sc_joint_third){.body = 4};
  random_vector(rng, 1, d->third.lin), random_vector(rng, 1, d->third.ang);
  d->problem.third = &d->third, d->problem.thirds = 1, d->problem.joint_row[5].third = 1;
}

static inline void add_bonds(sc_rng *rng, dense *d) {
  for (int b = 0; b < BONDS; b++) {
    sc_bond_row *row = d->bond + b;
    *row = (sc_bond_row){.i = b, .j = b < 2 ? b + 2 : BODIES, .ratio = random_between(rng, 0.5, 2)};
    random_unit(rng, row->d);
    row->arm1 = random_between(rng, 0.5, 1), row->arm2 = random_between(rng, 0.5, 1);
    random_vector(rng, 0.2, row->p), random_vector(rng, 0.2, row->m);
    random_vector(rng, 0.2, row->push), random_vector(rng, 0.2, row->turn);
    for (int k = 0; k < 4; k++) row->soft[k] = random_between(rng, 0.2, 1);
  }
  d->problem.bond = d->bond, d->problem.bonds = BONDS;
}

static inline void make_problem(dense *d, const kind *k, uint64_t seed) {
  static const double par[] = {0.4};
  static const sc_law *law;
  law = sc_law_find("coulomb");
  sc_rng rng;
  sc_rng_seed(&rng, seed);
  memset(d, 0, sizeof *d);
  d->k = *k;
  sc_problem *p = &d->problem;
  *p = random_problem(&rng, BODIES, CONTACTS, &law, par, 1, &d->arena);
  random_vector(&rng, 0.5, p->body[BODIES].v), random_vector(&rng, 0.5, p->body[BODIES].q);
  if (k->planar) make_flat(&rng, p);
  else add_balls(&rng, d);
  if (k->joints) add_joints(&rng, d);
  if (k->bonds) add_bonds(&rng, d);
  p->drifts = k->drifts, p->springs = k->springs;
  for (int32_t c = 0, x = 0; c < CONTACTS; c++) {
    sc_general_contact *g = p->general + c;
    g->dim = k->wide ? 3 + c % 4 : 3;
    g->scale1 = random_between(&rng, 0.3, 2), g->scale2 = random_between(&rng, 0.3, 2);
    if (k->planar) g->dim = k->wide && c % 2 ? 6 : 3; // the parameters of laws ask for either
    g->x = x, g->block = 36 * c, x += g->dim;
    if (k->springs && c % 2) random_spring(&rng, &g->spring, false, NULL);
    if (k->drifts) random_vector(&rng, 0.3, g->drift), g->drifts = true;
    for (int r = 0; r < g->dim; r++)
      p->x[g->x + r] = k->planar && sc_planar_dead(r) ? 0 : random_between(&rng, -0.1, 0.1);
    if (k->planar && k->drifts) g->drift[2] = 0;
    if (k->planar) g->spring.last[2] = 0;
    sc_problem_general_block(p, g, p->block + g->block);
  }
}

/* ---- the matrices ---- */

static inline void put(double *row, int32_t body, double sign, const double lin[3], const double ang[3]) {
  for (int k = 0; k < 3; k++) {
    row[6 * body + k] += sign * lin[k];
    row[6 * body + 3 + k] += sign * ang[k];
  }
}

/* A row of the relative velocity along `axis` of the points with the arms arm1 and arm2: axis.(v + q x arm) =
 * axis.v + q.(arm x axis). */
static inline void put_points(dense *d, int32_t i, int32_t j, const double arm1[3], const double arm2[3],
    const double axis[3], double x, double soft, double given) {
  double turn[3];
  sc_cross(arm1, axis, turn), put(d->J[d->rows], i, 1, axis, turn);
  sc_cross(arm2, axis, turn), put(d->J[d->rows], j, -1, axis, turn);
  d->x[d->rows] = x, d->soft[d->rows] = soft, d->given[d->rows++] = given;
}

static inline void list_ball(dense *d, const sc_ball_contact *ball) {
  const sc_contact_spring *s = &ball->spring;
  const bool soft = s->normal > 0;
  double axis[3][3], arm1[3], last[3];
  sc_copy3(ball->n, axis[0]), sc_frame(ball->n, axis[1], axis[2]), sc_scale(-1, ball->n, arm1);
  for (int k = 0; k < 3; k++) last[k] = sc_dot(s->last, axis[k]);
  for (int k = 0; k < 3; k++)
    put_points(d, ball->i, ball->j, arm1, ball->n, axis[k], sc_dot(ball->p, axis[k]),
        soft ? k ? s->tangent : s->normal : 0,
        k          ? soft ? -s->tangent * last[k] : 0
            : soft ? s->bias
                   : ball->bias);
}

static inline void list_general(dense *d, const sc_general_contact *g) {
  const sc_contact_spring *s = &g->spring;
  const bool soft = s->normal > 0;
  const double *axes[3] = {g->n, g->t, g->o}, none[3] = {0, 0, 0};
  for (int r = 0; r < g->dim; r++) {
    const double x = d->problem.x[g->x + r];
    d->dead[d->rows] = d->problem.planar && sc_planar_dead(r);
    if (r < 3) {
      const double given = (d->problem.drifts ? g->drift[r] : 0) +
          (r             ? soft ? -s->tangent * s->last[r] : 0
                  : soft ? s->bias
                         : g->bias);
      put_points(d, g->i, g->j, g->arm1, g->arm2, axes[r], x, soft ? r ? s->tangent : s->normal : 0, given);
      continue;
    }
    double ang[3];
    sc_scale(1 / g->scale1, axes[r - 3], ang), put(d->J[d->rows], g->i, 1, none, ang);
    sc_scale(1 / g->scale2, axes[r - 3], ang), put(d->J[d->rows], g->j, -1, none, ang);
    d->x[d->rows++] = x;
  }
}

static inline void list_joint(dense *d, const sc_joint_row *row) {
  put(d->J[d->rows], row->i, 1, row->lin1, row->ang1);
  put(d->J[d->rows], row->j, 1, row->lin2, row->ang2);
  if (row->third) put(d->J[d->rows], d->third.body, 1, d->third.lin, d->third.ang);
  d->x[d->rows] = row->x, d->soft[d->rows] = row->softness, d->given[d->rows++] = row->bias;
}

/* Sets W to the inverse masses. In a planar problem forces act within the plane only. */
static inline void list_masses(dense *d) {
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const sc_problem *p = &d->problem;
  for (int32_t b = 0; b < BODIES; b++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const double flat = p->planar ? p->plane[i] * p->plane[j] : 0;
        d->W[6 * b + i][6 * b + j] = p->body[b].inv_mass * ((i == j) - flat);
        d->W[6 * b + 3 + i][6 * b + 3 + j] = p->body[b].k > 0 ? p->body[b].k * (i == j) : p->K[b][at[i][j]];
      }
}

static inline void list_rows(dense *d) {
  memset(d->J, 0, sizeof d->J), memset(d->W, 0, sizeof d->W);
  d->rows = 0;
  for (int32_t c = 0; c < d->problem.balls; c++) list_ball(d, d->problem.ball + c);
  for (int32_t c = 0; c < d->problem.generals; c++) list_general(d, d->problem.general + c);
  for (int32_t r = 0; r < d->problem.joint_rows; r++) list_joint(d, d->problem.joint_row + r);
  list_masses(d);
}

static inline double seen(const dense *d, const sc_solver_body *body, int row) {
  double sum = 0;
  for (int32_t b = 0; b <= BODIES; b++)
    sum += sc_dot(d->J[row] + 6 * b, body[b].v) + sc_dot(d->J[row] + 6 * b + 3, body[b].q);
  return d->dead[row] ? 0 : sum;
}

/* Returns the entry of J M^-1 J' between two rows, without compliance. */
static inline double entry(const dense *d, int a, int b) {
  double sum = 0;
  if (d->dead[a] || d->dead[b]) return 0;
  for (int k = 0; k < COLUMNS; k++)
    for (int l = 0; l < COLUMNS && d->J[a][k] != 0; l++) sum += d->J[a][k] * d->W[k][l] * d->J[b][l];
  return sum;
}

/* Adds the changes of all velocities by the impulse x of a row. */
static inline void effect(const dense *d, int row, double x, double out[COLUMNS]) {
  for (int k = 0; k < COLUMNS; k++)
    for (int l = 0; l < COLUMNS && !d->dead[row]; l++) out[k] += d->W[k][l] * d->J[row][l] * x;
}

static inline void check_bodies(
    const sc_solver_body *before, const sc_solver_body *after, const double change[COLUMNS]) {
  for (int32_t b = 0; b <= BODIES; b++)
    for (int k = 0; k < 3; k++) {
      near(after[b].v[k], before[b].v[k] + change[6 * b + k], 1e-12);
      near(after[b].q[k], before[b].q[k] + change[6 * b + 3 + k], 1e-12);
    }
}

#endif
