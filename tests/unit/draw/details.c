/* Compares details of pictures with closed forms: cameras, rays, boxes of shapes, light of lamp and sky. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "draw/draw.h"
#include "math/vec.h"
#include "scree/geometry.h"

static sc_rng rng;
static const double pi = 3.14159265358979323846;

static double draw(double low, double high) { return low + (high - low) * sc_rng_unit(&rng); }

static void draw_turn(double q[4]) {
  double any[4] = {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)};
  sc_quat_normalise(any, q);
}

static void near_to(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within)) print_error("%.17g instead of %.17g\n", value, wanted);
  assert_true(fabs(value - wanted) <= within);
}

/* ---- cameras ---- */

static void views(void **state) {
  (void)state;
  sc_rng_seed(&rng, 61);
  for (int trial = 0; trial < 200; trial++) {
    scree_camera c = {.up = {draw(-1, 1), draw(-1, 1), draw(-1, 1)},
        .angle = trial % 2 ? 0.85 * trial : 0,
        .height = draw(0.1, 9)};
    sc_view v;
    double from[3], along[3], way[3], n[3];
    const int width = 30 + trial, height = 200 - trial / 2;
    for (int k = 0; k < 3; k++) c.position[k] = draw(-5, 5), c.target[k] = draw(-5, 5);
    assert_int_equal(sc_camera_view(&c, width, height, &v, NULL), SCREE_OK);
    const double *axes[3] = {v.right, v.up, v.out};
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) near_to(sc_dot(axes[i], axes[k]), i == k, 1e-12);
    sc_cross(v.right, v.up, n);
    sc_sub(c.target, c.position, way);
    near_to(sc_dot(way, v.out), sc_norm(way), 1e-12);
    near_to(sc_dot(n, v.out), -1, 1e-12); /* right-handed: right, up, towards the eye */
    assert_true(sc_dot(c.up, v.up) > 0);
    near_to(sc_dot(c.up, v.right), 0, 1e-12);
    assert_int_equal(v.parallel, c.angle == 0);
    near_to(v.half_v, c.angle > 0 ? tan(c.angle * pi / 360) : c.height / 2, 1e-12 * v.half_v);
    near_to(v.half_u / v.half_v, (double)width / height, 1e-12);
    /* rays through the middle and the corners of the picture */
    for (int i = -1; i <= 1; i++)
      for (int k = -1; k <= 1; k++) {
        double wanted[3], start[3];
        sc_view_ray(&v, width * (1 + i) / 2.0, height * (1 - k) / 2.0, from, along);
        for (int a = 0; a < 3; a++) {
          const double side = i * v.half_u * v.right[a] + k * v.half_v * v.up[a];
          wanted[a] = v.out[a] + (v.parallel ? 0 : side), start[a] = c.position[a] + (v.parallel ? side : 0);
          near_to(along[a], wanted[a], 1e-12), near_to(from[a], start[a], 1e-12);
        }
      }
  }
  static const struct {
    double angle, height, up;
    const char *reason;
  } bad[] = {{170, 1, 1, "[0, 170) degrees, not 170"}, {-1, 1, 1, "not -1"}, {NAN, 1, 1, "degrees, not"},
      {0, 0, 1, "needs a height > 0, not 0"}, {0, -2, 1, "not -2"}, {0, INFINITY, 1, "not inf"},
      {30, 1, 0, "or nowhere"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    scree_camera c = {
        .position = {1, 0, 0}, .up = {0, 0, bad[k].up}, .angle = bad[k].angle, .height = bad[k].height};
    sc_view v;
    scree_error error = {SCREE_OK, ""};
    assert_int_equal(sc_camera_view(&c, 10, 10, &v, &error), SCREE_E_ARGUMENT);
    assert_non_null(strstr(error.text, bad[k].reason));
  }
  scree_camera wide = {.position = {1, 0, 0}, .up = {0, 0, 1}, .angle = 169.9};
  sc_view v;
  assert_int_equal(sc_camera_view(&wide, 10, 10, &v, NULL), SCREE_OK);
}

/* A fitted camera looks at the middle of the box from azimuth and elevation, and one corner lies on the
 * border of the picture. */
