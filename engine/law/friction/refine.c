/* Refinements: extend a law for a circular 3x3 contact to cohesion, elliptic cones, any scale and more rows.
 *
 * Cohesion c (an impulse) shifts the cone: z = x + c e_n lies in the original cone, and
 * A z - (b + c A e_n) = A x - b. An elliptic cone (x_p/mu)^2 + (x_q/mu2)^2 <= x_n^2 along directions p, q
 * becomes circular with x = T z, T = rotation times diag(1, mu2/mu). T'AT and T'b pose the same problem for
 * z, with the same energy. Friction then opposes the slip in the sense of the ellipse's normal (associated
 * sliding). Numbers outside the range of sc_law_tame are scaled by powers of two, which is exact. */
#include "law/law_parts.h"

typedef struct change {
  double t[2][2];
  double cohesion;
  int shift;
} change;

/* Sets t to the map T of the elliptic cone; the unit matrix if the cone is circular. */
void sc_friction_ellipse(const double *par, double t[2][2]) {
  double mu = par[SC_PAR_MU], mu2 = par[SC_PAR_MU2], c = par[SC_PAR_AXIS_T], s = par[SC_PAR_AXIS_O],
         ratio = 1;
  if (mu2 > 0) {
    double big = fmax(fabs(c), fabs(s));
    if (big > 0) c /= big, s /= big;
    double norm = sqrt(c * c + s * s);
    c = norm > 0 ? c / norm : 1;
    s = norm > 0 ? s / norm : 0;
    ratio = fmin(fmax(mu2 / fmax(mu, 1e-6 * mu2), 1e-6), 1e6);
  } else {
    c = 1;
    s = 0;
  }
  t[0][0] = c;
  t[1][0] = s;
  t[0][1] = -s * ratio;
  t[1][1] = c * ratio;
}

/* Transforms rows and columns t and o of (A,b) by T. */
static void transform_rows(int dim, double t[2][2], double *A, double *b) {
  for (int i = 0; i < dim; i++) {
    double p = A[dim * i + 1], q = A[dim * i + 2];
    A[dim * i + 1] = p * t[0][0] + q * t[1][0];
    A[dim * i + 2] = p * t[0][1] + q * t[1][1];
  }
  for (int i = 0; i < dim; i++) {
    double p = A[dim + i], q = A[2 * dim + i];
    A[dim + i] = p * t[0][0] + q * t[1][0];
    A[2 * dim + i] = p * t[0][1] + q * t[1][1];
  }
  double p = b[1], q = b[2];
  b[1] = p * t[0][0] + q * t[1][0];
  b[2] = p * t[0][1] + q * t[1][1];
}

/* Writes the plain problem, which has a circular cone and no cohesion, to As and bs. Returns false if A_nn is
 * not positive or A is not finite. */
static bool simplify_problem(
    int dim, const double *A, const double *b, const double *par, double *As, double *bs, change *to) {
  // scale A first, then the shifted b
  int ea, eb;
  double high = 0, big = 0;
  for (int i = 0; i < dim; i++) high = fmax(high, A[(dim + 1) * i]);
  if (!(A[0] > 0) || !(high < INFINITY)) return false;
  frexp(high, &ea);
  for (int i = 0; i < dim * dim; i++) As[i] = ldexp(A[i], -ea);
  to->cohesion = par[SC_PAR_COHESION_IMPULSE];
  for (int i = 0; i < dim; i++) {
    bs[i] = b[i] + to->cohesion * A[dim * i];
    big = fmax(big, fabs(bs[i]));
  }
  frexp(big, &eb);
  for (int i = 0; i < dim; i++) bs[i] = ldexp(bs[i], -eb);
  to->shift = eb - ea;
  sc_friction_ellipse(par, to->t);
  if (par[SC_PAR_MU2] > 0) transform_rows(dim, to->t, As, bs);
  return As[0] > 0;
}

/* Transforms the last iterate to the plain problem, because the law `decoupled` reads it. T is a rotation
 * times diag(1, ratio). */
static void carry_iterate(const change *to, int dim, double *x) {
  double p = x[1], q = x[2], square = to->t[0][1] * to->t[0][1] + to->t[1][1] * to->t[1][1];
  x[0] += to->cohesion;
  x[1] = to->t[0][0] * p + to->t[1][0] * q;
  x[2] = (to->t[0][1] * p + to->t[1][1] * q) / square;
  for (int i = 0; i < dim; i++) {
    x[i] = ldexp(x[i], -to->shift);
    if (!(fabs(x[i]) < 1e150)) x[i] = 0;
  }
}

/* Transforms the solution of the plain problem to the original rows: undoes scaling, T and cohesion. */
static void restore_impulse(const change *from, int dim, double *x) {
  double p = x[1], q = x[2];
  x[1] = from->t[0][0] * p + from->t[0][1] * q;
  x[2] = from->t[1][0] * p + from->t[1][1] * q;
  for (int i = 0; i < dim; i++) x[i] = ldexp(x[i], from->shift);
  x[0] -= from->cohesion;
}

/* Sets the coefficients of friction of the cone that sc_friction_ellipse makes circular. */
void sc_friction_coefficients(const double *par, double *mu, double *mu_static) {
  double mu2 = par[SC_PAR_MU2];
  *mu = mu2 > 0 ? fmax(par[SC_PAR_MU], 1e-6 * mu2) : par[SC_PAR_MU];
  *mu_static = fmax(par[SC_PAR_MU_STATIC], *mu);
}

scree_contact_state sc_friction_refined(sc_law_kernel kernel, sc_law_rule rule, int dim, const double *A,
    const double *b, const double *par, double *x, int *iterations) {
  SC_ASSERT(kernel && dim >= 3 && dim <= 6 && A && b && par && x);
  double As[SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM], bs[SCREE_LAW_MAX_DIM], mu, mu_static;
  change how;
  if (iterations) *iterations = 0;
  if (!simplify_problem(dim, A, b, par, As, bs, &how)) {
    for (int i = 0; i < dim; i++) x[i] = 0;
    return SCREE_SEPARATING;
  }
  carry_iterate(&how, dim, x);
  sc_friction_coefficients(par, &mu, &mu_static);
  scree_contact_state state = dim == 3 ? kernel(par, As, bs, mu, mu_static, x, iterations)
                                       : sc_law_many_rows(kernel, rule, dim, As, bs, par, x, iterations);
  restore_impulse(&how, dim, x);
  double sum = 0;
  for (int i = 0; i < dim; i++) sum += x[i];
  if (sum == sum) return state;
  for (int i = 0; i < dim; i++) x[i] = 0;
  return SCREE_SEPARATING;
}

int sc_friction_solutions(
    sc_law_kernel_all all, const double *A, const double *b, const double *par, double *x) {
  SC_ASSERT(A && b && par && x);
  double As[9], bs[3], mu, mu_static;
  change how;
  for (int i = 0; i < 3; i++) x[i] = 0;
  if (!simplify_problem(3, A, b, par, As, bs, &how)) return 1;
  sc_friction_coefficients(par, &mu, &mu_static);
  int count = all(par, As, bs, mu, mu_static, x);
  for (int i = 0; i < count; i++) restore_impulse(&how, 3, x + 3 * i);
  return count;
}
