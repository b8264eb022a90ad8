/* The contact problem of a step in a file (schema PROB). Another solver, another build or a test can solve it
 * again. */
#ifndef SC_PROBLEM_DUMP_H
#define SC_PROBLEM_DUMP_H

#include "problem/problem.h"

/* Writes all arrays of a problem to a file; laws are stored by name. Replaces path atomically. */
scree_status sc_problem_save(const sc_problem *problem, const char *path, scree_error *error);
/* Reads a problem into the arena and checks every index. Fails with SCREE_E_MISSING if a law is not
 * registered, such as a script's law. */
scree_status sc_problem_load(sc_problem *problem, const char *path, sc_arena *arena, scree_error *error);

#endif