static void fitted_cameras(void **state) {
  (void)state;
  sc_rng_seed(&rng, 62);
  for (int trial = 0; trial < 200; trial++) {
    double low[3], high[3], middle[3], way[3], d[3];
    static const double ups[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    const double *up = ups[trial % 3], azimuth = draw(-400, 400), elevation = draw(-89, 89),
                 aspect = draw(0.5, 2), angle = trial % 2 ? draw(5, 120) : 0, zoom = trial % 5 ? 1 : 0.5;
    for (int k = 0; k < 3; k++) {
      low[k] = draw(-3, 3), high[k] = low[k] + draw(0.1, 4), middle[k] = (low[k] + high[k]) / 2;
    }
    const scree_camera c = scree_camera_fit(low, high, up, azimuth, elevation, angle, zoom, aspect);
    sc_sub(c.position, c.target, way);
    for (int k = 0; k < 3; k++) near_to(c.target[k], middle[k], 1e-12), near_to(c.up[k], up[k], 1e-12);
    near_to(sc_dot(way, up) / sc_norm(way), sin(elevation * pi / 180), 1e-9);
    if (trial % 3 == 0) {
      near_to(way[0] / sc_norm(way), cos(elevation * pi / 180) * cos(azimuth * pi / 180), 1e-9);
      near_to(way[1] / sc_norm(way), cos(elevation * pi / 180) * sin(azimuth * pi / 180), 1e-9);
    }
    sc_view v;
    double most = 0;
    assert_int_equal(sc_camera_view(&c, 1000, 1000, &v, NULL), SCREE_OK);
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < 3; k++) d[k] = (i >> k & 1 ? high[k] : low[k]) - c.position[k];
      const double depth = v.parallel ? 1 : sc_dot(d, v.out);
      assert_true(sc_dot(d, v.out) > 0 || zoom < 1);
      most = fmax(most, fabs(sc_dot(d, v.up)) / depth / v.half_v);
      most = fmax(most, fabs(sc_dot(d, v.right)) / depth / (v.half_v * aspect));
    }
    if (zoom == 1) near_to(most, 1, 1e-9);
    const double half = sc_norm((double[3]){high[0] - low[0], high[1] - low[1], high[2] - low[2]}) / 2;
    if (v.parallel) near_to(sc_norm(way), c.height + 2 * half, 1e-9), near_to(most, zoom, 1e-9);
    else {
      const scree_camera one = scree_camera_fit(low, high, up, azimuth, elevation, angle, 1, aspect);
      double first[3];
      sc_sub(one.position, one.target, first);
      near_to(sc_norm(way), sc_norm(first) / zoom, 1e-9);
    }
  }
  /* straight from above and below: the upper edge shows the side opposite to the azimuth */
  for (int side = -1; side <= 1; side += 2)
    for (int k = 0; k < 8; k++) {
      const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, up[3] = {0, 0, 1}, a = 45 * k * pi / 180;
      const scree_camera c = scree_camera_fit(low, high, up, 45 * k, 90 * side, 0, 1, 1);
      near_to(c.up[0], -side * cos(a), 1e-9), near_to(c.up[1], -side * sin(a), 1e-9),
          near_to(c.up[2], 0, 1e-9);
      near_to(c.height, k % 2 ? 2 * sqrt(2) : 2, 1e-6);
    }
  const scree_camera point = scree_camera_fit(
      (double[3]){1, 2, 3}, (double[3]){1, 2, 3}, (double[3]){0, 0, 1}, 0, 0, 0, 0, 1);
  assert_true(
      point.height == 1 && point.position[0] == 2 && point.position[1] == 2 && point.position[2] == 3);
}

static void places_of_samples(void **state) {
  (void)state;
  for (int samples = 1; samples <= 8; samples *= 2) {
    if (samples == 2) continue;
    const float(*place)[2] = sc_sample_places(samples);
    int seen[2][8] = {{0}};
    for (int s = 0; s < samples; s++)
      for (int k = 0; k < 2; k++) {
        assert_true(place[s][k] >= 0 && place[s][k] < 1);
        assert_int_equal(seen[k][(int)(place[s][k] * (float)samples)]++, 0);
        near_to((double)place[s][k] * samples - floor((double)place[s][k] * samples), 0.5, 0);
      }
  }
}

/* ---- shapes ---- */

typedef struct extent {
  double low[3], high[3];
  const double *q, *at;
} extent;
static void extend(void *to, const double a[3], const double b[3], const double c[3]) {
  extent *e = to;
  const double *corner[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    double x[3];
    sc_quat_rotate(e->q, corner[i], x);
    for (int k = 0; k < 3; k++)
      e->low[k] = fmin(e->low[k], x[k] + e->at[k]), e->high[k] = fmax(e->high[k], x[k] + e->at[k]);
  }
}

