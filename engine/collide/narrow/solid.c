/* Balls against solids: signed distance of a point to a box, cylinder, cone, ellipsoid, in closed form,
 * at any depth.
 *
 * Each function works in the solid's frame: the point of the surface nearest to x, the outward normal
 * there and the distance, negative inside. Inside, the nearest point of the surface gives the way out;
 * where several are equally near (the centre of a box, the axis of a cylinder) one is taken by a fixed
 * order, so that the answer is always finite and the same. */
#include "collide/narrow/narrow.h"
#include "collide/narrow/convex.h"

typedef double solid_distance(const sc_shape *shape, const double x[3], double n[3]);

static double box_distance(const sc_shape *shape, const double x[3], double n[3]) {
  const double *h = shape->extent;
  double out[3], square = 0, best = -INFINITY;
  int axis = 0;
  for (int k = 0; k < 3; k++) {
    double depth = fabs(x[k]) - h[k];
    out[k] = depth > 0 ? (x[k] < 0 ? -depth : depth) : 0;
    square += out[k] * out[k];
    if (depth > best) best = depth, axis = k;
  }
  if (square > 0) return sc_normalise(out, n);
  sc_set3(0, 0, 0, n);
  n[axis] = x[axis] < 0 ? -1 : 1;
  return best;
}

/* Puts a normal of the half-plane (away from the axis, along it) back into space; on the axis any side
 * will do. */
static void unfold(const double x[3], double rho, double away, double along, double n[3]) {
  double c = rho > 0 ? x[0] / rho : 1, s = rho > 0 ? x[1] / rho : 0;
  sc_set3(away * c, away * s, along, n);
}

static double cylinder_distance(const sc_shape *shape, const double x[3], double n[3]) {
  double rho = sqrt(x[0] * x[0] + x[1] * x[1]), side = rho - shape->radius, cap = fabs(x[2]) - shape->half,
         up = x[2] < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    double distance = sqrt(side * side + cap * cap);
    unfold(x, rho, side / distance, up * cap / distance, n);
    return distance;
  }
  if (side > cap) unfold(x, rho, 1, 0, n);
  else sc_set3(0, 0, up, n);
  return side > cap ? side : cap;
}

static double cone_distance(const sc_shape *shape, const double x[3], double n[3]) {
  double r = shape->radius, h = shape->half, rho = sqrt(x[0] * x[0] + x[1] * x[1]);
  /* the side runs from the apex (0,h) to the rim (r,-h); (2h,r)/slant is its outward normal */
  double slant = sqrt(4 * h * h + r * r), away = 2 * h / slant, along = r / slant;
  double side = away * rho + along * (x[2] - h), base = -h - x[2];
  if (side <= 0 && base <= 0) {
    if (side >= base) unfold(x, rho, away, along, n);
    else sc_set3(0, 0, -1, n);
    return side >= base ? side : base;
  }
  if (base > 0 && rho <= r) return sc_set3(0, 0, -1, n), base;
  /* share of the side's length at the foot of x; beyond its ends the apex or the rim is nearest */
  double s = (along * rho - away * (x[2] - h)) / slant, end_rho = s <= 0 ? 0 : r, end_z = s <= 0 ? h : -h;
  if (s > 0 && s < 1) return unfold(x, rho, away, along, n), side;
  double d[2] = {rho - end_rho, x[2] - end_z}, distance = sqrt(d[0] * d[0] + d[1] * d[1]);
  if (distance > 0) unfold(x, rho, d[0] / distance, d[1] / distance, n);
  else unfold(x, rho, away, along, n);
  return distance;
}

/* Root t of sum (e x / (t + e^2))^2 = 1 right of -least^2, by Newton from the left, where the function
 * is convex and falls. */
static double ellipsoid_root(const double e[3], const double x[3], int least) {
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

static double ellipsoid_distance(const sc_shape *shape, const double x[3], double n[3]) {
  const double *e = shape->extent;
  int least = 0; /* of equal axes the one with more of x */
  for (int k = 1; k < 3; k++)
    if (e[k] < e[least] || (e[k] == e[least] && fabs(x[k]) > fabs(x[least]))) least = k;
  /* in the plane of symmetry across the least axis, near the middle, the nearest point lies off that plane */
  double y[3], sum = 0, d[3];
  for (int k = 0; k < 3; k++) {
    double apart = e[k] * e[k] - e[least] * e[least];
    y[k] = k != least && apart > 0 ? e[k] * e[k] * x[k] / apart : 0;
    sum += x[k] != 0 && k != least ? (apart > 0 ? y[k] * y[k] / (e[k] * e[k]) : INFINITY) : 0;
  }
  bool off = fabs(x[least]) <= 1e-14 * e[least] && sum < 1;
  double t = off ? 0 : ellipsoid_root(e, x, least), inside = -1;
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

static int ball_solid(
    const sc_placed *a, const sc_placed *b, double reach, solid_distance *distance_to, sc_touch *out) {
  double x[3], local[3], n[3];
  sc_to_local(b, a->position, x);
  double distance = distance_to(b->shape, x, local);
  sc_mat_vec(b->R, local, n);
  return sc_touch_ball(a->position, a->shape->radius, n, distance, reach, 0, out);
}

int sc_narrow_sphere_box(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return ball_solid(a, b, reach, box_distance, out);
}
int sc_narrow_sphere_cylinder(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return ball_solid(a, b, reach, cylinder_distance, out);
}
int sc_narrow_sphere_cone(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return ball_solid(a, b, reach, cone_distance, out);
}
int sc_narrow_sphere_ellipsoid(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return ball_solid(a, b, reach, ellipsoid_distance, out);
}

int sc_narrow_sphere_hull(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const scree_geometry *hull = b->shape->geometry;
  double x[3], n[3], deepest = -INFINITY;
  int32_t best = 0;
  sc_to_local(b, a->position, x);
  for (int32_t f = 0; f < hull->faces; f++) {
    double height = sc_dot(hull->plane[f], x) - hull->plane[f][3];
    if (height > deepest) deepest = height, best = f;
  }
  /* outside the nearest point may lie on an edge or corner */
  if (deepest > 0) return deepest - a->shape->radius > reach ? 0 : sc_narrow_convex(a, b, reach, out);
  sc_mat_vec(b->R, hull->plane[best], n);
  return sc_touch_ball(a->position, a->shape->radius, n, deepest, reach, 0, out);
}
