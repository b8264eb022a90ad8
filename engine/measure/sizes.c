/* Histogram of the radii of grains, by number and by mass. */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

void scree_size_density(const scree_frame *f, const scree_region *region, double low, double high,
    int64_t bins, double *number, double *mass) {
  SC_DEMAND(f && number && mass, NULL, );
  memset(number, 0, (size_t)bins * sizeof *number);
  memset(mass, 0, (size_t)bins * sizeof *mass);
  for (int64_t i = 0; i < f->bodies; i++) {
    double part = (f->radius[i] - low) / (high - low);
    if (!sc_measure_grain(f, i, region, -1) || !(part >= 0) || part > 1) continue;
    int64_t bin = part < 1 ? (int64_t)(part * (double)bins) : bins - 1;
    number[bin] += 1;
    mass[bin] += f->mass[i];
  }
}

/* ---- the kind ---- */

typedef struct keys {
  scree_measure_def head;
  double low, high;
  int64_t bins;
} keys;
static const scree_param params[] = {
    SC_MEASURE_REGION,
    {"low", SCREE_REAL, 0, "m", 0, 0, INFINITY, SC_MEASURE_AT(low), NULL, "smallest radius"},
    {"high", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, SC_MEASURE_AT(high), NULL,
        "largest radius"},
    SC_MEASURE_BINS(20, 100000),
};
enum { RADIUS, NUMBER, MASS };
static const scree_measure_field fields[] = {
    {"radius", "radius", SCREE_LIST}, {"number", "number", SCREE_LIST}, {"mass", "mass", SCREE_LIST}};

static scree_status measure_sizes(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  const keys *k = (const keys *)def;
  if (!(k->low < k->high))
    return sc_fail(error, SCREE_E_ARGUMENT, "sizes.high must be greater than low: %g <= %g", k->high, k->low);
  double *number = sc_measure_list(out, NUMBER, k->bins), *mass = sc_measure_list(out, MASS, k->bins);
  if (!number || !mass || !sc_measure_middles(out, RADIUS, k->low, k->high, k->bins))
    return sc_measure_no_memory(error);
  scree_size_density(frame, def->region, k->low, k->high, k->bins, number, mass);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_sizes = {.name = "sizes",
    .doc = "distribution of radii by number and by mass",
    SC_MEASURE_TABLES,
    .take = measure_sizes};
