/* Silhouettes of shapes for `scree plot snapshot`. */
#ifndef CLI_PLOT_OUTLINE_H
#define CLI_PLOT_OUTLINE_H

#include "scree/scree.h"

enum { OUTLINE_POINTS = 65 }; /* largest number of points of a silhouette; the first is repeated at the end */

/* Pose of a shape in the world: p = centre + R (point of the shape). */
typedef struct outline_pose {
  double centre[3], R[9];
} outline_pose;

/* Returns the pose of a shape of the body in row `row`. Without orientations in the frame, bodies are not
 * rotated. */
outline_pose outline_place(const scree_frame *frame, int64_t row, const scree_shape_info *shape);
/* Converts a point from the shape's frame to the world. */
void outline_point(const outline_pose *pose, const double local[3], double out[3]);
/* Computes the closed silhouette of a convex shape seen along the axis that is neither u nor v (0..2), in
 * out[count][2] = (u, v). Returns count; 0 for half-spaces and meshes. */
int outline_convex(
    const outline_pose *pose, const scree_shape_info *shape, int u, int v, double out[OUTLINE_POINTS][2]);

#endif
