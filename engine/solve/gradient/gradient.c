/* Shared parts of the gradient solvers: packing of impulses, projection, velocities, residual, and the outer
 * loop. gradient.h describes the program.
 *
 * The order of the unknowns is: ball contacts (impulses in world axes), general contacts (frame axes, as
 * problem.x), joint rows. */
#include "solve/gradient/gradient.h"

#include <math.h>
#include <string.h>
#include "law/law_parts.h"
#include "math/vec.h"
#include "problem/operator/matrix.h"
#include "problem/operator/delassus.h"
#include "problem/operator/local.h"
#include "problem/residual/residual.h"

static double *general_part(const sc_gradient *g, double *x) { return x + 3 * (int64_t)g->problem->balls; }
static double *joint_part(const sc_gradient *g, double *x) { return general_part(g, x) + g->general_rows; }

/* ---- set-up ---- */

const char *sc_gradient_misfit(const sc_law *law, const double *par) {
  if (!law->project) return "has no convex set of impulses";
  if (!law->params_count || law->penalty) return NULL;
  return par[SC_PAR_MU_STATIC] > par[SC_PAR_MU] ? "has mu_static above mu" : NULL;
}

static scree_status check_gradient_laws(const sc_problem *problem, scree_error *error) {
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_law *law = problem->law[problem->general[c].law];
    const char *why = sc_gradient_misfit(law, problem->par + problem->general[c].par);
    if (why)
      return sc_fail(
          error, SCREE_E_ARGUMENT, "gradient solvers cannot take law %s: it %s; nbgs can", law->name, why);
  }
  return SCREE_OK;
}

static bool allocate_gradient(sc_gradient *g, sc_arena *arena) {
  double **all[] = {&g->x, &g->u, &g->shift, &g->weight, &g->held, g->work, g->work + 1, g->work + 2,
      g->work + 3, g->work + 4, g->work + 5};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *all[i] = SC_TAKE(arena, double, g->n);
    if (!*all[i]) return false;
    memset(*all[i], 0, (size_t)g->n * sizeof(double));
  }
  return true;
}

static void read_impulses(const sc_gradient *g, double *x) {
  const sc_problem *problem = g->problem;
  for (int32_t c = 0; c < problem->balls; c++) sc_copy3(problem->ball[c].p, x + 3 * (int64_t)c);
  memcpy(general_part(g, x), problem->x, (size_t)g->general_rows * sizeof *x);
  double *joint = joint_part(g, x);
  for (int32_t r = 0; r < problem->joint_rows; r++) joint[r] = problem->joint_row[r].x;
}

/* Sets the weights to the mean diagonal entry of each block. A contact of two immovable bodies has an
 * infinite weight, so its impulses never change. */
static void fill_weights(sc_gradient *g) {
  const sc_problem *problem = g->problem;
  for (int32_t c = 0; c < problem->balls; c++) {
    const sc_solver_body *a = problem->body + problem->ball[c].i, *b = problem->body + problem->ball[c].j;
    const sc_contact_spring *s = &problem->ball[c].spring;
    double w = a->inv_mass + b->inv_mass + 2.0 / 3.0 * (a->k + b->k) + (s->normal + 2 * s->tangent) / 3;
    for (int k = 0; k < 3; k++) g->weight[3 * (int64_t)c + k] = w > 0 ? w : INFINITY;
  }
  double *general = general_part(g, g->weight), *joint = joint_part(g, g->weight);
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    double sum = 0;
    for (int k = 0; k < contact->dim; k++) sum += problem->block[contact->block + k * contact->dim + k];
    for (int k = 0; k < contact->dim; k++) general[contact->x + k] = sum > 0 ? sum / contact->dim : INFINITY;
    if (problem->law[contact->law]->shift) g->shifted = true;
  }
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    double w = sc_problem_joint_diagonal(problem, problem->joint_row + r);
    joint[r] = w > 0 ? w : INFINITY;
  }
  if (problem->balls) g->shifted = true;
}

/* Returns the maximum number of contacts that a contact of a matrix is coupled with, including itself. */
static int32_t most_couplings(const sc_problem *problem) {
  int64_t most = 1;
  for (int32_t c = 0; c < problem->generals; c++)
    if (problem->matrix->first[c + 1] - problem->matrix->first[c] > most)
      most = problem->matrix->first[c + 1] - problem->matrix->first[c];
  return (int32_t)most;
}

/* Computes sure_step. x'A x is a sum over bodies of |sum over the body's rows|^2. Let d be the maximum number
 * of contacts and joint rows on a movable body, and a_j the mean diagonal entry of block j, which has dim
 * rows. Then x'A x <= d dim sum a_j |x_j|^2. For a matrix without bodies d is the maximum number of blocks in
 * a row, because x_j'A_jk x_k is at most the mean of x_j'A_jj x_j and x_k'A_kk x_k. Returns false if out of
 * memory. */
