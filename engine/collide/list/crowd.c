/* Detects scenes that place too many bodies at one place.
 *
 * n bodies at one place have n (n - 1) / 2 pairs. The list of these pairs could need more memory than a
 * computer has, and solvers cannot push such bodies apart. The search for pairs therefore fails before the
 * list is complete.
 *
 * Two balls share a place if the centre of each lies inside the other. Other bodies share a place if their
 * positions are equal, because long bodies can lie side by side within their bounding spheres. */
#include "collide/state.h"
#include "math/vec.h"

enum { NAMED = 4 }; /* number of other bodies that the message names */

static bool share_place(const sc_bodies *bodies, int32_t one, int32_t two) {
  double x[3], y[3], d[3];
  if (one == two || bodies->kind[one] != SCREE_DYNAMIC || bodies->kind[two] != SCREE_DYNAMIC) return false;
  sc_copy3(bodies->position[one], x);
  sc_copy3(bodies->position[two], y);
  if (bodies->cell) sc_cell_wrap(bodies->cell, x, x), sc_cell_wrap(bodies->cell, y, y);
  sc_sub(x, y, d);
  const double reach = fmin(sc_bodies_ball(bodies, one), sc_bodies_ball(bodies, two)), square = sc_dot(d, d);
  return reach > 0 ? square < reach * reach : square == 0;
}

bool sc_crowd_about(
    const sc_collide *collide, const sc_bodies *bodies, int32_t row, const sc_pair *pair, int32_t count) {
  const sc_shape_cache *cache = collide->poses.cache;
  int32_t others = 0;
  if (count <= SC_CROWD) return false;
  for (int32_t k = 0; k < count && others <= SC_CROWD; k++) {
    const int32_t other = pair[k].one == row ? pair[k].two : pair[k].one, body = cache[other].body;
    others += bodies->first_shape[body] == other && share_place(bodies, cache[row].body, body);
  }
  return others > SC_CROWD;
}

void sc_crowd_note(int32_t *crowd, int32_t row) {
  int32_t lowest = __atomic_load_n(crowd, __ATOMIC_RELAXED);
  while (row < lowest &&
      !__atomic_compare_exchange_n(crowd, &lowest, row, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

scree_status sc_crowd_fail(
    const sc_collide *collide, const sc_bodies *bodies, int32_t row, scree_error *error) {
  const int32_t body = collide->poses.cache[row].body;
  const double *x = bodies->position[body];
  unsigned long long id[NAMED] = {0};
  int32_t others = 0;
  for (int32_t b = 0; b < bodies->count; b++) {
    if (!share_place(bodies, body, b)) continue;
    if (others < NAMED) id[others] = sc_bodies_id(bodies, b);
    others++;
  }
  return sc_fail(error, SCREE_E_NUMERIC,
      "body %llu at (%g, %g, %g) shares its place with %d other bodies (%llu, %llu, %llu, %llu, ...): the "
      "centre of each is inside the others; place them apart",
      (unsigned long long)sc_bodies_id(bodies, body), x[0], x[1], x[2], (int)others, id[0], id[1], id[2],
      id[3]);
}
