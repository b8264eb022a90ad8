/* Worlds distributed over several processes by MPI (docs/scaling.md).
 *
 * Every rank runs the same program with the same random numbers. It makes the same world and calls
 * scree_world_distribute once. From then on each rank has the bodies of its own part of space. Functions
 * that make, count, remove, measure, report and step are collective: all ranks call them in the same order.
 * A library built without MPI has these functions too and supports one rank. */
#ifndef SCREE_DIST_H
#define SCREE_DIST_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of ranks that a process starter (mpirun, srun) has set in the environment; 1 without a
 * starter. Does not call MPI. */
int scree_dist_expected(void);
/* Starts MPI if more than one rank is expected. *rank in [0, *ranks). SCREE_E_ARGUMENT: built without MPI. */
scree_status scree_dist_start(int *rank, int *ranks, scree_error *error);
/* Ends MPI, all ranks together. Does nothing if MPI was not started. */
void scree_dist_stop(void);
/* Sends the bytes of rank 0 to all others; collective. */
void scree_dist_send_all(void *bytes, size_t size);
/* Rank 0 calls this after it has reported an error, before it ends all ranks. Other ranks, which may have the
 * same error, then know by scree_dist_told that they need not report it. Does nothing on other ranks and if
 * MPI was not started. */
void scree_dist_tell(void);
/* Returns whether rank 0 has reported an error (on any rank; does not wait). */
bool scree_dist_told(void);
/* Ends all ranks at once with an exit code, for an error that other ranks do not know. Returns only if MPI
 * was not started. */
void scree_dist_abort(int code);

typedef struct scree_dist_def {
  /* ranks along x, y, z; their product is the number of ranks. All 0: chosen from the box of the bodies */
  int grid[3];
  /* planes between ranks move if the fullest rank has more than this many times the mean number of bodies; 0:
   * never */
  double imbalance;
  int64_t interval; /* steps between two tests of the balance, >= 1 */
} scree_dist_def;
/* Returns the defaults: no grid, imbalance 1.1, interval 100. */
scree_dist_def scree_dist_defaults(void);
/* Distributes a world that is equal on all ranks; does nothing on one rank. Errors: a grid that does not fit
 * the number of ranks, worlds that differ between ranks, a solver other than nbgs or a stepper other than
 * semi_implicit, recorded forces, SCREE_E_MEMORY. */
scree_status scree_world_distribute(scree_world *world, const scree_dist_def *def, scree_error *error);

/* Communication of this rank since the world was distributed. */
typedef struct scree_dist_traffic {
  /* meetings: exchanges of border velocities, one per sweep and one per step */
  int64_t steps, builds, meetings;
  int64_t migrated; /* bodies moved to this rank from another, so far */
  /* point-to-point messages sent to other ranks, of all kinds; reductions are not counted */
  double messages, bytes;
  double solver_messages, solver_bytes; /* the part sent in meetings */
  int peers;                            /* ranks with which ghosts are exchanged at present */
  /* own bodies; entries in the lists of exported bodies; ghosts on this rank */
  int64_t own, exported, imported;
  int64_t met; /* own bodies with contacts that other ranks solved in the last step */
  /* time in exchanges [s]; its part for the vote on stale lists and the states of ghosts [s] */
  double waiting, aligning;
} scree_dist_traffic;
/* Returns zeros in a world that is not distributed. */
void scree_dist_get_traffic(const scree_world *world, scree_dist_traffic *traffic);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
