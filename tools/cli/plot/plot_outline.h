/* Silhouettes of shapes for `scree plot snapshot`. */
#ifndef CLI_PLOT_OUTLINE_H
#define CLI_PLOT_OUTLINE_H

#include "scree/scree.h"

enum { OUTLINE_POINTS = 65 }; /* most points of a silhouette, the first one repeated at the end */

/* A shape as a frame holds it, put into the world: p = centre + R (point of the shape). */
typedef struct outline_pose {
  double centre[3], R[9];
} outline_pose;

/* Pose of a shape of the body in row `row`. A frame without orientations shows bodies unturned. */
outline_pose outline_place(const scree_frame *frame, int64_t row, const scree_shape_info *shape);
/* A point of the shape's frame in the world. */
void outline_point(const outline_pose *pose, const double local[3], double out[3]);
/* Closed silhouette of a convex shape seen along the axis that is neither u nor v (0..2), in
 * out[count][2] = (u, v); returns count. Half-spaces and meshes have none: 0. */
int outline_convex(
    const outline_pose *pose, const scree_shape_info *shape, int u, int v, double out[OUTLINE_POINTS][2]);

#endif
