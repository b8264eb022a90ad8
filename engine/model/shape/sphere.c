/* Spheres: a point with a radius. */
#include "model/shape/kind.h"

static const scree_param keys[] = {SC_SHAPE_RADIUS};

static sc_mass mass(const sc_shape *s, double density) { return sc_mass_sphere(s->radius, density); }
static double bound(const sc_shape *s) { return s->radius; }
static void box(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_set3(s->radius, s->radius, s->radius, half);
}
static double core(const sc_shape *s, double *size) { return *size = 0, s->radius; }
static void support(const sc_shape *s, const double d[3], double out[3]) {
  (void)s, (void)d;
  sc_set3(0, 0, 0, out);
}
static void triangles(const sc_shape *s, const sc_triangle_sink *sink) {
  sc_draw_capsule(s->radius, 0, (const double[3]){1, 1, 1}, sink);
}

const sc_shape_kind sc_kind_sphere = {SC_SHAPE_ABOUT("sphere", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID),
    .family = SC_FAMILY_SPHERE, .mass = mass, .bound = bound, .box = box, .core = core, .support = support,
    .triangles = triangles};
