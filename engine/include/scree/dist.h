/* Worlds distributed over several processes by MPI (docs/scaling.md).
 *
 * Every rank runs the same program with the same random numbers. It creates the same world and calls
 * scree_world_distribute once. From then on each rank has the bodies of its own part of space. Functions that
 * create, count, remove, measure, report and step are collective: all ranks call them in the same order. A
 * library built without MPI also has these functions and supports one rank. */
#ifndef SCREE_DIST_H
#define SCREE_DIST_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of ranks that a process starter (mpirun, srun) has set in the environment, or 1 if there
 * is no starter. Does not call MPI. */
int scree_dist_expected(void);
/* Starts MPI if more than one rank is expected. Sets *ranks, and *rank to 0 .. *ranks - 1. Returns
 * SCREE_E_ARGUMENT if the library was built without MPI. */
scree_status scree_dist_start(int *rank, int *ranks, scree_error *error);
/* Ends MPI. All ranks must call it. Does nothing if MPI was not started. */
void scree_dist_stop(void);
/* Copies `size` bytes from rank 0 to all other ranks. Collective. */
void scree_dist_send_all(void *bytes, size_t size);
/* Tells the other ranks that rank 0 has reported an error. Rank 0 calls it before it ends all ranks. Other
 * ranks may have the same error. They then know from scree_dist_told that they need not report it. Does
 * nothing on other ranks and if MPI was not started. */
void scree_dist_tell(void);
/* Returns true if rank 0 has called scree_dist_tell. Any rank may call this function. It does not wait. */
bool scree_dist_told(void);
/* Ends all ranks at once with an exit code. Use it after an error that other ranks do not have. Returns only
 * if MPI was not started. */
void scree_dist_abort(int code);

typedef struct scree_dist_def {
  /* number of ranks along x, y and z; the product must be the number of ranks. All 0: chosen from the box
   * around the bodies */
  int grid[3];
  /* The planes that separate the ranks' parts of space move if the rank with most bodies has more than this
   * many times the mean number of bodies. 0: the planes never move */
  double imbalance;
  int64_t interval; /* number of steps between two tests of the balance, >= 1 */
} scree_dist_def;
/* Returns the default values: no grid, imbalance 1.1, interval 100. */
scree_dist_def scree_dist_defaults(void);
/* Distributes a world that is equal on all ranks. Does nothing on one rank. Fails if the grid does not fit
 * the number of ranks, if worlds differ between ranks, for a solver other than nbgs or a stepper other than
 * semi_implicit, for recorded forces, and without memory. */
scree_status scree_world_distribute(scree_world *world, const scree_dist_def *def, scree_error *error);

/* Communication of this rank since the world was distributed. */
typedef struct scree_dist_traffic {
  /* number of steps; number of times that neighbour lists were built; number of exchanges of body velocities
   * at borders, one per sweep and one per step */
  int64_t steps, builds, meetings;
  int64_t migrated; /* number of bodies that moved from other ranks to this rank so far */
  /* number and bytes of point-to-point messages to other ranks, of all kinds; reductions do not count */
  double messages, bytes;
  /* share of `messages` and `bytes` that the exchanges counted in `meetings` sent */
  double solver_messages, solver_bytes;
  int peers; /* number of ranks with which this rank exchanges ghosts at present */
  /* number of bodies that this rank owns; number of ghosts of these bodies on other ranks; number of ghosts
   * on this rank */
  int64_t own, exported, imported;
  int64_t met; /* number of own bodies with contacts that other ranks solved in the last step */
  /* waiting: time that this rank has waited for other ranks [s]. aligning: share of `waiting` at the start of
   * steps, for the vote on building neighbour lists and for the states of ghosts [s] */
  double waiting, aligning;
} scree_dist_traffic;
/* Sets *traffic to the communication of this rank; zeros if the world is not distributed. */
void scree_dist_get_traffic(const scree_world *world, scree_dist_traffic *traffic);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
