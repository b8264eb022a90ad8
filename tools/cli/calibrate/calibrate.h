/* Shared by the files of `scree calibrate`. */
#ifndef CLI_CALIBRATE_H
#define CLI_CALIBRATE_H

#include "bind/experiment/calibration.h"
#include "calibrate/search.h"
#include "run/run.h"

/* Figures of the runs of a place, over all seeds, and their distance from the targets. */
typedef struct outcome {
  search_place x;                 /* in the unit cube */
  double mean[SL_TARGETS_MOST];   /* of each targeted figure over the seeds; NAN: a run has none */
  double spread[SL_TARGETS_MOST]; /* standard deviation over the seeds; 0 for one seed */
  double *value;                  /* [targets x seeds] */
  double error;                   /* sum of ((mean - target)/sigma)^2; INFINITY: a run has no figures */
  int batch;                      /* number of its sweep, from 1 */
} outcome;

typedef struct calibration {
  const run_options *options;
  sl_calibration plan;
  char *base; /* text of the experiment without calibration, in SI units */
  uint64_t seed;
  char directory[RUN_PATH];
  outcome *place; /* [places] in the order of the search */
  int places, capacity;
  int batches;
  int64_t failed; /* runs without figures */
} calibration;

/* The result. */
typedef struct estimate {
  const outcome *best;
  double value[SL_VARIED_MOST], uncertainty[SL_VARIED_MOST]; /* standard error; NAN: unknown */
  double correlation[SL_VARIED_MOST][SL_VARIED_MOST];        /* NAN: unknown */
  bool is_uncertain[SL_VARIED_MOST];                         /* no figure tells the parameter from chance */
  bool is_at_bound[SL_VARIED_MOST], converged;
  double error[SL_TARGETS_MOST]; /* standard error of each figure over the seeds; NAN for one seed */
} estimate;

/* Returns the value of parameter i at a coordinate of the unit cube. */
static inline double calibrate_value(const calibration *c, int i, double x) {
  const sl_varied *p = c->plan.parameter + i;
  return p->low + (p->high - p->low) * x;
}
/* Runs all seeds at places by one sweep and appends the outcomes. error: receives those of the places, unless
 * NULL. Returns an exit code. */
int calibrate_measure(calibration *c, const search_place *place, int count, double *error);
/* Computes the uncertainty at the best place from central differences, for which it runs a further batch.
 * Returns an exit code. */
int calibrate_estimate(calibration *c, estimate *out);
/* Prints the result on stdout, as a table or as JSON. */
void calibrate_print(const calibration *c, const estimate *e, int json);
/* Frees the places and the text of a calibration. */
void calibrate_free(calibration *c);
/* Writes calibrate.csv, a row for each place, in the directory. Returns an exit code. */
int calibrate_write(const calibration *c);

#endif
