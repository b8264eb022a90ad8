/* Maximum dissipation: of all impulses in the cone that stop the normal velocity, the law chooses the impulse
 * with the least energy (Preclik, Eibl & Ruede 2017, sections 2.3 and 3.3). y is the tangential impulse, E
 * the identity. A is the contact's block, Ann its normal entry, a its coupling of normal and tangential rows,
 * and b_n the normal impulse's right-hand side. H and g are the tangential block and right-hand side without
 * the normal impulse (sc_reduce).
 *
 *     minimise y'Hy/2 - y'g  over  |y| <= m (b_n - a.y),  m = mu/Ann.
 * This problem is convex. Its solution is therefore unique. With k = m |a| the boundary is an ellipse (k <
 * 1), a parabola (k = 1) or one branch of a hyperbola (k > 1); rest = 1 - k^2.
 *
 * Ellipse. Let B = E - m^2 a a', the centre c = -m^2 b_n a/rest, and z = y - c. The boundary is z'Bz = rho^2
 * with rho = m b_n/sqrt(rest). The optimum satisfies (H + l B) z = g - H c with l >= 0, which is the secular
 * equation of secular.c.
 *
 * Hyperbola. With the directions u1, u2 of the asymptotes (Ann + mu a.u = 0), y = c + p u1 + q u2, the
 * boundary is p q = K, sqrt(K) = m b_n k/(-2 rest). Scaled so that both directions have equal weight, p = s Z
 * z, q = Z/(s z) with Z = sqrt(K), s = (H22/H11)^(1/4), the energy on the branch is Z^2 h (z^2 + 1/z^2)/2 - Z
 * (G1 z + G2/z) + const with h = sqrt(H11 H22), G1 = s g1, G2 = g2/s. It is stationary where
 *     Q(z) = C z^4 - G1 z^3 + G2 z - C = 0,  C = h Z.
 * Exchanging z and 1/z exchanges G1 and G2. For G1 >= G2 the least energy lies at z >= 1, where Q has exactly
 * one root (one change of sign among the coefficients of Q(1 + w)). Newton's method from above converges to
 * it monotonically. b_n = 0 is the limit C = 0: the asymptote ray of less energy (the paper's Eq. (9) ignores
 * that H is not a multiple of E and can choose the wrong ray).
 *
 * Near a parabola c tends to infinity and cancels. There, in the frame (a/|a|, perpendicular), the boundary
 * is the rational curve
 *     y(t) = m b_n (1 - t^2, 2 t)/D,  D = (1 + k) + (1 - k) t^2,
 * and dE/dt = 0 is a real quartic in t, solved on |t| <= 1 and in 1/t on |1/t| <= 1. */
#include "law/law_parts.h"

/* Returns the root z >= 1 of C z^4 - G1 z^3 + G2 z - C for G1 >= G2, C > 0. */
static double branch_root(double C, double G1, double G2, int *iterations) {
  // doubles z until it is an upper bound
  double z = 1;
  for (int i = 0; i < 1100; i++) {
    if (((C * z - G1) * z * z + G2) * z - C >= 0) break;
    z *= 2;
  }
  // Newton's method from above: z falls monotonically
  int i = 0;
  while (i < 100) {
    double square = z * z, value = ((C * z - G1) * square + G2) * z - C,
           slope = (4 * C * z - 3 * G1) * square + G2;
    i++;
    if (!(value > 0) || !(slope > 0)) break;
    double next = fmax(1, z - value / slope);
    if (!(next < z)) break;
    z = next;
  }
  if (iterations) *iterations += i;
  return z;
}

