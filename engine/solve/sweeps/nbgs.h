/* State of nonlinear block Gauss-Seidel. nbgs_setup.c builds it, nbgs_sweep.c sweeps it. nbgs.c uses sweeps
 * for velocities, positions.c for positions. */
#ifndef SC_NBGS_H
#define SC_NBGS_H

#include <stdatomic.h>

#include "solve/joints/joint_blocks.h"
#include "solve/solver.h"
#include "solve/sweeps/elastic.h"
#include "problem/contacts/store.h"
#include "solve/sweeps/momentum.h"
#include "solve/sweeps/kernels/sweep.h"

/* State of one thread, on cache lines of its own. */
typedef struct sc_nbgs_worker {
  double largest; /* squared largest velocity change of the sweep */
  bool measured;  /* the sweep must compute its largest change */
  char rest[112]; /* padding to two cache lines */
} sc_nbgs_worker;

typedef struct sc_nbgs sc_nbgs;
/* Relaxes the impulse of one general contact that has a row: the contact in lane l of a bundle. omega:
 * relaxation factor. Returns the squared velocity change; negative: a user's law failed. */
typedef double sc_nbgs_relax(const sc_nbgs *r, double omega, int32_t bundle, int l);

/* Options of one sweep. */
typedef struct sc_nbgs_way {
  bool first;   /* first sweep of a solve */
  double omega; /* relaxation factor of general contacts */
  double beta;  /* factor by which momentum extrapolates impulses in bundles before the sweep; 0: none */
  bool watched; /* measure the norm of the change, for momentum */
} sc_nbgs_way;

struct sc_nbgs {
  sc_problem problem; /* copy of the problem; `body` may be a copy with spare rows */
  scree_solver_def par;
  sc_pool *pool;
  const sc_exchange *exchange;
  sc_contacts *balls; /* the problem's store, or a store with copies of its rows */
  sc_generals generals;
  sc_bond_lanes bonds;
  sc_elastic elastic;           /* used if there are bonds */
  sc_bundle_push *push;         /* [bundles of balls] normal impulses of position sweeps; else NULL */
  sc_bundle_push *general_push; /* [bundles of general contacts] normal impulses of position sweeps; else
                                   NULL */
  sc_mechanisms mechanisms;     /* mechanisms in bundles */
  sc_joint_blocks joints;       /* all other mechanisms */
  /* true: mechanisms without contacts and bonds are solved, so later sweeps skip them */
  bool met;
  sc_nbgs_worker *worker; /* [threads] state of each thread */
  sc_momentum momentum;   /* state of momentum; used if par.acceleration */
  sc_sweep *sweep;        /* sweep over bundles of balls */
  sc_general_sweep *general_sweep;
  sc_bond_sweep *bond_sweep;
  sc_mechanism_sweep *mechanism_sweep;
  sc_nbgs_relax *relax;    /* relaxes one general contact in bundles of kind SC_BUNDLE_ROWS */
  double tolerance_square; /* square of the tolerance [m^2/s^2] */
  bool listens;            /* thread 0 polls for messages between pieces of a sweep */
  atomic_int failed;       /* nonzero: a user's law failed */
  bool halted;             /* value of `failed` after all threads have swept */
  int64_t sweeps;          /* number of sweeps and iterations of sc_elastic_solve */
  double largest;          /* squared velocity change that is compared with tolerance_square */
  double norm;             /* norm of the last change, over all ranks */
};

/* Resets the three spare rows per thread behind the bodies (sc_lanes_pad): a body at rest with unit mass, an
 * immovable body, and scratch. */
void sc_nbgs_clear_spares(int32_t bodies, int threads, sc_solver_body *body);
/* Builds order, lanes, joint blocks and spare rows. Memory comes from the arena. Returns false if out of
 * memory. */
bool sc_nbgs_set_up(
    sc_nbgs *r, const sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena);
/* Sweeps a thread's share of the mechanisms in bundles. Thread 0 also sweeps all joint blocks. beta: momentum
 * factor for the impulses in bundles. Returns the squared largest velocity change. */
double sc_nbgs_joints(const sc_nbgs *r, double beta, int thread, int threads);
/* Sweeps once over all contacts, bonds and joints. All threads call it. Velocities of shared bodies are
 * combined at the end. Returns the squared velocity change to compare with the tolerance, equal on all
 * threads. On several ranks it is the largest of all ranks in the sweep before. */
double sc_nbgs_sweep(sc_nbgs *r, const sc_nbgs_way *way, int thread, int threads);

#endif
