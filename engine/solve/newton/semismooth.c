/* Newton's method on the natural map of rows of contacts and joints (system.h), as in Alart & Curnier
 * (1991) but with the projection onto the whole cone, inside proximal steps (Rockafellar 1976):
 *     F(X) = X - P(X - (U + s(U) e_n)/stiff - h (X - C)),   U = W X + q
 * The proximal weight h (`hold` in the code) pulls X to the centre C, which makes the problem stiffer. F is 0
 * at the solution of the stiffer problem. F is semismooth, so near the solution a few steps are enough. J is
 * the derivative of P, symmetric with eigenvalues from 0 to 1. A step solves
 *     (1 - J + h J) dX + J (I + G) W dX / stiff = -F
 * If gaps of redundant contacts contradict each other by a rounding error, no solution has all of them
 * closed. The hold bounds the effect of a wrong guess about which contacts are closed. */
#include "solve/newton/semismooth.h"

#include <math.h>
#include <string.h>

static const double OPEN = 1e-12;        /* an open row has the softness 1/OPEN, relative to 1/stiff */
static const double SHORTEST = 1.0 / 16; /* length of the shortest Newton step that is tried */
static const double LEAST_HOLD = 1e-10;  /* minimum of the proximal weight h */
static const double MOST_HOLD = 0.1;     /* maximum of the proximal weight h */
/* accuracy to which the problem of one centre is solved, as a share of the natural map's error */
static const double ENOUGH = 0.05;
static const double MUCH = 1.5; /* a new centre may increase the error by less than this factor */
enum { STEPS = 8 };             /* maximum number of Newton steps for one centre */

bool sc_semismooth_take(sc_semismooth *in, sc_newton_system *s, sc_arena *arena) {
  double **row[] = {
      &in->centre, &in->X, &in->next, &in->dX, &in->F, &in->p, &in->Sp, &in->work, &in->metric.g};
  *in = (sc_semismooth){.system = s};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (!(*row[i] = SC_TAKE(arena, double, s->rows + 1))) return false;
  in->metric.D = SC_TAKE(arena, double, s->blocks + 1);
  in->metric.S = SC_TAKE(arena, double, s->blocks + 1);
  return in->metric.D && in->metric.S;
}

/* ---- projection onto a contact's cone, all parts bounded by the normal ---- */

typedef struct projection {
  double size;                    /* normal entry of the result */
  int active;                     /* number of parts that are cut */
  bool polar;                     /* the point lies in the polar cone, so its projection is 0 */
  bool cut[SC_NEWTON_PARTS];      /* the part is shortened to `size` */
  double length[SC_NEWTON_PARTS]; /* lengths of the parts before the projection */
} projection;

static void compute_part_lengths(const sc_newton_item *item, const double *z, double *out) {
  for (int k = 0, at = 1; k < item->parts; at += item->size[k++]) {
    double square = 0;
    for (int r = 0; r < item->size[k]; r++) square += z[at + r] * z[at + r];
    out[k] = sqrt(square);
  }
}

/* Computes the projection: its size s >= 0 satisfies s - z_n = sum max(0, |z_k| - s). */
static projection project_cone(const sc_newton_item *item, const double *z) {
  projection p = {.size = z[0]};
  compute_part_lengths(item, z, p.length);
  double sum = z[0];
  for (int round = 0; round < item->parts; round++) { // the longest part not cut yet
    int longest = -1;
    for (int k = 0; k < item->parts; k++)
      if (!p.cut[k] && (longest < 0 || p.length[k] > p.length[longest])) longest = k;
    if (p.length[longest] <= p.size) break;
    p.cut[longest] = true;
    sum += p.length[longest];
    p.size = sum / (1 + ++p.active);
  }
  p.polar = p.size <= 0;
  return p;
}

static void apply_projection(const sc_newton_item *item, const projection *p, const double *z, double *out) {
  out[0] = p->polar ? 0 : p->size;
  for (int k = 0, at = 1; k < item->parts; at += item->size[k++])
    for (int r = 0; r < item->size[k]; r++)
      out[at + r] = p->polar ? 0 : p->cut[k] ? z[at + r] * (p->size / p->length[k]) : z[at + r];
}

/* Values f(x) of a function at the eigenvalues x of J. one: at x = 1, along the cone and on parts that the
 * projection does not shorten. zero: at x = 0, normal to the cone. across: at x = size/length, tangential to
 * each shortened part. */
typedef struct spectrum {
  double one, zero, across[SC_NEWTON_PARTS];
} spectrum;

