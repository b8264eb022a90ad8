/* A primal-dual interior point method on the dense problem, for small problems that are ill-conditioned
 * or redundant: walls of boxes, houses of cards, heavy blocks on light ones, where first-order methods
 * move impulses between redundant contacts for ever.
 *
 * In the scaled unknowns X = (mu x_n, x_t), U = (u_n/mu + s, u_t) of every contact, with the shift s =
 * |u_t| for laws that oppose the slip and 0 for the associated one, friction is complementarity over the
 * second-order cone L; with joints' rows
 *     U = A X + q + s(U),    X in L, U in L, X o U = 0      contacts with friction (without: X_n, U_n >=
 *                            0)
 *     u = A x + q = zl - zu,  (x - lo) zl = 0, (hi - x) zu = 0    boxed rows;     A x + q = 0    held
 *                             rows
 * Every round takes Mehrotra's predictor and corrector (1992) with the scaling of Nesterov & Todd (1997)
 * and the shift's derivative G,
 *     (A + (I - G) W^-2) dX = (I - G) W^-1 r - (A X + q + s - U),   W^-1 dX + W dU = r
 * in one LU factorisation of a matrix softened by rounding, so that dependent rows do no harm. With a
 * shift the problem is not convex, and rounds can end in a corner (Acary, Armand, Nguyen & Shpakovych
 * 2023 meet the same). Then the fixed point of De Saxce & Feng (1998) goes on: the shift frozen at the
 * last slip, the convex problem solved from a central point, the slip brought up to date. Sweeps of
 * Gauss-Seidel put contacts right that hardly press or hardly open. Impulses of redundant contacts come
 * out spread evenly. Cost: the cube of the number of rows, a dozen to some hundred times. */
#include <math.h>
#include <string.h>
#include "math/dense.h"
#include "problem/lcp.h"
#include "solve/newton/cone.h"
#include "solve/solver.h"

enum { MOST_ROWS = 3000, PATIENCE = 15, FROZEN_PATIENCE = 4, SHIFTS = 40, POLISH = 100 };
/* of every row against its own entry, in the matrix alone: rows that depend on others do no harm */
static const double SOFTNESS = 1e-13;
/* share of the way to the border; how far below the tolerance a convex solve goes */
static const double NEAR_BORDER = 0.995, ENOUGH = 1e-4;

typedef enum kind { CONE, NORMAL, BOX, HELD, GIVEN } kind; /* GIVEN: bounds that leave one value */

typedef struct block {
  kind kind;
  int row; /* first base row */
  bool shifted;
  double slip; /* CONE, shifted: the frozen |u_t| */
  double mu, lo, hi;
  double zl, zu, dzl, dzu; /* BOX */
  sc_cone_scaling s;
} block;

typedef struct ipm {
  const sc_problem *problem;
  sc_lcp lcp;
  int n, blocks;
  block *block;
  double *A, *K; /* scaled Delassus matrix, and with the scalings on its diagonal blocks */
  /* off: A X + q + s - U; x: unscaled impulses; n each */
  double *q, *X, *U, *dX, *dU, *off, *rhs, *work, *x;
  double *aX, *aU; /* the predictor */
  int *order;
  bool frozen; /* shifts are given, and the problem is convex */
  double mean; /* complementarity per cone and bound */
} ipm;

/* ---- setting up ---- */

/* What of a law this method cannot do, or NULL. */
static const char *unfit(const sc_problem *problem, const sc_general_contact *c) {
  const sc_law *law = problem->law[c->law];
  if (c->dim > 3) return "has more than three rows";
  if (!law->project) return "has no convex set of impulses";
  if (sc_problem_parameter(problem, c, "mu2", 0) > 0) return "has an elliptic cone";
  if (sc_problem_parameter(problem, c, "cohesion_impulse", 0) > 0) return "has cohesion";
  return sc_problem_parameter(problem, c, "mu_static", 0) > sc_problem_mu(problem, c)
      ? "has mu_static above mu"
      : NULL;
}

