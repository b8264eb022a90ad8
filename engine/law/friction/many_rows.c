/* Contacts with torsional and rolling friction: rows n, t, o, torsion (4) or n, t, o, torsion, roll t,
 * roll o (6).
 *
 * Each part k of the friction y (sliding 2, torsion 1, rolling 2 rows) is bounded by a disc of its own,
 * |y_k| <= L_k x_n, with L = mu, torsion, rolling; all share the normal impulse. For a given x_n the
 * friction that opposes the slip is the minimum of y'Cy/2 - y'(B - a x_n) over the discs (C, B the rows
 * past n of A and b, a their coupling to n). This small convex problem is solved block by block, each disc by
 * its secular equation, and finished by Newton's method once it is known which parts slip. One equation in
 * x_n remains:
 *   coulomb   v_n(x_n) = 0, the largest of several zeros (the energy at given x_n falls up to the cone's
 *             solution)
 *   cone      v_n - sum L_k |v_k| = 0, the derivative of the convex least energy at given x_n, which
 *             rises
 *   energy    (maximum dissipation) the cone's solution for b - w A e_n, with w such that v_n = 0; v_n
 *             falls as w rises
 *   split     (other kernels) rows n,t,o by the kernel and the rest by discs, in turns
 * Newton's method on all unknowns together is tried first (many_newton.c); this nested method is used if it
 * fails. */
#include "law/friction/many_rows.h"

#include <string.h>

enum { MAX_FRICTION = SC_MANY_FRICTION, MAX_PARTS = SC_MANY_PARTS };

typedef sc_many_rows parts;

/* ---- friction at a given normal impulse ---- */

/* Computes the friction y of part k, the minimum over the disc of radius R. Returns its multiplier nu: (C_kk
 * + nu E) y_k = g. */
static double solve_part(const parts *p, int k, const double *g, double R, double *y) {
  int i = p->at[k];
  if (p->size[k] == 1) {
    y[0] = g[0] / p->C[i][i];
    if (fabs(y[0]) <= R) return 0;
    y[0] = g[0] > 0 ? R : -R;
    return R > 0 ? fabs(g[0]) / R - p->C[i][i] : 0;
  }
  double c11 = p->C[i][i], c12 = p->C[i][i + 1], c22 = p->C[i + 1][i + 1],
         det = fmax(c11 * c22 - c12 * c12, 1e-32 * c11 * c22), trace = c11 + c22;
  double q0 = c22 * g[0] - c12 * g[1], q1 = c11 * g[1] - c12 * g[0], norm = q0 * q0 + q1 * q1, nu = 0;
  y[0] = y[1] = 0;
  if (!(R > 0)) return 0;
  if (norm > R * R * det * det)
    nu = sc_law_secular(
        norm, q0 * g[0] + q1 * g[1], g[0] * g[0] + g[1] * g[1], -R * det, -R * trace, R, NULL);
  double inv = 1 / (det + nu * (trace + nu));
  y[0] = (q0 + nu * g[0]) * inv;
  y[1] = (q1 + nu * g[1]) * inv;
  return nu;
}

/* Makes one sweep over the parts of the friction. Returns the largest change relative to the size of the
 * friction. */
static double sweep_parts(parts *p, double xn) {
  double change = 0, size = 0;
  for (int k = 0; k < p->count; k++) {
    double g[2], y[2];
    for (int i = 0; i < p->size[k]; i++) {
      int row = p->at[k] + i;
      g[i] = p->B[row] - p->a[row] * xn;
      for (int j = 0; j < p->rows; j++)
        if (j < p->at[k] || j >= p->at[k] + p->size[k]) g[i] -= p->C[row][j] * p->y[j];
    }
    p->nu[k] = solve_part(p, k, g, p->limit[k] * xn, y);
    for (int i = 0; i < p->size[k]; i++) {
      change = fmax(change, fabs(y[i] - p->y[p->at[k] + i]));
      p->y[p->at[k] + i] = y[i];
      size = fmax(size, fabs(y[i]));
    }
  }
  return size > 0 ? change / size : 0;
}

