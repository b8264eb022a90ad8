/* Terms of the energy balance of a world (account/account.c), and the mean load of its contacts. */
#ifndef SC_WORLD_ENERGY_H
#define SC_WORLD_ENERGY_H

#include "scree/world.h"

typedef struct sc_energy {
  double dissipated, work, correction; /* sums since the world was created [J] */
  /* parts of `dissipated` that were not lost at contacts (SCREE_LOST_...) [J] */
  double elsewhere[SCREE_LOST_ELSEWHERE];
  double elastic; /* energy in the springs of contacts [J] */
  /* losses of sliding springs since the last evaluation of forces, not yet in `dissipated` [J]; penalty
   * stepper */
  double sliding;
  double mean_load;    /* mean load of contacts [N] (account/springs.c) */
  double slow_load;    /* mean load of contacts, filtered so that it follows a rising load slowly [N] */
  double impulse_time; /* time for which the impulses of contacts acted [s] (account/springs.c) */
} sc_energy;

#endif
