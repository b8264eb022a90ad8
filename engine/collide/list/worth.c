/* Which pairs of near shapes belong on the list. */
#include "collide/list/list.h"
#include "math/vec.h"

static bool movable(const sc_bodies *bodies, const sc_shape_cache *cache) {
  return bodies->inv_mass[cache->body] > 0;
}

/* Largest way by which two shapes can drift towards each other in so much time: along the normal of a
 * plane, else whichever way. */
static double approach(const sc_collide *c, int32_t row, int32_t other, double time) {
  double w[3], n[3];
  const double *u = sc_drift(c, row), *v = sc_drift(c, other);
  if (u == v) return 0;
  sc_sub(u, v, w);
  int32_t plane = !isfinite(c->cache[other].radius) ? other : !isfinite(c->cache[row].radius) ? row : -1;
  if (plane < 0) return time * sc_norm(w);
  const double *R = c->placed[c->cache[plane].placed].R;
  sc_set3(R[2], R[5], R[8], n);
  double away = plane == other ? sc_dot(w, n) : -sc_dot(w, n);
  return away < 0 ? -time * away : 0;
}

bool sc_collide_worth(const sc_collide *collide, const sc_bodies *bodies, int32_t row, int32_t other,
    double slacks, double time) {
  const sc_shape_cache *a = collide->cache + row, *b = collide->cache + other;
  if (a->body == b->body || (!movable(bodies, a) && !movable(bodies, b))) return false;
  /* another rank's */
  if (bodies->distributed && sc_bodies_solver(bodies, a->body, b->body) != bodies->rank) return false;
  if (a->placed < 0 && b->placed < 0) return true;
  double reach = slacks + collide->def.margin * fmin(a->radius, b->radius) +
      approach(collide, row, other, time);
  return !sc_collide_apart(collide, row, other, reach * (1 + 1e-12));
}

void sc_collide_orient(const sc_collide *collide, const sc_bodies *bodies, sc_pair *pair) {
  const sc_shape_cache *a = collide->cache + pair->one, *b = collide->cache + pair->two;
  bool swap = movable(bodies, a) != movable(bodies, b) ? movable(bodies, b)
                                                       : bodies->slot[a->body] > bodies->slot[b->body];
  if (swap) *pair = (sc_pair){pair->two, pair->one};
}
