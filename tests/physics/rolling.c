/* Torsional and rolling friction of balls against closed forms and against the general path, whose six
 * rows the other solvers take. */
#include <stdlib.h>
#include "scree/checkpoint.h"
#include "support/scene.h"

static const char *const laws[] = {"coulomb", "max_dissipation", "decoupled"};
static const double g = 9.81;

/* Law, mu, and moments as lengths, for everything. */
static void set_rolling(scree_world *world, const char *law, double mu, double rolling, double torsion) {
  scree_pair_def pair = {0, 0, law, {0}, 0, 0};
  scree_error error = {0};
  int count;
  const scree_param *params = scree_world_law_params(world, law, &count);
  scree_param_defaults(params, count, pair.params);
  for (int i = 0; i < count; i++) {
    if (!strcmp(params[i].name, "mu")) pair.params[i] = mu;
    if (!strcmp(params[i].name, "rolling")) pair.params[i] = rolling;
    if (!strcmp(params[i].name, "torsion")) pair.params[i] = torsion;
  }
  if (scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
}

/* Under the moment rolling m g, with m v' = -F and (2/5) m R v' = F R - rolling m g, a solid ball slows
 * down by (5/7) g rolling/R. It stops in the step that would turn it round, and stays. In any units. */
static void ball_slows_and_stops(void **unused) {
  (void)unused;
  for (int l = 0; l < 3; l++)
    for (double unit = 1e-3; unit < 1e4; unit *= 1e3) {
      double R = 0.1 * unit, v = 0.5 * unit, share = 0.05, a = 5.0 / 7 * g * unit * share;
      scree_world *world = make_world(1e-3, g * unit);
      set_rolling(world, laws[l], 0.3, share * R, 0);
      add_plane(world, 0, 0, 0, 0, 0, 1);
      scree_id ball = add_sphere(world, R, 0, 0, R);
      set_velocity(world, ball, v, 0, 0);
      set_spin(world, ball, 0, v / R, 0);
      step_world(world, 1000);
      scree_body_state s = state_of(world, ball);
      CLOSE(s.velocity[0] / unit, (v - a) / unit, 1e-10);
      CLOSE(s.velocity[0] / unit, s.spin[1] * R / unit, 1e-10);
      step_world(world, (int64_t)((v - a) / a / 1e-3) + 2);
      s = state_of(world, ball);
      double x = s.position[0];
      CLOSE(x / unit, v * v / a / 2 / unit, 1e-3);
      CLOSE(s.velocity[0] / unit, 0, 1e-14);
      CLOSE(s.spin[1], 0, 1e-13);
      step_world(world, 1000);
      CLOSE((state_of(world, ball).position[0] - x) / unit, 0, 1e-13);
      scree_world_destroy(world);
    }
}

/* Speed after a second on a slope of which rolling/R is the tangent times `share`. */
static double speed_on_slope(const char *law, double tangent, double share) {
  double R = 0.05, c = 1 / sqrt(1 + tangent * tangent), s = tangent * c;
  scree_world *world = make_world(1e-3, g);
  set_rolling(world, law, 0.9, share * tangent * R, 0);
  add_plane(world, 0, 0, 0, -s, 0, c);
  scree_id ball = add_sphere(world, R, -R * s, 0, R * c);
  step_world(world, 1000);
  scree_body_state state = state_of(world, ball);
  double speed = -state.velocity[0] * c - state.velocity[2] * s;
  scree_world_destroy(world);
  return speed;
}

/* A ball stays where tan < rolling/R, and goes with (5/7) g (sin - cos rolling/R) else. */
static void ball_on_a_slope(void **unused) {
  (void)unused;
  for (int l = 0; l < 3; l++) {
    double tangent = 0.2, c = 1 / sqrt(1 + tangent * tangent), s = tangent * c;
    CLOSE(speed_on_slope(laws[l], tangent, 1.001), 0, 1e-12);
    CLOSE(speed_on_slope(laws[l], tangent, 0.6), 5.0 / 7 * g * (s - 0.6 * tangent * c), 1e-9);
  }
}

/* A ball that spins about the normal of its one contact: (2/5) m R^2 w' = -torsion m g. */
static void spinning_ball_stops(void **unused) {
  (void)unused;
  for (int l = 0; l < 3; l++) {
    double R = 0.1, torsion = 0.01 * R, w = 10, slows = 2.5 * torsion * g / (R * R), dt = 1e-3;
    int64_t steps = (int64_t)(w / slows / dt);
    scree_world *world = make_world(dt, g);
    set_rolling(world, laws[l], 0.3, 0, torsion);
    add_plane(world, 0, 0, 0, 0, 0, 1);
    scree_id ball = add_sphere(world, R, 0, 0, R);
    set_spin(world, ball, 0, 0, w);
    step_world(world, steps / 2);
    CLOSE(state_of(world, ball).spin[2], w - slows * dt * (double)(steps / 2), 1e-10);
    step_world(world, steps - steps / 2 - 1);
    assert_true(state_of(world, ball).spin[2] > 0);
    step_world(world, 3);
    CLOSE(state_of(world, ball).spin[2], 0, 1e-13);
    CLOSE(state_of(world, ball).velocity[0], 0, 1e-13);
    scree_world_destroy(world);
  }
}

/* ---- many balls ---- */

/* Balls of radii 0.5 to 1 in a box; density 1. */
static scree_world *packing(const char *solver, double unit, double gravity, double tolerance) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.dt = 2e-3, def.gravity[2] = -gravity * unit, def.solver.name = solver, def.solver.iterations = 20000,
  def.solver.tolerance = tolerance;
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail_msg("%s", error.text);
  set_rolling(world, "coulomb", 0.4, 0.02 * unit, 0.01 * unit);
  add_box_walls(world, 6 * unit);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.max[k] = 6 * unit, fill.velocity_jitter[k] = unit;
  fill.spacing = 2 * unit, fill.radius = 0.5 * unit, fill.radius_max = unit,
  fill.density = 1 / (unit * unit * unit), fill.seed = 5;
  if (scree_world_fill(world, &fill, &error) < 0) fail_msg("%s", error.text);
  return world;
}

