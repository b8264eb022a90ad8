/* The triangles of a convex hull, by quickhull (Barber, Dobkin, Huhdanpaa 1996).
 *
 * The hull starts as a tetrahedron of distant points. In each step, the furthest point above a facet is
 * added. The facets that are visible from the point are found from neighbour to neighbour. They are replaced
 * by facets between the rim of the hole and the point. The points above the removed facets are assigned to
 * new facets.
 *
 * Points of scans and of files in single precision often are in lines and planes, except for their last
 * digits. Rounding could then make the visibility of neighbouring facets inconsistent, which would tear the
 * surface. In such cases visibility is computed in double-double arithmetic (Dekker 1971). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/two.h"
#include "math/vec.h"
#include "model/geometry/geometry_hull.h"

/* ---- heights in double-double arithmetic ---- */

/* Sets d to (p - at) h->scale, which is about (p - at) divided by the extent of the hull. */
static void difference_of(const sc_hull *h, const double *at, const double *p, sc_two d[3]) {
  for (int k = 0; k < 3; k++) d[k] = sc_two_sum(h->scale * p[k], -h->scale * at[k]);
}

/* Sets n to the cross product (i - at) x (j - at), multiplied by h->scale^2. */
static void triangle_normal_of(
    const sc_hull *h, const double *at, const double *i, const double *j, sc_two n[3]) {
  sc_two d[3], e[3];
  difference_of(h, at, i, d);
  difference_of(h, at, j, e);
  for (int k = 0; k < 3; k++) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    n[k] = sc_two_minor(d[l], d[m], e[l], e[m]);
  }
}

/* Returns the height of point p above the triangle (at, i, j), times twice the area of the triangle, times
 * h->scale^3. Computed in double-double arithmetic. */
static double rise_of(const sc_hull *h, const double *at, const double *i, const double *j, const double *p) {
  sc_two n[3], d[3], sum = {0, 0};
  triangle_normal_of(h, at, i, j, n);
  difference_of(h, at, p, d);
  for (int k = 0; k < 3; k++) sum = sc_two_add(sum, sc_two_multiply(n[k], d[k]));
  return sum.high;
}

/* ---- facets ---- */

/* Adds a facet with the corners i, j, k. Orders the corners so that h->inside is below the facet. Does not
 * set its neighbours. Returns false if out of memory. */
static bool add_facet(sc_hull *h, int32_t i, int32_t j, int32_t k) {
  if (!SC_GROW(h->facet, h->facet_capacity, h->facets + 1)) return false;
  sc_facet *f = h->facet + h->facets++;
  const bool flip = rise_of(h, h->point[i], h->point[j], h->point[k], h->inside) > 0;
  sc_two n[3];
  double e[3], g[3];
  *f = (sc_facet){.corner = {i, flip ? k : j, flip ? j : k},
      .across = {-1, -1, -1},
      .beyond = -1,
      .asked = -1,
      .live = true};
  triangle_normal_of(h, h->point[i], h->point[f->corner[1]], h->point[f->corner[2]], n);
  for (int c = 0; c < 3; c++) f->n[c] = n[c].high;
  sc_sub(h->point[j], h->point[i], e);
  sc_sub(h->point[k], h->point[i], g);
  f->width = sc_norm(f->n) / (h->scale * h->scale * fmax(sc_norm(e), sc_norm(g)));
  sc_normalise(f->n, f->n);
  h->live++;
  return true;
}

/* Makes facets a and b neighbours across their common edge between points p and q. Sets h->torn if a or b
 * does not have this edge. */
static void join_facets(sc_hull *h, int32_t a, int32_t b, int32_t p, int32_t q) {
  const int32_t side[2] = {a, b};
  for (int s = 0; s < 2; s++) {
    sc_facet *f = h->facet + side[s];
    int c = 0;
    while (c < 3 && !(f->corner[c] == p && f->corner[(c + 1) % 3] == q) &&
        !(f->corner[c] == q && f->corner[(c + 1) % 3] == p))
      c++;
    if (c < 3 && f->live) f->across[c] = side[1 - s];
    else h->torn = true;
  }
}

double sc_hull_above(const sc_hull *h, const sc_facet *f, int32_t p) {
  double d[3];
  sc_sub(h->point[p], h->point[f->corner[0]], d);
  return sc_dot(f->n, d);
}

