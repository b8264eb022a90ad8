/* Convex hull of points, by quickhull (Barber, Dobkin, Huhdanpaa 1996), and its polygonal faces.
 *
 * A tetrahedron of far points grows: a face with points beyond it takes the furthest of them, the faces
 * that see the point are replaced by faces to it, and the points beyond them are dealt out anew. What
 * lies within 1e-11 of the extent of a face counts as on it. At the end neighbouring triangles whose
 * corners lie in one plane to 1e-7 of the extent become one polygon, so that a cube has six faces
 * although its corners come with rounding. */
#include <stdio.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* beyond: list of points, -1 ends */
typedef struct facet {
  int32_t corner[3], beyond;
  double n[3], height;
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
  double inside[3], extent, slight;
} builder;

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

static bool add_facet(builder *b, int32_t i, int32_t j, int32_t k) {
  if (!SC_GROW(b->facet, b->facet_capacity, b->facets + 1)) return false;
  facet *f = b->facet + b->facets++;
  double e[3], g[3], d[3];
  sc_sub(b->point[j], b->point[i], e);
  sc_sub(b->point[k], b->point[i], g);
  sc_cross(e, g, f->n);
  sc_normalise(f->n, f->n);
  sc_sub(b->point[i], b->inside, d);
  bool flip = sc_dot(f->n, d) < 0;
  if (flip) sc_scale(-1, f->n, f->n);
  f->corner[0] = i, f->corner[1] = flip ? k : j, f->corner[2] = flip ? j : k;
  f->height = sc_dot(f->n, b->point[i]);
  f->beyond = -1;
  f->live = true;
  return true;
}

static double above(const builder *b, const facet *f, int32_t p) {
  return sc_dot(f->n, b->point[p]) - f->height;
}

