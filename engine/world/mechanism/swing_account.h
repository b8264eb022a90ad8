/* Energy balance of mechanisms that swing.c moves (account.h). */
#ifndef SC_WORLD_SWING_ACCOUNT_H
#define SC_WORLD_SWING_ACCOUNT_H

#include "world/parts/energy.h"
#include "world/mechanism/swing.h"

/* Energies that are added to the energy balance [J]. */
typedef struct sc_swing_sum {
  double work, dissipated, correction;
  double joints; /* part of `dissipated` in joints */
} sc_swing_sum;

/* Returns the energy of the bodies before their motion [J]. Bodies must have the velocities of the step's
 * problem and the poses before the step. from_before: the motion starts from the velocities before the step,
 * and the energies of the problem are subtracted in *sum. */
double sc_swing_open(const scree_world *world, const sc_swings *swings, const int32_t *body, int32_t bodies,
    bool from_before, double dt, sc_swing_sum *sum);
/* Subtracts the energies of a joint's rows in the step's problem from sum. */
void sc_swing_unbook_rows(const sc_swings *swings, int32_t joint, sc_swing_sum *sum);
/* Adds the change of energy since `before` to sum, after the motion: the work of loads to `work`, all other
 * energy to `correction`. */
void sc_swing_close(const scree_world *world, const sc_swings *swings, const int32_t *body, int32_t bodies,
    bool from_before, double dt, double before, sc_swing_sum *sum);
/* Adds a loss in joints that the change of the kinetic energy already includes. */
static inline void sc_swing_lose(sc_swing_sum *sum, double lost) {
  sum->dissipated += lost, sum->joints += lost, sum->correction += lost;
}
/* Adds sum to an energy balance. */
void sc_swing_enter(const sc_swing_sum *sum, sc_energy *energy);

#endif
