/* Spheres, capsules and half-spaces against each other: closed forms.
 *
 * A capsule is a segment with a radius, so every pair here is a distance between points, segments and
 * planes, less the radii. Two capsules that lie nearly parallel touch along a line: they get touches at
 * the ends of the stretch they share, so that one can rest on the other and does not rock, and one where
 * their axes cross, if it lies deeper there; features 1 and 2 name the ends, 0 the crossing. */
#include "collide/narrow/narrow.h"

static const double up[3] = {0, 0, 1};

int sc_narrow_sphere_sphere(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return sc_touch_balls(a->position, a->shape->radius, b->position, b->shape->radius, up, reach, 0, out);
}

int sc_narrow_sphere_halfspace(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  double n[3], d[3];
  sc_column(b->R, 2, n);
  sc_sub(a->position, b->position, d);
  return sc_touch_ball(a->position, a->shape->radius, n, sc_dot(d, n), reach, 0, out);
}

int sc_narrow_capsule_halfspace(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  double n[3], axis[3], end[3], d[3];
  int count = 0;
  sc_column(b->R, 2, n);
  sc_column(a->R, 2, axis);
  for (uint32_t k = 0; k < 2; k++) {
    sc_axpy(k ? a->shape->half : -a->shape->half, axis, a->position, end);
    sc_sub(end, b->position, d);
    count += sc_touch_ball(end, a->shape->radius, n, sc_dot(d, n), reach, k, out + count);
  }
  return count;
}

/* Position along the axis of a capsule, within its segment, nearest to a point. */
static double nearest_along(
    const double centre[3], const double axis[3], double half, const double point[3]) {
  double d[3];
  sc_sub(point, centre, d);
  return sc_clamp(sc_dot(d, axis), -half, half);
}

int sc_narrow_sphere_capsule(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  double axis[3], foot[3], side[3], other[3];
  sc_column(b->R, 2, axis);
  double s = nearest_along(b->position, axis, b->shape->half, a->position);
  sc_axpy(s, axis, b->position, foot);
  sc_frame(axis, side, other);
  return sc_touch_balls(a->position, a->shape->radius, foot, b->shape->radius, side, reach, 0, out);
}

/* Parameters of the closest points of two segments (centre, unit axis, half length). */
static void closest_segments(
    const sc_placed *a, const double u[3], const sc_placed *b, const double v[3], double *s, double *t) {
  double d[3], foot[3];
  sc_sub(b->position, a->position, d);
  double c = sc_dot(u, v), du = sc_dot(d, u), dv = sc_dot(d, v), det = 1 - c * c;
  /* closest point on a's line to b's line, clamped; then b's closest to it; then a's closest to that */
  *s = det > 0 ? sc_clamp((du - c * dv) / det, -a->shape->half, a->shape->half) : 0;
  sc_axpy(*s, u, a->position, foot);
  *t = nearest_along(b->position, v, b->shape->half, foot);
  sc_axpy(*t, v, b->position, foot);
  *s = nearest_along(a->position, u, a->shape->half, foot);
}

/* Which way axes that cross part: along their common perpendicular, towards a's middle. */
static void parting(
    const sc_placed *a, const double u[3], const sc_placed *b, const double v[3], double out[3]) {
  double d[3], spare[3];
  sc_cross(u, v, out);
  if (!(sc_normalise(out, out) > 1e-6)) sc_frame(u, out, spare);
  sc_sub(a->position, b->position, d);
  if (sc_dot(d, out) < 0) sc_scale(-1, out, out);
}

/* Touch between the points at s on a and t on b. */
static int touch_between(const sc_placed *a, const double u[3], double s, const sc_placed *b,
    const double v[3], double t, double reach, uint32_t feature, sc_touch *out) {
  const double ra = a->shape->radius, rb = b->shape->radius;
  double pa[3], pb[3], d[3], apart[3] = {0, 0, 0};
  sc_axpy(s, u, a->position, pa);
  sc_axpy(t, v, b->position, pb);
  sc_sub(pa, pb, d);
  if (!(sc_dot(d, d) > 1e-20 * (ra + rb) * (ra + rb))) parting(a, u, b, v, apart);
  return sc_touch_balls(pa, ra, pb, rb, apart, reach, feature, out);
}

