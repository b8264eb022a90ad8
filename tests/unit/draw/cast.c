/* Rays against shapes: the first hit of every shape is the first point inside it in a march along the ray;
 * all widths of SIMD give the same bits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "draw/draw.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "scree/geometry.h"

enum { SIDE = 48, WALK = 2400 };

static double unit(sc_rng *rng) { return 2 * sc_rng_unit(rng) - 1; }

/* ---- what is inside a shape, in its own frame ---- */

static double tetra[4][3] = {{0.5, 0.1, -0.3}, {-0.4, 0.5, -0.2}, {-0.3, -0.6, -0.25}, {0.1, 0.05, 0.7}};

/* On the inner side of all faces of the tetrahedron, each told by its three points and the fourth. */
static int in_tetra(const double p[3]) {
  for (int i = 0; i < 4; i++) {
    const double *a = tetra[i], *b = tetra[(i + 1) % 4], *c = tetra[(i + 2) % 4], *d = tetra[(i + 3) % 4];
    double u[3], v[3], n[3], q[3], e[3];
    sc_sub(b, a, u), sc_sub(c, a, v), sc_cross(u, v, n), sc_sub(p, a, q), sc_sub(d, a, e);
    if (sc_dot(n, q) * sc_dot(n, e) < 0) return 0;
  }
  return 1;
}

/* A prism about z whose base is a regular polygon: it has more faces than are cast at once. */
enum { SIDES = 300 };
static const scree_geometry *prism;
static const double PRISM_RADIUS = 0.6, PRISM_HALF = 0.35, SECTOR = 2 * 3.14159265358979323846 / SIDES;

static scree_geometry *make_prism(void) {
  static double point[2 * SIDES][3];
  scree_error error;
  for (int i = 0; i < 2 * SIDES; i++)
    sc_set3(PRISM_RADIUS * cos(SECTOR * (i / 2)), PRISM_RADIUS * sin(SECTOR * (i / 2)),
        i % 2 ? PRISM_HALF : -PRISM_HALF, point[i]);
  return scree_geometry_hull((const double(*)[3])point, 2 * SIDES, &error);
}

static int in_prism(const double p[3]) {
  double side = SECTOR * (floor(atan2(p[1], p[0]) / SECTOR) + 0.5);
  return fabs(p[2]) <= PRISM_HALF && cos(side) * p[0] + sin(side) * p[1] <= PRISM_RADIUS * cos(SECTOR / 2);
}

static int inside(const scree_drawn *d, const double world[3]) {
  double p[3], across;
  sc_sub(world, d->position, p);
  sc_quat_unrotate(d->orientation, p, p);
  across = sqrt(p[0] * p[0] + p[1] * p[1]);
  double half = d->length / 2, over = fmax(0, fabs(p[2]) - half);
  switch (d->type) {
  case SCREE_SPHERE: return sc_norm(p) <= d->radius;
  case SCREE_CAPSULE: return hypot(across, over) <= d->radius;
  case SCREE_BOX:
    return fabs(p[0]) <= d->size[0] / 2 && fabs(p[1]) <= d->size[1] / 2 && fabs(p[2]) <= d->size[2] / 2;
  case SCREE_CYLINDER: return across <= d->radius && fabs(p[2]) <= half;
  case SCREE_CONE: return fabs(p[2]) <= half && across <= d->radius * (half - p[2]) / d->length;
  case SCREE_ELLIPSOID:
    for (int k = 0; k < 3; k++) p[k] /= d->size[k] / 2;
    return sc_norm(p) <= 1;
  default: return d->geometry == prism ? in_prism(p) : in_tetra(p);
  }
}

/* Parameter of the first point inside, by steps and bisection; INFINITY where no step falls inside. */
static double walk(
    const scree_drawn *d, const double from[3], const double along[3], double low, double high) {
  double p[3], before = low;
  for (int i = 0; i <= WALK; i++) {
    double t = low + (high - low) * i / WALK;
    sc_axpy(t, along, from, p);
    if (!inside(d, p)) {
      before = t;
      continue;
    }
    for (int k = 0; k < 60; k++) {
      double middle = (before + t) / 2;
      sc_axpy(middle, along, from, p);
      if (inside(d, p)) t = middle;
      else before = middle;
    }
    return t;
  }
  return INFINITY;
}

/* ---- pictures of one shape ---- */