/* Solves by Gaussian elimination with row pivots, in place. Returns false if singular. */
static bool eliminate_rows(int n, double M[8][9]) {
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(M[r][c]) > fabs(M[pivot][c])) pivot = r;
    if (!(fabs(M[pivot][c]) > 0)) return false;
    for (int j = c; j <= n; j++) {
      double swap = M[c][j];
      M[c][j] = M[pivot][j];
      M[pivot][j] = swap;
    }
    for (int r = c + 1; r < n; r++) {
      double factor = M[r][c] / M[c][c];
      for (int j = c; j <= n; j++) M[r][j] -= factor * M[c][j];
    }
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int j = r + 1; j < n; j++) M[r][n] -= M[r][j] * M[j][n];
    M[r][n] /= M[r][r];
  }
  return true;
}

/* Makes one Newton step for C y + nu_k y_k = g, |y_k|^2 = R_k^2 on the slipping parts (nu_k > 0). Returns the
 * length of the step relative to y, or INFINITY if the equations are singular. */
static double newton_step(parts *p, double xn) {
  double M[8][9] = {{0}}, size = 0, step = 0;
  int n = p->rows, extra[MAX_PARTS];
  for (int i = 0; i < p->rows; i++) {
    M[i][8] = p->B[i] - p->a[i] * xn;
    for (int j = 0; j < p->rows; j++) {
      M[i][j] = p->C[i][j];
      M[i][8] -= p->C[i][j] * p->y[j];
    }
    size = fmax(size, fabs(p->y[i]));
  }
  for (int k = 0; k < p->count; k++) {
    extra[k] = p->nu[k] > 0 ? n++ : -1;
    if (extra[k] < 0) continue;
    double R = p->limit[k] * xn, square = 0;
    for (int i = p->at[k]; i < p->at[k] + p->size[k]; i++) {
      M[i][i] += p->nu[k];
      M[i][8] -= p->nu[k] * p->y[i];
      M[i][extra[k]] = M[extra[k]][i] = p->y[i];
      square += p->y[i] * p->y[i];
    }
    M[extra[k]][8] = (R * R - square) / 2;
  }
  for (int i = 0; i < n; i++) M[i][n] = M[i][8];
  if (!eliminate_rows(n, M)) return INFINITY;
  for (int i = 0; i < p->rows; i++) {
    p->y[i] += M[i][n];
    step = fmax(step, fabs(M[i][n]));
  }
  for (int k = 0; k < p->count; k++)
    if (extra[k] >= 0) p->nu[k] += M[extra[k]][n];
  return size > 0 ? step / size : INFINITY;
}

/* Returns whether the result of Newton's method is the minimum: no multiplier is negative, and sticking parts
 * lie within their discs. */
static bool is_minimum(const parts *p, double xn) {
  for (int k = 0; k < p->count; k++) {
    double R = p->limit[k] * xn, square = 0;
    for (int i = p->at[k]; i < p->at[k] + p->size[k]; i++) square += p->y[i] * p->y[i];
    if (!(p->nu[k] >= 0) || !(square <= R * R * (1 + 1e-13))) return false;
  }
  return true;
}

/* Makes a few Newton steps from the sweeps' state. Returns true if they end at the minimum, else restores the
 * state. */
static bool finish_by_newton(parts *p, double xn) {
  double y[MAX_FRICTION], nu[MAX_PARTS], step = INFINITY;
  memcpy(y, p->y, sizeof y);
  memcpy(nu, p->nu, sizeof nu);
  for (int i = 0; i < 8 && step > 1e-15; i++) {
    step = newton_step(p, xn);
    if (!(step < 10)) break;
  }
  if (step < 1e-13 && is_minimum(p, xn)) return true;
  memcpy(p->y, y, sizeof y);
  memcpy(p->nu, nu, sizeof nu);
  return false;
}

