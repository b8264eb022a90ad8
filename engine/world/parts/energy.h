/* Terms of the energy balance of a world (account/account.c), and the mean load of its contacts. */
#ifndef SC_WORLD_ENERGY_H
#define SC_WORLD_ENERGY_H

#include "scree/world.h"

typedef struct sc_energy {
  double dissipated, work, correction;    /* sums since the world was created [J] */
  double elsewhere[SCREE_LOST_ELSEWHERE]; /* parts of `dissipated` that no contact lost [J] */
  double elastic;                         /* energy in the springs of contacts [J] */
  double sliding;   /* losses of sliders since the last evaluation of forces, not yet in `dissipated` [J] */
  double mean_load; /* mean load of contacts [N] (account/springs.c) */
  double slow_load; /* the same mean, which follows a rising load slowly [N] */
  double impulse_time; /* time for which the impulses of contacts acted [s] (account/springs.c) */
} sc_energy;

#endif
