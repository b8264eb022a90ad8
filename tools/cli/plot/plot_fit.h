/* Fits of curves to the results of a sweep. */
#ifndef CLI_PLOT_FIT_H
#define CLI_PLOT_FIT_H

/* A fragility curve P(x) = Phi(ln(x/median)/spread), where Phi is the normal distribution. */
typedef struct fit_lognormal {
  double median, spread; /* spread: standard deviation of ln x */
  double low, high;      /* 95 % interval of the median */
} fit_lognormal;

/* Fits a fragility curve by maximum likelihood. x[count] > 0; y[count]: 1 for a failure and 0 otherwise, or a
 * share. Returns NULL and sets *out, or returns the reason why there is no fit. */
const char *fit_find_lognormal(const double *x, const double *y, int count, fit_lognormal *out);
/* Returns P(x). */
double fit_probability(const fit_lognormal *fit, double x);
/* Computes the 95 % interval of a probability from a share of n trials (Wilson 1927). */
void fit_wilson_interval(double share, int n, double *low, double *high);

#endif
