/* Lemke's complementary pivoting as a plain function. */
#ifndef SC_LEMKE_H
#define SC_LEMKE_H

#include <stdint.h>
#include "base/base.h"

typedef enum sc_lemke_end { SC_LEMKE_SOLVED, SC_LEMKE_RAY, SC_LEMKE_LIMIT, SC_LEMKE_MEMORY } sc_lemke_end;

/* Solves w = M z + q >= 0, z >= 0, w'z = 0 (M: n x n, row-major). z: set to the solution, or 0 if none is
 * found. pivots: set to the number of exchanges; may be NULL. Returns SC_LEMKE_RAY if the path ended in a
 * secondary ray; for a copositive-plus M this means that no solution exists. Returns SC_LEMKE_LIMIT after
 * max_pivots exchanges in one path. */
sc_lemke_end sc_lemke(
    int n, const double *M, const double *q, int64_t max_pivots, sc_arena *arena, double *z, int64_t *pivots);

#endif
