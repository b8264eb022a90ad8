/* The second-order solver: an interior point method that approaches the solution, and Newton's method on the
 * natural map that completes it.
 *
 * The interior point method (interior.c) is insensitive to redundant contacts and mass ratios. In double
 * precision its error stays at the root of the rounding error, because every impulse stays off the border of
 * its cone. Newton's method on the natural map (semismooth.c) has no border and converges quadratically, but
 * only near the solution. Therefore rounds of the interior point method alternate with tries of Newton's
 * method, whenever the error has fallen enough. With impulses of the last step Newton's method is tried
 * first. A structure that hardly moves needs one or two factorisations.
 *
 * If gaps of redundant contacts differ by a rounding error, some contacts must open that carry load at first.
 * A few Gauss-Seidel sweeps followed by proximal steps find this solution. Friction can make the problem so
 * far from convex that rounds stall at the border. Then shifts are frozen, which makes the problem convex,
 * and updated after each solution. Last, the method restarts near the best point, each time at a larger
 * distance from the border. */
#include "solve/newton/newton.h"

#include <math.h>
#include <string.h>
#include "solve/newton/interior.h"
#include "solve/newton/semismooth.h"

enum {
  PATIENCE = 5,        /* rounds without a gain before the method changes */
  FROZEN_PATIENCE = 4, /* rounds without a gain before the shifts are updated */
  RESTARTS = 3,        /* maximum number of restarts near the best point */
  SHIFTS = 12,         /* maximum number of updates of frozen shifts */
  FEW = 10,            /* maximum factorisations of a try of Newton's method */
  MANY = 100,          /* maximum factorisations in proximal steps, if sweeps ran before */
  POLISH = 4           /* maximum number of polishing steps, and of factorisations per such step */
};
/* Newton's method is tried again if the natural map's error falls to this share of its value at the start or
 * at the last try. */
static const double FALL = 1e-2;
/* A try of Newton's method ends if a step does not lower the error to this share of the error before. */
static const double GAIN = 0.3;
/* Polishing ends at this error, relative to the load, because rounding prevents a lower error. */
static const double ROUNDING = 1e-13;
/* Share of the tolerance to which a convex problem is solved. Polishing lowers `negligible` by this
 * factor. */
static const double ENOUGH = 1e-4;

typedef struct newton {
  sc_newton_system *system;
  const sc_newton_aim *aim;
  sc_newton_report *report;
  sc_interior interior;
  sc_semismooth semismooth;
  double *best, *trial; /* [rows] best impulses so far; impulses to judge */
  double negligible;    /* sc_newton_aim.negligible, or less while polishing [m/s] */
  double marked;        /* residual at the time when it last fell by the factor GAIN [m/s] */
  int64_t since;        /* number of factorisations at that time */
} newton;

static bool is_done(const newton *n) {
  return n->report->residual <= n->aim->tolerance || n->system->factorisations >= n->aim->rounds ||
      n->system->factorisations - n->since >= n->aim->patience;
}

/* Sets those impulses of contacts to 0 that change velocities by less than n->negligible. */
static void drop_negligible(const newton *n, double *X) {
  for (int32_t i = 0; i < n->system->items; i++) {
    const sc_newton_item *item = n->system->item + i;
    if (!item->contact || !(X[item->row] * item->stiff <= n->negligible)) continue;
    memset(X + item->row, 0, (size_t)item->dim * sizeof *X);
  }
}

/* Computes the residual of X projected onto cones and bounds, and stores X if it is the best so far. */
static void judge_impulses(newton *n, const double *X) {
  memcpy(n->trial, X, (size_t)n->system->rows * sizeof *X);
  sc_newton_project(n->system, n->trial);
  drop_negligible(n, n->trial);
  double residual = n->aim->judge(n->aim->context, n->trial);
  if (!(residual < n->report->residual)) return;
  n->report->residual = residual;
  memcpy(n->best, n->trial, (size_t)n->system->rows * sizeof *X);
  if (residual <= GAIN * n->marked) n->marked = residual, n->since = n->system->factorisations;
}

/* Makes proximal steps of Newton's method on the natural map from X, while each lowers the error by the
 * factor `gain`. most: maximum number of factorisations. */
static void try_steps(newton *n, const double *X, double gain, int64_t most) {
  sc_semismooth *in = &n->semismooth;
  sc_semismooth_start(in, X);
  for (int64_t end = n->system->factorisations + most; n->system->factorisations < end && !is_done(n);) {
    double before = in->error;
    if (!sc_semismooth_step(in, end - n->system->factorisations)) return;
    judge_impulses(n, in->X);
    if (!(in->error < gain * before)) return;
  }
}

static double natural_error(newton *n, const double *X) {
  sc_semismooth_start(&n->semismooth, X);
  return n->semismooth.error;
}

/* Makes rounds of the interior point method, with tries of Newton's method between them, until is_done() or
 * until rounds gain no more. */
