/* The associated law of the cone complementarity problem (Anitescu & Tasora 2010; Negrut, Serban & Tasora
 * 2018, Eq. 5d): minimise x'Ax/2 - x'b over the friction cone. x is the impulse, A the contact's block, b its
 * right-hand side. Index n: normal row, index to: tangential rows, a = A_nt,no. The impulse lies in the cone,
 * and the end velocity in the dual cone. A sliding contact therefore opens at v_n = mu |v_to|, which is an
 * error of this convex law.
 *
 * On the boundary x = s w, w = (1, mu u), |u| = 1. For a given u the best s is (w.b)/(w'Aw). Let B = b_to and
 * C = A_to. The terms of degree three then cancel, and the energy is stationary where
 *     (u'.B)(w'Aw) - (w.b)(u'.(a + mu C u)) = 0,   u' = u rotated by 90 degrees:
 * a trigonometric polynomial of degree two. The problem is convex, so a stationary point with v_n >= 0 is the
 * solution. An ascent along the circle from the direction of g (law_parts.h) usually reaches it. If not, all
 * zeros are tried. */
#include "law/law_parts.h"

/* Returns the left side of the stationarity condition of the file head as a polynomial of u. It follows from
 * w.b = b_n + mu B.u and w'Aw = Ann + 2 mu a.u + mu^2 u'Cu, with a = (A_nt, A_no). */
static sc_circle stationarity_of(const double *A, const double *b, double mu) {
  double an = A[0], at = A[1], ao = A[2], ct = A[4], cx = A[5], co = A[8], bn = b[0], bt = b[1], bo = b[2];
  double mean = (ct + co) / 2, half = (ct - co) / 2, m2 = mu * mu;
  sc_circle h;
  // degree 0 and 2 of 2 mu (u'.B)(a.u) - mu (B.u)(u'.a) - mu b_n u'.Cu, degree 1 of the rest
  double sum = at * bo - ao * bt, cross = at * bo + ao * bt, along = ao * bo - at * bt;
  h.c0 = mu * 1.5 * sum;
  h.c2 = mu * (0.5 * cross - bn * cx);
  h.s2 = mu * (0.5 * along + bn * half);
  // u'.B Ann - b_n u'.a, and mu^2 [(u'.B)(u'Cu) - (B.u)(u'.Cu)], whose degree three vanishes
  h.c1 = bo * an - bn * ao + m2 * (bo * (mean + half) - bt * cx);
  h.s1 = -bt * an + bn * at + m2 * (-bt * (mean - half) + bo * cx);
  return h;
}

/* Sets x to the point of least energy on the ray s (1, mu u), s >= 0. Sets x to 0 if every point of the ray
 * has an energy above 0. */
static void on_ray(const double *A, const double *b, double mu, const double u[2], double *x) {
  double wt = mu * u[0], wo = mu * u[1], force = b[0] + wt * b[1] + wo * b[2];
  double cost = A[0] + wt * (2 * A[1] + A[4] * wt + 2 * A[5] * wo) + wo * (2 * A[2] + A[8] * wo),
         s = force > 0 ? force / cost : 0;
  x[0] = s;
  x[1] = s * wt;
  x[2] = s * wo;
}

/* Returns whether x is optimal: the end velocity is opposite to the friction, and the contact opens. */
static bool is_optimal(const double *A, const double *b, const double u[2], const double *x) {
  double vt = A[3] * x[0] + A[4] * x[1] + A[5] * x[2] - b[1],
         vo = A[6] * x[0] + A[7] * x[1] + A[8] * x[2] - b[2];
  double against = -(vt * u[0] + vo * u[1]), across = fabs(vo * u[0] - vt * u[1]);
  return x[0] > 0 && against > 0 && across <= 1e-11 * against;
}

/* Moves u along the circle to a maximum of (w.b)^2/(w'Aw). h: polynomial of stationarity_of; the derivative
 * has the sign of h if w.b > 0. Uses Newton steps where h falls, and a fixed step uphill where h rises. Steps
 * are at most half a radian. */
static void climb_circle(const sc_circle *h, double u[2]) {
  for (int i = 0; i < 16; i++) {
    double c = u[0], s = u[1], cc = c * c - s * s, ss = 2 * c * s;
    double f = h->c0 + h->c1 * c + h->s1 * s + h->c2 * cc + h->s2 * ss,
           slope = h->s1 * c - h->c1 * s + 2 * (h->s2 * cc - h->c2 * ss);
    double turn = slope < 0 ? -f / slope : f > 0 ? 0.5 : -0.5;
    turn = turn > 0.5 ? 0.5 : turn < -0.5 ? -0.5 : turn;
    double nc = c - turn * s, ns = s + turn * c, inv = 1 / sqrt(1 + turn * turn);
    u[0] = nc * inv;
    u[1] = ns * inv;
    if (fabs(turn) < 1e-8) return; /* the next step would be 1e-16 */
  }
}

static void slide_on_cone(const double *A, const double *b, double mu, double *x) {
  sc_circle h = stationarity_of(A, b, mu);
  double u[8][2], guess[2] = {b[1] * A[0] - b[0] * A[1], b[2] * A[0] - b[0] * A[2]},
                  norm = sqrt(guess[0] * guess[0] + guess[1] * guess[1]);
  if (norm > 0) {
    guess[0] /= norm;
    guess[1] /= norm;
    climb_circle(&h, guess);
    norm = 1 / sqrt(guess[0] * guess[0] + guess[1] * guess[1]);
    guess[0] *= norm;
    guess[1] *= norm;
    on_ray(A, b, mu, guess, x);
    if (is_optimal(A, b, guess, x)) return;
  }
  int count = sc_circle_roots(&h, u);
  double best = 0, y[3];
  sc_law_zero(x);
  for (int i = 0; i < count; i++) {
    sc_circle_polish(&h, u[i]);
    on_ray(A, b, mu, u[i], y);
    double energy = sc_energy3(A, b, y);
    if (!(energy < best)) continue;
    best = energy;
    for (int j = 0; j < 3; j++) x[j] = y[j];
  }
}

static scree_contact_state cone_kernel(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations) {
  (void)par, (void)iterations;
  // b lies in the polar cone, so the impulse is 0
  if (b[0] <= 0 && b[0] * b[0] >= mu * mu * (b[1] * b[1] + b[2] * b[2])) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  if (sc_stick(&r, mu_static, x) && x[0] > 0) return SCREE_STICKING;
  if (mu == 0) return sc_slip_free(&r, x);
  slide_on_cone(A, b, mu, x);
  return x[0] > 0 ? SCREE_SLIDING : SCREE_SEPARATING;
}

static scree_contact_state solve_cone(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  return sc_friction_solve(cone_kernel, SC_RULE_CONE, dim, A, b, par, x, iterations);
}

static sc_law_lane lane_of_cone(const double *par) { return sc_friction_lane(par, SC_FORM_CONE); }

const sc_law sc_law_cone = {
    .name = "cone",
    .doc = "associated Coulomb friction of the cone complementarity problem; sliding contacts open at mu "
           "times the slip",
    SC_FRICTION_TABLES(SC_PAR_COUNT),
    SC_FRICTION_BOUND,
    .lane = lane_of_cone,
    .solve = solve_cone,
    .project = sc_friction_project,
};
