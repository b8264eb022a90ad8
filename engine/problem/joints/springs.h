/* Springs, dampers and servos as rows with softness (springs.c). */
#ifndef SC_PROBLEM_SPRINGS_H
#define SC_PROBLEM_SPRINGS_H

#include "problem/problem.h"

/* Force of a spring in a step of length h that ends with the velocity u', u0 before, the stretch e before:
 *     push - stiffness e - ahead u' + behind u0. */
typedef struct sc_spring_rates {
  double ahead, behind;
  /* true: the step does not resolve the spring; backward Euler contributes more than half */
  bool unresolved;
} sc_spring_rates;
sc_spring_rates sc_spring_rates_of(double stiffness, double damping, double inverse_mass, double h);
/* Softness and bias of a row from its spring. inverse_mass: velocity of the row per unit impulse on it
 * [1/kg]. whole: for the impulse of a whole step that ends with the row's velocity; before: the row's
 * velocity at its start. */
void sc_spring_whole(sc_joint_row *row, double inverse_mass, double before);
/* The same for an impulse at the start of a part of length h, after which the row's velocity stays for h. */
void sc_spring_begin(sc_joint_row *row, double inverse_mass, double h);
/* And for one at its end, with the stretch there; begun: the impulse at the start. Returns the impulse that
 * is given in any case; the row answers for what comes on top. */
double sc_spring_end(sc_joint_row *row, double inverse_mass, double h, double begun);
/* Energy that the damper of a row takes while its velocity goes from before to after [J]. */
double sc_spring_loss(const sc_joint_row *row, double before, double after);

#endif
