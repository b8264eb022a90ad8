/* Balls against solids: the signed distance of a point from the solid. Kinds with a distance function have a
 * closed form at any depth, and hulls use their faces. If the ball's centre is inside, the normal points to
 * the nearest point of the surface. At the centre of a box or on the axis of a cylinder several points are
 * equally near. A fixed order then decides, so that the result is finite and reproducible. */
#include "collide/narrow/narrow.h"

static int touch_hull(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const scree_geometry *hull = b->shape->geometry;
  double x[3], n[3], deepest = -INFINITY;
  int32_t best = 0;
  sc_to_local(b, a->position, x);
  for (int32_t f = 0; f < hull->faces; f++) {
    double height = sc_dot(hull->plane[f], x) - hull->plane[f][3];
    if (height > deepest) deepest = height, best = f;
  }
  /* outside of the hull the nearest point may lie on an edge or corner */
  if (deepest > 0) return deepest - a->shape->radius > reach ? 0 : sc_narrow_convex(a, b, reach, out);
  sc_mat_vec(b->R, hull->plane[best], n);
  return sc_touch_ball(a->position, a->shape->radius, n, deepest, reach, 0, out);
}

int sc_narrow_sphere_solid(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  const sc_shape_kind *kind = sc_kind_of(b->shape);
  double x[3], local[3], n[3];
  if (kind->about.flags & SCREE_SHAPE_GEOMETRY) return touch_hull(a, b, reach, out);
  if (!kind->distance) return sc_narrow_convex(a, b, reach, out);
  sc_to_local(b, a->position, x);
  double distance = kind->distance(b->shape, x, local);
  sc_mat_vec(b->R, local, n);
  return sc_touch_ball(a->position, a->shape->radius, n, distance, reach, 0, out);
}
