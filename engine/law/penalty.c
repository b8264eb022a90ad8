/* Force of one soft contact (Silbert et al. 2001; Zhang & Makse 2005; Luding 2008 for rolling).
 *
 * Normal      F_n = k o^(p-1) - c v_n with overlap o; c = factor * damping * sqrt(m* S), S = dF/do. The factor is 2 for Hooke and
 *             sqrt(10/3) for Hertz, where the restitution e = exp(-pi z / sqrt(1 - z^2)) with z = damping does not depend on speed.
 * Tangential  a spring of stiffness k_t = ratio * S is stretched by the slip, turned with the normal, and gives way at mu F_n.
 *             Where S falls the spring's force falls with it, so that a contact cannot gain energy by opening (Hertz).
 *             A dashpot acts while the slider holds, within mu F_n.
 * Rolling     a second spring of stiffness k_t is stretched by R w x n with the relative spin w; it gives way at rolling * F_n and acts
 *             as a couple R n x F. */
#include "law/penalty.h"

#include <math.h>
#include <string.h>
#include "law/law_parts.h"
#include "math/vec.h"

extern const sc_law sc_law_coulomb;

/* Turns a vector of the last step's tangent plane into this one's, keeping its length. */
static void turn_to_plane(const double n[3], double spring[3]) {
  double before = sc_norm(spring);
  sc_axpy(-sc_dot(spring, n), n, spring, spring);
  double after = sc_norm(spring);
  if (after > 0) sc_scale(before / after, spring, spring);
}

/* Stretches a spring by slip v dt and lets it slide at `most`; the energy that sliding takes is returned. */
static double stretch(double stiffness, const double v[3], double dt, double most, double spring[3], int *slides) {
  sc_axpy(-stiffness * dt, v, spring, spring);
  double size = sc_norm(spring);
  *slides = size > most;
  if (!*slides) return 0;
  sc_scale(size > 0 ? most / size : 0, spring, spring);
  return stiffness > 0 ? (size * size - most * most) / (2 * stiffness) : 0;
}

static double spring_energy(double stiffness, const double spring[3]) { return stiffness > 0 ? sc_dot(spring, spring) / (2 * stiffness) : 0; }

/* k o^(p-1) without pow for the two exponents in use. */
static double elastic_force(double exponent, double k, double overlap) {
  return exponent == 2 ? k * overlap : exponent == 2.5 ? k * overlap * sqrt(overlap) : k * pow(overlap, exponent - 1);
}

static void add_tangential(const double *par, const sc_penalty_in *in, double slope, double dashpot, double most, double *state, sc_penalty_out *out) {
  double stiffness = par[SC_PENALTY_TANGENTIAL] * slope, *spring = state + SC_PENALTY_SPRING, v[3];
  sc_axpy(-sc_dot(in->velocity, in->normal), in->normal, in->velocity, v);
  turn_to_plane(in->normal, spring);
  if (slope < state[SC_PENALTY_SLOPE]) sc_scale(slope / state[SC_PENALTY_SLOPE], spring, spring);
  out->slip_loss += stretch(stiffness, v, in->dt, most, spring, &out->sliding);
  out->elastic += spring_energy(stiffness, spring);
  sc_add(out->force, spring, out->force);
  if (out->sliding || dashpot == 0) return;
  // The dashpot fills up what the slider leaves, no more.
  double total[3], drag[3];
  sc_axpy(-dashpot, v, spring, total);
  double size = sc_norm(total);
  if (size > most) sc_scale(most / size, total, total);
  sc_sub(total, spring, drag);
  sc_add(out->force, drag, out->force);
  out->power -= sc_dot(drag, v);
}

static void add_rolling(const double *par, const sc_penalty_in *in, double slope, double most, double *state, sc_penalty_out *out) {
  double stiffness = par[SC_PENALTY_TANGENTIAL] * slope, *spring = state + SC_PENALTY_ROLL, v[3];
  int slides;
  sc_cross(in->spin, in->normal, v);
  sc_scale(in->radius, v, v);
  turn_to_plane(in->normal, spring);
  if (slope < state[SC_PENALTY_SLOPE]) sc_scale(slope / state[SC_PENALTY_SLOPE], spring, spring);
  out->slip_loss += stretch(stiffness, v, in->dt, par[SC_PENALTY_ROLLING] * most, spring, &slides);
  out->elastic += spring_energy(stiffness, spring);
  sc_cross(in->normal, spring, out->torque);
  sc_scale(in->radius, out->torque, out->torque);
}

void sc_penalty_force(const sc_penalty *penalty, const double *par, const sc_penalty_in *in, double *state, sc_penalty_out *out) {
  memset(out, 0, sizeof *out);
  double k = penalty->coefficient(par, in->radius), push = elastic_force(penalty->exponent, k, in->overlap);
  double slope = (penalty->exponent - 1) * push / in->overlap, v_n = sc_dot(in->velocity, in->normal);
  double dashpot = penalty->damping_factor * par[SC_PENALTY_DAMPING] * sqrt(in->mass * slope), drag = -dashpot * v_n;
  if (par[SC_PENALTY_NO_PULL] != 0 && push + drag < 0) drag = -push;
  out->slope = slope;
  out->elastic = push * in->overlap / penalty->exponent;
  out->power = -drag * v_n;
  sc_scale(push + drag, in->normal, out->force);
  double most = fmax(0, push + drag);
  if (par[SC_PENALTY_MU] > 0) add_tangential(par, in, slope, dashpot * par[SC_PENALTY_TANGENTIAL_DAMPING], par[SC_PENALTY_MU] * most, state, out);
  if (par[SC_PENALTY_ROLLING] > 0) add_rolling(par, in, slope, most, state, out);
  state[SC_PENALTY_SLOPE] = slope;
}

scree_contact_state sc_penalty_solve_hard(const sc_law *law, int dim, const double *A, const double *b, const double *par, double *x, int *iterations) {
  (void)law;
  double coulomb[SCREE_LAW_MAX_PARAMS] = {0};
  coulomb[SC_PAR_MU] = par[SC_PENALTY_MU];
  return sc_law_coulomb.solve(&sc_law_coulomb, dim, A, b, coulomb, x, iterations);
}

bool sc_penalty_ball_mu(const double *par, double *mu) {
  *mu = par[SC_PENALTY_MU];
  return true;
}