static bool bound_step(sc_gradient *g, sc_arena *arena) {
  const sc_problem *problem = g->problem;
  int32_t *degree = SC_TAKE(arena, int32_t, problem->bodies), most = 1, dim = 3;
  if (!degree) return false;
  memset(degree, 0, (size_t)problem->bodies * sizeof *degree);
  for (int32_t c = 0; c < problem->balls; c++) degree[problem->ball[c].i]++, degree[problem->ball[c].j]++;
  for (int32_t c = 0; c < problem->generals; c++) {
    degree[problem->general[c].i]++, degree[problem->general[c].j]++;
    if (problem->general[c].dim > dim) dim = problem->general[c].dim;
  }
  for (int32_t r = 0; r < problem->joint_rows; r++)
    degree[problem->joint_row[r].i]++, degree[problem->joint_row[r].j]++;
  for (int32_t t = 0; t < problem->thirds; t++) degree[problem->third[t].body]++;
  for (int32_t b = 0; b < problem->bodies; b++)
    if (problem->body[b].inv_mass > 0 && degree[b] > most) most = degree[b];
  if (problem->matrix) most = most_couplings(problem);
  g->sure_step = 1.0 / ((double)most * dim);
  return true;
}

/* ---- operators ---- */

static void move_bodies(sc_gradient *g, const double *x) {
  const sc_problem *problem = g->problem;
  double change[SCREE_LAW_MAX_DIM];
  const double *held = g->held;
  for (int32_t c = 0; c < problem->balls; c++, x += 3, held += 3) {
    sc_sub(x, held, change);
    sc_problem_ball_apply(problem, problem->ball + c, change);
  }
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    for (int k = 0; k < contact->dim; k++) change[k] = x[contact->x + k] - held[contact->x + k];
    sc_problem_general_apply(problem, contact, change);
  }
  x += g->general_rows;
  held += g->general_rows;
  for (int32_t r = 0; r < problem->joint_rows; r++)
    sc_problem_joint_apply(problem, problem->joint_row + r, x[r] - held[r]);
}

static void read_velocities(const sc_gradient *g, double *u) {
  const sc_problem *problem = g->problem;
  for (int32_t c = 0; c < problem->balls; c++) {
    double *at = u + 3 * (int64_t)c, bias, none = 0;
    sc_ball_contact ball = problem->ball[c];
    sc_copy3(g->held + 3 * (int64_t)c, ball.p);
    sc_problem_ball_velocity(problem, &ball, at);
    sc_spring_ball(&ball, at, &bias, &none, &none);
    sc_axpy(bias, ball.n, at, at);
  }
  double *general = general_part(g, u), *joint = joint_part(g, u);
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    sc_problem_general_velocity(problem, contact, general + contact->x);
    general[contact->x] += sc_spring_general(
        contact, general_part(g, g->held) + contact->x, general + contact->x);
  }
  const double *held = joint_part(g, g->held);
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    joint[r] = sc_problem_joint_velocity(problem, row) + row->bias + row->softness * held[r];
  }
}

void sc_gradient_evaluate(sc_gradient *g, const double *x, double *u) {
  move_bodies(g, x);
  if (x != g->held) memcpy(g->held, x, (size_t)g->n * sizeof *x);
  read_velocities(g, u);
  for (int64_t k = 0; k < g->n; k++) u[k] += g->shift[k];
}

/* Moves impulse p to the nearest point of the circular friction cone about a ball contact's normal. */
static void project_ball(const sc_ball_contact *contact, double p[3]) {
  double mu = contact->mu, p_n = sc_dot(p, contact->n), t[3];
  sc_axpy(-p_n, contact->n, p, t);
  double r = sc_norm(t);
  if (p_n >= 0 && r <= mu * p_n) return;
  double x_n = p_n + mu * r <= 0 ? 0 : (p_n + mu * r) / (1 + mu * mu);
  sc_scale(x_n, contact->n, p);
  if (r > 0) sc_axpy(mu * x_n / r, t, p, p);
}

void sc_gradient_project(const sc_gradient *g, double *x) {
  const sc_problem *problem = g->problem;
  for (int32_t c = 0; c < problem->balls; c++) project_ball(problem->ball + c, x + 3 * (int64_t)c);
  double *general = general_part(g, x), *joint = joint_part(g, x);
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    problem->law[contact->law]->project(problem->par + contact->par, contact->dim, general + contact->x);
  }
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    joint[r] = joint[r] < row->lo ? row->lo : joint[r] > row->hi ? row->hi : joint[r];
  }
}

void sc_gradient_descend(const sc_gradient *g, const double *x, const double *u, double t, double *out) {
  for (int64_t k = 0; k < g->n; k++) out[k] = x[k] - t * u[k] / g->weight[k];
}

/* Returns the weight times the length of the vector a - b, for one contact or joint row. Returns 0 if the
 * weight is infinite. */
