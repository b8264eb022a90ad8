/* Arcs of curved sliding as power series.
 *
 * With the sliding velocity r g, g = (cos th, sin th), and the normal impulse I_z as the variable,
 * sliding is
 *     r' = R(th),  r th' = T(th),  I_xy' = -mu g,  v_z' = k - mu d.g,  E' = -v_z        (Jia & Wang
 *                  2016, (11), (28), (31)).
 * In t = tan((th - th_c)/2) from a centre direction th_c all of it is rational. With D = (1+t^2)^2 T (a
 * quartic), r = rho (1+t^2):
 *     rho'/rho = N/D (N a cubic),    y = 2 rho/D,    y'/y = (N - D')/D,
 *     dI_z = y (1+t^2)^2 dt,    int g dI_z = int y (1+t^2) (1-t^2, 2t) dt.
 * The coefficients of y follow from a recurrence of four terms; the others are products with fixed
 * polynomials. There are two expansions:
 *   regular  about the present direction: t = h tau, tau from 0 to 1, with h as long as the last
 *            coefficients allow
 *   root     about the invariant direction ahead, D(0) = 0: y = t^(alpha-1) A(t), alpha = N_0/D_1; one
 *            series reaches the direction itself, where r = 0 (alpha > 0, event s) or I_z is infinite
 *            (alpha <= 0)
 * Both are functions of p: p = tau for regular ones, p = (1 - tau^alpha)/alpha for roots. I_z and v_z are
 * nearly linear in p, so Newton's method finds an event in two or three steps. With b_k = int
 * tau^k dp every quantity is sum c_k b_k, its slope sum c_k tau^k. The energy is the kinetic energy minus the
 * work of the tangential impulse, E = -(I.v + I.W I/2) - mu int r dI_z, one more such
 * series (of rho y, (rho y)'/(rho y) = (2 N - D')/D). In grazing impacts, where the slip is much faster
 * than the approach, that difference cancels. There E is the product series of -v_z dI_z, and only
 * regular arcs are used. */
#include "law/impact/impact.h"
#include "math/elementary.h"

#include <float.h>

enum { TERMS = SC_IMPACT_TERMS };

/* 1/k, to avoid divisions in the loops. */
static const double reciprocal[TERMS + 1] = {0, 1.0, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7,
    1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17,
    1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27,
    1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31, 1.0 / 32};

/* Two numbers in one register, for loops that compilers do not vectorise; the order of sums is part of the
 * result. */
typedef double twin __attribute__((vector_size(16)));

static inline twin twin_of(double x) { return (twin){x, x}; }

static inline twin load_twin(const double *x) {
  twin v;
  memcpy(&v, x, sizeof v);
  return v;
}

static double dot_terms(const double a[TERMS], const double b[TERMS]) {
  twin even = {0, 0}, odd = {0, 0};
  for (int k = 0; k < TERMS; k += 4)
    even += load_twin(a + k) * load_twin(b + k), odd += load_twin(a + k + 2) * load_twin(b + k + 2);
  even += odd;
  return even[0] + even[1];
}

static double sum_terms(const double a[TERMS]) {
  double s0 = 0, s1 = 0;
  for (int k = TERMS - 2; k >= 0; k -= 2) s0 += a[k], s1 += a[k + 1];
  return s0 + s1;
}

/* Sets out[k] = x^k. */
static void compute_powers(double x, double out[TERMS]) {
  double x2 = x * x, x4 = x2 * x2;
  twin low = {1, x}, high = {x2, x2 * x}, step = {x4, x4};
  for (int k = 0; k < TERMS; k += 4) {
    memcpy(out + k, &low, sizeof low);
    memcpy(out + k + 2, &high, sizeof high);
    low *= step, high *= step;
  }
}

/* Computes the first TERMS coefficients of the product of two series. The loop computes four rows at a time,
 * so that sums stay in registers. */
static void multiply_series(const double a[TERMS], const double b[TERMS], double out[TERMS]) {
  double padded[TERMS + 3] = {0}, *x = padded + 3;
  memcpy(x, b, TERMS * sizeof *x);
  for (int k = 0; k < TERMS; k += 4) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int j = 0; j < k + 4; j++) {
      double f = a[j];
      const double *y = x + k - j;
      s0 += f * y[0];
      s1 += f * y[1];
      s2 += f * y[2];
      s3 += f * y[3];
    }
    out[k] = s0;
    out[k + 1] = s1;
    out[k + 2] = s2;
    out[k + 3] = s3;
  }
}

