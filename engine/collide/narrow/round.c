/* Spheres, capsules and half-spaces against each other: closed forms.
 *
 * A capsule is a segment with a radius, so each gap is a distance between points, segments and planes, minus
 * the radii. Two nearly parallel capsules touch along a line. They have touches at both ends of the overlap
 * of their segments, so that one can rest on the other without rocking. They have a third touch at the
 * nearest points of their axes if it is deeper. Feature ids: 1 and 2 for the ends, 0 for the nearest
 * points. */
#include "collide/narrow/narrow.h"

static const double up[3] = {0, 0, 1}; /* normal of two spheres whose centres coincide */

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

/* Returns the position along a capsule's segment nearest to a point, -half to half [m]. */
static double find_nearest_position(
    const double centre[3], const double axis[3], double half, const double point[3]) {
  double d[3];
  sc_sub(point, centre, d);
  return sc_clamp(sc_dot(d, axis), -half, half);
}

int sc_narrow_sphere_capsule(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  double axis[3], foot[3], side[3], other[3];
  sc_column(b->R, 2, axis);
  double s = find_nearest_position(b->position, axis, b->shape->half, a->position);
  sc_axpy(s, axis, b->position, foot);
  sc_frame(axis, side, other);
  return sc_touch_balls(a->position, a->shape->radius, foot, b->shape->radius, side, reach, 0, out);
}

/* Computes the positions s on a and t on b of the nearest points of two segments with unit axes u and v. */
static void find_closest_positions(
    const sc_placed *a, const double u[3], const sc_placed *b, const double v[3], double *s, double *t) {
  double d[3], foot[3];
  sc_sub(b->position, a->position, d);
  double c = sc_dot(u, v), du = sc_dot(d, u), dv = sc_dot(d, v), det = 1 - c * c;
  /* first the point of segment a nearest to the line of b, then the point of segment b nearest to this point,
   * then the point of segment a nearest to the point of b */
  *s = det > 0 ? sc_clamp((du - c * dv) / det, -a->shape->half, a->shape->half) : 0;
  sc_axpy(*s, u, a->position, foot);
  *t = find_nearest_position(b->position, v, b->shape->half, foot);
  sc_axpy(*t, v, b->position, foot);
  *s = find_nearest_position(a->position, u, a->shape->half, foot);
}

/* Computes the normal for axes that intersect: their common perpendicular, towards the middle of a. */
static void compute_crossing_normal(
    const sc_placed *a, const double u[3], const sc_placed *b, const double v[3], double out[3]) {
  double d[3], spare[3];
  sc_cross(u, v, out);
  if (!(sc_normalise(out, out) > 1e-6)) sc_frame(u, out, spare);
  sc_sub(a->position, b->position, d);
  if (sc_dot(d, out) < 0) sc_scale(-1, out, out);
}

/* Computes the touch between the points at s on a and t on b. Returns 1 if its gap is <= reach, else 0. */
static int touch_between(const sc_placed *a, const double u[3], double s, const sc_placed *b,
    const double v[3], double t, double reach, uint32_t feature, sc_touch *out) {
  const double ra = a->shape->radius, rb = b->shape->radius;
  double pa[3], pb[3], d[3], apart[3] = {0, 0, 0};
  sc_axpy(s, u, a->position, pa);
  sc_axpy(t, v, b->position, pb);
  sc_sub(pa, pb, d);
  if (!(sc_dot(d, d) > 1e-20 * (ra + rb) * (ra + rb))) compute_crossing_normal(a, u, b, v, apart);
  return sc_touch_balls(pa, ra, pb, rb, apart, reach, feature, out);
}

/* Returns true if the gap between the points at s and t exceeds the reach. The tolerance covers the rounding
 * of nearest points of nearly parallel axes. */
static bool is_out_of_reach(const sc_placed *a, const double u[3], double s, const sc_placed *b,
    const double v[3], double t, double reach) {
  const double far = a->shape->radius + b->shape->radius + reach + 1e-6 * (a->shape->half + b->shape->half);
  double pa[3], pb[3], d[3];
  sc_axpy(s, u, a->position, pa);
  sc_axpy(t, v, b->position, pb);
  sc_sub(pa, pb, d);
  return sc_dot(d, d) > far * far;
}

/* Largest squared sine between nearly parallel axes: 30 degrees. Up to this angle the gaps at the ends of the
 * overlap of short capsules are within the margin. */
static const double max_sine_squared = 0.25;
/* Smallest additional depth of a third touch below the line between the two end touches, as a fraction of the
 * smaller radius. */
static const double min_gain = 1e-4;

/* Computes the two ends of the overlap of nearly parallel segments: positions s on a and t on b. The first
 * end is the lower one along a. Each end is an end point of one segment and its projection on the other
 * segment. The ends are chosen along the mean direction of both axes, so that exchanging a and b gives the
 * same ends. Returns false if the axes are not nearly parallel or the overlap is shorter than a tenth of the
 * smaller radius. */
static bool find_overlap_ends(
    const sc_placed *a, const double u[3], const sc_placed *b, const double v[3], double s[2], double t[2]) {
  double c = sc_dot(u, v), side = c < 0 ? -1 : 1, d[3], point[3];
  if (1 - c * c > max_sine_squared) return false;
  sc_sub(b->position, a->position, d);
  double middle = (sc_dot(d, u) + side * sc_dot(d, v)) / (1 + fabs(c));
  const double ha = a->shape->half, hb = b->shape->half;
  for (int k = 0; k < 2; k++) {
    double way = k ? 1 : -1;
    bool of_a = way * middle + hb > ha;
    s[k] = way * ha, t[k] = way * side * hb;
    if (of_a) {
      sc_axpy(s[k], u, a->position, point);
      t[k] = find_nearest_position(b->position, v, hb, point);
    } else {
      sc_axpy(t[k], v, b->position, point);
      s[k] = find_nearest_position(a->position, u, ha, point);
    }
  }
  return s[1] - s[0] + side * (t[1] - t[0]) > 0.2 * fmin(a->shape->radius, b->shape->radius);
}

int sc_narrow_capsule_capsule(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  double u[3], v[3], s[3], t[3];
  sc_touch all[3];
  sc_column(a->R, 2, u);
  sc_column(b->R, 2, v);
  find_closest_positions(a, u, b, v, s + 2, t + 2);
  if (!find_overlap_ends(a, u, b, v, s, t)) return touch_between(a, u, s[2], b, v, t[2], reach, 0, out);
  if (is_out_of_reach(a, u, s[2], b, v, t[2], reach)) return 0;
  /* all touches are computed first, so that the choice does not depend on the reach */
  for (uint32_t k = 0; k < 3; k++) touch_between(a, u, s[k], b, v, t[k], INFINITY, (k + 1) % 3, all + k);
  double side = t[1] < t[0] ? -1 : 1,
         along = (s[2] - s[0] + side * (t[2] - t[0])) / (s[1] - s[0] + side * (t[1] - t[0])),
         line = all[0].gap + along * (all[1].gap - all[0].gap);
  bool deeper = all[2].gap < line - min_gain * fmin(a->shape->radius, b->shape->radius);
  int count = 0;
  for (int k = 0; k < 2 + deeper; k++)
    if (all[k].gap <= reach) out[count++] = all[k];
  return count;
}
