/* Corrections of positions: penetrations taken back after velocities are solved (positions.c). */
#ifndef SC_POSITIONS_H
#define SC_POSITIONS_H

#include "solve/sweeps/nbgs.h"

/* Constant input, beside the problem whose velocities are solved. */
typedef struct sc_positions_in {
  const sc_problem *problem;
  double correction_fraction; /* of a penetration that is left, taken back in a step */
  double speed_limit;         /* at most at this speed [m/s]; INFINITY: any */
  sc_nbgs *sweeps;            /* what the solver of velocities left (sc_solver_report); NULL: nothing */
} sc_positions_in;

/* Finds the speeds v, q by which positions are to go on beside the velocities, a row per body in the
 * arena, and 0 where there is nothing to correct. The problem is left as it is. Error: lack of memory. */
scree_status sc_positions_solve(const sc_positions_in *in, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, const sc_solver_body **shift, scree_error *error);

#endif
