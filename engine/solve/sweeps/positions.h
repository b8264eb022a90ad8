/* Correction of penetrations after velocities are solved (positions.c). */
#ifndef SC_POSITIONS_H
#define SC_POSITIONS_H

#include "solve/sweeps/nbgs.h"

/* Constant input of a correction. */
typedef struct sc_positions_in {
  const sc_problem *problem;  /* problem with solved velocities */
  double correction_fraction; /* >= 0: share of a penetration that is corrected per step */
  double speed_limit;         /* > 0: maximum speed of a correction [m/s]; INFINITY: none */
  /* sweep data of the velocity solver, which are used again (sc_solver_report); NULL: none */
  sc_nbgs *sweeps;
} sc_positions_in;

/* Computes the shift velocities, with which positions move in addition to the velocities. *shift: set to
 * [bodies] v and q of each body, in the arena; 0 without correction. Does not change the problem. Returns
 * SCREE_E_MEMORY if out of memory. */
scree_status sc_positions_solve(const sc_positions_in *in, const scree_solver_def *par, sc_pool *pool,
    sc_arena *arena, const sc_solver_body **shift, scree_error *error);

#endif