/* Whether these points are further apart than reach, by more than rounding moves the nearest ones of axes
 * that are nearly parallel. */
static bool out_of_reach(const sc_placed *a, const double u[3], double s, const sc_placed *b,
    const double v[3], double t, double reach) {
  const double far = a->shape->radius + b->shape->radius + reach + 1e-6 * (a->shape->half + b->shape->half);
  double pa[3], pb[3], d[3];
  sc_axpy(s, u, a->position, pa);
  sc_axpy(t, v, b->position, pb);
  sc_sub(pa, pb, d);
  return sc_dot(d, d) > far * far;
}

/* Square of the sine of the angle up to which axes are nearly parallel: at 30 degrees the ends of the
 * stretch that short capsules share still lie within the margin beside the crossing. */
static const double slant = 0.25;
/* By how much deeper, in radii, a crossing must lie than the line between both ends. */
static const double worth = 1e-4;

/* The two ends of the stretch that nearly parallel segments share: each is an end point of one of them
 * and its foot on the other, as parameters s on a and t on b, lower end along a first. Which ends these are
 * is seen along the line between both axes, so that it does not matter who is a. False if they are not
 * nearly parallel or share less than a tenth of a radius. */
static bool shared_stretch(
    const sc_placed *a, const double u[3], const sc_placed *b, const double v[3], double s[2], double t[2]) {
  double c = sc_dot(u, v), side = c < 0 ? -1 : 1, d[3], point[3];
  if (1 - c * c > slant) return false;
  sc_sub(b->position, a->position, d);
  double middle = (sc_dot(d, u) + side * sc_dot(d, v)) / (1 + fabs(c));
  const double ha = a->shape->half, hb = b->shape->half;
  for (int k = 0; k < 2; k++) {
    double way = k ? 1 : -1;
    bool of_a = way * middle + hb > ha;
    s[k] = way * ha, t[k] = way * side * hb;
    if (of_a) {
      sc_axpy(s[k], u, a->position, point);
      t[k] = nearest_along(b->position, v, hb, point);
    } else {
      sc_axpy(t[k], v, b->position, point);
      s[k] = nearest_along(a->position, u, ha, point);
    }
  }
  return s[1] - s[0] + side * (t[1] - t[0]) > 0.2 * fmin(a->shape->radius, b->shape->radius);
}

int sc_narrow_capsule_capsule(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  double u[3], v[3], s[3], t[3];
  sc_touch all[3];
  sc_column(a->R, 2, u);
  sc_column(b->R, 2, v);
  closest_segments(a, u, b, v, s + 2, t + 2);
  if (!shared_stretch(a, u, b, v, s, t)) return touch_between(a, u, s[2], b, v, t[2], reach, 0, out);
  if (out_of_reach(a, u, s[2], b, v, t[2], reach)) return 0;
  /* which touches there are does not depend on the reach */
  for (uint32_t k = 0; k < 3; k++) touch_between(a, u, s[k], b, v, t[k], INFINITY, (k + 1) % 3, all + k);
  double side = t[1] < t[0] ? -1 : 1,
         along = (s[2] - s[0] + side * (t[2] - t[0])) / (s[1] - s[0] + side * (t[1] - t[0])),
         line = all[0].gap + along * (all[1].gap - all[0].gap);
  bool deeper = all[2].gap < line - worth * fmin(a->shape->radius, b->shape->radius);
  int count = 0;
  for (int k = 0; k < 2 + deeper; k++)
    if (all[k].gap <= reach) out[count++] = all[k];
  return count;
}
