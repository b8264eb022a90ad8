/* Silhouettes from support points. The farthest point of a convex shape in each of many directions in the
 * plane of the picture lies on its outline. For shapes with edges, these points joined are the outline. */
#include "plot/plot_outline.h"

#include <math.h>
#include <string.h>

/* ---- poses ---- */

static void matrix_of(const double q[4], double R[9]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
      1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
      1 - 2 * (x * x + y * y)};
  memcpy(R, rows, sizeof rows);
}

static void rotate_point(const double R[9], const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

outline_pose outline_place(const scree_frame *f, int64_t row, const scree_shape_info *s) {
  static const double unturned[4] = {1, 0, 0, 0};
  double body[9], own[9], offset[3];
  outline_pose pose;
  matrix_of(f->orientation ? f->orientation + 4 * row : unturned, body);
  matrix_of(s->orientation, own);
  rotate_point(body, s->position, offset);
  for (int i = 0; i < 3; i++) pose.centre[i] = f->position[3 * row + i] + offset[i];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      pose.R[3 * i + k] = body[3 * i] * own[k] + body[3 * i + 1] * own[3 + k] + body[3 * i + 2] * own[6 + k];
  return pose;
}

void outline_point(const outline_pose *pose, const double local[3], double out[3]) {
  rotate_point(pose->R, local, out);
  for (int i = 0; i < 3; i++) out[i] += pose->centre[i];
}

/* ---- silhouettes ---- */

int outline_convex(
    const outline_pose *pose, const scree_shape_info *s, int u, int v, double out[OUTLINE_POINTS][2]) {
  int count = 0;
  for (int k = 0; k < OUTLINE_POINTS - 1; k++) {
    double angle = 2 * acos(-1) * (k + 0.5) / (OUTLINE_POINTS - 1), c = cos(angle), o = sin(angle), d[3],
           local[3], world[3];
    for (int i = 0; i < 3; i++) d[i] = c * pose->R[3 * u + i] + o * pose->R[3 * v + i];
    if (!scree_shape_support(s, d, local)) return 0;
    outline_point(pose, local, world);
    if (count && out[count - 1][0] == world[u] && out[count - 1][1] == world[v]) continue;
    out[count][0] = world[u], out[count++][1] = world[v];
  }
  out[count][0] = out[0][0], out[count][1] = out[0][1];
  return count + 1;
}
