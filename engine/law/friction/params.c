/* The common parameters of Coulomb-like laws, and their update once per step and contact.
 *
 * refresh converts the user's parameters (lengths, a direction in a body) to those that solve reads (a
 * direction in the contact frame, the coefficient of this step). If refresh is called with state = NULL, slip
 * weakening has no effect. */
#include "law/law_parts.h"
#include "math/vec.h"

const scree_param sc_friction_params[SC_PAR_COUNT + 1] = {
    SC_LAW_PAR(SC_PAR_MU, "mu", "", 0.5, 0, INFINITY, "friction coefficient while sliding"),
    SC_LAW_PAR(SC_PAR_MU_STATIC, "mu_static", "", 0, 0, INFINITY, "coefficient while sticking; below mu: mu"),
    SC_LAW_PAR_OF("worlds", SC_PAR_WEAKENING_SPEED, "weakening_speed", "m/s", 0, 0, INFINITY,
        "slip speed at which the coefficient has fallen half-way from mu_static to mu; 0: off"),
    SC_LAW_PAR_OF("worlds", SC_PAR_WEAKENING_SLIP, "weakening_slip", "m", 0, 0, INFINITY,
        "slip over which the coefficient falls linearly from mu_static to mu; 0: off"),
    SC_LAW_PAR_OF("bare problems", SC_PAR_COHESION_IMPULSE, "cohesion_impulse", "N s", 0, 0, INFINITY,
        "cohesion of a bare problem; in a world cohesion is no part of the law"),
    SC_LAW_PAR(SC_PAR_MU2, "mu2", "", 0, 0, INFINITY, "coefficient across the main direction; 0: mu"),
    SC_LAW_PAR_OF("worlds", SC_PAR_DIRECTION_X, "direction_x", "", 1, -1e300, 1e300,
        "main direction of mu, fixed in the body of the pair's first material"),
    SC_LAW_PAR_OF("worlds", SC_PAR_DIRECTION_Y, "direction_y", "", 0, -1e300, 1e300, "its y component"),
    SC_LAW_PAR_OF("worlds", SC_PAR_DIRECTION_Z, "direction_z", "", 0, -1e300, 1e300, "its z component"),
    SC_LAW_PAR_OF("bare problems", SC_PAR_AXIS_T, "axis_t", "", 1, -1e300, 1e300,
        "main direction of a bare problem, t component; in a world it follows the body"),
    SC_LAW_PAR_OF("bare problems", SC_PAR_AXIS_O, "axis_o", "", 0, -1e300, 1e300, "its o component"),
    SC_LAW_PAR(SC_PAR_TORSION, "torsion", "m", 0, 0, INFINITY,
        "torsional friction: largest moment about the normal, per normal force"),
    SC_LAW_PAR(SC_PAR_ROLLING, "rolling", "m", 0, 0, INFINITY,
        "rolling friction: largest moment in the tangent plane, per normal force"),
    SC_LAW_PAR_OF("worlds", SC_PAR_ROLLING_FRICTION, "rolling_friction", "", 0, 0, INFINITY,
        "rolling without unit: times the reduced radius 1/(1/R1 + 1/R2) of the contact; adds to rolling"),
    SC_LAW_PAR(
        SC_PAR_DIRECTIONS, "directions", "", 8, 2, 64, "corners of the friction polygon, the first along t"),
};

int sc_friction_dim(const double *par) {
  return par[SC_PAR_ROLLING] > 0 || par[SC_PAR_ROLLING_FRICTION] > 0 ? 6 : par[SC_PAR_TORSION] > 0 ? 4 : 3;
}

/* Returns the number of states of a contact. Only slip weakening has a state. */
int sc_friction_states(const double *par) { return par[SC_PAR_WEAKENING_SLIP] > 0 ? SC_STATE_COUNT : 0; }

/* Returns whether par has a single coefficient of friction and no cohesion: static friction, the elliptic
 * cone and cohesion are off. */
static bool has_one_mu(const double *par) {
  return !(par[SC_PAR_MU_STATIC] > par[SC_PAR_MU]) && par[SC_PAR_COHESION_IMPULSE] == 0 &&
      par[SC_PAR_MU2] == 0;
}

/* Returns whether the closed form of balls is valid (sc_law.ball_mu), and sets *mu. It is valid if all
 * refinements of the law are off. */
bool sc_friction_ball_mu(const double *par, double *mu) {
  *mu = par[SC_PAR_MU];
  return has_one_mu(par) && sc_friction_dim(par) == 3;
}

/* Returns whether the closed form with moments is valid, and sets the parameters. It is valid if torsion and
 * rolling are the only refinements. */
bool sc_friction_ball_couple(const double *par, double *mu, double *torsion, double *rolling) {
  *mu = par[SC_PAR_MU];
  *torsion = par[SC_PAR_TORSION];
  *rolling = par[SC_PAR_ROLLING];
  return has_one_mu(par) && par[SC_PAR_ROLLING_FRICTION] == 0 && sc_friction_dim(par) > 3;
}

/* Returns the variant of a form with moments, for laws whose normal impulse does not depend on the moments.
 * elliptic: true: the cone is elliptic. SC_FORM_NONE: there is no such variant. */
