/* Polygons of a convex hull. Neighbouring triangles are merged if their corners are in one plane, up to a
 * tolerance of 1e-7 of the size of the hull. A cube therefore has six faces although its corners have
 * rounding errors. The tolerance is smaller for a hull that is nearly flat. */
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry_hull.h"

static bool is_thin(const sc_hull *h, double flat, const sc_facet *f) {
  return f->width < 10 * flat * h->extent;
}

/* Returns true if facets f and g are in one plane. The plane of g is not used if g is thin, because it is
 * then inaccurate. flat: tolerance divided by h->extent. */
static bool same_plane(const sc_hull *h, double flat, const sc_facet *f, const sc_facet *g) {
  const double most = flat * h->extent;
  for (int c = 0; c < 3; c++)
    if (fabs(sc_hull_above(h, f, g->corner[c])) > most ||
        (!is_thin(h, flat, g) && fabs(sc_hull_above(h, g, f->corner[c])) > most))
      return false;
  return is_thin(h, flat, g) || sc_dot(f->n, g->n) > 0;
}

/* Adds to the last group all facets that are in the plane of the facet `seed` and connected to it by such
 * facets. */
static void flood_plane(const sc_hull *h, sc_polygons *p, int32_t seed) {
  int32_t depth = 0;
  p->group_of[seed] = p->groups;
  p->stack[depth++] = seed;
  while (depth) {
    const sc_facet *f = h->facet + p->stack[--depth];
    for (int c = 0; c < 3; c++) {
      const int32_t g = f->across[c];
      if (p->group_of[g] >= 0 || !same_plane(h, p->flat, h->facet + seed, h->facet + g)) continue;
      p->group_of[g] = p->groups;
      p->stack[depth++] = g;
    }
  }
}

/* Follows the border of the last group, starting at edge c of facet f. Writes at most `most` corners to out.
 * Returns the number of corners, or -1 if the border does not close or has more corners. */
static int32_t walk_border(
    const sc_hull *h, const sc_polygons *p, int32_t f, int c, int32_t *out, int32_t most) {
  const int32_t start = h->facet[f].corner[c];
  int32_t count = 0;
  for (int32_t turn = 0; turn < 6 * (int32_t)h->facets; turn++) {
    const int32_t corner = h->facet[f].corner[c], g = h->facet[f].across[c];
    if (p->group_of[g] == p->groups) {
      /* facet g belongs to the group, so the border continues with an edge of g at this corner */
      f = g;
      for (c = 0; h->facet[f].corner[c] != corner;) c++;
      continue;
    }
    if (count && corner == start) return count;
    if (count == most) return -1;
    out[count++] = corner;
    c = (c + 1) % 3;
  }
  return -1;
}

/* Sets plane to the normal and offset of a polygon. The normal is computed by Newell's method. A polygon of
 * three corners has the normal of the triangle `one`. The plane goes through the outermost corner. */
static void plane_of(
    const sc_hull *h, const sc_facet *one, const int32_t *corner, int32_t count, double plane[4]) {
  double n[3] = {0, 0, 0}, c[3], d[3], e[3];
  for (int32_t k = 1; k + 1 < count; k++) {
    sc_sub(h->point[corner[k]], h->point[corner[0]], d);
    sc_sub(h->point[corner[k + 1]], h->point[corner[0]], e);
    sc_cross(d, e, c);
    sc_add(n, c, n);
  }
  if (count == 3) sc_copy3(one->n, plane);
  else sc_normalise(n, plane);
  plane[3] = -INFINITY;
  for (int32_t k = 0; k < count; k++) plane[3] = fmax(plane[3], sc_dot(plane, h->point[corner[k]]));
}

/* Writes the corners of the last group to out, starting at an edge on its border. Returns the number of
 * corners; less than 3 if the group has no border. seed: a facet of the group, at which the search for the
 * edge starts. */
static int32_t border_of(const sc_hull *h, const sc_polygons *p, int32_t seed, int32_t *out, int32_t most) {
  const int32_t n = (int32_t)h->facets;
  for (int32_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      const int32_t f = seed + i < n ? seed + i : seed + i - n;
      if (p->group_of[f] != p->groups || p->group_of[h->facet[f].across[c]] == p->groups) continue;
      const int32_t count = walk_border(h, p, f, c, out, most);
      if (count >= 0) return count;
    }
  return 0;
}

void sc_polygons_free(sc_polygons *p) {
  sc_free(p->group_of);
  sc_free(p->stack);
  sc_free(p->first);
  sc_free(p->corner);
  sc_free(p->plane);
  *p = (sc_polygons){.flat = p->flat};
}

static bool alloc_polygons(size_t n, sc_polygons *p) {
  sc_polygons_free(p);
  p->group_of = sc_alloc(n * sizeof *p->group_of);
  p->stack = sc_alloc(n * sizeof *p->stack);
  p->first = sc_alloc((n + 1) * sizeof *p->first);
  p->corner = sc_alloc(3 * n * sizeof *p->corner);
  p->plane = sc_alloc(n * sizeof *p->plane);
  return p->group_of && p->stack && p->first && p->corner && p->plane;
}

/* Groups facets into polygons with the tolerance p->flat. Sets p->groups to 0 if a group has no border.
 * Returns false if out of memory. */
static bool make_polygons(const sc_hull *h, sc_polygons *p) {
  const int32_t n = (int32_t)h->facets;
  if (!alloc_polygons(h->facets, p)) return false;
  for (int32_t k = 0; k < n; k++) p->group_of[k] = -1;
  int32_t corners = 0;
  // the second pass handles thin facets that no group contains yet
  for (int32_t turn = 0; turn < 2; turn++)
    for (int32_t k = 0; k < n; k++) {
      if (p->group_of[k] >= 0 || (!turn && is_thin(h, p->flat, h->facet + k))) continue;
      flood_plane(h, p, k);
      const int32_t count = border_of(h, p, k, p->corner + corners, 3 * n - corners);
      if (count < 3) return p->groups = 0, true;
      plane_of(h, h->facet + k, p->corner + corners, count, p->plane[p->groups]);
      p->first[p->groups++] = corners;
      corners += count;
    }
  p->first[p->groups] = corners;
  return true;
}

/* Returns true if the polygons form a closed surface of genus 0, by Euler's formula. */
static bool is_closed_surface(sc_hull *h, const sc_polygons *p) {
  const int32_t corners = p->groups ? p->first[p->groups] : 0;
  int32_t points = 0;
  memset(h->next, 0, (size_t)h->points * sizeof *h->next);
  for (int32_t k = 0; k < corners; k++)
    if (!h->next[p->corner[k]]) h->next[p->corner[k]] = 1, points++;
  return corners % 2 == 0 && points - corners / 2 + p->groups == 2;
}

bool sc_hull_polygons(sc_hull *h, sc_polygons *p) {
  *p = (sc_polygons){0};
  if (h->torn) return true;
  for (p->flat = sc_hull_tolerance; p->flat > 1e-5 * sc_hull_tolerance && !is_closed_surface(h, p);
       p->flat *= 1e-2)
    if (!make_polygons(h, p)) return false;
  if (!is_closed_surface(h, p)) p->groups = 0;
  return true;
}
