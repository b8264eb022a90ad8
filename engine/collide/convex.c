/* Any two convex shapes: distance or depth of their cores, then the manifold. */
#include "collide/convex.h"

/* How far apart the cores are along their normal: never more than the distance, and equal to it if the normal is exact. */
static double apart_along(const sc_convex *a, const sc_convex *b, const double normal[3]) {
  double back[3] = {-normal[0], -normal[1], -normal[2]};
  sc_corner corner;
  sc_convex_corner(a, b, back, &corner);
  return sc_dot(corner.w, normal);
}

/* Nearly touching cores: where the direction between the nearest points is blurred by rounding, the expanding polytope may
 * know a better one. */
static void sharpen(const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, sc_nearest *nearest) {
  double size = a->size + b->size, along;
  if (nearest->distance > 1e-4 * size) return;
  along = apart_along(a, b, nearest->normal);
  if (along >= nearest->distance - 1e-10 * size) return;
  sc_nearest other;
  sc_epa(a, b, simplex, &other);
  if (other.distance > along) *nearest = other;
}

bool sc_convex_nearest(const sc_convex *a, const sc_convex *b, double reach, sc_nearest *out) {
  sc_simplex simplex;
  if (sc_gjk(a, b, &simplex, out)) sharpen(a, b, &simplex, out);
  else sc_epa(a, b, &simplex, out);
  return out->distance - a->radius - b->radius <= reach;
}

int sc_narrow_convex(const sc_placed *pa, const sc_placed *pb, double reach, sc_touch *out) {
  sc_convex a, b;
  sc_nearest nearest;
  sc_convex_of(pa, pa->position, &a);
  sc_convex_of(pb, pa->position, &b);
  if (!sc_convex_nearest(&a, &b, reach, &nearest)) return 0;
  return sc_manifold(&a, &b, &nearest, reach, pa->position, out);
}
