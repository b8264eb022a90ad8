/* Recommends a time step for the penalty stepper, before the first contacts exist: a tenth of the shortest
 * collision of the lightest body.
 *
 * The duration of a collision is pi sqrt(m/k) for Hooke's law and 2.9433 (5 m/4K)^(2/5) v^(-1/5) for Hertz's
 * law, with K = 4/3 E* sqrt(R*). k: stiffness, E*: effective modulus. v is the present maximum speed, or the
 * speed after a fall by the largest diameter if this is larger. m is the effective mass of two bodies of the
 * smallest mass, R* the effective radius of two bodies of the smallest radius. */
#include <math.h>
#include "law/soft/penalty.h"
#include "math/vec.h"
#include "world/world.h"

typedef struct extremes {
  double mass, radius, large, speed;
} extremes;

static extremes find_extremes(const scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  extremes e = {INFINITY, INFINITY, 0, 0};
  for (int32_t row = 0; row < bodies->count; row++) {
    e.speed = fmax(e.speed, bodies->kind[row] == SCREE_FIXED ? 0 : sc_norm(bodies->velocity[row]));
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    e.mass = fmin(e.mass, bodies->mass[row]);
    e.radius = fmin(e.radius, bodies->radius[row]);
    e.large = fmax(e.large, bodies->radius[row]);
  }
  e.speed = fmax(e.speed, sqrt(4 * sc_norm(world->def.gravity) * e.large));
  return e;
}

static double contact_time(const sc_law *law, const double *par, const extremes *e) {
  double m = e->mass / 2, k = law->penalty->coefficient(par, e->radius / 2);
  if (law->penalty->exponent == 2) return M_PI * sqrt(m / k);
  return e->speed > 0 ? 2.943275 * pow(5 * m / (4 * k), 0.4) * pow(e->speed, -0.2) : INFINITY;
}

double scree_world_advised_dt(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  extremes e = find_extremes(world);
  double shortest = INFINITY;
  if (world->def.stepper != SCREE_STEPPER_PENALTY || isinf(e.mass)) return INFINITY;
  for (int32_t r = 0; r < world->pairs.rules; r++) {
    const sc_rule *rule = world->pairs.rule + r;
    const sc_law *law = world->laws.law[rule->law];
    if (law->penalty) shortest = fmin(shortest, contact_time(law, rule->params, &e));
  }
  return shortest / 10;
}

double scree_world_stable_dt(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->figures.stable_dt;
}
