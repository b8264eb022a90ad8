/* Checkpoints of worlds: a restart equals the straight run in every bit, with one and two threads. Damaged
 * checkpoints are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/base.h"
#include "model/pairs.h"
#include "scree/checkpoint.h"
#include "scree/geometry.h"
#include "scree/joint.h"

enum { STEPS = 72 };

/* Returns a world with a material, a pair with a friction law, walls, and a pile of spheres. */
static scree_world *make_with(int stepper, int threads) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  def.stepper = stepper, def.dt = 1e-3, def.threads = threads, def.gravity[2] = -9.81,
  def.solver.iterations = 15;
  scree_world *w = scree_world_create(&def, &error);
  assert_non_null(w);
  int glass = scree_world_add_material(w, &(scree_material_def){"glass", 2500}, &error);
  scree_pair_def pair = {glass, glass, "coulomb", {0}};
  int count;
  const scree_param *params = scree_world_law_params(w, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  pair.params[0] = 0.3;
  assert_int_equal(scree_world_set_pair(w, &pair, &error), SCREE_OK);
  for (int side = 0; side < 5; side++) {
    scree_shape_def plane = scree_shape_defaults();
    plane.type = SCREE_HALFSPACE, plane.material = glass;
    plane.normal[0] = side == 1 ? 1
        : side == 2             ? -1
                                : 0,
    plane.normal[1] = side == 3 ? 1
        : side == 4             ? -1
                                : 0,
    plane.normal[2] = side == 0;
    scree_body_def body = scree_body_defaults();
    body.kind = SCREE_FIXED, body.shapes = &plane, body.shapes_count = 1, body.name = side ? NULL : "floor";
    body.position[0] = side == 2 ? 0.1 : 0, body.position[1] = side == 4 ? 0.1 : 0;
    assert_true(scree_world_add(w, &body, &error) != 0);
  }
  scree_fill_def fill = scree_fill_defaults();
  double min[3] = {0.005, 0.005, 0.005}, max[3] = {0.095, 0.095, 0.06};
  memcpy(fill.min, min, sizeof min);
  memcpy(fill.max, max, sizeof max);
  fill.spacing = 0.012, fill.radius = 0.004, fill.radius_max = 0.0055, fill.jitter = 0.05,
  fill.material = glass, fill.seed = 3;
  fill.velocity_jitter[0] = fill.velocity_jitter[1] = 0.3;
  assert_true(scree_world_fill(w, &fill, &error) > 100);
  return w;
}

static scree_world *make(int threads) { return make_with(SCREE_STEPPER_SEMI_IMPLICIT, threads); }

/* Changes the world between steps: removes spheres in a region, adds capsules, and changes cohesion, friction
 * and the time step. */
static void meddle(scree_world *w, int step) {
  scree_error error = {0};
  if (step % 7 == 3) {
    scree_region region = {
        .type = SCREE_REGION_SPHERE, .point = {0.02 + 0.005 * (step % 10), 0.05, 0.02}, .radius = 0.008};
    scree_world_remove_where(w, &(scree_select){SCREE_DYNAMIC, -1, &region});
  }
  if (step % 11 == 5) {
    scree_shape_def shape = scree_shape_defaults();
    shape.type = SCREE_CAPSULE, shape.radius = 0.004, shape.length = 0.01, shape.material = 1;
    scree_body_def body = scree_body_defaults();
    body.shapes = &shape, body.shapes_count = 1, body.position[0] = 0.05,
    body.position[1] = 0.03 + 0.003 * (step % 9), body.position[2] = 0.1, body.spin[0] = 5;
    assert_true(scree_world_add(w, &body, &error) != 0);
  }
  if (step == 20 || step == 40) { /* capillary cohesion at step 20, linear cohesion at step 40 */
    scree_pair_def pair = {1, 1, "coulomb", {0}};
    pair.cohesion = step == 20
        ? (scree_cohesion){.law = SCREE_COHESION_CAPILLARY, .volume = 1e-9, .tension = 0.07}
        : (scree_cohesion){SCREE_COHESION_LINEAR, 1e-4, 1e-3};
    int count;
    const scree_param *params = scree_world_law_params(w, "coulomb", &count);
    scree_param_defaults(params, count, pair.params);
    pair.params[0] = 0.9;
    if (scree_world_set_pair(w, &pair, &error)) fail_msg("%s", error.text);
    if (step == 40) scree_world_set_dt(w, 8e-4, &error);
  }
}

