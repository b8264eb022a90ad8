/* Data of the construction of a convex hull: triangles (geometry_surface.c), then polygons
 * (geometry_faces.c). */
#ifndef SC_GEOMETRY_HULL_H
#define SC_GEOMETRY_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/status.h"

/* A triangle of the growing hull; corners run counter-clockwise seen from outside. */
typedef struct sc_facet {
  int32_t corner[3], across[3]; /* across: the facet beyond the edge from this corner to the next */
  int32_t beyond;               /* first point of the list of points above the facet, -1: none */
  int64_t asked;                /* last query that reached this facet, -1: none */
  double n[3], width;           /* unit normal; width: smallest height of the triangle [m] */
  bool live;                    /* false: replaced by other facets */
} sc_facet;

/* An edge of the hole that remains when the facets visible from a point are removed, and the facet
 * outside. */
typedef struct sc_rim {
  int32_t from, to, outer;
} sc_rim;

typedef struct sc_hull {
  const double (*point)[3];
  int32_t points;
  /* [points] next point in the list of its facet; seat: new facet at the rim edge that starts at the point,
   * -1 */
  int32_t *next, *seat;
  sc_facet *facet;
  size_t facets, facet_capacity;
  sc_rim *rim;
  size_t rims, rim_capacity;
  int32_t *reached; /* facets that the last query reached */
  size_t reached_count, reached_capacity;
  int64_t live;      /* number of live facets */
  int64_t questions; /* number of queries for the facets visible from a point */
  bool torn;         /* true: the surface is inconsistent because of rounding */
  /* a point inside; largest distance of the first points [m]; scale: power of two near 1/extent */
  double inside[3], extent, scale;
} sc_hull;

static const double sc_hull_tolerance =
    1e-7; /* distance up to which points lie on a face, and faces in one plane, relative to the extent */

/* ---- geometry_surface.c ---- */

/* Computes the triangles of the hull, which are not usable if it sets `torn`. Fails if the points have no
 * volume or if out of memory. */
scree_status sc_hull_grow(sc_hull *hull, scree_error *error);
/* Returns the height of point p above a facet's plane. */
double sc_hull_above(const sc_hull *hull, const sc_facet *f, int32_t p);

/* ---- geometry_faces.c ---- */

/* Polygons of a hull with planes (n, n . p); polygon k has the corners corner[first[k]] .. corner[first[k +
 * 1] - 1]. */
typedef struct sc_polygons {
  int32_t groups, *first, *corner;
  double (*plane)[4];
  int32_t *group_of, *stack; /* [facets] polygon of each facet; scratch */
  double flat;               /* tolerance for facets in one plane, relative to the extent */
} sc_polygons;

/* Groups the surface into polygons; none (groups = 0) if they do not close. The lists of points beyond facets
 * are lost. Returns false if out of memory. */
bool sc_hull_polygons(sc_hull *hull, sc_polygons *p);
/* Frees the arrays; `flat` stays. */
void sc_polygons_free(sc_polygons *p);

#endif
