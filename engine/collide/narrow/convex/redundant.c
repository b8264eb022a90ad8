/* Redundant touches.
 *
 * Between two rigid bodies, normal velocity and gap are affine functions of the position in a plane. Consider
 * a touch P inside the polygon of other touches with the same normal. If the gap at P is at least the gap
 * interpolated from the others, P is redundant: P stays open if the others stay open, and the others can
 * transmit every force that P could transmit. Only the corners of the convex hull of a plane patch of touches
 * remain, no matter on how many triangles the touches were found. */
#include <stdlib.h>
#include "collide/narrow/convex/convex.h"

static const double same_normal = 1e-12; /* tolerance of 1 - cosine of equal normals */

/* A touch of a group with equal normals: its position perpendicular to the normal [m], its gap and its
 * index. */
typedef struct planar_touch {
  double x, y, gap;
  int touch;
} planar_touch;

static bool is_before(const planar_touch *p, const planar_touch *q) {
  if (p->x != q->x) return p->x < q->x;
  return p->y != q->y ? p->y < q->y : p->touch < q->touch;
}

static int by_place(const void *a, const void *b) { return is_before(a, b) ? -1 : 1; }

/* Sorts touches by x, then by y. Uses insertion sort for few touches, the usual case. */
static void sort_touches(planar_touch *all, int count) {
  enum { FEW = 32 };
  if (count > FEW) {
    qsort(all, (size_t)count, sizeof *all, by_place);
    return;
  }
  for (int k = 1; k < count; k++) {
    const planar_touch s = all[k];
    int at = k;
    for (; at > 0 && is_before(&s, all + at - 1); at--) all[at] = all[at - 1];
    all[at] = s;
  }
}

/* Returns twice the area of triangle p q r; positive if r lies to the left of the line from p to q. */
static double signed_area(const planar_touch *p, const planar_touch *q, const planar_touch *r) {
  return (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
}

/* Returns whether a corner lies between its neighbours p and r and sticks out of their line by at most
 * `tolerance`. The tip of a needle does not lie between its neighbours. */
static bool is_straight_corner(
    const planar_touch *p, const planar_touch *corner, const planar_touch *r, double tolerance) {
  const double x = r->x - p->x, y = r->y - p->y, square = x * x + y * y,
               along = (corner->x - p->x) * x + (corner->y - p->y) * y;
  return along >= 0 && along <= square && signed_area(p, corner, r) <= tolerance * sqrt(square);
}

/* Removes straight corners. Returns the number of corners that remain. */
static int drop_straight_corners(planar_touch *corner, int count, double tolerance) {
  for (int k = 0; k < count && count > 3;) {
    if (!is_straight_corner(
            corner + (k + count - 1) % count, corner + k, corner + (k + 1) % count, tolerance)) {
      k++;
      continue;
    }
    count--;
    memmove(corner + k, corner + k + 1, (size_t)(count - k) * sizeof *corner);
    if (k) k--;
  }
  return count;
}

/* Computes the convex hull of sorted points by monotone chains (Andrew 1979). Returns the number of
 * corners. */
static int compute_convex_hull(const planar_touch *all, int count, double tolerance, planar_touch *out) {
  int kept = 0;
  for (int side = 0; side < 2; side++) {
    int first = kept;
    for (int i = 0; i < count; i++) {
      const planar_touch *s = all + (side ? count - 1 - i : i);
      while (kept - first >= 2 && !(signed_area(out + kept - 2, out + kept - 1, s) > 0)) kept--;
      out[kept++] = *s;
    }
    kept--; /* the last point of this side is the first point of the next side */
  }
  return drop_straight_corners(out, kept, tolerance);
}

/* Returns true if the gap interpolated between the corners of a polygon is at most the gap of touch s. The
 * polygon is split into a fan of triangles. */
static bool is_implied(const planar_touch *corner, int corners, const planar_touch *s, double tolerance) {
  for (int k = 1; k + 1 < corners; k++) {
    const planar_touch *p = corner, *q = corner + k, *r = corner + k + 1;
    double whole = signed_area(p, q, r), a = signed_area(q, r, s), b = signed_area(r, p, s),
           c = signed_area(p, q, s), min = -tolerance * sqrt(whole);
    if (!(whole > 0) || a < min || b < min || c < min) continue;
    return s->gap >= (a * p->gap + b * q->gap + c * r->gap) / whole - tolerance;
  }
  return false;
}

static bool is_corner(const planar_touch *corner, int corners, int touch) {
  for (int k = 0; k < corners; k++)
    if (corner[k].touch == touch) return true;
  return false;
}

/* Lists the touches that have the normal of touch `first` and marks them as seen. Returns their number. */
static int collect_group(const sc_touch *touch, int count, int first, bool *seen, int out[SC_MOST_TOUCHES]) {
  int found = 0;
  for (int k = first; k < count; k++) {
    if (seen[k] || sc_dot(touch[k].normal, touch[first].normal) < 1 - same_normal) continue;
    seen[k] = true;
    out[found++] = k;
  }
  return found;
}

/* Marks the redundant touches among the touches that have the normal of touch `first`. */
static void mark_redundant_group(
    const sc_touch *touch, int count, int first, double tolerance, bool *seen, bool *drop) {
  planar_touch all[SC_MOST_TOUCHES], corner[2 * SC_MOST_TOUCHES];
  int index[SC_MOST_TOUCHES];
  double t[3], o[3];
  const int found = collect_group(touch, count, first, seen, index);
  if (found < 4) return;
  sc_frame(touch[first].normal, t, o);
  for (int k = 0; k < found; k++) {
    double d[3];
    sc_sub(touch[index[k]].point, touch[first].point, d);
    all[k] = (planar_touch){sc_dot(d, t), sc_dot(d, o), touch[index[k]].gap, index[k]};
  }
  sort_touches(all, found);
  int corners = compute_convex_hull(all, found, tolerance, corner);
  for (int k = 0; k < found && corners > 2; k++)
    drop[all[k].touch] = !is_corner(corner, corners, all[k].touch) &&
        is_implied(corner, corners, all + k, tolerance);
}

void sc_mark_redundant(const sc_touch *touch, int count, double size, bool *drop) {
  bool seen[SC_MOST_TOUCHES];
  SC_ASSERT(count <= SC_MOST_TOUCHES);
  memset(seen, 0, (size_t)count * sizeof *seen);
  for (int k = 0; k < count; k++)
    if (!seen[k]) mark_redundant_group(touch, count, k, 1e-9 * size, seen, drop);
}

int sc_drop_redundant(sc_touch *touch, int count, double size) {
  bool drop[SC_MOST_TOUCHES];
  int kept = 0;
  if (count < 4 || count > SC_MOST_TOUCHES) return count;
  memset(drop, 0, (size_t)count * sizeof *drop);
  sc_mark_redundant(touch, count, size, drop);
  for (int k = 0; k < count; k++)
    if (!drop[k]) touch[kept++] = touch[k];
  return kept;
}
