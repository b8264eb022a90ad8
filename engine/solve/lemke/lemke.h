/* Lemke's complementary pivoting as a plain function. */
#ifndef SC_LEMKE_H
#define SC_LEMKE_H

#include <stdint.h>
#include "base/base.h"

typedef enum sc_lemke_end { SC_LEMKE_SOLVED, SC_LEMKE_RAY, SC_LEMKE_LIMIT, SC_LEMKE_MEMORY } sc_lemke_end;

/* Solves w = M z + q >= 0, z >= 0, w'z = 0 (M n x n row-major). z receives the answer, *pivots the
 * number of exchanges (may be NULL). SC_LEMKE_RAY: the path ended in a secondary ray, which for a
 * copositive-plus M means that there is no solution. SC_LEMKE_LIMIT: more than max_pivots exchanges. z
 * is 0 unless solved. */
sc_lemke_end sc_lemke(
    int n, const double *M, const double *q, int64_t max_pivots, sc_arena *arena, double *z, int64_t *pivots);

#endif
