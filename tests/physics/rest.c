/* Rest: what is left of motion in a settled bed, with the defaults of a world. Grains that the packing
 * holds come to rest to rounding. The law knows no friction of rolling and drilling unless asked for, so
 * a grain that lies free on the floor goes on rolling, or spinning about its one contact: that is all
 * the motion there is. A tilted bed creeps no faster than the solver's tolerance. Taking back
 * penetrations gives no energy, and friction does not wedge it. */
#include <stdbool.h>
#include <stdlib.h>
#include "support/scene.h"

static const double radius = 0.5e-3, density = 2650, pi = 3.14159265358979323846;

static void check(bool ok, const scree_error *error) {
  if (!ok) fail_msg("%s", error->text);
}

static scree_world *bed(int side, double dt, double tolerance) {
  scree_world_def def = scree_world_defaults();
  scree_pair_def pair = {0, 0, "coulomb", {0}, 0, 0};
  scree_error error = {0};
  int count;
  def.dt = dt;
  if (tolerance > 0) def.solver.tolerance = tolerance;
  scree_world *world = scree_world_create(&def, &error);
  check(world != NULL, &error);
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  for (int i = 0; i < count; i++)
    if (!strcmp(params[i].name, "mu")) pair.params[i] = 0.4;
  check(scree_world_set_pair(world, &pair, &error) == SCREE_OK, &error);
  double width = side * 2.4 * radius;
  add_box_walls(world, width);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.max[k] = width, fill.velocity_jitter[k] = 0.05;
  fill.spacing = 2.34 * radius, fill.radius = radius, fill.density = density, fill.seed = 1;
  check(scree_world_fill(world, &fill, &error) > 0, &error);
  return world;
}

/* Contacts that carry an impulse, per row of the views. */
static int *carrying(scree_world *world, int64_t *rows) {
  void *data;
  scree_world_view(world, SCREE_VIEW_ID, &data, rows);
  const scree_id *id = data;
  int *count = calloc((size_t)*rows, sizeof *count);
  for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    if (contact.impulse[0] == 0 && contact.impulse[1] == 0 && contact.impulse[2] == 0) continue;
    for (int64_t i = 0; i < *rows; i++) count[i] += id[i] == contact.body1 || id[i] == contact.body2;
  }
  return count;
}

/* Kinetic energy per grain in m g d: of grains with at least three carrying contacts, and of the others. */
static void noise(scree_world *world, double *held, double *loose) {
  int64_t rows;
  int *count = carrying(world, &rows);
  void *v, *w, *kind;
  scree_world_view(world, SCREE_VIEW_VELOCITY, &v, &rows);
  scree_world_view(world, SCREE_VIEW_SPIN, &w, &rows);
  scree_world_view(world, SCREE_VIEW_KIND, &kind, &rows);
  double(*velocity)[3] = v, (*spin)[3] = w, sum[2] = {0, 0};
  int64_t grains = 0;
  for (int64_t i = 0; i < rows; i++) {
    if (((int64_t *)kind)[i] != SCREE_DYNAMIC) continue;
    double e = 0;
    for (int k = 0; k < 3; k++)
      e += velocity[i][k] * velocity[i][k] + 0.4 * radius * radius * spin[i][k] * spin[i][k];
    sum[count[i] >= 3] += e / 2 / (9.81 * 2 * radius);
    grains++;
  }
  *held = sum[1] / (double)grains;
  *loose = sum[0] / (double)grains;
  free(count);
}

static void held_grains_rest(void **unused) {
  (void)unused;
  scree_world *world = bed(4, 1e-4, 0);
  double held, loose;
  step_world(world, 4000);
  noise(world, &held, &loose);
  scree_report report = report_of(world);
  if (!(held < 1e-15)) fail_msg("held grains: %g m g d each", held);
  if (!(loose < 1e-4)) fail_msg("loose grains: %g m g d each", loose);
  assert_true(report.mean_penetration < 1e-5 * 2 * radius);
  scree_world_destroy(world);
}

