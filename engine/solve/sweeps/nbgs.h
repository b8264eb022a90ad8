/* Inside of nonlinear block Gauss-Seidel: what its sweeps work on, shared by the files that prepare it
 * (nbgs_setup.c), sweep it (nbgs_sweep.c), and use sweeps for velocities (nbgs.c) and for positions
 * (positions.c). */
#ifndef SC_NBGS_H
#define SC_NBGS_H

#include <stdatomic.h>

#include "solve/joints/joint_blocks.h"
#include "solve/solver.h"
#include "solve/sweeps/elastic.h"
#include "problem/contacts/store.h"
#include "solve/sweeps/momentum.h"
#include "solve/sweeps/kernels/sweep.h"

/* Of a thread, on lines of its own. */
typedef struct sc_nbgs_worker {
  double largest;
  bool measured; /* somebody asks for the largest change of the sweep */
  char rest[112];
} sc_nbgs_worker;

typedef struct sc_nbgs sc_nbgs;
/* New impulse of a general contact with a row, lane l of a bundle, which takes the share omega of its answer;
 * the square of its change in velocity, negative when a user's law failed. */
typedef double sc_nbgs_relax(const sc_nbgs *r, double omega, int32_t bundle, int l);

/* How a sweep goes. */
typedef struct sc_nbgs_way {
  bool first;
  double omega; /* share of its answer that a general contact takes */
  double beta;  /* by which momentum moves impulses on before it, 0: none */
  bool watched; /* momentum measures the change it makes */
} sc_nbgs_way;

struct sc_nbgs {
  sc_problem problem; /* as given, but that bodies may lie elsewhere */
  scree_solver_def par;
  sc_pool *pool;
  const sc_exchange *exchange;
  sc_contacts *balls; /* the problem's store, or a store with copies of its rows */
  sc_generals generals;
  sc_bond_lanes bonds;
  sc_elastic elastic; /* where there are bonds */
  /* beside the bundles of both, for positions; else NULL */
  sc_bundle_push *push, *general_push;
  sc_mechanisms mechanisms;
  sc_joint_blocks joints; /* the others */
  bool met;               /* mechanisms that nobody pushes are met, and stay so */
  sc_nbgs_worker *worker;
  sc_momentum momentum; /* where par->acceleration is set */
  sc_sweep *sweep;      /* of balls */
  sc_general_sweep *general_sweep;
  sc_bond_sweep *bond_sweep;
  sc_mechanism_sweep *mechanism_sweep;
  sc_nbgs_relax *relax; /* of general contacts in bundles of kind SC_BUNDLE_ROWS */
  double tolerance_square;
  bool listens; /* the first thread's: messages are looked for between pieces of a sweep */
  atomic_int failed;
  bool halted; /* as `failed` was when all threads had swept */
  int64_t sweeps;
  double largest; /* the change that decides whether to sweep on */
  double norm;    /* of the last change, over all ranks */
};

/* The three spare rows of every thread behind so many bodies (sc_lanes_pad): at rest, with unit mass,
 * immovable, scratch. */
void sc_nbgs_clear_spares(int32_t bodies, int threads, sc_solver_body *body);
/* Order, lanes, blocks of joints, spare rows. False without memory. */
bool sc_nbgs_set_up(
    sc_nbgs *r, const sc_problem *problem, const scree_solver_def *par, sc_pool *pool, sc_arena *arena);
/* A thread's share of the joints, and all that lie in blocks where it is the first, those in bundles moved on
 * by beta before; the largest square of a change. */
double sc_nbgs_joints(const sc_nbgs *r, double beta, int thread, int threads);
/* The sweeps: everything once, on all threads together; shared bodies have met at the end. The largest
 * change that decides, the same on all threads: of this sweep, or, where other ranks sweep their parts, of
 * the sweep before over all ranks. */
double sc_nbgs_sweep(sc_nbgs *r, const sc_nbgs_way *way, int thread, int threads);

#endif
