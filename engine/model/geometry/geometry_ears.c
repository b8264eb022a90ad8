/* Cuts a polygon into triangles: into a fan if it is convex, else by cutting ears (Meisters 1975).
 *
 * An ear is a convex corner whose triangle contains no other corner of the polygon. The polygon is projected
 * along the axis that is nearest to its normal (Newell's method). Ears are cut off in the order of the
 * corners until three corners remain. A corner on a straight edge is not an ear, so the triangles of its
 * neighbours contain it. A polygon that crosses itself may have no ear. The remaining corners then become a
 * fan. */
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

typedef struct polygon {
  const double (*point)[3]; /* points of the soup (sc_soup.point) */
  const int32_t *corner;
  int u, v;      /* axes of the projection (0 to 2), chosen so that the corners run counter-clockwise */
  int32_t *next; /* [corners] next corner that is not cut off; -1: this corner is cut off */
  int32_t *last; /* [corners] previous corner that is not cut off */
  int32_t *bend; /* [bends] indices of the corners that are not convex, in ascending order */
  int32_t bends;
} polygon;

/* Returns twice the signed area of the triangle a, b, c in the projection [m^2]. Positive:
 * counter-clockwise. */
static double measure_turn(const polygon *p, int32_t a, int32_t b, int32_t c) {
  const double *x = p->point[p->corner[a]], *y = p->point[p->corner[b]], *z = p->point[p->corner[c]];
  return (y[p->u] - x[p->u]) * (z[p->v] - x[p->v]) - (y[p->v] - x[p->v]) * (z[p->u] - x[p->u]);
}

static void choose_axes(polygon *p, int32_t corners) {
  double n[3] = {0, 0, 0};
  const double *origin = p->point[p->corner[0]];
  for (int32_t k = 1; k + 1 < corners; k++) {
    double e[3], f[3], c[3];
    sc_sub(p->point[p->corner[k]], origin, e);
    sc_sub(p->point[p->corner[k + 1]], origin, f);
    sc_cross(e, f, c);
    for (int i = 0; i < 3; i++) n[i] += c[i];
  }
  int axis = fabs(n[1]) > fabs(n[0]) ? 1 : 0;
  if (fabs(n[2]) > fabs(n[axis])) axis = 2;
  p->u = (axis + 1) % 3, p->v = (axis + 2) % 3;
  if (n[axis] < 0) p->u = (axis + 2) % 3, p->v = (axis + 1) % 3;
}

static bool has_place_of(const polygon *p, int32_t a, int32_t b) {
  const double *x = p->point[p->corner[a]], *y = p->point[p->corner[b]];
  return x[p->u] == y[p->u] && x[p->v] == y[p->v];
}

static bool is_ear(const polygon *p, int32_t b) {
  const int32_t a = p->last[b], c = p->next[b];
  if (!(measure_turn(p, a, b, c) > 0)) return false;
  for (int32_t k = 0; k < p->bends; k++) {
    const int32_t x = p->bend[k];
    if (p->next[x] < 0 || has_place_of(p, x, a) || has_place_of(p, x, b) || has_place_of(p, x, c)) continue;
    if (measure_turn(p, a, b, x) >= 0 && measure_turn(p, b, c, x) >= 0 && measure_turn(p, c, a, x) >= 0)
      return false;
  }
  return true;
}

static void add_ear_triangle(sc_soup *soup, const int32_t *corner, int32_t a, int32_t b, int32_t c) {
  int32_t *t = soup->triangle[soup->triangles++];
  t[0] = corner[a], t[1] = corner[b], t[2] = corner[c];
}

/* Cuts off ears until three corners or no ears remain. Then makes a fan of the remaining corners. */
static void cut_ears(polygon *p, int32_t corners, sc_soup *soup) {
  int32_t at = 0, left = corners;
  for (int32_t tried = 0; left > 3 && tried < left;) {
    const int32_t next = p->next[at];
    if (!is_ear(p, at)) {
      at = next, tried++;
      continue;
    }
    add_ear_triangle(soup, p->corner, p->last[at], at, next);
    p->next[p->last[at]] = next, p->last[next] = p->last[at], p->next[at] = -1;
    at = p->next[next], left--, tried = 0;
  }
  for (int32_t k = p->next[at]; p->next[k] != at; k = p->next[k])
    add_ear_triangle(soup, p->corner, at, k, p->next[k]);
}

bool sc_soup_add_polygon(sc_soup *soup, const int32_t *corner, int32_t corners) {
  SC_ASSERT(corners >= 3);
  if (!SC_GROW(soup->triangle, soup->triangle_capacity, soup->triangles + (size_t)corners - 2)) return false;
  if (corners == 3) return add_ear_triangle(soup, corner, 0, 1, 2), true;
  polygon p = {.point = (const double(*)[3])soup->point, .corner = corner};
  choose_axes(&p, corners);
  for (int32_t k = 0; k < corners; k++)
    p.bends += measure_turn(&p, k ? k - 1 : corners - 1, k, k + 1 < corners ? k + 1 : 0) < 0;
  if (!p.bends) {
    for (int32_t k = 1; k + 1 < corners; k++) add_ear_triangle(soup, corner, 0, k, k + 1);
    return true;
  }
  int32_t *room = sc_alloc(3 * (size_t)corners * sizeof *room);
  if (!room) return false;
  p.next = room, p.last = room + corners, p.bend = room + 2 * (size_t)corners, p.bends = 0;
  for (int32_t k = 0; k < corners; k++) {
    p.last[k] = k ? k - 1 : corners - 1, p.next[k] = k + 1 < corners ? k + 1 : 0;
    if (!(measure_turn(&p, p.last[k], k, p.next[k]) > 0)) p.bend[p.bends++] = k;
  }
  cut_ears(&p, corners, soup);
  sc_free(room);
  return true;
}
