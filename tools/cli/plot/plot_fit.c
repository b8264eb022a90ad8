/* Fragility curves.
 *
 * The probability of failure is P = Phi(a + b ln x). Maximum likelihood determines a and b by Fisher's
 * scoring: with P' = phi(a + b ln x) and the weights P'^2/(P (1 - P)), each step solves the weighted
 * normal equations for the working values (y - P)/P' (McCullagh & Nelder 1989). Then median = exp(-a/b)
 * and spread = 1/b. The interval of the median follows from the inverse of the information matrix by the
 * delta method. */
#include "plot/plot_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_STEPS = 200 };
static const double z_95 = 1.959963984540054; /* 97.5 % quantile of the normal distribution */
static const double settled = 1e-10;          /* relative change of a and b at which the search ends */
static const double most_share = 1 - 1e-12;   /* bounds of P in the weights */

static double normal_distribution(double z) { return 0.5 * erfc(-z / sqrt(2)); }
static double normal_density(double z) { return exp(-0.5 * z * z) / sqrt(2 * acos(-1)); }

double fit_probability(const fit_lognormal *fit, double x) {
  return x > 0 ? normal_distribution(log(x / fit->median) / fit->spread) : 0;
}

void fit_wilson_interval(double share, int n, double *low, double *high) {
  const double z2 = z_95 * z_95 / n, middle = (share + z2 / 2) / (1 + z2);
  const double half = z_95 / (1 + z2) * sqrt(share * (1 - share) / n + z2 / (4 * n));
  *low = fmax(0, middle - half), *high = fmin(1, middle + half);
}

/* Returns why the values have no fit, or NULL. Without an overlap of the x of failures and of survivals, the
 * likelihood has no maximum. */
static const char *find_obstacle(const double *x, const double *y, int count) {
  double lowest_failure = INFINITY, highest_survival = -INFINITY;
  for (int i = 0; i < count; i++) {
    if (!(x[i] > 0)) return "a lognormal curve needs x above 0";
    if (!(y[i] >= 0 && y[i] <= 1)) return "a lognormal curve needs values from 0 to 1";
    if (y[i] > 0) lowest_failure = fmin(lowest_failure, x[i]);
    if (y[i] < 1) highest_survival = fmax(highest_survival, x[i]);
  }
  if (lowest_failure == INFINITY) return "all values are 0: sweep larger x";
  if (highest_survival == -INFINITY) return "all values are 1: sweep smaller x";
  if (lowest_failure >= highest_survival)
    return "no x has values of 0 and 1, so the spread is not known: sweep more x or repeats";
  return NULL;
}

/* Sums of the weighted normal equations for a and b. */
typedef struct equations {
  double w, wl, wll, wr, wlr; /* sums of weights, with l = ln x and r = (y - P)/P' */
} equations;

static equations sum_equations(const double *x, const double *y, int count, double a, double b) {
  equations e = {0};
  for (int i = 0; i < count; i++) {
    const double l = log(x[i]), eta = a + b * l, density = fmax(normal_density(eta), 1e-150);
    const double p = fmin(fmax(normal_distribution(eta), 1 - most_share), most_share);
    const double w = density * density / (p * (1 - p)), r = (y[i] - p) / density;
    e.w += w, e.wl += w * l, e.wll += w * l * l, e.wr += w * r, e.wlr += w * l * r;
  }
  return e;
}

static double find_likelihood(const double *x, const double *y, int count, double a, double b) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double eta = a + b * log(x[i]);
    if (y[i] > 0) sum += y[i] * log(fmax(normal_distribution(eta), 1e-300));
    if (y[i] < 1) sum += (1 - y[i]) * log(fmax(normal_distribution(-eta), 1e-300));
  }
  return sum;
}

/* Maximises the likelihood from *a and *b. Halves steps that lower it. Returns true if the search
 * converges. */
static bool maximise_likelihood(const double *x, const double *y, int count, double *a, double *b) {
  double best = find_likelihood(x, y, count, *a, *b);
  for (int step = 0; step < MOST_STEPS; step++) {
    const equations e = sum_equations(x, y, count, *a, *b);
    const double det = e.w * e.wll - e.wl * e.wl;
    if (!(det > 0)) return false;
    const double da = (e.wll * e.wr - e.wl * e.wlr) / det, db = (e.w * e.wlr - e.wl * e.wr) / det;
    double share = 1, now = -INFINITY;
    for (; share > 1e-6; share /= 2) {
      now = find_likelihood(x, y, count, *a + share * da, *b + share * db);
      if (now >= best - 1e-12 * fabs(best)) break;
    }
    if (!(share > 1e-6)) return true;
    *a += share * da, *b += share * db, best = now;
    if (fabs(share * da) <= settled * (1 + fabs(*a)) && fabs(share * db) <= settled * (1 + fabs(*b)))
      return true;
  }
  return false;
}

const char *fit_find_lognormal(const double *x, const double *y, int count, fit_lognormal *out) {
  const char *obstacle = find_obstacle(x, y, count);
  if (obstacle) return obstacle;
  double sum = 0, squares = 0;
  for (int i = 0; i < count; i++) sum += log(x[i]) / count;
  for (int i = 0; i < count; i++) squares += (log(x[i]) - sum) * (log(x[i]) - sum) / count;
  double b = 1 / sqrt(squares), a = -sum * b;
  if (!(squares > 0)) return "a lognormal curve needs several x";
  if (!maximise_likelihood(x, y, count, &a, &b) || !(b > 0))
    return "the share of failures does not grow with x";
  const equations e = sum_equations(x, y, count, a, b);
  const double det = e.w * e.wll - e.wl * e.wl, middle = -a / b;
  /* variance of -a/b: (var a + 2 middle cov + middle^2 var b)/b^2 */
  const double variance = (e.wll - 2 * middle * e.wl + middle * middle * e.w) / (det * b * b);
  const double half = z_95 * sqrt(fmax(0, variance));
  *out = (fit_lognormal){exp(middle), 1 / b, exp(middle - half), exp(middle + half)};
  return NULL;
}
