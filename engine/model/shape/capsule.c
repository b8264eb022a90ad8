/* Capsules: all points within a radius of a segment along z. sc_shape.half: half the length of the
 * segment. */
#include "model/shape/kind.h"

static const scree_param keys[] = {
    SC_SHAPE_RADIUS, SC_SHAPE_LENGTH("along its z axis, between the centres of its caps")};

static sc_mass compute_capsule_mass(const sc_shape *s, double density) {
  return sc_mass_capsule(s->radius, s->half, density);
}
static double bound_capsule(const sc_shape *s) { return s->half + s->radius; }
static void box_of_capsule(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_set3(s->radius, s->radius, s->half + s->radius, half);
}
static double core_of_capsule(const sc_shape *s, double *size) { return *size = s->half, s->radius; }
static void support_capsule(const sc_shape *s, const double d[3], double out[3]) {
  sc_set3(0, 0, d[2] < 0 ? -s->half : s->half, out);
}
static void face_capsule(const sc_shape *s, const double d[3], sc_face *f) {
  (void)d;
  f->count = 2;
  sc_set3(0, 0, -s->half, f->corner[0]);
  sc_set3(0, 0, s->half, f->corner[1]);
}
static int32_t feature_of_capsule(const sc_shape *s, const double d[3]) {
  (void)s;
  return d[2] > 0;
}
static void feature_point_of_capsule(const sc_shape *s, int32_t id, const double d[3], double out[3]) {
  (void)d;
  sc_set3(0, 0, id ? s->half : -s->half, out);
}
static void axes_of_capsule(const sc_shape *s, double out[3]) {
  sc_set3(s->radius, s->radius, 2 * s->half, out);
}
static void draw_capsule(const sc_shape *s, const sc_triangle_sink *sink) {
  sc_draw_capsule(s->radius, 2 * s->half, (const double[3]){1, 1, 1}, sink);
}
static void corners_of_capsule(const sc_shape *s, const sc_point_sink *sink) {
  for (uint32_t k = 0; k < 2; k++) sink->put(sink->to, (double[3]){0, 0, k ? s->half : -s->half}, k);
}

const sc_shape_kind sc_kind_capsule = {
    SC_SHAPE_ABOUT("capsule", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID), .family = SC_FAMILY_CAPSULE,
    .mass = compute_capsule_mass, .bound = bound_capsule, .box = box_of_capsule, .core = core_of_capsule,
    .support = support_capsule, .face = face_capsule, .feature = feature_of_capsule,
    .feature_point = feature_point_of_capsule, .axes = axes_of_capsule, .triangles = draw_capsule,
    .corners = corners_of_capsule};
