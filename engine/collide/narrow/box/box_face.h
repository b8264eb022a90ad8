/* What of another shape lies over a face of a box (box_face.c); all in the box's axes about its middle. */
#ifndef SC_BOX_FACE_H
#define SC_BOX_FACE_H

#include "collide/narrow/box/box_cut.h"

/* A box looked at along a unit normal that leads to it from the other shape. */
typedef struct sc_box_view {
  const sc_shape *shape;
  const double *R, *centre; /* of the box */
  double n[3], normal[3];   /* in the box's axes, in the world's */
  double reach;
} sc_box_view;

/* A face of the other shape: its corners, its unit normal, its name (8 bits), the bounding radius of the
 * shape. Two corners: a line, with a radius about it. */
typedef struct sc_patch {
  double corner[4][3], normal[3], size, radius;
  int count;
  uint32_t id;
} sc_patch;

/* A face of another shape, of such a name, size and radius about it, as it lies over the box's face across
 * axis k that looks to `side`; y times `way`, so that its corners go round counter-clockwise. */
typedef struct sc_seen {
  int k;
  uint32_t id;
  double side, way, size, radius, half[2];
  sc_cut cut;
  sc_inside inside;
} sc_seen;

void sc_box_look(const sc_shape *shape, const double R[9], const double centre[3], const double n[3],
    double reach, sc_box_view *out);
/* Touches at the corners of the overlap of the patch and the box's face that looks at it; their number. */
int sc_box_overlap(const sc_box_view *v, const sc_patch *patch, sc_touch out[SC_MAX_TOUCHES]);
int sc_box_seen(const sc_box_view *v, const sc_seen *seen, sc_touch out[SC_MAX_TOUCHES]);
/* Whether one of these is as near as a distance; size: of the other shape. */
bool sc_box_reaches(const sc_box_view *v, double size, double distance, const sc_touch *touch, int count);
/* Adds one between the nearest points, in the box's axes too, where none is as near; their number. */
int sc_box_nearest_touch(
    const sc_box_view *v, double size, const sc_nearest *nearest, int count, sc_touch out[SC_MAX_TOUCHES]);

#endif
