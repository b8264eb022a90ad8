/* Inside of assembly, shared by its files: bodies (assemble_bodies.c), general contacts
 * (assemble_general.c), and what sorts contacts into buckets and places those of balls (assemble.c). */
#ifndef SC_ASSEMBLE_H
#define SC_ASSEMBLE_H

#include <math.h>
#include "model/bodies.h"
#include "model/pairs.h"
#include "problem/problem.h"

/* Law and parameters between two materials. */
static inline const sc_rule *sc_assemble_rule(
    const sc_assemble_in *in, int32_t material1, int32_t material2) {
  return in->pairs->rule +
      in->pairs->table[(size_t)material1 * (size_t)in->pairs->materials + (size_t)material2];
}
/* Bias of a contact with a gap [m]: [m/s]. */
static inline double sc_assemble_bias(const sc_assemble_in *in, double gap) {
  if (gap > 0) return gap / in->dt;
  if (in->positions) return 0;
  double bias = in->drift_time > 0 ? gap / fmax(in->drift_time, in->dt) : in->erp * gap / in->dt;
  return in->max_correction > 0 ? fmax(bias, -in->max_correction) : bias;
}
/* Moment of the step before of a contact, [N m s]; NULL: none is kept. */
static inline const double *sc_assemble_moment(const sc_assemble_in *in, int32_t contact) {
  return in->couple_at < 0 || !in->state_stride
      ? NULL
      : in->state + (size_t)contact * (size_t)in->state_stride + in->couple_at;
}

/* Free velocities, masses and inertias of all bodies, the immovable world and the store's spare rows
 * behind them. False without memory. */
bool sc_assemble_bodies(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem);
/* The same of one: of in, bodies, dt and gravity are read. */
void sc_assemble_body(const sc_assemble_in *in, int32_t row, sc_solver_body *body, double K[6]);

/* Room for so many general contacts; false without memory. */
bool sc_assemble_take_generals(const sc_assemble_in *in, int32_t generals, sc_arena *arena,
    sc_problem *problem, sc_assembled *assembled);
/* Appends the general contact in a row of the collision stage; the bodies must be set. pools: filled so
 * far, zero at first. */
typedef struct sc_assemble_pools {
  int32_t par, block, x;
} sc_assemble_pools;
scree_status sc_assemble_general(const sc_assemble_in *in, int32_t index, sc_problem *problem,
    sc_assembled *assembled, sc_assemble_pools *pools, scree_error *error);

#endif
