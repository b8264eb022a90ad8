/* Inverts small dense matrices by Gauss-Jordan elimination. */
#include "math/small.h"

void sc_small_invert_symmetric(int n, const double *A, double *out) {
  sc_small_invert(n, A, out);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < r; c++) out[n * r + c] = out[n * c + r] = (out[n * r + c] + out[n * c + r]) / 2;
}

void sc_small_invert(int n, const double *A, double *out) {
  double M[SC_SMALL_MOST][2 * SC_SMALL_MOST];
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) M[r][c] = A[n * r + c], M[r][n + c] = r == c;
  for (int k = 0; k < n; k++) {
    double pivot = M[k][k];
    for (int c = 0; c < 2 * n; c++) M[k][c] /= pivot;
    for (int r = 0; r < n; r++) {
      double factor = M[r][k];
      for (int c = 0; c < 2 * n && r != k; c++) M[r][c] -= factor * M[k][c];
    }
  }
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) out[n * r + c] = M[r][n + c];
}
