/* Stress, forces on bodies, coordination, and distributions of forces and sizes. */
#include "world/measure/measure.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Adds s a (x) b. */
static void add_outer(double s, const double a[3], const double b[3], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] += s * a[i] * b[j];
}

/* Where a branch ends: the centre of a grain, or the contact point where that side is no grain. */
static const double *branch_end(const scree_frame *f, scree_id body, int64_t group, const double *point) {
  int64_t i = sc_measure_index(f, body);
  return i >= 0 && sc_measure_grain(f, i, NULL, group) ? f->position + 3 * i : point;
}

static void kinetic_stress(
    const scree_frame *f, const scree_region *region, int64_t group, scree_stress_result *r) {
  double mean[3] = {0}, mass = 0, d[3];
  for (int64_t i = 0; i < f->bodies && f->velocity; i++) {
    if (!sc_measure_grain(f, i, region, group)) continue;
    sc_axpy(f->mass[i], f->velocity + 3 * i, mean, mean);
    mass += f->mass[i];
    r->grains++;
  }
  if (!(mass > 0)) return;
  sc_scale(1 / mass, mean, mean);
  for (int64_t i = 0; i < f->bodies; i++) {
    if (!sc_measure_grain(f, i, region, group)) continue;
    sc_sub(f->velocity + 3 * i, mean, d);
    add_outer(f->mass[i] / r->volume, d, d, r->kinetic);
  }
}

scree_status scree_group_stress(const scree_frame *f, const scree_region *region, int64_t group, double dt,
    scree_stress_result *r, scree_error *error) {
  *r = (scree_stress_result){.volume = region ? scree_region_volume(region) : INFINITY};
  if (!isfinite(r->volume) || !(r->volume > 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "stress: the region must be a box, sphere or cylinder of finite volume");
  scree_status status = sc_measure_dt(dt, error);
  if (status) return status;
  for (int64_t k = 0; k < f->contacts; k++) {
    const scree_frame_contact *c = f->contact + k;
    double branch[3];
    if (!sc_measure_carries(c) || !scree_region_contains(region, c->point)) continue;
    sc_sub(branch_end(f, c->body1, group, c->point), branch_end(f, c->body2, group, c->point), branch);
    add_outer(1 / (dt * r->volume), c->impulse, branch, r->contact);
    r->contacts++;
  }
  kinetic_stress(f, region, group, r);
  for (int k = 0; k < 9; k += 4) r->pressure += (r->contact[k] + r->kinetic[k]) / 3;
  return SCREE_OK;
}

scree_status scree_stress(
    const scree_frame *f, const scree_region *region, double dt, scree_stress_result *r, scree_error *error) {
  return scree_group_stress(f, region, -1, dt, r, error);
}

int64_t scree_forces_on(const scree_frame *f, scree_id body, double dt, double force[3], double torque[3]) {
  int64_t index = sc_measure_index(f, body), count = 0;
  sc_set3(0, 0, 0, force);
  sc_set3(0, 0, 0, torque);
  for (int64_t k = 0; k < f->contacts && index >= 0; k++) {
    const scree_frame_contact *c = f->contact + k;
    double sign = (c->body1 == body) - (c->body2 == body), arm[3], moment[3];
    if (sign == 0 || !sc_measure_carries(c)) continue;
    sc_axpy(sign / dt, c->impulse, force, force);
    sc_sub(c->point, f->position + 3 * index, arm);
    sc_cross(arm, c->impulse, moment);
    sc_axpy(sign / dt, moment, torque, torque);
    count++;
  }
  return count;
}

scree_status scree_group_coordination(const scree_frame *f, const scree_region *region, int64_t group,
    scree_coordination_result *r, scree_error *error) {
  int64_t *touching = sc_alloc((size_t)f->bodies * sizeof *touching + 1), ends = 0, loaded = 0;
  if (!touching) return sc_fail(error, SCREE_E_MEMORY, "no memory to count contacts");
  *r = (scree_coordination_result){0};
  for (int64_t k = 0; k < f->contacts; k++) {
    if (!sc_measure_carries(f->contact + k)) continue;
    int64_t side[2] = {sc_measure_index(f, f->contact[k].body1), sc_measure_index(f, f->contact[k].body2)};
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
  return scree_group_coordination(f, region, -1, r, error);
}

/* Normal or friction force of a contact, or -1 where it does not count. */
static double force_of(const scree_frame_contact *c, const scree_region *region, double dt, int tangential) {
  if (!sc_measure_carries(c) || (region && !scree_region_contains(region, c->point))) return -1;
  double normal = sc_dot(c->impulse, c->normal), rest[3];
  sc_axpy(-normal, c->normal, c->impulse, rest);
  return fabs(tangential ? sc_norm(rest) : normal) / dt;
}

int64_t scree_force_density(const scree_frame *f, const scree_region *region, double dt, int tangential,
    double reach, int64_t bins, double *density, double *mean) {
  int64_t count = 0;
  *mean = 0;
  memset(density, 0, (size_t)bins * sizeof *density);
  for (int64_t k = 0; k < f->contacts; k++) {
    double force = force_of(f->contact + k, region, dt, tangential);
    if (force >= 0) *mean += force, count++;
  }
  if (!count || !(*mean > 0)) return count;
  *mean /= (double)count;
  for (int64_t k = 0; k < f->contacts; k++) {
    double place = force_of(f->contact + k, region, dt, tangential) / *mean / reach;
    if (place >= 0 && place < 1)
      density[(int64_t)(place * (double)bins)] += (double)bins / (reach * (double)count);
  }
  return count;
}

void scree_size_density(const scree_frame *f, const scree_region *region, double low, double high,
    int64_t bins, double *number, double *mass) {
  memset(number, 0, (size_t)bins * sizeof *number);
  memset(mass, 0, (size_t)bins * sizeof *mass);
  for (int64_t i = 0; i < f->bodies; i++) {
    double part = (f->radius[i] - low) / (high - low);
    if (!sc_measure_grain(f, i, region, -1) || !(part >= 0) || part > 1) continue;
    int64_t bin = part < 1 ? (int64_t)(part * (double)bins) : bins - 1;
    number[bin] += 1;
    mass[bin] += f->mass[i];
  }
}