static scree_status check_laws(const sc_problem *problem, scree_error *error) {
  int64_t rows = 3 * ((int64_t)problem->balls + problem->generals) + problem->joint_rows;
  if (rows > MOST_ROWS)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "ipm takes at most %d rows of contacts and joints, not %lld; nbgs takes any", MOST_ROWS,
        (long long)rows);
  for (int32_t c = 0; c < problem->generals; c++) {
    const char *why = unfit(problem, problem->general + c);
    if (why)
      return sc_fail(error, SCREE_E_ARGUMENT, "ipm cannot take law %s: it %s; nbgs can",
          problem->law[problem->general[c].law]->name, why);
  }
  return SCREE_OK;
}

static void describe(const ipm *p, const sc_lcp_item *item, block *b) {
  const sc_problem *problem = p->problem;
  *b = (block){.row = item->base, .kind = HELD, .lo = -INFINITY, .hi = INFINITY};
  if (item->kind == SC_LCP_CONTACT) {
    bool ball = item->source < problem->balls;
    b->mu = item->mu;
    b->kind = item->mu > 0 ? CONE : NORMAL;
    b->shifted = ball || problem->law[problem->general[item->source - problem->balls].law]->shift;
  } else if (item->kind == SC_LCP_BOXED) {
    b->lo = problem->joint_row[item->source].lo;
    b->hi = problem->joint_row[item->source].hi;
    b->kind = b->hi > b->lo ? BOX : GIVEN;
  }
}

/* Rows that carry nothing: tangents without friction, what a plane does not allow, contacts of immovable
 * bodies. */
static bool idle(const ipm *p, const block *b, int k) {
  if (b->kind == NORMAL && k > 0) return true;
  return p->problem->planar && k == 2;
}

static int width(const block *b) { return b->kind == CONE || b->kind == NORMAL ? 3 : 1; }

/* A and q in scaled unknowns: n rows of cones divided by mu, idle rows emptied. */
static void scale_rows(ipm *p) {
  int n = p->n;
  double *factor = p->work;
  for (int i = 0; i < p->blocks; i++)
    for (int k = 0; k < width(p->block + i); k++) {
      const block *b = p->block + i;
      factor[b->row + k] = idle(p, b, k) ? 0 : b->kind == CONE && k == 0 ? 1 / b->mu : 1;
    }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) p->A[i * n + j] = factor[i] * factor[j] * p->lcp.W[i * n + j];
    p->q[i] = factor[i] * p->lcp.free[i];
  }
}

/* Inside all cones, at the size of the problem: velocities of the largest free one, impulses that the
 * diagonal makes of it. */
static void start_point(ipm *p) {
  int n = p->n;
  double speed = 0;
  memset(p->X, 0, (size_t)n * sizeof *p->X);
  memset(p->U, 0, (size_t)n * sizeof *p->U);
  for (int i = 0; i < n; i++) speed = fmax(speed, fabs(p->q[i]));
  for (int i = 0; i < p->blocks; i++) {
    block *b = p->block + i;
    double a = p->A[b->row * n + b->row], load = a > 0 ? speed / a : speed;
    if (b->kind == CONE || b->kind == NORMAL) p->X[b->row] = load, p->U[b->row] = speed;
    if (b->kind == GIVEN) p->X[b->row] = b->lo;
    if (b->kind != BOX) continue;
    double low = isinf(b->lo) ? fmin(0, b->hi) - load : b->lo,
           high = isinf(b->hi) ? fmax(0, b->lo) + load : b->hi;
    p->X[b->row] = low + (high - low) / 2;
    b->zl = isinf(b->lo) ? 0 : speed;
    b->zu = isinf(b->hi) ? 0 : speed;
  }
}

