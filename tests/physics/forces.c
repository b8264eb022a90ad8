/* Compatible forces of a stepped world: the beam, the pyramid after hard contact, orders of
 * Gauss-Seidel, weights, refusals. */
#include "support/cannonball.h"

/* A beam of mass 10 on three feet over a plane; feet of materials soft, stiff, soft with stiffness
 * 1:3:1, weight 10. */
static scree_world *beam(double tilt) {
  scree_world *world = make_world(1e-3, 1);
  scree_error error;
  const char *names[] = {"soft", "stiff"};
  for (int k = 0; k < 2; k++) {
    int material = scree_world_add_material(world, &(scree_material_def){names[k], 1000}, &error);
    scree_pair_def pair = {0, material, "hooke", {0}};
    int count;
    const scree_param *params = scree_world_law_params(world, "hooke", &count);
    scree_param_defaults(params, count, pair.params);
    pair.params[0] = 0, pair.params[1] = k ? 3e5 : 1e5;
    if (scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
  }
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_shape_def feet[3];
  scree_body_def body = scree_body_defaults();
  for (int i = 0; i < 3; i++) {
    feet[i] = scree_shape_defaults();
    feet[i].radius = 0.1;
    feet[i].position[0] = i - 1;
    feet[i].material = i == 1 ? 2 : 1;
  }
  body.mass = 10;
  body.name = "beam";
  body.position[2] = 0.101 + tilt;
  body.shapes = feet;
  body.shapes_count = 3;
  if (!scree_world_add(world, &body, &error)) fail_msg("%s", error.text);
  return world;
}

static void beam_forces(void **unused) {
  (void)unused;
  scree_world *world = beam(0);
  step_world(world, 200);
  assert_int_equal(scree_world_contacts_count(world), 3);
  double force[3][3], same[3] = {7, 7, 7};
  scree_error error;
  scree_forces_report report;
  scree_forces_def def = scree_forces_defaults();
  for (int uniform = 0; uniform < 2; uniform++)
    for (int load = 0; load < 2; load++)
      for (int hertz = 0; hertz < 2; hertz++) {
        def.stiffness = uniform ? same : NULL;
        def.load = load;
        def.law = hertz;
        if (scree_world_compatible_forces(world, &def, force, &report, &error) != SCREE_OK)
          fail_msg("%s", error.text);
        assert_int_equal(report.closed, 3);
        for (int c = 0; c < 3; c++) {
          scree_contact contact;
          scree_world_contact(world, c, &contact);
          int stiff = contact.material1 == 2 || contact.material2 == 2;
          CLOSE(force[c][2], uniform ? 10.0 / 3 : stiff ? 6 : 2, 1e-10);
          CLOSE(fabs(force[c][0]) + fabs(force[c][1]), 0, 1e-12);
        }
      }
  scree_world_destroy(world);
}

/* What is not in contact carries nothing, and a weight that nothing carries is an error with the body's
 * name. */
static void weight_in_the_air_is_refused(void **unused) {
  (void)unused;
  scree_world *world = beam(0.5);
  step_world(world, 1);
  scree_error error = {0};
  scree_forces_report report;
  scree_forces_def def = scree_forces_defaults();
  double force[8][3];
  assert_int_equal(scree_world_compatible_forces(world, &def, force, &report, &error), SCREE_OK);
  assert_int_equal(report.closed, 0);
  def.load = SCREE_LOAD_WEIGHT;
  assert_int_equal(scree_world_compatible_forces(world, &def, force, &report, &error), SCREE_E_NUMERIC);
  assert_non_null(strstr(error.text, "\"beam\""));
  assert_int_equal(report.worst, scree_world_find(world, "beam", NULL));
  scree_world_destroy(world);
}

static void bad_input_is_refused(void **unused) {
  (void)unused;
  scree_world *world = beam(0);
  step_world(world, 100);
  scree_error error = {0};
  double force[3][3], stiffness[3] = {1, 0, 1};
  scree_forces_def def = scree_forces_defaults();
  def.stiffness = stiffness;
  assert_int_equal(scree_world_compatible_forces(world, &def, force, NULL, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "stiffness between"));
  stiffness[1] = -3;
  assert_int_equal(scree_world_compatible_forces(world, &def, force, NULL, &error), SCREE_E_ARGUMENT);
  def.stiffness = NULL;
  def.exponent = 0.9;
  assert_int_equal(scree_world_compatible_forces(world, &def, force, NULL, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "above 1"));
  def.exponent = 0;
  def.tolerance = 0;
  assert_int_equal(scree_world_compatible_forces(world, &def, force, NULL, &error), SCREE_E_ARGUMENT);
  scree_world_destroy(world);
}

/* Pairs of which only some have a stiffness: which of them is said. */
static void half_a_table_is_refused(void **unused) {
  (void)unused;
  scree_world *world = beam(0);
  scree_error error = {0};
  scree_pair_def pair = {0, 2, "frictionless", {0}};
  assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_OK);
  step_world(world, 100);
  double force[3][3];
  scree_forces_def def = scree_forces_defaults();
  assert_int_equal(scree_world_compatible_forces(world, &def, force, NULL, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "stiff"));
  scree_world_destroy(world);
}

