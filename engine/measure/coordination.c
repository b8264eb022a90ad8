/* Coordination: contacts with a nonzero impulse, counted for each grain. */
#include "measure/measure.h"

scree_status scree_group_coordination(const scree_frame *f, const scree_region *region, int64_t group,
    scree_coordination_result *r, scree_error *error) {
  SC_DEMAND(f && r, error, SCREE_E_ARGUMENT);
  int64_t *touching = sc_alloc((size_t)f->bodies * sizeof *touching + 1), ends = 0, loaded = 0;
  if (!touching) return sc_fail(error, SCREE_E_MEMORY, "no memory to count contacts");
  *r = (scree_coordination_result){0};
  for (int64_t k = 0; k < f->contacts; k++) {
    if (!sc_measure_carries(f->contact + k)) continue;
    int64_t side[2] = {scree_frame_row(f, f->contact[k].body1), scree_frame_row(f, f->contact[k].body2)};
    bool counted = false;
    for (int s = 0; s < 2; s++)
      if (side[s] >= 0 && sc_measure_grain(f, side[s], region, group)) touching[side[s]]++, counted = true;
    r->carrying += counted;
  }
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, region, group)) continue;
    r->grains++;
    ends += touching[i];
    if (touching[i] < 2) r->rattlers++;
    else loaded += touching[i];
    r->histogram[touching[i] < 15 ? touching[i] : 15]++;
  }
  r->mean = r->grains ? (double)ends / (double)r->grains : 0;
  r->mean_loaded = r->grains > r->rattlers ? (double)loaded / (double)(r->grains - r->rattlers) : 0;
  sc_free(touching);
  return SCREE_OK;
}

scree_status scree_coordination(
    const scree_frame *f, const scree_region *region, scree_coordination_result *r, scree_error *error) {
  SC_DEMAND(f && r, error, SCREE_E_ARGUMENT);
  return scree_group_coordination(f, region, -1, r, error);
}

/* ---- the kind ---- */

typedef scree_measure_def keys;
static const scree_param params[] = {SC_MEASURE_REGION, SC_MEASURE_GROUP};
enum { GRAINS, CARRYING, RATTLERS, MEAN, LOADED, HISTOGRAM, BINS = 16 };
static const scree_measure_field fields[] = {{"grains", "grains", SCREE_WHOLE},
    {"carrying", NULL, SCREE_WHOLE}, {"rattlers", NULL, SCREE_WHOLE}, {"mean", "mean", SCREE_FIGURE},
    {"mean_loaded", "loaded", SCREE_FIGURE}, {"histogram", NULL, SCREE_WHOLE_LIST}};

static scree_status measure_coordination(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  scree_coordination_result r;
  scree_status status = scree_group_coordination(frame, def->region, def->group, &r, error);
  if (status) return status;
  double *histogram = sc_measure_list(out, HISTOGRAM, BINS);
  if (!histogram) return sc_measure_no_memory(error);
  for (int i = 0; i < BINS; i++) histogram[i] = (double)r.histogram[i];
  sc_measure_set(out, GRAINS, (double)r.grains);
  sc_measure_set(out, CARRYING, (double)r.carrying);
  sc_measure_set(out, RATTLERS, (double)r.rattlers);
  sc_measure_set(out, MEAN, r.mean);
  sc_measure_set(out, LOADED, r.mean_loaded);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_coordination = {.name = "coordination",
    .doc = "contacts per grain",
    SC_MEASURE_TABLES,
    .contacts = 1,
    .take = measure_coordination};
