/* Twisted friction: sliding friction is rotated from the direction opposite to the slip, by a fixed angle
 * about the contact normal. An example are surfaces with a handed texture. The law is the simplest of
 * Zmitrowicz's (1981) friction laws whose force is not along the slip: mu times a rotation.
 *
 * With R the rotation by the angle, sliding means y = -|y| R v/|v| for the end-of-step slip v = H y - g, so
 *     (H + l R') y = g,   |y| = mu x_n,   l > 0.
 * adj of a 2x2 matrix is linear and adj R' = R; with p = adj(H) g and q = R g this is
 *     |p + l q| = (mu/Ann) (b_n D(l) - a.(p + l q)),   D(l) = det H + l cos(angle) tr H + l^2,
 * the secular equation of Coulomb's law. D > 0 for angles below 90 degrees, and y falls from the sticking
 * impulse to 0 as l grows, so a root always exists; the law uses the smallest. Friction dissipates energy at
 * the rate mu x_n |v| cos(angle). */
#include "law/law_parts.h"
#include "math/elementary.h"

enum { MU, MU_STATIC, TWIST, COUNT };
static const scree_param params[COUNT] = {
    SC_LAW_PAR(MU, "mu", "", 0.5, 0, INFINITY, "friction coefficient"),
    SC_LAW_PAR(MU_STATIC, "mu_static", "", 0, 0, INFINITY, "while sticking; below mu: mu"),
    SC_LAW_PAR(TWIST, "twist", "rad", 0, -1.5, 1.5,
        "angle by which friction is turned from opposing the slip, about the normal out of the body of the "
        "pair's second material"),
};
/* Parameters for the kernel, after the common parameters: cosine and sine of the angle. */
enum { COSINE = SC_PAR_COUNT, SINE };

static scree_contact_state twisted_kernel(const double *par, const double *A, const double *b, double mu,
    double mu_static, double *x, int *iterations) {
  if (!(b[0] >= 0)) return sc_law_zero(x);
  const sc_reduced r = sc_reduce(A, b);
  if (sc_stick(&r, mu_static, x)) return SCREE_STICKING;
  if (mu == 0) return sc_slip_free(&r, x);
  const double c = par[COSINE], s = par[SINE], qt = c * r.gt - s * r.go, qo = s * r.gt + c * r.go,
               trace = c * (r.htt + r.hoo), m = mu / r.ann;
  const double l = sc_law_secular(r.pt * r.pt + r.po * r.po, r.pt * qt + r.po * qo, qt * qt + qo * qo,
      m * (r.at * r.pt + r.ao * r.po - r.bn * r.det), m * (r.at * qt + r.ao * qo - r.bn * trace), m * r.bn,
      iterations);
  if (l == INFINITY) return sc_law_zero(x);
  const double inverse = 1 / (r.det + l * (trace + l));
  x[1] = (r.pt + l * qt) * inverse;
  x[2] = (r.po + l * qo) * inverse;
  x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
  return SCREE_SLIDING;
}

static scree_contact_state solve_twisted(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  double all[SC_PAR_COUNT + 2] = {[SC_PAR_MU] = par[MU], [SC_PAR_MU_STATIC] = par[MU_STATIC]};
  sc_sin_cos(par[TWIST], all + SINE, all + COSINE);
  return sc_friction_solve(twisted_kernel, SC_RULE_COULOMB, dim, A, b, all, x, iterations);
}

/* The angle is about the normal from body 2 to body 1, so it changes sign if the bodies are swapped. A planar
 * world has no friction across the plane. The component within the plane is the friction times the cosine of
 * the angle. */
static int refresh_twisted(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error) {
  (void)law, (void)state, (void)error;
  double sine, cosine;
  if (info->swapped) par[TWIST] = -par[TWIST];
  if (!info->planar) return 0;
  sc_sin_cos(par[TWIST], &sine, &cosine);
  par[MU] *= cosine, par[MU_STATIC] *= cosine;
  par[TWIST] = 0;
  return 0;
}

static bool slides_twisted(const double *par, const double x[3]) {
  return sc_slides_in_circle(par[MU], par[MU_STATIC], x[0], x[1] * x[1] + x[2] * x[2]);
}

const sc_law sc_law_twisted = {
    .name = "twisted",
    .doc = "Coulomb friction turned by a fixed angle from opposing the slip, exact",
    .params = params,
    .params_count = COUNT,
    .solve = solve_twisted,
    .refresh = refresh_twisted,
    .slides = slides_twisted,
    .round = sc_law_round,
};
