/* The second-order solver: an interior point method that takes the whole problem near its answer, and
 * Newton's method on the natural map that ends it.
 *
 * The interior point method (interior.c) does not care for redundant contacts or ratios of mass, but in
 * double precision it ends at the root of the rounding error, for it keeps every impulse off the border of
 * its cone. Newton's method on the natural map (semismooth.c) has no border and converges quadratically,
 * but only from nearby. So rounds of the first alternate with tries of the second, as soon as the error
 * has fallen far enough for that to pay. From the impulses of the last step the second goes first: a
 * structure that hardly moves takes one or two factorisations.
 *
 * Contacts that are redundant and whose gaps differ by a rounding error have answers in which some of them
 * must let go although they carry a share of the load at first: a few sweeps of Gauss-Seidel, which see
 * each contact by itself, and proximal steps one after the other walk there. Where friction makes the
 * problem so far from convex that rounds end in a corner, they go on with frozen shifts: the problem is
 * convex then, and the shifts are brought up to date from one solution to the next. At last they start
 * again around the best point, with more room each time. */
#include "solve/newton/newton.h"

#include <math.h>
#include <string.h>
#include "solve/newton/interior.h"
#include "solve/newton/semismooth.h"

/* Rounds without a gain after which the method changes; factorisations of a try and of a longer walk. */
enum { PATIENCE = 5, FROZEN_PATIENCE = 4, RESTARTS = 3, SHIFTS = 12, FEW = 10, MANY = 100, POLISH = 4 };
/* Fall of the natural map's error over that of the start or the last try which makes a try worth it; that
 * which a step of a try must bring. */
static const double FALL = 1e-2, GAIN = 0.3;
static const double ROUNDING = 1e-13; /* of the load: errors that no step makes less */
static const double ENOUGH =
    1e-4; /* of the tolerance, to which a convex problem is solved, and of what is negligible then */

typedef struct newton {
  sc_newton_system *system;
  const sc_newton_aim *aim;
  sc_newton_report *report;
  sc_interior interior;
  sc_semismooth semismooth;
  double *best, *trial;
  double negligible; /* as the aim has it, or less */
  double marked;     /* residual when it last fell by GAIN */
  int64_t since;     /* factorisations until then */
} newton;

static bool done(const newton *n) {
  return n->report->residual <= n->aim->tolerance || n->system->factorisations >= n->aim->rounds ||
      n->system->factorisations - n->since >= n->aim->patience;
}

/* Contacts that carry next to nothing carry nothing. */
static void drop_negligible(const newton *n, double *X) {
  for (int32_t i = 0; i < n->system->items; i++) {
    const sc_newton_item *item = n->system->item + i;
    if (!item->contact || !(X[item->row] * item->stiff <= n->negligible)) continue;
    memset(X + item->row, 0, (size_t)item->dim * sizeof *X);
  }
}

/* Judges X, put within its cones and bounds, and keeps the best. */
static void consider(newton *n, const double *X) {
  memcpy(n->trial, X, (size_t)n->system->rows * sizeof *X);
  sc_newton_project(n->system, n->trial);
  drop_negligible(n, n->trial);
  double residual = n->aim->judge(n->aim->context, n->trial);
  if (!(residual < n->report->residual)) return;
  n->report->residual = residual;
  memcpy(n->best, n->trial, (size_t)n->system->rows * sizeof *X);
  if (residual <= GAIN * n->marked) n->marked = residual, n->since = n->system->factorisations;
}

/* Proximal steps of Newton's method on the natural map from X, while each lowers the error to `gain`. */
static void try_steps(newton *n, const double *X, double gain, int64_t most) {
  sc_semismooth *in = &n->semismooth;
  sc_semismooth_start(in, X);
  for (int64_t end = n->system->factorisations + most; n->system->factorisations < end && !done(n);) {
    double before = in->error;
    if (!sc_semismooth_step(in, end - n->system->factorisations)) return;
    consider(n, in->X);
    if (!(in->error < gain * before)) return;
  }
}

static double natural_error(newton *n, const double *X) {
  sc_semismooth_start(&n->semismooth, X);
  return n->semismooth.error;
}

/* Rounds of the interior point method until the aim is met or nothing gains any more, with tries of the
 * natural map in between. */
static void descend(newton *n) {
  sc_interior *in = &n->interior;
  double least = INFINITY, least_inner = INFINITY, tried = natural_error(n, in->X);
  int since = 0, patience = in->frozen ? FROZEN_PATIENCE : PATIENCE;
  while (!done(n) && since < patience) {
    bool going = sc_interior_round(in);
    consider(n, in->X);
    if (done(n)) return;
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

static void freeze(newton *n) {
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

/* Sweeps from the best point, and steps from there. */
static void swept(newton *n) {
  double *X = n->interior.work;
  if (done(n) || !n->aim->sweep) return;
  memcpy(X, n->best, (size_t)n->system->rows * sizeof *X);
  n->aim->sweep(n->aim->context, X);
  consider(n, X);
  if (!done(n)) try_steps(n, X, INFINITY, MANY);
}

/* The fixed point on the shift, from one convex problem to the next. */
static void freeze_and_solve(newton *n) {
  n->interior.frozen = true;
  for (int i = 0; i < SHIFTS && !done(n) && any_shift(n->system); i++) {
    freeze(n);
    sc_interior_start_near(&n->interior, n->best, 10 * natural_error(n, n->best));
    descend(n);
    swept(n);
  }
  n->interior.frozen = false;
}

static void start_again(newton *n) {
  for (int i = 0; i < RESTARTS && !done(n); i++) {
    double room = natural_error(n, n->best);
    for (int k = 0; k < i; k++) room *= 100;
    sc_interior_start_near(&n->interior, n->best, room);
    descend(n);
  }
}

/* An answer is taken on towards rounding while steps go fast. */
static void polish(newton *n) {
  sc_semismooth *in = &n->semismooth;
  if (!(n->report->residual <= n->aim->tolerance)) return;
  n->negligible *= ENOUGH;
  sc_semismooth_start(in, n->best);
  for (int i = 0; i < POLISH && in->error > ROUNDING * in->load; i++) {
    double before = in->error;
    if (!sc_semismooth_step(in, POLISH)) return;
    consider(n, in->X);
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
  if (any_impulse(s, X) && !done(&n)) try_steps(&n, X, GAIN, FEW);
  if (!done(&n)) {
    sc_interior_start(&n.interior);
    descend(&n);
  }
  swept(&n);
  freeze_and_solve(&n);
  start_again(&n);
  if (aim->polish) polish(&n);
  report->rounds = s->factorisations;
  return true;
}
