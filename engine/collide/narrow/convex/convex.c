/* Any two convex shapes: distance or depth of their cores, then the manifold.
 *
 * Cores that nearly touch or overlap a little are what a simulation is full of, and where both methods
 * are weak: the direction between nearest points is blurred by rounding, and simplex or polytope near a
 * round surface only slowly. With round shapes both are therefore stopped early, and Newton's method on
 * the normal gives the answer (polish.c). In one pair of a hundred it finds none; then the search is
 * taken to its end and refined: one core is moved off along the normal n by more than the depth and the
 * distance taken there. If n is right the normal there is n again; if it is off by an angle, the new one
 * is off by that angle times (way moved / radius of curvature), a factor of about fifty a round. */
#include "collide/narrow/convex/convex.h"

enum { ROUNDS = 2 };

/* How far apart the cores are along their normal: never more than the distance, and equal to it if the
 * normal is exact. */
static double apart_along(const sc_convex *a, const sc_convex *b, const double normal[3]) {
  double back[3] = {-normal[0], -normal[1], -normal[2]};
  sc_corner corner;
  sc_convex_corner(a, b, back, &corner);
  return sc_dot(corner.w, normal);
}

/* Better normals from further off; along: what the present one is good for. */
static void refine(const sc_convex *a, const sc_convex *b, double along, sc_nearest *nearest) {
  double size = a->size + b->size,
         least = fmin(a->size, b->size) > 0 ? fmin(a->size, b->size) : fmax(a->size, b->size);
  for (int round = 0; round < ROUNDS; round++) {
    sc_convex moved = *a;
    sc_nearest trial;
    sc_simplex simplex;
    double way = fmax(0, -along) + 0.02 * least;
    sc_axpy(way, nearest->normal, a->position, moved.position);
    if (!sc_gjk(&moved, b, INFINITY, false, &simplex, &trial)) return;
    double better = apart_along(a, b, trial.normal), gain = better - along;
    if (!(gain > 0)) return;
    along = better;
    sc_axpy(-way, nearest->normal, trial.a, trial.a);
    trial.distance = better;
    *nearest = trial;
    if (gain < 1e-12 * size) return;
  }
}

/* Nearly touching cores that are found apart: the polytope, or for round ones a look from further off,
 * may know a better normal. */
static void sharpen(const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, sc_nearest *nearest) {
  double size = a->size + b->size, along;
  if (nearest->distance > 1e-4 * size) return;
  along = apart_along(a, b, nearest->normal);
  if (along >= nearest->distance - 1e-10 * size) return;
  if (sc_convex_is_round(a) || sc_convex_is_round(b)) {
    refine(a, b, along, nearest);
    return;
  }
  sc_nearest other;
  sc_epa(a, b, simplex, 1e-10 * size, &other);
  if (other.distance > along) *nearest = other;
}

/* Overlapping cores. Deep ones are left to the polytope alone. */
static void sink(const sc_convex *a, const sc_convex *b, const sc_simplex *simplex, sc_nearest *nearest) {
  double size = a->size + b->size;
  bool round = sc_convex_is_round(a) || sc_convex_is_round(b);
  sc_epa(a, b, simplex, round ? 1e-4 * size : 1e-10 * size, nearest);
  if (!round) return;
  if (nearest->distance > -0.05 * size) refine(a, b, apart_along(a, b, nearest->normal), nearest);
  else sc_epa(a, b, simplex, 1e-10 * size, nearest);
}

/* The quick way for curved surfaces: a rough search, then Newton's method. Overlapping, its answer must
 * be as good as the polytope's, which is within `slight` of the depth. */
static bool nearest_round(const sc_convex *a, const sc_convex *b, double far, sc_nearest *out) {
  sc_simplex simplex;
  if (sc_gjk(a, b, far, true, &simplex, out)) return out->distance == INFINITY || sc_convex_polish(a, b, out);
  double slight = 2e-5 * (a->size + b->size), bound;
  sc_epa(a, b, &simplex, slight, out);
  bound = out->distance - slight;
  return sc_convex_polish(a, b, out) && out->distance >= bound;
}

bool sc_convex_nearest(const sc_convex *a, const sc_convex *b, double reach, sc_nearest *out) {
  sc_simplex simplex;
  double far = fmax(0, reach + a->radius + b->radius);
  if (sc_convex_is_smooth(a) && sc_convex_is_smooth(b) && sc_convex_smooth(a, b, far, out))
    return out->distance <= far;
  if ((sc_convex_is_round(a) || sc_convex_is_round(b)) && nearest_round(a, b, far, out))
    return out->distance <= far;
  if (sc_gjk(a, b, far, false, &simplex, out)) sharpen(a, b, &simplex, out);
  else sink(a, b, &simplex, out);
  return out->distance <= far;
}

/* The same of hulls, by features that are known or become known. */
static bool nearest_hulls(
    const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, sc_nearest *out) {
  sc_hint none = {.axis = {0, 0, 0}};
  if (!hint) hint = &none;
  if (sc_features_nearest(a, b, reach, hint, out)) return out->distance <= reach;
  if (!sc_convex_nearest(a, b, reach, out)) return false;
  sc_features_find(a, b, reach, hint, out);
  return true;
}

int sc_convex_search(const sc_placed *pa, const sc_placed *pb, double reach, sc_hint *hint, sc_touch *out) {
  const bool hulls = sc_are_hulls(pa, pb);
  sc_convex a, b;
  sc_nearest nearest;
  sc_convex_of(pa, pa->position, &a);
  sc_convex_of(pb, pa->position, &b);
  if (hulls ? nearest_hulls(&a, &b, reach, hint, &nearest) : sc_convex_nearest(&a, &b, reach, &nearest))
    return sc_manifold(&a, &b, &nearest, reach, pa->position, sc_features_seen(hulls ? hint : NULL), out);
  sc_axis_set(hint, nearest.normal);
  return 0;
}

double sc_hulls_overlap(const sc_placed *pa, const sc_placed *pb, sc_hint *hint) {
  sc_convex a, b;
  sc_nearest nearest;
  sc_convex_of(pa, pa->position, &a);
  sc_convex_of(pb, pa->position, &b);
  return nearest_hulls(&a, &b, 0, hint, &nearest) ? fmax(0, -nearest.distance) : 0;
}
