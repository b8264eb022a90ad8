/* Dense factorisations for the small systems of mechanisms and complementarity problems. */
#include "math/dense.h"
#include "base/base.h"

#include <math.h>

static void swap_rows(int n, double *A, int i, int j) {
  for (int k = 0; k < n; k++) {
    double keep = A[i * n + k];
    A[i * n + k] = A[j * n + k];
    A[j * n + k] = keep;
  }
}

bool sc_lu_factor(int n, double *A, int *row) {
  SC_ASSERT(n >= 0 && (!n || (A && row)));
  for (int i = 0; i < n; i++) row[i] = i;
  for (int k = 0; k < n; k++) {
    // the largest entry of the column becomes the pivot
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    if (!(fabs(A[best * n + k]) > 0)) return false;
    if (best != k) {
      swap_rows(n, A, k, best);
      int keep = row[k];
      row[k] = row[best];
      row[best] = keep;
    }
    // eliminates the rows below the pivot
    for (int i = k + 1; i < n; i++) {
      double f = A[i * n + k] /= A[k * n + k];
      if (f != 0)
        for (int j = k + 1; j < n; j++) A[i * n + j] -= f * A[k * n + j];
    }
  }
  return true;
}

void sc_lu_solve(int n, const double *A, const int *row, const double *b, double *x) {
  SC_ASSERT(n >= 0 && (!n || (A && row && b && x)));
  for (int i = 0; i < n; i++) {
    double sum = b[row[i]];
    for (int j = 0; j < i; j++) sum -= A[i * n + j] * x[j];
    x[i] = sum;
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = x[i];
    for (int j = i + 1; j < n; j++) sum -= A[i * n + j] * x[j];
    x[i] = sum / A[i * n + i];
  }
}

/* Exchanges rows i and j and columns i and j, i < j, of a symmetric matrix whose lower triangle is stored.
 * Columns before i already contain the factor L; only their rows are exchanged. */
static void swap_symmetric(int n, double *A, int i, int j) {
  double keep;
  for (int k = 0; k < i; k++) keep = A[i * n + k], A[i * n + k] = A[j * n + k], A[j * n + k] = keep;
  for (int k = i + 1; k < j; k++) keep = A[k * n + i], A[k * n + i] = A[j * n + k], A[j * n + k] = keep;
  for (int k = j + 1; k < n; k++) keep = A[k * n + i], A[k * n + i] = A[k * n + j], A[k * n + j] = keep;
  keep = A[i * n + i], A[i * n + i] = A[j * n + j], A[j * n + j] = keep;
}

/* Returns the index >= k of the diagonal entry with the largest ratio to its initial value. Returns -1 if no
 * ratio exceeds the tolerance. start: initial diagonal entries by original index. */
static int find_pivot(
    int n, const double *A, const double *start, const int *order, int k, double tolerance) {
  int best = -1;
  double most = tolerance;
  for (int i = k; i < n; i++) {
    double share = start[order[i]] > 0 ? A[i * n + i] / start[order[i]] : 0;
    if (share > most) most = share, best = i;
  }
  return best;
}

int sc_cholesky_factor(int n, double *A, int *order, double tolerance, double *scratch) {
  SC_ASSERT(n >= 0 && (!n || (A && order && scratch)) && tolerance >= 0);
  for (int i = 0; i < n; i++) order[i] = i, scratch[i] = A[i * n + i];
  for (int k = 0; k < n; k++) {
    int best = find_pivot(n, A, scratch, order, k, tolerance);
    if (best < 0) return k;
    if (best != k) {
      swap_symmetric(n, A, k, best);
      int keep = order[k];
      order[k] = order[best];
      order[best] = keep;
    }
    // computes column k of L, then subtracts the column times its transpose from the rest of the matrix
    double root = sqrt(A[k * n + k]);
    A[k * n + k] = root;
    for (int i = k + 1; i < n; i++) A[i * n + k] /= root;
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j <= i; j++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
  }
  return n;
}

void sc_cholesky_solve(
    int n, int rank, const double *L, const int *order, const double *b, double *x, double *scratch) {
  for (int i = 0; i < rank; i++) {
    double sum = b[order[i]];
    for (int j = 0; j < i; j++) sum -= L[i * n + j] * scratch[j];
    scratch[i] = sum / L[i * n + i];
  }
  for (int i = rank - 1; i >= 0; i--) {
    double sum = scratch[i];
    for (int j = i + 1; j < rank; j++) sum -= L[j * n + i] * scratch[j];
    scratch[i] = sum / L[i * n + i];
  }
  for (int i = 0; i < n; i++) x[order[i]] = i < rank ? scratch[i] : 0;
}
