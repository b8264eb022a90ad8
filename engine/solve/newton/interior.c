/* A primal-dual interior point method for rows of contacts and joints (system.h).
 *
 * Every part k of friction has a cone (X_n, X_k) and a dual Z_k in the cone, with X_k o Z_k = 0. The sum of
 * the duals of a contact is its velocity:
 *     U_n + sum |U_k| = sum Z_k0,   U_k = Z_k
 * Joint rows with bounds have U = zl - zu with (X - lo) zl = 0 and (hi - X) zu = 0.
 * A round is Mehrotra's predictor-corrector step (1992) with the scaling of Nesterov & Todd (1997). Newton's
 * step contains the derivative of De Saxce's shift, so the rounds also converge to Coulomb's law. With a
 * shift the problem is not convex, and rounds may stall at the border (also seen by Acary, Armand, Nguyen &
 * Shpakovych 2023). With frozen shifts it is convex. */
#include "solve/newton/interior.h"

#include <math.h>
#include <string.h>
#include "math/small.h"

/* Softness of every row, relative to its stiffness. It makes the matrix regular if rows depend on each
 * other. */
static const double SOFTNESS = 1e-15;
/* Maximum step as a share of the step to the border. */
static const double NEAR_BORDER = 0.995;
/* A step shorter than this (full step: 1) shows that the iterate is too close to the border. */
static const double SHORT = 0.3;
/* Complementarity that the corrector step aims at after a short predictor step, as a share of the mean. */
static const double AWAY = 0.3;

bool sc_interior_take(sc_interior *in, sc_newton_system *s, sc_arena *arena) {
  size_t rows = (size_t)s->rows + 1, cones = (size_t)s->cones + 1, items = (size_t)s->items + 1;
  *in = (sc_interior){.system = s};
  double **row[] = {&in->X, &in->aX, &in->dX, &in->off, &in->p, &in->Sp, &in->work, &in->metric.g};
  double **item[] = {&in->zl, &in->zu, &in->dzl, &in->dzu};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (!(*row[i] = SC_TAKE(arena, double, rows))) return false;
  for (size_t i = 0; i < sizeof item / sizeof *item; i++)
    if (!(*item[i] = SC_TAKE(arena, double, items))) return false;
  in->U = sc_arena_take(arena, cones * sizeof *in->U);
  in->aU = sc_arena_take(arena, cones * sizeof *in->aU);
  in->dU = sc_arena_take(arena, cones * sizeof *in->dU);
  in->slip = SC_TAKE(arena, double, cones);
  in->scale = SC_TAKE(arena, sc_cone_scaling, cones);
  in->metric.D = SC_TAKE(arena, double, s->blocks + 1);
  in->metric.S = SC_TAKE(arena, double, s->blocks + 1);
  return in->U && in->aU && in->dU && in->slip && in->scale && in->metric.D && in->metric.S;
}

/* ---- parts of a contact ---- */

static int cones_of(const sc_newton_item *item) { return item->parts ? item->parts : 1; }

/* Returns the index, within the item, of the first row of friction part k. */
static int part_at(const sc_newton_item *item, int k) {
  int at = 1;
  for (int i = 0; i < k; i++) at += item->size[i];
  return at;
}
static int part_size(const sc_newton_item *item, int k) { return item->parts ? item->size[k] : 0; }

/* Sets out to (X_n, X_k) of friction part k, with 0 for rows that the part does not have. */
static void part_of(const sc_newton_item *item, int k, const double *X, double out[3]) {
  int at = part_at(item, k), size = part_size(item, k);
  out[0] = X[item->row];
  out[1] = size > 0 ? X[item->row + at] : 0;
  out[2] = size > 1 ? X[item->row + at + 1] : 0;
}

static double slip_length(const double U[3]) { return sqrt(U[1] * U[1] + U[2] * U[2]); }
/* Returns the distance of x from the lower bound, at least 1e-16 times the size of the bound. Returns
 * INFINITY without a bound. */
static double distance_to_lower(const sc_newton_item *b, double x) {
  return isinf(b->lo) ? INFINITY : fmax(x - b->lo, 1e-16 * fabs(b->lo));
}
/* Returns the distance of x from the upper bound, at least 1e-16 times the size of the bound. Returns
 * INFINITY without a bound. */
static double distance_to_upper(const sc_newton_item *b, double x) {
  return isinf(b->hi) ? INFINITY : fmax(b->hi - x, 1e-16 * fabs(b->hi));
}

