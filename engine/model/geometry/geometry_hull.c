/* Convex hull of points, by quickhull (Barber, Dobkin, Huhdanpaa 1996), and its polygonal faces.
 *
 * A tetrahedron of far points grows: a face with points beyond it takes the furthest of them, the faces
 * that see the point are replaced by faces to it, and the points beyond them are dealt out anew. Which faces
 * see a point is asked in numbers of twice the length where rounding could tell (Dekker 1971): points of
 * scans and of files in single precision lie in lines and planes but for their last digits, and neighbours
 * that answer differently tear the surface. At the end neighbouring triangles whose corners lie in one plane
 * to 1e-7 of the extent become one polygon, so that a cube has six faces although its corners come with
 * rounding. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/base.h"
#include "math/two.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* beyond: list of points, -1 ends */
typedef struct facet {
  int32_t corner[3], beyond;
  double n[3], width; /* width: least height as a triangle */
  bool live;
} facet;

typedef struct builder {
  const double (*point)[3];
  int32_t points;
  int32_t *next; /* of each point in its facet's list */
  facet *facet;
  size_t facets, facet_capacity;
  int32_t (*edge)[2];
  size_t edges, edge_capacity;
  int64_t live;                          /* facets */
  double inside[3], extent, scale, flat; /* scale: a power of two near 1/extent */
} builder;

static const double slight = 1e-7; /* over the extent: what counts as on a face, and as one plane */

/* ---- heights without rounding ---- */

/* p - at, over the extent. */
static void apart_of(const builder *b, const double *at, const double *p, sc_two d[3]) {
  for (int k = 0; k < 3; k++) d[k] = sc_two_sum(b->scale * p[k], -b->scale * at[k]);
}

/* (i - at) x (j - at), over the extent's square. */
static void normal_of(const builder *b, const double *at, const double *i, const double *j, sc_two n[3]) {
  sc_two d[3], e[3];
  apart_of(b, at, i, d);
  apart_of(b, at, j, e);
  for (int k = 0; k < 3; k++) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    n[k] = sc_two_minor(d[l], d[m], e[l], e[m]);
  }
}

/* How far p lies above the triangle, times a number above 0. */
static double rise(const builder *b, const double *at, const double *i, const double *j, const double *p) {
  sc_two n[3], d[3], sum = {0, 0};
  normal_of(b, at, i, j, n);
  apart_of(b, at, p, d);
  for (int k = 0; k < 3; k++) sum = sc_two_add(sum, sc_two_multiply(n[k], d[k]));
  return sum.high;
}

/* ---- the surface ---- */

static scree_status check_points(const double (*points)[3], int64_t count, scree_error *error) {
  if (count < 4)
    return sc_fail(error, SCREE_E_ARGUMENT, "a hull needs at least 4 points, not %lld", (long long)count);
  if (count > INT32_MAX / 8)
    return sc_fail(error, SCREE_E_ARGUMENT, "a hull of %lld points is too large", (long long)count);
  for (int64_t p = 0; p < count; p++)
    if (!isfinite(points[p][0] + points[p][1] + points[p][2]))
      return sc_fail(error, SCREE_E_ARGUMENT, "point %lld of the hull is not finite: (%g, %g, %g)",
          (long long)p + 1, points[p][0], points[p][1], points[p][2]);
  return SCREE_OK;
}

/* With its corners so that the inside lies behind it. */
static bool add_facet(builder *b, int32_t i, int32_t j, int32_t k) {
  if (!SC_GROW(b->facet, b->facet_capacity, b->facets + 1)) return false;
  facet *f = b->facet + b->facets++;
  const bool flip = rise(b, b->point[i], b->point[j], b->point[k], b->inside) > 0;
  sc_two n[3];
  double e[3], g[3];
  f->corner[0] = i, f->corner[1] = flip ? k : j, f->corner[2] = flip ? j : k;
  normal_of(b, b->point[i], b->point[f->corner[1]], b->point[f->corner[2]], n);
  for (int c = 0; c < 3; c++) f->n[c] = n[c].high;
  sc_sub(b->point[j], b->point[i], e);
  sc_sub(b->point[k], b->point[i], g);
  f->width = sc_norm(f->n) / (b->scale * b->scale * fmax(sc_norm(e), sc_norm(g)));
  sc_normalise(f->n, f->n);
  f->beyond = -1;
  f->live = true;
  b->live++;
  return true;
}

