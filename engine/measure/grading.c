/* Grading curve of grains: the share of the grains that is finer than a diameter. Grains are sorted by
 * diameter. Shares are cumulative sums divided by the total. */
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>

typedef struct grain {
  double d, mass;
} grain;

static int by_diameter(const void *a, const void *b) {
  const grain *x = a, *y = b;
  return x->d != y->d ? (x->d > y->d) - (x->d < y->d) : (x->mass > y->mass) - (x->mass < y->mass);
}

/* Returns the smallest diameter such that grains up to this diameter have at least a share of the total mass.
 * whole: total mass [kg]. */
static double diameter_at_share(const grain *g, int64_t count, double share, double whole) {
  double sum = 0;
  for (int64_t i = 0; i < count; i++)
    if ((sum += g[i].mass) >= share * whole) return g[i].d;
  return count ? g[count - 1].d : NAN;
}

/* Returns Kolmogorov's distance between the grading curve of the grains and the target: the largest
 * difference just before or after any step of the grains' curve. */
static double distance_from_target(const grain *g, int64_t count, double whole, const scree_sizes *target) {
  const int by = scree_sizes_by(target);
  double sum = 0, largest = 0;
  for (int64_t i = 0, next; i < count; i = next) {
    const double wanted = scree_sizes_passing(target, g[i].d, by), before = sum;
    for (next = i; next < count && g[next].d == g[i].d; next++)
      sum += by == SCREE_BY_MASS ? g[next].mass / whole : 1 / (double)count;
    largest = fmax(largest, fmax(fabs(wanted - before), fabs(sum - wanted)));
  }
  return largest;
}

scree_status scree_grading(const scree_frame *f, const scree_grading_def *def, double *number, double *mass,
    scree_grading_result *result, scree_error *error) {
  SC_DEMAND(f && def && result, error, SCREE_E_ARGUMENT);
  int64_t count = 0;
  double whole = 0;
  grain *g = sc_alloc((size_t)(f->bodies + 1) * sizeof *g);
  if (!g) return sc_fail(error, SCREE_E_MEMORY, "no memory to sort %lld grains", (long long)f->bodies);
  for (int64_t i = 0; i < f->bodies; i++)
    if (sc_measure_grain(f, i, def->region, def->group)) g[count++] = (grain){2 * f->radius[i], f->mass[i]};
  qsort(g, (size_t)count, sizeof *g, by_diameter);
  for (int64_t i = 0; i < count; i++) whole += g[i].mass;
  for (int64_t s = 0; s < def->sieves; s++) {
    int64_t finer_ones = 0;
    double sum = 0;
    while (finer_ones < count && g[finer_ones].d <= def->sieve[s]) sum += g[finer_ones++].mass;
    number[s] = count ? (double)finer_ones / (double)count : 0;
    mass[s] = count ? sum / whole : 0;
  }
  *result = (scree_grading_result){.grains = count,
      .mass = whole,
      .least = count ? g[0].d : NAN,
      .most = count ? g[count - 1].d : NAN,
      .d10 = diameter_at_share(g, count, 0.1, whole),
      .d50 = diameter_at_share(g, count, 0.5, whole),
      .d90 = diameter_at_share(g, count, 0.9, whole)};
  if (def->target) result->distance = distance_from_target(g, count, whole, def->target);
  sc_free(g);
  return SCREE_OK;
}

/* ---- the kind ---- */

typedef scree_measure_def keys;
static const scree_param params[] = {
    SC_MEASURE_REGION,
    SC_MEASURE_PART("sieves", 0, "list of diameters [m]"),
    SC_MEASURE_PART("target", 0, "distribution of sizes to compare with"),
    SC_MEASURE_GROUP,
};
enum { GRAINS, MASS, D10, D50, D90, LEAST, MOST, DISTANCE, SIEVES, BY_NUMBER, BY_MASS, TARGET };
static const scree_measure_field fields[] = {{"grains", "grains", SCREE_WHOLE},
    {"mass", "mass", SCREE_FIGURE}, {"d10", "d10", SCREE_FIGURE}, {"d50", "d50", SCREE_FIGURE},
    {"d90", "d90", SCREE_FIGURE}, {"min", NULL, SCREE_FIGURE}, {"max", NULL, SCREE_FIGURE},
    {"distance", "distance", SCREE_FIGURE}, {"sieves", "diameter", SCREE_LIST},
    {"by_number", "by_number", SCREE_LIST}, {"by_mass", "by_mass", SCREE_LIST},
    {"target", "target", SCREE_LIST}};

static void set_figures(
    const scree_grading_result *r, const scree_measure_def *def, scree_measure_result *out) {
  const double figure[] = {
      (double)r->grains, r->mass, r->d10, r->d50, r->d90, r->least, r->most, r->distance};
  for (int i = GRAINS; i <= DISTANCE; i++)
    if (i != DISTANCE || def->target) sc_measure_set(out, i, figure[i]);
}

static scree_status measure_grading(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  double *list[4];
  for (int i = 0; i < 3 + (def->target != NULL); i++)
    if (!(list[i] = sc_measure_list(out, SIEVES + i, def->sieves))) return sc_measure_no_memory(error);
  const scree_grading_def grading = {def->region, def->group, def->sieve, def->sieves, def->target};
  scree_grading_result r;
  scree_status status = scree_grading(frame, &grading, list[1], list[2], &r, error);
  if (status) return status;
  for (int64_t i = 0; i < def->sieves; i++) {
    list[0][i] = def->sieve[i];
    if (def->target)
      list[3][i] = scree_sizes_passing(def->target, def->sieve[i], scree_sizes_by(def->target));
  }
  set_figures(&r, def, out);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_grading = {
    .name = "grading", .doc = "grading curve of the grains", SC_MEASURE_TABLES, .take = measure_grading};