static scree_drawn random_shape(int type, sc_rng *rng, const scree_geometry *hull) {
  scree_drawn d = {.type = type,
      .radius = 0.3 + 0.3 * sc_rng_unit(rng),
      .length = 0.4 + 0.6 * sc_rng_unit(rng),
      .geometry = hull,
      .opacity = 1};
  double q[4];
  for (int k = 0; k < 3; k++) d.size[k] = 0.3 + 0.9 * sc_rng_unit(rng), d.position[k] = 0.2 * unit(rng);
  for (int k = 0; k < 4; k++) q[k] = unit(rng);
  sc_quat_normalise(q, d.orientation);
  return d;
}

static void look(sc_rng *rng, int parallel, sc_view *view) {
  scree_camera c = {.up = {0, 0, 1}, .angle = parallel ? 0 : 40, .height = 2.4};
  scree_error error;
  double at[3] = {unit(rng), unit(rng), 0.7 * unit(rng)};
  sc_normalise(at, at);
  sc_scale(3.5, at, c.position);
  assert_int_equal(sc_camera_view(&c, SIDE, SIDE, view, &error), SCREE_OK);
}

typedef struct grid {
  float depth[SIDE][SIDE];
  int32_t who[SIDE][SIDE];
} grid;

static void cast_all(const sc_view *view, const sc_solids *solids, sc_cast *cast, grid *out) {
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) out->depth[y][x] = INFINITY, out->who[y][x] = -1;
  for (size_t i = 0; i < solids->count; i++) {
    sc_sight g;
    if (!sc_view_sight(view, solids->solid + i, (int32_t)i, &g)) continue;
    for (int y = g.y0; y < g.y1; y++)
      cast(&g, (sc_block){0.5f - (float)g.x0, (float)(y - g.y0) + 0.5f, SIDE, 1, SIDE, SIDE}, out->depth[y],
          out->who[y]);
  }
}

/* A ray that passes the rim within a thousandth may be told either way. */
static void compare(const scree_drawn *d, const sc_view *view, const grid *g) {
  int hits = 0, doubtful = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      double from[3], along[3];
      sc_view_ray(view, x + 0.5, y + 0.5, from, along);
      double t = walk(d, from, along, 2.1, 4.9);
      if (isfinite(t) != isfinite((double)g->depth[y][x])) {
        doubtful++;
        continue;
      }
      if (!isfinite(t)) continue;
      hits++;
      if (fabs(t - (double)g->depth[y][x]) > 2e-4)
        fail_msg("type %d at %d,%d: %.6g, not %.6g", d->type, x, y, (double)g->depth[y][x], t);
    }
  assert_true(hits > 20);
  assert_true(doubtful <= 2);
}

static void forms(void **state) {
  (void)state;
  static const int types[] = {
      SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID, SCREE_HULL};
  static grid wide, plain;
  scree_error error;
  scree_geometry *hull = scree_geometry_hull((const double(*)[3])tetra, 4, &error);
  scree_draw_def def = scree_draw_defaults();
  sc_rng rng;
  sc_solids solids = {0};
  sc_view view;
  assert_non_null(hull);
  sc_rng_seed(&rng, 5);
  for (int k = 0; k < 7; k++)
    for (int n = 0; n < 2; n++) {
      scree_drawn d = random_shape(types[k], &rng, hull);
      look(&rng, n % 2, &view);
      assert_true(sc_solids_make(&solids, &def, &d, 1));
      cast_all(&view, &solids, sc_cast_choose(), &wide);
      cast_all(&view, &solids, sc_cast_plain, &plain);
      assert_memory_equal(&wide, &plain, sizeof wide);
      compare(&d, &view, &wide);
    }
  sc_free(solids.solid);
  scree_geometry_release(hull);
}

/* The rays hit a hull of many faces where the walk does. */
static void many_faces(void **state) {
  (void)state;
  static grid wide, plain;
  scree_geometry *hull = make_prism();
  scree_draw_def def = scree_draw_defaults();
  sc_rng rng;
  sc_solids solids = {0};
  sc_view view;
  assert_non_null(hull);
  assert_true(hull->faces >= SIDES + 2);
  prism = hull;
  sc_rng_seed(&rng, 8);
  for (int n = 0; n < 2; n++) {
    scree_drawn d = random_shape(SCREE_HULL, &rng, hull);
    look(&rng, n % 2, &view);
    assert_true(sc_solids_make(&solids, &def, &d, 1));
    cast_all(&view, &solids, sc_cast_choose(), &wide);
    cast_all(&view, &solids, sc_cast_plain, &plain);
    assert_memory_equal(&wide, &plain, sizeof wide);
    compare(&d, &view, &wide);
  }
  sc_free(solids.solid);
  scree_geometry_release(hull);
  prism = NULL;
}