/* Returns the sign of the height of point p above a facet. Returns 0 if even double-double arithmetic cannot
 * determine it. */
static int sign_of_height(const sc_hull *h, const sc_facet *f, int32_t p) {
  double height = sc_hull_above(h, f, p);
  const int32_t *c = f->corner;
  if (fabs(height) > 1e-14 * h->extent) return height > 0 ? 1 : -1;
  if (p == c[0] || p == c[1] || p == c[2]) return 0;
  height = rise_of(h, h->point[c[0]], h->point[c[1]], h->point[c[2]], h->point[p]);
  return (height > 1e-30) - (height < -1e-30);
}

/* Returns true if point p is far enough above a facet to become a corner of the hull. */
static bool stands_out(const sc_hull *h, const sc_facet *f, int32_t p) {
  return sc_hull_above(h, f, p) > sc_hull_tolerance * h->extent;
}

/* Adds point p to the list of the first facet above which p lies. Tests only facets with an index >= from. */
static void assign_point(sc_hull *h, int32_t p, size_t from) {
  for (size_t k = from; k < h->facets; k++) {
    sc_facet *f = h->facet + k;
    if (!f->live || sign_of_height(h, f, p) <= 0) continue;
    h->next[p] = f->beyond;
    f->beyond = p;
    return;
  }
}

/* ---- the first four points ---- */

/* Returns the distance of point p from the point, line or plane through the first `known` corners (1 to 3)
 * [m]. */
static double distance_from_corners(const sc_hull *h, const int32_t *corner, int known, int32_t p) {
  double d[3], e[3], f[3], n[3];
  sc_sub(h->point[p], h->point[corner[0]], d);
  if (known == 1) return sc_norm(d);
  sc_sub(h->point[corner[1]], h->point[corner[0]], e);
  if (known == 2) {
    sc_normalise(e, e);
    sc_cross(d, e, n);
    return sc_norm(n);
  }
  sc_sub(h->point[corner[2]], h->point[corner[0]], f);
  sc_cross(e, f, n);
  sc_normalise(n, n);
  return fabs(sc_dot(d, n));
}

static double scale_of(double extent) {
  int power;
  frexp(extent, &power);
  return ldexp(1, -power);
}

/* Sets corner to four points that are far from each other. Fails if all points coincide, lie on a line or lie
 * in a plane. */
static scree_status first_corners(sc_hull *h, int32_t corner[4], scree_error *error) {
  static const char *const flat[] = {"", "all %d points of the hull coincide",
      "all %d points of the hull lie on a line", "all %d points of the hull lie in a plane"};
  corner[0] = 0;
  for (int32_t p = 1; p < h->points; p++)
    if (h->point[p][0] < h->point[corner[0]][0]) corner[0] = p;
  for (int known = 1; known < 4; known++) {
    double most = -1;
    for (int32_t p = 0; p < h->points; p++) {
      double far = distance_from_corners(h, corner, known, p);
      if (far > most) most = far, corner[known] = p;
    }
    if (known == 1) h->extent = most, h->scale = scale_of(most);
    if (!(most > 1e-9 * h->extent)) {
      char text[96];
      snprintf(text, sizeof text, flat[known], (int)h->points);
      return sc_fail(error, SCREE_E_ARGUMENT, "%s: it has no volume", text);
    }
  }
  for (int k = 0; k < 3; k++)
    h->inside[k] = 0.25 *
        (h->point[corner[0]][k] + h->point[corner[1]][k] + h->point[corner[2]][k] + h->point[corner[3]][k]);
  return SCREE_OK;
}

/* ---- holes ---- */

static bool reach_facet(sc_hull *h, int32_t at) {
  if (!SC_GROW(h->reached, h->reached_capacity, h->reached_count + 1)) return false;
  h->reached[h->reached_count++] = at;
  h->facet[at].asked = h->questions;
  return true;
}