/* Boxes of balls, ellipsoids, boxes, hulls and meshes are the smallest boxes. The box of another shape
 * encloses the shape, and lies within the box of an oriented box around the shape. */
static void boxes_of_shapes(void **state) {
  (void)state;
  static const double tetra[4][3] = {
      {0.5, 0.1, -0.3}, {-0.4, 0.5, -0.2}, {-0.3, -0.6, -0.25}, {0.1, 0.05, 0.7}};
  static const int32_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  scree_geometry *hull = scree_geometry_hull(tetra, 4, NULL),
                 *mesh = scree_geometry_mesh(
                     &(scree_mesh_def){
                         .points = tetra, .points_count = 4, .triangles = corners, .triangles_count = 4},
                     NULL);
  sc_rng_seed(&rng, 63);
  for (int trial = 0; trial < 120; trial++) {
    scree_drawn d = {.type = trial % SCREE_SHAPE_TYPES,
        .radius = draw(0.2, 1),
        .length = draw(0.2, 1),
        .own = {0.7, 1.2},
        .opacity = 1};
    scree_shape_info info = {.type = d.type, .radius = d.radius, .length = d.length, .own = {0.7, 1.2}};
    double low[3], high[3], half[3], R[9];
    if (d.type == SCREE_HALFSPACE) continue;
    draw_turn(d.orientation);
    for (int k = 0; k < 3; k++) d.position[k] = draw(-3, 3), info.size[k] = d.size[k] = draw(0.2, 1);
    info.geometry = d.geometry = d.type == SCREE_HULL ? hull : d.type == SCREE_MESH ? mesh : NULL;
    extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, d.orientation, d.position};
    scree_shape_triangles(&info, extend, &e);
    scree_drawn_box(&d, low, high);
    const bool is_least = d.type == SCREE_BOX || d.type == SCREE_MESH || d.type == SCREE_SUPERELLIPSOID,
               is_round = d.type == SCREE_SPHERE || d.type == SCREE_ELLIPSOID;
    sc_quat_matrix(d.orientation, R);
    sc_set3(d.radius, d.radius, d.length / 2 + (d.type == SCREE_CAPSULE ? d.radius : 0), half);
    for (int k = 0; k < 3; k++) {
      const double size = high[k] - low[k];
      assert_true(low[k] <= e.low[k] + 1e-12 && high[k] >= e.high[k] - 1e-12);
      if (is_least) near_to(low[k], e.low[k], 1e-12), near_to(high[k], e.high[k], 1e-12);
      if (is_round) near_to(low[k], e.low[k], 0.01 * size), near_to(high[k], e.high[k], 0.01 * size);
      if (is_least || is_round || d.type == SCREE_HULL) continue;
      const double reach = half[0] * fabs(R[3 * k]) + half[1] * fabs(R[3 * k + 1]) +
          half[2] * fabs(R[3 * k + 2]);
      near_to(low[k], d.position[k] - reach, 1e-12), near_to(high[k], d.position[k] + reach, 1e-12);
    }
  }
  scree_drawn none = {.type = SCREE_HALFSPACE, .orientation = {1, 0, 0, 0}};
  double low[3], high[3];
  scree_drawn_box(&none, low, high);
  for (int k = 0; k < 3; k++) assert_true(low[k] == -INFINITY && high[k] == INFINITY);
  scree_geometry_release(hull), scree_geometry_release(mesh);
}

