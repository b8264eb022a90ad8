/* The way of `auto` with a bare matrix, which is one island: matrix.c. */
#ifndef SC_AUTO_MATRIX_H
#define SC_AUTO_MATRIX_H

#include "solve/solver.h"

scree_status sc_auto_matrix(const sc_problem *problem, const scree_solver_def *par, sc_arena *arena,
    sc_solver_report *report, scree_error *error);

#endif