static void friction_at(parts *p, double xn) {
  for (int round = 0; round < 100; round++) {
    double change = 0;
    for (int i = 0; i < 4; i++) change = sweep_parts(p, xn);
    if (change < 1e-15 || finish_by_newton(p, xn)) return;
  }
}

/* ---- equations in the normal impulse ---- */

static double normal_velocity(const parts *p, double xn) {
  double v = p->ann * xn - p->bn;
  for (int i = 0; i < p->rows; i++) v += p->a[i] * p->y[i];
  return v;
}

/* Returns the sum of L_k |v_k| for the present friction. v_k: slip of part k, with v_k = -nu_k y_k and |y_k|
 * = L_k xn. */
static double slip_sum(const parts *p, double xn) {
  double sum = 0;
  for (int k = 0; k < p->count; k++) sum += p->limit[k] * p->nu[k] * p->limit[k] * xn;
  return sum;
}

static double coulomb_equation(parts *p, double xn) {
  friction_at(p, xn);
  return normal_velocity(p, xn);
}

static double cone_equation(parts *p, double xn) {
  friction_at(p, xn);
  return normal_velocity(p, xn) - slip_sum(p, xn);
}

/* Returns the zero of f between lo and hi, where f(lo) = flo < 0 and f(hi) = fhi >= 0. Uses false position
 * with halving (Illinois method), and bisection in every eighth step. */
static double find_zero(
    double (*f)(parts *, double), parts *p, double lo, double flo, double hi, double fhi) {
  int side = 0;
  for (int i = 0; i < 200 && fhi > 0; i++) {
    double x = i % 8 == 7 ? lo + (hi - lo) / 2 : hi - fhi * ((hi - lo) / (fhi - flo));
    if (!(x > lo && x < hi)) x = lo + (hi - lo) / 2;
    if (!(x > lo && x < hi)) break;
    double fx = f(p, x);
    if (fx < 0) {
      lo = x;
      flo = fx;
      if (side < 0) fhi /= 2;
      side = -1;
    } else {
      hi = x;
      fhi = fx;
      if (side > 0) flo /= 2;
      side = 1;
    }
    if (hi - lo <= 1e-16 * hi) break;
  }
  f(p, hi);
  return hi;
}

/* Returns the normal impulse of the cone law; 0 if b lies in the polar cone. */
static double solve_cone_impulse(parts *p) {
  double pull = p->bn, hi = fabs(p->bn) / p->ann;
  for (int k = 0; k < p->count; k++) {
    double square = 0;
    for (int i = p->at[k]; i < p->at[k] + p->size[k]; i++) square += p->B[i] * p->B[i];
    pull += p->limit[k] * sqrt(square);
    hi += p->limit[k] * sqrt(square) / p->ann;
  }
  memset(p->y, 0, sizeof p->y);
  if (!(pull > 0)) return 0;
  // cone_equation is the derivative of the energy with respect to the normal impulse, if friction minimises
  // the energy for each normal impulse. At the normal impulse 0 it is -pull.
  double fhi = cone_equation(p, hi);
  for (int i = 0; i < 200 && fhi < 0; i++) {
    hi *= 2;
    fhi = cone_equation(p, hi);
  }
  return find_zero(cone_equation, p, 0, -pull, hi, fhi);
}

/* Returns the normal impulse of Coulomb's law: the largest zero of v_n below the normal impulse of the cone
 * law. */
