/* Makes geometries of convex hulls of points: computes triangles (geometry_surface.c) and merges the
 * triangles to polygons (geometry_faces.c). */
#include <math.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "model/geometry/geometry_hull.h"

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

/* Moves the polygons to the geometry and copies the points that the polygons use. Cuts the polygons into fans
 * of triangles. Returns false if out of memory. */
static bool fill_geometry(const sc_hull *h, sc_polygons *p, scree_geometry *g) {
  int32_t corners = p->first[p->groups], *name = sc_alloc((size_t)h->points * sizeof *name);
  g->first = p->first, g->corner = p->corner, g->plane = p->plane, g->faces = p->groups;
  p->first = p->corner = NULL, p->plane = NULL; /* the geometry owns these arrays now */
  if (!name || !sc_geometry_alloc(g, h->points, corners)) {
    sc_free(name);
    return false;
  }
  for (int32_t k = 0; k < h->points; k++) name[k] = -1;
  for (int32_t k = 0; k < corners; k++) {
    int32_t *corner = g->corner + k;
    if (name[*corner] < 0) name[*corner] = g->points, sc_copy3(h->point[*corner], g->point[g->points++]);
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

static scree_status make_hull(sc_hull *h, sc_polygons *p, scree_geometry *g, scree_error *error) {
  scree_status status = sc_hull_grow(h, error);
  if (status) return status;
  if (!sc_hull_polygons(h, p) || (p->groups && (!fill_geometry(h, p, g) || !sc_geometry_tables(g))))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the faces of a hull of %d points", (int)h->points);
  if (!p->groups)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%d points make no hull: they lie too close to each other", (int)h->points);
  g->type = SCREE_HULL, g->closed = g->is_solid = true, g->owners = 1;
  sc_geometry_measure(g);
  return SCREE_OK;
}

static void free_hull(sc_hull *h, sc_polygons *p) {
  sc_polygons_free(p);
  sc_free(h->next);
  sc_free(h->facet_at);
  sc_free(h->facet);
  sc_free(h->rim);
  sc_free(h->reached);
}

scree_geometry *scree_geometry_hull(const double (*points)[3], int64_t count, scree_error *error) {
  SC_DEMAND(points || count <= 0, error, NULL);
  if (check_points(points, count, error)) return NULL;
  sc_hull h = {.point = points, .points = (int32_t)count};
  sc_polygons p = {0};
  scree_geometry *g = sc_alloc(sizeof *g);
  scree_status status = g ? make_hull(&h, &p, g, error)
                          : sc_fail(error, SCREE_E_MEMORY, "no memory for a hull");
  free_hull(&h, &p);
  if (!status) return g;
  sc_geometry_free(g);
  return NULL;
}
