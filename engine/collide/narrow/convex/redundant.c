/* Redundant touches.
 *
 * Between two rigid bodies, normal velocity and gap are affine functions of the position in a plane. Consider
 * a touch inside the polygon of other touches with the same normal. If its gap is at least the interpolated
 * gap of the others, they imply it: it stays open if they stay open, and they can transmit every force that
 * it could transmit. Of a plane patch only the corners of its convex hull remain, no matter on how many
 * triangles it was found. */
#include <stdlib.h>
#include "collide/narrow/convex/convex.h"

static const double same_normal = 1e-12; /* tolerance of 1 - cosine of equal normals */

/* A touch of a group with equal normals: its position across the normal, and its index. */
typedef struct spot {
  double x, y, gap;
  int touch;
} spot;

static bool is_before(const spot *p, const spot *q) {
  if (p->x != q->x) return p->x < q->x;
  return p->y != q->y ? p->y < q->y : p->touch < q->touch;
}

static int by_place(const void *a, const void *b) { return is_before(a, b) ? -1 : 1; }

/* Sorts by position; by insertion if there are few, as is usual. */
static void sort(spot *all, int count) {
  enum { FEW = 32 };
  if (count > FEW) {
    qsort(all, (size_t)count, sizeof *all, by_place);
    return;
  }
  for (int k = 1; k < count; k++) {
    const spot s = all[k];
    int at = k;
    for (; at > 0 && is_before(&s, all + at - 1); at--) all[at] = all[at - 1];
    all[at] = s;
  }
}

/* Twice the area of a triangle, positive to the left. */
static double area(const spot *p, const spot *q, const spot *r) {
  return (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
}

/* Returns whether a corner lies between its neighbours and sticks out of their line by no more than `slight`.
 * The tip of a needle lies beyond its neighbours. */
static bool is_straight(const spot *p, const spot *corner, const spot *r, double slight) {
  const double x = r->x - p->x, y = r->y - p->y, square = x * x + y * y,
               along = (corner->x - p->x) * x + (corner->y - p->y) * y;
  return along >= 0 && along <= square && area(p, corner, r) <= slight * sqrt(square);
}

/* Removes straight corners. Returns the number of corners that remain. */
static int straighten(spot *corner, int count, double slight) {
  for (int k = 0; k < count && count > 3;) {
    if (!is_straight(corner + (k + count - 1) % count, corner + k, corner + (k + 1) % count, slight)) {
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
static int outline_of(const spot *all, int count, double slight, spot *out) {
  int kept = 0;
  for (int side = 0; side < 2; side++) {
    int first = kept;
    for (int i = 0; i < count; i++) {
      const spot *s = all + (side ? count - 1 - i : i);
      while (kept - first >= 2 && !(area(out + kept - 2, out + kept - 1, s) > 0)) kept--;
      out[kept++] = *s;
    }
    kept--; /* the next side starts with this point */
  }
  return straighten(out, kept, slight);
}

/* Returns true if the gap interpolated between the corners of a polygon is at most the gap of s. The polygon
 * is split into a fan of triangles. */
static bool implied(const spot *corner, int corners, const spot *s, double slight) {
  for (int k = 1; k + 1 < corners; k++) {
    const spot *p = corner, *q = corner + k, *r = corner + k + 1;
    double whole = area(p, q, r), a = area(q, r, s), b = area(r, p, s), c = area(p, q, s),
           least = -slight * sqrt(whole);
    if (!(whole > 0) || a < least || b < least || c < least) continue;
    return s->gap >= (a * p->gap + b * q->gap + c * r->gap) / whole - slight;
  }
  return false;
}

static bool is_corner(const spot *corner, int corners, int touch) {
  for (int k = 0; k < corners; k++)
    if (corner[k].touch == touch) return true;
  return false;
}

/* Lists the touches that have the normal of touch `first` and marks them as seen. Returns their number. */
static int like(const sc_touch *touch, int count, int first, bool *seen, int out[SC_MOST_TOUCHES]) {
  int found = 0;
  for (int k = first; k < count; k++) {
    if (seen[k] || sc_dot(touch[k].normal, touch[first].normal) < 1 - same_normal) continue;
    seen[k] = true;
    out[found++] = k;
  }
  return found;
}

/* Marks the redundant touches among those with the normal of touch `first`. */
static void mark_group(const sc_touch *touch, int count, int first, double slight, bool *seen, bool *drop) {
  spot all[SC_MOST_TOUCHES], corner[2 * SC_MOST_TOUCHES];
  int name[SC_MOST_TOUCHES];
  double t[3], o[3];
  const int spots = like(touch, count, first, seen, name);
  if (spots < 4) return;
  sc_frame(touch[first].normal, t, o);
  for (int k = 0; k < spots; k++) {
    double d[3];
    sc_sub(touch[name[k]].point, touch[first].point, d);
    all[k] = (spot){sc_dot(d, t), sc_dot(d, o), touch[name[k]].gap, name[k]};
  }
  sort(all, spots);
  int corners = outline_of(all, spots, slight, corner);
  for (int k = 0; k < spots && corners > 2; k++)
    drop[all[k].touch] = !is_corner(corner, corners, all[k].touch) &&
        implied(corner, corners, all + k, slight);
}

void sc_mark_redundant(const sc_touch *touch, int count, double size, bool *drop) {
  bool seen[SC_MOST_TOUCHES];
  SC_ASSERT(count <= SC_MOST_TOUCHES);
  memset(seen, 0, (size_t)count * sizeof *seen);
  for (int k = 0; k < count; k++)
    if (!seen[k]) mark_group(touch, count, k, 1e-9 * size, seen, drop);
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
