/* Regions, volumes and look-ups that all measurements share. */
#include "world/measure/measure.h"
#include "math/vec.h"
#include "model/geometry.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static bool inside(const scree_region *region, const double p[3]) {
  double d[3], axis[3];
  sc_sub(p, region->point, d);
  switch (region->type) {
  case SCREE_REGION_BOX:
    for (int k = 0; k < 3; k++)
      if (p[k] < region->min[k] || p[k] > region->max[k]) return false;
    return true;
  case SCREE_REGION_SPHERE: return sc_dot(d, d) <= region->radius * region->radius;
  case SCREE_REGION_CYLINDER: {
    sc_normalise(region->axis, axis);
    double along = sc_dot(d, axis);
    /* without a length it reaches both ways, from point otherwise */
    if (isfinite(region->length) && (along < 0 || along > region->length)) return false;
    return sc_dot(d, d) - along * along <= region->radius * region->radius;
  }
  default: return sc_dot(d, region->axis) <= 0;
  }
}

int scree_region_contains(const scree_region *region, const double p[3]) {
  return inside(region, p) != (region->invert != 0);
}

double scree_region_volume(const scree_region *r) {
  if (r->invert) return INFINITY;
  switch (r->type) {
  case SCREE_REGION_BOX: return (r->max[0] - r->min[0]) * (r->max[1] - r->min[1]) * (r->max[2] - r->min[2]);
  case SCREE_REGION_SPHERE: return 4.0 / 3 * pi * r->radius * r->radius * r->radius;
  case SCREE_REGION_CYLINDER: return pi * r->radius * r->radius * r->length;
  default: return INFINITY;
  }
}

void scree_region_bounds(const scree_region *r, double min[3], double max[3]) {
  double axis[3] = {0, 0, 0};
  if (r->type == SCREE_REGION_CYLINDER) sc_normalise(r->axis, axis);
  for (int k = 0; k < 3; k++) {
    // a disc across the axis reaches as far as its radius times the sine of the angle between the axes
    double reach = r->radius * sqrt(fmax(0, 1 - axis[k] * axis[k])),
           end = axis[k] != 0 ? r->length * axis[k] : 0;
    min[k] = -INFINITY, max[k] = INFINITY;
    if (r->invert || r->type == SCREE_REGION_HALFSPACE || (axis[k] != 0 && isinf(r->length))) continue;
    min[k] = r->type == SCREE_REGION_BOX ? r->min[k] : r->point[k] - reach + fmin(end, 0);
    max[k] = r->type == SCREE_REGION_BOX ? r->max[k] : r->point[k] + reach + fmax(end, 0);
  }
}

double scree_shape_volume(const scree_shape_info *s) {
  double r = s->radius, disc = pi * r * r;
  switch (s->type) {
  case SCREE_SPHERE: return 4.0 / 3 * disc * r;
  case SCREE_CAPSULE: return disc * (s->length + 4.0 / 3 * r);
  case SCREE_BOX: return s->size[0] * s->size[1] * s->size[2];
  case SCREE_CYLINDER: return disc * s->length;
  case SCREE_CONE: return disc * s->length / 3;
  case SCREE_ELLIPSOID: return pi / 6 * s->size[0] * s->size[1] * s->size[2];
  case SCREE_HULL:
  /* solid: at density 1 */
  case SCREE_MESH: return s->geometry && s->geometry->solid.mass > 0 ? s->geometry->solid.mass : INFINITY;
  default: return INFINITY;
  }
}

bool sc_measure_grain(const scree_frame *f, int64_t i, const scree_region *region, int64_t group) {
  if (f->kind[i] != SCREE_DYNAMIC || (group >= 0 && f->group[i] != group)) return false;
  return !region || scree_region_contains(region, f->position + 3 * i);
}

int64_t sc_measure_index(const scree_frame *f, scree_id body) {
  int64_t low = 0, high = f->bodies;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (f->id[middle] < body) low = middle + 1;
    else high = middle;
  }
  return low < f->bodies && f->id[low] == body ? low : -1;
}

bool sc_measure_carries(const scree_frame_contact *c) {
  return c->impulse[0] != 0 || c->impulse[1] != 0 || c->impulse[2] != 0;
}

scree_status sc_measure_dt(double dt, scree_error *error) {
  if (!(dt > 0) || !isfinite(dt))
    return sc_fail(error, SCREE_E_ARGUMENT, "dt must be greater than 0, not %g", dt);
  return SCREE_OK;
}

void scree_measure_free(void *bytes) { sc_free(bytes); }
