/* Joints in rock and masonry: Coulomb friction with cohesion and a cut-off in tension, for a contact point
 * with the area S. f is the force at the point, c the cohesion and q the largest tension, both as stresses.
 *
 *     |f_t| <= c S + tan(phi) f_n,   f_n >= -q S.
 *
 * In impulses, with mu = tan(phi), C = c S dt, T = q S dt, and z = x + T e_n, b_z = b + T A e_n:
 *     z_n >= 0 complementary to u_n >= 0,   |x_t| <= R + mu z_n with R = C - mu T >= 0,
 * and the friction of a sliding point opposes its slip. u contains the compliance of the contact's spring, so
 * u_n > 0 at z_n = 0 is the opening of a point that bears its largest tension. The sliding solution is that
 * of Coulomb's law (coulomb.c defines H, g, p, y, l) with R + (mu/Ann)(b_n - a.y) as the bound:
 *     |p + l g| = R det(H + l E) + (mu/Ann) (b_n det(H + l E) - a.(p + l g)).
 * A point without tension carries no friction at z_n = 0 if it would open without friction, because it does
 * not touch then. */
#include "law/joint_law.h"
#include <math.h>
#include "law/law_parts.h"
#include "math/elementary.h"

#define HALF_PI 1.5707963267948966
static const scree_param joint_params[SC_JOINT_COUNT] = {
    SC_LAW_PAR(SC_JOINT_MU, "mu", "", 0, 0, INFINITY, "coefficient of friction"),
    SC_LAW_PAR_OF(
        "worlds", SC_JOINT_FRICTION, "friction", "rad", 0, 0, HALF_PI, "angle of friction, in place of mu"),
    SC_LAW_PAR_OF("worlds", SC_JOINT_COHESION, "cohesion", "Pa", 0, 0, INFINITY, "cohesion per area"),
    SC_LAW_PAR_OF("worlds", SC_JOINT_TENSION, "tension", "Pa", 0, 0, INFINITY,
        "largest tension per area, at most cohesion/tan(friction)"),
    SC_LAW_PAR_OF("worlds", SC_JOINT_RESIDUAL_FRICTION, "residual_friction", "rad", -1, -1, HALF_PI,
        "angle of friction after the joint has slipped or opened; -1: as before"),
    SC_LAW_PAR_OF("worlds", SC_JOINT_RESIDUAL_COHESION, "residual_cohesion", "Pa", 0, 0, INFINITY,
        "cohesion after the joint has slipped or opened"),
    SC_LAW_PAR_OF("worlds", SC_JOINT_DILATION, "dilation", "rad", 0, 0, HALF_PI,
        "angle at which the joint opens while it slides"),
    SC_LAW_PAR_OF("worlds", SC_JOINT_DILATION_SLIP, "dilation_slip", "m", 0, 0, INFINITY,
        "slip after which dilation ends; 0: never"),
    SC_LAW_PAR_OF("bare problems", SC_JOINT_COHESION_IMPULSE, "cohesion_impulse", "N s", 0, 0, INFINITY,
        "cohesion of a bare problem; in a world it follows from the area"),
    SC_LAW_PAR_OF("bare problems", SC_JOINT_TENSION_IMPULSE, "tension_impulse", "N s", 0, 0, INFINITY,
        "largest tension of a bare problem, at most cohesion_impulse/mu"),
};

/* ---- strength ---- */

static double tangent_of(double angle) {
  double sine, cosine;
  sc_sin_cos(angle, &sine, &cosine);
  return cosine > 0 ? sine / cosine : INFINITY;
}

static double friction_of(const double *par) {
  return par[SC_JOINT_FRICTION] > 0 ? tangent_of(par[SC_JOINT_FRICTION]) : par[SC_JOINT_MU];
}

/* Limits the tension to cohesion/mu, the tension at which the friction bound is 0. */
static sc_joint_strength cut_tension(sc_joint_strength s) {
  if (s.mu * s.tension > s.cohesion) s.tension = s.cohesion / s.mu;
  return s;
}