/* Computes the friction y on the hyperbola. span = k^2 - 1 > 0. */
static void slide_hyperbola(
    const sc_reduced *r, double m, double k, double span, double y[2], int *iterations) {
  // computes the directions of the asymptotes and the centre
  double a1 = k / m, et = r->at / a1, eo = r->ao / a1, cosine = -1 / k, sine = sqrt(span) / k;
  double u[2][2] = {
      {et * cosine - eo * sine, eo * cosine + et * sine}, {et * cosine + eo * sine, eo * cosine - et * sine}};
  double centre = m * r->bn * k / span, ct = centre * et, co = centre * eo, Z = centre / 2;
  double gt = r->gt - r->htt * ct - r->hto * co, go = r->go - r->hto * ct - r->hoo * co, H[2], G[2];
  for (int i = 0; i < 2; i++) {
    H[i] = u[i][0] * (r->htt * u[i][0] + 2 * r->hto * u[i][1]) + r->hoo * u[i][1] * u[i][1];
    G[i] = u[i][0] * gt + u[i][1] * go;
  }
  // scales both directions to equal weight, and exchanges them if needed so that G1 >= G2
  double s = sqrt(sqrt(H[1] / H[0])), G1 = G[0] * s, G2 = G[1] / s, h = sqrt(H[0] * H[1]), C = h * Z;
  int first = G1 >= G2 ? 0 : 1;
  double big = first ? G2 : G1, small = first ? G1 : G2, weight = first ? 1 / s : s, p, q;
  if (C <= 1e-40 * big || r->bn == 0) {
    p = fmax(0, big / h);
    q = 0;
  } else {
    double z = branch_root(C, big, small, iterations);
    p = Z * z;
    q = Z / z;
  }
  p *= weight;
  q /= weight;
  y[0] = ct + p * u[first][0] + q * u[1 - first][0];
  y[1] = co + p * u[first][1] + q * u[1 - first][1];
}

/* Computes the friction y on the ellipse. rest = 1 - k^2 > 0. */
static void slide_ellipse(const sc_reduced *r, double m, double rest, double y[2], int *iterations) {
  double mt = m * r->at, mo = m * r->ao, side = -m * r->bn / rest, ct = side * mt, co = side * mo,
         rho = m * r->bn / sqrt(rest);
  double gt = r->gt - r->htt * ct - r->hto * co, go = r->go - r->hto * ct - r->hoo * co;
  double btt = 1 - mt * mt, bto = -mt * mo, boo = 1 - mo * mo;
  double pt = r->hoo * gt - r->hto * go, po = r->htt * go - r->hto * gt, qt = boo * gt - bto * go,
         qo = btt * go - bto * gt;
  double mixed = r->hoo * btt + r->htt * boo - 2 * r->hto * bto,
         norm = pt * (btt * pt + 2 * bto * po) + boo * po * po;
  double l = sc_law_secular(norm, rest * (gt * pt + go * po), rest * (gt * qt + go * qo), -rho * r->det,
      -rho * mixed, rho * rest, iterations);
  double inv = 1 / (r->det + l * (mixed + l * rest));
  y[0] = ct + (pt + l * qt) * inv;
  y[1] = co + (po + l * qo) * inv;
}

/* Computes y on the conic near a parabola, by the quartic in t. */
static void slide_parabola(const sc_reduced *r, double m, double k, double y[2]) {
  // computes the frame of the file head: along a and perpendicular to a
  double a1 = k / m, et = r->at / a1, eo = r->ao / a1, r0 = m * r->bn, q = 1 + k, s = 1 - k;
  double h11 = et * (r->htt * et + 2 * r->hto * eo) + r->hoo * eo * eo, h22 = r->htt + r->hoo - h11;
  double h12 = (r->hoo - r->htt) * et * eo + r->hto * (et * et - eo * eo), g1 = et * r->gt + eo * r->go,
         g2 = et * r->go - eo * r->gt;
  const double u[3] = {r0 * h11 - g1 * q, 2 * r0 * h12, -r0 * h11 - g1 * s},
               w[3] = {r0 * h12 - g2 * q, 2 * r0 * h22, -r0 * h12 - g2 * s};
  const double p[5] = {
      q * w[0], q * w[1] - 2 * u[0], q * w[2] - 2 * u[1] - s * w[0], -2 * u[2] - s * w[1], -s * w[2]};
  const double reversed[5] = {p[4], p[3], p[2], p[1], p[0]};
  // chooses the stationary point of least energy
  double best = INFINITY;
  for (int half = 0; half < 2; half++) {
    double roots[4];
    int count = sc_poly_roots(half ? reversed : p, 4, -1, 1, roots);
    for (int i = 0; i < count; i++) {
      double c = half ? roots[i] : 1, t = half ? 1 : roots[i], D = q * c * c + s * t * t, scale = r0 / D;
      if (!(D > 0)) continue;
      double y1 = scale * (c * c - t * t), y2 = scale * 2 * c * t;
      double energy = y1 * (h11 * y1 / 2 + h12 * y2 - g1) + y2 * (h22 * y2 / 2 - g2);
      if (!(energy < best)) continue;
      best = energy;
      y[0] = et * y1 - eo * y2;
      y[1] = eo * y1 + et * y2;
    }
  }
}

