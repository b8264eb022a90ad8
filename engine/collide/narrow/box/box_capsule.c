/* Capsule against box, in the box's axes.
 *
 * Along the capsule's segment the squared distance from the box is piecewise quadratic in the coordinate s of
 * the point. Each piece belongs to one set of sides of the box that the point lies beyond. The slope of the
 * squared distance increases monotonically and is piecewise linear. So the nearest point is an end of the
 * segment or the zero of the slope, which is exact on its piece. If the segment meets the box or nearly does,
 * the general search is used. */
#include "collide/narrow/box/box_face.h"

/* The segment c + s u, |s| <= half, in the box's axes. */
typedef struct line {
  double c[3], u[3], half;
  const double *h; /* half widths of the box [m] */
} line;

/* Computes the vector from the nearest point of the box to the point of the segment at s. */
static inline void compute_offset(const line *l, double s, double out[3]) {
  for (int k = 0; k < 3; k++) {
    const double x = l->c[k] + s * l->u[k], above = x - l->h[k], below = x + l->h[k];
    out[k] = above > 0 ? above : below < 0 ? below : 0;
  }
}

/* The squared distance between the box and the segment's point at s is a piecewise quadratic function of s.
 * This is the quadratic piece at one value of s. */
typedef struct piece {
  double slope, bend; /* half the first and half the second derivative of the squared distance by s */
  int sides;          /* identifies the piece: the set of sides that the point lies beyond */
} piece;

static inline piece piece_at(const line *l, double s) {
  piece p = {0, 0, 0};
  double out[3];
  compute_offset(l, s, out);
  for (int k = 0; k < 3; k++) {
    p.slope += out[k] * l->u[k];
    p.bend += out[k] != 0 ? l->u[k] * l->u[k] : 0;
    p.sides = 3 * p.sides + (out[k] > 0) - (out[k] < 0);
  }
  return p;
}

/* Returns the coordinate s of the point of the segment that is nearest to the box. Newton's method finds the
 * zero of the slope, with bisection as a safeguard. The result is exact once a step stays on its quadratic
 * piece. */
static double find_nearest_on_line(const line *l) {
  enum { MOST = 40 };
  double low = -l->half, high = l->half, s = low;
  piece p = piece_at(l, low);
  if (p.slope >= 0) return low;
  if (piece_at(l, high).slope <= 0) return high;
  for (int round = 0; round < MOST; round++) {
    const double next = s - p.slope / p.bend;
    const bool between = next > low && next < high;
    const int sides = p.sides;
    s = between ? next : 0.5 * (low + high);
    p = piece_at(l, s);
    if ((between && p.sides == sides) || p.slope == 0) break;
    if (p.slope > 0) high = s;
    else low = s;
  }
  return s;
}

/* Computes the nearest points of the surfaces, and the normal from the capsule to the box. Returns false if
 * the segment is so near that rounding blurs the normal. */
static bool compute_nearest_points(const line *l, double radius, double size, sc_nearest *nearest) {
  const double s = find_nearest_on_line(l);
  double out[3];
  compute_offset(l, s, out);
  const double distance = sc_norm(out);
  if (!(distance > 1e-6 * size)) return false;
  nearest->distance = distance - radius;
  sc_scale(-1 / distance, out, nearest->normal);
  sc_axpy(s, l->u, l->c, nearest->a);
  sc_sub(nearest->a, out, nearest->b);
  sc_axpy(radius, nearest->normal, nearest->a, nearest->a);
  return true;
}

static line make_line(const sc_placed *capsule, const sc_placed *box) {
  line l = {.half = capsule->shape->half, .h = box->shape->extent};
  double d[3], axis[3];
  sc_sub(capsule->position, box->position, d);
  sc_mat_tvec(box->R, d, l.c);
  sc_column(capsule->R, 2, axis);
  sc_mat_tvec(box->R, axis, l.u);
  return l;
}

int sc_box_capsule_touches(
    const sc_placed *capsule, const sc_placed *box, double reach, sc_pair_cache *cache, sc_touch *out) {
  const sc_shape *own = capsule->shape;
  const line l = make_line(capsule, box);
  sc_nearest nearest;
  sc_box_view view;
  if (!compute_nearest_points(&l, own->radius, own->half + box->shape->bound, &nearest)) return -1;
  sc_box_view_set(box->shape, box->R, box->position, nearest.normal, reach, &view);
  sc_scale(-1, view.normal, view.normal);
  if (!(nearest.distance <= reach)) {
    sc_axis_set(cache, view.normal);
    return 0;
  }
  sc_patch patch = {.count = 2, .size = own->half, .radius = own->radius};
  for (int end = 0; end < 2; end++) sc_axpy(end ? l.half : -l.half, l.u, l.c, patch.corner[end]);
  const int count = sc_box_overlap(&view, &patch, out);
  return sc_box_nearest_touch(&view, patch.size, &nearest, count, out);
}