static void compose_function(
    const sc_newton_item *item, const projection *p, const double *z, const spectrum *f, double *out) {
  int n = item->dim;
  double along[SC_NEWTON_ROWS] = {1}, share = (f->one - f->zero) / (1 + p->active);
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  if (p->polar) share = 0;
  for (int k = 0, at = 1; k < item->parts; at += item->size[k++])
    for (int r = at; r < at + item->size[k]; r++) along[r] = p->cut[k] ? z[r] / p->length[k] : 0;
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) out[n * r + c] = share * along[r] * along[c];
  out[0] += f->zero;
  for (int k = 0, at = 1; k < item->parts; at += item->size[k++]) {
    bool cut = p->cut[k] && !p->polar;
    double all = p->polar ? f->zero : cut ? f->across[k] : f->one, rest = cut ? f->zero - all : 0;
    for (int r = at; r < at + item->size[k]; r++)
      for (int c = at; c < at + item->size[k]; c++)
        out[n * r + c] += all * (r == c) + rest * along[r] * along[c];
  }
}

/* ---- F and the error ---- */

/* Computes the argument z of P for a contact. g: set to the directions of slip; may be NULL. */
static void build_argument(const sc_semismooth *in, const sc_newton_item *item, const double *X,
    const double *U, double *g, double *z) {
  const double *centre = in->centre + item->row;
  double slip[SC_NEWTON_PARTS], shift = 0;
  compute_part_lengths(item, U, slip);
  if (g) memset(g, 0, (size_t)item->dim * sizeof *g);
  for (int k = 0, at = 1; k < item->parts && item->shifted; at += item->size[k++]) {
    shift += slip[k];
    for (int r = at; r < at + item->size[k] && g && slip[k] > 0; r++) g[r] = U[r] / slip[k];
  }
  for (int r = 0; r < item->dim; r++)
    z[r] = X[r] - (U[r] + (r ? 0 : shift)) / item->stiff - in->hold * (X[r] - centre[r]);
}

static double clamp_to_bounds(const sc_newton_item *item, double x) {
  return x < item->lo ? item->lo : x > item->hi ? item->hi : x;
}

void sc_newton_project(const sc_newton_system *s, double *X) {
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    double *x = X + item->row, z[SC_NEWTON_ROWS];
    if (!item->contact) {
      x[0] = clamp_to_bounds(item, x[0]);
      continue;
    }
    memcpy(z, x, (size_t)item->dim * sizeof *z);
    projection p = project_cone(item, z);
    apply_projection(item, &p, z, x);
  }
}

static double compute_map(
    const sc_semismooth *in, const sc_newton_item *item, const double *X, const double *U, double *F) {
  double square = 0, z[SC_NEWTON_ROWS];
  if (item->contact) {
    build_argument(in, item, X, U, NULL, z);
    projection p = project_cone(item, z);
    apply_projection(item, &p, z, F);
  } else {
    F[0] = clamp_to_bounds(item, X[0] - U[0] / item->stiff - in->hold * (X[0] - in->centre[item->row]));
  }
  for (int r = 0; r < item->dim; r++) {
    F[r] = X[r] - F[r];
    square += F[r] * F[r] * item->stiff * item->stiff;
  }
  return square;
}

/* Computes in->F and the velocities in->work at X. Returns the error. */
static double evaluate_map(sc_semismooth *in, const double *X) {
  const sc_newton_system *s = in->system;
  double sum = 0;
  sc_newton_velocities(in->system, X, true, in->work);
  for (int32_t i = 0; i < s->items; i++) {
    int32_t row = s->item[i].row;
    sum += compute_map(in, s->item + i, X + row, in->work + row, in->F + row);
  }
  return sqrt(sum);
}

/* ---- Newton's step ---- */

/* Functions of an eigenvalue x of J, the derivative of the projection P, and of the hold h. metric_at:
 * eigenvalue of the softness D, divided by stiff. stiff_at: eigenvalue of the stiffness S = D^-1, times
 * stiff. step_at: factor from the residual -F to S p, where p is the right-hand side. push_at: factor from -F
 * to p/stiff. */
typedef double (*at_eigenvalue)(double x, double hold);
static double metric_at(double x, double hold) { return (1 - x + hold * x) / (x + OPEN); }
static double stiff_at(double x, double hold) { return (x + OPEN) / (1 - x + hold * x); }
static double step_at(double x, double hold) { return 1 / (1 - x + hold * x); }
static double push_at(double x, double hold) { return 1 / (x + OPEN + 0 * hold); }

static void compose_with(const sc_semismooth *in, const sc_newton_item *item, const projection *p,
    const double *z, at_eigenvalue f, double *out) {
  spectrum s = {f(1, in->hold), f(0, in->hold), {0}};
  for (int k = 0; k < item->parts; k++)
    s.across[k] = p->cut[k] && !p->polar ? f(p->size / p->length[k], in->hold) : 0;
  compose_function(item, p, z, &s, out);
}