sc_joint_strength sc_joint_strength_of(const double *par, int status) {
  sc_joint_strength s = {friction_of(par), par[SC_JOINT_COHESION], par[SC_JOINT_TENSION]};
  if (status == SCREE_FACE_INTACT) return cut_tension(s);
  if (par[SC_JOINT_RESIDUAL_FRICTION] >= 0) s.mu = tangent_of(par[SC_JOINT_RESIDUAL_FRICTION]);
  s.cohesion = par[SC_JOINT_RESIDUAL_COHESION], s.tension = 0;
  return s;
}

double sc_joint_dilation(const double *par, double slip) {
  const bool ended = par[SC_JOINT_DILATION_SLIP] > 0 && slip >= par[SC_JOINT_DILATION_SLIP];
  return par[SC_JOINT_DILATION] > 0 && !ended ? tangent_of(par[SC_JOINT_DILATION]) : 0;
}

void sc_joint_limit_dilation(double *par) {
  const double peak = friction_of(par), left = par[SC_JOINT_RESIDUAL_FRICTION],
               least = left >= 0 ? fmin(peak, tangent_of(left)) : peak;
  if (tangent_of(par[SC_JOINT_DILATION]) > least) par[SC_JOINT_DILATION] = atan(least);
}

static scree_status check_strength(const double *par, const char *path, scree_error *error) {
  const double mu = friction_of(par);
  if (par[SC_JOINT_MU] > 0 && par[SC_JOINT_FRICTION] > 0)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s: mu and friction both give the friction of the joint; give one", path);
  if (!(mu < 1e6)) return sc_fail(error, SCREE_E_ARGUMENT, "%s.friction must be below 90 deg", path);
  if (mu * par[SC_JOINT_TENSION] > par[SC_JOINT_COHESION] * (1 + 1e-9))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.tension is %g Pa; it is at most cohesion/tan(friction), %g Pa, where the joint slips without "
        "load",
        path, par[SC_JOINT_TENSION], par[SC_JOINT_COHESION] / mu);
  if (par[SC_JOINT_RESIDUAL_COHESION] > par[SC_JOINT_COHESION])
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.residual_cohesion must not exceed cohesion", path);
  const double left = par[SC_JOINT_RESIDUAL_FRICTION];
  if (left >= 0 && !(tangent_of(left) <= mu * (1 + 1e-9)))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.residual_friction must not exceed the friction", path);
  if (left < 0 && left != -1)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.residual_friction must be an angle of at least 0", path);
  const double least = left >= 0 ? fmin(mu, tangent_of(left)) : mu;
  if (par[SC_JOINT_DILATION] > 0 && !(tangent_of(par[SC_JOINT_DILATION]) <= least * (1 + 1e-9)))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.dilation must not exceed the friction, nor residual_friction", path);
  if (par[SC_JOINT_DILATION_SLIP] > 0 && !(par[SC_JOINT_DILATION] > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.dilation_slip needs dilation", path);
  return SCREE_OK;
}

scree_status sc_joint_check(const scree_pair_def *def, const char *path, scree_error *error) {
  if (!(def->stiffness.kn > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s: law \"joint\" needs kn, the stiffness per area", path);
  if (def->restitution > 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.restitution: contacts of law \"joint\" do not rebound", path);
  if (def->cohesion.force > 0 || def->cohesion.work > 0 || def->cohesion.tension > 0)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s: law \"joint\" has its own cohesion, per area", path);
  return check_strength(def->params, path, error);
}

/* ---- one contact ---- */

static int refresh_joint(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error) {
  (void)law, (void)state, (void)error;
  const sc_joint_strength s = sc_joint_strength_of(par, info->face);
  const double scale = info->area * info->dt;
  par[SC_JOINT_MU] = s.mu;
  par[SC_JOINT_COHESION_IMPULSE] = scale * s.cohesion;
  par[SC_JOINT_TENSION_IMPULSE] = scale * s.tension;
  return 0;
}

/* Computes the friction y of a point at z_n = 0. Returns the velocity u_n of the point with this friction. */
static double open_point(const double *A, const double *b, double R, double y[2]) {
  const double det = A[4] * A[8] - A[5] * A[5], pt = A[8] * b[1] - A[5] * b[2],
               po = A[4] * b[2] - A[5] * b[1];
  const double trace = A[4] + A[8], bound = R * det, square = pt * pt + po * po;
  double l = 0;
  if (square > bound * bound)
    l = R > 0 ? sc_law_secular(
                    square, pt * b[1] + po * b[2], b[1] * b[1] + b[2] * b[2], -bound, -R * trace, R, NULL)
              : INFINITY;
  const double scale = l < INFINITY ? 1 / (det + l * (trace + l)) : 0;
  y[0] = l < INFINITY ? (pt + l * b[1]) * scale : 0;
  y[1] = l < INFINITY ? (po + l * b[2]) * scale : 0;
  return A[1] * y[0] + A[2] * y[1] - b[0];
}

/* Solves for z with the friction bound |z_t| <= R + mu z_n. pulls: true: the point keeps its friction at z_n
 * = 0. */
static scree_contact_state solve_shifted(
    const double *A, const double *b, double mu, double R, bool pulls, double *z, int *iterations) {
  double y[2] = {0, 0};
  const double opening = pulls ? open_point(A, b, R, y) : -b[0];
  const sc_reduced r = sc_reduce(A, b);
  const double inv = 1 / r.det;
  z[0] = 0, z[1] = y[0], z[2] = y[1];
  if (opening >= 0) return pulls ? SCREE_SLIDING : SCREE_SEPARATING;
  double t = r.pt * inv, o = r.po * inv, n = (r.bn - r.at * t - r.ao * o) * r.inv, bound = R + mu * n;
  const bool closes = n >= 0 && bound * bound >= t * t + o * o;
  const double m = mu * r.inv, trace = r.htt + r.hoo;
  if (!closes) {
    double l = INFINITY;
    const double n0 = r.pt * r.pt + r.po * r.po,
                 k0 = m * (r.at * r.pt + r.ao * r.po - r.bn * r.det) - R * r.det;
    if (m * r.bn + R > 0 && sqrt(n0) + k0 > 0)
      l = sc_law_secular(n0, r.pt * r.gt + r.po * r.go, r.gt * r.gt + r.go * r.go, k0,
          m * (r.at * r.gt + r.ao * r.go - r.bn * trace) - R * trace, m * r.bn + R, iterations);
    const double scale = l < INFINITY ? 1 / (r.det + l * (trace + l)) : 0;
    t = l < INFINITY ? (r.pt + l * r.gt) * scale : 0;
    o = l < INFINITY ? (r.po + l * r.go) * scale : 0;
    n = (r.bn - r.at * t - r.ao * o) * r.inv;
  }
  if (!(n >= 0)) return pulls ? SCREE_SLIDING : SCREE_SEPARATING;
  z[0] = n, z[1] = t, z[2] = o;
  return closes ? SCREE_STICKING : SCREE_SLIDING;
}

static scree_contact_state solve_joint(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law, (void)dim;
  const sc_joint_strength s = cut_tension(
      (sc_joint_strength){par[SC_JOINT_MU], par[SC_JOINT_COHESION_IMPULSE], par[SC_JOINT_TENSION_IMPULSE]});
  const double T = s.tension, shifted[3] = {b[0] + T * A[0], b[1] + T * A[3], b[2] + T * A[6]};
  const double R = fmax(0, s.cohesion - s.mu * T);
  if (iterations) *iterations = 0;
  const scree_contact_state state = solve_shifted(
      A, shifted, s.mu, R, T > 0 || (b[0] > 0 && R > 0), x, iterations);
  x[0] -= T;
  const double sum = x[0] + x[1] + x[2];
  return sum == sum ? state : sc_law_zero(x); /* only a block that is not positive definite gives NaN */
}

static bool is_joint_sliding(const double *par, const double x[3]) {
  const double bound = SC_AT_BOUND * (par[SC_JOINT_COHESION_IMPULSE] + par[SC_JOINT_MU] * x[0]);
  return x[1] * x[1] + x[2] * x[2] >= bound * bound;
}

const sc_law sc_law_joint = {
    .name = "joint",
    .doc = "joints in rock and masonry: friction, cohesion and tension per area, softening",
    .params = joint_params,
    .params_count = SC_JOINT_COUNT,
    .refresh = refresh_joint,
    .solve = solve_joint,
    .slides = is_joint_sliding,
    .round = sc_law_round,
};

bool sc_law_is_joint(const sc_law *law) { return law == &sc_law_joint; }