static void run(scree_world *w, int from, int to, uint64_t *hash) {
  scree_error error = {0};
  for (int step = from; step < to; step++) {
    meddle(w, step);
    if (scree_world_step(w, 1, &error)) fail_msg("%s", error.text);
    if (hash) hash[step] = scree_world_hash(w);
  }
}

static void contacts_equal(const scree_world *a, const scree_world *b) {
  assert_int_equal(scree_world_contacts_count(a), scree_world_contacts_count(b));
  for (int64_t i = 0; i < scree_world_contacts_count(a); i++) {
    scree_contact x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    scree_world_contact(a, i, &x);
    scree_world_contact(b, i, &y);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

static void restart_equals_straight_run(int stepper, int trials) {
  char path[] = "/tmp/scree_save_XXXXXX", previous[64];
  int file = mkstemp(path);
  close(file);
  unlink(path);
  snprintf(previous, sizeof previous, "%s.previous", path);
  uint64_t straight[STEPS];
  scree_world *w = make_with(stepper, 1);
  run(w, 0, STEPS, straight);
  scree_world_destroy(w);
  sc_rng rng;
  sc_rng_seed(&rng, 42);
  for (int trial = 0; trial < trials; trial++) {
    int at = (int)(sc_rng_unit(&rng) * STEPS), threads = 1 + trial % 2;
    scree_error error = {0};
    scree_world *before = make_with(stepper, threads), *after = make_with(stepper, 3 - threads);
    run(before, 0, at, NULL);
    scree_checkpoint *c = scree_checkpoint_create(), *d;
    if (scree_world_save(before, c, &error) || scree_checkpoint_write(c, path, 2, &error))
      fail_msg("%s", error.text);
    d = scree_checkpoint_read(path, NULL, &error);
    if (!d || scree_world_load(after, d, &error)) fail_msg("%s", error.text);
    assert_true(scree_world_hash(after) == scree_world_hash(before));
    contacts_equal(before, after);
    scree_world_destroy(before);
    uint64_t hash[STEPS];
    run(after, at, STEPS, hash);
    for (int k = at; k < STEPS; k++)
      if (hash[k] != straight[k]) fail_msg("restarted before step %d: step %d differs", at, k);
    scree_world_destroy(after);
    scree_checkpoint_destroy(c);
    scree_checkpoint_destroy(d);
  }
  unlink(path);
  unlink(previous);
}

static void restart_equals_the_straight_run(void **state) {
  (void)state;
  restart_equals_straight_run(SCREE_STEPPER_SEMI_IMPLICIT, 20);
}

static void restart_at_second_order(void **state) {
  (void)state;
  restart_equals_straight_run(SCREE_STEPPER_SECOND_ORDER, 3);
}

static void places_and_generations_have_bounds(void **state) {
  (void)state;
  scree_error error = {0};
  scree_checkpoint_info info;
  scree_checkpoint *c = scree_checkpoint_create();
  size_t size;
  assert_int_equal(scree_checkpoint_write(c, "/nowhere", 0, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "1 generation"));
  assert_null(scree_checkpoint_section(c, -1, &size));
  assert_null(scree_checkpoint_section(c, 0, &size));
  assert_int_equal(scree_checkpoint_about(c, &info, &error), SCREE_E_FORMAT);
  assert_int_equal(scree_checkpoint_put(c, "three", "abc", 3, &error), SCREE_OK);
  assert_int_equal(scree_checkpoint_put(c, "five", "abcde", 5, &error), SCREE_OK);
  assert_string_equal(scree_checkpoint_section(c, 1, &size), "five");
  assert_int_equal(size, 5);
  assert_string_equal(scree_checkpoint_section(c, 0, &size), "three");
  assert_int_equal(size, 3);
  scree_checkpoint_destroy(c);
}

/* A checkpoint has no fast bodies after the last one was removed. */
static void removed_bodies_are_not_fast(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  scree_world *world = scree_world_create(&def, &error);
  scree_shape_def ball = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  ball.radius = 0.1, body.shapes = &ball, body.shapes_count = 1, body.fast = 1;
  const scree_id id = scree_world_add(world, &body, &error);
  for (int there = 1; there >= 0; there--) {
    scree_checkpoint *c = scree_checkpoint_create();
    size_t size = 0;
    assert_int_equal(scree_world_save(world, c, &error), SCREE_OK);
    const void *bytes = scree_checkpoint_get(c, "world.fast", &size, &error);
    assert_true(there ? bytes && size == sizeof id && !memcmp(bytes, &id, size) : !bytes);
    scree_checkpoint_destroy(c);
    if (there) assert_int_equal(scree_world_remove(world, id, &error), SCREE_OK);
  }
  scree_world_destroy(world);
}

static void ids_and_names_survive(void **state) {
  (void)state;
  scree_error error = {0};
  scree_world *a = make(1), *b = make(1);
  run(a, 0, 30, NULL);
  scree_checkpoint *c = scree_checkpoint_create();
  assert_int_equal(scree_world_save(a, c, &error), SCREE_OK);
  assert_int_equal(scree_world_load(b, c, &error), SCREE_OK);
  assert_true(scree_world_find(b, "floor", &error) == scree_world_find(a, "floor", &error));
  scree_report x, y;
  scree_world_report(a, &x);
  scree_world_report(b, &y);
  assert_true(x.bodies == y.bodies && x.kinetic == y.kinetic && x.dissipated == y.dissipated &&
      x.penetration == y.penetration && x.contacts == y.contacts);
  scree_checkpoint_destroy(c);
  scree_world_destroy(a);
  scree_world_destroy(b);
}

/* How a section of a checkpoint is damaged. */
enum { WHOLE, SHORT, WILD, WILD_START };

/* Returns true if a world loads a checkpoint in which one section is damaged. */
static bool loads_damaged(const scree_checkpoint *whole, const char *name, int damage) {
  scree_error error;
  size_t size;
  const char *section;
  bool found = false;
  scree_checkpoint *c = scree_checkpoint_create();
  for (int64_t k = 0; (section = scree_checkpoint_section(whole, k, &size)); k++) {
    unsigned char *copy = malloc(size + 1);
    memcpy(copy, scree_checkpoint_get(whole, section, &size, &error), size);
    const bool hit = damage != WHOLE && !strcmp(section, name);
    if (hit && damage == WILD) memset(copy, 0x7f, size < 64 ? size : 64);
    if (hit && damage == WILD_START) memset(copy, 0x7f, sizeof(int32_t));
    found |= hit;
    assert_int_equal(
        scree_checkpoint_put(c, section, copy, hit && damage == SHORT ? size - 1 : size, &error), SCREE_OK);
    free(copy);
  }
  assert_true(found == (damage != WHOLE));
  scree_world *b = make(1);
  const bool loads = !scree_world_load(b, c, &error);
  scree_world_destroy(b);
  scree_checkpoint_destroy(c);
  return loads;
}

/* A checkpoint is refused if a section is too short or contains row numbers out of range. */
static void damage_is_refused(void **state) {
  (void)state;
  static const char *const names[] = {"world.head", "world.position", "world.shapes", "world.table",
      "world.slot", "world.collide", "world.first_shape", "world.rules"};
  scree_error error;
  scree_world *a = make(1);
  run(a, 0, 10, NULL);
  scree_checkpoint *whole = scree_checkpoint_create();
  assert_int_equal(scree_world_save(a, whole, &error), SCREE_OK);
  assert_true(loads_damaged(whole, "", WHOLE));
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    if (loads_damaged(whole, names[k], SHORT)) fail_msg("a short %s was taken", names[k]);
    if (!strcmp(names[k], "world.position")) continue; /* any number is valid */
    if (loads_damaged(whole, names[k], WILD)) fail_msg("damaged %s was taken", names[k]);
  }
  assert_false(loads_damaged(whole, "world.table", WILD_START)); /* only the pair of the first material */
  scree_checkpoint_destroy(whole);
  scree_world_destroy(a);
}

static scree_world *make_hinged(void) {
  scree_error error = {0};
  const scree_world_def def = scree_world_defaults();
  scree_world *world = scree_world_create(&def, &error);
  scree_shape_def ball = scree_shape_defaults();
  ball.type = SCREE_SPHERE, ball.radius = 0.1;
  scree_body_def body = scree_body_defaults();
  body.shapes = &ball, body.shapes_count = 1;
  scree_joint_def hinge = scree_joint_defaults(SCREE_JOINT_HINGE);
  hinge.a = scree_world_add(world, &body, &error);
  hinge.axis[0] = 1;
  assert_true(scree_world_add_joint(world, &hinge, &error) != 0);
  return world;
}

/* Loads a copy of `whole` with another format version of joints, and checks the status. format 1: the copy
 * has no version section. */
static void load_with_joint_format(const scree_checkpoint *whole, uint32_t format) {
  scree_error error = {0};
  scree_checkpoint *c = scree_checkpoint_create();
  const char *name;
  char words[64];
  size_t size;
  for (int64_t k = 0; (name = scree_checkpoint_section(whole, k, &size)); k++) {
    const void *bytes = scree_checkpoint_get(whole, name, &size, &error);
    const bool hit = !strcmp(name, "world.joint_format");
    if (hit && format == 1) continue;
    assert_int_equal(scree_checkpoint_put(c, name, hit ? &format : bytes, size, &error), SCREE_OK);
  }
  scree_world *world = make_hinged();
  const scree_status status = scree_world_load(world, c, &error);
  assert_int_equal(status, format == 5 ? SCREE_OK : SCREE_E_FORMAT);
  snprintf(words, sizeof words, "joints of format version %u; this program reads version 5", format);
  if (status) assert_non_null(strstr(error.text, words));
  scree_world_destroy(world);
  scree_checkpoint_destroy(c);
}

static void joints_of_other_formats_are_refused(void **state) {
  (void)state;
  scree_error error;
  scree_world *world = make_hinged();
  scree_checkpoint *whole = scree_checkpoint_create();
  assert_int_equal(scree_world_save(world, whole, &error), SCREE_OK);
  for (uint32_t format = 1; format <= 6; format++) load_with_joint_format(whole, format);
  scree_checkpoint_destroy(whole);
  scree_world_destroy(world);
}

/* Returns a world whose default pair has a friction polygon with this number of corners instead of the
 * circle. */
static scree_world *make_polygon(double corners) {
  scree_error error = {0};
  scree_world_def def = scree_world_defaults();
  scree_world *world = scree_world_create(&def, &error);
  scree_pair_def pair = {0, 0, "polyhedral", {0}};
  int count;
  const scree_param *params = scree_world_law_params(world, "polyhedral", &count),
                    *directions = scree_param_find(params, count, "directions");
  scree_param_defaults(params, count, pair.params);
  pair.params[directions - params] = corners;
  assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_OK);
  return world;
}

