/* Balls against solids: the signed distance of a point to the solid, in closed form and at any depth for
 * kinds that know it; for hulls from their faces. Inside, the nearest point of the surface gives the way
 * out; where several are equally near (the centre of a box, the axis of a cylinder) one is taken by a
 * fixed order, so that the answer is always finite and the same. */
#include "collide/narrow/narrow.h"

static int ball_hull(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const scree_geometry *hull = b->shape->geometry;
  double x[3], n[3], deepest = -INFINITY;
  int32_t best = 0;
  sc_to_local(b, a->position, x);
  for (int32_t f = 0; f < hull->faces; f++) {
    double height = sc_dot(hull->plane[f], x) - hull->plane[f][3];
    if (height > deepest) deepest = height, best = f;
  }
  /* outside the nearest point may lie on an edge or corner */
  if (deepest > 0) return deepest - a->shape->radius > reach ? 0 : sc_narrow_convex(a, b, reach, out);
  sc_mat_vec(b->R, hull->plane[best], n);
  return sc_touch_ball(a->position, a->shape->radius, n, deepest, reach, 0, out);
}

int sc_narrow_sphere_solid(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const sc_shape_kind *kind = sc_kind_of(b->shape);
  double x[3], local[3], n[3];
  if (kind->about.flags & SCREE_SHAPE_GEOMETRY) return ball_hull(a, b, reach, out);
  if (!kind->distance) return sc_narrow_convex(a, b, reach, out);
  sc_to_local(b, a->position, x);
  double distance = kind->distance(b->shape, x, local);
  sc_mat_vec(b->R, local, n);
  return sc_touch_ball(a->position, a->shape->radius, n, distance, reach, 0, out);
}