static double above(const builder *b, const facet *f, int32_t p) {
  double d[3];
  sc_sub(b->point[p], b->point[f->corner[0]], d);
  return sc_dot(f->n, d);
}

static bool sees(const builder *b, const facet *f, int32_t p) {
  const double height = above(b, f, p);
  const int32_t *c = f->corner;
  if (fabs(height) > 1e-14 * b->extent) return height > 0;
  if (p == c[0] || p == c[1] || p == c[2]) return false;
  return rise(b, b->point[c[0]], b->point[c[1]], b->point[c[2]], b->point[p]) > 0;
}

/* Puts a point into the list of the first facet from `from` on that it lies beyond. */
static void deal(builder *b, int32_t p, size_t from) {
  for (size_t k = from; k < b->facets; k++) {
    facet *f = b->facet + k;
    if (!f->live || !sees(b, f, p)) continue;
    b->next[p] = f->beyond;
    f->beyond = p;
    return;
  }
}

/* Distance of point p from the point, line or plane of the first `known` corners. */
static double apart(const builder *b, const int32_t *corner, int known, int32_t p) {
  double d[3], e[3], f[3], n[3];
  sc_sub(b->point[p], b->point[corner[0]], d);
  if (known == 1) return sc_norm(d);
  sc_sub(b->point[corner[1]], b->point[corner[0]], e);
  if (known == 2) {
    sc_normalise(e, e);
    sc_cross(d, e, n);
    return sc_norm(n);
  }
  sc_sub(b->point[corner[2]], b->point[corner[0]], f);
  sc_cross(e, f, n);
  sc_normalise(n, n);
  return fabs(sc_dot(d, n));
}

static double scale_of(double extent) {
  int power;
  frexp(extent, &power);
  return ldexp(1, -power);
}

/* Four far points; an error names what the points lie in. */
static scree_status first_corners(builder *b, int32_t corner[4], scree_error *error) {
  static const char *const flat[] = {"", "all %d points of the hull coincide",
      "all %d points of the hull lie on a line", "all %d points of the hull lie in a plane"};
  corner[0] = 0;
  for (int32_t p = 1; p < b->points; p++)
    if (b->point[p][0] < b->point[corner[0]][0]) corner[0] = p;
  for (int known = 1; known < 4; known++) {
    double most = -1;
    for (int32_t p = 0; p < b->points; p++) {
      double far = apart(b, corner, known, p);
      if (far > most) most = far, corner[known] = p;
    }
    if (known == 1) b->extent = most, b->scale = scale_of(most);
    if (!(most > 1e-9 * b->extent)) {
      char text[96];
      snprintf(text, sizeof text, flat[known], (int)b->points);
      return sc_fail(error, SCREE_E_ARGUMENT, "%s: it has no volume", text);
    }
  }
  for (int k = 0; k < 3; k++)
    b->inside[k] = 0.25 *
        (b->point[corner[0]][k] + b->point[corner[1]][k] + b->point[corner[2]][k] + b->point[corner[3]][k]);
  return SCREE_OK;
}

/* Edges of the hole that the facets seeing a point leave; their points go into one list. */
static bool open_hole(builder *b, int32_t apex, int32_t *orphans) {
  b->edges = 0;
  for (size_t k = 0; k < b->facets; k++) {
    facet *f = b->facet + k;
    if (!f->live || !sees(b, f, apex)) continue;
    f->live = false;
    b->live--;
    for (int32_t p = f->beyond, after; p >= 0; p = after) {
      after = b->next[p];
      if (p == apex) continue;
      b->next[p] = *orphans;
      *orphans = p;
    }
    for (int c = 0; c < 3; c++) {
      int32_t i = f->corner[c], j = f->corner[(c + 1) % 3];
      size_t e = 0;
      while (e < b->edges && !(b->edge[e][0] == j && b->edge[e][1] == i)) e++;
      if (e < b->edges) {
        b->edges--;
        b->edge[e][0] = b->edge[b->edges][0], b->edge[e][1] = b->edge[b->edges][1];
        continue;
      }
      if (!SC_GROW(b->edge, b->edge_capacity, b->edges + 1)) return false;
      b->edge[b->edges][0] = i, b->edge[b->edges++][1] = j;
    }
  }
  return true;
}

/* Drops dead facets when they are the most, so that looking through all stays cheap. */
static void sweep(builder *b) {
  size_t live = 0;
  for (size_t k = 0; k < b->facets; k++)
    if (b->facet[k].live) b->facet[live++] = b->facet[k];
  b->facets = live;
}

