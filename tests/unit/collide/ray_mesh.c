/* Tests that rays against meshes have the result of a test of every triangle. Meshes have any size, lie far
 * from the origin of their frame, are flat, or have details smaller than a quantum of the search. Rays run
 * along axes and edges, from inside and from far away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "base/base.h"
#include "collide/rays/ray_mesh.h"
#include "math/vec.h"

enum { MOST = 400, RAYS = 600 };

typedef struct soup {
  double point[3 * MOST][3];
  int32_t triangle[MOST][3];
  int32_t triangles;
} soup;

static double spread(sc_rng *rng) { return 2 * sc_rng_unit(rng) - 1; }

static scree_geometry *mesh_of(const soup *s, int32_t first, int32_t count) {
  static int32_t index[MOST][3];
  for (int32_t t = 0; t < count; t++)
    for (int c = 0; c < 3; c++) index[t][c] = s->triangle[first + t][c] - s->triangle[first][0];
  const scree_mesh_def def = {.points = (const double(*)[3])s->point + s->triangle[first][0],
      .points_count = 3 * (size_t)count,
      .triangles = (const int32_t(*)[3])index,
      .triangles_count = (size_t)count};
  scree_geometry *g = scree_geometry_mesh(&def, NULL);
  assert_non_null(g);
  return g;
}

/* Adds random triangles with edges up to `edge`, in a box of sides `size` about `at`. */
static void scatter(
    soup *s, sc_rng *rng, int32_t count, const double at[3], const double size[3], double edge) {
  s->triangles = count;
  for (int32_t t = 0; t < count; t++) {
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = at[k] + size[k] * spread(rng);
    for (int c = 0; c < 3; c++) {
      s->triangle[t][c] = 3 * t + c;
      for (int k = 0; k < 3; k++) s->point[3 * t + c][k] = middle[k] + (size[k] > 0 ? edge * spread(rng) : 0);
    }
  }
}

static void aim(const soup *s, sc_rng *rng, int trial, double size, double o[3], double d[3]) {
  const double *from = s->point[sc_rng_next(rng) % (3 * (uint32_t)s->triangles)];
  const double *to = s->point[sc_rng_next(rng) % (3 * (uint32_t)s->triangles)];
  const double reach = trial % 4 == 1 ? 1e-3 * size : trial % 4 == 2 ? 1e9 * size : 3 * size;
  for (int k = 0; k < 3; k++) o[k] = from[k] + reach * spread(rng);
  for (int k = 0; k < 3; k++) d[k] = to[k] + 0.01 * size * spread(rng) - o[k];
  if (trial % 5 == 0) { /* a ray along an axis, over a point of the mesh */
    const int axis = trial / 5 % 3;
    sc_copy3(to, o);
    o[axis] += reach;
    sc_set3(0, 0, 0, d);
    d[axis] = trial % 2 ? -1 : 1;
  }
  if (!(sc_normalise(d, d) > 0)) sc_set3(1, 0, 0, d);
}

static void compare(const soup *s, double size, uint64_t seed, double *met) {
  static scree_geometry *alone[MOST];
  sc_rng rng;
  sc_rng_seed(&rng, seed);
  scree_geometry *whole = mesh_of(s, 0, s->triangles);
  for (int32_t t = 0; t < s->triangles; t++) alone[t] = mesh_of(s, t, 1);
  for (int trial = 0; trial < RAYS; trial++) {
    double o[3], d[3], reach = trial % 3 ? INFINITY : 2 * size;
    sc_ray_hit found = {.distance = INFINITY, .triangle = -1}, best = found, hit;
    aim(s, &rng, trial, size, o, d);
    for (int32_t t = 0; t < s->triangles; t++)
      if (sc_ray_mesh(alone[t], o, d, reach, &hit) && hit.distance < best.distance)
        best = hit, best.triangle = t;
    const bool any = sc_ray_mesh(whole, o, d, reach, &found);
    assert_int_equal(any, best.triangle >= 0);
    if (!any) continue;
    assert_true(found.distance == best.distance && found.triangle == best.triangle);
    assert_memory_equal(found.normal, best.normal, sizeof found.normal);
    ++*met;
  }
  scree_geometry_release(whole);
  for (int32_t t = 0; t < s->triangles; t++) scree_geometry_release(alone[t]);
}

static void all_looked_at(void **unused) {
  (void)unused;
  static soup s;
  const double origin[3] = {0, 0, 0}, away[3] = {1e6, -3e5, 2e5}, unit[3] = {1, 1, 1}, flat[3] = {1, 1, 0},
               slab[3] = {1, 1e-9, 0.5}, large[3] = {1e12, 1e12, 1e12}, small[3] = {1e-20, 1e-20, 1e-20};
  sc_rng rng;
  double met = 0;
  sc_rng_seed(&rng, 5);
  for (int32_t count = 1; count <= MOST; count = 2 * count + 1) {
    scatter(&s, &rng, count, origin, unit, 0.3);
    compare(&s, 1, 10, &met);
  }
  scatter(&s, &rng, MOST, away, unit, 0.2), compare(&s, 1, 11, &met);
  scatter(&s, &rng, MOST, origin, flat, 0.2), compare(&s, 1, 12, &met);
  scatter(&s, &rng, MOST, origin, slab, 0.2), compare(&s, 1, 13, &met);
  scatter(&s, &rng, MOST, origin, large, 3e11), compare(&s, 1e12, 14, &met);
  scatter(&s, &rng, MOST, origin, small, 3e-21), compare(&s, 1e-20, 15, &met);
  scatter(&s, &rng, MOST, origin, unit, 1e-7), compare(&s, 1, 16, &met); /* details smaller than a quantum */
  assert_true(met > 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_looked_at)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
