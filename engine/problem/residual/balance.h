/* Error of the balance of forces in a step, as a share of the load. */
#ifndef SC_BALANCE_H
#define SC_BALANCE_H

#include "problem/problem.h"

/* Sums over contacts, joint rows and bonds. The error of the balance is error/load. For a problem in
 * parts, add up the sums of all parts first. With p the size of an impulse [N s], r the residual of its
 * contact (sc_problem_residual_of), u the relative velocity at the end of the step, and w the velocity
 * scale of tolerances (sc_problem_velocity_scale):
 *     error = sum p r,   load = sum p (w + |u|)   [J]
 * At rest w is the velocity that weight gives in a step, so error/load is the share of the load without
 * support: a contact that supports a mass m has the impulse m w, and a residual r means that m r is
 * missing. In a flow |u| is much larger, and error/load is the relative error of the contacts' work. The
 * quotient needs no further scale. Each contact counts with its impulse, so unloaded contacts have no
 * influence. */
typedef struct sc_balance {
  double error, load; /* sums of the equations above [J] */
  double residual;    /* largest r, as from sc_problem_residual [m/s] */
} sc_balance;

/* Returns the balance of a problem whose bodies' velocities contain all impulses. scale: w [m/s]. pool:
 * NULL if a law is a script's. */
sc_balance sc_problem_balance(const sc_problem *problem, double scale, sc_pool *pool);

#endif