/* ---- starting points ---- */

static double largest_free_velocity(const sc_newton_system *s) {
  double speed = 0;
  for (int32_t r = 0; r < s->rows; r++) speed = fmax(speed, fabs(s->q[r]));
  return speed > 0 ? speed : 1;
}

/* Sets the impulse of a joint row near x, but inside its bounds. room: velocity that determines the distance
 * from the bounds [m/s]. */
static void start_row(sc_interior *in, int32_t i, double x, double room) {
  const sc_newton_item *item = in->system->item + i;
  double load = room / item->stiff, low = item->lo, high = item->hi;
  if (high > low && isfinite(low) && isfinite(high)) load = fmin(load, (high - low) / 4);
  if (isfinite(low)) x = fmax(x, low + load);
  if (isfinite(high)) x = fmin(x, high - load);
  in->X[item->row] = low == high ? low : x;
  in->zl[i] = isinf(low) ? 0 : room;
  in->zu[i] = isinf(high) ? 0 : room;
}

void sc_interior_start(sc_interior *in) {
  const sc_newton_system *s = in->system;
  double speed = largest_free_velocity(s);
  memset(in->X, 0, (size_t)s->rows * sizeof *in->X);
  memset(in->U, 0, (size_t)s->cones * sizeof *in->U);
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    if (item->contact) in->X[item->row] = speed / item->stiff;
    else start_row(in, i, 0, speed);
    for (int k = 0; item->contact && k < cones_of(item); k++) in->U[item->cone + k][0] = speed;
  }
}

void sc_interior_start_near(sc_interior *in, const double *X, double room) {
  sc_newton_system *s = in->system;
  memcpy(in->X, X, (size_t)s->rows * sizeof *X);
  sc_newton_velocities(s, X, true, in->work);
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    if (!item->contact) {
      start_row(in, i, X[item->row], room);
      continue;
    }
    double normal = in->X[item->row], lift = 0;
    for (int k = 0; k < cones_of(item); k++) {
      double x[3], *u = in->U[item->cone + k];
      part_of(item, k, X, x);
      part_of(item, k, in->work, u);
      normal = fmax(normal, slip_length(x));
      lift = slip_length(u);
      u[0] = fmax(u[0] / cones_of(item), 0) + lift;
      u[0] += room;
    }
    in->X[item->row] = fmax(normal, 0) + room / item->stiff;
  }
}

/* ---- the equations ---- */

static double shift_of(const sc_interior *in, const sc_newton_item *item, int32_t cone) {
  if (!item->shifted) return 0;
  return in->frozen ? in->slip[cone] : slip_length(in->U[cone]);
}

static void evaluate_contact(sc_interior *in, const sc_newton_item *item, double *sum, int *count) {
  double *off = in->off + item->row;
  for (int k = 0; k < cones_of(item); k++) {
    const double *U = in->U[item->cone + k];
    double X[3];
    part_of(item, k, in->X, X);
    off[0] += (part_size(item, k) ? shift_of(in, item, item->cone + k) : 0) - U[0];
    for (int r = 0; r < part_size(item, k); r++) off[part_at(item, k) + r] -= U[1 + r];
    *sum += X[0] * U[0] + X[1] * U[1] + X[2] * U[2];
    (*count)++;
  }
}

/* Computes in->off, and the mean complementarity in->mean. */
static void evaluate_residual(sc_interior *in) {
  sc_newton_system *s = in->system;
  double sum = 0;
  int count = 0;
  sc_newton_velocities(s, in->X, true, in->off);
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    if (item->contact) {
      evaluate_contact(in, item, &sum, &count);
      continue;
    }
    double x = in->X[item->row];
    in->off[item->row] -= in->zl[i] - in->zu[i];
    if (item->lo == item->hi) in->off[item->row] = 0;
    if (item->lo == item->hi) continue;
    if (!isinf(item->lo)) sum += in->zl[i] * (x - item->lo), count++;
    if (!isinf(item->hi)) sum += in->zu[i] * (item->hi - x), count++;
  }
  in->mean = count ? sum / count : 0;
}

double sc_interior_error(const sc_interior *in) {
  const sc_newton_system *s = in->system;
  double off = 0, load = 0;
  int count = 0;
  for (int32_t r = 0; r < s->rows; r++) off = fmax(off, fabs(in->off[r]));
  for (int32_t i = 0; i < s->items; i++)
    if (s->item[i].contact) load += in->X[s->item[i].row], count++;
  return load > 0 ? fmax(off, in->mean * count / load) : off;
}