/* Loads a copy of `whole` with another format version of laws, and checks the status. format 0: a file from
 * before the parameter rolling_friction existed. It has no version section, and `directions` is in the place
 * of rolling_friction. */
static void load_with_law_format(const scree_checkpoint *whole, uint32_t format) {
  enum { PLACE = 13, NEXT = 14, MOST = 1024 };
  scree_error error = {0};
  scree_checkpoint *c = scree_checkpoint_create();
  const char *name;
  size_t size;
  for (int64_t k = 0; (name = scree_checkpoint_section(whole, k, &size)); k++) {
    char bytes[MOST * 8];
    const void *from = scree_checkpoint_get(whole, name, &size, &error);
    const bool hit = !strcmp(name, "world.law_format"), rules = !strcmp(name, "world.rules");
    if (hit && format == 0) continue;
    if (rules && format == 0) {
      const size_t at = offsetof(sc_rule, params) + PLACE * sizeof(double), zero = at + sizeof(double);
      assert_true(size <= sizeof bytes);
      memcpy(bytes, from, size);
      memcpy(bytes + at, bytes + zero, sizeof(double));
      memset(bytes + zero, 0, sizeof(double));
      from = bytes;
    }
    assert_int_equal(scree_checkpoint_put(c, name, hit ? &format : from, size, &error), SCREE_OK);
  }
  scree_world *world = make_polygon(8);
  const scree_status status = scree_world_load(world, c, &error);
  assert_int_equal(status, format <= 2 ? SCREE_OK : SCREE_E_FORMAT);
  if (status)
    assert_non_null(strstr(error.text, "laws of format version 3; this program reads versions up to 2"));
  const double *params;
  scree_world_get_pair(world, 0, 0, &params);
  if (!status) assert_true(params[PLACE] == 0 && params[NEXT] == 4);
  scree_world_destroy(world);
  scree_checkpoint_destroy(c);
}

