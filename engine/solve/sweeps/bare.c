/* Sweeps over a bare matrix: see bare.h. */
#include "solve/sweeps/bare.h"

#include <math.h>
#include <string.h>
#include "problem/operator/matrix.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/local.h"

static const double ALIKE = 0.99; /* minimum cosine of two changes for a leap */

/* Computes u += A x over all blocks of a contact. All blocks are 3 x 3. */
static void gather_three(const sc_bare *s, int32_t c, double *u) {
  const sc_matrix *matrix = s->problem->matrix;
  const double *value = matrix->value, *all = s->problem->x;
  const int64_t end = matrix->first[c + 1];
  double sum[3] = {u[0], u[1], u[2]};
  for (int64_t b = matrix->first[c]; b < end; b++) {
    const double *A = value + matrix->at[b], *x = all + s->from[b];
    sum[0] += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    sum[1] += A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
    sum[2] += A[6] * x[0] + A[7] * x[1] + A[8] * x[2];
  }
  memcpy(u, sum, sizeof sum);
}

static void gather_many(const sc_bare *s, int32_t c, double *u) {
  const sc_matrix *matrix = s->problem->matrix;
  const sc_general_contact *general = s->problem->general;
  for (int64_t b = matrix->first[c]; b < matrix->first[c + 1]; b++) {
    const double *A = matrix->value + matrix->at[b], *x = s->problem->x + s->from[b];
    int columns = general[matrix->column[b]].dim;
    for (int r = 0; r < general[c].dim; r++)
      for (int k = 0; k < columns; k++) u[r] += A[r * columns + k] * x[k];
  }
}

static void compute_contact_velocity(const sc_bare *s, int32_t c, double *u) {
  const sc_general_contact *contact = s->problem->general + c;
  memcpy(u, s->free + contact->x, (size_t)contact->dim * sizeof *u);
  if (s->threes) gather_three(s, c, u);
  else gather_many(s, c, u);
}

static void multiply_block(int n, const double *A, const double *d, double *out) {
  for (int r = 0; r < n; r++) {
    out[r] = 0;
    for (int k = 0; k < n; k++) out[r] += A[n * r + k] * d[k];
  }
}

/* Relaxes a contact. Returns the squared velocity change; negative: a user's law failed. */
static double relax_contact(const sc_bare *s, int32_t c) {
  const sc_problem *problem = s->problem;
  const sc_general_contact *contact = problem->general + c;
  const sc_general row = sc_problem_row(problem, contact);
  double u[SCREE_LAW_MAX_DIM], next[SCREE_LAW_MAX_DIM], d[SCREE_LAW_MAX_DIM], change[SCREE_LAW_MAX_DIM],
      *x = problem->x + contact->x, square = 0;
  compute_contact_velocity(s, c, u);
  if (sc_local_general(problem, &row, u, next) < 0) return -1;
  for (int k = 0; k < contact->dim; k++) {
    d[k] = s->relaxation * (next[k] - x[k]);
    x[k] = s->relaxation == 1 ? next[k] : x[k] + d[k];
  }
  multiply_block(contact->dim, row.A, d, change);
  for (int k = 0; k < contact->dim; k++) square += change[k] * change[k];
  return square;
}

/* ---- momentum ---- */

static double norm_of_bare_change(const sc_bare *s) {
  const sc_problem *problem = s->problem;
  double sum = 0, d[SCREE_LAW_MAX_DIM], change[SCREE_LAW_MAX_DIM];
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    for (int k = 0; k < contact->dim; k++) d[k] = problem->x[contact->x + k] - s->before[contact->x + k];
    multiply_block(contact->dim, problem->block + contact->block, d, change);
    for (int k = 0; k < contact->dim; k++) sum += d[k] * change[k];
  }
  return sum;
}

