/* The table of measurements. A new measurement is a file with a const scree_measure_kind, and a line here. */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

// clang-format off
#define KINDS(row) \
  row(coordination) row(count) row(displacement) row(fabric) row(fields) row(flow) row(force) row(force_distribution) \
  row(grading) row(mixing) row(profile) row(rdf) row(repose) row(sizes) row(stress) row(structure)
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
  SC_DEMAND(name, error, NULL);
  for (int i = 0; i < SC_MEASURE_COUNT(kinds); i++)
    if (!strcmp(kinds[i]->name, name)) return kinds[i];
  const char *near = scree_nearest_name(name, SC_MEASURE_COUNT(kinds), name_at, NULL);
  sc_fail(error, SCREE_E_ARGUMENT, "there is no measurement '%s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
  return NULL;
}

void scree_measure_defaults(const scree_measure_kind *kind, void *def) {
  SC_DEMAND(kind && def, NULL, );
  memset(def, 0, kind->size);
  *(scree_measure_def *)def = (scree_measure_def){.group = -1, .cells = {1, 1, 1}};
  scree_param_defaults(kind->params, kind->params_count, def);
}

scree_status scree_measure_take(const scree_measure_kind *kind, const scree_frame *frame,
    const scree_measure_def *def, scree_measure_result *result, scree_error *error) {
  SC_DEMAND(kind && frame && def && result, error, SCREE_E_ARGUMENT);
  SC_ASSERT(kind && kind->take && frame && def && result);
  *result = (scree_measure_result){0};
  return kind->take(frame, def, result, error);
}
