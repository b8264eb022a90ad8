/* One sweep over bundles of contacts (store.h, generals.h): by scalar code, four lanes (AVX2) or eight
 * (AVX-512), chosen at run time. All give the same bits. */
#ifndef SC_SWEEP_H
#define SC_SWEEP_H

#include "solve/sweeps/bundles/bonds.h"
#include "problem/contacts/generals.h"
#include "solve/sweeps/bundles/mechanisms.h"

/* What a sweep works on. sink: a row of scratch memory of the thread. Where bundles have a past, each
 * impulse is first moved to p + beta (p - past), and past becomes p. */
typedef struct sc_sweep_in {
  const sc_bundles *bundles;
  sc_bundle_push *push;     /* of the bundles, for sweeps that correct positions */
  int32_t first, end, last; /* bundles; those before the last may be asked for */
  sc_solver_body *body, *sink;
  double omega, beta;
} sc_sweep_in;

/* The same for bundles of general contacts of other kinds than SC_BUNDLE_ROWS (sweep_general.h). */
typedef struct sc_general_sweep_in {
  const sc_generals *generals;
  sc_bundle_push *push;     /* of the bundles, for sweeps that correct positions */
  int32_t first, end, last; /* bundles; those before the last may be asked for */
  sc_solver_body *body, *sink;
  double omega, beta;
  bool planar;
  double plane[3]; /* as in sc_problem */
  bool measured;   /* the largest change is asked for; of pushes it always is */
  bool far;        /* bodies lie beyond the near caches */
} sc_general_sweep_in;

/* Sweeps return the largest square of a change in velocity. */
typedef double sc_sweep(const sc_sweep_in *in);
typedef double sc_general_sweep(const sc_general_sweep_in *in);

/* Over bundles of bonds (sweep_bond.h). Passes write no body (elastic.h):
 *   SC_BOND_UNMET    load += B' S^-1 (what is unmet at velocities `body` and the bonds' impulses)
 *   SC_BOND_PRODUCT  load += B' S^-1 B body
 *   SC_BOND_FINISH   impulses -= S^-1 (what is unmet + B load) */
enum { SC_BOND_UNMET, SC_BOND_PRODUCT, SC_BOND_FINISH };
typedef struct sc_bond_sweep_in {
  const sc_bond_lanes *bonds;
  int32_t first, end, last; /* bundles; those before the last may be asked for */
  sc_solver_body *body, *sink;
  double omega, beta;
  int pass;
  sc_solver_body *load;
} sc_bond_sweep_in;

typedef double sc_bond_sweep(const sc_bond_sweep_in *in);

/* Over bundles of mechanisms, every `step`th from `first` on and before `end` (sweep_joint.h). */
typedef struct sc_mechanism_sweep_in {
  const sc_mechanisms *mechanisms;
  int32_t first, end, step;
  sc_solver_body *body, *sink;
  const sc_mechanism_room *room; /* of the thread */
  bool momentum;                 /* impulses are moved on by beta first */
  double beta;
} sc_mechanism_sweep_in;
typedef double sc_mechanism_sweep(const sc_mechanism_sweep_in *in);
typedef void sc_mechanism_factor(const sc_mechanism_sweep_in *in);

/* Between sweeps (sweep_momentum.h): the energy norm of what has changed of rows of bodies, summed one after
 * the other; and their move by beta times that change. */
typedef double sc_body_change(const sc_solver_body *body, const sc_solver_body *before, int32_t count);
typedef void sc_body_move(sc_solver_body *body, sc_solver_body *before, int32_t count, double beta);

/* The sweeps of one width: over impulses, impulses of contacts with springs, impulses with moments
 * (sweep_couple.h), and pushes in place of impulses (sweep_push.h); the same over general contacts. */
typedef struct sc_sweeps {
  sc_sweep *plain, *spring, *couple, *push;
  sc_general_sweep *general, *general_push;
  sc_bond_sweep *bond, *bond_pass;
  sc_mechanism_sweep *mechanism;
  sc_mechanism_factor *mechanism_factor;
  sc_body_change *change;
  sc_body_move *move;
} sc_sweeps;
extern const sc_sweeps sc_sweeps_scalar, sc_sweeps_avx2, sc_sweeps_avx512;
const sc_sweeps *sc_sweeps_best(void); /* of the width that sc_simd_best gives */

#endif
