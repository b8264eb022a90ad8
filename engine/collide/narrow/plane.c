/* Half-spaces against solids: the points of the solid that are lowest over the plane.
 *
 * Corners for boxes, hulls and the apex of a cone; the lowest point of each rim, and three more a
 * quarter turn apart so that a disc can stand. A disc nearly flat on the plane has no lowest point to
 * speak of: its four points are then fixed to the body, so that they persist from step to step. */
#include "collide/narrow/narrow.h"
#include "model/geometry.h"

typedef struct sheet {
  const sc_placed *solid;
  double n[3], local[3], offset, reach;
  int count;
  sc_touch *out;
} sheet;

static void drop_point(sheet *s, const double local[3], uint32_t feature) {
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

static void drop_box(sheet *s) {
  const double *h = s->solid->shape->extent;
  for (uint32_t k = 0; k < 8; k++)
    drop_point(s, (double[3]){k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]}, k);
}

/* Rim of radius r at height z: the lowest point and three more. */
static void drop_rim(sheet *s, double r, double z, uint32_t feature) {
  double x = -s->local[0], y = -s->local[1], tilt = sqrt(x * x + y * y);
  double c = tilt > 1e-3 ? x / tilt : 1, d = tilt > 1e-3 ? y / tilt : 0;
  const double turn[4][2] = {{c, d}, {-d, c}, {-c, -d}, {d, -c}};
  /* on its side a disc needs its lowest point only */
  for (uint32_t k = 0; k < (tilt > 0.7 ? 1 : 4); k++)
    drop_point(s, (double[3]){r * turn[k][0], r * turn[k][1], z}, feature + k);
}

static void drop_ellipsoid(sheet *s) {
  const double *e = s->solid->shape->extent, *n = s->local;
  double x[3] = {e[0] * n[0], e[1] * n[1], e[2] * n[2]}, width = sc_norm(x);
  for (int k = 0; k < 3; k++) x[k] *= -e[k] / width;
  drop_point(s, x, 0);
}

static void drop_hull(sheet *s) {
  const scree_geometry *hull = s->solid->shape->geometry;
  for (int32_t k = 0; k < hull->points; k++) drop_point(s, hull->point[k], (uint32_t)k);
}

int sc_narrow_solid_halfspace(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  sheet s = {.solid = a, .reach = reach, .out = out};
  const sc_shape *shape = a->shape;
  double d[3];
  sc_column(b->R, 2, s.n);
  sc_mat_tvec(a->R, s.n, s.local);
  sc_sub(b->position, a->position, d);
  s.offset = sc_dot(s.n, d);
  switch (shape->type) {
  case SCREE_BOX: drop_box(&s); break;
  case SCREE_CYLINDER:
    drop_rim(&s, shape->radius, -shape->half, 0);
    drop_rim(&s, shape->radius, shape->half, 4);
    break;
  case SCREE_CONE:
    drop_rim(&s, shape->radius, -shape->half, 0);
    drop_point(&s, (double[3]){0, 0, shape->half}, 4);
    break;
  case SCREE_ELLIPSOID: drop_ellipsoid(&s); break;
  case SCREE_HULL: drop_hull(&s); break;
  default: break;
  }
  return s.count;
}
