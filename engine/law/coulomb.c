/* Coulomb's law: friction opposes the end-of-step slip (Bonnefon & Daviet 2011; Preclik, Eibl & Ruede 2017, section 2).
 *
 * Sliding means v_to = -l y with l > 0 on the cone's boundary:  (H + l E) y = g,  |y| = mu x_n.  With p = adj(H) g this is
 *     |p + l g| = (mu/Ann) (b_n det(H + l E) - a.(p + l g)),   a quartic in l once squared.
 * Every positive root is a solution. The energy along y(l) grows with l, dE/dl = l y'(H + l E)^-1 y > 0, so the solution of
 * least energy is the smallest root, which sc_law_secular finds without looking at the others. */
#include "law/law_parts.h"

static scree_contact_state kernel(const double *A, const double *b, double mu, double mu_static, double *x, int *iterations) {
  if (iterations) *iterations = 0;
  if (!(b[0] >= 0)) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  double pt = r.hoo * r.gt - r.hto * r.go, po = r.htt * r.go - r.hto * r.gt;
  double pp = pt * pt + po * po, ap = r.at * pt + r.ao * po, m = mu / r.ann;

  // sticking: x0 = A^-1 b lies in the cone
  double room = (mu_static / r.ann) * (r.bn * r.det - ap);
  if (room >= 0 && pp <= room * room) {
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

  // sliding: the smallest root in l
  double n[3] = {pp, pt * r.gt + po * r.go, r.gt * r.gt + r.go * r.go}, trace = r.htt + r.hoo, ag = r.at * r.gt + r.ao * r.go;
  double l = sc_law_secular(n, m * (ap - r.bn * r.det), m * (ag - r.bn * trace), m * r.bn, iterations);
  if (l == INFINITY) return sc_law_zero(x);
  double inv = 1 / (r.det + l * (trace + l));
  x[1] = (pt + l * r.gt) * inv;
  x[2] = (po + l * r.go) * inv;
  x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
  return SCREE_SLIDING;
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

const sc_law sc_law_coulomb = {
  .name = "coulomb", .doc = "Coulomb friction, exact; of several solutions the one of least energy",
  .params = sc_friction_params, .params_count = 1, .ball_kernel = true, .ball_mu = sc_friction_ball_mu, .solve = solve,
};