static double largest_change(const double *weight, const double *a, const double *b, int dim) {
  double square = 0;
  for (int k = 0; k < dim; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
  return isinf(weight[0]) ? 0 : weight[0] * sqrt(square);
}

double sc_gradient_residual(const sc_gradient *g, const double *x, const double *u, double *scratch) {
  const sc_problem *problem = g->problem;
  double largest = 0;
  sc_gradient_descend(g, x, u, 1, scratch);
  sc_gradient_project(g, scratch);
  for (int64_t k = 0; k < 3 * (int64_t)problem->balls; k += 3)
    largest = fmax(largest, largest_change(g->weight + k, x + k, scratch + k, 3));
  for (int32_t c = 0; c < problem->generals; c++) {
    int64_t k = 3 * (int64_t)problem->balls + problem->general[c].x;
    largest = fmax(largest, largest_change(g->weight + k, x + k, scratch + k, problem->general[c].dim));
  }
  for (int64_t k = g->n - problem->joint_rows; k < g->n; k++)
    largest = fmax(largest, largest_change(g->weight + k, x + k, scratch + k, 1));
  return largest;
}

double sc_gradient_dot(const sc_gradient *g, const double *a, const double *b) {
  double sum = 0;
  for (int64_t k = 0; k < g->n; k++) sum += a[k] * b[k];
  return sum;
}

double sc_gradient_weighted(const sc_gradient *g, const double *a, const double *b) {
  double sum = 0;
  for (int64_t k = 0; k < g->n; k++)
    if (a[k] != 0) sum += g->weight[k] * a[k] * b[k]; // immovable rows: infinite weight, no change
  return sum;
}

/* ---- outer loop ---- */

/* Computes the shift of De Saxce and Feng from the velocities u, and adds its change to u. */
static void update_shift(sc_gradient *g) {
  const sc_problem *problem = g->problem;
  if (!g->shifted) return;
  for (int64_t k = 0; k < g->n; k++) g->u[k] -= g->shift[k];
  memset(g->shift, 0, (size_t)g->n * sizeof *g->shift);
  for (int32_t c = 0; c < problem->balls; c++) {
    const sc_ball_contact *contact = problem->ball + c;
    const double *u = g->u + 3 * (int64_t)c;
    double t[3];
    sc_axpy(-sc_dot(u, contact->n), contact->n, u, t);
    sc_scale(contact->mu * sc_norm(t), contact->n, g->shift + 3 * (int64_t)c);
  }
  double *general = general_part(g, g->u), *shift = general_part(g, g->shift);
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    const sc_law *law = problem->law[contact->law];
    if (law->shift)
      law->shift(problem->par + contact->par, contact->dim, general + contact->x, shift + contact->x);
  }
  for (int64_t k = 0; k < g->n; k++) g->u[k] += g->shift[k];
}

static void write_impulses(const sc_gradient *g) {
  const sc_problem *problem = g->problem;
  for (int32_t c = 0; c < problem->balls; c++) sc_copy3(g->x + 3 * (int64_t)c, problem->ball[c].p);
  memcpy(problem->x, general_part(g, g->x), (size_t)g->general_rows * sizeof *g->x);
  const double *joint = joint_part(g, g->x);
  for (int32_t r = 0; r < problem->joint_rows; r++) problem->joint_row[r].x = joint[r];
}

static scree_status start_gradient(
    sc_gradient *g, const sc_problem *problem, sc_arena *arena, scree_error *error) {
  scree_status status = check_gradient_laws(problem, error);
  if (status != SCREE_OK) return status;
  *g = (sc_gradient){.problem = problem, .step = 1};
  for (int32_t c = 0; c < problem->generals; c++)
    if (problem->general[c].x + problem->general[c].dim > g->general_rows)
      g->general_rows = problem->general[c].x + problem->general[c].dim;
  g->n = 3 * (int64_t)problem->balls + g->general_rows + problem->joint_rows;
  if (!allocate_gradient(g, arena) || !bound_step(g, arena))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %lld unknowns", (long long)g->n);
  fill_weights(g);
  read_impulses(g, g->held);
  memcpy(g->x, g->held, (size_t)g->n * sizeof *g->x);
  sc_gradient_project(g, g->x);
  sc_gradient_evaluate(g, g->x, g->u);
  return SCREE_OK;
}

scree_status sc_gradient_solve(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_gradient_method *method, sc_solver_report *report, scree_error *error) {
  sc_gradient g;
  scree_status status = start_gradient(&g, problem, arena, error);
  if (status != SCREE_OK) return status;
  report->iterations = 0;
  report->residual = INFINITY;
  double floor = par->tolerance;
  while (report->iterations < par->iterations) {
    update_shift(&g);
    double residual = sc_gradient_residual(&g, g.x, g.u, g.work[0]);
    // The solver stops by the residual of problem/residual. If that residual is still above the tolerance,
    // the natural residual must fall further.
    if (residual <= floor && report->iterations >= par->min_iterations) {
      write_impulses(&g);
      report->residual = sc_problem_residual(problem);
      if (report->residual <= par->tolerance || residual == 0) return SCREE_OK;
      floor = residual < floor ? residual / 2 : floor / 2;
    }
    double target = g.shifted ? fmax(0.1 * residual, 0.3 * floor) : floor;
    int64_t spent = method(&g, target, par->iterations - report->iterations);
    report->iterations += spent > 0 ? spent : 1;
  }
  write_impulses(&g);
  report->residual = sc_problem_residual(problem);
  return SCREE_OK;
}
