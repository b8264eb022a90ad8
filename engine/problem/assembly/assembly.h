/* Assembly: from bodies and contacts to a problem. */
#ifndef SC_ASSEMBLY_H
#define SC_ASSEMBLY_H

#include "problem/problem.h"

typedef struct sc_assemble_in {
  const struct sc_bodies *bodies;
  const struct sc_shapes *shapes;
  const struct sc_collide *collide; /* where the contacts are */
  int32_t contacts;
  const struct sc_pairs *pairs; /* rules between materials */
  const sc_law *const *law;
  int32_t laws;
  double *state;
  int state_stride; /* law state, changed by refresh, */
  /* and from here on the last step's moment [N m s], world axes; negative: none is kept */
  int couple_at;
  int pull_at; /* in it, the impulse by which cohesion pulled [N s]; negative: none is kept */
  /* impulses of impacts before this step's problem, per contact; NULL: there are none */
  const double (*blow)[3];
  /* the solver takes moments of ball contacts; else these are general contacts */
  bool couples;
  double dt, erp, drift_time, warm_start;
  double closed; /* gaps and depths up to this bound count as 0 [m] */
  double way;    /* time in which gaps may close [s]; 0: dt, the time for which forces act */
  bool no_forces;
  /* true: all contacts are general contacts, and their law applies to the velocity `rate_time` later. The
   * state of a contact has the rates from index rate_at on: rate of its velocity, world axes, and rate of
   * its normal velocity [m/s2] */
  bool rates;
  int rate_at;
  double rate_time;
  /* largest speed at which a penetration is taken back [m/s]; 0: any */
  double max_correction;
  double gravity[3];
  /* true: bodies move by dt from the poses at which contacts were found. The velocity of rotating immovable
   * bodies at contacts is then the velocity in the middle of the step (model/turning.h) */
  bool middle;
  /* positions are corrected apart: gaps are found, biases hold no corrections */
  int positions;
  const uint8_t *skip; /* per contact, nonzero: left out; NULL: none */
  /* per body, ranks that solve contacts of it: each has a copy of that share of the mass; NULL: 1 */
  const int32_t *copies;
  /* in a cell, per body: the image whose place and velocity stand for it; and those places. NULL: none.
   * Contacts whose bodies' images move beside them become general ones with drifts; all that leave the cell
   * where `driven` is set: its motion changes while the problem is solved */
  const sc_image *wrap;
  const double (*wrapped)[3];
  bool driven;
  sc_pool *pool;        /* NULL: one thread */
  sc_contacts *store;   /* where ball contacts are wanted; NULL: in rows */
  const uint8_t *alone; /* bodies on which nothing of the problem acts, which do not move in it; NULL: none */
} sc_assemble_in;
/* What assembly finds beside the problem. Gaps are gap/dt [m/s], NULL unless positions are to be
 * corrected; those of balls in a store are there alone. */
typedef struct sc_assembled {
  double closing; /* sum over ball contacts of the closing velocity max(0, b_n) that free velocities leave */
  double plan_seconds; /* wall time that plans of bundles took [s] */
  double *ball_gap, *general_gap;
  sc_partners *partners; /* per contact of the collision stage; NULL where all are ball contacts */
  /* impulses by which cohesion pulls, at least 0 [N s]; NULL: there is none */
  double *ball_pull, *general_pull;
} sc_assembled;
/* Builds a problem in the arena: free velocities, warm-start impulses in place but not yet applied. 
 * Cohesion is in the free velocities, so that contacts are plain (assemble_pull.c).
 * SCREE_E_LAW: a refresh failed. */
scree_status sc_assemble(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem,
    sc_assembled *assembled, scree_error *error);

#endif
