/* Touches that lie on an edge or corner: the faces at the edge, and the surfaces of neighbouring shapes. */
#ifndef SC_EDGE_H
#define SC_EDGE_H

#include "collide/contacts/filter.h"
#include "model/shape/kind.h"

/* A flat face of a placed shape at a touch, in world axes. */
typedef struct sc_flat_face {
  double normal[3], point[3]; /* outward unit normal, a point of the plane [m] */
  int32_t triangle;           /* row of the triangle, if the shape is a mesh */
} sc_flat_face;

/* A touch seen from one of the two shapes. The holder is the shape of the pair that has the edge or corner.
 * `other` is the shape that touches it. */
typedef struct sc_edge_touch {
  const sc_filter *filter;
  const sc_placed *holder, *other;
  bool first;                   /* true: `other` is the first shape of the pair */
  int32_t triangle;             /* row of the touched triangle, if the holder is a mesh */
  double point[3], way[3], gap; /* point of the touch on the holder [m], unit vector from this point to
                                   `other`, gap [m] */
} sc_edge_touch;

/* Describes a touch with one shape as the holder: the second shape if `first`, else the first shape. Returns
 * false if the other shape is not convex. */
bool sc_see_edge(const sc_filter *filter, const sc_touch *touch, bool first, sc_edge_touch *edge);

/* Computes the point of a convex shape's core that is furthest in a unit direction. Returns the radius of the
 * shape about its core [m]. */
double sc_support_along(const sc_placed *p, const double d[3], double point[3]);
/* Returns how far a convex shape reaches along a unit direction from a point [m]. */
double sc_reach_along(const sc_placed *p, const double d[3], const double from[3]);

/* Returns whether a shape can have two flat faces that are perpendicular to each other. */
bool sc_has_side_faces(const sc_shape *s);
/* Finds the flat faces of a shape within `off` [m] of a point. The cosine of the angle between a face's
 * normal and the unit vector n or -n must not be larger than `cosine`. Returns the number of faces; 0 for
 * meshes. */
int sc_find_side_faces(const sc_placed *holder, const double point[3], const double n[3], double cosine,
    double off, sc_flat_face side_face[SC_MAX_SIDE_FACES]);

/* Finds the flat faces of the holder at a touch. The other shape must lie above the plane of the face, or
 * below it by at most `slack` [m]. off: largest distance of a face's plane from the touch, if the holder is
 * not a mesh [m]. Returns the number of faces. */
int sc_faces_below(const sc_edge_touch *edge, double off, double slack, sc_flat_face face[SC_MAX_SIDE_FACES]);

/* A neighbour of a pair: another pair of the list. One of its shapes belongs to the same body as `other` of
 * an edge. Its other shape belongs to the holder, or to a body that moves as one with the holder. Both shapes
 * are shifted to the periodic images at which they lie beside `other`. */
typedef struct sc_neighbour {
  const sc_placed *one, *two; /* first and second shape of the pair in the list */
  bool first;                 /* whether `one` belongs to the body of `other` */
  int32_t pair;               /* row of the pair in the list */
} sc_neighbour;
typedef bool sc_visit_neighbour(void *context, const sc_neighbour *neighbour);

/* Visits the neighbours of a pair until a visit returns true. Returns whether a visit returned true. first:
 * as in sc_see_edge. If the holder is a mesh, the pair itself is visited, too. Pairs whose shapes are further
 * apart than `reach` [m] are skipped. There are no neighbours if the pair has no list. */
bool sc_visit_neighbours(
    const sc_filter *filter, bool first, double reach, sc_visit_neighbour *visit, void *context);

/* Kind of a touch with an edge or corner.
 * SC_NO_SEAM: the shapes press on each other here. SC_LEVEL: the surface continues level beyond the edge.
 * SC_RIDGE: the touch is with the back of a face beyond a ridge of the mesh.
 * SC_HOLLOW: the edge lies in a hollow fold, so the surface rises beyond the edge. */
typedef enum sc_seam { SC_NO_SEAM, SC_LEVEL, SC_RIDGE, SC_HOLLOW } sc_seam;

/* The faces at an edge, and touches with the faces of a hollow fold. */
typedef struct sc_fold {
  sc_touch touch[SC_MAX_SIDE_FACES];
  int count;
  bool above; /* true: the other shape lies above a face whose normal differs from the normal of the touch */
} sc_fold;

/* Returns the kind of a touch.
 * slack [m]: largest step up or down in a surface that counts as flat. For large meshes read from files,
 * steps of up to 10 slack count as flat.
 * fold: its member `above` is set. If the kind is SC_HOLLOW, the touches with the faces of the fold are set,
 * too. */
sc_seam sc_find_seam(const sc_filter *filter, double slack, const sc_touch *touch, sc_fold *fold);

#endif
