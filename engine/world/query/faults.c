/* Checks whether a run is valid, by four figures of its report.
 *
 * crossed counts passages of bodies into walls. overlap_max is the largest depth of a contact divided by half
 * the smallest width of the smaller shape. unbalanced_mean is the mean residual of the solver divided by the
 * velocity scale. The fourth figure comes from the energy balance. The sum
 *
 *   kinetic + potential + elastic + dissipated - work - correction
 *
 * is constant to rounding. The time step itself adds `correction`. If no pair has cohesion and `dissipated`
 * is below 0, the time step also adds -dissipated. This gain is a fault if it is larger than every explained
 * term. The explained terms are |work|, |elastic|, dissipated above 0, and the kinetic energy less the gain.
 * Beds at rest, whose terms are all small, are excluded by two conditions. The kinetic energy must be at
 * least a tenth of the gain. The mean speed must be at least ten times the speed that gravity gives in a
 * step. */
#include "world/world.h"

#include <math.h>
#include "law/cohesion/cohesion.h"
#include "math/vec.h"
#include "world/ranks.h"

/* largest overlap of a valid run, divided by half the smallest width of the smaller shape */
static const double OVERLAP = 0.5;
/* largest unexplained energy gain of a valid run, divided by the largest other term of the energy balance */
static const double ENERGY = 1;
/* largest mean residual of a valid run, divided by the velocity scale */
static const double RESIDUAL = 1;
/* minimum kinetic energy of a fault, divided by the gain */
static const double MOVING = 0.1;
/* minimum mean speed of a fault, divided by the speed that gravity gives in a step */
static const double FAST = 10;

/* Returns the kinetic energy of all dynamic bodies at the speed FAST g dt [J]. Collective. */
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

/* Returns the gain of energy divided by the largest explained term, or 0 if the bodies hardly move.
 * Collective: all ranks must have the same report. */
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
