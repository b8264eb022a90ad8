/* Mean stress in a region, from the branch vectors of contacts and bonds, and from the velocity fluctuations
 * of grains. */
#include "measure/measure.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Adds s a (x) b to out, a row-major 3x3 matrix. */
static void add_outer(double s, const double a[3], const double b[3], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] += s * a[i] * b[j];
}

static void kinetic_stress(
    const scree_frame *f, const scree_region *region, int64_t group, scree_stress_result *r) {
  double mean[3] = {0}, mass = 0, v[3];
  for (int64_t i = 0; i < f->bodies && f->velocity; i++) {
    if (!sc_measure_grain(f, i, region, group)) continue;
    sc_measure_peculiar(f, i, v);
    sc_axpy(f->mass[i], v, mean, mean);
    mass += f->mass[i];
    r->grains++;
  }
  if (!(mass > 0)) return;
  sc_scale(1 / mass, mean, mean);
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, region, group)) continue;
    sc_measure_peculiar(f, i, v);
    sc_sub(v, mean, v);
    add_outer(f->mass[i] / r->volume, v, v, r->kinetic);
  }
}

/* Computes the branch vector of a bond, from centre 2 to centre 1 [m]. For a body that is not a grain of the
 * group, the branch ends at the bond's point instead of the centre. */
static void bond_branch(const scree_frame *f, const scree_frame_contact *c, int64_t group, double branch[3]) {
  const scree_id body[2] = {c->body1, c->body2};
  sc_set3(0, 0, 0, branch);
  for (int side = 0; side < 2; side++) {
    const int64_t row = scree_frame_row(f, body[side]);
    double arm[3];
    if (row < 0 || !sc_measure_grain(f, row, NULL, group)) continue;
    sc_sub(c->point, f->position + 3 * row, arm);
    sc_axpy(side ? 1 : -1, arm, branch, branch);
  }
}

/* Returns the volume of the region. Without a region, returns the volume of the cell. */
static double volume_of(const scree_frame *f, const scree_region *region) {
  return region ? scree_region_volume(region) : f->has_cell ? f->cell.volume : INFINITY;
}

scree_status scree_group_stress(const scree_frame *f, const scree_region *region, int64_t group, double dt,
    scree_stress_result *r, scree_error *error) {
  SC_DEMAND(f && r, error, SCREE_E_ARGUMENT);
  *r = (scree_stress_result){.volume = volume_of(f, region)};
  if (!isfinite(r->volume) || !(r->volume > 0))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "stress.region must be a box, sphere or cylinder of finite volume; only a cell (world.cell) can take "
        "its place");
  scree_status status = sc_measure_dt(dt, error);
  if (!status) status = sc_measure_images(f, "stress", error);
  if (status) return status;
  for (int64_t k = 0; k < f->contacts; k++) {
    const scree_frame_contact *c = f->contact + k;
    double r1[3], r2[3], branch[3];
    if (!sc_measure_contact(f, c, region)) continue;
    sc_measure_arms(f, c, group, r1, r2);
    sc_sub(r2, r1, branch);
    add_outer(1 / (dt * r->volume), c->impulse, branch, r->contact);
    r->contacts++;
  }
  for (int64_t k = 0; k < f->bonds; k++) {
    double branch[3];
    if (!sc_measure_contact(f, f->bond + k, region)) continue;
    bond_branch(f, f->bond + k, group, branch);
    add_outer(1 / (dt * r->volume), f->bond[k].impulse, branch, r->contact);
  }
  kinetic_stress(f, region, group, r);
  for (int k = 0; k < 9; k += 4) r->pressure += (r->contact[k] + r->kinetic[k]) / 3;
  return SCREE_OK;
}

scree_status scree_stress(
    const scree_frame *f, const scree_region *region, double dt, scree_stress_result *r, scree_error *error) {
  SC_DEMAND(f && r, error, SCREE_E_ARGUMENT);
  return scree_group_stress(f, region, -1, dt, r, error);
}

/* ---- the kind ---- */

typedef scree_measure_def keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", 0, "box, sphere or cylinder; without it the whole cell"), SC_MEASURE_GROUP};
enum { TENSOR, CONTACT = 9, KINETIC, PRESSURE, VOLUME, CONTACTS, GRAINS };
static const scree_measure_field fields[] = {{"xx", "xx", SCREE_FIGURE}, {"xy", "xy", SCREE_FIGURE},
    {"xz", "xz", SCREE_FIGURE}, {"yx", NULL, SCREE_FIGURE}, {"yy", "yy", SCREE_FIGURE},
    {"yz", "yz", SCREE_FIGURE}, {"zx", NULL, SCREE_FIGURE}, {"zy", NULL, SCREE_FIGURE},
    {"zz", "zz", SCREE_FIGURE}, {"contact", NULL, SCREE_LIST}, {"kinetic", NULL, SCREE_LIST},
    {"pressure", "pressure", SCREE_FIGURE}, {"volume", NULL, SCREE_FIGURE}, {"contacts", NULL, SCREE_WHOLE},
    {"grains", NULL, SCREE_WHOLE}};

static scree_status measure_stress(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  scree_stress_result r;
  scree_status status = scree_group_stress(frame, def->region, def->group, def->dt, &r, error);
  if (status) return status;
  double *contact = sc_measure_list(out, CONTACT, 9), *kinetic = sc_measure_list(out, KINETIC, 9);
  if (!contact || !kinetic) return sc_measure_no_memory(error);
  memcpy(contact, r.contact, sizeof r.contact);
  memcpy(kinetic, r.kinetic, sizeof r.kinetic);
  for (int i = 0; i < 9; i++) sc_measure_set(out, TENSOR + i, r.contact[i] + r.kinetic[i]);
  sc_measure_set(out, PRESSURE, r.pressure);
  sc_measure_set(out, VOLUME, r.volume);
  sc_measure_set(out, CONTACTS, (double)r.contacts);
  sc_measure_set(out, GRAINS, (double)r.grains);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_stress = {.name = "stress",
    .doc = "mean stress in a region [Pa]",
    SC_MEASURE_TABLES,
    .contacts = 1,
    .take = measure_stress};
