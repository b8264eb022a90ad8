/* Computes softness and bias of rows with springs, dampers and servos.
 *
 * Along a row with velocity u and stretch e, a spring of stiffness k and damping c has the force
 *     F = push - k e - c u.
 * The impulse in a step h is implicit, so every k and c is stable. A force that is linear in the velocity at
 * the end of the step gives a row u + bias = -softness x. Whether energy is conserved depends on the stretch
 * and velocity in this force.
 *
 * RATTLE moves a mechanism with impulses at both ends of a substep (world/mechanism/rattle.c). The impulses
 * use the mean stretch over the substep, with w the velocity between them:
 *     x1 = h/2 (push - k (e + h w/2) - c w),   x2 = x1.
 * This is the implicit midpoint rule: symmetric, of second order, with constant energy at any k. But a mode
 * that the step does not resolve then oscillates for ever and changes its sign in every step. The share f of
 * both impulses is therefore from backward Euler over half a substep:
 *     x1: e + h w (1 + f)/2 for the mean stretch,   x2 = (1 - f) x1 + f h/2 (push - k (e' + h u'/2) - c u').
 * e' and u' are the stretch and the velocity at the end of the substep. Backward Euler damps such modes. With
 * r = (h^2 k/4 + h c/2)/m the share is f = r^4/(1 + r^4), which is below 2e-5 at h sqrt(k/m) = 1/2. m: mass
 * of the row.
 *
 * All other bodies move with the velocity u' at the end of the step. With u0 the velocity at its start,
 *     x = h (push - k (e + h (1 + 3 f)/4 u' - h (1 - f)/4 u0) - c ((1 + f)/2 u' + (1 - f)/2 u0)).
 * With f = 0 the map (e, u) -> (e', u') conserves area and has the trace of the midpoint rule. The period is
 * therefore that of the midpoint rule, and energy does not drift. With f = 1 the map is backward Euler. Both
 * schemes are stable for every f, k, c >= 0 (docs/theory/stepping.md). */
#include "problem/joints/springs.h"

#include <math.h>

/* Returns the share f of backward Euler in [0, 1]: near 0 if the step resolves the motion of the spring, near
 * 1 otherwise. */
static double euler_share(double stiffness, double damping, double inverse_mass, double h) {
  double r = (h * h * stiffness / 4 + h * damping / 2) * inverse_mass, square = r * r;
  if (!(square < 1e100)) return 1;
  return square * square / (1 + square * square);
}

/* Sets bias and softness such that the impulse is x = -time (rate u + force). */
static void set_softness(sc_joint_row *row, double rate, double force, double time) {
  row->softness = time * rate > 1e-250 ? 1 / (time * rate) : 1e250;
  row->bias = time * rate > 1e-250 ? force / rate : time * force * 1e250;
}

sc_spring_rates sc_spring_rates_of(double stiffness, double damping, double inverse_mass, double h) {
  double f = euler_share(stiffness, damping, inverse_mass, h);
  return (sc_spring_rates){stiffness * h * (1 + 3 * f) / 4 + damping * (1 + f) / 2,
      (stiffness * h / 4 - damping / 2) * (1 - f), f > 0.5};
}

void sc_spring_whole(sc_joint_row *row, double inverse_mass, double before) {
  const sc_spring *s = &row->spring;
  sc_spring_rates rates = sc_spring_rates_of(s->stiffness, s->damping, inverse_mass, s->time);
  row->unresolved = rates.unresolved;
  set_softness(row, rates.ahead, s->stiffness * s->stretch - s->push - rates.behind * before, s->time);
}

void sc_spring_begin(sc_joint_row *row, double inverse_mass, double h) {
  const sc_spring *s = &row->spring;
  double f = euler_share(s->stiffness, s->damping, inverse_mass, h);
  row->spring.time = h / 2;
  row->unresolved = f > 0.5;
  set_softness(row, s->stiffness * h * (1 + f) / 2 + s->damping, s->stiffness * s->stretch - s->push, h / 2);
}

double sc_spring_end(sc_joint_row *row, double inverse_mass, double h, double begun) {
  const sc_spring *s = &row->spring;
  double f = euler_share(s->stiffness, s->damping, inverse_mass, h), given = (1 - f) * begun;
  row->spring.time = h / 2;
  row->unresolved = f > 0.5;
  set_softness(row, s->stiffness * h / 2 + s->damping, s->stiffness * s->stretch - s->push, f * h / 2);
  row->lo -= given;
  row->hi -= given;
  return given;
}

double sc_spring_loss(const sc_joint_row *row, double before, double after) {
  double u = (before + after) / 2;
  return row->spring.damping * u * u * row->spring.time;
}