static double solve_coulomb_impulse(parts *p) {
  memset(p->y, 0, sizeof p->y);
  if (!(p->bn > 0)) return 0;
  double coupling = 0, hi = p->bn / p->ann, fhi;
  for (int k = 0; k < p->count; k++)
    for (int i = p->at[k]; i < p->at[k] + p->size[k]; i++) coupling += p->limit[k] * fabs(p->a[i]);
  if (coupling <= p->ann / 2) {
    // v_n rises monotonically here, so any bracket contains the only zero
    fhi = coulomb_equation(p, hi);
    for (int i = 0; i < 200 && fhi < 0; i++) {
      hi *= 2;
      fhi = coulomb_equation(p, hi);
    }
    return fhi == 0 ? hi : find_zero(coulomb_equation, p, 0, -p->bn, hi, fhi);
  }
  hi = solve_cone_impulse(p);
  fhi = coulomb_equation(p, hi);
  if (!(fhi > 0)) return hi;
  // searches downwards for the first change of sign of v_n
  for (int i = 0; i < 64; i++) {
    double lo = hi * 0.8, flo = coulomb_equation(p, lo);
    if (flo < 0) return find_zero(coulomb_equation, p, lo, flo, hi, fhi);
    hi = lo;
    fhi = flo;
  }
  return find_zero(coulomb_equation, p, 0, -p->bn, hi, fhi);
}

/* Returns the closing speed -v_n of the cone's solution for b - w A e_n. The speed rises with w, because this
 * solution minimises the energy plus w A_n x. */
static double energy_equation(parts *p, double w) {
  const parts *from = p->from;
  p->bn = from->bn - w * from->ann;
  for (int j = 0; j < p->rows; j++) p->B[j] = from->B[j] - w * from->a[j];
  p->xn = solve_cone_impulse(p);
  return -(normal_velocity(p, p->xn) - w * from->ann);
}

/* Returns the normal impulse of the cone's solution for b - w A e_n, with w such that v_n = 0. */
static double solve_energy_impulse(parts *p) {
  memset(p->y, 0, sizeof p->y);
  if (!(p->bn >= 0)) return 0;
  double coupling = 0;
  for (int i = 0; i < p->rows; i++) coupling = fmax(coupling, fabs(p->a[i]));
  if (coupling == 0) {
    friction_at(p, p->bn / p->ann);
    return p->bn / p->ann;
  }
  // for w = 0 the contact opens (f < 0) unless it sticks
  parts moved = *p;
  moved.from = p;
  double f = energy_equation(&moved, 0), hi = (p->bn + moved.xn * p->ann) / p->ann * 1e-2, fhi = f;
  for (int i = 0; i < 100 && f < 0 && !((fhi = energy_equation(&moved, hi)) > 0); i++) hi *= 4;
  if (f < 0) find_zero(energy_equation, &moved, 0, f, hi, fhi);
  memcpy(p->y, moved.y, sizeof p->y);
  memcpy(p->nu, moved.nu, sizeof p->nu);
  return moved.xn;
}

/* ---- assembly and result ---- */

/* Collects the parts of the friction. Rows are scaled by d to similar diagonal entries, because torsion and
 * rolling rows have other units. */
static void gather_parts(
    int dim, const double *A, const double *b, const double *par, double mu, parts *p, double *d) {
  static const int at[MAX_PARTS] = {0, 2, 3}, size[MAX_PARTS] = {2, 1, 2};
  const double limit[MAX_PARTS] = {mu, par[SC_PAR_TORSION], par[SC_PAR_ROLLING]};
  memset(p, 0, sizeof *p);
  p->rows = dim - 1;
  p->count = dim == 6 ? 3 : 2;
  p->ann = A[0];
  p->bn = b[0];
  for (int k = 0; k < p->count; k++) {
    double high = 0;
    p->at[k] = at[k];
    p->size[k] = size[k];
    for (int i = at[k]; i < at[k] + size[k]; i++) high = fmax(high, A[(dim + 1) * (i + 1)]);
    double factor = high > 0 ? sqrt(A[0] / high) : 1;
    for (int i = at[k]; i < at[k] + size[k]; i++) d[i] = factor;
    p->limit[k] = limit[k] / factor;
  }
  for (int i = 0; i < p->rows; i++) {
    p->a[i] = d[i] * A[i + 1];
    p->B[i] = d[i] * b[i + 1];
    for (int j = 0; j < p->rows; j++) p->C[i][j] = d[i] * d[j] * A[dim * (i + 1) + j + 1];
  }
}

