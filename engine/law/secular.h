/* The secular equation of sliding contacts (friction/secular.c), and constants shared with its vectorised
 * solution (solve/sweeps/kernels/sweep_law.h). */
#ifndef SC_SECULAR_H
#define SC_SECULAR_H

#define SC_SECULAR_NEAR 0.01    /* largest b^2 + t^2 for the series; secular.c defines b and t */
#define SC_SECULAR_DONE 4e-34   /* square of the relative error at which the iteration ends */
#define SC_SECULAR_LEAST 1e-280 /* smallest discriminant for which a start value is computed */
/* normal impulses come from the normal row if friction leaves at least 1/16 of its b_n */
#define SC_ROW_LEFT 16

/* Returns the smallest positive root of h(l) = sqrt(n0 + 2 n1 l + n2 l^2) + k0 + k1 l - k2 l^2 with h(0) > 0,
 * n >= 0, k2 >= 0. Returns INFINITY if there is no root, which is only possible if k2 = 0. Adds the number of
 * steps to *iterations unless NULL. */
double sc_law_secular(double n0, double n1, double n2, double k0, double k1, double k2, int *iterations);
/* Like sc_law_secular, but starts the iteration at l, which must not be above the root. */
double sc_law_secular_from(
    double l, double n0, double n1, double n2, double k0, double k1, double k2, int *iterations);
/* Returns a start value for sc_law_secular_from if N(l) = |p + l q|. ep, eq: products of p and q with a
 * vector e, |e| <= 1. All five arguments may have a common factor. */
double sc_law_secular_start(double ep, double eq, double k0, double k1, double k2);
/* Writes all positive roots in ascending order and returns their number, at most 4. h(0) may have any
 * sign. */
int sc_law_secular_all(double n0, double n1, double n2, double k0, double k1, double k2, double *roots);

#endif
