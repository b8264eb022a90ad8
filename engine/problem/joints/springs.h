/* Computes softness and bias of rows with springs, dampers and servos (springs.c). */
#ifndef SC_PROBLEM_SPRINGS_H
#define SC_PROBLEM_SPRINGS_H

#include "problem/problem.h"

/* Coefficients of the force of a spring in a step of length h. The step begins with the velocity u0 and the
 * stretch e, and ends with the velocity u'. The force is
 *     push - stiffness e - ahead u' + behind u0. */
typedef struct sc_spring_rates {
  double ahead, behind;
  /* true: the step does not resolve the spring, so backward Euler contributes more than half */
  bool unresolved;
} sc_spring_rates;
/* Returns the coefficients of a spring. inverse_mass: velocity per unit impulse [1/kg]. h: step [s]. */
sc_spring_rates sc_spring_rates_of(double stiffness, double damping, double inverse_mass, double h);
/* Sets softness and bias of a row from its spring, for the impulse of a whole step. inverse_mass: velocity of
 * the row per unit impulse on it [1/kg]. before: velocity of the row at the start of the step. */
void sc_spring_whole(sc_joint_row *row, double inverse_mass, double before);
/* Sets softness and bias of a row for the impulse at the start of a substep of length h. */
void sc_spring_begin(sc_joint_row *row, double inverse_mass, double h);
/* Sets softness and bias of a row for the impulse at the end of a substep of length h. begun: impulse at the
 * start of the substep. Returns the constant part of the impulse. The row contains only the part that depends
 * on the velocity. */
double sc_spring_end(sc_joint_row *row, double inverse_mass, double h, double begun);
/* Returns the energy [J] that the damper of a row dissipates in a step. before, after: velocity of the row at
 * the start and at the end of the step. */
double sc_spring_loss(const sc_joint_row *row, double before, double after);

#endif
