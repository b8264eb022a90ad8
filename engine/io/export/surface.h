/* The surfaces of a frame's shapes as triangles in world coordinates, for formats that draw them. */
#ifndef SC_SURFACE_H
#define SC_SURFACE_H

#include "io/export/export.h"

typedef struct sc_surface {
  double low[3], high[3];                           /* planes become squares that span this box [m] */
  void (*put)(void *to, const double corner[3][3]); /* called for each triangle */
  void *to;                                         /* first argument of put */
  int sides;                                        /* number of sides of round shapes; 0: 48 */
  double R[9], origin[3]; /* rotation matrix and position [m] of the present shape */
} sc_surface;

/* Sets R and origin to the pose of a shape; row: row of its body in the frame. */
void sc_surface_place(
    sc_surface *surface, const scree_frame *frame, int64_t row, const scree_shape_info *shape);
/* Calls put for the triangles of a shape; row: row of its body in the frame. Corners are counter-clockwise
 * seen from outside. Some triangles may have no area. A half-space becomes a square that spans the box. */
void sc_surface_draw(
    sc_surface *surface, const scree_frame *frame, int64_t row, const scree_shape_info *shape);

#endif
