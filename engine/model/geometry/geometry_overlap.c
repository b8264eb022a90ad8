/* Finds parts of a closed mesh that intersect.
 *
 * A part is a set of triangles that are connected by edges. If two parts overlap, the volume computed from
 * the triangles is wrong, because the shared volume counts twice. Two parts overlap if an edge of one part
 * crosses a triangle of the other part. The search tests the edges of each triangle. Before the test, each
 * edge is moved a little towards the middle of its triangle and into the solid. Parts that only touch
 * therefore do not count as overlapping. */
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* Distance by which an edge is moved towards the middle of its triangle, divided by its distance from the
 * middle. */
#define DRAWN_IN 1e-3
/* Distance by which an edge is moved into the solid, divided by the size of its triangle (the largest
 * distance of a corner from the middle). */
#define DRAWN_INSIDE 1e-5

/* Sets part[t] to the first triangle of the part to which triangle t belongs. Returns the number of parts, or
 * -1 if out of memory. */
static int32_t name_parts(const scree_geometry *g, int32_t *part) {
  int32_t *stack = sc_alloc((size_t)g->triangles * sizeof *stack), parts = 0;
  if (!stack) return -1;
  for (int32_t t = 0; t < g->triangles; t++) part[t] = -1;
  for (int32_t t = 0; t < g->triangles; t++) {
    if (part[t] >= 0) continue;
    int32_t height = 0;
    part[t] = t, stack[height++] = t, parts++;
    while (height) {
      const int32_t *across = g->across[stack[--height]];
      for (int k = 0; k < 3; k++)
        if (across[k] >= 0 && part[across[k]] < 0) part[across[k]] = t, stack[height++] = across[k];
    }
  }
  sc_free(stack);
  return parts;
}

typedef struct probe {
  const scree_geometry *g;
  const int32_t *part;
  double from[3], to[3];
  /* own: first triangle of the part to which the segment belongs; other: first triangle of the part that the
   * segment crosses, -1: none found yet */
  int32_t own, other;
} probe;

/* Tests whether the segment p->from, p->to crosses a triangle of another part. If so, stores the part of the
 * triangle in p->other and stops the query. A callback of sc_geometry_query. */
static bool cross_triangle(void *context, int32_t triangle) {
  probe *p = context;
  double corner[3][3], d[3], e[3], f[3], n[3], a[3], b[3], c[3];
  if (p->part[triangle] == p->own) return true;
  for (int k = 0; k < 3; k++) sc_sub(p->g->point[p->g->triangle[triangle][k]], p->from, corner[k]);
  sc_sub(p->to, p->from, d);
  sc_sub(corner[1], corner[0], e);
  sc_sub(corner[2], corner[0], f);
  sc_cross(e, f, n);
  const double start = -sc_dot(corner[0], n), end = start + sc_dot(d, n);
  if (!((start > 0 && end < 0) || (start < 0 && end > 0))) return true;
  sc_cross(corner[0], corner[1], a);
  sc_cross(corner[1], corner[2], b);
  sc_cross(corner[2], corner[0], c);
  const double u = sc_dot(d, a), v = sc_dot(d, b), w = sc_dot(d, c);
  if ((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0)) p->other = p->part[triangle];
  return p->other < 0;
}

/* Tests the three edges of triangle t. Returns the first triangle of another part that one of these edges
 * crosses, or -1. */
static int32_t probe_triangle(const scree_geometry *g, const int32_t *part, int32_t t) {
  double middle[3] = {0, 0, 0}, corner[3][3], size = 0;
  for (int k = 0; k < 3; k++) sc_axpy(1.0 / 3, g->point[g->triangle[t][k]], middle, middle);
  for (int k = 0; k < 3; k++) {
    double way[3];
    sc_sub(middle, g->point[g->triangle[t][k]], way);
    size = fmax(size, sc_norm(way));
  }
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      corner[k][i] = (1 - DRAWN_IN) * g->point[g->triangle[t][k]][i] + DRAWN_IN * middle[i] -
          DRAWN_INSIDE * size * g->normal[t][i];
  for (int k = 0; k < 3; k++) {
    probe p = {.g = g, .part = part, .own = part[t], .other = -1};
    double min[3], max[3];
    sc_copy3(corner[k], p.from);
    sc_copy3(corner[(k + 1) % 3], p.to);
    for (int i = 0; i < 3; i++) min[i] = fmin(p.from[i], p.to[i]), max[i] = fmax(p.from[i], p.to[i]);
    sc_geometry_query(g, min, max, cross_triangle, &p);
    if (p.other >= 0) return p.other;
  }
  return -1;
}

bool sc_geometry_overlap(const scree_geometry *g, int32_t triangle[2]) {
  triangle[0] = triangle[1] = -1;
  int32_t *part = sc_alloc((size_t)g->triangles * sizeof *part);
  const int32_t parts = part ? name_parts(g, part) : -1;
  for (int32_t t = 0; parts > 1 && t < g->triangles && triangle[0] < 0; t++) {
    const int32_t other = probe_triangle(g, part, t);
    if (other >= 0) triangle[0] = part[t], triangle[1] = other;
  }
  sc_free(part);
  return parts >= 0;
}