/* Computes the friction y for b_n = 0 and a parabola as boundary: y lies on the ray opposite to a. */
static void slide_ray(const sc_reduced *r, double y[2]) {
  double gain = -(r->at * r->gt + r->ao * r->go),
         cost = r->at * (r->htt * r->at + 2 * r->hto * r->ao) + r->hoo * r->ao * r->ao;
  double length = gain > 0 ? gain / cost : 0;
  y[0] = -length * r->at;
  y[1] = -length * r->ao;
}

static void slide_on_conic(const sc_reduced *r, double mu, double y[2], int *iterations) {
  double m = mu / r->ann, k2 = m * m * (r->at * r->at + r->ao * r->ao), rest = 1 - k2;
  if (rest > 0.01) {
    slide_ellipse(r, m, rest, y, iterations);
    return;
  }
  double k = sqrt(k2), exact = (1 - k) * (1 + k);
  if (r->bn == 0 && k == 1) {
    slide_ray(r, y);
    return;
  }
  // the formulas relative to the centre are accurate if |y| is larger than the distance of the centre from 0
  if (exact < 0) slide_hyperbola(r, m, k, -exact, y, iterations);
  else if (exact > 0) slide_ellipse(r, m, exact, y, iterations);
  double centre = m * r->bn * k;
  if (fabs(exact) < 0.01 && !((y[0] * y[0] + y[1] * y[1]) * exact * exact > centre * centre))
    slide_parabola(r, m, k, y);
}

static scree_contact_state max_dissipation_kernel(const double *par, const double *A, const double *b,
    double mu, double mu_static, double *x, int *iterations) {
  (void)par;
  if (!(b[0] >= 0)) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  if (sc_stick(&r, mu_static, x)) return SCREE_STICKING;
  if (mu == 0) return sc_slip_free(&r, x);
  // with b_n = 0 an ellipse is the point 0
  x[1] = x[2] = 0;
  if (r.bn == 0 && mu * mu * (r.at * r.at + r.ao * r.ao) < r.ann * r.ann) return sc_law_zero(x);
  slide_on_conic(&r, mu, x + 1, iterations);
  x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
  return x[0] > 0 ? SCREE_SLIDING : SCREE_SEPARATING;
}

static scree_contact_state solve_max_dissipation(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  return sc_friction_solve(max_dissipation_kernel, SC_RULE_ENERGY, dim, A, b, par, x, iterations);
}

static sc_law_lane lane_of_max_dissipation(const double *par) {
  return sc_friction_lane(par, SC_FORM_ENERGY);
}

const sc_law sc_law_max_dissipation = {
    .name = "max_dissipation",
    .doc = "maximum dissipation: the impulse in the cone that leaves the least energy; unique",
    SC_FRICTION_TABLES(SC_PAR_COUNT),
    SC_FRICTION_BOUND,
    .ball_mu = sc_friction_ball_mu,
    .ball_couple = sc_friction_ball_couple,
    .lane = lane_of_max_dissipation,
    .solve = solve_max_dissipation,
};