static int by_number(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Returns true if the neighbour `across` of a facet does not exist or was removed. The surface is then torn
 * (inconsistent because of rounding errors). */
static bool is_lost(const sc_hull *h, int32_t across) { return across < 0 || !h->facet[across].live; }

/* Sets h->reached to the facets that are visible from point `apex`, in ascending order. Starts at facet `at`
 * and continues from visible facets to their neighbours. Includes facets whose plane contains the point.
 * Otherwise triangles of zero width would be made between these facets and the point. Returns false if out of
 * memory. */
static bool find_seeing(sc_hull *h, int32_t at, int32_t apex) {
  h->reached_count = 0;
  h->questions++;
  if (!reach_facet(h, at)) return false;
  for (size_t k = 0; k < h->reached_count; k++)
    for (int c = 0; c < 3; c++) {
      const int32_t g = h->facet[h->reached[k]].across[c];
      h->torn |= is_lost(h, g);
      if (h->torn || h->facet[g].asked == h->questions || sign_of_height(h, h->facet + g, apex) < 0) continue;
      if (!reach_facet(h, g)) return false;
    }
  qsort(h->reached, h->reached_count, sizeof *h->reached, by_number);
  return true;
}

/* Adds the edges of a removed facet to h->rim. If the rim already has an edge in the opposite direction,
 * removes this edge from the rim instead, because both facets at the edge are removed. Returns false if out
 * of memory. */
static bool add_rims(sc_hull *h, const sc_facet *f) {
  for (int c = 0; c < 3; c++) {
    const int32_t i = f->corner[c], j = f->corner[(c + 1) % 3];
    size_t e = 0;
    while (e < h->rims && !(h->rim[e].from == j && h->rim[e].to == i)) e++;
    if (e < h->rims) {
      h->rim[e] = h->rim[--h->rims];
      continue;
    }
    if (!SC_GROW(h->rim, h->rim_capacity, h->rims + 1)) return false;
    h->rim[h->rims++] = (sc_rim){i, j, f->across[c]};
  }
  return true;
}

/* Removes the facets that are visible from point `apex`. Sets h->rim to the rim of the hole. Puts the points
 * above the removed facets into the list *orphans. at: a visible facet. Returns false if out of memory. */
static bool open_hole(sc_hull *h, int32_t at, int32_t apex, int32_t *orphans) {
  if (!find_seeing(h, at, apex)) return false;
  h->rims = 0;
  for (size_t k = 0; k < h->reached_count; k++) {
    sc_facet *f = h->facet + h->reached[k];
    f->live = false;
    h->live--;
    for (int32_t p = f->beyond, after; p >= 0; p = after) {
      after = h->next[p];
      if (p == apex) continue;
      h->next[p] = *orphans;
      *orphans = p;
    }
    if (!add_rims(h, f)) return false;
  }
  return true;
}

/* Adds facets between all edges of the rim of a hole and the point `apex`. Returns false if out of memory. */
static bool close_hole(sc_hull *h, int32_t apex) {
  const int32_t first = (int32_t)h->facets, rims = (int32_t)h->rims;
  for (int32_t e = 0; e < rims; e++) {
    const sc_rim *rim = h->rim + e;
    if (!add_facet(h, rim->from, rim->to, apex)) return false;
    join_facets(h, first + e, rim->outer, rim->from, rim->to);
    h->torn |= h->facet_at[rim->from] >= 0; /* the rim touches itself */
    h->facet_at[rim->from] = first + e;
  }
  for (int32_t e = 0; e < rims; e++) {
    const int32_t to = h->rim[e].to;
    if (h->facet_at[to] >= 0) join_facets(h, first + e, h->facet_at[to], to, apex);
    else h->torn = true;
  }
  for (int32_t e = 0; e < rims; e++) h->facet_at[h->rim[e].from] = -1;
  return true;
}

/* ---- growth of the hull ---- */

/* Deletes removed facets from the array h->facet. Returns the new index of facet `at`. If facet `at` was
 * removed, returns the new index of the next remaining facet. */
static size_t compact_facets(sc_hull *h, size_t at) {
  int32_t live = 0, now = 0;
  for (size_t k = 0; k < h->facets; k++) {
    if (k == at) now = live;
    h->facet[k].asked = h->facet[k].live ? live++ : -1;
  }
  for (size_t k = 0; k < h->facets; k++)
    for (int c = 0; c < 3 && h->facet[k].live; c++) {
      int32_t *across = h->facet[k].across + c;
      h->torn |= is_lost(h, *across);
      *across = h->torn ? -1 : h->facet[*across].asked;
    }
  h->facets = 0;
  for (size_t k = 0; h->facets < (size_t)live; k++) {
    if (!h->facet[k].live) continue;
    h->facet[h->facets] = h->facet[k];
    h->facet[h->facets++].asked = -1;
  }
  return (size_t)now;
}

/* Empties the list of facet `at`, whose points are all less than the tolerance above the facet. A point is
 * dropped, unless it is more than the tolerance above another facet. In this case the point moves to the list
 * of the other facet. *first: smallest index of a facet that receives a point, or `at`. Returns false if out
 * of memory. */
static bool drop_near_points(sc_hull *h, size_t at, size_t *first) {
  int32_t p = h->facet[at].beyond;
  *first = at;
  h->facet[at].beyond = -1;
  for (int32_t after; p >= 0; p = after) {
    after = h->next[p];
    if (!find_seeing(h, (int32_t)at, p)) return false;
    size_t k = 0;
    while (k < h->reached_count && !stands_out(h, h->facet + h->reached[k], p)) k++;
    if (k == h->reached_count) continue;
    const size_t below = (size_t)h->reached[k];
    h->next[p] = h->facet[below].beyond;
    h->facet[below].beyond = p;
    if (below < *first) *first = below;
  }
  return true;
}

/* Adds the furthest point above facet `at` to the hull. If this point is less than the tolerance above the
 * facet, empties the list of the facet instead. *next: facet with which to continue. Returns false if out of
 * memory. */
static bool add_apex(sc_hull *h, size_t at, size_t *next) {
  const sc_facet *f = h->facet + at;
  int32_t apex = f->beyond, orphans = -1;
  for (int32_t p = apex; p >= 0; p = h->next[p])
    if (sc_hull_above(h, f, p) > sc_hull_above(h, f, apex)) apex = p;
  if (!stands_out(h, f, apex)) return drop_near_points(h, at, next);
  if (!open_hole(h, (int32_t)at, apex, &orphans)) return false;
  if (h->torn) return true;
  const size_t from = h->facets;
  if (!close_hole(h, apex)) return false;
  for (int32_t p = orphans, after; p >= 0; p = after) {
    after = h->next[p];
    assign_point(h, p, from);
  }
  return true;
}

/* Makes the initial tetrahedron of the four points c. Facet k has all of these points except c[3 - k].
 * Returns false if out of memory. */
static bool make_tetrahedron(sc_hull *h, const int32_t c[4]) {
  h->facets = 0, h->live = 0;
  if (!add_facet(h, c[0], c[1], c[2]) || !add_facet(h, c[0], c[1], c[3]) || !add_facet(h, c[0], c[2], c[3]) ||
      !add_facet(h, c[1], c[2], c[3]))
    return false;
  for (int32_t a = 0; a < 4; a++)
    for (int32_t b = 0; b < a; b++) {
      int32_t both[2], count = 0;
      for (int32_t k = 0; k < 4; k++)
        if (k != 3 - a && k != 3 - b) both[count++] = c[k];
      join_facets(h, a, b, both[0], both[1]);
    }
  return true;
}

/* Returns true if the surface is torn. By Euler's formula, a closed surface with n points has at most 2 n - 4
 * triangles. */
static bool check_torn(sc_hull *h) { return h->torn |= h->live > 2 * (int64_t)h->points - 4; }

/* Grows the surface from four corners until it encloses all points. Returns false if out of memory. */
static bool grow_surface(sc_hull *h, const int32_t c[4]) {
  bool room = make_tetrahedron(h, c);
  for (int32_t p = 0; p < h->points && room; p++) assign_point(h, p, 0);
  for (size_t k = 0; k < h->facets && room && !check_torn(h);) {
    if (!h->facet[k].live || h->facet[k].beyond < 0) {
      k++;
      continue;
    }
    room = add_apex(h, k, &k);
    if ((int64_t)h->facets > 2 * h->live + 64) k = compact_facets(h, k);
  }
  if (room && !h->torn) compact_facets(h, 0);
  return room;
}

scree_status sc_hull_grow(sc_hull *h, scree_error *error) {
  int32_t corner[4];
  scree_status status = first_corners(h, corner, error);
  if (status) return status;
  h->next = sc_alloc((size_t)h->points * sizeof *h->next);
  h->facet_at = sc_alloc((size_t)h->points * sizeof *h->facet_at);
  if (h->facet_at) memset(h->facet_at, 0xff, (size_t)h->points * sizeof *h->facet_at);
  if (h->next && h->facet_at && grow_surface(h, corner)) return SCREE_OK;
  return sc_fail(error, SCREE_E_MEMORY, "no memory for the hull of %d points", (int)h->points);
}