/* Returns the distance up to which a series is accurate to rounding, from its last coefficients. Its first
 * coefficient is 1. */
static double reach_of(const double a[TERMS]) {
  double last = 0;
  for (int k = TERMS - 3; k < TERMS; k++) last = fabs(a[k]) > last ? fabs(a[k]) : last;
  return last > 0 ? sc_exp(sc_log(1e-16 / last) / (TERMS - 2)) : INFINITY;
}

/* Returns the result of reach_of for the square of the series a, because the energy depends on this
 * square. */
static double square_reach_of(const double a[TERMS]) {
  double last[TERMS] = {1};
  for (int k = TERMS - 3; k < TERMS; k++)
    for (int j = 0; j <= k; j++) last[k] += a[j] * a[k - j];
  return reach_of(last);
}

/* Returns a length of t within which the coefficients of a solution of D y' = M y do not grow much. Requires
 * D_0 != 0. */
static double safe_length(const double D[5], const double M[4], double lead) {
  double high = fabs(D[2]) > fabs(D[3]) ? fabs(D[2]) : fabs(D[3]), size = 1;
  if (fabs(D[4]) > high) high = fabs(D[4]);
  if (lead < high) size = sqrt(lead / high);
  if (lead < fabs(D[1]) * size) size = lead / fabs(D[1]);
  if (4 * lead < fabs(M[0]) * size) size = 4 * lead / fabs(M[0]);
  return size;
}

/* Computes two series side by side: the coefficients in t/size of the solutions of D y' = M y and D z' = P z
 * with y(0) = z(0) = 1. */
static void two_series(
    const double D[5], const double M[4], const double P[4], double size, double y[TERMS], double z[TERMS]) {
  double inverse = 1 / D[0], s1 = size * inverse, s2 = s1 * size, s3 = s2 * size, s4 = s3 * size;
  twin m0 = {M[0] * s1, P[0] * s1}, m1 = {M[1] * s2, P[1] * s2}, m2 = {M[2] * s3, P[2] * s3},
       m3 = {M[3] * s4, P[3] * s4};
  twin d1 = twin_of(D[1] * s1), d2 = twin_of(D[2] * s2), d3 = twin_of(D[3] * s3), d4 = twin_of(D[4] * s4);
  twin a = twin_of(1), b = twin_of(0), c = twin_of(0), d = twin_of(0); // terms k, k-1, k-2, k-3
  y[0] = z[0] = 1;
  // their factors at k: m0 - k d1, m1 - (k-1) d2, ...
  m1 += d2, m2 += d3 + d3, m3 += d4 + d4 + d4;
  for (int k = 0; k + 1 < TERMS; k++) {
    twin next = (m0 * a + (m1 * b + (m2 * c + m3 * d))) * twin_of(reciprocal[k + 1]);
    m0 -= d1, m1 -= d2, m2 -= d3, m3 -= d4;
    d = c, c = b, b = a, a = next;
    y[k + 1] = next[0], z[k + 1] = next[1];
  }
}

/* Computes the coefficients of the series (1 + ...) in y = t^beta (1 + ...) and z = t^gamma (1 + ...), for
 * D_0 = 0. The variable of both series is t/size. */
static void two_root_series(const double D[5], const double M[4], const double P[4], const double exponent[2],
    double size, double y[TERMS], double z[TERMS]) {
  double s1 = size / D[1], s2 = s1 * size, s3 = s2 * size;
  twin beta = {exponent[0], exponent[1]}, d2 = twin_of(D[2] * s1), d3 = twin_of(D[3] * s2),
       d4 = twin_of(D[4] * s3);
  twin m1 = (twin){M[1] * s1, P[1] * s1} - d2 * beta,
       m2 = (twin){M[2] * s2, P[2] * s2} - d3 * (beta - twin_of(1));
  twin m3 = (twin){M[3] * s3, P[3] * s3} - d4 * (beta - twin_of(2)), a = twin_of(1), b = twin_of(0),
       c = twin_of(0);
  y[0] = z[0] = 1;
  for (int k = 1; k < TERMS; k++) {
    twin next = (m1 * a + (m2 * b + m3 * c)) * twin_of(reciprocal[k]);
    m1 -= d2, m2 -= d3, m3 -= d4;
    c = b, b = a, a = next;
    y[k] = next[0], z[k] = next[1];
  }
}

