/* Cones about z. The base is in the plane z = -half, the apex at z = half. */
#include "model/shape/kind.h"

static const scree_param keys[] = {SC_SHAPE_RADIUS, SC_SHAPE_LENGTH("along its z axis")};

static sc_mass compute_cone_mass(const sc_shape *s, double density) {
  return sc_mass_cone(s->radius, s->half, density);
}
static double bound_cone(const sc_shape *s) { return sqrt(s->radius * s->radius + s->half * s->half); }
static void box_of_cone(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_set3(s->radius, s->radius, s->half, half);
}

static void support_cone(const sc_shape *s, const double d[3], double out[3]) {
  sc_rim_point(s->radius, d, -s->half, out);
  if (d[2] * s->half > sc_dot(d, out)) sc_set3(0, 0, s->half, out);
}
static void face_cone(const sc_shape *s, const double d[3], sc_face *f) {
  if (d[2] < -0.7) sc_disc_face(s->radius, -s->half, -1, f);
  else sc_side_face(d, s->radius, -s->half, 0, s->half, f);
}
/* Returns the id of the feature that contains the support point: 0: the rim of the base, 1: the apex. */
static int32_t feature_of_cone(const sc_shape *s, const double d[3]) {
  return 2 * s->half * d[2] > s->radius * sqrt(d[0] * d[0] + d[1] * d[1]);
}
static void feature_point_of_cone(const sc_shape *s, int32_t id, const double d[3], double out[3]) {
  if (id) sc_set3(0, 0, s->half, out);
  else sc_rim_point(s->radius, d, -s->half, out);
}
static double bend_cone(
    const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]) {
  return id ? 0 : sc_rim_bend(s->radius, d, u, v);
}
static void drop_cone(const sc_shape *s, const double n[3], const sc_point_sink *sink) {
  sc_drop_rim(s->radius, -s->half, 0, n, sink);
  sink->put(sink->to, (double[3]){0, 0, s->half}, SC_RIM_NAMES);
}

static int find_cone_side_faces(const sc_shape *s, const double x[3], const double n[3], double cosine,
    double off, double plane[SC_MAX_SIDE_FACES][4]) {
  return sc_flat_end(x, n, -s->half, cosine, off, plane[0]);
}

static double distance_to_cone(const sc_shape *s, const double x[3], double n[3]) {
  double r = s->radius, h = s->half, rho = sqrt(x[0] * x[0] + x[1] * x[1]);
  /* In coordinates (distance from the axis, z), the side is the segment from the apex (0, h) to the rim (r,
   * -h). Its outward normal is (2h, r)/slant. */
  double slant = sqrt(4 * h * h + r * r), away = 2 * h / slant, along = r / slant;
  double side = away * rho + along * (x[2] - h), base = -h - x[2];
  if (side <= 0 && base <= 0) {
    if (side >= base) sc_unfold(x, rho, away, along, n);
    else sc_set3(0, 0, -1, n);
    return side >= base ? side : base;
  }
  if (base > 0 && rho <= r) return sc_set3(0, 0, -1, n), base;
  /* Position along the side of the foot of the perpendicular from x: 0 at the apex, 1 at the rim. Outside
   * this range, the apex or the rim is nearest. */
  double part = (along * rho - away * (x[2] - h)) / slant, end_rho = part <= 0 ? 0 : r,
         end_z = part <= 0 ? h : -h;
  if (part > 0 && part < 1) return sc_unfold(x, rho, away, along, n), side;
  double d[2] = {rho - end_rho, x[2] - end_z}, far = sqrt(d[0] * d[0] + d[1] * d[1]);
  if (far > 0) sc_unfold(x, rho, d[0] / far, d[1] / far, n);
  else sc_unfold(x, rho, away, along, n);
  return far;
}

static void axes_of_cone(const sc_shape *s, double out[3]) {
  sc_set3(s->radius, s->radius, 2 * s->half, out);
}
static void draw_cone(const sc_shape *s, const sc_triangle_sink *sink) {
  sc_draw_frustum(s->radius, 0, 2 * s->half, sink);
}
static void corners_of_cone(const sc_shape *s, const sc_point_sink *sink) {
  sc_frustum_corners(s->radius, 0, s->half, sink);
}

const sc_shape_kind sc_kind_cone = {SC_SHAPE_ABOUT("cone", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID),
    .family = SC_FAMILY_SOLID, .round = true, .mass = compute_cone_mass, .bound = bound_cone,
    .box = box_of_cone, .support = support_cone, .face = face_cone, .feature = feature_of_cone,
    .feature_point = feature_point_of_cone, .bend = bend_cone, .drop = drop_cone,
    .side_faces = find_cone_side_faces, .distance = distance_to_cone, .axes = axes_of_cone,
    .triangles = draw_cone, .corners = corners_of_cone};
