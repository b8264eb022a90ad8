/* Half-spaces against solids: the points of the solid that are lowest over the plane, as its kind names
 * them. */
#include "collide/narrow/narrow.h"
#include "model/shape/kind.h"

typedef struct sheet {
  const sc_placed *solid;
  double n[3], local[3], offset, reach;
  int count;
  sc_touch *out;
} sheet;

static void drop_point(void *to, const double local[3], uint32_t feature) {
  sheet *s = to;
  double gap = sc_dot(s->local, local) - s->offset;
  if (!(gap <= s->reach)) return;
  sc_touch touch = {.gap = gap, .feature = feature};
  sc_copy3(s->n, touch.normal);
  sc_to_world(s->solid, local, touch.point);
  sc_axpy(-0.5 * gap, s->n, touch.point, touch.point);
  if (s->count < SC_MAX_TOUCHES) {
    s->out[s->count++] = touch;
    return;
  }
  /* full: the highest point makes room */
  int high = 0;
  for (int k = 1; k < SC_MAX_TOUCHES; k++)
    if (s->out[k].gap > s->out[high].gap) high = k;
  if (touch.gap < s->out[high].gap) s->out[high] = touch;
}

int sc_narrow_solid_halfspace(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const sc_shape_kind *kind = sc_kind_of(a->shape);
  sheet s = {.solid = a, .reach = reach, .out = out};
  double d[3];
  sc_column(b->R, 2, s.n);
  sc_mat_tvec(a->R, s.n, s.local);
  sc_sub(b->position, a->position, d);
  s.offset = sc_dot(s.n, d);
  if (kind->drop) {
    kind->drop(a->shape, s.local, &(sc_point_sink){drop_point, &s});
  } else {
    const double down[3] = {-s.local[0], -s.local[1], -s.local[2]};
    double lowest[3];
    kind->support(a->shape, down, lowest);
    drop_point(&s, lowest, 0);
  }
  return s.count;
}
