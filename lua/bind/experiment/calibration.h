/* The key `calibrate` of experiments, read and checked. */
#ifndef SL_CALIBRATION_H
#define SL_CALIBRATION_H

#include <stdint.h>

#include "bind/experiment/experiment.h"

enum { SL_VARIED_MOST = 16, SL_TARGETS_MOST = 64 };

/* A parameter that the calibration varies. */
typedef struct sl_varied {
  /* path of the parameter in the experiment, such as "params.mu"; the experiment owns the text */
  const char *path;
  double low, high, start;
  const sl_yaml_node *at; /* entry of the experiment, for messages */
} sl_varied;

/* `calibrate.targets`: a measured figure, which the calibrated runs should reproduce. */
typedef struct sl_target {
  const char *figure;
  double value, sigma; /* measured value and its standard deviation, in the unit of the figure */
  const sl_yaml_node *at;
} sl_target;

typedef struct sl_calibration {
  int parameters, targets, seeds;
  sl_varied parameter[SL_VARIED_MOST];
  sl_target target[SL_TARGETS_MOST];
  bool uses_cma; /* CMA-ES instead of Nelder and Mead */
  /* budget: number of points in parameter space to evaluate; jobs: number of runs at the same time */
  int64_t budget, jobs;
  double tolerance; /* tolerance of each parameter, as a share of its range */
  double step;      /* step of the central differences, as a share of the range */
} sl_calibration;

/* Checks the maps `calibrate.vary` and `calibrate.targets`. Adds problems to the experiment. */
void sl_calibration_check(sl_experiment *experiment);
/* Reads the key `calibrate` of a checked experiment. Returns false if the experiment has no such key. */
bool sl_calibration_read(const sl_experiment *experiment, sl_calibration *out);

#endif
