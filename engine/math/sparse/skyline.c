/* Cholesky factorisation in skyline storage (skyline.h). A row that depends on earlier rows gets a zero
 * pivot, and its column of L is zero. */
#include "math/sparse/skyline.h"
#include "base/base.h"

#include <math.h>

/* Returns the sum of L_ik L_jk over the columns k < j that are stored for both row i and row j. */
static double row_product(const sc_skyline *s, int32_t i, int32_t j) {
  int32_t from = s->first[i] > s->first[j] ? s->first[i] : s->first[j];
  if (from >= j) return 0;
  const double *a = sc_skyline_entry(s, i, from), *b = sc_skyline_entry(s, j, from);
  double sum = 0;
  for (int32_t k = 0; k < j - from; k++) sum += a[k] * b[k];
  return sum;
}

int32_t sc_skyline_factor(sc_skyline *s, double tolerance) {
  SC_ASSERT(s && tolerance >= 0);
  int32_t rank = 0;
  for (int32_t i = 0; i < s->n; i++) {
    for (int32_t j = s->first[i]; j < i; j++) {
      double pivot = *sc_skyline_entry(s, j, j), *entry = sc_skyline_entry(s, i, j);
      *entry = pivot > 0 ? (*entry - row_product(s, i, j)) / pivot : 0;
    }
    double *diagonal = sc_skyline_entry(s, i, i), left = *diagonal - row_product(s, i, i);
    *diagonal = left > tolerance * *diagonal ? sqrt(left) : 0;
    rank += *diagonal > 0;
  }
  return rank;
}

void sc_skyline_solve(const sc_skyline *s, const double *b, double *x) {
  SC_ASSERT(s && b && x);
  for (int32_t i = 0; i < s->n; i++) {
    const double *row = s->entry + s->at[i], pivot = row[i - s->first[i]];
    double sum = b[i];
    for (int32_t j = s->first[i]; j < i; j++) sum -= row[j - s->first[i]] * x[j];
    x[i] = pivot > 0 ? sum / pivot : 0;
  }
  for (int32_t i = s->n - 1; i >= 0; i--) {
    const double *row = s->entry + s->at[i], pivot = row[i - s->first[i]];
    x[i] = pivot > 0 ? x[i] / pivot : 0;
    for (int32_t j = s->first[i]; j < i; j++) x[j] -= row[j - s->first[i]] * x[i];
  }
}
