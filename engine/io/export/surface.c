/* Computes triangles of shapes in world coordinates; planes become squares. */
#include "io/export/surface.h"
#include "math/vec.h"
#include "model/shape/kind.h"

void sc_surface_place(sc_surface *m, const scree_frame *frame, int64_t row, const scree_shape_info *s) {
  static const double unturned[4] = {1, 0, 0, 0};
  const double *q = frame->orientation ? frame->orientation + 4 * row : unturned;
  double B[9], S[9];
  sc_quat_matrix(q, B);
  sc_quat_matrix(s->orientation, S);
  sc_mat_mul(B, S, m->R);
  sc_mat_vec(B, s->position, m->origin);
  sc_add(m->origin, frame->position + 3 * row, m->origin);
}

static void place_triangle(void *to, const double a[3], const double b[3], const double c[3]) {
  sc_surface *m = to;
  const double *corner[3] = {a, b, c};
  double p[3][3];
  for (int i = 0; i < 3; i++) {
    sc_mat_vec(m->R, corner[i], p[i]);
    sc_add(p[i], m->origin, p[i]);
  }
  m->put(m->to, (const double(*)[3])p);
}

/* Draws a plane as a square that spans the box. Its middle is the projection of the box's middle onto the
 * plane. */
static void draw_plane(sc_surface *m, const double normal[3]) {
  double n[3], side = 0, t[3], o[3], middle[3], depth = 0, p[4][3];
  sc_mat_vec(m->R, normal, n);
  for (int k = 0; k < 3; k++) {
    side = fmax(side, m->high[k] - m->low[k]);
    middle[k] = (m->high[k] + m->low[k]) / 2;
    depth += (middle[k] - m->origin[k]) * n[k];
  }
  if (!(side > 0)) side = 1;
  sc_frame(n, t, o);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      p[i][k] = middle[k] - depth * n[k] +
          side * ((i == 1 || i == 2 ? 1 : -1) * t[k] + (i > 1 ? 1 : -1) * o[k]);
  const double half[2][3][3] = {
      {{p[0][0], p[0][1], p[0][2]}, {p[1][0], p[1][1], p[1][2]}, {p[2][0], p[2][1], p[2][2]}},
      {{p[0][0], p[0][1], p[0][2]}, {p[2][0], p[2][1], p[2][2]}, {p[3][0], p[3][1], p[3][2]}}};
  m->put(m->to, half[0]);
  m->put(m->to, half[1]);
}

void sc_surface_draw(sc_surface *m, const scree_frame *frame, int64_t row, const scree_shape_info *shape) {
  sc_surface_place(m, frame, row, shape);
  if (shape->type == SCREE_HALFSPACE) draw_plane(m, shape->normal);
  else sc_shape_draw(shape, m->sides, place_triangle, m);
}