static bool take(ipm *p, sc_arena *arena) {
  size_t n = (size_t)p->n;
  double **vector[] = {
      &p->q, &p->X, &p->U, &p->dX, &p->dU, &p->off, &p->rhs, &p->work, &p->x, &p->aX, &p->aU};
  p->A = SC_TAKE(arena, double, n *n);
  p->K = SC_TAKE(arena, double, n *n);
  p->order = SC_TAKE(arena, int, n);
  p->block = SC_TAKE(arena, block, p->lcp.items);
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    *vector[i] = SC_TAKE(arena, double, n);
    if (!*vector[i]) return false;
    memset(*vector[i], 0, n * sizeof(double));
  }
  return p->A && p->K && p->order && p->block;
}

/* ---- the equations ---- */

/* out = A X. */
static void multiply(const ipm *p, const double *X, double *out) {
  for (int i = 0; i < p->n; i++) {
    double sum = 0;
    for (int j = 0; j < p->n; j++) sum += p->A[i * p->n + j] * X[j];
    out[i] = sum;
  }
}

/* off = A X + q + s - U;  the mean of complementarity. */
static void evaluate(ipm *p) {
  double sum = 0;
  int count = 0;
  multiply(p, p->X, p->off);
  for (int i = 0; i < p->n; i++) p->off[i] += p->q[i];
  for (int i = 0; i < p->blocks; i++) {
    const block *b = p->block + i;
    const double *X = p->X + b->row, *U = p->U + b->row;
    if (b->kind == CONE && b->shifted)
      p->off[b->row] += p->frozen ? b->slip : sqrt(U[1] * U[1] + U[2] * U[2]);
    for (int k = 0; k < width(b) && (b->kind == CONE || b->kind == NORMAL); k++) p->off[b->row + k] -= U[k];
    if (b->kind == BOX) p->off[b->row] -= b->zl - b->zu;
    if (b->kind == CONE) sum += X[0] * U[0] + X[1] * U[1] + X[2] * U[2], count++;
    if (b->kind == NORMAL) sum += X[0] * U[0], count++;
    if (b->kind == BOX && !isinf(b->lo)) sum += b->zl * (X[0] - b->lo), count++;
    if (b->kind == BOX && !isinf(b->hi)) sum += b->zu * (b->hi - X[0]), count++;
  }
  p->mean = count ? sum / count : 0;
}

static double below(const block *b, double x) { return isinf(b->lo) ? INFINITY : x - b->lo; }
static double above(const block *b, double x) { return isinf(b->hi) ? INFINITY : b->hi - x; }

static void only_diagonal(ipm *p, int row) {
  for (int j = 0; j < p->n; j++) p->K[row * p->n + j] = p->K[j * p->n + row] = 0;
  p->K[row * p->n + row] = 1;
}

/* (I - G) on the rows of a block: what the shift's derivative takes off, G v = (g.v_t) e_n with g = U_t
 * / |U_t|. */
static void unshift(const ipm *p, const block *b, double v[3]) {
  const double *U = p->U + b->row;
  double size = sqrt(U[1] * U[1] + U[2] * U[2]);
  if (b->kind == CONE && b->shifted && !p->frozen && size > 0) v[0] -= (U[1] * v[1] + U[2] * v[2]) / size;
}

/* K = A + (I - G) W^-2, factorised. */
static bool factorise(ipm *p) {
  int n = p->n;
  memcpy(p->K, p->A, (size_t)n * (size_t)n * sizeof *p->K);
  for (int i = 0; i < p->blocks; i++) {
    block *b = p->block + i;
    int r = b->row;
    double D[9], x = p->X[r];
    if (b->kind == CONE) {
      sc_cone_scale(p->X + r, p->U + r, &b->s);
      sc_cone_metric(&b->s, D);
      for (int k = 0; k < 3; k++) {
        double column[3] = {D[k], D[3 + k], D[6 + k]};
        unshift(p, b, column);
        D[k] = column[0];
      }
      for (int k = 0; k < 9; k++) p->K[(r + k / 3) * n + r + k % 3] += D[k];
    }
    if (b->kind == NORMAL) p->K[r * n + r] += p->U[r] / x, only_diagonal(p, r + 1), only_diagonal(p, r + 2);
    if (b->kind == BOX) p->K[r * n + r] += b->zl / below(b, x) + b->zu / above(b, x);
    if (b->kind == GIVEN) only_diagonal(p, r);
  }
  for (int i = 0; i < n; i++) p->K[i * n + i] += p->A[i * n + i] > 0 ? SOFTNESS * p->A[i * n + i] : 1;
  return sc_lu_factor(n, p->K, p->order);
}

