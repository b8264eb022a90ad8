/* Bodies that are removed: contacts of the last step remain readable, with the correct ids, and the list of
 * fast bodies forgets them. */
#include "support/scene.h"
#include "scree/joint.h"

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

/* A fast body that is removed is no longer on the list of fast bodies, and the others stay on it. */
static void fast_bodies_are_forgotten(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-3, 9.81);
  scree_error error = {0};
  scree_id fast[2], listed[2] = {0};
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_BALL);
  shape.radius = 0.1, body.fast = 1;
  for (int k = 0; k < 2; k++) body.position[0] = k, fast[k] = add_shape(world, shape, body);
  joint.a = fast[1], joint.at[0] = 1;
  if (!scree_world_add_joint(world, &joint, &error)) fail_msg("%s", error.text);
  assert_int_equal(scree_world_fast_joined(world, listed, 2), 1);
  assert_int_equal(scree_world_remove(world, fast[0], NULL), SCREE_OK);
  assert_int_equal(scree_world_fast_joined(world, listed, 2), 1);
  assert_true(listed[0] == fast[1]);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_follow), cmocka_unit_test(fast_bodies_are_forgotten)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
