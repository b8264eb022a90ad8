/* Stacks, walls, arches and houses of cards: blocks at rest stay at rest, with friction; without it what
 * needs it falls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>
#include "scree/scree.h"

enum { MOST = 64 };

typedef struct scene {
  scree_world *world;
  scree_id body[MOST];
  double start[MOST][3];
  int count;
} scene;

static void check(scree_status status, const scree_error *error) {
  if (status) print_error("%s\n", error->text);
  assert_int_equal(status, SCREE_OK);
}

/* solver: NULL for sweeps, with momentum where accelerated. */
static scene make_with(
    const char *solver, int accelerated, double mu, double dt, int64_t iterations, const double gravity[3]) {
  scene s = {0};
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  memcpy(def.gravity, gravity, sizeof def.gravity);
  def.dt = dt, def.drift_time = 0.2, def.solver.iterations = iterations;
  if (solver) def.solver.name = solver;
  def.solver.acceleration = accelerated;
  s.world = scree_world_create(&def, &error);
  check(s.world ? SCREE_OK : error.status, &error);
  scree_pair_def pair = {.law = mu > 0 ? "coulomb" : "frictionless", .params = {mu}};
  check(scree_world_set_pair(s.world, &pair, &error), &error);
  scree_body_def floor = scree_body_defaults();
  scree_shape_def plane = scree_shape_defaults();
  plane.type = SCREE_HALFSPACE, plane.normal[2] = 1;
  floor.kind = SCREE_FIXED, floor.shapes = &plane, floor.shapes_count = 1;
  check(scree_world_add(s.world, &floor, &error) ? SCREE_OK : error.status, &error);
  return s;
}

static scene make(double mu, double dt, int64_t iterations, const double gravity[3]) {
  return make_with(NULL, 0, mu, dt, iterations, gravity);
}

static void add(
    scene *s, const scree_shape_def *shape, const double position[3], const double orientation[4]) {
  scree_error error = {0};
  scree_body_def body = scree_body_defaults();
  memcpy(body.position, position, sizeof body.position);
  if (orientation) memcpy(body.orientation, orientation, sizeof body.orientation);
  body.shapes = shape, body.shapes_count = 1;
  scree_id id = scree_world_add(s->world, &body, &error);
  check(id ? SCREE_OK : error.status, &error);
  scree_body_state state;
  check(scree_world_get(s->world, id, &state, &error), &error);
  memcpy(s->start[s->count], state.position, sizeof state.position);
  s->body[s->count++] = id;
}

static void add_box(
    scene *s, double x, double y, double z, const double size[3], double density, double turn) {
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_BOX, shape.density = density;
  memcpy(shape.size, size, sizeof shape.size);
  /* about the y axis */
  add(s, &shape, (double[3]){x, y, z}, (double[4]){cos(turn / 2), 0, sin(turn / 2), 0});
}

/* Runs for a time and returns the largest way any body went; energy may not grow beyond what the first
 * state had. */
static double drift_after(scene *s, double time) {
  scree_error error = {0};
  scree_report report;
  double dt = scree_world_get_def(s->world)->dt, first = 0, most = 0;
  for (int64_t step = 0; step < (int64_t)(time / dt + 0.5); step++) {
    check(scree_world_step(s->world, 1, &error), &error);
    scree_world_report(s->world, &report);
    double energy = report.kinetic + report.potential;
    if (step == 0) first = energy;
    assert_true(energy <= first + 1e-6 * fabs(first));
  }
  for (int k = 0; k < s->count; k++) {
    scree_body_state state;
    check(scree_world_get(s->world, s->body[k], &state, &error), &error);
    double way = 0;
    for (int c = 0; c < 3; c++) way += pow(state.position[c] - s->start[k][c], 2);
    most = fmax(most, sqrt(way));
  }
  scree_world_destroy(s->world);
  return most;
}

static const double down[3] = {0, 0, -9.81}, cube[3] = {1, 1, 1};

/* Ten boxes for ten seconds, within a thousandth of a box. */
static void ten_boxes_rest(void **unused) {
  (void)unused;
  scene s = make(0.5, 0.01, 5000, down);
  for (int k = 0; k < 10; k++) add_box(&s, 0, 0, k + 0.5, cube, 1000, 0);
  assert_true(drift_after(&s, 10) < 1e-3);
}

/* The same with few iterations: two hundred sweeps with momentum, or the interior point method, which
 * has no long walk to go. */
static void ten_boxes_rest_quickly(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    scene s = make_with(k ? "newton" : NULL, !k, 0.5, 0.01, k ? 60 : 200, down);
    for (int i = 0; i < 10; i++) add_box(&s, 0, 0, i + 0.5, cube, 1000, 0);
    assert_true(drift_after(&s, 10) < (k ? 1e-7 : 1e-4));
  }
}

/* A hundred times heavier each, three high. */
static void heavier_and_heavier(void **unused) {
  (void)unused;
  scene s = make_with("newton", 0, 0.5, 0.005, 60, down);
  for (int i = 0; i < 3; i++) add_box(&s, 0, 0, i + 0.5, cube, 1000 * pow(100, i), 0);
  assert_true(drift_after(&s, 2) < 1e-6);
}

