/* The secular equation that sliding contacts lead to (friction/secular.c), and what its solution in lanes
 * (solve/sweeps/kernels/sweep_law.h) shares with it. */
#ifndef SC_SECULAR_H
#define SC_SECULAR_H

/* Where the series of secular.c holds; the square of its error over the root at which it ends; no start
 * comes from numbers with squares below the third; a normal row is used where a part of its right-hand side
 * is left. */
#define SC_SECULAR_NEAR 0.01
#define SC_SECULAR_DONE 4e-34
#define SC_SECULAR_LEAST 1e-280
#define SC_ROW_LEFT 16

/* Smallest positive root of  h(l) = sqrt(n0 + 2 n1 l + n2 l^2) + k0 + k1 l - k2 l^2  with h(0) > 0,
 * n >= 0, k2 >= 0; INFINITY if there is none (k2 = 0 only). */
double sc_law_secular(double n0, double n1, double n2, double k0, double k1, double k2, int *iterations);
/* The same from a start that is not above it; and one for N(l) = |p + l q|, given the products of p and q
 * with a vector e, |e| <= 1, all five numbers times a common factor. */
double sc_law_secular_from(
    double l, double n0, double n1, double n2, double k0, double k1, double k2, int *iterations);
double sc_law_secular_start(double ep, double eq, double k0, double k1, double k2);
/* All positive roots, ascending, at most 4; h(0) of any sign. */
int sc_law_secular_all(double n0, double n1, double n2, double k0, double k1, double k2, double *roots);

#endif