static double (*column(scree_world *world, scree_view view, int64_t *rows))[3] {
  void *data;
  if (!scree_world_view(world, view, &data, rows)) fail();
  return data;
}

static double largest_difference(scree_world *one, scree_world *two, scree_view view, double scale) {
  int64_t rows, others;
  double(*a)[3] = column(one, view, &rows), (*b)[3] = column(two, view, &others), most = 0;
  assert_int_equal(rows, others);
  for (int64_t i = 0; i < rows; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(a[i][k] - scale * b[i][k]));
  return most;
}

/* The solver that takes moments of balls and one that takes six rows go the same way into a packing of
 * unequal balls and walls. */
static void general_path_agrees(void **unused) {
  (void)unused;
  scree_world *ball = packing("nbgs", 1, g, 1e-13), *general = packing("pgs", 1, g, 1e-13);
  for (int step = 0; step < 200; step += 50) {
    step_world(ball, 50);
    step_world(general, 50);
    double v = largest_difference(ball, general, SCREE_VIEW_VELOCITY, 1),
           w = largest_difference(ball, general, SCREE_VIEW_SPIN, 1);
    if (!(v < 1e-10 && w < 1e-10))
      fail_msg("after %d steps velocities differ by %g, spins by %g", step + 50, v, w);
  }
  assert_true(report_of(ball).contacts > 20);
  scree_world_destroy(ball);
  scree_world_destroy(general);
}

/* A restarted world goes on bit for bit: moments are in the checkpoint. */
static void restarts_exactly(void **unused) {
  (void)unused;
  scree_world *world = packing("nbgs", 1, g, 1e-4), *other = packing("nbgs", 1, g, 1e-4);
  scree_checkpoint *checkpoint = scree_checkpoint_create();
  step_world(world, 150);
  assert_int_equal(scree_world_save(world, checkpoint, NULL), SCREE_OK);
  assert_int_equal(scree_world_load(other, checkpoint, NULL), SCREE_OK);
  step_world(world, 50);
  step_world(other, 50);
  assert_true(largest_difference(world, other, SCREE_VIEW_VELOCITY, 1) == 0);
  assert_true(largest_difference(world, other, SCREE_VIEW_SPIN, 1) == 0);
  scree_checkpoint_destroy(checkpoint);
  scree_world_destroy(world);
  scree_world_destroy(other);
}

/* Lengths times a thousand: the same motion. */
static void units_scale(void **unused) {
  (void)unused;
  scree_world *one = packing("nbgs", 1, g, 1e-12), *two = packing("nbgs", 1e3, g, 1e-12);
  step_world(one, 100);
  step_world(two, 100);
  assert_true(largest_difference(one, two, SCREE_VIEW_VELOCITY, 1e-3) < 1e-8);
  assert_true(largest_difference(one, two, SCREE_VIEW_SPIN, 1) < 1e-8);
  scree_world_destroy(one);
  scree_world_destroy(two);
}

/* Without weight energy only falls. */
static void energy_falls(void **unused) {
  (void)unused;
  scree_world *world = packing("nbgs", 1, 0, 1e-10);
  double before = report_of(world).kinetic, start = before;
  for (int step = 0; step < 400; step++) {
    step_world(world, 1);
    double now = report_of(world).kinetic;
    if (!(now <= before * (1 + 1e-12))) fail_msg("step %d: %.17g from %.17g", step, now, before);
    before = now;
  }
  assert_true(before < 0.9 * start);
  scree_world_destroy(world);
}

/* All grains of a bed come to rest, those on one contact too. */
static void every_grain_rests(void **unused) {
  (void)unused;
  const double R = 0.5e-3, width = 7.2e-3;
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.solver.name = "nbgs";
  def.dt = 1e-4;
  scree_world *world = scree_world_create(&def, &error);
  set_rolling(world, "coulomb", 0.4, 1e-2 * R, 1e-3 * R);
  add_box_walls(world, width);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.max[k] = width, fill.velocity_jitter[k] = 0.05;
  fill.spacing = 2.34 * R, fill.radius = R, fill.density = 2650, fill.seed = 7;
  int64_t grains = scree_world_fill(world, &fill, &error);
  step_world(world, 6000);
  double rest = report_of(world).kinetic / (double)grains /
      (2650 * 4.0 / 3 * 3.14159265358979323846 * R * R * R * g * 2 * R);
  if (!(rest < 1e-18)) fail_msg("%g m g d a grain", rest);
  assert_true(report_of(world).mean_penetration < 1e-12 * R);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ball_slows_and_stops),
      cmocka_unit_test(ball_on_a_slope), cmocka_unit_test(spinning_ball_stops),
      cmocka_unit_test(general_path_agrees), cmocka_unit_test(restarts_exactly),
      cmocka_unit_test(units_scale), cmocka_unit_test(energy_falls), cmocka_unit_test(every_grain_rests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
