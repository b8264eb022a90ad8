/* Checks by four figures of its report whether a run is valid.
 *
 * - crossed: number of times that bodies passed into walls.
 * - overlap_max: largest depth of a contact, divided by half the smallest width of the smaller shape.
 * - unbalanced_mean: mean residual of the solver, divided by the velocity scale.
 * - the gain of energy, from the energy balance.
 *
 * The sum
 *
 *   kinetic + potential + elastic + dissipated - work - correction
 *
 * is constant up to rounding errors. The time integration adds `correction` to the energy. If no pair has
 * cohesion and `dissipated` is below 0, it also adds -dissipated. The gain is the sum of both. It is a fault
 * if it exceeds every explained term: |work|, |elastic|, dissipated above 0, and the kinetic energy without
 * the gain. Two conditions exclude beds at rest, whose terms are all small. The kinetic energy must be at
 * least a tenth of the gain. The mean speed must be at least ten times the speed that gravity causes in a
 * step. */
#include "world/world.h"

#include <math.h>
#include "law/cohesion/cohesion.h"
#include "math/vec.h"
#include "world/ranks.h"

/* Largest overlap of a valid run, divided by half the smallest width of the smaller shape. */
static const double OVERLAP = 0.5;
/* Largest energy gain of a valid run, divided by the largest explained term of the energy balance. */
static const double ENERGY = 1;
/* Largest mean residual of a valid run, divided by the velocity scale. */
static const double RESIDUAL = 1;
/* Smallest kinetic energy at which a gain is a fault, divided by the gain. */
static const double MOVING = 0.1;
/* Smallest mean speed at which a gain is a fault, divided by the speed that gravity causes in a step. */
static const double FAST = 10;

/* Returns the kinetic energy that all dynamic bodies would have at the speed FAST g dt [J]. Collective. */
static double find_noise(const scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  const double speed = FAST * sc_norm(world->def.gravity) * world->def.dt;
  double mass = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && sc_bodies_own(bodies, row)) mass += bodies->mass[row];
  sc_ranks_sum(world->ranks, &mass, 1);
  return mass * speed * speed / 2;
}

static bool has_cohesion(const scree_world *world) {
  for (int32_t i = 0; i < world->pairs.rules; i++)
    if (sc_cohesion_acts(&world->pairs.rule[i].cohesion)) return true;
  return false;
}

/* Returns the energy gain divided by the largest explained term. Returns 0 if the gain is no fault or if the
 * bodies hardly move. Collective: all ranks must have equal reports. */
static double find_gain(const scree_world *world, const scree_report *r) {
  if (!isfinite(r->kinetic)) return INFINITY;
  const double released = has_cohesion(world) ? 0 : fmax(-r->dissipated, 0), gain = r->correction + released,
               passive = fmax(fmax(r->dissipated, 0), fabs(r->elastic)),
               largest = fmax(fmax(passive, fabs(r->work)), r->kinetic - gain);
  if (!(gain > ENERGY * largest) || !(r->kinetic > MOVING * gain) || !(r->kinetic > find_noise(world)))
    return 0;
  return largest > 0 ? gain / largest : INFINITY;
}

int scree_world_faults(const scree_world *world, const scree_report *report, scree_fault out[SCREE_FAULTS]) {
  SC_DEMAND(world && report && out, NULL, 0);
  const scree_fault figures[SCREE_FAULTS] = {{"crossed", (double)report->crossed, 0},
      {"overlap", report->overlap_max, OVERLAP}, {"energy", find_gain(world, report), ENERGY},
      {"residual", report->unbalanced_mean, RESIDUAL}};
  int count = 0;
  for (int i = 0; i < SCREE_FAULTS; i++)
    if (!(figures[i].value <= figures[i].limit)) out[count++] = figures[i];
  return count;
}
