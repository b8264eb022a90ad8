/* Results of measurements: setting and reading figures and lists, and errors that all kinds of measurements
 * share. */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

void scree_measure_clear(scree_measure_result *result) {
  SC_DEMAND(result, NULL, );
  for (int i = 0; i < SCREE_MEASURE_FIELDS; i++) sc_free(result->value[i].list);
  *result = (scree_measure_result){0};
}

const scree_measure_value *scree_measure_get(
    const scree_measure_kind *kind, const scree_measure_result *result, const char *name) {
  SC_DEMAND(kind && name, NULL, NULL);
  for (int i = 0; i < kind->fields; i++)
    if (!strcmp(kind->field[i].name, name)) return result->value[i].given ? result->value + i : NULL;
  return NULL;
}

void sc_measure_set(scree_measure_result *result, int field, double figure) {
  SC_ASSERT(field >= 0 && field < SCREE_MEASURE_FIELDS);
  result->value[field] = (scree_measure_value){.given = 1, .figure = figure};
}

double *sc_measure_list(scree_measure_result *result, int field, int64_t count) {
  SC_ASSERT(field >= 0 && field < SCREE_MEASURE_FIELDS && count >= 0 && !result->value[field].list);
  double *list = sc_alloc((size_t)count * sizeof *list + 1);
  result->value[field] = (scree_measure_value){
      .given = list != NULL, .count = list ? count : 0, .list = list};
  return list;
}

bool sc_measure_middles(scree_measure_result *result, int field, double low, double high, int64_t bins) {
  double *list = sc_measure_list(result, field, bins);
  for (int64_t i = 0; list && i < bins; i++) list[i] = low + (high - low) * ((double)i + 0.5) / (double)bins;
  return list != NULL;
}

scree_status sc_measure_no_memory(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for a measurement");
}

scree_status sc_measure_dt(double dt, scree_error *error) {
  if (!(dt > 0) || !isfinite(dt))
    return sc_fail(error, SCREE_E_ARGUMENT, "dt must be greater than 0, not %g", dt);
  return SCREE_OK;
}

void scree_measure_free(void *bytes) { sc_free(bytes); }
