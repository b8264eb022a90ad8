/* The table of measurements. A new one is a file with a const scree_measure_kind, and a line here. */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

// clang-format off
#define KINDS(row) \
  row(coordination) row(count) row(flow) row(force) row(force_distribution) row(grading) row(mixing) \
  row(profile) row(rdf) row(sizes) row(stress)
// clang-format on

#define DECLARE(name) extern const scree_measure_kind sc_measure_##name;
KINDS(DECLARE)
#define ENTER(name) &sc_measure_##name,
static const scree_measure_kind *const kinds[] = {KINDS(ENTER)};

const scree_measure_kind *scree_measure_kind_at(int index) {
  return index >= 0 && index < SC_MEASURE_COUNT(kinds) ? kinds[index] : NULL;
}

static const char *name_at(const void *context, int i) {
  (void)context;
  return kinds[i]->name;
}

const scree_measure_kind *scree_measure_find(const char *name, scree_error *error) {
  SC_ASSERT(name);
  for (int i = 0; i < SC_MEASURE_COUNT(kinds); i++)
    if (!strcmp(kinds[i]->name, name)) return kinds[i];
  const char *near = scree_nearest_name(name, SC_MEASURE_COUNT(kinds), name_at, NULL);
  sc_fail(error, SCREE_E_ARGUMENT, "there is no measurement '%s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
  return NULL;
}

void scree_measure_defaults(const scree_measure_kind *kind, void *def) {
  memset(def, 0, kind->size);
  *(scree_measure_def *)def = (scree_measure_def){.group = -1, .cells = {1, 1, 1}};
  scree_param_defaults(kind->params, kind->params_count, def);
}

scree_status scree_measure_take(const scree_measure_kind *kind, const scree_frame *frame,
    const scree_measure_def *def, scree_measure_result *result, scree_error *error) {
  SC_ASSERT(kind && kind->take && frame && def && result);
  *result = (scree_measure_result){0};
  return kind->take(frame, def, result, error);
}

void scree_measure_clear(scree_measure_result *result) {
  for (int i = 0; i < SCREE_MEASURE_FIELDS; i++) sc_free(result->value[i].list);
  *result = (scree_measure_result){0};
}

const scree_measure_value *scree_measure_get(
    const scree_measure_kind *kind, const scree_measure_result *result, const char *name) {
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
