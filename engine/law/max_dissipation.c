/* Maximum dissipation: of all impulses in the cone that bring the normal velocity to rest, the one that leaves the least
 * energy (Preclik, Eibl & Ruede 2017, sections 2.3 and 3.3).
 *
 * minimise y'Hy/2 - y'g  over  |y| <= m (b_n - a.y),  m = mu/Ann: a convex problem, hence a unique answer. With
 * k = m |a| the boundary is an ellipse (k < 1), a parabola (k = 1) or one branch of a hyperbola (k > 1).
 *
 * Ellipse. With B = E - m^2 a a', centre c = -m^2 b_n a/(1 - k^2), z = y - c, the boundary is z'Bz = rho^2, rho = m b_n/sqrt(1 - k^2),
 * and the optimum fulfils (H + l B) z = g - H c with l >= 0: the secular equation of secular.c.
 *
 * Hyperbola. With the directions u1, u2 of the asymptotes (Ann + mu a.u = 0), y = c + p u1 + q u2, the boundary is p q = K,
 * sqrt(K) = m b_n k/(2 (k^2 - 1)). Scaled so that both directions weigh the same, p = s Z z, q = Z/(s z) with Z = sqrt(K),
 * s = (H22/H11)^(1/4), the energy on the branch is Z^2 h (z^2 + 1/z^2)/2 - Z (G1 z + G2/z) + const with
 * h = sqrt(H11 H22), G1 = s g1, G2 = g2/s, and stationary where
 *     q(z) = C z^4 - G1 z^3 + G2 z - C = 0,  C = h Z.
 * Exchanging z and 1/z exchanges G1 and G2; for G1 >= G2 the least energy lies at z >= 1, where q has exactly one root (one
 * change of sign among the coefficients of q(1 + w)). Newton's method from above falls monotonically on it. b_n = 0 is
 * the limit C = 0: the better of the two asymptote rays. */
#include "law/law_parts.h"

/* The root z >= 1 of C z^4 - G1 z^3 + G2 z - C for G1 >= G2, C > 0. */
static double branch_root(double C, double G1, double G2, int *iterations) {
  // an upper bound by doubling
  double z = 1;
  for (int i = 0; i < 1100; i++) {
    if (((C * z - G1) * z * z + G2) * z - C >= 0) break;
    z *= 2;
  }
  // Newton from above: falls monotonically
  int i = 0;
  while (i < 100) {
    double value = ((C * z - G1) * z * z + G2) * z - C, slope = (4 * C * z - 3 * G1) * z * z + G2;
    i++;
    if (!(value > 0) || !(slope > 0)) break;
    double next = fmax(1, z - value / slope);
    if (!(next < z)) break;
    z = next;
  }
  if (iterations) *iterations = i;
  return z;
}

/* Writes y on the hyperbola k > 1; a1 = |a|. */
static void slide_hyperbola(const sc_reduced *r, double m, double k, double a1, double y[2], int *iterations) {
  // asymptotes and centre
  double et = r->at / a1, eo = r->ao / a1, cosine = -1 / k, sine = sqrt((k - 1) * (k + 1)) / k, span = (k - 1) * (k + 1);
  double u[2][2] = {{et * cosine - eo * sine, eo * cosine + et * sine}, {et * cosine + eo * sine, eo * cosine - et * sine}};
  double centre = m * r->bn * k / span, ct = centre * et, co = centre * eo, Z = centre / 2;
  double gt = r->gt - r->htt * ct - r->hto * co, go = r->go - r->hto * ct - r->hoo * co, H[2], G[2];
  for (int i = 0; i < 2; i++) {
    H[i] = u[i][0] * (r->htt * u[i][0] + 2 * r->hto * u[i][1]) + r->hoo * u[i][1] * u[i][1];
    G[i] = u[i][0] * gt + u[i][1] * go;
  }
  // equal weights, the larger G first
  double s = sqrt(sqrt(H[1] / H[0])), G1 = G[0] * s, G2 = G[1] / s, h = sqrt(H[0] * H[1]), C = h * Z;
  int first = G1 >= G2 ? 0 : 1;
  double big = first ? G2 : G1, small = first ? G1 : G2, weight = first ? 1 / s : s;
  double p, q;
  if (C <= 1e-40 * big || r->bn == 0) p = fmax(0, big / h), q = 0;
  else {
    double z = branch_root(C, big, small, iterations);
    p = Z * z, q = Z / z;
  }
  p *= weight, q /= weight;
  y[0] = ct + p * u[first][0] + q * u[1 - first][0];
  y[1] = co + p * u[first][1] + q * u[1 - first][1];
}

