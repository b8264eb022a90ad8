/* Ellipsoids. sc_shape.extent: the semi-axes. */
#include "model/shape/kind.h"

static const scree_param keys[] = {SC_SHAPE_SIZE("full axes, twice its radii")};

static sc_mass compute_ellipsoid_mass(const sc_shape *s, double density) {
  return sc_mass_ellipsoid(s->extent, density);
}
static double bound_ellipsoid(const sc_shape *s) {
  return fmax(s->extent[0], fmax(s->extent[1], s->extent[2]));
}
static void box_of_ellipsoid(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_copy3(s->extent, half);
}

static void support_ellipsoid(const sc_shape *s, const double d[3], double out[3]) {
  double scaled[3] = {s->extent[0] * d[0], s->extent[1] * d[1], s->extent[2] * d[2]}, width = sc_norm(scaled);
  for (int k = 0; k < 3; k++) out[k] = width > 0 ? s->extent[k] * scaled[k] / width : 0;
}
static double bend_ellipsoid(
    const sc_shape *s, int32_t id, const double d[3], const double u[3], const double v[3]) {
  double width = 0, uv = 0, du = 0, dv = 0;
  (void)id;
  for (int k = 0; k < 3; k++) {
    double e = s->extent[k] * s->extent[k];
    width += e * d[k] * d[k], uv += e * u[k] * v[k], du += e * d[k] * u[k], dv += e * d[k] * v[k];
  }
  return (uv - du * dv / width) / sqrt(width);
}
static void drop_ellipsoid(const sc_shape *s, const double n[3], const sc_point_sink *sink) {
  const double *e = s->extent;
  double x[3] = {e[0] * n[0], e[1] * n[1], e[2] * n[2]}, width = sc_norm(x);
  for (int k = 0; k < 3; k++) x[k] *= -e[k] / width;
  sink->put(sink->to, x, 0);
}

/* Returns the root t > -e[least]^2 of sum (e x / (t + e^2))^2 = 1. The point e^2 x / (t + e^2) of the
 * ellipsoid is then the nearest to x. Newton's method starts to the left of the root, where the function is
 * convex and decreases. e: semi-axes; least: index of the smallest semi-axis. */
static double nearest_root(const double e[3], const double x[3], int least) {
  double t = -e[least] * e[least] + e[least] * fabs(x[least]);
  for (int step = 0; step < 200; step++) {
    double f = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      double d = t + e[k] * e[k], q = d > 0 ? e[k] * x[k] / d : 0;
      f += q * q;
      slope += d > 0 ? q * q / d : 0;
    }
    double next = slope > 0 ? t + 0.5 * f / slope : t;
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

static double distance_to_ellipsoid(const sc_shape *s, const double x[3], double n[3]) {
  const double *e = s->extent;
  int least = 0; /* index of the smallest semi-axis; of equal semi-axes, the one with the larger |x[k]| */
  for (int k = 1; k < 3; k++)
    if (e[k] < e[least] || (e[k] == e[least] && fabs(x[k]) > fabs(x[least]))) least = k;
  /* If x is in the plane of symmetry perpendicular to the smallest axis, and near the centre, the nearest
   * point of the ellipsoid is outside this plane. y: projection of the nearest point onto the plane. */
  double y[3], sum = 0, d[3];
  for (int k = 0; k < 3; k++) {
    double apart = e[k] * e[k] - e[least] * e[least];
    y[k] = k != least && apart > 0 ? e[k] * e[k] * x[k] / apart : 0;
    sum += x[k] != 0 && k != least ? (apart > 0 ? y[k] * y[k] / (e[k] * e[k]) : INFINITY) : 0;
  }
  bool off = fabs(x[least]) <= 1e-14 * e[least] && sum < 1;
  double t = off ? 0 : nearest_root(e, x, least), inside = -1;
  for (int k = 0; k < 3; k++) {
    if (!off) y[k] = e[k] * e[k] * x[k] / (t + e[k] * e[k]);
    inside += x[k] * x[k] / (e[k] * e[k]);
  }
  if (off) y[least] = (x[least] < 0 ? -1 : 1) * e[least] * sqrt(1 - sum);
  for (int k = 0; k < 3; k++) n[k] = y[k] / (e[k] * e[k]);
  sc_normalise(n, n);
  sc_sub(x, y, d);
  return inside < 0 ? -sc_norm(d) : sc_norm(d);
}

static void axes_of_ellipsoid(const sc_shape *s, double out[3]) { sc_copy3(s->extent, out); }
static void draw_ellipsoid(const sc_shape *s, const sc_triangle_sink *sink) {
  sc_draw_capsule(0.5, 0, (const double[3]){2 * s->extent[0], 2 * s->extent[1], 2 * s->extent[2]}, sink);
}

const sc_shape_kind sc_kind_ellipsoid = {
    SC_SHAPE_ABOUT("ellipsoid", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID), .family = SC_FAMILY_SOLID,
    .round = true, .quadric = true, .mass = compute_ellipsoid_mass, .bound = bound_ellipsoid,
    .box = box_of_ellipsoid, .support = support_ellipsoid, .bend = bend_ellipsoid, .drop = drop_ellipsoid,
    .distance = distance_to_ellipsoid, .axes = axes_of_ellipsoid, .triangles = draw_ellipsoid};
