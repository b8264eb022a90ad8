/* General search for two convex shapes: distance (GJK) or depth (EPA) of their cores, then the manifold.
 *
 * Most pairs of a simulation nearly touch or overlap slightly. Both algorithms are weak in this case:
 * rounding blurs the direction between the nearest points, and simplex or polytope converge slowly to a round
 * surface. For round shapes both algorithms are therefore stopped early, and Newton's method on the normal
 * finishes (polish.c). Newton's method fails for one pair of a hundred. GJK or EPA then runs to its end, and
 * its normal n is refined: one core is moved along n by more than the depth, and GJK is repeated. If n is
 * exact, the new normal is n again. If n has an angular error, the new error is this error times (distance
 * moved / radius of curvature), about 1/50 per round. */
#include "collide/narrow/convex/convex.h"

enum { ROUNDS = 2 }; /* number of refinements of the normal */

/* Returns the separation of the cores along their normal [m]. The separation is at most the distance, and
 * equal to the distance if the normal is exact. */
static double separation_along(const sc_convex *a, const sc_convex *b, const double normal[3]) {
  double back[3] = {-normal[0], -normal[1], -normal[2]};
  sc_corner corner;
  sc_convex_corner(a, b, back, &corner);
  return sc_dot(corner.w, normal);
}

/* Improves a normal: repeats GJK with one core moved away along the normal. along: separation along the
 * present normal [m]. */
static void refine_normal(const sc_convex *a, const sc_convex *b, double along, sc_nearest *nearest) {
  double size = a->size + b->size,
         min = fmin(a->size, b->size) > 0 ? fmin(a->size, b->size) : fmax(a->size, b->size);
  for (int round = 0; round < ROUNDS; round++) {
    sc_convex moved = *a;
    sc_nearest trial;
    sc_simplex simplex;
    double way = fmax(0, -along) + 0.02 * min;
    sc_axpy(way, nearest->normal, a->position, moved.position);
    if (!sc_gjk(&moved, b, INFINITY, false, &simplex, &trial)) return;
    double better = separation_along(a, b, trial.normal), gain = better - along;
    if (!(gain > 0)) return;
    along = better;
    sc_axpy(-way, nearest->normal, trial.a, trial.a);
    trial.distance = better;
    *nearest = trial;
    if (gain < 1e-12 * size) return;
  }
}

/* Improves the normal of cores that nearly touch: by refinement if a core is round, else by EPA. */
static void improve_normal(
    const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, sc_nearest *nearest) {
  double size = a->size + b->size, along;
  if (nearest->distance > 1e-4 * size) return;
  along = separation_along(a, b, nearest->normal);
  if (along >= nearest->distance - 1e-10 * size) return;
  if (sc_convex_is_round(a) || sc_convex_is_round(b)) {
    refine_normal(a, b, along, nearest);
    return;
  }
  sc_nearest other;
  sc_epa(a, b, simplex, 1e-10 * size, &other);
  if (other.distance > along) *nearest = other;
}

/* Computes the depth of overlapping cores. Round cores that overlap slightly are refined. */
static void compute_depth(
    const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, sc_nearest *nearest) {
  double size = a->size + b->size;
  bool round = sc_convex_is_round(a) || sc_convex_is_round(b);
  sc_epa(a, b, simplex, round ? 1e-4 * size : 1e-10 * size, nearest);
  if (!round) return;
  if (nearest->distance > -0.05 * size) refine_normal(a, b, separation_along(a, b, nearest->normal), nearest);
  else sc_epa(a, b, simplex, 1e-10 * size, nearest);
}

/* Fast search for curved surfaces: a rough search, then Newton's method. For overlapping cores Newton's
 * result is accepted if it is not deeper than the result of EPA by more than `tolerance`. */
static bool nearest_round(const sc_convex *a, const sc_convex *b, double far, sc_nearest *out) {
  sc_simplex simplex;
  if (sc_gjk(a, b, far, true, &simplex, out)) return out->distance == INFINITY || sc_convex_polish(a, b, out);
  double tolerance = 2e-5 * (a->size + b->size), bound;
  sc_epa(a, b, &simplex, tolerance, out);
  bound = out->distance - tolerance;
  return sc_convex_polish(a, b, out) && out->distance >= bound;
}

bool sc_convex_nearest(const sc_convex *a, const sc_convex *b, double reach, sc_nearest *out) {
  sc_simplex simplex;
  double far = fmax(0, reach + a->radius + b->radius);
  if (sc_convex_is_smooth(a) && sc_convex_is_smooth(b) && sc_convex_smooth(a, b, far, out))
    return out->distance <= far;
  if ((sc_convex_is_round(a) || sc_convex_is_round(b)) && nearest_round(a, b, far, out))
    return out->distance <= far;
  if (sc_gjk(a, b, far, false, &simplex, out)) improve_normal(a, b, &simplex, out);
  else compute_depth(a, b, &simplex, out);
  return out->distance <= far;
}

/* Like sc_convex_nearest for two hulls. Uses and updates the features in the pair cache. */
static bool nearest_hulls(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, sc_nearest *out) {
  sc_pair_cache none = {.axis = {0, 0, 0}};
  if (!cache) cache = &none;
  if (sc_features_nearest(a, b, reach, cache, out)) return out->distance <= reach;
  if (!sc_convex_nearest(a, b, reach, out)) return false;
  sc_features_find(a, b, reach, cache, out);
  return true;
}

int sc_convex_search(
    const sc_placed *pa, const sc_placed *pb, double reach, sc_pair_cache *cache, sc_touch *out) {
  const bool hulls = sc_are_hulls(pa, pb);
  sc_convex a, b;
  sc_nearest nearest;
  sc_convex_of(pa, pa->position, &a);
  sc_convex_of(pb, pa->position, &b);
  if (hulls ? nearest_hulls(&a, &b, reach, cache, &nearest) : sc_convex_nearest(&a, &b, reach, &nearest))
    return sc_manifold(&a, &b, &nearest, reach, pa->position, sc_features_seen(hulls ? cache : NULL), out);
  sc_axis_set(cache, nearest.normal);
  return 0;
}

double sc_hulls_overlap(const sc_placed *pa, const sc_placed *pb, sc_pair_cache *cache) {
  sc_convex a, b;
  sc_nearest nearest;
  sc_convex_of(pa, pa->position, &a);
  sc_convex_of(pb, pa->position, &b);
  return nearest_hulls(&a, &b, 0, cache, &nearest) ? fmax(0, -nearest.distance) : 0;
}
