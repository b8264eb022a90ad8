/* Regions: volumes, bounds, and the test whether a point is inside. */
#include "base/base.h"
#include "math/vec.h"
#include "scree/world.h"

#include <math.h>

#define AT(member) offsetof(scree_region, member)
const scree_param scree_region_params[] = {
    SCREE_ROW_BOOLEAN("outside", AT(invert), "what lies outside instead")};
const int scree_region_params_count = sizeof scree_region_params / sizeof *scree_region_params;
const scree_param scree_ball_region_params[] = {
    {"center", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(point), NULL, "centre"},
    {"radius", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, AT(radius), NULL, "radius"}};
const int scree_ball_region_params_count = sizeof scree_ball_region_params / sizeof *scree_ball_region_params;
const scree_param scree_cylinder_region_params[] = {
    {"point", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(point), NULL, "a point on the axis"},
    {"axis", SCREE_VEC3, SCREE_REQUIRED | SCREE_NONZERO, "", 0, 0, 0, AT(axis), NULL,
        "direction of the axis"},
    {"radius", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, AT(radius), NULL, "radius"},
    {"length", SCREE_REAL, SCREE_POSITIVE | SCREE_UNBOUNDED, "m", INFINITY, 0, 0, AT(length), NULL,
        "along the axis, from point; both ways without end where it is left out"}};
const int scree_cylinder_region_params_count = sizeof scree_cylinder_region_params /
    sizeof *scree_cylinder_region_params;
const scree_param scree_halfspace_region_params[] = {
    {"point", SCREE_VEC3, SCREE_REQUIRED, "m", 0, 0, 0, AT(point), NULL, "a point of the plane"},
    {"normal", SCREE_VEC3, SCREE_REQUIRED | SCREE_NONZERO, "", 0, 0, 0, AT(axis), NULL, "outward normal"}};
const int scree_halfspace_region_params_count = sizeof scree_halfspace_region_params /
    sizeof *scree_halfspace_region_params;
const scree_param scree_box_region_params[] = {
    SCREE_ROW_VALUE("min", "m", "lower corner"), SCREE_ROW_VALUE("max", "m", "upper corner")};
const int scree_box_region_params_count = sizeof scree_box_region_params / sizeof *scree_box_region_params;

static const double pi = 3.14159265358979323846;

static bool is_inside(const scree_region *region, const double p[3]) {
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
    /* a cylinder without a length is infinite in both directions; any other cylinder extends from `point`
     * along the axis */
    if (isfinite(region->length) && (along < 0 || along > region->length)) return false;
    return sc_dot(d, d) - along * along <= region->radius * region->radius;
  }
  default: return sc_dot(d, region->axis) <= 0;
  }
}

scree_status scree_region_check(const scree_region *r, const char *path, scree_error *error) {
  SC_DEMAND(r && path, error, SCREE_E_ARGUMENT);
  switch (r->type) {
  case SCREE_REGION_BOX:
    for (int i = 0; i < 3; i++)
      if (!(r->min[i] <= r->max[i]))
        return sc_fail(error, SCREE_E_ARGUMENT, "%s.max[%d] must not be less than min[%d]: %g < %g", path,
            i + 1, i + 1, r->max[i], r->min[i]);
    return SCREE_OK;
  case SCREE_REGION_SPHERE:
    return scree_param_check_all(scree_ball_region_params, scree_ball_region_params_count, r, path, error);
  case SCREE_REGION_CYLINDER:
    return scree_param_check_all(
        scree_cylinder_region_params, scree_cylinder_region_params_count, r, path, error);
  case SCREE_REGION_HALFSPACE:
    return scree_param_check_all(
        scree_halfspace_region_params, scree_halfspace_region_params_count, r, path, error);
  default: return sc_fail(error, SCREE_E_ARGUMENT, "%s: unknown type %d", path, r->type);
  }
}

int scree_region_contains(const scree_region *region, const double p[3]) {
  SC_DEMAND(region && p, NULL, 0);
  return is_inside(region, p) != (region->invert != 0);
}

double scree_region_volume(const scree_region *r) {
  SC_DEMAND(r, NULL, 0);
  if (r->invert) return INFINITY;
  switch (r->type) {
  case SCREE_REGION_BOX: return (r->max[0] - r->min[0]) * (r->max[1] - r->min[1]) * (r->max[2] - r->min[2]);
  case SCREE_REGION_SPHERE: return 4.0 / 3 * pi * r->radius * r->radius * r->radius;
  case SCREE_REGION_CYLINDER: return pi * r->radius * r->radius * r->length;
  default: return INFINITY;
  }
}

void scree_region_bounds(const scree_region *r, double min[3], double max[3]) {
  SC_DEMAND(r && min && max, NULL, );
  double axis[3] = {0, 0, 0};
  if (r->type == SCREE_REGION_CYLINDER) sc_normalise(r->axis, axis);
  for (int k = 0; k < 3; k++) {
    // a disc perpendicular to the axis extends along coordinate axis k by its radius times the sine of the
    // angle between the axis and coordinate axis k
    double reach = r->radius * sqrt(fmax(0, 1 - axis[k] * axis[k])),
           end = axis[k] != 0 ? r->length * axis[k] : 0;
    min[k] = -INFINITY, max[k] = INFINITY;
    if (r->invert || r->type == SCREE_REGION_HALFSPACE || (axis[k] != 0 && isinf(r->length))) continue;
    min[k] = r->type == SCREE_REGION_BOX ? r->min[k] : r->point[k] - reach + fmin(end, 0);
    max[k] = r->type == SCREE_REGION_BOX ? r->max[k] : r->point[k] + reach + fmax(end, 0);
  }
}