bool sc_impact_root_make(const sc_impact_matter *matter, const double dir[2], sc_impact_root *root) {
  sc_impact_chart *c = &root->chart;
  sc_impact_chart_at(matter, dir, c);
  const double *D = c->D, *N = c->N;
  double all = fabs(D[1]) + fabs(D[2]) + fabs(D[3]) + fabs(D[4]);
  if (!(D[1] < -1e-6 * all)) return false;
  root->alpha = N[0] / D[1];
  double M[4] = {N[0] - D[1], N[1] - 2 * D[2], N[2] - 3 * D[3], N[3] - 4 * D[4]};
  double P[4] = {2 * N[0] - D[1], 2 * N[1] - 2 * D[2], 2 * N[2] - 3 * D[3], 2 * N[3] - 4 * D[4]};
  // computes the lengths; D/t has the coefficients D_1, D_2, ...
  double shifted[5] = {D[1], D[2], D[3], D[4], 0},
         rates[4] = {2 * fabs(N[1]) + (2 * fabs(root->alpha) + 4) * fabs(D[2]), 0, 0, 0};
  double size = safe_length(shifted, rates, fabs(D[1]));
  two_root_series(D, M, P, (double[2]){root->alpha - 1, 2 * root->alpha - 1}, size, root->A, root->Z);
  double one = reach_of(root->A), two = reach_of(root->Z), good = one < two ? one : two;
  root->reach = good * size < 0.7 ? good * size : 0.7;
  // stores the coefficients of the powers of t itself
  double scale[TERMS];
  compute_powers(1 / size, scale);
  for (int k = 0; k < TERMS; k++) root->A[k] *= scale[k], root->Z[k] *= scale[k];
  return true;
}

/* Computes the series of I_z, I_x, I_y and v_z from the series of y in tau, whose coefficients already
 * contain h. */
static void set_impulse_series(sc_impact_arc *arc, const double y[TERMS]) {
  const sc_impact_matter *m = arc->matter;
  double h = arc->h, h2 = h * h, h4 = h2 * h2, c = -m->mu * arc->chart.dir[0], s = -m->mu * arc->chart.dir[1];
  double padded[TERMS + 4] = {0}, *z = padded + 4;
  memcpy(z, y, TERMS * sizeof *z);
  for (int k = 0; k < TERMS; k++) {
    double along = z[k] - h4 * z[k - 4], across = 2 * h * (z[k - 1] + h2 * z[k - 3]);
    double x = c * along - s * across, w = s * along + c * across;
    arc->iz[k] = z[k] + 2 * h2 * z[k - 2] + h4 * z[k - 4];
    arc->ix[k] = x;
    arc->iy[k] = w;
    arc->vz[k] = m->k * arc->iz[k] + (m->d[0] * x + m->d[1] * w);
  }
}

/* Computes the series of int r dI_z from the series of rho y, up to a constant factor. */
static void set_slip_series(sc_impact_arc *arc, const double rho_y[TERMS]) {
  double padded[TERMS + 6] = {0}, *z = padded + 6, h2 = arc->h * arc->h, h4 = h2 * h2, h6 = h4 * h2;
  memcpy(z, rho_y, TERMS * sizeof *z);
  for (int k = 0; k < TERMS; k++) arc->en[k] = z[k] + 3 * h2 * z[k - 2] + 3 * h4 * z[k - 4] + h6 * z[k - 6];
}

static void scale_series(double a[TERMS], double f) {
  for (int k = 0; k < TERMS; k++) a[k] *= f;
}

/* Returns D(t)/(1+t^2), D without its factor t for a root. */
static double turning_rate_of(const sc_impact_arc *arc, double t) {
  const double *D = arc->chart.D;
  double high = D[1] + t * (D[2] + t * (D[3] + t * D[4]));
  return (arc->root ? high : D[0] + t * high) / (1 + t * t);
}

