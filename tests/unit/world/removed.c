/* Contacts of the last step remain readable after bodies are removed and added, with the correct ids. */
#include "support/scene.h"

enum { COUNT = 12 };

static void contacts_follow(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 9.81);
  scree_id ball[COUNT], floor_id = add_plane(world, 0, 0, 0, 0, 0, 1);
  for (int i = 0; i < COUNT; i++) ball[i] = add_sphere(world, 0.1, i, 0, 0.1);
  step_world(world, 1);
  assert_int_equal(scree_world_contacts_count(world), COUNT);
  /* remove a ball, add a new one, and remove the first and the last ball; the removals move other
   * rows, among them that of the new ball */
  assert_int_equal(scree_world_remove(world, ball[3], NULL), SCREE_OK);
  scree_id fresh = add_sphere(world, 0.1, 50, 0, 0.1);
  assert_int_equal(scree_world_remove(world, ball[0], NULL), SCREE_OK);
  assert_int_equal(scree_world_remove(world, ball[COUNT - 1], NULL), SCREE_OK);
  int seen[COUNT] = {0};
  assert_int_equal(scree_world_contacts_count(world), COUNT - 3);
  for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
    scree_contact k;
    scree_world_contact(world, c, &k);
    assert_true(k.body2 == floor_id && k.body1 != fresh);
    for (int i = 0; i < COUNT; i++)
      if (k.body1 == ball[i]) {
        seen[i]++;
        CLOSE(k.point[0], i, 1e-12);
      }
  }
  for (int i = 0; i < COUNT; i++) assert_int_equal(seen[i], i != 0 && i != 3 && i != COUNT - 1);
  scree_report report = report_of(world);
  assert_int_equal(report.active, COUNT - 3);
  /* remove one more ball; the next step then finds all contacts, including that of the new ball */
  assert_int_equal(scree_world_remove(world, ball[5], NULL), SCREE_OK);
  assert_int_equal(scree_world_contacts_count(world), COUNT - 4);
  step_world(world, 1);
  assert_int_equal(scree_world_contacts_count(world), COUNT - 3);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_follow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
