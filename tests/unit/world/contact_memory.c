/* Memory per contact: heap bytes of pairs, contacts and the scratch of a step, as counted by the report.
 * Also, data of a contact that are recomputed on demand equal the original ones. */
#include "support/scene.h"
#include "scree/checkpoint.h"

/* Bytes of a contact in a packed bed of balls, on one thread and on two; corrections of positions take 8
 * of them, and 64 a ball. */
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

/* A restart has contacts with their geometry; it goes when the next step has found them anew. */
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

/* Contacts tell where they were found, although bodies have moved on since, by themselves and by hand. */
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
