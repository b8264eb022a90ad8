/* Cylinders about z. sc_shape.half: half the height. */
#include "model/shape/kind.h"

static const scree_param keys[] = {SC_SHAPE_RADIUS, SC_SHAPE_LENGTH("along its z axis")};

static sc_mass compute_cylinder_mass(const sc_shape *s, double density) {
  return sc_mass_cylinder(s->radius, s->half, density);
}
static double bound_cylinder(const sc_shape *s) { return sqrt(s->radius * s->radius + s->half * s->half); }
static void box_of_cylinder(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_set3(s->radius, s->radius, s->half, half);
}

static void support_cylinder(const sc_shape *s, const double d[3], double out[3]) {
  sc_rim_point(s->radius, d, d[2] < 0 ? -s->half : s->half, out);
}
static void face_cylinder(const sc_shape *s, const double d[3], sc_face *f) {
  if (fabs(d[2]) > 0.7) sc_disc_face(s->radius, sc_sign_of(d[2]) * s->half, sc_sign_of(d[2]), f);
  else sc_side_face(d, s->radius, -s->half, s->radius, s->half, f);
}
/* Returns the id of the feature that contains the support point: 0: the lower rim, 1: the upper rim. */
static int32_t feature_of_cylinder(const sc_shape *s, const double d[3]) {
  (void)s;
  return d[2] > 0;
}
static void feature_point_of_cylinder(const sc_shape *s, int32_t id, const double d[3], double out[3]) {
  sc_rim_point(s->radius, d, id ? s->half : -s->half, out);
}
static double bend_cylinder(
    const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]) {
  (void)id;
  return sc_rim_bend(s->radius, d, u, v);
}
static void drop_cylinder(const sc_shape *s, const double n[3], const sc_point_sink *sink) {
  /* The upper rim of a standing cylinder is above the lower rim at all angles. */
  const bool stands = n[0] * n[0] + n[1] * n[1] <= SC_RIM_FLAT * SC_RIM_FLAT;
  if (!stands || n[2] > 0) sc_drop_rim(s->radius, -s->half, 0, n, sink);
  if (!stands || n[2] < 0) sc_drop_rim(s->radius, s->half, SC_RIM_NAMES, n, sink);
}

static int find_cylinder_side_faces(const sc_shape *s, const double x[3], const double n[3], double cosine,
    double off, double plane[SC_MAX_SIDE_FACES][4]) {
  const int top = sc_flat_end(x, n, s->half, cosine, off, plane[0]);
  return top + sc_flat_end(x, n, -s->half, cosine, off, plane[top]);
}

static double distance_to_cylinder(const sc_shape *s, const double x[3], double n[3]) {
  double rho = sqrt(x[0] * x[0] + x[1] * x[1]), side = rho - s->radius, cap = fabs(x[2]) - s->half,
         up = x[2] < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    double away = sqrt(side * side + cap * cap);
    sc_unfold(x, rho, side / away, up * cap / away, n);
    return away;
  }
  if (side > cap) sc_unfold(x, rho, 1, 0, n);
  else sc_set3(0, 0, up, n);
  return side > cap ? side : cap;
}

static void axes_of_cylinder(const sc_shape *s, double out[3]) {
  sc_set3(s->radius, s->radius, 2 * s->half, out);
}
static void draw_cylinder(const sc_shape *s, const sc_triangle_sink *sink) {
  sc_draw_frustum(s->radius, s->radius, 2 * s->half, sink);
}
static void corners_of_cylinder(const sc_shape *s, const sc_point_sink *sink) {
  sc_frustum_corners(s->radius, s->radius, s->half, sink);
}

const sc_shape_kind sc_kind_cylinder = {
    SC_SHAPE_ABOUT("cylinder", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID), .family = SC_FAMILY_SOLID,
    .round = true, .mass = compute_cylinder_mass, .bound = bound_cylinder, .box = box_of_cylinder,
    .support = support_cylinder, .face = face_cylinder, .feature = feature_of_cylinder,
    .feature_point = feature_point_of_cylinder, .bend = bend_cylinder, .drop = drop_cylinder,
    .side_faces = find_cylinder_side_faces, .distance = distance_to_cylinder, .axes = axes_of_cylinder,
    .triangles = draw_cylinder, .corners = corners_of_cylinder};
