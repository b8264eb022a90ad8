/* Stored problems: the contacts and joints of one step in a file, to be solved again by any solver. */
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the problem of the coming step: contacts at the present positions, free velocities, impulses of
 * the last step as guess. The world does not move. */
scree_status scree_world_dump_problem(scree_world *world, const char *path, scree_error *error);

/* Where the problems of steps go that solvers fail on, or that stay above the tolerance where
 * solver.dump asks for these too: DIRECTORY/step-N.prob. NULL: nowhere, as at the start. The error of a
 * failed step names the file. */
scree_status scree_world_set_dump_directory(scree_world *world, const char *directory, scree_error *error);

typedef struct scree_problem_result {
  int64_t bodies, contacts, joint_rows;
  int64_t iterations;
  double residual;       /* of the answer [m/s] (docs/solvers.md) */
  double start_residual; /* of the guess in the file [m/s] */
  /* velocity that relative tolerances refer to: weight over a step or closing velocity [m/s] */
  double scale;
  double seconds; /* wall time of the solver alone */
  /* what the tolerance asks to be small: residual over scale, or, of an FCLib file, its error: the natural
   * map's norm over that of the free velocities */
  double error;
} scree_problem_result;

/* Solves a stored problem. solver->tolerance is relative to the problem's scale, as in a world. cold:
 * start from impulses 0. Errors: a file that is damaged, an unknown solver, a solver that does not take
 * the problem's laws. An FCLib file (HDF5; scree built with the HDF5 library) is solved until the error
 * that its field defines falls to the tolerance. */
scree_status scree_problem_solve(const char *path, const scree_solver_def *solver, int threads, int cold,
    scree_problem_result *result, scree_error *error);
/* The same for the problem of the coming step, without a file; runs on the world's threads. The world
 * does not move. */
scree_status scree_world_try_solver(scree_world *world, const scree_solver_def *solver, int cold,
    scree_problem_result *result, scree_error *error);
/* Names of solvers, NULL past the last. */
const char *scree_solver_name(int index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