static void laws_of_the_former_format_are_read(void **state) {
  (void)state;
  scree_error error;
  scree_world *world = make_polygon(4);
  scree_checkpoint *whole = scree_checkpoint_create();
  assert_int_equal(scree_world_save(world, whole, &error), SCREE_OK);
  load_with_law_format(whole, 0);
  load_with_law_format(whole, 2);
  load_with_law_format(whole, 3);
  scree_checkpoint_destroy(whole);
  scree_world_destroy(world);
}

/* Each allocation of a save or a load fails once. The error is lack of memory, and a second attempt
 * succeeds. */
static void survives_lack_of_memory(void **state) {
  (void)state;
  scree_error error;
  scree_world *a = make(1);
  run(a, 0, 5, NULL);
  int saves = 0, loads = 0;
  scree_checkpoint *whole = NULL;
  for (uint64_t nth = 1; !whole; nth++) {
    scree_checkpoint *c = scree_checkpoint_create();
    assert_non_null(c);
    sc_alloc_fail_at(nth, false);
    scree_status status = scree_world_save(a, c, &error);
    sc_alloc_fail_at(0, false);
    if (status) assert_int_equal(status, SCREE_E_MEMORY), scree_checkpoint_destroy(c), saves++;
    else whole = c;
  }
  for (uint64_t nth = 1;; nth++) {
    scree_world *b = make(1);
    sc_alloc_fail_at(nth, false);
    scree_status status = scree_world_load(b, whole, &error);
    sc_alloc_fail_at(0, false);
    if (!status) assert_true(scree_world_hash(a) == scree_world_hash(b));
    else assert_int_equal(status, SCREE_E_MEMORY), loads++;
    scree_world_destroy(b);
    if (!status) break;
  }
  assert_true(saves > 20 && loads >= 1);
  scree_checkpoint_destroy(whole);
  scree_world_destroy(a);
}