/* A shape of a frame is placed by the pose of its body, in a cell by the wrapped position. */
static void shapes_of_frames(void **state) {
  (void)state;
  sc_rng_seed(&rng, 64);
  for (int trial = 0; trial < 40; trial++) {
    uint64_t id[2] = {3, 8};
    uint8_t kind[2] = {0};
    double position[6], orientation[8], q[4], x[3], y[3], p[3];
    scree_shape_info info[2] = {{.body = 3},
        {.body = 8,
            .type = SCREE_SUPERELLIPSOID,
            .radius = 2,
            .length = 3,
            .size = {4, 5, 6},
            .normal = {7, 8, 9},
            .own = {0.5, 0.6}}};
    for (int k = 0; k < 6; k++) position[k] = draw(-9, 9);
    draw_turn(orientation), draw_turn(orientation + 4), draw_turn(info[1].orientation);
    for (int k = 0; k < 3; k++) info[1].position[k] = draw(-1, 1);
    scree_frame f = {.bodies = 2,
        .id = id,
        .kind = kind,
        .position = position,
        .orientation = trial % 3 ? orientation : NULL,
        .shapes = 2,
        .shape = info};
    if (trial % 2) {
      f.has_cell = 1;
      scree_cell_set(&f.cell, (const double[9]){4, 1, 0, 0, 5, 0, 0, 0, 6});
      for (int k = 0; k < 3; k++) f.cell.periodic[k] = 1;
    }
    const scree_drawn d = scree_drawn_shape(&f, 1, 1);
    const scree_shown shown = scree_frame_shown(&f, 1);
    for (int n = 0; n < 5; n++) { /* a point of the shape lands where body and shape put it */
      sc_set3(draw(-1, 1), draw(-1, 1), draw(-1, 1), x);
      sc_quat_rotate(d.orientation, x, y);
      sc_add(y, d.position, y);
      sc_quat_rotate(info[1].orientation, x, p);
      sc_add(p, info[1].position, p);
      memcpy(q, trial % 3 ? orientation + 4 : (double[4]){1, 0, 0, 0}, sizeof q);
      sc_quat_rotate(q, p, x);
      sc_add(x, shown.position, x);
      for (int k = 0; k < 3; k++) near_to(y[k], x[k], 1e-12);
    }
    assert_true(d.type == SCREE_SUPERELLIPSOID && d.radius == 2 && d.length == 3 && d.opacity == 1 &&
        d.own[0] == 0.5 && d.own[1] == 0.6);
    for (int k = 0; k < 3; k++) assert_true(d.size[k] == 4 + k && d.normal[k] == 7 + k);
  }
}

/* Edges of a cell are rods from corner to corner, in any direction. Their thickness is a 500th of the
 * shortest periodic edge. */
static void rods_of_cells(void **state) {
  (void)state;
  sc_rng_seed(&rng, 65);
  for (int trial = 0; trial < 40; trial++) {
    scree_frame f = {.has_cell = 1};
    scree_drawn rod[SCREE_CELL_EDGES];
    double H[9], thin = INFINITY;
    for (int k = 0; k < 9; k++) H[k] = draw(-1, 1) + (k % 4 == 0 ? 3 : 0);
    if (trial < 2) memcpy(H, (double[9]){2, 0, 0, 0, 3, 0, 0, 0, trial ? -4 : 4}, sizeof H);
    scree_cell_set(&f.cell, H);
    for (int k = 0; k < 3; k++) {
      f.cell.origin[k] = draw(-2, 2), f.cell.periodic[k] = trial < 2 || trial >> k & 1;
      if (f.cell.periodic[k]) thin = fmin(thin, sc_norm((double[3]){H[k], H[3 + k], H[6 + k]}) / 500);
    }
    const int count = scree_drawn_cell(&f, rod);
    int found = 0;
    for (int e = 0; e < 3; e++)
      for (int corner = 0; corner < 8; corner++) {
        bool there = f.cell.periodic[e] && !(corner >> e & 1);
        double from[3], to[3], ends[2][3];
        for (int k = 0; k < 3; k++) there = there && (f.cell.periodic[k] || !(corner >> k & 1));
        if (!there) continue;
        for (int i = 0; i < 3; i++) {
          from[i] = f.cell.origin[i];
          for (int k = 0; k < 3; k++) from[i] += corner >> k & 1 ? H[3 * i + k] : 0;
          to[i] = from[i] + H[3 * i + e];
        }
        for (int n = 0; n < count; n++) {
          assert_true(rod[n].type == SCREE_CAPSULE && rod[n].opacity == 1);
          near_to(rod[n].radius, thin, 1e-15);
          bool is_it = true;
          for (int side = 0; side < 2; side++) {
            sc_quat_rotate(
                rod[n].orientation, (double[3]){0, 0, (side ? 0.5 : -0.5) * rod[n].length}, ends[side]);
            sc_add(ends[side], rod[n].position, ends[side]);
            for (int i = 0; i < 3; i++) is_it = is_it && fabs(ends[side][i] - (side ? to : from)[i]) < 1e-9;
          }
          found += is_it;
        }
      }
    assert_int_equal(found, count);
    const int n = f.cell.periodic[0] + f.cell.periodic[1] + f.cell.periodic[2];
    assert_int_equal(count, n == 3 ? 12 : n == 2 ? 4 : n);
  }
}

