/* A convex hull on its way from points to a geometry: triangles that grow (geometry_surface.c), polygons that
 * they make (geometry_faces.c). */
#ifndef SC_GEOMETRY_HULL_H
#define SC_GEOMETRY_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include "scree/status.h"

/* Seen from outside, corners follow each other to the left. */
typedef struct sc_facet {
  int32_t corner[3], across[3]; /* across: the facet beside the edge that begins at that corner */
  int32_t beyond;
  int64_t asked;      /* list of points, -1 ends; the last question it was asked */
  double n[3], width; /* width: least height as a triangle */
  bool live;
} sc_facet;

/* An edge of the hole that the facets seeing a point leave, and the facet on its other side. */
typedef struct sc_rim {
  int32_t from, to, outer;
} sc_rim;

typedef struct sc_hull {
  const double (*point)[3];
  int32_t points;
  int32_t *next, *seat; /* of each point: the next in its facet's list; the new facet at the rim from it on */
  sc_facet *facet;
  size_t facets, facet_capacity;
  sc_rim *rim;
  size_t rims, rim_capacity;
  int32_t *reached; /* facets */
  size_t reached_count, reached_capacity;
  int64_t live;                    /* facets */
  int64_t questions;               /* which facets see a point */
  bool torn;                       /* rounding has torn the surface */
  double inside[3], extent, scale; /* scale: a power of two near 1/extent */
} sc_hull;

static const double sc_hull_slight = 1e-7; /* over the extent: what counts as on a face, and as one plane */

/* ---- geometry_surface.c ---- */

/* The surface of all points, as far as it is not torn. Fails where the points have no volume. */
scree_status sc_hull_grow(sc_hull *hull, scree_error *error);
/* Height of point p above a facet's plane. */
double sc_hull_above(const sc_hull *hull, const sc_facet *f, int32_t p);

/* ---- geometry_faces.c ---- */

/* Polygons and their planes (n, n . p); corners of polygon k are corner[first[k]] .. */
typedef struct sc_polygons {
  int32_t groups, *first, *corner;
  double (*plane)[4];
  int32_t *group_of, *stack; /* per facet */
  double flat;               /* over the extent: what counts as one plane */
} sc_polygons;

/* The surface in polygons, none where they do not close it; false without memory. Lists of points beyond
 * facets are gone then. */
bool sc_hull_polygons(sc_hull *hull, sc_polygons *p);
void sc_polygons_free(sc_polygons *p);

#endif
