/* Makes shapes to draw from the shapes of a frame, placed in the world, and from the edges of its cell. */
#include "draw/draw.h"
#include "math/vec.h"

/* Returns a capsule that shows an edge of the cell. from: start of the edge; edge: vector of the edge. */
static scree_drawn make_rod(const double from[3], const double edge[3], double radius) {
  scree_drawn d = {.type = SCREE_CAPSULE, .radius = radius, .color = {70, 78, 92}, .opacity = 1};
  const double z[3] = {0, 0, 1};
  double along[3], axis[3];
  d.length = sc_norm(edge);
  sc_axpy(0.5, edge, from, d.position);
  sc_scale(1 / d.length, edge, along);
  sc_cross(z, along, axis);
  d.orientation[0] = 1 + along[2];
  memcpy(d.orientation + 1, axis, sizeof axis);
  if (!sc_quat_normalise(d.orientation, d.orientation))
    memcpy(d.orientation, (double[4]){0, 1, 0, 0}, sizeof d.orientation);
  return d;
}

int scree_drawn_cell(const scree_frame *f, scree_drawn out[SCREE_CELL_EDGES]) {
  SC_DEMAND(f, NULL, 0);
  const double *H = f->cell.matrix;
  double thin = INFINITY;
  int count = 0;
  for (int e = 0; f->has_cell && e < 3; e++)
    if (f->cell.periodic[e]) thin = fmin(thin, 0.002 * sc_norm((double[3]){H[e], H[3 + e], H[6 + e]}));
  for (int e = 0; f->has_cell && e < 3; e++) {
    const double edge[3] = {H[e], H[3 + e], H[6 + e]};
    for (int corner = 0; f->cell.periodic[e] && corner < 4; corner++) {
      const int other[2] = {(e + 1) % 3, (e + 2) % 3};
      double from[3];
      bool there = true;
      sc_copy3(f->cell.origin, from);
      for (int k = 0; k < 2; k++) {
        if (!(corner >> k & 1)) continue;
        there = there && f->cell.periodic[other[k]];
        sc_axpy(1, (double[3]){H[other[k]], H[3 + other[k]], H[6 + other[k]]}, from, from);
      }
      if (there) out[count++] = make_rod(from, edge, thin);
    }
  }
  return count;
}

scree_drawn scree_drawn_shape(const scree_frame *f, int64_t row, int64_t index) {
  SC_DEMAND(f && row >= 0 && row < f->bodies && index >= 0 && index < f->shapes, NULL, (scree_drawn){0});
  static const double unturned[4] = {1, 0, 0, 0};
  const scree_shape_info *s = f->shape + index;
  const double *q = f->orientation ? f->orientation + 4 * row : unturned;
  scree_drawn d = {.type = s->type,
      .radius = s->radius,
      .length = s->length,
      .geometry = s->geometry,
      .color = {190, 193, 198},
      .opacity = 1};
  const scree_shown shown = scree_frame_shown(f, row);
  double own[4];
  sc_copy3(s->size, d.size);
  sc_copy3(s->normal, d.normal);
  memcpy(d.own, s->own, sizeof d.own);
  sc_quat_rotate(q, s->position, d.position);
  sc_add(shown.position, d.position, d.position);
  sc_quat_mul(q, s->orientation, own);
  if (!sc_quat_normalise(own, d.orientation)) d.orientation[0] = 1;
  return d;
}
