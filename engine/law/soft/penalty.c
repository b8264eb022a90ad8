/* Force of one soft contact (Silbert et al. 2001; Zhang & Makse 2005; Luding 2008 for rolling).
 *
 * Normal      F_n = k o^(p-1) - c v_n with overlap o; c = factor * damping * sqrt(m* S), S = dF/do. The
 *             factor is 2 for Hooke and sqrt(10/3) for Hertz. The restitution e = exp(-pi z / sqrt(1 -
 *             z^2)) with z = damping then does not depend on speed.
 * Tangential  a spring of stiffness k_t = ratio * S is stretched by the slip and slides at mu F_n. The spring
 *             rotates with the normal, and about the normal at the mean spin of both bodies. If S falls, the
 *             force of the spring falls with S, so that a contact cannot gain energy by opening (Hertz). A
 *             dashpot acts unless the contact slides; spring and dashpot together are bounded by mu F_n.
 * Rolling     a second spring of stiffness k_t is stretched by R w x n with the relative spin w. It slides
 *             at rolling_friction * F_n and acts as a moment R n x F. */
#include "law/soft/penalty.h"

#include <math.h>
#include <string.h>
#include "law/law_parts.h"
#include "math/elementary.h"
#include "math/vec.h"

extern const sc_law sc_law_coulomb;

/* Rotates a vector from the tangent plane of the last step into the present tangent plane, and about the
 * normal by the mean rotation of both bodies in the step. The length of the vector does not change. */
static void turn_to_plane(const sc_penalty_in *in, double spring[3]) {
  double before = sc_norm(spring), side[3], sine, cosine;
  sc_axpy(-sc_dot(spring, in->normal), in->normal, spring, spring);
  sc_sin_cos(in->dt * in->twist, &sine, &cosine);
  sc_cross(in->normal, spring, side);
  for (int e = 0; e < 3; e++) spring[e] = cosine * spring[e] + sine * side[e];
  double after = sc_norm(spring);
  if (after > 0) sc_scale(before / after, spring, spring);
}

static double spring_energy(double stiffness, const double spring[3]) {
  return stiffness > 0 ? sc_dot(spring, spring) / (2 * stiffness) : 0;
}

/* Updates a tangential spring: rotates it into the tangent plane, reduces its force if the stiffness has
 * fallen, stretches it by the slip v dt, and limits its force to `most`. before: stiffness of the last step.
 * Returns the dissipated energy: stored energy before plus work minus stored energy after. */
static double stretch_spring(double before, double stiffness, const sc_penalty_in *in, const double v[3],
    double most, double spring[3], int *slides) {
  double stored = spring_energy(before, spring), old[3], dt = in->dt;
  turn_to_plane(in, spring);
  if (stiffness < before) sc_scale(stiffness / before, spring, spring);
  sc_copy3(spring, old);
  sc_axpy(-stiffness * dt, v, spring, spring);
  double size = sc_norm(spring);
  *slides = size > most;
  if (*slides) sc_scale(most / size, spring, spring);
  double work = -dt / 2 * (sc_dot(old, v) + sc_dot(spring, v));
  return stored + work - spring_energy(stiffness, spring);
}

/* Returns k o^(p-1), without pow for the two exponents in use. */
static double elastic_force(double exponent, double k, double overlap) {
  return exponent == 2  ? k * overlap
      : exponent == 2.5 ? k * overlap * sqrt(overlap)
                        : k * pow(overlap, exponent - 1);
}

static void add_tangential(const double *par, const sc_penalty_in *in, double slope, double dashpot,
    double most, double *state, sc_penalty_out *out) {
  double stiffness = par[SC_PENALTY_TANGENTIAL] * slope, *spring = state + SC_PENALTY_SPRING, v[3];
  sc_axpy(-sc_dot(in->velocity, in->normal), in->normal, in->velocity, v);
  out->slip_loss += stretch_spring(
      par[SC_PENALTY_TANGENTIAL] * state[SC_PENALTY_SLOPE], stiffness, in, v, most, spring, &out->sliding);
  out->elastic += spring_energy(stiffness, spring);
  sc_add(out->force, spring, out->force);
  if (out->sliding) return;
  sc_add(out->spring, spring, out->spring);
  if (dashpot == 0) return;
  // spring and dashpot together are limited to the bound
  double total[3], drag[3];
  sc_axpy(-dashpot, v, spring, total);
  double size = sc_norm(total);
  if (size > most) sc_scale(most / size, total, total);
  sc_sub(total, spring, drag);
  sc_add(out->force, drag, out->force);
  sc_add(out->drag, drag, out->drag);
}

