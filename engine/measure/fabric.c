/* Directions of contacts (Satake 1982). The fabric tensor F = <n (x) n> is the mean over the normals n of
 * contacts with a nonzero impulse. Its trace is 1. The anisotropy is (3/2 F' : F')^0.5 with F' = F - I/3 (I:
 * unit matrix). The anisotropy is 0 if all directions are equally frequent, and 1 if all normals lie along
 * one line. */
#include "measure/measure.h"

#include <math.h>

typedef scree_measure_def keys;
static const scree_param params[] = {SC_MEASURE_REGION, SC_MEASURE_GROUP};
enum { TENSOR, ANISOTROPY = 6, CONTACTS };
static const scree_measure_field fields[] = {{"xx", "xx", SCREE_FIGURE}, {"yy", "yy", SCREE_FIGURE},
    {"zz", "zz", SCREE_FIGURE}, {"xy", "xy", SCREE_FIGURE}, {"xz", "xz", SCREE_FIGURE},
    {"yz", "yz", SCREE_FIGURE}, {"anisotropy", "anisotropy", SCREE_FIGURE},
    {"contacts", "contacts", SCREE_WHOLE}};
static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* Returns whether a contact counts: it has an impulse, lies in the region, and at least one of its bodies is
 * a grain of the group. */
static bool has_grain(const scree_frame *f, const scree_frame_contact *c, const scree_measure_def *def) {
  if (!sc_measure_contact(f, c, def->region)) return false;
  const int64_t one = scree_frame_row(f, c->body1), two = scree_frame_row(f, c->body2);
  return (one >= 0 && sc_measure_grain(f, one, NULL, def->group)) ||
      (two >= 0 && sc_measure_grain(f, two, NULL, def->group));
}

static double anisotropy_of(const double F[6]) {
  double sum = 0;
  for (int p = 0; p < 6; p++) {
    const double off = F[p] - (p < 3 ? 1.0 / 3 : 0);
    sum += (p < 3 ? 1 : 2) * off * off;
  }
  return sqrt(1.5 * sum);
}

static scree_status measure_fabric(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  double F[6] = {0}, count = 0;
  (void)error;
  for (int64_t k = 0; k < frame->contacts; k++) {
    const double *n = frame->contact[k].normal;
    if (!has_grain(frame, frame->contact + k, def)) continue;
    for (int p = 0; p < 6; p++) F[p] += n[pairs[p][0]] * n[pairs[p][1]];
    count++;
  }
  /* the values are NaN if there are no contacts */
  for (int p = 0; p < 6; p++) sc_measure_set(out, TENSOR + p, F[p] /= count);
  sc_measure_set(out, ANISOTROPY, anisotropy_of(F));
  sc_measure_set(out, CONTACTS, count);
  out->empty = count == 0;
  return SCREE_OK;
}

const scree_measure_kind sc_measure_fabric = {.name = "fabric",
    .doc = "how the normals of contacts are directed",
    SC_MEASURE_TABLES,
    .contacts = 1,
    .take = measure_fabric};
