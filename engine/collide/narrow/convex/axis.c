/* Separating axes cached from step to step.
 *
 * If two convex shapes are apart along any direction, they do not touch. A test of one direction costs two
 * support points; a search costs dozens. If the cached axis does not prove that a pair is out of reach, the
 * pair is searched as if there were no axis. Results therefore do not depend on the cache. */
#include "collide/narrow/convex/convex.h"

/* Returns the distance that a shape reaches from its position along the direction n [m], times the length of
 * n. */
static double scaled_reach_along(const sc_placed *p, const double n[3]) {
  const sc_shape_kind *kind = sc_kind_of(p->shape);
  const double *h = p->shape->extent;
  double d[3], corner[3], size;
  sc_mat_tvec(p->R, n, d);
  if (p->shape->type == SCREE_BOX) return h[0] * fabs(d[0]) + h[1] * fabs(d[1]) + h[2] * fabs(d[2]);
  const double radius = kind->core ? kind->core(p->shape, &size) : 0;
  kind->support(p->shape, d, corner);
  return sc_dot(corner, d) + (radius > 0 ? radius * sc_norm(d) : 0);
}

/* Returns the tolerance of a distance of two shapes [m]: rounding errors, or the convergence error of curved
 * surfaces. */
static double distance_tolerance(const sc_placed *a, const sc_placed *b) {
  bool round = sc_kind_of(a->shape)->round || sc_kind_of(b->shape)->round;
  return (round ? 1e-3 : 1e-9) * (a->shape->bound + b->shape->bound);
}

bool sc_axis_separates(const sc_placed *a, const sc_placed *b, const sc_pair_cache *cache, double reach) {
  const double n[3] = {(double)cache->axis[0], (double)cache->axis[1], (double)cache->axis[2]},
               back[3] = {-n[0], -n[1], -n[2]};
  double d[3];
  if (n[0] > 1 || (n[0] == 0 && n[1] == 0 && n[2] == 0)) return false;
  sc_sub(a->position, b->position, d);
  double apart = sc_dot(d, n) - scaled_reach_along(a, back) - scaled_reach_along(b, n);
  /* the axis is stored as floats: a unit vector to seven digits */
  return apart > reach * (1 + 1e-6) + distance_tolerance(a, b);
}

void sc_axis_set(sc_pair_cache *cache, const double n[3]) {
  if (!cache) return;
  cache->axis[0] = (float)sc_clamp(n[0], -1, 1);
  for (int k = 1; k < 3; k++) cache->axis[k] = (float)n[k];
}
