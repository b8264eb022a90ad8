/* Sums over the substeps of a step. Checkpoints contain the sums, which do not depend on the number of
 * threads. Once the sums have memory, steps allocate none. Damaged sections and lack of memory are errors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "world/world.h"
#include "world/account/totals.h"
#include "support/starve.h"
#include "scree/checkpoint.h"
#include "scree/frame.h"

enum { STEPS = 40 };

static const char *const sections[] = {"world.totals", "world.joint_means", "world.bond_means"};

static scree_id add_ball(scree_world *w, double radius, double x, double y, double z, double speed) {
  scree_error error = {0};
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_SPHERE, shape.radius = radius;
  body.position[0] = x, body.position[1] = y, body.position[2] = z, body.velocity[2] = speed;
  body.shapes = &shape, body.shapes_count = 1;
  return scree_world_add(w, &body, &error);
}

/* Returns a world with a floor, fast balls, a pile of boxes, a pendulum and bonded balls; NULL without
 * memory. */
static scree_world *make(int64_t substeps, int threads) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  def.dt = 2e-3, def.substeps = substeps, def.threads = threads, def.gravity[2] = -9.81, def.losses = 1;
  scree_world *w = scree_world_create(&def, &error);
  if (!w) return NULL;
  scree_pair_def pair = {0, 0, "coulomb", {0}, 0.6, 0};
  int count;
  const scree_param *params = scree_world_law_params(w, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  pair.params[0] = 0.4;
  scree_shape_def floor = scree_shape_defaults(), box = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  floor.type = SCREE_HALFSPACE, floor.normal[2] = 1;
  body.kind = SCREE_FIXED, body.shapes = &floor, body.shapes_count = 1;
  bool fine = !scree_world_set_pair(w, &pair, &error) && scree_world_add(w, &body, &error);
  for (int i = 0; i < 30 && fine; i++) fine = add_ball(w, 0.01, 0.1 * i, 5, 0.1 + 0.07 * i, -50) != 0;
  body = scree_body_defaults(), body.shapes = &box, body.shapes_count = 1;
  box.type = SCREE_BOX;
  for (int k = 0; k < 3; k++) box.size[k] = 0.1;
  for (int i = 0; i < 6 && fine; i++) {
    body.position[0] = 0.02 * (i % 2), body.position[2] = 0.06 + 0.11 * i;
    fine = scree_world_add(w, &body, &error) != 0;
  }
  const scree_id bob = fine ? add_ball(w, 0.1, 1, -5, 2, 0) : 0;
  const scree_id bonded[1][2] = {
      {fine ? add_ball(w, 0.1, 3, -5, 2, 0) : 0, fine ? add_ball(w, 0.1, 3, -5, 2.2, 1) : 0}};
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_BALL);
  joint.a = bob, joint.at[1] = -5, joint.at[2] = 2;
  scree_glue glue = scree_glue_defaults();
  glue.young = 1e6, glue.radius = 0.5;
  fine = fine && scree_world_add_joint(w, &joint, &error) &&
      !scree_world_add_bonds(w, &glue, bonded, 1, &(scree_joint){0}, &error);
  if (fine) return w;
  scree_world_destroy(w);
  return NULL;
}