/* Writes y on the ellipse, rest = 1 - k^2 > 0. */
static void slide_ellipse(const sc_reduced *r, double m, double rest, double y[2], int *iterations) {
  double kappa = m * m, ct = -kappa * r->bn * r->at / rest, co = -kappa * r->bn * r->ao / rest, rho = m * r->bn / sqrt(rest);
  double gt = r->gt - r->htt * ct - r->hto * co, go = r->go - r->hto * ct - r->hoo * co;
  double btt = 1 - kappa * r->at * r->at, bto = -kappa * r->at * r->ao, boo = 1 - kappa * r->ao * r->ao;
  double pt = r->hoo * gt - r->hto * go, po = r->htt * go - r->hto * gt, qt = boo * gt - bto * go, qo = btt * go - bto * gt;
  double n[3] = {pt * (btt * pt + 2 * bto * po) + boo * po * po, rest * (gt * pt + go * po), rest * (gt * qt + go * qo)};
  double mixed = r->hoo * btt + r->htt * boo - 2 * r->hto * bto;
  double l = sc_law_secular(n, -rho * r->det, -rho * mixed, rho * rest, iterations), inv = 1 / (r->det + l * (mixed + l * rest));
  y[0] = ct + (pt + l * qt) * inv;
  y[1] = co + (po + l * qo) * inv;
}

static scree_contact_state kernel(const double *A, const double *b, double mu, double mu_static, double *x, int *iterations) {
  if (iterations) *iterations = 0;
  if (!(b[0] >= 0)) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  double pt = r.hoo * r.gt - r.hto * r.go, po = r.htt * r.go - r.hto * r.gt, ap = r.at * pt + r.ao * po;

  // sticking: x0 = A^-1 b lies in the cone
  double room = (mu_static / r.ann) * (r.bn * r.det - ap);
  if (room >= 0 && pt * pt + po * po <= room * room) {
    x[1] = pt / r.det;
    x[2] = po / r.det;
    x[0] = (r.bn - r.at * x[1] - r.ao * x[2]) / r.ann;
    return SCREE_STICKING;
  }
  if (mu == 0) {
    x[0] = r.bn / r.ann;
    x[1] = x[2] = 0;
    return SCREE_SLIDING;
  }

  // sliding on the conic
  double m = mu / r.ann, k2 = m * m * (r.at * r.at + r.ao * r.ao), rest = 1 - k2;
  if (rest > 0) {
    if (r.bn == 0) return sc_law_zero(x);
    slide_ellipse(&r, m, rest, x + 1, iterations);
  } else if (rest < 0) {
    slide_hyperbola(&r, m, sqrt(k2), sqrt(k2) / m, x + 1, iterations);
  } else return sc_law_zero(x);
  x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
  return x[0] > 0 ? SCREE_SLIDING : SCREE_SEPARATING;
}

static scree_contact_state solve(const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x, int *iterations) {
  (void)law, (void)dim;
  if (sc_law_tame(A, b)) return kernel(A, b, par[SC_PAR_MU], par[SC_PAR_MU], x, iterations);
  double As[9], bs[3];
  int shift;
  sc_law_scale(A, b, As, bs, &shift);
  scree_contact_state state = kernel(As, bs, par[SC_PAR_MU], par[SC_PAR_MU], x, iterations);
  for (int i = 0; i < 3; i++) x[i] = ldexp(x[i], shift);
  return state;
}

const sc_law sc_law_max_dissipation = {
  .name = "max_dissipation", .doc = "maximum dissipation: the impulse in the cone that leaves the least energy; unique",
  .params = sc_friction_params, .params_count = 1, .ball_kernel = true, .ball_mu = sc_friction_ball_mu, .solve = solve,
};
