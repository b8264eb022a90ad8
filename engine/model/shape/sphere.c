/* Spheres: all points within a radius of a point. */
#include "model/shape/kind.h"

static const scree_param keys[] = {SC_SHAPE_RADIUS};

static sc_mass compute_sphere_mass(const sc_shape *s, double density) {
  return sc_mass_sphere(s->radius, density);
}
static double bound_sphere(const sc_shape *s) { return s->radius; }
static void box_of_sphere(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_set3(s->radius, s->radius, s->radius, half);
}
static double core_of_sphere(const sc_shape *s, double *size) { return *size = 0, s->radius; }
static void support_sphere(const sc_shape *s, const double d[3], double out[3]) {
  (void)s, (void)d;
  sc_set3(0, 0, 0, out);
}
static void draw_sphere(const sc_shape *s, const sc_triangle_sink *sink) {
  sc_draw_capsule(s->radius, 0, (const double[3]){1, 1, 1}, sink);
}

const sc_shape_kind sc_kind_sphere = {SC_SHAPE_ABOUT("sphere", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID),
    .family = SC_FAMILY_SPHERE, .mass = compute_sphere_mass, .bound = bound_sphere, .box = box_of_sphere,
    .core = core_of_sphere, .support = support_sphere, .triangles = draw_sphere};