/* Keeps in `all` what is nearer in `one`. */
static void merge(grid *all, const grid *one, int32_t who) {
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      if (one->depth[y][x] < all->depth[y][x]) all->depth[y][x] = one->depth[y][x], all->who[y][x] = who;
}

/* Hulls that hide each other: the depths are the least of those of each hull alone. */
static void heaps(void **state) {
  (void)state;
  enum { HULLS = 40 };
  static grid all, one, least;
  scree_error error;
  scree_geometry *hull[2] = {scree_geometry_hull((const double(*)[3])tetra, 4, &error), make_prism()};
  scree_draw_def def = scree_draw_defaults();
  scree_drawn d[HULLS];
  sc_rng rng;
  sc_solids solids = {0};
  sc_view view;
  assert_true(hull[0] && hull[1]);
  sc_rng_seed(&rng, 9);
  for (int n = 0; n < 4; n++) {
    for (int i = 0; i < HULLS; i++) {
      d[i] = random_shape(SCREE_HULL, &rng, hull[i % 2]);
      for (int k = 0; k < 3; k++) d[i].position[k] *= 4;
    }
    look(&rng, n % 2, &view);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) least.depth[y][x] = INFINITY, least.who[y][x] = -1;
    for (int i = 0; i < HULLS; i++) {
      assert_true(sc_solids_make(&solids, &def, d + i, 1));
      cast_all(&view, &solids, sc_cast_choose(), &one);
      merge(&least, &one, i);
    }
    assert_true(sc_solids_make(&solids, &def, d, HULLS));
    cast_all(&view, &solids, sc_cast_choose(), &all);
    assert_memory_equal(&all, &least, sizeof all);
    cast_all(&view, &solids, sc_cast_plain, &all);
    assert_memory_equal(&all, &least, sizeof all);
  }
  sc_free(solids.solid);
  for (int i = 0; i < 2; i++) scree_geometry_release(hull[i]);
}

/* A mesh of the same tetrahedron is hit where the hull is. */
static void meshes(void **state) {
  (void)state;
  static const int32_t corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  static grid g;
  scree_error error;
  scree_mesh_def mesh = {(const double(*)[3])tetra, 4, corner, 4, 0, 0};
  scree_geometry *geometry = scree_geometry_mesh(&mesh, &error);
  scree_draw_def def = scree_draw_defaults();
  sc_rng rng;
  sc_solids solids = {0};
  sc_view view;
  assert_non_null(geometry);
  sc_rng_seed(&rng, 6);
  for (int n = 0; n < 2; n++) {
    scree_drawn d = random_shape(SCREE_MESH, &rng, geometry);
    look(&rng, n % 2, &view);
    assert_true(sc_solids_make(&solids, &def, &d, 1));
    assert_int_equal(solids.count, 4);
    cast_all(&view, &solids, sc_cast_choose(), &g);
    compare(&d, &view, &g);
  }
  sc_free(solids.solid);
  scree_geometry_release(geometry);
}

/* The pixel box of a solid contains every pixel whose ray hits the solid. */
static void boxes(void **state) {
  (void)state;
  static grid g;
  static const int types[] = {
      SCREE_SPHERE, SCREE_CAPSULE, SCREE_BOX, SCREE_CYLINDER, SCREE_CONE, SCREE_ELLIPSOID};
  scree_draw_def def = scree_draw_defaults();
  sc_rng rng;
  sc_solids solids = {0};
  sc_view view;
  sc_rng_seed(&rng, 7);
  for (int n = 0; n < 600; n++) {
    scree_drawn d = random_shape(types[n % 6], &rng, NULL);
    sc_sight s;
    look(&rng, n % 2, &view);
    assert_true(sc_solids_make(&solids, &def, &d, 1));
    assert_true(sc_view_sight(&view, solids.solid, 0, &s));
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) g.depth[y][x] = INFINITY;
      sc_cast_plain(&s, (sc_block){0.5f - (float)s.x0, (float)(y - s.y0) + 0.5f, SIDE, 1, SIDE, SIDE},
          g.depth[y], g.who[y]);
      for (int x = 0; x < SIDE; x++)
        if (isfinite((double)g.depth[y][x])) {
          assert_in_range(x, s.x0, s.x1 - 1);
          assert_in_range(y, s.y0, s.y1 - 1);
          assert_true(g.depth[y][x] >= s.near - 1e-4f);
        }
    }
  }
  sc_free(solids.solid);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(many_faces),
      cmocka_unit_test(heaps), cmocka_unit_test(meshes), cmocka_unit_test(boxes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