/* Computes the blocks D and S and the right-hand sides p and S p of a contact. */
static void contact_step(sc_semismooth *in, const sc_newton_item *item) {
  double z[SC_NEWTON_ROWS], step[36], push[36];
  double *D = in->metric.D + item->block, *S = in->metric.S + item->block, *F = in->F + item->row;
  int n = item->dim;
  build_argument(in, item, in->X + item->row, in->work + item->row, in->metric.g + item->row, z);
  projection p = project_cone(item, z);
  compose_with(in, item, &p, z, metric_at, D);
  compose_with(in, item, &p, z, stiff_at, S);
  compose_with(in, item, &p, z, step_at, step);
  compose_with(in, item, &p, z, push_at, push);
  for (int r = 0; r < n; r++) {
    double along = 0, against = 0;
    for (int c = 0; c < n; c++) {
      along -= step[n * r + c] * F[c];
      against -= push[n * r + c] * F[c];
      S[n * r + c] /= item->stiff;
      D[n * r + c] *= item->stiff;
    }
    in->Sp[item->row + r] = along;
    in->p[item->row + r] = against * item->stiff;
  }
  if (!sc_newton_soften(item, &in->metric)) return;
  for (int r = 0; r < n; r++) {
    in->Sp[item->row + r] = 0;
    for (int c = 0; c < n; c++) in->Sp[item->row + r] += S[n * r + c] * in->p[item->row + c];
  }
}

static void row_step(sc_semismooth *in, const sc_newton_item *item) {
  int32_t row = item->row;
  double z = in->X[row] - in->work[row] / item->stiff - in->hold * (in->X[row] - in->centre[row]);
  double J = z > item->lo && z < item->hi, B = J + OPEN;
  double D = item->stiff * metric_at(J, in->hold) + item->soft[0];
  if (item->lo == item->hi) D = 1e30 * item->stiff;
  in->metric.g[row] = 0;
  in->metric.D[item->block] = D;
  in->metric.S[item->block] = item->lo < item->hi ? 1 / D : 0;
  in->p[row] = item->lo < item->hi ? -in->F[row] * item->stiff / B : -in->F[row] * D;
  in->Sp[row] = in->p[row] / D;
}

/* Makes one Newton step for the present centre C. Returns false if the factorisation fails, or if no tried
 * step length gives a finite error. */
static bool make_newton_step(sc_semismooth *in) {
  sc_newton_system *s = in->system;
  evaluate_map(in, in->X); // F and velocities may belong to a rejected step
  for (int32_t i = 0; i < s->items; i++) {
    if (s->item[i].contact) contact_step(in, s->item + i);
    else row_step(in, s->item + i);
  }
  if (!sc_newton_factor(s, &in->metric)) return false;
  sc_newton_direction(s, &in->metric, in->p, in->Sp, NULL, in->dX);
  for (double length = 1; length >= SHORTEST; length /= 2) {
    for (int32_t r = 0; r < s->rows; r++) in->next[r] = in->X[r] + length * in->dX[r];
    double error = evaluate_map(in, in->next);
    if (!(error < INFINITY)) continue;
    double *swap = in->X;
    in->X = in->next;
    in->next = swap;
    in->held_error = error;
    return true;
  }
  return false;
}

static double natural_error_at(sc_semismooth *in, const double *X) {
  double hold = in->hold;
  in->hold = 0;
  double error = evaluate_map(in, X);
  in->hold = hold;
  return error;
}

/* Returns the Euclidean norm of all impulses, each converted to a velocity by `stiff` [m/s]. The error is
 * relative to it. */
static double compute_load(const sc_semismooth *in) {
  const sc_newton_system *s = in->system;
  double sum = 0;
  for (int32_t i = 0; i < s->items; i++)
    for (int k = 0; k < s->item[i].dim; k++) {
      double x = in->X[s->item[i].row + k] * s->item[i].stiff;
      sum += x * x;
    }
  return sqrt(sum);
}

void sc_semismooth_start(sc_semismooth *in, const double *X) {
  memcpy(in->X, X, (size_t)in->system->rows * sizeof *X);
  memcpy(in->centre, X, (size_t)in->system->rows * sizeof *X);
  in->hold = in->floor = LEAST_HOLD;
  in->good = 0;
  in->error = natural_error_at(in, in->X);
  in->load = compute_load(in);
  in->hold = in->load > 0 ? fmin(fmax(in->error / in->load, LEAST_HOLD), MOST_HOLD) : MOST_HOLD;
}

bool sc_semismooth_step(sc_semismooth *in, int64_t most) {
  size_t bytes = (size_t)in->system->rows * sizeof *in->X;
  int64_t first = in->system->factorisations;
  while (in->hold <= MOST_HOLD && in->system->factorisations - first < most) {
    memcpy(in->centre, in->X, bytes);
    in->held_error = in->error;
    int steps = 0;
    while (steps < STEPS && in->held_error > ENOUGH * in->error && make_newton_step(in)) steps++;
    double error = natural_error_at(in, in->X);
    if (in->held_error <= ENOUGH * in->error && error < MUCH * in->error) {
      if (in->hold <= in->floor && ++in->good >= 3) in->floor /= 10, in->good = 0;
      if (steps <= 4) in->hold = fmax(in->hold / 10, fmax(in->floor, LEAST_HOLD));
      in->error = error;
      return true;
    }
    memcpy(in->X, in->centre, bytes);
    in->hold *= 10;
    in->floor = in->hold;
    in->good = 0;
  }
  return false;
}
