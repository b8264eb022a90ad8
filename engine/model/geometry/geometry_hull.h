/* Data of the construction of a convex hull: triangles (geometry_surface.c), then polygons
 * (geometry_faces.c). */
#ifndef SC_GEOMETRY_HULL_H
#define SC_GEOMETRY_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/status.h"

/* A triangle of the growing hull. Its corners are counter-clockwise seen from outside. */
typedef struct sc_facet {
  /* corner: points; across[k]: facet on the other side of the edge from corner[k] to the next corner */
  int32_t corner[3], across[3];
  int32_t beyond;     /* first point of the list of points above the facet; -1: none */
  int64_t asked;      /* number of the last visibility query that reached this facet; -1: none */
  double n[3], width; /* n: unit normal; width: smallest height of the triangle [m] */
  bool live;          /* false: other facets have replaced this facet */
} sc_facet;

/* An edge of the hole that remains after the facets that are visible from a point have been removed. from,
 * to: points; outer: index of the facet on the other side of the edge, which remains. */
typedef struct sc_rim {
  int32_t from, to, outer;
} sc_rim;

typedef struct sc_hull {
  const double (*point)[3];
  int32_t points;
  /* next: [points] next point in the list of points above a facet. facet_at: [points] index of the new facet
   * at that edge of the hole that starts at the point; -1: none. */
  int32_t *next, *facet_at;
  sc_facet *facet;
  size_t facets, facet_capacity;
  sc_rim *rim;
  size_t rims, rim_capacity;
  int32_t *reached; /* indices of the facets that the last visibility query has reached */
  size_t reached_count, reached_capacity;
  int64_t live;      /* number of live facets */
  int64_t questions; /* number of visibility queries so far */
  bool torn;         /* true: the surface is inconsistent because of rounding errors */
  /* inside: a point inside the hull; extent: distance of the first two corners of the hull [m], a measure of
   * its size; scale: power of two near 1/extent */
  double inside[3], extent, scale;
} sc_hull;

/* distance up to which a point counts as lying on a face, divided by sc_hull.extent; also the first tolerance
 * for facets in one plane */
static const double sc_hull_tolerance = 1e-7;

/* ---- geometry_surface.c ---- */

/* Computes the triangles of the hull. The triangles are not usable if hull->torn is true. Fails if the points
 * have no volume or if out of memory. */
scree_status sc_hull_grow(sc_hull *hull, scree_error *error);
/* Returns the height of point p above the plane of a facet [m]. */
double sc_hull_above(const sc_hull *hull, const sc_facet *f, int32_t p);

/* ---- geometry_faces.c ---- */

/* Polygons of a hull. Polygon k has the corners corner[first[k]] .. corner[first[k + 1] - 1]. Its plane is
 * (n, n . p) with the unit normal n and a point p of the plane. */
typedef struct sc_polygons {
  int32_t groups, *first, *corner;
  double (*plane)[4];
  /* [facets] group_of: polygon of each facet; stack: scratch for a stack of facets */
  int32_t *group_of, *stack;
  double flat; /* tolerance for facets in one plane, divided by sc_hull.extent */
} sc_polygons;

/* Merges the triangles of a hull to polygons. Sets p->groups to 0 if the polygons do not form a closed
 * surface. Overwrites hull->next. Returns false if out of memory. */
bool sc_hull_polygons(sc_hull *hull, sc_polygons *p);
/* Frees the arrays. Does not change p->flat. */
void sc_polygons_free(sc_polygons *p);

#endif