/* Largest way of a grain with at least three carrying contacts since the places given. */
static double largest_way(scree_world *world, double (*from)[3]) {
  int64_t rows;
  int *count = carrying(world, &rows);
  void *x, *id;
  scree_world_view(world, SCREE_VIEW_POSITION, &x, &rows);
  scree_world_view(world, SCREE_VIEW_ID, &id, &rows);
  double most = 0;
  for (int64_t i = 0; i < rows; i++) {
    const double *now = ((double(*)[3])x)[i], *then = from[(uint32_t)((scree_id *)id)[i]];
    if (count[i] >= 3) most = fmax(most, hypot(hypot(now[0] - then[0], now[1] - then[1]), now[2] - then[2]));
  }
  free(count);
  return most;
}

static void remember(scree_world *world, double (*at)[3]) {
  int64_t rows;
  void *x, *id;
  scree_world_view(world, SCREE_VIEW_POSITION, &x, &rows);
  scree_world_view(world, SCREE_VIEW_ID, &id, &rows);
  for (int64_t i = 0; i < rows; i++)
    memcpy(at[(uint32_t)((scree_id *)id)[i]], ((double(*)[3])x)[i], sizeof *at);
}

static void slope_does_not_creep(void **unused) {
  (void)unused;
  static double at[1000][3];
  scree_world *world = bed(5, 5e-4, 1e-9);
  step_world(world, 1000);
  double tilt = 8 * pi / 180, gravity[3] = {9.81 * sin(tilt), 0, -9.81 * cos(tilt)};
  assert_int_equal(scree_world_set_gravity(world, gravity, NULL), SCREE_OK);
  step_world(world, 2000);
  remember(world, at);
  step_world(world, 4000);
  double way = largest_way(world, at) / (2 * radius);
  // 50 sweeps leave 1e-7 of what weight gives in a step
  if (!(way < 1e-7)) fail_msg("a held grain goes %g diameters in 2 s", way);
  scree_world_destroy(world);
}

/* ---- a ball that friction wedges ---- */

/* A ball a hundredth of its radius deep in both walls of a groove of 20 degrees either side, where
 * friction of 0.5 locks: forces of any size along the line through both contacts lie in both cones and
 * balance, so no impulses open the contacts at a speed. */
static scree_world *groove(int correction, int64_t sweeps, scree_id *ball) {
  scree_world_def def = scree_world_defaults();
  double a = pi / 9, off = 0.99 * radius;
  def.solver.name = "nbgs";
  def.gravity[2] = 0, def.correction = correction, def.solver.iterations = sweeps,
  def.solver.tolerance = 1e-9;
  scree_world *world = scree_world_create(&def, NULL);
  set_law(world, "coulomb", 0.5);
  for (int side = -1; side <= 1; side += 2)
    add_plane(world, -side * off * cos(a), 0, -off * sin(a), side * cos(a), 0, sin(a));
  *ball = add_sphere(world, radius, 0, 0, 0);
  return world;
}

static double impulse_after(int64_t sweeps) {
  scree_id ball;
  scree_contact contact;
  scree_world *world = groove(SCREE_CORRECTION_VELOCITY, sweeps, &ball);
  step_world(world, 1);
  assert_int_equal(scree_world_contacts_count(world), 2);
  scree_world_contact(world, 0, &contact);
  double p = fabs(contact.impulse[0]);
  scree_world_destroy(world);
  return p;
}

static void friction_wedges_velocities_alone(void **unused) {
  (void)unused;
  scree_id ball;
  /* no answer: impulses grow with every sweep */
  CLOSE(impulse_after(4000) / impulse_after(2000), 2, 0.01);
  scree_world *world = groove(SCREE_CORRECTION_POSITION, 50, &ball);
  for (int step = 0; step < 100; step++) {
    step_world(world, 1);
    assert_true(report_of(world).kinetic == 0);
  }
  assert_true(report_of(world).penetration < 1e-9 * radius);
  assert_true(state_of(world, ball).position[2] > 0);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(held_grains_rest),
      cmocka_unit_test(slope_does_not_creep), cmocka_unit_test(friction_wedges_velocities_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