void sc_impact_arc_regular(const sc_impact_matter *matter, const sc_impact_chart *chart,
    const sc_impact_state *from, double limit, bool grazing, sc_impact_arc *arc) {
  const double *D = chart->D, *N = chart->N;
  double M[4] = {N[0] - D[1], N[1] - 2 * D[2], N[2] - 3 * D[3], N[3] - 4 * D[4]}, y[TERMS], z[TERMS],
         scale[TERMS], v[TERMS];
  double P[4] = {M[0] + N[0], M[1] + N[1], M[2] + N[2], M[3] + N[3]};
  arc->chart = *chart;
  arc->from = *from;
  arc->matter = matter;
  arc->root = false;
  arc->alpha = 0;
  arc->end = 1;
  arc->balance = !grazing;
  // computes the coefficients for a safe length, then the longest arc that they allow
  double size = safe_length(D, M, fabs(D[0]));
  two_series(D, M, P, size, y, z);
  double one = reach_of(y), two = grazing ? square_reach_of(y) : reach_of(z),
         h = (one < two ? one : two) * size;
  if (h > 1) h = 1;
  if (h > limit) h = limit;
  arc->h = D[0] > 0 ? h : -h;
  compute_powers(arc->h / size, scale);
  double first = 2 * from->speed / D[0] * arc->h;
  for (int k = 0; k < TERMS; k++) y[k] *= scale[k] * first;
  set_impulse_series(arc, y);
  if (arc->balance) {
    for (int k = 0; k < TERMS; k++) z[k] *= scale[k] * first * from->speed;
    set_slip_series(arc, z);
  } else {
    // E' = -v_z I_z'
    v[0] = -from->vz;
    for (int k = 0; k + 1 < TERMS; k++) v[k + 1] = -arc->vz[k] * reciprocal[k + 1];
    multiply_series(v, arc->iz, arc->en);
  }
  arc->gain = from->speed / (arc->iz[0] * turning_rate_of(arc, 0));
}

/* Returns (1 - e^(m L))/m, the integral of tau^(m-1) from e^L to 1. */
static double power_integral_of(double m, double L) {
  double x = m * L;
  return fabs(x) < 1e-300 ? -L : -sc_expm1(x) / m;
}

void sc_impact_arc_root(const sc_impact_matter *matter, const sc_impact_root *root,
    const sc_impact_state *from, double ta, double stop, sc_impact_arc *arc) {
  double scale[TERMS], y[TERMS], z[TERMS];
  arc->chart = root->chart;
  arc->from = *from;
  arc->matter = matter;
  arc->root = arc->balance = true;
  arc->alpha = root->alpha;
  arc->h = ta;
  arc->end = stop > 0   ? power_integral_of(root->alpha, sc_log(stop))
      : root->alpha > 0 ? 1 / root->alpha
                        : INFINITY;
  compute_powers(ta, scale);
  for (int k = 0; k < TERMS; k++) y[k] = root->A[k] * scale[k], z[k] = root->Z[k] * scale[k];
  // tau = 1 at the start, where y = 2 r/((1+t^2) D); dI_z/dp = -h y there
  double first = -2 * from->speed / ((1 + ta * ta) * (1 + ta * ta) * turning_rate_of(arc, ta) * sum_terms(y));
  scale_series(y, first);
  set_impulse_series(arc, y);
  set_slip_series(arc, z);
  double total = sum_terms(arc->iz);
  scale_series(arc->en, from->speed * total / sum_terms(arc->en));
  arc->gain = from->speed / (total * turning_rate_of(arc, ta));
}

/* Factors of the coefficients of series at one p: tau^k and b_k of the file head. */
typedef struct basis {
  double tau, L, power[TERMS], b[TERMS];
} basis;

static void basis_at(const sc_impact_arc *arc, double p, basis *at) {
  if (!arc->root) {
    at->tau = p;
    at->L = 0;
    compute_powers(p, at->power);
    for (int k = 0; k < TERMS; k++) at->b[k] = p * at->power[k] * reciprocal[k + 1];
    return;
  }
  double alpha = arc->alpha, left = 1 - alpha * p;
  at->L = left > 0 ? alpha != 0 ? sc_log1p(-alpha * p) / alpha : -p : -INFINITY;
  at->tau = left > 0 ? sc_exp(at->L) : 0;
  compute_powers(at->tau, at->power);
  if (left < 0) left = 0;
  // alpha > -1, so the first two exponents may be near 0
  at->b[0] = p;
  at->b[1] = left > 0 ? power_integral_of(alpha + 1, at->L) : 1 / (alpha + 1);
  for (int k = 2; k < TERMS; k++) at->b[k] = (1 - left * at->power[k]) / (alpha + k);
}

