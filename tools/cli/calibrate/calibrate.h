/* Shared by the files of `scree calibrate`. */
#ifndef CLI_CALIBRATE_H
#define CLI_CALIBRATE_H

#include "bind/experiment/calibration.h"
#include "calibrate/search.h"
#include "run/run.h"

/* Outcome at a place. A place is a point in the space of parameters. The outcome has the figures of the runs
 * at the place, one run per seed, and their distance from the targets. */
typedef struct outcome {
  search_place x; /* coordinates of the place in the unit cube of parameters */
  /* [targets] mean of each targeted figure over the seeds; NAN: a run lacks it */
  double mean[SL_TARGETS_MOST];
  double spread[SL_TARGETS_MOST]; /* [targets] standard deviation over the seeds; 0 for one seed */
  double *value;                  /* [targets x seeds] figures of all runs */
  double error;                   /* sum of ((mean - target)/sigma)^2; INFINITY: a run lacks a figure */
  int batch;                      /* number of the sweep that ran the place, from 1 */
} outcome;

typedef struct calibration {
  const run_options *options;
  sl_calibration plan;
  char *base; /* text of the experiment without calibration, in SI units */
  uint64_t seed;
  char directory[RUN_PATH];
  outcome *place; /* [places] outcomes in the order of the search */
  int places, capacity;
  int batches;
  int64_t failed;   /* number of runs without figures */
  int64_t softened; /* number of runs in which rigid contacts became springs */
} calibration;

/* Result of a calibration. */
typedef struct estimate {
  const outcome *best;
  double value[SL_VARIED_MOST], uncertainty[SL_VARIED_MOST]; /* standard error; NAN: unknown */
  double correlation[SL_VARIED_MOST][SL_VARIED_MOST];        /* NAN: unknown */
  bool is_uncertain[SL_VARIED_MOST];                         /* no figure tells the parameter from chance */
  bool has_influence[SL_VARIED_MOST]; /* a figure depends on the parameter by more than rounding errors */
  bool is_at_bound[SL_VARIED_MOST], converged;
  /* [targets] standard error of each mean figure over the seeds; NAN for one seed */
  double error[SL_TARGETS_MOST];
} estimate;

/* Returns the value of parameter i at a coordinate of the unit cube. */
static inline double calibrate_value(const calibration *c, int i, double x) {
  const sl_varied *p = c->plan.parameter + i;
  return p->low + (p->high - p->low) * x;
}
/* Runs all seeds of `count` places as one sweep and appends the outcomes. error: [count] receives the errors
 * of the places; may be NULL. Returns an exit code. */
int calibrate_measure(calibration *c, const search_place *place, int count, double *error);
/* Computes the uncertainty at the best place from central differences. Runs a further batch of places for
 * them. Returns an exit code. */
int calibrate_estimate(calibration *c, estimate *out);
/* Prints the result on stdout, as a table or as JSON. */
void calibrate_print(const calibration *c, const estimate *e, int json);
/* Frees the places and the text of a calibration. */
void calibrate_free(calibration *c);
/* Writes calibrate.csv, a row for each place, in the directory. Returns an exit code. */
int calibrate_write(const calibration *c);

#endif
