/* Energy balance of mechanisms that swing.c moves (account.h). */
#ifndef SC_WORLD_SWING_ACCOUNT_H
#define SC_WORLD_SWING_ACCOUNT_H

#include "world/parts/energy.h"
#include "world/mechanism/swing.h"

/* Energies that are added to the energy balance [J]. */
typedef struct sc_mechanism_energy {
  double work, dissipated, correction;
  double joints; /* part of `dissipated` in joints */
} sc_mechanism_energy;

/* Returns the energy of the bodies before their motion [J]. Bodies must have the velocities of the step's
 * problem and the poses before the step. from_before: the motion starts from the velocities before the step,
 * and the energies of the problem are subtracted in *sum. */
double sc_mechanism_open_energy(const scree_world *world, const sc_swings *swings, const int32_t *body,
    int32_t bodies, bool from_before, double dt, sc_mechanism_energy *sum);
/* Subtracts the energies of a joint's rows in the step's problem from sum. */
void sc_mechanism_subtract_rows(const sc_swings *swings, int32_t joint, sc_mechanism_energy *sum);
/* Adds the change of energy since `before` to sum, after the motion: the work of loads to `work`, all other
 * energy to `correction`. */
void sc_mechanism_close_energy(const scree_world *world, const sc_swings *swings, const int32_t *body,
    int32_t bodies, bool from_before, double dt, double before, sc_mechanism_energy *sum);
/* Adds a loss in joints that the change of the kinetic energy already includes. */
static inline void sc_mechanism_add_loss(sc_mechanism_energy *sum, double lost) {
  sum->dissipated += lost, sum->joints += lost, sum->correction += lost;
}
/* Adds sum to an energy balance. */
void sc_mechanism_add_energy(const sc_mechanism_energy *sum, sc_energy *energy);

#endif
