/* Distribution of contact forces divided by their mean. */
#include "measure/measure.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Returns the normal force of contact k, or its friction force if `tangential` is nonzero [N]. Returns -1 if
 * the contact does not count. */
static double force_of(
    const scree_frame *f, int64_t k, const scree_region *region, double dt, int tangential) {
  const scree_frame_contact *c = f->contact + k;
  if (!sc_measure_contact(f, c, region)) return -1;
  double normal = sc_dot(c->impulse, c->normal), rest[3];
  sc_axpy(-normal, c->normal, c->impulse, rest);
  return fabs(tangential ? sc_norm(rest) : normal) / dt;
}

int64_t scree_force_density(const scree_frame *f, const scree_region *region, double dt, int tangential,
    double reach, int64_t bins, double *density, double *mean) {
  SC_DEMAND(f && density && mean, NULL, 0);
  int64_t count = 0;
  *mean = 0;
  memset(density, 0, (size_t)bins * sizeof *density);
  for (int64_t k = 0; k < f->contacts; k++) {
    double force = force_of(f, k, region, dt, tangential);
    if (force >= 0) *mean += force, count++;
  }
  if (!count || !(*mean > 0)) return count;
  *mean /= (double)count;
  for (int64_t k = 0; k < f->contacts; k++) {
    double place = force_of(f, k, region, dt, tangential) / *mean / reach;
    if (place >= 0 && place < 1)
      density[(int64_t)(place * (double)bins)] += (double)bins / (reach * (double)count);
  }
  return count;
}

/* ---- the kind ---- */

typedef struct keys {
  scree_measure_def head;
  double reach;
  int64_t bins;
  int tangential;
} keys;
static const scree_param params[] = {
    SC_MEASURE_REGION,
    {"reach", SCREE_REAL, SCREE_POSITIVE, "", 8, 0, 0, SC_MEASURE_AT(reach), NULL,
        "largest force in units of the mean"},
    SC_MEASURE_BINS(40, 100000),
    {"tangential", SCREE_BOOLEAN, 0, "", 0, 0, 0, SC_MEASURE_AT(tangential), NULL,
        "friction forces instead of normal ones"},
};
enum { FORCE, DENSITY, MEAN, CONTACTS };
static const scree_measure_field fields[] = {{"force", "force", SCREE_LIST},
    {"density", "density", SCREE_MEAN_LIST}, {"mean", NULL, SCREE_FIGURE}, {"contacts", NULL, SCREE_WHOLE}};

static scree_status measure_force_distribution(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  const keys *k = (const keys *)def;
  scree_status status = sc_measure_dt(def->dt, error);
  if (status) return status;
  double *density = sc_measure_list(out, DENSITY, k->bins), mean;
  if (!density || !sc_measure_middles(out, FORCE, 0, k->reach, k->bins)) return sc_measure_no_memory(error);
  int64_t count = scree_force_density(
      frame, def->region, def->dt, k->tangential, k->reach, k->bins, density, &mean);
  sc_measure_set(out, MEAN, mean);
  sc_measure_set(out, CONTACTS, (double)count);
  out->empty = count == 0;
  return SCREE_OK;
}

const scree_measure_kind sc_measure_force_distribution = {.name = "force_distribution",
    .doc = "density of contact forces in units of their mean",
    SC_MEASURE_TABLES,
    .contacts = 1,
    .take = measure_force_distribution};
