/* Worlds spread over several processes by MPI (docs/scaling.md).
 *
 * Every rank runs the same program on the same world with the same random numbers: makes it, then calls
 * scree_world_distribute once; from then on each rank keeps the bodies of its own part of space.
 * Functions that make, count, remove, measure, report and step are collective: all ranks call them in
 * the same order. A library built without MPI has these functions too and knows one rank. */
#ifndef SCREE_DIST_H
#define SCREE_DIST_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Number of ranks a process starter (mpirun, srun) has put into this process's environment; 1 without
 * one. MPI is not touched. */
int scree_dist_expected(void);
/* Starts MPI where more than one rank is expected. *rank in [0, *ranks). SCREE_E_ARGUMENT: built without
 * MPI. */
scree_status scree_dist_start(int *rank, int *ranks, scree_error *error);
/* Ends MPI, all ranks together. Nothing where it was not started. */
void scree_dist_stop(void);
/* Bytes of rank 0 go to all others; collective. */
void scree_dist_send_all(void *bytes, size_t size);
/* Rank 0, before it ends all ranks for an error that it has told: the others, who may have met the same
 * error, know by scree_dist_told that nothing is left to say. Nothing on other ranks, and where MPI was not
 * started. */
void scree_dist_tell(void);
/* Whether rank 0 has told an error (any rank; does not wait). */
bool scree_dist_told(void);
/* Ends all ranks at once with an exit code, on an error that the others do not know of. Returns where
 * MPI was not started. */
void scree_dist_abort(int code);

typedef struct scree_dist_def {
  /* ranks along x, y, z; their product is the number of ranks. All 0: as the box of the bodies
   * suggests */
  int grid[3];
  /* planes between ranks move when the fullest rank holds this many times the mean of bodies; 0:
   * never */
  double imbalance;
  int64_t interval; /* steps between two looks at the balance, >= 1 */
} scree_dist_def;
/* No grid, imbalance 1.1, every 100 steps. */
scree_dist_def scree_dist_defaults(void);
/* Spreads a world that is alike on all ranks; nothing happens on one rank. Errors: a grid that does not
 * fit the number of ranks, worlds that differ between ranks, a solver other than nbgs or another stepper
 * than semi_implicit, recorded forces, SCREE_E_MEMORY. */
scree_status scree_world_distribute(scree_world *world, const scree_dist_def *def, scree_error *error);

/* What this rank has done since the world was spread. */
typedef struct scree_dist_traffic {
  /* meetings: exchanges of border velocities, one a sweep and one a step */
  int64_t steps, builds, meetings;
  int64_t migrated;                     /* bodies that came to this rank from another, so far */
  double messages, bytes;               /* sent to other ranks one by one, all kinds but reductions */
  double solver_messages, solver_bytes; /* of these, in meetings */
  int peers;                            /* ranks that ghosts are exchanged with now */
  /* own bodies; entries in the lists of exported bodies; ghosts here */
  int64_t own, exported, imported;
  int64_t met; /* own bodies that others solved contacts of, last step */
  /* in exchanges [s]; of that for the vote on stale lists and the states of ghosts */
  double waiting, aligning;
} scree_dist_traffic;
/* Zeros in a whole world. */
void scree_dist_get_traffic(const scree_world *world, scree_dist_traffic *traffic);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