/* ---- blocks of a step ---- */

/* Returns the index, within its item, of row r of cone k. Row 0 of a cone is the normal row. */
static int row_of(const sc_newton_item *item, int k, int r) { return r ? part_at(item, k) + r - 1 : 0; }

/* Computes D = W^-2 plus softness, where W is the scaling of a cone (cone.h), and S = D^-1. With one cone the
 * eigenvectors provide both. With several cones D is a sum, and S its numerical inverse. */
static void contact_metric(sc_interior *in, const sc_newton_item *item) {
  double *D = in->metric.D + item->block, *S = in->metric.S + item->block, *g = in->metric.g + item->row;
  double soft = SOFTNESS * item->stiff;
  int n = item->dim;
  memset(D, 0, (size_t)(n * n) * sizeof *D);
  g[0] = 0;
  for (int k = 0; k < cones_of(item); k++) {
    const double *U = in->U[item->cone + k];
    sc_cone_scaling *scale = in->scale + item->cone + k;
    double X[3], axis[2], value[3], full[9], inverse[9], slip = slip_length(U);
    part_of(item, k, in->X, X);
    sc_cone_scale(X, U, scale);
    sc_cone_eigen(scale, axis, value);
    double stiff[3] = {1 / (value[0] + soft), 1 / (value[1] + soft), 1 / (value[2] + soft)};
    for (int r = 0; r < 3; r++) value[r] += cones_of(item) == 1 ? soft : 0;
    sc_cone_compose(axis, value, full);
    sc_cone_compose(axis, stiff, inverse);
    int rows = 1 + part_size(item, k);
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < rows; c++) {
        D[n * row_of(item, k, r) + row_of(item, k, c)] += full[3 * r + c];
        S[n * row_of(item, k, r) + row_of(item, k, c)] = inverse[3 * r + c];
      }
    for (int r = 1; r < rows; r++)
      g[row_of(item, k, r)] = item->shifted && !in->frozen && slip > 0 ? U[r] / slip : 0;
  }
  if (cones_of(item) == 1) return;
  for (int r = 0; r < n; r++) D[n * r + r] += soft;
  sc_small_invert_symmetric(n, D, S);
}

static void row_metric(sc_interior *in, int32_t i) {
  const sc_newton_item *item = in->system->item + i;
  double x = in->X[item->row], D = item->soft[0] + SOFTNESS * item->stiff;
  if (item->lo < item->hi)
    D += in->zl[i] / distance_to_lower(item, x) + in->zu[i] / distance_to_upper(item, x);
  in->metric.D[item->block] = D;
  in->metric.S[item->block] = item->lo < item->hi ? 1 / D : 0;
  if (item->lo == item->hi) in->metric.D[item->block] = 1e30 * item->stiff;
  in->metric.g[item->row] = 0;
}

/* ---- directions ---- */

/* Computes p = W^-1 (l \ (target - l o l - second)) of a cone. W, l: scaling of the cone (cone.h). o, \:
 * Jordan product and quotient. second: second-order term of the predictor; included if `corrects`. */
static void build_cone_right_side(
    const sc_interior *in, int32_t cone, const double aX[3], double target, bool corrects, double out[3]) {
  const sc_cone_scaling *scale = in->scale + cone;
  double d[3], x[3], u[3], second[3] = {0, 0, 0}, q[3];
  sc_cone_product(scale->l, scale->l, d);
  if (corrects) {
    sc_cone_divide(scale, aX, x);
    sc_cone_multiply(scale, in->aU[cone], u);
    sc_cone_product(x, u, second);
  }
  for (int k = 0; k < 3; k++) d[k] = (k ? 0 : target) - d[k] - second[k];
  sc_cone_quotient(scale->l, d, q);
  sc_cone_divide(scale, q, out);
}

static void build_row_right_side(sc_interior *in, int32_t i, double target, bool corrects) {
  const sc_newton_item *item = in->system->item + i;
  double x = in->X[item->row], low = distance_to_lower(item, x), high = distance_to_upper(item, x),
         ax = in->aX[item->row];
  in->p[item->row] = 0;
  if (item->lo == item->hi) return;
  in->p[item->row] = target / low - in->zl[i] - (target / high - in->zu[i]);
  if (corrects) in->p[item->row] -= ax * in->dzl[i] / low + ax * in->dzu[i] / high;
}