static void extrapolate_impulses(sc_bare *s) {
  double *x = s->problem->x;
  if (!s->momentum) {
    memcpy(s->before, x, (size_t)s->rows * sizeof *x);
    return;
  }
  sc_momentum_pace(norm_of_bare_change(s), &s->pace);
  for (int32_t i = 0; i < s->rows; i++) {
    double now = x[i];
    x[i] = now + s->pace.beta * (now - s->before[i]);
    s->before[i] = now;
  }
}

/* ---- sweeps ---- */

bool sc_bare_begin(const sc_problem *problem, double relaxation, sc_arena *arena, sc_bare *s) {
  const sc_matrix *matrix = problem->matrix;
  *s = (sc_bare){.problem = problem,
      .relaxation = relaxation,
      .threes = true,
      .pace = sc_pace_fresh(sc_momentum_top(problem))};
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    s->threes &= contact->dim == 3;
    if (contact->x + contact->dim > s->rows) s->rows = contact->x + contact->dim;
  }
  int64_t blocks = matrix->first[problem->generals];
  s->from = SC_TAKE(arena, int32_t, blocks + 1);
  s->free = SC_TAKE(arena, double, s->rows + 1);
  s->before = SC_TAKE(arena, double, s->rows + 1);
  s->change = SC_TAKE(arena, double, s->rows + 1);
  if (!s->from || !s->free || !s->before || !s->change) return false;
  for (int64_t b = 0; b < blocks; b++) s->from[b] = problem->general[matrix->column[b]].x;
  memcpy(s->before, problem->x, (size_t)s->rows * sizeof *s->before);
  memset(s->free, 0, (size_t)s->rows * sizeof *s->free);
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general_contact *contact = problem->general + c;
    double u[SCREE_LAW_MAX_DIM];
    compute_contact_velocity(s, c, u);
    for (int k = 0; k < contact->dim; k++) s->free[contact->x + k] = matrix->velocity[contact->x + k] - u[k];
  }
  return true;
}

bool sc_bare_sweep(sc_bare *s) {
  double largest = 0;
  if (s->sweeps) extrapolate_impulses(s);
  s->sweeps++;
  for (int32_t c = 0; c < s->problem->generals; c++) {
    double square = relax_contact(s, c);
    if (square < 0) return false;
    largest = fmax(largest, square);
  }
  s->largest = sqrt(largest);
  return true;
}

/* Returns the multiple of the last change at which the first contact opens; INFINITY: none opens. */
static double find_opening_step(const sc_bare *s) {
  const double *x = s->problem->x;
  double least = INFINITY;
  for (int32_t c = 0; c < s->problem->generals; c++) {
    int32_t at = s->problem->general[c].x;
    double d = x[at] - s->before[at];
    if (d < 0 && x[at] > 0) least = fmin(least, -x[at] / d);
  }
  return least;
}

bool sc_bare_leap(sc_bare *s) {
  double *x = s->problem->x, first = 0, both = 0, second = 0;
  bool momentum = s->momentum;
  s->momentum = false;
  if (!sc_bare_sweep(s)) return false;
  for (int32_t i = 0; i < s->rows; i++) s->change[i] = x[i] - s->before[i];
  if (!sc_bare_sweep(s)) return false;
  for (int32_t i = 0; i < s->rows; i++) {
    double d = x[i] - s->before[i];
    first += s->change[i] * s->change[i], both += s->change[i] * d, second += d * d;
  }
  if (both > 0 && both * both > ALIKE * ALIKE * first * second) {
    double far = both < first ? both / (first - both) : INFINITY, step = fmin(far, find_opening_step(s));
    for (int32_t i = 0; i < s->rows && step < INFINITY; i++) x[i] += step * (x[i] - s->before[i]);
  }
  s->momentum = momentum;
  s->pace = sc_pace_fresh(s->pace.top);
  return true;
}

void sc_bare_end(const sc_bare *s) {
  const sc_problem *problem = s->problem;
  for (int32_t c = 0; c < problem->generals; c++)
    compute_contact_velocity(s, c, problem->matrix->velocity + problem->general[c].x);
}