/* The right-hand side W^-1 r of a block without `off`: centred on `target`, with the predictor's
 * second-order term where corrects. */
static void aim(const ipm *p, const block *b, double target, bool corrects, double *out) {
  int r = b->row;
  double x = p->X[r], low = below(b, x), high = above(b, x);
  out[0] = 0;
  if (b->kind == NORMAL)
    out[0] = target / x - p->U[r] - (corrects ? p->aX[r] * p->aU[r] / x : 0), out[1] = out[2] = 0;
  if (b->kind == BOX) {
    out[0] = target / low - b->zl - (target / high - b->zu);
    if (corrects) out[0] += -p->aX[r] * b->dzl / low - p->aX[r] * b->dzu / high;
  }
  if (b->kind != CONE) return;
  double d[3], scaled_x[3], scaled_u[3], second[3] = {0, 0, 0}, q[3];
  sc_cone_product(b->s.l, b->s.l, d);
  if (corrects) {
    sc_cone_divide(&b->s, p->aX + r, scaled_x);
    sc_cone_multiply(&b->s, p->aU + r, scaled_u);
    sc_cone_product(scaled_x, scaled_u, second);
  }
  for (int k = 0; k < 3; k++) d[k] = (k ? 0 : target) - d[k] - second[k];
  sc_cone_quotient(b->s.l, d, q);
  sc_cone_divide(&b->s, q, out);
}

/* Solves for dX, and dU = A dX + off, dz from the linearised products. */
static void solve_direction(ipm *p, double target, bool corrects, double *dX, double *dU) {
  for (int i = 0; i < p->blocks; i++) {
    const block *b = p->block + i;
    double part[3] = {0, 0, 0};
    aim(p, b, target, corrects, part);
    unshift(p, b, part);
    for (int k = 0; k < width(b); k++)
      p->rhs[b->row + k] = b->kind == GIVEN || idle(p, b, k) ? 0 : part[k] - p->off[b->row + k];
  }
  sc_lu_solve(p->n, p->K, p->order, p->rhs, dX);
  multiply(p, dX, dU);
  for (int i = 0; i < p->blocks; i++) {
    block *b = p->block + i;
    int r = b->row;
    double x = p->X[r], low = below(b, x), high = above(b, x);
    for (int k = 0; k < width(b); k++) dU[r + k] = idle(p, b, k) ? 0 : dU[r + k] + p->off[r + k];
    if (b->kind == CONE && b->shifted && !p->frozen) { // dU = A dX + off + G dU
      const double *U = p->U + r;
      double size = sqrt(U[1] * U[1] + U[2] * U[2]);
      if (size > 0) dU[r] += (U[1] * dU[r + 1] + U[2] * dU[r + 2]) / size;
    }
    if (b->kind != BOX) continue;
    double second_l = corrects ? p->aX[r] * b->dzl : 0, second_u = corrects ? -p->aX[r] * b->dzu : 0;
    b->dzl = isinf(low) ? 0 : (target - second_l - b->zl * dX[r]) / low - b->zl;
    b->dzu = isinf(high) ? 0 : (target - second_u + b->zu * dX[r]) / high - b->zu;
  }
}

static double bounded(double value, double change, double most) {
  return change < 0 ? fmin(most, -value / change) : most;
}

