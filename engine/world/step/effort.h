/* What solving has come to so far, for the words of a report: how it was done, how far forces were from
 * balance, how deep bodies were in each other. */
#ifndef SC_EFFORT_H
#define SC_EFFORT_H

#include "solve/solver.h"

typedef struct sc_effort {
  sc_solver_ways ways;
  double unbalanced, looks; /* sum of shares (balance.h) over steps looked at, and their number; both fade */
  double overlap;           /* largest of these steps (sc_world_overlap), of this rank's contacts */
  int64_t again;            /* steps solved again, as their first answer brought energy (solve.h) */
  int64_t gaining;          /* of these, steps whose last answer still brings energy */
  double worst,
      worst_residual; /* largest share of a single step, and the relative residual at which it was */
} sc_effort;

typedef struct scree_world scree_world;
/* Adds a solve. */
void sc_effort_add(sc_effort *effort, const sc_solver_ways *ways);
/* After a whole step: looks at one of 32, and at steps whose residual is by far the largest so far. */
void sc_world_note_effort(scree_world *world);
/* How far the forces of the last step are from balance, as a share of the load
 * (problem/residual/balance.h); negative without a load, that is if the velocities that tolerances are
 * shares of move no body by more than rounding in a step. *residual [m/s]: of this rank's contacts.
 * Collective. */
double sc_world_unbalanced(const scree_world *world, double *residual);
/* Depth of a contact over half the least width of the smaller of its two shapes; 0 where it does not touch
 * or a joint ties its bodies. */
double sc_world_overlap(const scree_world *world, int32_t contact);

#endif
