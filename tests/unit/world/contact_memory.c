/* Memory per contact: heap bytes of pairs, contacts and the scratch of a step, as counted by the report. The
 * test also compares contact data that are recomputed after a restart with the original data. */
#include "support/scene.h"
#include "scree/checkpoint.h"

/* Upper bounds of bytes per contact in a packed bed of balls, with one thread and with two. They include 8
 * bytes per contact and 64 bytes per ball for position corrections. */
static const double alone = 275, together = 290;

/* A cubic packing of 20 x 20 x 20 touching balls on the ground. */
static scree_world *bed(int threads) {
  scree_world_def def = scree_world_defaults();
  scree_fill_def fill = scree_fill_defaults();
  def.threads = threads;
  scree_world *world = scree_world_create(&def, NULL);
  assert_non_null(world);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  for (int k = 0; k < 3; k++) fill.max[k] = 0.02;
  fill.spacing = 1e-3, fill.radius = 0.5e-3, fill.density = 2650, fill.seed = 1;
  assert_int_equal(scree_world_fill(world, &fill, NULL), 8000);
  step_world(world, 3);
  return world;
}

static void stays_below(scree_world *world, double most) {
  scree_report report = report_of(world);
  double bytes = (double)report.bytes_contacts / (double)report.contacts;
  assert_true(report.contacts > 2 * report.dynamic);
  if (!(bytes <= most)) print_error("%g bytes a contact\n", bytes);
  assert_true(bytes <= most);
}

static void a_contact_is_small(void **unused) {
  (void)unused;
  for (int threads = 1; threads <= 2; threads++) {
    scree_world *world = bed(threads);
    stays_below(world, threads == 1 ? alone : together);
    scree_world_destroy(world);
  }
}

/* Loaded contacts contain their geometry. The next step finds contacts anew and no longer stores the
 * geometry. */
static void and_small_again_after_a_restart(void **unused) {
  (void)unused;
  scree_world_def def = scree_world_defaults();
  def.threads = 1;
  scree_world *world = bed(1), *other = scree_world_create(&def, NULL);
  scree_checkpoint *checkpoint = scree_checkpoint_create();
  assert_non_null(checkpoint);
  assert_int_equal(scree_world_save(world, checkpoint, NULL), SCREE_OK);
  assert_int_equal(scree_world_load(other, checkpoint, NULL), SCREE_OK);
  int64_t count = scree_world_contacts_count(world);
  assert_int_equal(scree_world_contacts_count(other), count);
  for (int64_t c = 0; c < count; c++) {
    scree_contact a, b;
    scree_world_contact(world, c, &a);
    scree_world_contact(other, c, &b);
    assert_true(a.body1 == b.body1 && a.body2 == b.body2 && a.gap == b.gap && a.state == b.state &&
        a.material1 == b.material1);
    assert_memory_equal(a.point, b.point, sizeof a.point);
    assert_memory_equal(a.normal, b.normal, sizeof a.normal);
    assert_memory_equal(a.impulse, b.impulse, sizeof a.impulse);
  }
  step_world(other, 2);
  stays_below(other, alone);
  scree_checkpoint_destroy(checkpoint);
  scree_world_destroy(world);
  scree_world_destroy(other);
}

/* Contacts keep the geometry of the moment of detection, even if their bodies move in the step or are moved
 * by the user. */
static void contacts_stay_where_they_were(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 9.81);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id low = add_sphere(world, 0.1, 0, 0, 0.1), high = add_sphere(world, 0.1, 0, 0, 0.3);
  set_velocity(world, high, 3, 0, 0);
  step_world(world, 1);
  scree_body_state moved = {.position = {7, 8, 9}};
  assert_int_equal(scree_world_set(world, low, SCREE_SET_POSITION, &moved, NULL), SCREE_OK);
  assert_int_equal(scree_world_contacts_count(world), 2);
  for (int64_t c = 0; c < 2; c++) {
    scree_contact k;
    scree_world_contact(world, c, &k);
    int ground = k.body1 != high && k.body2 != high;
    CLOSE(k.point[0], 0, 1e-15);
    CLOSE(k.point[2], ground ? 0 : 0.2, 1e-15);
    CLOSE(fabs(k.normal[2]), 1, 1e-15);
    CLOSE(k.gap, 0, 1e-15);
  }
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_contact_is_small),
      cmocka_unit_test(and_small_again_after_a_restart), cmocka_unit_test(contacts_stay_where_they_were)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