/* ---- walls and solids ---- */

/* Returns a world with a tetrahedron as a solid (solid 1) or a wall (0). sense: 1 if the normals of its
 * triangles point outwards, -1 inwards. */
static scree_world *make_tetrahedron(int solid, int sense) {
  static const double point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int32_t outwards[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  int32_t triangle[4][3];
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < 3; k++) triangle[t][k] = outwards[t][sense > 0 ? k : 2 - k];
  scree_error error = {0};
  scree_mesh_def mesh = {.points = point,
      .points_count = 4,
      .triangles = (const int32_t(*)[3])triangle,
      .triangles_count = 4,
      .solid = solid};
  scree_geometry *g = scree_geometry_mesh(&mesh, &error);
  assert_non_null(g);
  scree_world_def def = scree_world_defaults();
  scree_world *w = scree_world_create(&def, &error);
  assert_non_null(w);
  scree_shape_def shape = scree_shape_defaults();
  shape.type = SCREE_MESH, shape.geometry = g;
  scree_body_def body = scree_body_defaults();
  body.kind = SCREE_FIXED, body.shapes = &shape, body.shapes_count = 1;
  assert_int_not_equal(scree_world_add(w, &body, &error), 0);
  scree_geometry_release(g);
  return w;
}

/* A checkpoint of a wall does not load into a world whose setup makes a solid of the same triangles, and vice
 * versa. A mesh with the opposite sense may start its triangles at other corners; it then counts as a
 * different mesh. */
static void walls_do_not_become_solids(void **unused) {
  (void)unused;
  for (int k = 0; k < 16; k++) {
    const int before = k & 1, after = k >> 1 & 1;
    scree_error error = {0};
    scree_checkpoint *c = scree_checkpoint_create();
    scree_world *a = make_tetrahedron(before, k & 4 ? 1 : -1), *b = make_tetrahedron(after, k & 8 ? 1 : -1);
    assert_int_equal(scree_world_save(a, c, &error), SCREE_OK);
    const scree_status status = scree_world_load(b, c, &error);
    const bool one_sense = !(k & 4) == !(k & 8);
    if (one_sense) assert_int_equal(status == SCREE_OK, before == after);
    else if (before != after) assert_int_equal(status, SCREE_E_ARGUMENT);
    scree_world_destroy(a);
    scree_world_destroy(b);
    scree_checkpoint_destroy(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restart_equals_the_straight_run),
      cmocka_unit_test(restart_at_second_order),
      cmocka_unit_test(places_and_generations_have_bounds),
      cmocka_unit_test(removed_bodies_are_not_fast),
      cmocka_unit_test(ids_and_names_survive),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(walls_do_not_become_solids),
      cmocka_unit_test(joints_of_other_formats_are_refused),
      cmocka_unit_test(laws_of_the_former_format_are_read),
      cmocka_unit_test(survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