static void build_right_side(sc_interior *in, double target, bool corrects) {
  const sc_newton_system *s = in->system;
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    double *p = in->p + item->row, *Sp = in->Sp + item->row;
    int n = item->dim;
    if (!item->contact) build_row_right_side(in, i, target, corrects);
    else memset(p, 0, (size_t)n * sizeof *p);
    for (int k = 0; item->contact && k < cones_of(item); k++) {
      double aX[3], own[3];
      part_of(item, k, in->aX, aX);
      build_cone_right_side(in, item->cone + k, aX, target, corrects, own);
      for (int r = 0; r <= part_size(item, k); r++) p[row_of(item, k, r)] += own[r];
    }
    for (int r = 0; r < n; r++) {
      Sp[r] = 0;
      for (int c = 0; c < n; c++) Sp[r] += in->metric.S[item->block + n * r + c] * p[c];
    }
  }
}

/* Computes the step dU of the duals of a contact from its velocity step. With several cones, each dual
 * follows from the equation of its cone. The difference from the normal velocity is distributed equally. */
static void move_contact(sc_interior *in, const sc_newton_item *item, double target, bool corrects,
    const double *dX, const double *du, double (*dU)[3]) {
  double normal = du[item->row], own[SC_NEWTON_PARTS], sum = 0;
  int cones = cones_of(item);
  for (int r = 1; r < item->dim; r++) normal += in->metric.g[item->row + r] * du[item->row + r];
  for (int k = 0; k < cones; k++) {
    double *d = dU[item->cone + k], x[3], aX[3], p[3], axis[2], value[3], full[9];
    part_of(item, k, du, d);
    d[0] = normal;
    if (cones == 1) return;
    part_of(item, k, dX, x);
    part_of(item, k, in->aX, aX);
    build_cone_right_side(in, item->cone + k, aX, target, corrects, p);
    sc_cone_eigen(in->scale + item->cone + k, axis, value);
    sc_cone_compose(axis, value, full);
    own[k] = p[0] - full[0] * x[0] - full[1] * x[1] - full[2] * x[2];
    sum += own[k];
  }
  for (int k = 0; k < cones; k++) dU[item->cone + k][0] = own[k] + (normal - sum) / cones;
}

static void move_row(sc_interior *in, int32_t i, double target, bool corrects, const double *dX) {
  const sc_newton_item *item = in->system->item + i;
  double x = in->X[item->row], low = distance_to_lower(item, x), high = distance_to_upper(item, x),
         dx = dX[item->row], ax = in->aX[item->row];
  if (item->lo == item->hi) {
    in->dzl[i] = in->dzu[i] = 0;
    return;
  }
  double second_l = corrects ? ax * in->dzl[i] : 0, second_u = corrects ? -ax * in->dzu[i] : 0;
  in->dzl[i] = isinf(low) ? 0 : (target - second_l - in->zl[i] * dx) / low - in->zl[i];
  in->dzu[i] = isinf(high) ? 0 : (target - second_u + in->zu[i] * dx) / high - in->zu[i];
}

static void solve_direction(sc_interior *in, double target, bool corrects, double *dX, double (*dU)[3]) {
  sc_newton_system *s = in->system;
  build_right_side(in, target, corrects);
  sc_newton_direction(s, &in->metric, in->p, in->Sp, in->off, dX);
  sc_newton_velocities(s, dX, false, in->work);
  for (int32_t r = 0; r < s->rows; r++) in->work[r] += in->off[r];
  for (int32_t i = 0; i < s->items; i++) {
    if (s->item[i].contact) move_contact(in, s->item + i, target, corrects, dX, in->work, dU);
    else move_row(in, i, target, corrects, dX);
  }
}

/* Returns the largest step <= most that leaves value + step * change >= 0. */
static double clip_step(double value, double change, double most) {
  return change < 0 ? fmin(most, -value / change) : most;
}