/* A hundred times heavier on top, and a small box under a large one, in other units of length. */
static void heavy_boxes_rest_on_light_ones(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    double unit = k ? 1e-3 : 1;
    scene s = make(0.5, 0.005 * sqrt(unit), 1000, down);
    double size[3] = {unit, unit, unit};
    add_box(&s, 0, 0, 0.5 * unit, size, 1000, 0);
    add_box(&s, 0, 0, 1.5 * unit, size, 100000, 0);
    assert_true(drift_after(&s, 5 * sqrt(unit)) < 1e-3 * unit);
  }
  scene s = make(0.5, 0.005, 1000, down);
  add_box(&s, 0, 0, 0.5, cube, 1000, 0);
  add_box(&s, 0.2, 0.1, 2.5, (double[3]){3, 3, 3}, 1000, 0);
  assert_true(drift_after(&s, 5) < 1e-3);
}

/* A wall of bricks on ground that leans a little. */
static double wall(double mu) {
  const double lean[3] = {1, 0.5, -9.81};
  scene s = make(mu, 0.005, 300, lean);
  for (int row = 0; row < 5; row++)
    for (int k = 0; k < 4; k++) add_box(&s, 2 * k + row % 2, 0, row + 0.5, (double[3]){2, 1, 1}, 1000, 0);
  return drift_after(&s, 1);
}

/* Nine wedges about a half circle. */
static double arch(double mu) {
  scene s = make(mu, 0.005, 300, down);
  for (int k = 0; k < 9; k++) {
    double p[8][3];
    for (int c = 0; c < 8; c++) {
      double angle = 3.14159265358979323846 * (k + (c & 1)) / 9, r = c & 2 ? 3 : 2.2;
      p[c][0] = r * cos(angle), p[c][1] = c & 4 ? 0.5 : -0.5, p[c][2] = r * sin(angle);
    }
    scree_error error = {0};
    scree_shape_def shape = scree_shape_defaults();
    scree_geometry *wedge = scree_geometry_hull((const double(*)[3])p, 8, &error);
    check(wedge ? SCREE_OK : error.status, &error);
    shape.type = SCREE_HULL, shape.geometry = wedge;
    add(&s, &shape, (double[3]){0, 0, 0}, NULL);
    scree_geometry_release(wedge);
  }
  return drift_after(&s, 1);
}

/* Two leaning pairs of cards, a card across, a pair on top. */
static double cards(double mu) {
  scene s = make(mu, 0.005, 300, down);
  const double size[3] = {0.02, 0.6, 1}, lean = 0.35, flat[3] = {1.2, 0.6, 0.02};
  double high = 0.5 * cos(lean) + 0.01 * sin(lean), wide = 0.5 * sin(lean) + 0.01 * cos(lean);
  for (int k = 0; k < 3; k++) {
    double x = k == 2 ? 0.4 : 0.8 * k, z = k == 2 ? 3 * high + 0.02 : high;
    add_box(&s, x - wide, 0, z, size, 1000, lean);
    add_box(&s, x + wide, 0, z, size, 1000, -lean);
  }
  add_box(&s, 0.4, 0, 2 * high + 0.01, flat, 1000, 0);
  return drift_after(&s, 1);
}

static void friction_holds_walls_arches_and_cards(void **unused) {
  (void)unused;
  assert_true(wall(0.6) < 2e-3);
  assert_true(arch(0.6) < 2e-3);
  assert_true(cards(0.6) < 2e-3);
}

static void without_friction_they_fall(void **unused) {
  (void)unused;
  assert_true(wall(0) > 0.1);
  assert_true(arch(0) > 0.5);
  assert_true(cards(0) > 0.1);
}

/* Every shape rests where it can: on its base, on its side, on its flattest point. */
static void every_shape_rests(void **unused) {
  (void)unused;
  static const struct {
    int type, lies;
    double height;
  } cases[] = {{SCREE_SPHERE, 0, 0.3}, {SCREE_CAPSULE, 1, 0.3}, {SCREE_BOX, 0, 0.25}, {SCREE_BOX, 1, 0.4},
      {SCREE_CYLINDER, 0, 0.4}, {SCREE_CYLINDER, 1, 0.3}, {SCREE_CONE, 0, 0.4}, {SCREE_ELLIPSOID, 0, 0.25}};
  scene s = make(0.5, 0.002, 200, down);
  for (int k = 0; k < 8; k++) {
    scree_shape_def shape = scree_shape_defaults();
    shape.type = cases[k].type, shape.radius = 0.3, shape.length = 0.8;
    shape.size[0] = 0.6, shape.size[1] = 0.8, shape.size[2] = 0.5;
    add(&s, &shape, (double[3]){1.5 * k, 0, cases[k].height},
        cases[k].lies ? (double[4]){sqrt(0.5), sqrt(0.5), 0, 0} : NULL);
  }
  assert_true(drift_after(&s, 2) < 1e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ten_boxes_rest),
      cmocka_unit_test(ten_boxes_rest_quickly), cmocka_unit_test(heavier_and_heavier),
      cmocka_unit_test(heavy_boxes_rest_on_light_ones),
      cmocka_unit_test(friction_holds_walls_arches_and_cards), cmocka_unit_test(without_friction_they_fall),
      cmocka_unit_test(every_shape_rests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