/* What lies beyond a facet, but hardly, is on it, unless another facet lies well below. Returns the first
 * facet that has points now. */
static size_t leave(builder *b, size_t at) {
  int32_t p = b->facet[at].beyond;
  size_t first = at;
  b->facet[at].beyond = -1;
  for (int32_t after; p >= 0; p = after) {
    after = b->next[p];
    size_t k = 0;
    while (k < b->facets && !(b->facet[k].live && above(b, b->facet + k, p) > slight * b->extent)) k++;
    if (k == b->facets) continue;
    b->next[p] = b->facet[k].beyond;
    b->facet[k].beyond = p;
    if (k < first) first = k;
  }
  return first;
}

/* Takes the furthest point beyond a facet into the hull, if it lies far enough; *next: where to go on. */
static bool take_point(builder *b, size_t at, size_t *next) {
  int32_t apex = b->facet[at].beyond, orphans = -1;
  for (int32_t p = apex; p >= 0; p = b->next[p])
    if (above(b, b->facet + at, p) > above(b, b->facet + at, apex)) apex = p;
  if (!(above(b, b->facet + at, apex) > slight * b->extent)) return *next = leave(b, at), true;
  if (!open_hole(b, apex, &orphans)) return false;
  size_t from = b->facets;
  for (size_t e = 0; e < b->edges; e++)
    if (!add_facet(b, b->edge[e][0], b->edge[e][1], apex)) return false;
  for (int32_t p = orphans, after; p >= 0; p = after) {
    after = b->next[p];
    deal(b, p, from);
  }
  return true;
}

/* A closed surface of triangles has at most two less than twice as many as points, by Euler. */
static bool torn(const builder *b) { return b->live > 2 * (int64_t)b->points - 4; }

/* The surface about the four corners and everything beyond, as far as it is not torn; false without
 * memory. */
static bool grow(builder *b, const int32_t c[4]) {
  b->facets = 0, b->live = 0;
  bool room = add_facet(b, c[0], c[1], c[2]) && add_facet(b, c[0], c[1], c[3]) &&
      add_facet(b, c[0], c[2], c[3]) && add_facet(b, c[1], c[2], c[3]);
  for (int32_t p = 0; p < b->points && room; p++) deal(b, p, 0);
  for (size_t k = 0; k < b->facets && room && !torn(b);) {
    if (!b->facet[k].live || b->facet[k].beyond < 0) {
      k++;
      continue;
    }
    room = take_point(b, k, &k);
    if (k > 64 && k > b->facets / 2) sweep(b), k = 0;
  }
  sweep(b);
  return room;
}

/* ---- polygons ---- */

/* The facets across all edges, -1 if the hull is torn; lists of points beyond facets are gone then. False
 * without memory. */
static bool find_across(builder *b, int32_t (*across)[3]) {
  int32_t *at =
      b->next; /* of each point the last edge from it on, as 3 facet + corner; chain: the one before */
  int32_t *chain = sc_alloc(3 * b->facets * sizeof *chain);
  if (!chain) return false;
  memset(at, 0xff, (size_t)b->points * sizeof *at);
  for (int32_t e = 0; e < 3 * (int32_t)b->facets; e++) {
    const int32_t from = b->facet[e / 3].corner[e % 3];
    chain[e] = at[from], at[from] = e;
  }
  for (int32_t e = 0; e < 3 * (int32_t)b->facets; e++) {
    const int32_t *corner = b->facet[e / 3].corner, from = corner[e % 3];
    int32_t back = at[corner[(e % 3 + 1) % 3]];
    while (back >= 0 && b->facet[back / 3].corner[(back % 3 + 1) % 3] != from) back = chain[back];
    across[e / 3][e % 3] = back < 0 ? -1 : back / 3;
  }
  sc_free(chain);
  return true;
}

static bool thin(const builder *b, const facet *f) { return f->width < 10 * b->flat * b->extent; }

/* Whether g lies in the plane of f; the plane of a thin triangle says nothing. */
static bool same_plane(const builder *b, const facet *f, const facet *g) {
  const double most = b->flat * b->extent;
  for (int c = 0; c < 3; c++)
    if (fabs(above(b, f, g->corner[c])) > most || (!thin(b, g) && fabs(above(b, g, f->corner[c])) > most))
      return false;
  return thin(b, g) || sc_dot(f->n, g->n) > 0;
}

