/* How far the forces of a step are from balance, as one share of the load that they carry. */
#ifndef SC_BALANCE_H
#define SC_BALANCE_H

#include "problem/problem.h"

/* Sums over contacts and rows of joints; their quotient is the figure, and sums of parts of a problem are
 * added up first. With p the size of an impulse [N s], r the residual of its contact
 * (sc_problem_residual_of), u the relative velocity that the step leaves there, w the velocity that
 * tolerances are shares of (sc_problem_velocity_scale):
 *     error = sum p r,   load = sum p (w + |u|)   [J]
 * At rest w is what weight gives in a step, so that error/load is the share of the load that is not
 * carried: a contact under the weight of m that gives way at r wants m r more impulse than m w. In a flow
 * |u| is much larger, and error/load is the share of the contacts' work that is wrong. Both without a
 * scale of their own, and a contact counts as it carries: what hardly touches does not. */
typedef struct sc_balance {
  double error, load; /* [J] */
  double residual;    /* the largest r [m/s], as sc_problem_residual */
} sc_balance;

/* Of a problem whose bodies' velocities contain all impulses. scale: w. pool: NULL where laws are scripts. */
sc_balance sc_problem_balance(const sc_problem *problem, double scale, sc_pool *pool);

#endif