static void run_rounds(newton *n) {
  sc_interior *in = &n->interior;
  double least = INFINITY, least_inner = INFINITY, tried = natural_error(n, in->X);
  int since = 0, patience = in->frozen ? FROZEN_PATIENCE : PATIENCE;
  while (!is_done(n) && since < patience) {
    bool going = sc_interior_round(in);
    judge_impulses(n, in->X);
    if (is_done(n)) return;
    double error = natural_error(n, in->X), inner = sc_interior_error(in);
    bool gains = in->frozen ? inner < 0.9 * least_inner
                            : error < 0.9 * least || (inner < 0.5 * least_inner && error < 1.5 * least);
    since = gains ? 0 : since + 1;
    least = fmin(least, error);
    least_inner = fmin(least_inner, inner);
    if (in->frozen && inner <= ENOUGH * n->aim->tolerance) going = false;
    if (error < FALL * tried || !going) {
      tried = error;
      try_steps(n, in->X, GAIN, FEW);
    }
    if (!going) return;
  }
}

/* Sets the frozen shifts to the slip at the best impulses. */
static void freeze_shifts(newton *n) {
  sc_newton_system *s = n->system;
  sc_interior *in = &n->interior;
  sc_newton_velocities(s, n->best, true, in->work);
  for (int32_t i = 0; i < s->items; i++) {
    const sc_newton_item *item = s->item + i;
    for (int k = 0, at = 1; k < item->parts; at += item->size[k++]) {
      double square = 0;
      for (int r = 0; r < item->size[k]; r++)
        square += in->work[item->row + at + r] * in->work[item->row + at + r];
      in->slip[item->cone + k] = sqrt(square);
    }
  }
}

static bool any_shift(const sc_newton_system *s) {
  for (int32_t i = 0; i < s->items; i++)
    if (s->item[i].shifted && s->item[i].parts) return true;
  return false;
}

static bool any_impulse(const sc_newton_system *s, const double *X) {
  for (int32_t r = 0; r < s->rows; r++)
    if (X[r] != 0) return true;
  return false;
}

/* Sweeps from the best impulses, then makes proximal steps. */
static void sweep_and_try(newton *n) {
  double *X = n->interior.work;
  if (is_done(n) || !n->aim->sweep) return;
  memcpy(X, n->best, (size_t)n->system->rows * sizeof *X);
  n->aim->sweep(n->aim->context, X);
  judge_impulses(n, X);
  if (!is_done(n)) try_steps(n, X, INFINITY, MANY);
}

/* Solves convex problems with frozen shifts, and updates the shifts after each (fixed point). */
static void freeze_and_solve(newton *n) {
  n->interior.frozen = true;
  for (int i = 0; i < SHIFTS && !is_done(n) && any_shift(n->system); i++) {
    freeze_shifts(n);
    sc_interior_start_near(&n->interior, n->best, 10 * natural_error(n, n->best));
    run_rounds(n);
    sweep_and_try(n);
  }
  n->interior.frozen = false;
}

static void start_again(newton *n) {
  for (int i = 0; i < RESTARTS && !is_done(n); i++) {
    double room = natural_error(n, n->best);
    for (int k = 0; k < i; k++) room *= 100;
    sc_interior_start_near(&n->interior, n->best, room);
    run_rounds(n);
  }
}

/* Lowers the error of a solution to rounding while steps converge fast. */
static void polish_impulses(newton *n) {
  sc_semismooth *in = &n->semismooth;
  if (!(n->report->residual <= n->aim->tolerance)) return;
  n->negligible *= ENOUGH;
  sc_semismooth_start(in, n->best);
  for (int i = 0; i < POLISH && in->error > ROUNDING * in->load; i++) {
    double before = in->error;
    if (!sc_semismooth_step(in, POLISH)) return;
    judge_impulses(n, in->X);
    if (!(in->error < GAIN * before)) return;
  }
}

bool sc_newton_solve(
    sc_newton_system *s, const sc_newton_aim *aim, sc_arena *arena, double *X, sc_newton_report *report) {
  newton n = {
      .system = s, .aim = aim, .report = report, .best = X, .trial = SC_TAKE(arena, double, s->rows + 1)};
  if (!n.trial) return false;
  if (!sc_interior_take(&n.interior, s, arena) || !sc_semismooth_take(&n.semismooth, s, arena)) return false;
  s->factorisations = 0;
  n.negligible = aim->negligible;
  report->residual = n.marked = aim->judge(aim->context, X);
  if (!aim->anew && any_impulse(s, X) && !is_done(&n)) try_steps(&n, X, GAIN, FEW);
  if (!is_done(&n)) {
    sc_interior_start(&n.interior);
    run_rounds(&n);
  }
  sweep_and_try(&n);
  freeze_and_solve(&n);
  start_again(&n);
  if (aim->polish) polish_impulses(&n);
  report->rounds = s->factorisations;
  return true;
}
