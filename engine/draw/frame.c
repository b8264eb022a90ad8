/* Shapes of frames, put into the world. */
#include "draw/draw.h"
#include "math/vec.h"
#include "model/cell.h"

/* Where a body is drawn: in a cell its image that lies there. */
static void place(const scree_frame *f, int64_t row, double at[3]) {
  sc_cell cell = {.moves = false};
  sc_copy3(f->position + 3 * row, at);
  if (!f->has_cell || !sc_cell_set(&cell, f->cell.matrix)) return;
  for (int k = 0; k < 3; k++) cell.periodic[k] = f->cell.periodic[k];
  sc_copy3(f->cell.origin, cell.origin);
  sc_cell_wrap(&cell, f->position + 3 * row, at);
}

scree_drawn scree_drawn_shape(const scree_frame *f, int64_t row, int64_t index) {
  static const double unturned[4] = {1, 0, 0, 0};
  const scree_shape_info *s = f->shape + index;
  const double *q = f->orientation ? f->orientation + 4 * row : unturned;
  scree_drawn d = {.type = s->type,
      .radius = s->radius,
      .length = s->length,
      .geometry = s->geometry,
      .color = {190, 193, 198},
      .opacity = 1};
  double own[4], at[3];
  sc_copy3(s->size, d.size);
  sc_copy3(s->normal, d.normal);
  memcpy(d.own, s->own, sizeof d.own);
  sc_quat_rotate(q, s->position, d.position);
  place(f, row, at);
  sc_add(at, d.position, d.position);
  sc_quat_mul(q, s->orientation, own);
  if (!sc_quat_normalise(own, d.orientation)) d.orientation[0] = 1;
  return d;
}