/* Largest step that stays inside. */
static double longest(const ipm *p, const double *dX, const double *dU) {
  double step = 1 / NEAR_BORDER;
  for (int i = 0; i < p->blocks; i++) {
    const block *b = p->block + i;
    int r = b->row;
    if (b->kind == CONE) step = sc_cone_step(p->U + r, dU + r, sc_cone_step(p->X + r, dX + r, step));
    if (b->kind == NORMAL) step = bounded(p->U[r], dU[r], bounded(p->X[r], dX[r], step));
    if (b->kind != BOX) continue;
    if (!isinf(b->lo)) step = bounded(b->zl, b->dzl, bounded(p->X[r] - b->lo, dX[r], step));
    if (!isinf(b->hi)) step = bounded(b->zu, b->dzu, bounded(b->hi - p->X[r], -dX[r], step));
  }
  return step;
}

static void advance(ipm *p, double step, const double *dX, const double *dU) {
  for (int i = 0; i < p->n; i++) p->X[i] += step * dX[i];
  for (int i = 0; i < p->blocks; i++) {
    block *b = p->block + i;
    for (int k = 0; k < width(b) && (b->kind == CONE || b->kind == NORMAL); k++)
      p->U[b->row + k] += step * dU[b->row + k];
    b->zl += step * b->dzl;
    b->zu += step * b->dzu;
  }
}

/* Complementarity after a step of the predictor. */
static double mean_after(ipm *p, double step) {
  double before = p->mean, after;
  advance(p, step, p->aX, p->aU);
  evaluate(p);
  after = p->mean;
  advance(p, -step, p->aX, p->aU);
  evaluate(p);
  p->mean = before;
  return after;
}

static double round_of(ipm *p) {
  if (!factorise(p)) return 0;
  solve_direction(p, 0, false, p->aX, p->aU);
  double step = fmin(1, longest(p, p->aX, p->aU)), share = p->mean > 0 ? mean_after(p, step) / p->mean : 0;
  double target = p->mean * fmin(1, fmax(0, share)) * share * share;
  solve_direction(p, target, true, p->dX, p->dU);
  step = fmin(1, NEAR_BORDER * longest(p, p->dX, p->dU));
  advance(p, step, p->dX, p->dU);
  evaluate(p);
  return step;
}

/* ---- the whole ---- */

static void write_impulses(ipm *p) {
  for (int i = 0; i < p->n; i++) p->x[i] = p->X[i];
  for (int i = 0; i < p->blocks; i++)
    if (p->block[i].kind == CONE) p->x[p->block[i].row] /= p->block[i].mu;
  sc_lcp_put(&p->lcp, p->x, p->problem);
}

/* How far a point of the convex problem is from its conditions, as a velocity: the equations, and what
 * complementarity leaves to a contact that carries the mean impulse. */
static double convex_error(const ipm *p) {
  double off = 0, load = 0;
  int count = 0;
  for (int i = 0; i < p->n; i++) off = fmax(off, fabs(p->off[i]));
  for (int i = 0; i < p->blocks; i++)
    if (p->block[i].kind == CONE || p->block[i].kind == NORMAL) load += p->X[p->block[i].row], count++;
  return load > 0 ? fmax(off, p->mean * count / load) : off;
}

/* |u_t| of a contact as the bodies move now. */
static double present_slip(const ipm *p, const block *b) {
  if (b->kind != CONE || !b->shifted) return 0;
  double t = sc_row_velocity(p->problem, p->lcp.row + b->row + 1),
         o = p->problem->planar ? 0 : sc_row_velocity(p->problem, p->lcp.row + b->row + 2);
  return sqrt(t * t + o * o);
}

static bool finite_point(const ipm *p) {
  double sum = p->mean;
  for (int i = 0; i < p->n; i++) sum += 0 * (p->X[i] + p->U[i]);
  return isfinite(sum);
}

/* The best point so far. */
typedef struct best {
  double residual, *x;
} best;

/* Rounds until the common residual falls to tolerance, or nothing gains any more. A convex problem
 * counts its own conditions too, since its answer need not meet the laws yet. */
