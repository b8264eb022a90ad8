/* The overlap of a face of a box with a face or edge of another shape (box_face.c). All points and directions
 * are in the box's axes about its centre unless stated otherwise. */
#ifndef SC_BOX_FACE_H
#define SC_BOX_FACE_H

#include "collide/narrow/box/box_cut.h"

/* A box and the unit contact normal, which points from the other shape to the box. */
typedef struct sc_box_view {
  const sc_shape *shape;
  const double *R, *centre; /* orientation and centre of the box, world axes */
  double n[3], normal[3];   /* contact normal in the axes of the box, and in world axes */
  double reach;             /* largest gap of a touch [m] */
} sc_box_view;

/* A face of the other shape, or the segment of a capsule with its radius. */
typedef struct sc_patch {
  double corner[4][3]; /* [count] corners of the face or ends of the segment [m] */
  double normal[3];    /* outward unit normal; not set for a segment */
  /* bounding radius of the other shape [m]; radius about the segment, or 0 for a face [m] */
  double size, radius;
  int count;   /* 3 or 4 corners of a face, 2 ends of a segment */
  uint32_t id; /* feature id of the face or segment, 8 bits */
} sc_patch;

/* A patch projected onto a face of the box. x and y of the projection are the box's axes k + 1 and k + 2; y
 * is multiplied by `way`, so that the corners are counter-clockwise. */
typedef struct sc_seen {
  int k;       /* axis of the box perpendicular to the face */
  uint32_t id; /* feature id of the patch */
  /* side: 1 or -1, the face of the box lies at side * extent[k]; way: 1 or -1, the factor of y */
  double side, way;
  /* bounding radius and radius as in sc_patch [m]; half widths of the face of the box [m] */
  double size, radius, half[2];
  sc_cut cut;
  sc_inside inside;
} sc_seen;

/* Sets the view of a box along a unit normal n. R, centre: must outlive the view. */
void sc_box_view_set(const sc_shape *shape, const double R[9], const double centre[3], const double n[3],
    double reach, sc_box_view *out);
/* Computes the touches at the corners of the overlap of a patch and the facing face of the box. Returns
 * their number. */
int sc_box_overlap(const sc_box_view *v, const sc_patch *patch, sc_touch out[SC_MAX_TOUCHES]);
/* Like sc_box_overlap for a patch that has already been projected and clipped. */
int sc_box_seen(const sc_box_view *v, const sc_seen *seen, sc_touch out[SC_MAX_TOUCHES]);
/* Returns true if the gap of some touch is at most `distance`, up to rounding. size: bounding radius of the
 * other shape [m]. */
bool sc_box_reaches(const sc_box_view *v, double size, double distance, const sc_touch *touch, int count);
/* Adds a touch between the nearest points if no touch has a gap as small. nearest: nearest points in the
 * box's axes. Returns the new number of touches. */
int sc_box_nearest_touch(
    const sc_box_view *v, double size, const sc_nearest *nearest, int count, sc_touch out[SC_MAX_TOUCHES]);

#endif