static void add_rolling(const double *par, const sc_penalty_in *in, double slope, double most, double *state,
    sc_penalty_out *out) {
  double stiffness = par[SC_PENALTY_TANGENTIAL] * slope, *spring = state + SC_PENALTY_ROLL, v[3];
  int slides;
  sc_cross(in->spin, in->normal, v);
  sc_scale(in->radius, v, v);
  out->slip_loss += stretch_spring(par[SC_PENALTY_TANGENTIAL] * state[SC_PENALTY_SLOPE], stiffness, in, v,
      par[SC_PENALTY_ROLLING] * most, spring, &slides);
  out->elastic += spring_energy(stiffness, spring);
  sc_cross(in->normal, spring, out->torque);
  sc_scale(in->radius, out->torque, out->torque);
}

void sc_penalty_force(const sc_penalty *penalty, const double *par, const sc_penalty_in *in, double *state,
    sc_penalty_out *out) {
  SC_ASSERT(penalty && par && in);
  memset(out, 0, sizeof *out);
  double k = penalty->coefficient(par, in->radius), push = elastic_force(penalty->exponent, k, in->overlap);
  double slope = (penalty->exponent - 1) * push / in->overlap, v_n = sc_dot(in->velocity, in->normal);
  double dashpot = penalty->damping_factor * par[SC_PENALTY_DAMPING] * sqrt(in->mass * slope),
         drag = -dashpot * v_n;
  if (par[SC_PENALTY_NO_PULL] != 0 && push + drag < 0) drag = -push;
  out->slope = slope;
  out->elastic = push * in->overlap / penalty->exponent;
  sc_scale(push, in->normal, out->spring);
  sc_scale(drag, in->normal, out->drag);
  sc_add(out->spring, out->drag, out->force);
  double most = fmax(0, push + drag);
  if (par[SC_PENALTY_MU] > 0)
    add_tangential(
        par, in, slope, dashpot * par[SC_PENALTY_TANGENTIAL_DAMPING], par[SC_PENALTY_MU] * most, state, out);
  if (par[SC_PENALTY_ROLLING] > 0) add_rolling(par, in, slope, most, state, out);
  state[SC_PENALTY_SLOPE] = slope;
}

/* ---- Coulomb friction for the hard steppers ---- */

void sc_penalty_coulomb(const double *par, double coulomb[SCREE_LAW_MAX_PARAMS]) {
  memset(coulomb, 0, SCREE_LAW_MAX_PARAMS * sizeof *coulomb);
  coulomb[SC_PAR_MU] = par[SC_PENALTY_MU];
}

scree_contact_state sc_penalty_solve_hard(const sc_law *law, int dim, const double *A, const double *b,
    const double *par, double *x, int *iterations) {
  (void)law;
  double coulomb[SCREE_LAW_MAX_PARAMS];
  sc_penalty_coulomb(par, coulomb);
  return sc_law_coulomb.solve(&sc_law_coulomb, dim, A, b, coulomb, x, iterations);
}

bool sc_penalty_slides(const double *par, const double x[3]) {
  return sc_slides_in_circle(par[SC_PENALTY_MU], 0, x[0], x[1] * x[1] + x[2] * x[2]);
}

void sc_penalty_project(const double *par, int dim, double *x) {
  double coulomb[SCREE_LAW_MAX_PARAMS];
  sc_penalty_coulomb(par, coulomb);
  sc_friction_project(coulomb, dim, x);
}

void sc_penalty_shift(const double *par, int dim, const double *u, double *s) {
  double coulomb[SCREE_LAW_MAX_PARAMS];
  sc_penalty_coulomb(par, coulomb);
  sc_friction_shift(coulomb, dim, u, s);
}

bool sc_penalty_ball_mu(const double *par, double *mu) {
  *mu = par[SC_PENALTY_MU];
  return true;
}