/* Returns the largest step that stays inside all cones and bounds, at most 1 / NEAR_BORDER. */
static double find_longest_step(const sc_interior *in, const double *dX, double (*dU)[3]) {
  const sc_newton_system *s = in->system;
  double step = 1 / NEAR_BORDER;
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    for (int k = 0; item->contact && k < cones_of(item); k++) {
      double X[3], d[3];
      part_of(item, k, in->X, X);
      part_of(item, k, dX, d);
      step = sc_cone_step(in->U[item->cone + k], dU[item->cone + k], sc_cone_step(X, d, step));
    }
    if (item->contact || item->lo == item->hi) continue;
    double x = in->X[item->row], dx = dX[item->row];
    if (!isinf(item->lo)) step = clip_step(in->zl[i], in->dzl[i], clip_step(x - item->lo, dx, step));
    if (!isinf(item->hi)) step = clip_step(in->zu[i], in->dzu[i], clip_step(item->hi - x, -dx, step));
  }
  return step;
}

static void advance_point(sc_interior *in, double step, const double *dX, double (*dU)[3]) {
  const sc_newton_system *s = in->system;
  for (int32_t r = 0; r < s->rows; r++) in->X[r] += step * dX[r];
  for (int32_t c = 0; c < s->cones; c++)
    for (int k = 0; k < 3; k++) in->U[c][k] += step * dU[c][k];
  for (int32_t i = 0; i < s->items; i++) {
    if (s->item[i].contact) continue;
    in->zl[i] += step * in->dzl[i];
    in->zu[i] += step * in->dzu[i];
  }
}

/* Returns the mean complementarity after a predictor step of length `step`. */
static double mean_after(const sc_interior *in, double step) {
  const sc_newton_system *s = in->system;
  double sum = 0;
  int count = 0;
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    for (int k = 0; item->contact && k < cones_of(item); k++, count++) {
      const double *U = in->U[item->cone + k], *dU = in->aU[item->cone + k];
      double X[3], dX[3];
      part_of(item, k, in->X, X);
      part_of(item, k, in->aX, dX);
      for (int r = 0; r < 3; r++) sum += (X[r] + step * dX[r]) * (U[r] + step * dU[r]);
    }
    if (item->contact || item->lo == item->hi) continue;
    double x = in->X[item->row] + step * in->aX[item->row];
    if (!isinf(item->lo)) sum += (in->zl[i] + step * in->dzl[i]) * (x - item->lo), count++;
    if (!isinf(item->hi)) sum += (in->zu[i] + step * in->dzu[i]) * (item->hi - x), count++;
  }
  return count ? sum / count : 0;
}

static bool is_inside(const sc_interior *in) {
  const sc_newton_system *s = in->system;
  for (int32_t i = 0; i < s->items; i++)
    for (int k = 0; s->item[i].contact && k < cones_of(s->item + i); k++) {
      double X[3];
      part_of(s->item + i, k, in->X, X);
      if (!(sc_cone_square(X) > 0) || !(sc_cone_square(in->U[s->item[i].cone + k]) > 0)) return false;
    }
  return true;
}

static void compute_step(sc_interior *in, double target, bool corrects) {
  solve_direction(in, target, corrects, in->dX, in->dU);
  in->step = fmin(1, NEAR_BORDER * find_longest_step(in, in->dX, in->dU));
}

/* Computes Mehrotra's direction. predicted: length of the predictor step. If the predictor step is short, the
 * border is near. The direction then leads away from the border, without the second-order term, which would
 * lead into it. */
static void choose_direction(sc_interior *in, double predicted) {
  double share = in->mean > 0 ? mean_after(in, predicted) / in->mean : 0,
         target = in->mean * fmin(1, fmax(0, share)) * share * share;
  bool near = predicted < SHORT;
  compute_step(in, near ? fmax(target, AWAY * in->mean) : target, !near);
  for (int half = 1; in->step < SHORT && half <= 2; half++) compute_step(in, half * in->mean / 2, false);
}

bool sc_interior_round(sc_interior *in) {
  sc_newton_system *s = in->system;
  if (!is_inside(in)) return false;
  evaluate_residual(in);
  for (int32_t i = 0; i < s->items; i++) {
    if (s->item[i].contact) contact_metric(in, s->item + i), sc_newton_soften(s->item + i, &in->metric);
    else row_metric(in, i);
  }
  if (!sc_newton_factor(s, &in->metric)) return false;
  solve_direction(in, 0, false, in->aX, in->aU);
  choose_direction(in, fmin(1, find_longest_step(in, in->aX, in->aU)));
  if (!(in->step > 1e-9)) return false;
  advance_point(in, in->step, in->dX, in->dU);
  return true;
}
