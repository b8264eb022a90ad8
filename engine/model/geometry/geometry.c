/* Functions for hulls and meshes: memory, reference counts, mass properties, access to points. */
#include "model/geometry/geometry.h"
#include "base/base.h"
#include "math/vec.h"

bool sc_geometry_alloc(scree_geometry *g, int64_t points, int64_t triangles) {
  SC_ASSERT(g && points >= 0 && triangles >= 0);
  g->point = sc_alloc((size_t)points * sizeof *g->point);
  g->triangle = sc_alloc((size_t)triangles * sizeof *g->triangle);
  return g->point && g->triangle;
}

void sc_geometry_free(scree_geometry *g) {
  if (!g) return;
  void *const blocks[] = {g->point, g->triangle, g->first, g->corner, g->plane, g->depth, g->nearer, g->rim,
      g->near_first, g->near, g->near_edge, g->edge, g->normal, g->across, g->sharp, g->fold, g->node,
      g->tree_triangle, g->wide_block, g};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) sc_free(blocks[k]);
}

/* Returns a writable pointer to the reference count. Owners have const pointers to the geometry, but the
 * library may change the count. */
static int32_t *owners_of(const scree_geometry *g) { return (int32_t *)(uintptr_t)&g->owners; }

void scree_geometry_retain(const scree_geometry *g) {
  if (g) __atomic_add_fetch(owners_of(g), 1, __ATOMIC_RELAXED);
}

void scree_geometry_release(const scree_geometry *g) {
  if (g && __atomic_sub_fetch(owners_of(g), 1, __ATOMIC_ACQ_REL) == 0)
    sc_geometry_free((scree_geometry *)(uintptr_t)g);
}

static void measure_box(scree_geometry *g) {
  for (int k = 0; k < 3; k++) g->min[k] = INFINITY, g->max[k] = -INFINITY;
  for (int32_t p = 0; p < g->points; p++) {
    g->bound = fmax(g->bound, sc_norm(g->point[p]));
    for (int k = 0; k < 3; k++) {
      g->min[k] = fmin(g->min[k], g->point[p][k]);
      g->max[k] = fmax(g->max[k], g->point[p][k]);
    }
  }
}

/* Computes the member `solid` of a closed geometry: sums integrals over the tetrahedra between the middle of
 * the box and each triangle. */
static void measure_solid(scree_geometry *g) {
  double middle[3], sum[3] = {0, 0, 0}, volume = 0, product[6] = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < 3; k++) middle[k] = 0.5 * (g->min[k] + g->max[k]);
  for (int32_t t = 0; t < g->triangles; t++) {
    double c[3][3], n[3], all[3];
    for (int k = 0; k < 3; k++) sc_sub(g->point[g->triangle[t][k]], middle, c[k]);
    sc_cross(c[1], c[2], n);
    double part = sc_dot(c[0], n) / 6;
    volume += part;
    for (int k = 0; k < 3; k++) all[k] = c[0][k] + c[1][k] + c[2][k], sum[k] += part * all[k] / 4;
    /* adds the integral of x_i x_j over a tetrahedron with one corner at the origin */
    for (int i = 0, at = 0; i < 3; i++)
      for (int j = i; j < 3; j++, at++)
        product[at] += part / 20 *
            (all[i] * all[j] + c[0][i] * c[0][j] + c[1][i] * c[1][j] + c[2][i] * c[2][j]);
  }
  if (!(volume > 0)) return;
  sc_mass *s = &g->solid;
  s->mass = volume;
  double d[3] = {sum[0] / volume, sum[1] / volume, sum[2] / volume};
  for (int i = 0, at = 0; i < 3; i++)
    for (int j = i; j < 3; j++, at++) product[at] -= volume * d[i] * d[j];
  const double inertia[6] = {product[3] + product[5], -product[1], -product[2], product[0] + product[5],
      -product[4], product[0] + product[3]};
  memcpy(s->inertia, inertia, sizeof inertia);
  sc_add(middle, d, s->centre);
}

void sc_geometry_measure(scree_geometry *g) {
  SC_ASSERT(g);
  measure_box(g);
  if (g->closed) measure_solid(g);
}

int64_t scree_geometry_points(const scree_geometry *g, const double (**points)[3]) {
  SC_DEMAND(g && points, NULL, 0);
  *points = (const double(*)[3])g->point;
  return g->points;
}

int64_t scree_geometry_triangles(const scree_geometry *g, const int32_t (**triangles)[3]) {
  SC_DEMAND(g && triangles, NULL, 0);
  *triangles = (const int32_t(*)[3])g->triangle;
  return g->triangles;
}

void scree_geometry_get_info(const scree_geometry *g, scree_geometry_info *info) {
  SC_DEMAND(g && info, NULL, );
  *info = (scree_geometry_info){.type = g->type,
      .closed = g->closed,
      .solid = g->is_solid,
      .turned = g->turned,
      .points = g->points,
      .welded = g->welded,
      .dropped = g->dropped,
      .triangles = g->triangles,
      .faces = g->faces,
      .volume = g->solid.mass};
  sc_copy3(g->solid.centre, info->centre);
  sc_copy3(g->min, info->min);
  sc_copy3(g->max, info->max);
}
