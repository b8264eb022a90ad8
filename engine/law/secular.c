/* The secular equation that the sliding contact leads to, and the scaling that keeps it in range.
 *
 * Coulomb sliding, (H + l E) y = g with |y| = (mu/Ann)(b_n - a.y), and maximally dissipative sliding on an ellipse,
 * (H + l B) z = g with z'Bz = rho^2, become, multiplied by the determinant, one form (adj of a 2x2 matrix is linear, so
 * the numerators are linear in l and the determinant quadratic):
 *     h(l) = N(l) + k0 + k1 l - k2 l^2 = 0,   N(l) = sqrt(n0 + 2 n1 l + n2 l^2),   l > 0.
 * N is the norm of an affine function, hence convex and above each of its tangents. Replacing N by its tangent at l leaves a
 * concave parabola below h that is positive at l: its positive root lies between l and the first root of h. The iteration
 * l <- l + that root therefore climbs monotonically to the smallest root and cannot jump over one, whatever their number;
 * it converges quadratically. Only + - * / sqrt: the same bits everywhere. */
#include "law/law_parts.h"

double sc_law_secular(const double n[3], double k0, double k1, double k2, int *iterations) {
  enum { MOST = 100 };
  double l = 0, last = INFINITY;
  int i = 0;
  while (i < MOST) {
    // value and slope of N at l, tangent parabola h + c d - k2 d^2
    double norm = sqrt(n[0] + l * (2 * n[1] + n[2] * l)), slope = norm > 0 ? (n[1] + n[2] * l) / norm : 0;
    double h = norm + k0 + l * (k1 - k2 * l), c = slope + k1 - 2 * k2 * l;
    i++;
    if (h <= 0) break;
    double root = sqrt(c * c + 4 * k2 * h);
    double d = c > 0 ? (c + root) / (2 * k2) : 2 * h / (root - c);
    if (!(d < INFINITY)) { l = INFINITY; break; }
    l += d;
    // the next step would be d (d/last)^2
    if (d <= 1e-16 * l || d * d * d <= 1e-17 * l * last * last) break;
    last = d;
  }
  if (iterations) *iterations = i;
  return l;
}

bool sc_law_tame(const double *A, const double *b) {
  double big = fmax(fabs(b[0]), fmax(fabs(b[1]), fabs(b[2]))), low = fmin(A[0], fmin(A[4], A[8])), high = fmax(A[0], fmax(A[4], A[8]));
  return big > 1e-30 && big < 1e30 && low > 1e-20 && high < 1e20;
}

void sc_law_scale(const double *A, const double *b, double *As, double *bs, int *shift) {
  int ea, eb;
  frexp(fmax(A[0], fmax(A[4], A[8])), &ea);
  frexp(fmax(fabs(b[0]), fmax(fabs(b[1]), fabs(b[2]))), &eb);
  for (int i = 0; i < 9; i++) As[i] = ldexp(A[i], -ea);
  for (int i = 0; i < 3; i++) bs[i] = ldexp(b[i], -eb);
  *shift = eb - ea;
}