/* The pyramid after hard contact, solved in a given order: floor forces of the truss and of the solver. */
enum { N = 6, BASE = N * N };

static void pyramid_after(int order, double *base, double *solver) {
  double dt = 1e-3;
  scree_world_def def = cannonball_def(SCREE_STEPPER_SEMI_IMPLICIT, dt);
  def.solver.name = "pgs";
  def.solver.order = order;
  def.solver.tolerance = 1e-12;
  scree_error error;
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail_msg("%s", error.text);
  cannonball_pairs(world, TWO_SPECIES, 1);
  cannonball_fill(world, N, 0.05);
  step_world(world, 40);
  scree_forces_def forces = scree_forces_defaults();
  double(*force)[3] = calloc((size_t)scree_world_contacts_count(world), sizeof *force);
  if (scree_world_compatible_forces(world, &forces, force, NULL, &error) != SCREE_OK)
    fail_msg("%s", error.text);
  cannonball_floor(world, N, (const double(*)[3])force, dt, base);
  cannonball_floor(world, N, NULL, dt, solver);
  free(force);
  scree_world_destroy(world);
}

/* Gauss-Seidel's own forces depend on the order of its visits; the compatible ones do not. */
static void order_does_not_matter(void **unused) {
  (void)unused;
  double base[3][BASE], solver[3][BASE];
  for (int order = 0; order < 3; order++) pyramid_after(order, base[order], solver[order]);
  for (int order = 1; order < 3; order++) {
    CLOSE(relative_distance(base[order], base[0], BASE), 0, 1e-8);
    assert_true(relative_distance(solver[order], solver[0], BASE) > 1e-3);
  }
}

/* Relative distance of the compatible forces with friction from those of the penalty stepper, for the
 * same weight. */
static double friction_distance(const scree_world *world, int friction, double dt) {
  scree_forces_def def = scree_forces_defaults();
  scree_error error;
  def.load = SCREE_LOAD_WEIGHT;
  def.friction = friction;
  int64_t count = scree_world_contacts_count(world);
  double(*force)[3] = calloc((size_t)count, sizeof *force), up = 0, down = 0;
  if (scree_world_compatible_forces(world, &def, force, NULL, &error) != SCREE_OK) fail_msg("%s", error.text);
  for (int64_t c = 0; c < count; c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    for (int k = 0; k < 3; k++)
      up += pow(contact.impulse[k] / dt - force[c][k], 2), down += pow(force[c][k], 2);
  }
  free(force);
  return sqrt(up / down);
}

/* Brings the pyramid with friction to rest under the penalty stepper, while its weight increases gradually.
 * Sets *coulomb and *cone to friction_distance for both kinds of friction. */
static void friction_distances(double mu, double *coulomb, double *cone) {
  double weight = cannonball_weight(), overlap = 1e-7 * 2 * CANNON_RADIUS, stiffness = 4 * weight / overlap;
  double dt = 0.04 * sqrt(overlap / (4 * 9.81));
  scree_world_def settings = cannonball_def(SCREE_STEPPER_PENALTY, dt);
  settings.gravity[2] = 0;
  scree_error error;
  scree_world *world = scree_world_create(&settings, &error);
  cannonball_pairs(world, UNIFORM_HOOKE, stiffness);
  for (int a = 1; a <= 2; a++)
    for (int b = a; b <= 2; b++) {
      const double *params;
      scree_pair_def pair = {a, b, "hooke", {0}};
      scree_world_get_pair(world, a, b, &params);
      memcpy(pair.params, params, sizeof pair.params);
      pair.params[0] = mu;
      if (scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
    }
  cannonball_fill(world, N, 0);
  for (int k = 1; k <= 1200; k++) {
    scree_world_set_gravity(world, (double[3]){0, 0, -9.81 * fmin(1, k / 800.0)}, &error);
    step_world(world, 20);
    cannonball_calm(world, 0.95);
  }
  *coulomb = friction_distance(world, SCREE_FRICTION_COULOMB, dt);
  *cone = friction_distance(world, SCREE_FRICTION_CONE, dt);
  scree_world_destroy(world);
}

/* Sticking or sliding, the Coulomb forces are the penalty stepper's; the cone program's are near, since
 * its sliding contacts dilate. */
static void friction_equals_penalty(void **unused) {
  (void)unused;
  for (double mu = 0.8; mu > 0.05; mu /= 8) {
    double coulomb, cone;
    friction_distances(mu, &coulomb, &cone);
    CLOSE(coulomb, 0, 1e-3);
    CLOSE(cone, 0, 0.1);
    assert_true(cone > coulomb);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beam_forces),
      cmocka_unit_test(weight_in_the_air_is_refused), cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(half_a_table_is_refused), cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(friction_equals_penalty)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
