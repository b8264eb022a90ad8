/* A step's problem in a file (schema PROB), to be solved again elsewhere: by another solver, another
 * build, a test. */
#ifndef SC_PROBLEM_DUMP_H
#define SC_PROBLEM_DUMP_H

#include "problem/problem.h"

/* Writes all arrays of a problem; laws go by their names. path is replaced as a whole. */
scree_status sc_problem_save(const sc_problem *problem, const char *path, scree_error *error);
/* Reads a problem into the arena. Every index is checked. A law that is not registered (one of a
 * script's) is SCREE_E_MISSING. */
scree_status sc_problem_load(sc_problem *problem, const char *path, sc_arena *arena, scree_error *error);

#endif