static sc_law_form with_moments(sc_law_form form, bool elliptic) {
  if (form == SC_FORM_COULOMB) return elliptic ? SC_FORM_ROLLING_ELLIPTIC : SC_FORM_ROLLING;
  return form == SC_FORM_SPLIT && !elliptic ? SC_FORM_ROLLING_SPLIT : SC_FORM_NONE;
}

sc_law_lane sc_friction_lane(const double *par, sc_law_form form) {
  sc_law_lane lane = {.torsion = par[SC_PAR_TORSION], .rolling = par[SC_PAR_ROLLING]};
  bool elliptic = par[SC_PAR_MU2] != 0;
  if (par[SC_PAR_COHESION_IMPULSE] != 0) return lane;
  lane.form = sc_friction_dim(par) > 3 ? with_moments(form, elliptic)
      : elliptic                       ? form + SC_FORM_ELLIPTIC - 1
                                       : form;
  sc_friction_coefficients(par, &lane.mu, &lane.mu_static);
  if (sc_law_elliptic((int)lane.form)) sc_friction_ellipse(par, lane.t);
  return lane;
}

/* Sets mu for this step from slip speed and slip. The part of mu above the sliding mu is (mu_static - mu)
 * times the factors 1/(1 + speed/weakening_speed) and max(0, 1 - slip/weakening_slip) (Ida 1972). The ratio
 * mu2/mu does not change. */
static void weaken_friction(double *par, double *state, const scree_contact_info *info) {
  double mu = par[SC_PAR_MU], excess = par[SC_PAR_MU_STATIC] - mu,
         speed = sqrt(info->slip[0] * info->slip[0] + info->slip[1] * info->slip[1]);
  if (!(excess > 0)) return;
  bool by_speed = par[SC_PAR_WEAKENING_SPEED] > 0, by_slip = par[SC_PAR_WEAKENING_SLIP] > 0;
  if (!by_speed && !by_slip) return;
  // slip accumulates only if the last impulse was at the bound of that step, with a tolerance of 1e-3
  double now = mu + excess;
  if (by_slip && state) {
    double friction = sqrt(info->impulse[1] * info->impulse[1] + info->impulse[2] * info->impulse[2]);
    double held = mu + excess * fmax(0, 1 - state[SC_STATE_SLIP] / par[SC_PAR_WEAKENING_SLIP]);
    if (friction >= 0.999 * fmin(held, mu) * info->impulse[0]) state[SC_STATE_SLIP] += speed * info->dt;
    excess *= fmax(0, 1 - state[SC_STATE_SLIP] / par[SC_PAR_WEAKENING_SLIP]);
    now = mu + excess;
  }
  if (by_speed) now = mu + excess / (1 + speed / par[SC_PAR_WEAKENING_SPEED]);
  if (mu > 0) par[SC_PAR_MU2] *= now / mu;
  par[SC_PAR_MU] = now;
  par[SC_PAR_MU_STATIC] = 0;
}

/* Computes the main direction of friction in the contact frame (SC_PAR_AXIS_T, SC_PAR_AXIS_O). */
static void compute_axis(double *par, const scree_contact_info *info) {
  if (par[SC_PAR_MU2] == 0) return;
  double direction[3] = {par[SC_PAR_DIRECTION_X], par[SC_PAR_DIRECTION_Y], par[SC_PAR_DIRECTION_Z]}, world[3],
         o[3];
  sc_quat_rotate(info->swapped ? info->orientation2 : info->orientation1, direction, world);
  sc_cross(info->normal, info->t, o);
  par[SC_PAR_AXIS_T] = sc_dot(world, info->t);
  par[SC_PAR_AXIS_O] = sc_dot(world, o);
}

/* Replaces the friction ellipse by its section along t, or the friction polygon by two corners. In a planar
 * world friction acts only along t. */
static void flatten_friction(const sc_law *law, double *par) {
  if (par[SC_PAR_MU2] > 0) {
    double c = par[SC_PAR_AXIS_T], s = par[SC_PAR_AXIS_O], square = c * c + s * s, mu = par[SC_PAR_MU],
           mu2 = par[SC_PAR_MU2];
    if (square > 0) par[SC_PAR_MU] = mu * mu2 * sqrt(square / (c * c * mu2 * mu2 + s * s * mu * mu));
    if (mu > 0) par[SC_PAR_MU_STATIC] *= par[SC_PAR_MU] / mu;
    par[SC_PAR_MU2] = 0;
  }
  if (law->params_count > SC_PAR_DIRECTIONS) par[SC_PAR_DIRECTIONS] = 2;
}

bool sc_friction_varies(const double *par, bool planar) {
  bool weakens = par[SC_PAR_WEAKENING_SPEED] > 0 || par[SC_PAR_WEAKENING_SLIP] > 0;
  return planar || weakens || par[SC_PAR_MU2] != 0 || par[SC_PAR_ROLLING_FRICTION] > 0;
}

int sc_friction_refresh(
    const sc_law *law, double *par, double *state, const scree_contact_info *info, scree_error *error) {
  (void)error;
  weaken_friction(par, state, info);
  compute_axis(par, info);
  if (par[SC_PAR_ROLLING_FRICTION] > 0) par[SC_PAR_ROLLING] += par[SC_PAR_ROLLING_FRICTION] * info->radius;
  if (info->planar) flatten_friction(law, par);
  return 0;
}