/* Joins a facet's neighbours in its plane (that of the seed) into its group. */
static void flood(const builder *b, const int32_t (*across)[3], int32_t seed, int32_t group,
    int32_t *group_of, int32_t *stack) {
  int32_t depth = 0;
  group_of[seed] = group;
  stack[depth++] = seed;
  while (depth) {
    int32_t f = stack[--depth];
    for (int c = 0; c < 3; c++) {
      int32_t g = across[f][c];
      if (g < 0 || group_of[g] >= 0 || !same_plane(b, b->facet + seed, b->facet + g)) continue;
      group_of[g] = group;
      stack[depth++] = g;
    }
  }
}

/* Walks round a group's border from one of its edges; corners go to out, at most `most` of them. */
static int32_t walk_border(const builder *b, const int32_t (*across)[3], const int32_t *group_of, int32_t f,
    int c, int32_t *out, int32_t most) {
  int32_t count = 0, group = group_of[f], start = b->facet[f].corner[c];
  for (int32_t turn = 0; turn < 6 * (int32_t)b->facets; turn++) {
    if (across[f][c] >= 0 && group_of[across[f][c]] == group) {
      /* the next edge about the same corner lies in the neighbour */
      int32_t corner = b->facet[f].corner[c], g = across[f][c];
      f = g;
      for (c = 0; b->facet[f].corner[c] != corner;) c++;
      continue;
    }
    if (count && b->facet[f].corner[c] == start) return count;
    if (count == most) return -1;
    out[count++] = b->facet[f].corner[c];
    c = (c + 1) % 3;
  }
  return -1;
}

typedef struct polygons {
  int32_t (*across)[3], *group_of, *stack, groups, *first, *corner;
  double (*plane)[4];
} polygons;

static void free_polygons(polygons *p) {
  sc_free(p->across);
  sc_free(p->group_of);
  sc_free(p->stack);
}

/* Plane of a polygon: Newell's normal, that of its one triangle; offset of its outermost corner. */
static void plane_of(
    const builder *b, const facet *one, const int32_t *corner, int32_t count, double plane[4]) {
  double n[3] = {0, 0, 0}, c[3], d[3], e[3];
  for (int32_t k = 1; k + 1 < count; k++) {
    sc_sub(b->point[corner[k]], b->point[corner[0]], d);
    sc_sub(b->point[corner[k + 1]], b->point[corner[0]], e);
    sc_cross(d, e, c);
    sc_add(n, c, n);
  }
  if (count == 3) sc_copy3(one->n, plane);
  else sc_normalise(n, plane);
  plane[3] = -INFINITY;
  for (int32_t k = 0; k < count; k++) plane[3] = fmax(plane[3], sc_dot(plane, b->point[corner[k]]));
}

/* Corners of the last group, that of the seed, from some edge of its on the border; their number, less than
 * 3 without one. */
static int32_t border_of(const builder *b, const polygons *p, int32_t seed, int32_t *out, int32_t most) {
  const int32_t n = (int32_t)b->facets;
  for (int32_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      const int32_t f = seed + i < n ? seed + i : seed + i - n;
      const int32_t next = p->across[f][c];
      if (p->group_of[f] != p->groups || (next >= 0 && p->group_of[next] == p->groups)) continue;
      const int32_t count = walk_border(b, (const int32_t(*)[3])p->across, p->group_of, f, c, out, most);
      if (count >= 0) return count;
    }
  return 0;
}

/* Groups facets into polygons; first, corner and plane are the geometry's. Where the surface is torn there
 * are no groups. False without memory. */
static bool make_polygons(builder *b, polygons *p) {
  size_t n = b->facets;
  p->across = sc_alloc(n * sizeof *p->across);
  p->group_of = sc_alloc(n * sizeof *p->group_of);
  p->stack = sc_alloc(n * sizeof *p->stack);
  p->first = sc_alloc((n + 1) * sizeof *p->first);
  p->corner = sc_alloc(3 * n * sizeof *p->corner);
  p->plane = sc_alloc(n * sizeof *p->plane);
  if (!p->across || !p->group_of || !p->stack || !p->first || !p->corner || !p->plane) return false;
  for (size_t k = 0; k < n; k++) p->group_of[k] = -1;
  if (!find_across(b, p->across)) return false;
  int32_t corners = 0;
  for (int32_t turn = 0; turn < 2; turn++) // thin ones last: what is left of them
    for (int32_t k = 0; k < (int32_t)n; k++) {
      if (p->group_of[k] >= 0 || (!turn && thin(b, b->facet + k))) continue;
      flood(b, (const int32_t(*)[3])p->across, k, p->groups, p->group_of, p->stack);
      const int32_t count = border_of(b, p, k, p->corner + corners, 3 * (int32_t)n - corners);
      if (count < 3) return p->groups = 0, true;
      plane_of(b, b->facet + k, p->corner + corners, count, p->plane[p->groups]);
      p->first[p->groups++] = corners;
      corners += count;
    }
  p->first[p->groups] = corners;
  return true;
}

