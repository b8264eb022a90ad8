/* One sweep over bundles of contacts (store.h, generals.h), bonds and mechanisms. The width is chosen at run
 * time: scalar code, four lanes (AVX2) or eight (AVX-512). All widths have the same bits. */
#ifndef SC_SWEEP_H
#define SC_SWEEP_H

#include "solve/sweeps/bundles/bonds.h"
#include "problem/contacts/generals.h"
#include "solve/sweeps/bundles/mechanisms.h"

/* Input of a sweep over bundles of balls. If bundles->past is set, the sweep first extrapolates each impulse
 * to p + beta (p - past) and sets past to the old p. */
typedef struct sc_sweep_in {
  const sc_bundles *bundles;
  sc_bundle_push *push; /* [bundles] normal impulses; only for position sweeps */
  int32_t first, end;   /* bundles to sweep: first .. end - 1 */
  int32_t last;         /* bundles before this index may be prefetched */
  sc_solver_body *body;
  sc_solver_body *sink; /* the thread's scratch row, to which sweeps write bodies that cannot move */
  double omega, beta;   /* relaxation factor; extrapolation factor */
} sc_sweep_in;

/* Input of a sweep over bundles of general contacts, but not of kind SC_BUNDLE_ROWS (sweep_general.h). */
typedef struct sc_general_sweep_in {
  const sc_generals *generals;
  sc_bundle_push *push;     /* [bundles] normal impulses; only for position sweeps */
  int32_t first, end, last; /* bundles to sweep: first .. end - 1; bundles before `last` may be prefetched */
  sc_solver_body *body, *sink; /* as in sc_sweep_in */
  double omega, beta;          /* as in sc_sweep_in */
  bool planar;                 /* the world is planar: impulses do not act along `plane` */
  double plane[3];             /* unit normal of a planar world */
  bool measured;               /* the sweep must compute the largest change; position sweeps always do */
  bool far;                    /* bodies do not fit into the second-level cache: prefetch them */
} sc_general_sweep_in;

/* Sweeps over balls. Returns the squared largest velocity change. */
typedef double sc_sweep(const sc_sweep_in *in);
/* Sweeps over general contacts. Returns the squared largest velocity change; 0 unless in->measured. */
typedef double sc_general_sweep(const sc_general_sweep_in *in);

/* Passes over bonds for elastic.h. They do not write bodies. The residual is B v + bias + S x at the
 * velocities `body` and the impulses of the bonds. */
enum {
  SC_BOND_UNMET,   /* load += B' S^-1 residual */
  SC_BOND_PRODUCT, /* load += B' S^-1 B body */
  SC_BOND_FINISH   /* impulses -= S^-1 (residual + B load) */
};

/* Input of a sweep or pass over bundles of bonds (sweep_bond.h). */
typedef struct sc_bond_sweep_in {
  const sc_bond_lanes *bonds;
  int32_t first, end, last;    /* as in sc_sweep_in */
  sc_solver_body *body, *sink; /* as in sc_sweep_in; passes write loads of immovable bodies to the sink */
  double omega, beta;          /* as in sc_sweep_in; passes do not use them */
  int pass;                    /* SC_BOND_...: kind of pass; unused by sweeps */
  sc_solver_body *load;        /* [bodies] loads that a pass changes or reads; unused by sweeps */
} sc_bond_sweep_in;

/* Sweeps over bonds, or runs a pass. Returns the squared largest velocity change; a pass returns 0. */
typedef double sc_bond_sweep(const sc_bond_sweep_in *in);

/* Input of a sweep over bundles of mechanisms (sweep_joint.h). */
typedef struct sc_mechanism_sweep_in {
  const sc_mechanisms *mechanisms;
  int32_t first, end, step;      /* bundles first, first + step, ... before end */
  sc_solver_body *body, *sink;   /* as in sc_sweep_in */
  const sc_mechanism_room *room; /* scratch of the thread */
  bool momentum;                 /* extrapolate impulses by beta first */
  double beta;
} sc_mechanism_sweep_in;

/* Solves each mechanism. Returns the squared largest row velocity before the solution. */
typedef double sc_mechanism_sweep(const sc_mechanism_sweep_in *in);
/* Computes the factors of each mechanism. */
typedef void sc_mechanism_factor(const sc_mechanism_sweep_in *in);

/* Returns the energy norm of the change between `before` and `body` (sweep_momentum.h). The terms are added
 * in the order of the bodies. */
typedef double sc_body_change(const sc_solver_body *body, const sc_solver_body *before, int32_t count);
/* Extrapolates the velocities y of `body` to y + beta (y - before), and sets `before` to the old y. */
typedef void sc_body_move(sc_solver_body *body, sc_solver_body *before, int32_t count, double beta);

/* The sweeps of one SIMD width. */
typedef struct sc_sweeps {
  sc_sweep *plain;                /* impulses of rigid balls */
  sc_sweep *spring;               /* impulses of balls, some with contact springs */
  sc_sweep *couple;               /* impulses and moments of balls (sweep_couple.h) */
  sc_sweep *push;                 /* normal impulses of position sweeps (sweep_push.h) */
  sc_general_sweep *general;      /* impulses and moments of general contacts */
  sc_general_sweep *general_push; /* normal impulses of position sweeps */
  sc_bond_sweep *bond, *bond_pass;
  sc_mechanism_sweep *mechanism;
  sc_mechanism_factor *mechanism_factor;
  sc_body_change *change;
  sc_body_move *move;
} sc_sweeps;
extern const sc_sweeps sc_sweeps_scalar, sc_sweeps_avx2, sc_sweeps_avx512;
/* Returns the sweeps of the width that sc_simd_best returns. */
const sc_sweeps *sc_sweeps_best(void);

#endif