/* Puts a point into the list of the first facet from `from` on that it lies beyond. */
static void deal(builder *b, int32_t p, size_t from) {
  for (size_t k = from; k < b->facets; k++) {
    facet *f = b->facet + k;
    if (!f->live || !(above(b, f, p) > b->slight)) continue;
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
    if (known == 1) b->extent = most, b->slight = 1e-11 * most;
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
    if (!f->live || !(above(b, f, apex) > b->slight)) continue;
    f->live = false;
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

/* Takes the furthest point beyond a facet into the hull. */
static bool take_point(builder *b, size_t at) {
  int32_t apex = b->facet[at].beyond, orphans = -1;
  for (int32_t p = apex; p >= 0; p = b->next[p])
    if (above(b, b->facet + at, p) > above(b, b->facet + at, apex)) apex = p;
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

static scree_status grow(builder *b, scree_error *error) {
  int32_t c[4];
  scree_status status = first_corners(b, c, error);
  if (status) return status;
  bool room = add_facet(b, c[0], c[1], c[2]) && add_facet(b, c[0], c[1], c[3]) &&
      add_facet(b, c[0], c[2], c[3]) && add_facet(b, c[1], c[2], c[3]);
  for (int32_t p = 0; p < b->points && room; p++) deal(b, p, 0);
  for (size_t k = 0; k < b->facets && room;) {
    if (!b->facet[k].live || b->facet[k].beyond < 0) {
      k++;
      continue;
    }
    room = take_point(b, k);
    if (k > 64 && k > b->facets / 2) sweep(b), k = 0;
  }
  sweep(b);
  return room ? SCREE_OK
              : sc_fail(error, SCREE_E_MEMORY, "no memory for the hull of %d points", (int)b->points);
}

/* ---- polygons ---- */

/* The facet across the edge from i to j, -1 if the hull is torn. */
static int32_t facet_across(const builder *b, int32_t i, int32_t j) {
  for (size_t k = 0; k < b->facets; k++)
    for (int c = 0; c < 3; c++)
      if (b->facet[k].corner[c] == j && b->facet[k].corner[(c + 1) % 3] == i) return (int32_t)k;
  return -1;
}

static bool same_plane(const builder *b, const facet *f, const facet *g) {
  double most = 1e-7 * b->extent;
  for (int c = 0; c < 3; c++)
    if (fabs(above(b, f, g->corner[c])) > most || fabs(above(b, g, f->corner[c])) > most) return false;
  return sc_dot(f->n, g->n) > 0;
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

/* Plane of a polygon: Newell's normal, offset of its outermost corner. */
static void plane_of(const builder *b, const int32_t *corner, int32_t count, double plane[4]) {
  double n[3] = {0, 0, 0}, c[3], d[3], e[3];
  for (int32_t k = 1; k + 1 < count; k++) {
    sc_sub(b->point[corner[k]], b->point[corner[0]], d);
    sc_sub(b->point[corner[k + 1]], b->point[corner[0]], e);
    sc_cross(d, e, c);
    sc_add(n, c, n);
  }
  sc_normalise(n, plane);
  plane[3] = -INFINITY;
  for (int32_t k = 0; k < count; k++) plane[3] = fmax(plane[3], sc_dot(plane, b->point[corner[k]]));
}

/* Groups facets into polygons; first, corner and plane are the geometry's. */
static bool make_polygons(builder *b, polygons *p) {
  size_t n = b->facets;
  p->across = sc_alloc(n * sizeof *p->across);
  p->group_of = sc_alloc(n * sizeof *p->group_of);
  p->stack = sc_alloc(n * sizeof *p->stack);
  p->first = sc_alloc((n + 1) * sizeof *p->first);
  p->corner = sc_alloc(3 * n * sizeof *p->corner);
  p->plane = sc_alloc(n * sizeof *p->plane);
  if (!p->across || !p->group_of || !p->stack || !p->first || !p->corner || !p->plane) return false;
  for (size_t k = 0; k < n; k++) {
    p->group_of[k] = -1;
    for (int c = 0; c < 3; c++)
      p->across[k][c] = facet_across(b, b->facet[k].corner[c], b->facet[k].corner[(c + 1) % 3]);
  }
  int32_t corners = 0;
  for (int32_t k = 0; k < (int32_t)n; k++) {
    if (p->group_of[k] >= 0) continue;
    flood(b, (const int32_t(*)[3])p->across, k, p->groups, p->group_of, p->stack);
    int32_t f = k, c = 0, count = -1;
    /* some facet of the group has an edge on its border */
    for (f = k; f < (int32_t)n && count < 0; f++)
      for (c = 0; c < 3 && count < 0; c++)
        if (p->group_of[f] == p->groups && (p->across[f][c] < 0 || p->group_of[p->across[f][c]] != p->groups))
          count = walk_border(b, (const int32_t(*)[3])p->across, p->group_of, f, c, p->corner + corners,
              3 * (int32_t)n - corners);
    if (count < 3) return false;
    plane_of(b, p->corner + corners, count, p->plane[p->groups]);
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

/* Neighbours along edges: every edge is walked once in each direction by the two polygons beside it. */
static bool fill_neighbours(scree_geometry *g) {
  int32_t corners = g->first[g->faces];
  g->near_first = sc_alloc(((size_t)g->points + 2) * sizeof *g->near_first);
  g->near = sc_alloc((size_t)corners * sizeof *g->near);
  if (!g->near_first || !g->near) return false;
  for (int32_t k = 0; k < corners; k++) g->near_first[g->corner[k] + 2]++;
  for (int32_t p = 0; p < g->points; p++) g->near_first[p + 2] += g->near_first[p + 1];
  for (int32_t f = 0; f < g->faces; f++)
    for (int32_t k = g->first[f]; k < g->first[f + 1]; k++)
      g->near[g->near_first[g->corner[k] + 1]++] = g->corner[k + 1 < g->first[f + 1] ? k + 1 : g->first[f]];
  return true;
}

/* Neighbours of a face's corners, but for those before and behind them on the face, are beside it. */
static double lift_of(const scree_geometry *g, int32_t f) {
  const int32_t *corner = g->corner + g->first[f], count = g->first[f + 1] - g->first[f];
  double least = INFINITY;
  for (int32_t c = 0; c < count; c++)
    for (int32_t k = g->near_first[corner[c]]; k < g->near_first[corner[c] + 1]; k++)
      if (g->near[k] != corner[(c + 1) % count] && g->near[k] != corner[(c + count - 1) % count])
        least = fmin(least, g->plane[f][3] - sc_dot(g->plane[f], g->point[g->near[k]]));
  return least;
}

static bool fill_lifts(scree_geometry *g) {
  g->lift = sc_alloc((size_t)g->faces * sizeof *g->lift);
  for (int32_t f = 0; f < g->faces && g->lift; f++) g->lift[f] = lift_of(g, f);
  return g->lift != NULL;
}

static scree_status finish(builder *b, scree_geometry *g, scree_error *error) {
  polygons p = {0};
  bool whole = make_polygons(b, &p), room = false;
  if (whole) {
    room = fill_geometry(b, &p, g) && fill_neighbours(g) && fill_lifts(g);
  } else {
    sc_free(p.first);
    sc_free(p.corner);
    sc_free(p.plane);
  }
  free_polygons(&p);
  if (!room)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the faces of a hull of %d points", (int)b->points);
  g->type = SCREE_HULL, g->closed = true, g->owners = 1;
  sc_geometry_measure(g);
  return SCREE_OK;
}

scree_geometry *scree_geometry_hull(const double (*points)[3], int64_t count, scree_error *error) {
  if (check_points(points, count, error)) return NULL;
  builder b = {.point = points, .points = (int32_t)count, .next = sc_alloc((size_t)count * sizeof(int32_t))};
  scree_geometry *g = sc_alloc(sizeof *g);
  scree_status status = g && b.next ? grow(&b, error)
                                    : sc_fail(error, SCREE_E_MEMORY, "no memory for a hull");
  if (!status) status = finish(&b, g, error);
  sc_free(b.next);
  sc_free(b.facet);
  sc_free(b.edge);
  if (!status) return g;
  sc_geometry_free(g);
  return NULL;
}
