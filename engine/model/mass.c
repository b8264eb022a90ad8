/* Mass properties, bounding radii and boxes of shapes by type. */
#include "model/mass.h"
#include "math/vec.h"
#include "model/geometry.h"

static const double pi = 3.14159265358979323846;

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

/* In the shape's own frame; mass 0 without a solid. */
static sc_mass solid(const sc_shape *s, double density) {
  switch (s->type) {
  case SCREE_SPHERE: return sc_mass_sphere(s->radius, density);
  case SCREE_CAPSULE: return sc_mass_capsule(s->radius, s->half, density);
  case SCREE_BOX: return sc_mass_box(s->extent, density);
  case SCREE_CYLINDER: return sc_mass_cylinder(s->radius, s->half, density);
  case SCREE_CONE: return sc_mass_cone(s->radius, s->half, density);
  case SCREE_ELLIPSOID: return sc_mass_ellipsoid(s->extent, density);
  default: break;
  }
  sc_mass mass = {0};
  if (!s->geometry || !s->geometry->closed) return mass;
  mass = s->geometry->solid;
  mass.mass *= density;
  for (int k = 0; k < 6; k++) mass.inertia[k] *= density;
  return mass;
}

int sc_shape_mass(const sc_shape *shape, double density, double *mass, double centre[3], double inertia[6]) {
  SC_ASSERT(shape && mass && centre && inertia);
  sc_mass own = solid(shape, density), moved = sc_mass_moved(&own, shape->position, shape->orientation);
  if (!(own.mass > 0)) moved = (sc_mass){0};
  *mass = moved.mass;
  sc_copy3(moved.centre, centre);
  memcpy(inertia, moved.inertia, sizeof moved.inertia);
  return own.mass > 0;
}

double sc_shape_bound(const sc_shape *s) {
  SC_ASSERT(s);
  switch (s->type) {
  case SCREE_SPHERE: return s->radius;
  case SCREE_CAPSULE: return s->half + s->radius;
  case SCREE_BOX: return sc_norm(s->extent);
  case SCREE_CYLINDER:
  case SCREE_CONE: return sqrt(s->radius * s->radius + s->half * s->half);
  case SCREE_ELLIPSOID: return fmax(s->extent[0], fmax(s->extent[1], s->extent[2]));
  case SCREE_HALFSPACE: return INFINITY;
  default: return s->geometry ? s->geometry->bound : 0;
  }
}

void sc_shape_box(const sc_shape *s, double middle[3], double half[3]) {
  SC_ASSERT(s && middle && half);
  sc_set3(0, 0, 0, middle);
  switch (s->type) {
  case SCREE_SPHERE: sc_set3(s->radius, s->radius, s->radius, half); return;
  case SCREE_CAPSULE: sc_set3(s->radius, s->radius, s->half + s->radius, half); return;
  case SCREE_CYLINDER:
  case SCREE_CONE: sc_set3(s->radius, s->radius, s->half, half); return;
  case SCREE_BOX:
  case SCREE_ELLIPSOID: sc_copy3(s->extent, half); return;
  case SCREE_HALFSPACE: sc_set3(INFINITY, INFINITY, INFINITY, half); return;
  default: break;
  }
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (s->geometry->min[k] + s->geometry->max[k]);
    half[k] = 0.5 * (s->geometry->max[k] - s->geometry->min[k]);
  }
}