/* ---- light ---- */

/* The lamp reaches a point unless a ball lies between. Light of the sky, a half sphere, is full on surfaces
 * that face the sky, half on surfaces perpendicular to the horizon, and 0 on surfaces that face away from the
 * sky. */
static void lamp_and_sky(void **state) {
  (void)state;
  scree_draw_def def = scree_draw_defaults();
  sc_rng_seed(&rng, 66);
  sc_pool *pool = sc_pool_create(1);
  for (int trial = 0; trial < 6; trial++) {
    static sc_light light;
    sc_solids solids = {0};
    scree_drawn ball[2];
    double up[3] = {draw(-1, 1), draw(-1, 1), draw(-1, 1)}, side[3], other[3];
    for (int n = 0; n < 2; n++) {
      ball[n] = (scree_drawn){.type = SCREE_SPHERE,
          .orientation = {1, 0, 0, 0},
          .radius = draw(0.3, 0.6),
          .opacity = n ? 0.5 : 1};
      for (int k = 0; k < 3; k++) ball[n].position[k] = draw(-1, 1) + 3 * n;
    }
    for (int k = 0; k < 3; k++) def.up[k] = up[k], def.lamp[k] = draw(-1, 1);
    def.sky = 64;
    assert_true(sc_solids_make(&solids, &def, ball, 2));
    assert_true(sc_light_make(&light, pool, sc_cast_plain, &def, &solids, ball));
    sc_normalise(up, up), sc_frame(up, side, other);
    int shaded = 0, lit = 0;
    for (int n = 0; n < 3000; n++) {
      double x[3], d[3], across[3];
      for (int k = 0; k < 3; k++) x[k] = ball[0].position[k] + draw(-1.5, 1.5);
      sc_sub(ball[0].position, x, d);
      const double along = sc_dot(d, light.toward);
      sc_axpy(-along, light.toward, d, across);
      const double off = sc_norm(across) - ball[0].radius, texel = (double)light.lamp.texel;
      if (fabs(off) < 5 * texel || sc_norm(d) < ball[0].radius + 8 * texel) continue;
      const bool is_shaded = off < 0 && along > 0; /* glass casts no shadow */
      near_to((double)sc_light_lamp(&light, x, light.toward), !is_shaded, 1e-5);
      if (is_shaded) shaded++;
      else lit++;
    }
    assert_true(shaded > 20 && lit > 200);
    /* far away all of the sky is open */
    const double far[3] = {1e3, -2e3, 1500};
    near_to((double)sc_light_sky(&light, far, up), 1, 1e-4);
    sc_scale(-1, up, other);
    near_to((double)sc_light_sky(&light, far, other), 0, 1e-4);
    near_to((double)sc_light_sky(&light, far, side), 0.5, 0.02);
    sc_add(up, side, other);
    sc_normalise(other, other);
    near_to((double)sc_light_sky(&light, far, other), 0.5 + 0.5 * sqrt(0.5), 0.02);
    /* right below the ball, the sine squared of its half angle is missing; points are moved by 1.5
     * texels */
    double below[3];
    sc_axpy(-2 * ball[0].radius, up, ball[0].position, below);
    const double sine = ball[0].radius / (2 * ball[0].radius - 1.5 * (double)light.sky[0].texel);
    near_to((double)sc_light_sky(&light, below, up), 1 - sine * sine, 0.06);
    def.sky = 0, def.shadow = 0;
    assert_true(sc_light_make(&light, pool, sc_cast_plain, &def, &solids, ball));
    near_to((double)sc_light_sky(&light, far, up), 1, 1e-6),
        near_to((double)sc_light_sky(&light, far, side), 0.5, 1e-6);
    assert_true(sc_light_lamp(&light, below, light.toward) == 1);
    def.shadow = 1;
    sc_light_free(&light);
    memset(&light, 0, sizeof light);
    sc_free(solids.solid);
  }
  sc_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(views), cmocka_unit_test(fitted_cameras),
      cmocka_unit_test(places_of_samples), cmocka_unit_test(boxes_of_shapes),
      cmocka_unit_test(shapes_of_frames), cmocka_unit_test(rods_of_cells), cmocka_unit_test(lamp_and_sky)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
