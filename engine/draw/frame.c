/* Shapes of frames, put into the world. */
#include "draw/draw.h"
#include "math/vec.h"

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
  double own[4];
  sc_copy3(s->size, d.size);
  sc_copy3(s->normal, d.normal);
  memcpy(d.own, s->own, sizeof d.own);
  sc_quat_rotate(q, s->position, d.position);
  sc_add(f->position + 3 * row, d.position, d.position);
  sc_quat_mul(q, s->orientation, own);
  if (!sc_quat_normalise(own, d.orientation)) d.orientation[0] = 1;
  return d;
}
