/* Stored problems: a file with the contacts and joints of one step, which any solver can solve again. */
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the problem of the next step to a file: contacts at the present positions, free velocities, and the
 * impulses of the last step as initial guess. The world does not change. */
scree_status scree_world_dump_problem(scree_world *world, const char *path, scree_error *error);

/* Sets the directory to which problems are written: DIRECTORY/step-N.prob. These are problems of steps in
 * which the solver failed. If solver.dump asks for it, also problems that are not converged. The error of a
 * failed step names the file. directory NULL: no problems are written (default). */
scree_status scree_world_set_dump_directory(scree_world *world, const char *directory, scree_error *error);

typedef struct scree_problem_result {
  int64_t bodies, contacts, joint_rows;
  int64_t iterations;
  double residual;       /* residual of the solution [m/s] (docs/solvers.md) */
  double start_residual; /* residual of the initial guess in the file [m/s] */
  /* velocity to which relative tolerances refer: gravity times dt, or the closing velocity [m/s] */
  double scale;
  double seconds; /* wall time of the solver alone */
  /* number that is compared with the tolerance: residual divided by scale. For an FCLib file: norm of the
   * natural map divided by the norm of the free velocities */
  double error;
} scree_problem_result;

/* Solves a stored problem. solver->tolerance is relative to the problem's scale, as in a world. cold: nonzero
 * to start from impulses of 0. Fails for a damaged file, an unknown solver, and laws that the solver does not
 * support. An FCLib file (HDF5; only if scree was built with HDF5) is solved until the error that FCLib
 * defines is below the tolerance. */
scree_status scree_problem_solve(const char *path, const scree_solver_def *solver, int threads, int cold,
    scree_problem_result *result, scree_error *error);
/* Solves the problem of the next step without a file, on the world's threads. The world does not change.
 * cold: see scree_problem_solve. */
scree_status scree_world_try_solver(scree_world *world, const scree_solver_def *solver, int cold,
    scree_problem_result *result, scree_error *error);
/* Returns the name of the solver with an index; NULL past the last. */
const char *scree_solver_name(int index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