/* ---- the geometry ---- */

/* Numbers the corners that polygons use, and fans the polygons into triangles. */
static bool fill_geometry(const builder *b, const polygons *p, scree_geometry *g) {
  int32_t corners = p->first[p->groups], *name = sc_alloc((size_t)b->points * sizeof *name);
  g->first = p->first, g->corner = p->corner, g->plane = p->plane, g->faces = p->groups;
  if (!name || !sc_geometry_alloc(g, b->points, corners)) {
    sc_free(name);
    return false;
  }
  for (int32_t k = 0; k < b->points; k++) name[k] = -1;
  for (int32_t k = 0; k < corners; k++) {
    int32_t *corner = g->corner + k;
    if (name[*corner] < 0) name[*corner] = g->points, sc_copy3(b->point[*corner], g->point[g->points++]);
    *corner = name[*corner];
  }
  sc_free(name);
  for (int32_t f = 0; f < g->faces; f++)
    for (int32_t k = g->first[f] + 1; k + 1 < g->first[f + 1]; k++) {
      int32_t *t = g->triangle[g->triangles++];
      t[0] = g->corner[g->first[f]], t[1] = g->corner[k], t[2] = g->corner[k + 1];
    }
  return true;
}

static void drop_polygons(polygons *p) {
  free_polygons(p);
  sc_free(p->first);
  sc_free(p->corner);
  sc_free(p->plane);
  *p = (polygons){0};
}

/* Whether the polygons close a surface like a ball's, by Euler; lists of points beyond faces are gone
 * then. */
static bool closed(builder *b, const polygons *p) {
  const int32_t corners = p->groups ? p->first[p->groups] : 0;
  int32_t points = 0;
  memset(b->next, 0, (size_t)b->points * sizeof *b->next);
  for (int32_t k = 0; k < corners; k++)
    if (!b->next[p->corner[k]]) b->next[p->corner[k]] = 1, points++;
  return corners % 2 == 0 && points - corners / 2 + p->groups == 2;
}

/* The surface in polygons; in a hull that is nearly flat less counts as one plane. False without
 * memory. */
static bool join_planes(builder *b, polygons *p) {
  for (b->flat = slight; b->flat > 1e-5 * slight && !closed(b, p); b->flat *= 1e-2) {
    drop_polygons(p);
    if (!make_polygons(b, p)) return false;
  }
  if (!closed(b, p)) p->groups = 0;
  return true;
}

static scree_status make_hull(builder *b, scree_geometry *g, scree_error *error) {
  polygons p = {0};
  int32_t corner[4];
  scree_status status = first_corners(b, corner, error);
  if (status) return status;
  const bool room = grow(b, corner) && (torn(b) || join_planes(b, &p));
  if (!room || !p.groups) {
    drop_polygons(&p);
    return room ? sc_fail(error, SCREE_E_ARGUMENT, "%d points make no hull: they lie too close to each other",
                      (int)b->points)
                : sc_fail(error, SCREE_E_MEMORY, "no memory for the hull of %d points", (int)b->points);
  }
  free_polygons(&p);
  if (!fill_geometry(b, &p, g) || !sc_geometry_tables(g))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the faces of a hull of %d points", (int)b->points);
  g->type = SCREE_HULL, g->closed = true, g->owners = 1;
  sc_geometry_measure(g);
  return SCREE_OK;
}

scree_geometry *scree_geometry_hull(const double (*points)[3], int64_t count, scree_error *error) {
  if (check_points(points, count, error)) return NULL;
  builder b = {.point = points, .points = (int32_t)count, .next = sc_alloc((size_t)count * sizeof(int32_t))};
  scree_geometry *g = sc_alloc(sizeof *g);
  scree_status status = g && b.next ? make_hull(&b, g, error)
                                    : sc_fail(error, SCREE_E_MEMORY, "no memory for a hull");
  sc_free(b.next);
  sc_free(b.facet);
  sc_free(b.edge);
  if (!status) return g;
  sc_geometry_free(g);
  return NULL;
}