static void contacts_equal(const scree_world *a, const scree_world *b) {
  assert_int_equal(scree_world_contacts_count(a), scree_world_contacts_count(b));
  for (int64_t i = 0; i < scree_world_contacts_count(a); i++) {
    scree_contact x, y;
    memset(&x, 0, sizeof x), memset(&y, 0, sizeof y);
    scree_world_contact(a, i, &x), scree_world_contact(b, i, &y);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

static void joints_equal(const scree_world *a, const scree_world *b) {
  scree_error error = {0};
  for (int bonds = 0; bonds < 2; bonds++) {
    scree_joint_state x, y;
    memset(&x, 0, sizeof x), memset(&y, 0, sizeof y);
    const scree_joint id = bonds ? scree_world_bond_at(a, 0) : scree_world_joint_at(a, 0);
    assert_int_equal(scree_world_get_joint(a, id, &x, &error), SCREE_OK);
    assert_int_equal(scree_world_get_joint(b, id, &y, &error), SCREE_OK);
    assert_memory_equal(x.force, y.force, sizeof x.force);
    assert_memory_equal(x.torque, y.torque, sizeof x.torque);
    assert_true(x.force[2] != 0);
  }
}

/* Returns the number of listed contacts that existed in an earlier substep but not in the last one. */
static int64_t count_gone(const scree_world *w) {
  return scree_world_contacts_count(w) - sc_collide_memory(w->collide, NULL, 0, NULL);
}

static scree_world *load(const scree_checkpoint *file, int64_t substeps, int threads) {
  scree_error error = {0};
  scree_world *w = make(substeps, threads);
  assert_non_null(w);
  if (scree_world_load(w, file, &error)) fail_msg("%s", error.text);
  return w;
}

static void restart_tells_the_same(void **state) {
  (void)state;
  int64_t gone = 0;
  for (int64_t n = 1; n <= 7; n += 3) {
    scree_error error = {0};
    scree_world *straight = make(n, 1);
    for (int step = 0; step < STEPS; step++) {
      assert_int_equal(scree_world_step(straight, 1, &error), SCREE_OK);
      gone += n > 1 ? count_gone(straight) : 0;
      scree_checkpoint *file = scree_checkpoint_create(), *copy = scree_checkpoint_create();
      assert_int_equal(scree_world_save(straight, file, &error), SCREE_OK);
      scree_world *other = load(file, n, 1 + step % 3);
      contacts_equal(straight, other);
      joints_equal(straight, other);
      // the loaded world saves the same bytes
      assert_int_equal(scree_world_save(other, copy, &error), SCREE_OK);
      for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        size_t size[2] = {0, 0};
        const void *a = scree_checkpoint_get(file, sections[k], size, NULL),
                   *b = scree_checkpoint_get(copy, sections[k], size + 1, NULL);
        assert_true(!a == !b && (n > 1 || !a) && size[0] == size[1] && (!a || !memcmp(a, b, size[0])));
      }
      // both worlds take the same next step
      assert_int_equal(scree_world_step(other, 1, &error), SCREE_OK);
      scree_world *next = load(file, n, 1);
      assert_int_equal(scree_world_step(next, 1, &error), SCREE_OK);
      contacts_equal(other, next);
      assert_true(scree_world_hash(other) == scree_world_hash(next));
      scree_world_destroy(other), scree_world_destroy(next);
      scree_checkpoint_destroy(file), scree_checkpoint_destroy(copy);
    }
    scree_world_destroy(straight);
  }
  assert_true(gone > 20);
}

/* Loads a checkpoint into a world with another number of substeps. A world without sums reports the impulses
 * of the last substep. */
static void other_substeps(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world *four = make(4, 1);
  assert_int_equal(scree_world_step(four, 10, &error), SCREE_OK);
  scree_checkpoint *file = scree_checkpoint_create(), *plain = scree_checkpoint_create();
  assert_int_equal(scree_world_save(four, file, &error), SCREE_OK);
  for (int64_t n = 1; n <= 2; n++) {
    scree_world *w = load(file, n, 1);
    if (n == 2) contacts_equal(four, w);
    assert_int_equal(scree_world_step(w, 2, &error), SCREE_OK);
    assert_int_equal(scree_world_save(w, plain, &error), SCREE_OK);
    assert_true(!scree_checkpoint_get(plain, "world.totals", &(size_t){0}, NULL) == (n == 1));
    if (n == 1) { // load the checkpoint of one substep into a world with four
      scree_world *back = load(plain, 4, 1);
      contacts_equal(w, back);
      assert_int_equal(scree_world_step(back, 2, &error), SCREE_OK);
      scree_world_destroy(back);
    }
    scree_world_destroy(w);
    scree_checkpoint_destroy(plain), plain = scree_checkpoint_create();
  }
  scree_world_destroy(four);
  scree_checkpoint_destroy(file), scree_checkpoint_destroy(plain);
}

/* Returns true if a world loads a checkpoint with a damaged section. which: index into `sections`. The 8
 * bytes at offset `at` become `byte`, and the section loses its last `shorter` bytes. */
static bool loads_damaged(const scree_world *w, int which, size_t at, int byte, size_t shorter) {
  scree_error error = {0};
  scree_checkpoint *file = scree_checkpoint_create();
  assert_int_equal(scree_world_save(w, file, &error), SCREE_OK);
  size_t size;
  void *bytes = (void *)(uintptr_t)scree_checkpoint_get(file, sections[which], &size, &error);
  assert_true(bytes && at < size);
  unsigned char *copy = sc_alloc(size);
  memcpy(copy, bytes, size);
  memset(copy + at, byte, size - at < 8 ? size - at : 8);
  scree_checkpoint *damaged = scree_checkpoint_create();
  const char *name;
  for (int64_t k = 0; (name = scree_checkpoint_section(file, k, &(size_t){0})); k++) {
    size_t bytes_in;
    const void *in = scree_checkpoint_get(file, name, &bytes_in, &error);
    const bool own = !strcmp(name, sections[which]);
    assert_int_equal(
        scree_checkpoint_put(damaged, name, own ? copy : in, own ? size - shorter : bytes_in, &error),
        SCREE_OK);
  }
  scree_world *other = make(4, 1);
  const bool fine = scree_world_load(other, damaged, &error) == SCREE_OK;
  if (!fine) assert_non_null(strstr(error.text, "sums over substeps"));
  scree_world_destroy(other);
  scree_checkpoint_destroy(file), scree_checkpoint_destroy(damaged);
  sc_free(copy);
  return fine;
}

static void damage_is_refused(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world *w = make(4, 1);
  assert_int_equal(scree_world_step(w, 10, &error), SCREE_OK);
  assert_true(loads_damaged(w, 0, 0, 0, 0));       // a zero impulse is valid
  assert_false(loads_damaged(w, 0, 0, 0xff, 0));   // not a number
  assert_false(loads_damaged(w, 0, 0, 0, 1));      // not a whole number of rows
  assert_false(loads_damaged(w, 0, 180, 0x7f, 0)); // no such material
  assert_false(loads_damaged(w, 0, 0, 0, 200));    // a contact's tag refers to a missing row
  for (int k = 1; k < 3; k++) {
    assert_true(loads_damaged(w, k, 8, 0, 0));
    assert_false(loads_damaged(w, k, 8, 0xff, 0));
    assert_false(loads_damaged(w, k, 8, 0, 3));
  }
  scree_world_destroy(w);
}

static void threads_do_not_matter(void **state) {
  (void)state;
  for (int64_t n = 2; n <= 4; n += 2) {
    scree_error error = {0};
    scree_world *one = make(n, 1), *three = make(n, 3);
    for (int step = 0; step < STEPS; step++) {
      assert_int_equal(scree_world_step(one, 1, &error), SCREE_OK);
      assert_int_equal(scree_world_step(three, 1, &error), SCREE_OK);
      contacts_equal(one, three);
      joints_equal(one, three);
    }
    assert_true(scree_world_hash(one) == scree_world_hash(three));
    scree_world_destroy(one), scree_world_destroy(three);
  }
}

/* Contacts of removed bodies disappear from the list; contacts between all other bodies stay. */
static void removed_bodies_have_no_contacts(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world *w = make(4, 1);
  for (int step = 0, done = 0; !done; step++) {
    assert_int_equal(scree_world_step(w, 1, &error), SCREE_OK);
    assert_true(step < STEPS);
    if (count_gone(w) < 2) continue;
    const int64_t before = scree_world_contacts_count(w);
    scree_contact last, c;
    scree_world_contact(w, before - 1, &last);
    const scree_id ball = last.body1 == 1 ? last.body2 : last.body1;
    assert_int_equal(scree_world_remove(w, ball, &error), SCREE_OK);
    assert_int_equal(scree_world_contacts_count(w), before - 1);
    for (int64_t i = 0; i < before - 1; i++) {
      scree_world_contact(w, i, &c);
      assert_true(c.body1 != ball && c.body2 != ball);
    }
    done = 1;
  }
  assert_int_equal(scree_world_step(w, 5, &error), SCREE_OK);
  scree_world_destroy(w);
}

static void warm_steps_allocate_nothing(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world *w = make(4, 1);
  assert_int_equal(scree_world_step(w, 400, &error), SCREE_OK);
  const uint64_t before = sc_alloc_count();
  assert_int_equal(scree_world_step(w, 50, &error), SCREE_OK);
  assert_int_equal(sc_alloc_count(), before);
  scree_world_destroy(w);
}

static void say(const scree_world *w, char answer[ANSWER]) {
  const int64_t contacts = scree_world_contacts_count(w);
  double sum = 0;
  for (int64_t i = 0; i < contacts; i++) {
    scree_contact c;
    scree_world_contact(w, i, &c);
    sum += c.impulse[2];
  }
  snprintf(answer, ANSWER, "%lld contacts, %.17g N s", (long long)contacts, sum);
}

static void steps_and_saves(char answer[ANSWER]) {
  scree_error error = {0};
  scree_world *w = make(3, 1), *other = make(3, 1);
  scree_checkpoint *file = scree_checkpoint_create();
  *answer = 0;
  if (w && other && file && !scree_world_step(w, 8, &error) && !scree_world_save(w, file, &error) &&
      !scree_world_load(other, file, &error) && !scree_world_step(other, 2, &error))
    say(other, answer);
  scree_checkpoint_destroy(file);
  scree_world_destroy(w), scree_world_destroy(other);
}

static void memory_may_run_out(void **state) {
  (void)state;
  starve("substeps", steps_and_saves, ENGINE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(restart_tells_the_same),
      cmocka_unit_test(other_substeps), cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(removed_bodies_have_no_contacts),
      cmocka_unit_test(warm_steps_allocate_nothing), cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
