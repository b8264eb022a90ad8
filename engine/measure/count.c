/* The number of grains in a region. */
#include "measure/measure.h"

typedef scree_measure_def keys;
static const scree_param params[] = {SC_MEASURE_REGION, SC_MEASURE_GROUP};
enum { GRAINS };
static const scree_measure_field fields[] = {{"grains", "grains", SCREE_WHOLE}};

static scree_status measure_count(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  (void)error;
  int64_t count = 0;
  for (int64_t i = 0; i < frame->bodies; i++) count += sc_measure_grain(frame, i, def->region, def->group);
  sc_measure_set(out, GRAINS, (double)count);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_count = {
    .name = "count", .doc = "number of grains", SC_MEASURE_TABLES, .take = measure_count};
