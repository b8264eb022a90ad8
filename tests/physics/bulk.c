/* Many grains: a pile stays at rest, a closed box keeps its balance of momentum, every step dissipates,
 * every impulse lies in its cone, and the answer is the same for any run and number of threads. */
#include "support/scene.h"

static scree_world *box_of_grains(int side, int64_t threads, const char *law, double jitter) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.dt = 1e-4;
  def.threads = threads;
  def.solver.iterations = 60;
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail_msg("%s", error.text);
  set_law(world, law, 0.4);
  double w = side * 1.2e-3;
  add_box_walls(world, w);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) {
    fill.max[k] = w;
    fill.velocity_jitter[k] = jitter;
  }
  fill.spacing = 1.17e-3;
  fill.radius = 0.5e-3;
  fill.density = 2650;
  fill.seed = 7;
  int64_t added = scree_world_fill(world, &fill, &error);
  if (added != side * side * side) fail_msg("filled %lld: %s", (long long)added, error.text);
  return world;
}

/* Settled grains come to rest and stay: no creep, no growing energy. What is left are grains that roll
 * or spin where nothing brakes them: these laws know no rolling friction. */
static void pile_rests(void **unused) {
  (void)unused;
  scree_world *world = box_of_grains(5, 1, "coulomb", 0.05);
  step_world(world, 3000);
  scree_report settled = report_of(world);
  double mgd = 2650 * 4.18879e-9 / 8 * 9.81 * 1e-3 * (double)settled.dynamic;
  step_world(world, 2000);
  scree_report later = report_of(world);
  assert_true(later.kinetic < 1e-4 * mgd);
  assert_true(later.kinetic <= settled.kinetic);
  CLOSE(later.potential, settled.potential, 1e-4 * mgd);
  assert_true(later.penetration < 1e-6 * 0.5e-3);
  scree_world_destroy(world);
}

/* momentum: of a grain at the speed of the scene; impulses are only known to rounding of it. */
static void check_cones(scree_world *world, double mu, double momentum) {
  for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
    scree_contact k;
    scree_world_contact(world, c, &k);
    double normal = 0, tangential[3];
    for (int i = 0; i < 3; i++) normal += k.impulse[i] * k.normal[i];
    for (int i = 0; i < 3; i++) tangential[i] = k.impulse[i] - normal * k.normal[i];
    assert_true(normal >= 0);
    assert_true(hypot(hypot(tangential[0], tangential[1]), tangential[2]) <=
        mu * normal * (1 + 1e-9) + 1e-12 * normal + 1e-15 * momentum);
  }
}

/* Without outer forces on free grains: the momentum that walls give is what grains gain, energy never
 * grows, cones hold. */
static void dissipation_and_cones(void **unused) {
  (void)unused;
  const char *const laws[] = {"frictionless", "coulomb", "max_dissipation"};
  for (int l = 0; l < 3; l++) {
    scree_world *world = box_of_grains(5, 1, laws[l], 0.3);
    double gravity[3] = {0, 0, 0};
    scree_world_set_gravity(world, gravity, NULL);
    scree_report before = report_of(world);
    for (int step = 0; step < 300; step++) {
      step_world(world, 1);
      scree_report after = report_of(world);
      double wall[3] = {0, 0, 0};
      for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
        scree_contact k;
        scree_body_state other;
        scree_world_contact(world, c, &k);
        scree_world_get(world, k.body2, &other, NULL);
        for (int i = 0; i < 3 && isinf(other.mass); i++) wall[i] += k.impulse[i];
      }
      for (int i = 0; i < 3; i++) CLOSE(after.momentum[i] - before.momentum[i], wall[i], 1e-15);
      assert_true(after.kinetic <= before.kinetic * (1 + 1e-6));
      check_cones(world, l ? 0.4 : 0, 2650 * 4.18879e-9 / 8 * 0.3);
      before = after;
    }
    scree_world_destroy(world);
  }
}

static void same_bits(void **unused) {
  (void)unused;
  uint64_t hash[3];
  for (int run = 0; run < 3; run++) {
    scree_world *world = box_of_grains(5, run == 2 ? 2 : 1, "max_dissipation", 0.05);
    step_world(world, 400);
    hash[run] = scree_world_hash(world);
    scree_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
  assert_true(hash[0] == hash[2]);
}

/* Millimetre grains and metre blocks behave alike: the whole scene scaled by a power of two in length,
 * with g scaled along, gives the same numbers bit for bit; by 1e3, to rounding. */
static double height(double unit) {
  scree_world *world = make_world(1e-3, 9.81 * unit);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id ball[4];
  for (int i = 0; i < 4; i++)
    ball[i] = add_sphere(world, 0.1 * unit, 0.003 * i * unit, 0.002 * i * i * unit, (0.1 + 0.21 * i) * unit);
  step_world(world, 300);
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * state_of(world, ball[i]).position[2] / unit +
        state_of(world, ball[i]).position[0] / unit;
  scree_world_destroy(world);
  return sum;
}

static void units(void **unused) {
  (void)unused;
  CLOSE(height(1024), height(1), 0);
  CLOSE(height(1.0 / 1024), height(1), 0);
  CLOSE(height(1e3), height(1), 1e-7);
  CLOSE(height(1e-3), height(1), 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pile_rests), cmocka_unit_test(dissipation_and_cones),
      cmocka_unit_test(same_bits), cmocka_unit_test(units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
