/* What solving has come to so far, for the words of a report: how it was done, how far forces were from
 * balance, how deep bodies were in each other. */
#ifndef SC_EFFORT_H
#define SC_EFFORT_H

#include "model/shapes.h"
#include "solve/solver.h"

typedef struct sc_effort {
  sc_solver_ways ways;
  double unbalanced, looks; /* sum of shares (balance.h) over steps looked at, and their number; both fade */
  /* largest overlap (sc_world_overlap) of this rank's contacts in each 32nd step, and in noted reports
   * from the 32nd step on: bodies that overlap at the start are pushed apart before */
  double overlap;
  int64_t again;                /* steps solved again because their first answer added energy (solve.h) */
  int64_t gaining;              /* steps whose last answer still added energy */
  double worst, worst_residual; /* largest share of a single step, and the relative residual of that step */
  /* solves so far that took a sweep, and those that ended above the tolerance because the sweeps
   * allowed were used up */
  int64_t solves, capped;
} sc_effort;

typedef struct scree_world scree_world;
/* Returns whether a joint ties the bodies of two rows together so that they do not collide; image: of the
 * second body. */
bool sc_world_joined(const scree_world *world, int32_t row1, int32_t row2, sc_image image);
/* Adds a solve. */
void sc_effort_add(sc_effort *effort, const sc_solver_ways *ways);
/* Evaluates a whole step: one of 32, and each step whose residual is 1.5 times the largest evaluated
 * before. */
void sc_world_note_effort(scree_world *world);
/* Returns the unbalanced share of the load in the last step (problem/residual/balance.h), or a negative
 * number without a load, that is if the velocity scale moves bodies by rounding errors only. *residual
 * [m/s]: largest residual of this rank's contacts. Collective. */
double sc_world_unbalanced(const scree_world *world, double *residual);
/* Depth of a contact over half the least width of the smaller of its two shapes; 0 where it does not touch
 * or a joint ties its bodies. */
double sc_world_overlap(const scree_world *world, int32_t contact);

/* Returns half the least width of a shape along its own axes; INFINITY for half-spaces and meshes [m]. */
double sc_world_half_width(const sc_shapes *shapes, int32_t row);

#endif
