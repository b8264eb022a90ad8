/* Springs, dampers and servos as rows with softness.
 *
 * Along a row with velocity u and stretch e a spring of stiffness k and damping c gives the force
 *     F = push - k e - c u.
 * Its impulse in a step h is taken implicitly, so that any k and c are stable; a force that is linear in the
 * velocity to come is a row u + bias = -softness x. What it is linear in decides about energy.
 *
 * Where a mechanism moves by kicks at both ends of a part of a step (world/mechanism/rattle.c) the mean
 * stretch of the part is taken, with w the velocity between the kicks:
 *     x1 = h/2 (push - k (e + h w/2) - c w),   x2 = x1,
 * which is the implicit midpoint rule: symmetric, of second order, without a change of energy at any k. But a
 * mode that the step does not resolve then rings for ever, with its sign changed from step to step. So the
 * share f, where (h^2 k/4 + h c/2)/m is not small, of both impulses is that of backward Euler over half a
 * part,
 *     x1: e + h w (1 + f)/2 for the mean stretch,   x2 = (1 - f) x1 + f h/2 (push - k (e' + h u'/2) - c u'),
 * which takes such modes to rest: f = r^4/(1 + r^4) with r = (h^2 k/4 + h c/2)/m is below 2e-5 at
 * h sqrt(k/m) = 1/2.
 *
 * Where the velocity of the end of the step moves the bodies, u0 the one of its start,
 *     x = h (push - k (e + h (1 + 3 f)/4 u' - h (1 - f)/4 u0) - c ((1 + f)/2 u' + (1 - f)/2 u0)):
 * with f = 0 the map (e, u) -> (e', u') keeps its area, and its trace is that of the midpoint rule, so that
 * the period is the same and energy does not drift; with f = 1 it is backward Euler. Both are stable for
 * every f, k, c >= 0 (docs/theory/stepping.md). */
#include "problem/joints/springs.h"

#include <math.h>

/* f: 0 where the step resolves what the spring does, 1 where it does not. */
static double fade(double stiffness, double damping, double inverse_mass, double h) {
  double r = (h * h * stiffness / 4 + h * damping / 2) * inverse_mass, square = r * r;
  if (!(square < 1e100)) return 1;
  return square * square / (1 + square * square);
}

/* x = -time (rate u + force): the row u + bias = -softness x. */
static void answer(sc_joint_row *row, double rate, double force, double time) {
  row->softness = time * rate > 1e-250 ? 1 / (time * rate) : 1e250;
  row->bias = time * rate > 1e-250 ? force / rate : time * force * 1e250;
}

sc_spring_rates sc_spring_rates_of(double stiffness, double damping, double inverse_mass, double h) {
  double f = fade(stiffness, damping, inverse_mass, h);
  return (sc_spring_rates){stiffness * h * (1 + 3 * f) / 4 + damping * (1 + f) / 2,
      (stiffness * h / 4 - damping / 2) * (1 - f), f > 0.5};
}

void sc_spring_whole(sc_joint_row *row, double inverse_mass, double before) {
  const sc_spring *s = &row->spring;
  sc_spring_rates rates = sc_spring_rates_of(s->stiffness, s->damping, inverse_mass, s->time);
  row->unresolved = rates.unresolved;
  answer(row, rates.ahead, s->stiffness * s->stretch - s->push - rates.behind * before, s->time);
}

void sc_spring_begin(sc_joint_row *row, double inverse_mass, double h) {
  const sc_spring *s = &row->spring;
  double f = fade(s->stiffness, s->damping, inverse_mass, h);
  row->spring.time = h / 2;
  row->unresolved = f > 0.5;
  answer(row, s->stiffness * h * (1 + f) / 2 + s->damping, s->stiffness * s->stretch - s->push, h / 2);
}

double sc_spring_end(sc_joint_row *row, double inverse_mass, double h, double begun) {
  const sc_spring *s = &row->spring;
  double f = fade(s->stiffness, s->damping, inverse_mass, h), given = (1 - f) * begun;
  row->spring.time = h / 2;
  row->unresolved = f > 0.5;
  answer(row, s->stiffness * h / 2 + s->damping, s->stiffness * s->stretch - s->push, f * h / 2);
  row->lo -= given;
  row->hi -= given;
  return given;
}

double sc_spring_loss(const sc_joint_row *row, double before, double after) {
  double u = (before + after) / 2;
  return row->spring.damping * u * u * row->spring.time;
}
