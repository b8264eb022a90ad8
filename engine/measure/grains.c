/* Which bodies of a frame measurements look at. */
#include "measure/measure.h"

#include <math.h>

bool sc_measure_grain(const scree_frame *f, int64_t i, const scree_region *region, int64_t group) {
  if (f->kind[i] != SCREE_DYNAMIC || (group >= 0 && f->group[i] != group)) return false;
  return !region || scree_region_contains(region, f->position + 3 * i);
}

const double *sc_measure_branch_end(const scree_frame *f, scree_id body, int64_t group, const double *point) {
  int64_t i = scree_frame_row(f, body);
  return i >= 0 && sc_measure_grain(f, i, NULL, group) ? f->position + 3 * i : point;
}

bool sc_measure_carries(const scree_frame_contact *c) {
  return c->impulse[0] != 0 || c->impulse[1] != 0 || c->impulse[2] != 0;
}

bool sc_measure_repeats(const scree_frame *f) {
  return f->has_cell && f->cell.periodic[0] && f->cell.periodic[1] && f->cell.periodic[2];
}