/* Returns int r dI_z on the arc of a root. */
static double root_slid(const sc_impact_arc *arc, const basis *at) {
  double slid = 0, alpha = arc->alpha, left = 1 - alpha * at->b[0], square = left > 0 ? left * left : 0;
  for (int k = TERMS - 1; k > 2; k--) slid += arc->en[k] * (1 - square * at->power[k]) / (2 * alpha + k);
  for (int k = 2; k >= 0; k--)
    slid += arc->en[k] * (left > 0 ? power_integral_of(2 * alpha + k, at->L) : 1 / (2 * alpha + k));
  return slid;
}

/* Returns the energy from the work of the impulse (x,y,z) since the start of the arc. */
static double energy_balance_of(const sc_impact_arc *arc, const basis *at, double x, double y, double z) {
  const sc_impact_matter *m = arc->matter;
  const sc_impact_state *s = &arc->from;
  double slid = arc->root ? root_slid(arc, at) : dot_terms(arc->en, at->b);
  double work = z * s->vz + s->speed * (x * s->dir[0] + y * s->dir[1]);
  double bent = m->l[0] * x * x + m->l[1] * y * y + z * (m->k * z + 2 * (m->d[0] * x + m->d[1] * y));
  return s->energy - work - bent / 2 - m->mu * slid;
}

/* Returns the quantity `what` at p. *slope: set to its derivative by p. */
static double value_at(const sc_impact_arc *arc, int what, double p, double *slope) {
  basis at;
  basis_at(arc, p, &at);
  if (what == SC_IMPACT_IZ) {
    *slope = dot_terms(arc->iz, at.power);
    return arc->from.impulse[2] + dot_terms(arc->iz, at.b);
  }
  if (what == SC_IMPACT_VZ) {
    *slope = dot_terms(arc->vz, at.power);
    return arc->from.vz + dot_terms(arc->vz, at.b);
  }
  if (!arc->balance) {
    *slope = dot_terms(arc->en, at.power);
    return arc->from.energy + dot_terms(arc->en, at.b);
  }
  *slope = -(arc->from.vz + dot_terms(arc->vz, at.b)) * dot_terms(arc->iz, at.power);
  return energy_balance_of(
      arc, &at, dot_terms(arc->ix, at.b), dot_terms(arc->iy, at.b), dot_terms(arc->iz, at.b));
}

void sc_impact_arc_state(const sc_impact_arc *arc, double p, sc_impact_state *state) {
  basis at;
  basis_at(arc, p, &at);
  const sc_impact_state *s = &arc->from;
  double x = dot_terms(arc->ix, at.b), y = dot_terms(arc->iy, at.b), z = dot_terms(arc->iz, at.b);
  state->energy = arc->balance ? energy_balance_of(arc, &at, x, y, z) : s->energy + dot_terms(arc->en, at.b);
  state->impulse[0] = s->impulse[0] + x;
  state->impulse[1] = s->impulse[1] + y;
  state->impulse[2] = s->impulse[2] + z;
  state->vz = s->vz + dot_terms(arc->vz, at.b);
  double t = arc->h * at.tau, left = arc->root ? 1 - arc->alpha * p : 1;
  sc_impact_turn(arc->chart.dir, t, state->dir);
  state->speed = left > 0 ? arc->gain * left * dot_terms(arc->iz, at.power) * turning_rate_of(arc, t) : 0;
}

double sc_impact_arc_find(
    const sc_impact_arc *arc, int what, double target, double lo, double hi, double f_lo, double f_hi) {
  double sign = f_hi > f_lo ? 1 : -1, slope;
  double span = hi - lo, a = lo, b = hi, x;
  // first guess: the parabola through both ends with the slope at lo
  value_at(arc, what, lo, &slope);
  double curve = (f_hi - f_lo) - slope * span, rest = target - f_lo,
         root = slope * slope * span * span + 4 * curve * rest;
  double bottom = slope * span + sign * sqrt(root > 0 ? root : 0);
  x = bottom != 0 ? lo + span * 2 * rest / bottom : (lo + hi) / 2;
  if (!(x > a && x < b)) x = (a + b) / 2;
  for (int i = 0; i < 80; i++) {
    double f = value_at(arc, what, x, &slope) - target;
    if (f == 0) break;
    if (f * sign < 0) a = x;
    else b = x;
    double next = x - f / slope;
    if (!(next >= a && next <= b)) next = (a + b) / 2;
    double moved = fabs(next - x);
    x = next;
    // Newton's method squares the error, so the error is only rounding after a step this small
    if (moved <= 1e-9 * (x - lo) || b - a <= 2 * DBL_EPSILON * b) break;
  }
  return x;
}