static scree_contact_state write_impulse(const parts *p, const double *d, double xn, double *x) {
  bool slips = false;
  x[0] = xn;
  for (int i = 0; i < p->rows; i++) x[i + 1] = d[i] * p->y[i];
  for (int k = 0; k < p->count; k++) slips |= p->nu[k] > 0;
  return xn > 0 ? slips ? SCREE_SLIDING : SCREE_STICKING : SCREE_SEPARATING;
}

/* Solves rows n, t, o by the kernel, and the other rows by the discs of their parts, in turns. */
static scree_contact_state solve_split(sc_law_kernel kernel, int dim, const double *A, const double *b,
    const double *par, double mu, double mu_static, double *x) {
  parts p;
  double d[MAX_FRICTION], A3[9], b3[3];
  scree_contact_state state = SCREE_SEPARATING;
  gather_parts(dim, A, b, par, mu, &p, d);
  for (int i = 0; i < 9; i++) A3[i] = A[dim * (i / 3) + i % 3];
  for (int round = 0; round < 300; round++) {
    double change = 0, size = 0, before[SCREE_LAW_MAX_DIM];
    memcpy(before, x, (size_t)dim * sizeof *x);
    for (int i = 0; i < 3; i++) {
      b3[i] = b[i];
      for (int j = 3; j < dim; j++) b3[i] -= A[dim * i + j] * x[j];
    }
    state = kernel(par, A3, b3, mu, mu_static, x, NULL);
    for (int k = 1; k < p.count; k++) {
      double g[2], y[2];
      for (int i = 0; i < p.size[k]; i++) {
        int row = p.at[k] + i;
        g[i] = p.B[row] - p.a[row] * x[0];
        for (int j = 0; j < p.rows; j++)
          if (j < p.at[k] || j >= p.at[k] + p.size[k]) g[i] -= p.C[row][j] * x[j + 1] / d[j];
      }
      p.nu[k] = solve_part(&p, k, g, p.limit[k] * x[0], y);
      for (int i = 0; i < p.size[k]; i++) x[p.at[k] + i + 1] = d[p.at[k] + i] * y[i];
      if (p.nu[k] > 0 && state == SCREE_STICKING) state = SCREE_SLIDING;
    }
    for (int i = 0; i < dim; i++) {
      change = fmax(change, fabs(x[i] - before[i]) / (i ? d[i - 1] : 1));
      size = fmax(size, fabs(x[i]) / (i ? d[i - 1] : 1));
    }
    if (change <= 1e-15 * size) break;
  }
  return state;
}

static double solve_rule(sc_law_rule rule, parts *p) {
  double xn;
  if (sc_many_newton(rule, p, &xn)) return xn;
  return rule == SC_RULE_COULOMB ? solve_coulomb_impulse(p)
      : rule == SC_RULE_CONE     ? solve_cone_impulse(p)
                                 : solve_energy_impulse(p);
}

scree_contact_state sc_law_many_rows(sc_law_kernel kernel, sc_law_rule rule, int dim, const double *A,
    const double *b, const double *par, double *x, int *iterations) {
  SC_ASSERT(kernel && dim > 3 && dim <= 6 && A && b && par && x);
  double mu2 = par[SC_PAR_MU2], mu = mu2 > 0 ? fmax(par[SC_PAR_MU], 1e-6 * mu2) : par[SC_PAR_MU],
         mu_static = fmax(mu, par[SC_PAR_MU_STATIC]);
  double d[MAX_FRICTION];
  parts p;
  (void)iterations;
  if (rule == SC_RULE_SPLIT) return solve_split(kernel, dim, A, b, par, mu, mu_static, x);
  // the larger static coefficient is tried first; its result is used if no part slides
  gather_parts(dim, A, b, par, mu_static, &p, d);
  double xn = solve_rule(rule, &p);
  if (mu_static > mu && p.nu[0] > 0) {
    gather_parts(dim, A, b, par, mu, &p, d);
    xn = solve_rule(rule, &p);
  }
  return write_impulse(&p, d, xn, x);
}
