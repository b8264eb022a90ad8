/* Energy balance of mechanisms that swing.c moves (account.h). */
#ifndef SC_WORLD_SWING_ACCOUNT_H
#define SC_WORLD_SWING_ACCOUNT_H

#include "world/parts/energy.h"
#include "world/mechanism/swing.h"

/* Energies of moved mechanisms, to be added to the energy balance [J]. */
typedef struct sc_mechanism_energy {
  double work, dissipated, correction;
  double joints; /* part of `dissipated` that belongs to joints */
} sc_mechanism_energy;

/* Initialises *sum and returns the energy of the mechanisms' bodies before their motion [J]. The bodies must
 * have their poses before the step and the solved velocities. from_before: true if the motion starts from the
 * velocities before the step. In this case, the energies that these bodies have in the step's problem are
 * subtracted from *sum. */
double sc_mechanism_open_energy(const scree_world *world, const sc_swings *swings, const int32_t *body,
    int32_t bodies, bool from_before, double dt, sc_mechanism_energy *sum);
/* Subtracts the energies of a joint's rows in the step's problem from *sum. joint: index in the world's
 * joints. */
void sc_mechanism_subtract_rows(const sc_swings *swings, int32_t joint, sc_mechanism_energy *sum);
/* Adds the change of energy since `before` to *sum: the work of loads to `work`, the rest to `correction`.
 * Call after the motion. */
void sc_mechanism_close_energy(const scree_world *world, const sc_swings *swings, const int32_t *body,
    int32_t bodies, bool from_before, double dt, double before, sc_mechanism_energy *sum);
/* Adds energy dissipated in joints to *sum. The change of kinetic energy already contains this loss. */
static inline void sc_mechanism_add_loss(sc_mechanism_energy *sum, double lost) {
  sum->dissipated += lost, sum->joints += lost, sum->correction += lost;
}
/* Adds *sum to the terms of an energy balance. */
void sc_mechanism_add_energy(const sc_mechanism_energy *sum, sc_energy *energy);

#endif