static void descend(ipm *p, double tolerance, int64_t most, best *b, sc_solver_report *report) {
  double least = INFINITY;
  int since = 0;
  for (; report->iterations < most && since < (p->frozen ? FROZEN_PATIENCE : PATIENCE);
       report->iterations++) {
    double step = round_of(p);
    if (!(step > 1e-9) || !finite_point(p)) return;
    write_impulses(p);
    double residual = sc_problem_residual(p->problem), measure = p->frozen ? convex_error(p) : residual;
    since = measure < 0.9 * least ? 0 : since + 1;
    least = fmin(least, measure);
    if (residual < b->residual) b->residual = residual, memcpy(b->x, p->x, (size_t)p->n * sizeof *b->x);
    if (residual <= tolerance || (p->frozen && measure <= ENOUGH * tolerance)) {
      report->iterations++;
      return;
    }
  }
}

/* Contacts that hardly press or hardly open are known to the root of the rounding error only: sweeps of
 * Gauss-Seidel, which see each contact by itself, put them right. Kept where they gain. */
static scree_status polish(
    ipm *p, const scree_solver_def *par, sc_arena *arena, best *b, scree_error *error) {
  scree_solver_def sweeps = *par;
  sc_solver_report swept = {0};
  if (!(b->residual < INFINITY) || b->residual <= par->tolerance) return SCREE_OK;
  sweeps.iterations = POLISH;
  sweeps.relaxation = 1;
  scree_status status = sc_solver_find("pgs")->solve(p->problem, &sweeps, NULL, arena, &swept, error);
  double residual = sc_problem_residual(p->problem);
  if (status != SCREE_OK || !(residual < b->residual)) return status;
  b->residual = residual;
  sc_lcp_read(&p->lcp, p->problem, b->x);
  return SCREE_OK;
}

static bool any_shift(const ipm *p) {
  for (int i = 0; i < p->blocks; i++)
    if (p->block[i].kind == CONE && p->block[i].shifted) return true;
  return false;
}

/* The fixed point on the shift: frozen at the last slip, the problem is convex and is solved from a
 * central point. */
static scree_status freeze_and_solve(ipm *p, const scree_solver_def *par, sc_arena *arena, best *b,
    sc_solver_report *report, scree_error *error) {
  scree_status status = SCREE_OK;
  p->frozen = true;
  if (b->residual < INFINITY) sc_lcp_put(&p->lcp, b->x, p->problem);
  for (int round = 0; round < SHIFTS && b->residual > par->tolerance &&
       report->iterations < par->iterations && status == SCREE_OK;
       round++) {
    for (int i = 0; i < p->blocks; i++) p->block[i].slip = present_slip(p, p->block + i);
    start_point(p);
    evaluate(p);
    descend(p, par->tolerance, par->iterations, b, report);
    status = polish(p, par, arena, b, error);
  }
  return status;
}

static scree_status solve(const sc_problem *problem, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, sc_solver_report *report, scree_error *error) {
  (void)pool;
  ipm p = {.problem = problem};
  double *start;
  scree_status status = check_laws(problem, error);
  if (status == SCREE_OK) status = sc_lcp_rows(problem, 2, arena, &p.lcp, &start, error);
  if (status != SCREE_OK) return status;
  p.n = p.lcp.rows;
  p.blocks = p.lcp.items;
  best b = {INFINITY, SC_TAKE(arena, double, p.n)};
  if (!b.x || !take(&p, arena)) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d rows", p.n);
  for (int i = 0; i < p.blocks; i++) describe(&p, p.lcp.item + i, p.block + i);
  scale_rows(&p);
  start_point(&p);
  evaluate(&p);
  report->iterations = 0;
  descend(&p, par->tolerance, par->iterations, &b, report);
  status = polish(&p, par, arena, &b, error);
  if (status == SCREE_OK && b.residual > par->tolerance && any_shift(&p))
    status = freeze_and_solve(&p, par, arena, &b, report, error);
  if (b.residual < INFINITY) sc_lcp_put(&p.lcp, b.x, problem);
  report->residual = sc_problem_residual(problem);
  return status;
}

const sc_solver sc_solver_ipm = {.name = "ipm",
    .doc =
        "primal-dual interior point method on the dense problem: redundant and ill-conditioned contacts, for "
        "some hundred",
    .solve = solve};
