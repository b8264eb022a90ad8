/* What mechanisms that go their own way mean for the account of energy (account.h). */
#ifndef SC_WORLD_SWING_ACCOUNT_H
#define SC_WORLD_SWING_ACCOUNT_H

#include "world/mechanism/swing.h"

/* What is to be added to the account [J]. */
typedef struct sc_swing_sum {
  double work, dissipated, correction;
  double joints; /* part of dissipated */
} sc_swing_sum;

/* While bodies have the velocities of the step's problem and stand where they were before: the energy from
 * which their motion starts. from_before: they start from their velocities before the step, and what the
 * problem did to them is taken out. */
double sc_swing_open(const scree_world *world, const sc_swings *swings, const int32_t *body, int32_t bodies,
    bool from_before, double dt, sc_swing_sum *sum);
/* The same of a joint's rows in that problem. */
void sc_swing_unbook_rows(const sc_swings *swings, int32_t joint, sc_swing_sum *sum);
/* After the motion: what of the energy's change is not the work of loads is the scheme's. */
void sc_swing_close(const scree_world *world, const sc_swings *swings, const int32_t *body, int32_t bodies,
    bool from_before, double dt, double before, sc_swing_sum *sum);
/* Adds a loss in joints that the change of the kinetic energy already includes. */
static inline void sc_swing_lose(sc_swing_sum *sum, double lost) {
  sum->dissipated += lost, sum->joints += lost, sum->correction += lost;
}
void sc_swing_enter(scree_world *world, const sc_swing_sum *sum);

#endif
