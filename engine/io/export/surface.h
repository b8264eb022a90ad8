/* The surfaces of a frame's shapes as triangles in the world, for formats that draw them. */
#ifndef SC_SURFACE_H
#define SC_SURFACE_H

#include "io/export/export.h"

typedef struct sc_surface {
  double low[3], high[3]; /* the box that planes span */
  void (*put)(void *to, const double corner[3][3]);
  void *to;
  double R[9], origin[3]; /* of the shape at hand */
} sc_surface;

/* Sets R and origin of the surface to the rotation and place of a shape of the body in a row of the frame. */
void sc_surface_place(
    sc_surface *surface, const scree_frame *frame, int64_t row, const scree_shape_info *shape);
/* Puts the triangles of a shape of the body in a row of the frame: corners counter-clockwise seen from
 * outside; triangles without area may be among them. A half-space is a square that spans the box. */
void sc_surface_draw(
    sc_surface *surface, const scree_frame *frame, int64_t row, const scree_shape_info *shape);

#endif
