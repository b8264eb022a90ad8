/* The skin of neighbour lists affects only when lists are built. Worlds with different skins, given or chosen
 * by the engine, find the same contacts in the same order at every step. They end with the same bits. */
#include <stdbool.h>
#include "base/base.h"
#include "scree/problem.h"
#include "support/scene.h"

static void check(bool ok, const scree_error *error) {
  if (!ok) fail_msg("%s", error->text);
}

/* Returns a world in which spheres with a size ratio of 1:3 and capsules fall into a box. One wall of the box
 * swings. skin 0: the engine chooses. */
static scree_world *mixture(double skin, int64_t threads, scree_id *wall) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.dt = 5e-4;
  def.skin = skin;
  def.threads = threads;
  def.solver.iterations = 15;
  scree_world *world = scree_world_create(&def, &error);
  check(world != NULL, &error);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  add_plane(world, 0, 0, 0, 1, 0, 0);
  add_plane(world, 0.1, 0, 0, -1, 0, 0);
  add_plane(world, 0, 0, 0, 0, 1, 0);
  *wall = add_plane(world, 0, 0.1, 0, 0, -1, 0);
  scree_body_state turning = {.spin = {0.2, 0, 0}, .kind = SCREE_KINEMATIC};
  check(scree_world_set(world, *wall, SCREE_SET_KIND | SCREE_SET_SPIN, &turning, &error) == SCREE_OK, &error);
  scree_fill_def fill = scree_fill_defaults();
  for (int k = 0; k < 3; k++) fill.min[k] = 0.005, fill.max[k] = 0.095, fill.velocity_jitter[k] = 1;
  fill.spacing = 0.013, fill.radius = 0.002, fill.radius_max = 0.006, fill.density = 2500, fill.seed = 3;
  check(scree_world_fill(world, &fill, &error) > 0, &error);
  scree_shape_def capsule = scree_shape_defaults();
  capsule.type = SCREE_CAPSULE, capsule.radius = 0.003, capsule.length = 0.006;
  for (int k = 0; k < 3; k++) fill.min[k] = 0.01;
  fill.min[2] = 0.11, fill.max[2] = 0.2, fill.shape = &capsule, fill.radius = fill.radius_max = 0.006;
  check(scree_world_fill(world, &fill, &error) > 0, &error);
  return world;
}

/* Changes the world between steps: removes grains in a region, adds new ones, reverses the spin of the
 * wall. */
static void meddle(scree_world *world, scree_id wall, int step) {
  scree_error error = {0};
  scree_region hole = {.type = SCREE_REGION_BOX, .min = {0.03, 0.03, 0}, .max = {0.05, 0.05, 0.008}};
  scree_select gone = {0, -1, &hole};
  if (step % 7 == 0) scree_world_remove_where(world, &gone);
  if (step % 50 == 25) add_sphere(world, 0.004, 0.05, 0.06, 0.2);
  if (step % 20 != 10) return;
  scree_body_state state;
  scree_world_get(world, wall, &state, &error);
  state.spin[0] = -state.spin[0];
  check(scree_world_set(world, wall, SCREE_SET_SPIN, &state, &error) == SCREE_OK, &error);
}

static uint64_t contacts_hash(const scree_world *world) {
  uint64_t hash = SC_HASH_START;
  for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
    scree_contact contact;
    memset(&contact, 0, sizeof contact);
    scree_world_contact(world, c, &contact);
    hash = sc_hash(hash, &contact, sizeof contact);
  }
  return hash;
}

static void contacts_do_not_depend_on_the_skin(void **unused) {
  (void)unused;
  const double skin[] = {0, 0.05, 0.4, 1.5, 0.4};
  enum { WORLDS = sizeof skin / sizeof *skin, STEPS = 260 };
  uint64_t seen[STEPS];
  int64_t pairs[WORLDS] = {0};
  for (int w = 0; w < WORLDS; w++) {
    scree_id wall;
    scree_world *world = mixture(skin[w], w == 4 ? 2 : 1, &wall);
    for (int step = 0; step < STEPS; step++) {
      meddle(world, wall, step);
      step_world(world, 1);
      pairs[w] += report_of(world).pairs;
      uint64_t hash = contacts_hash(world) ^ scree_world_hash(world);
      if (w == 0) seen[step] = hash;
      if (hash != seen[step]) fail_msg("skin %g: step %d differs", skin[w], step);
    }
    scree_world_destroy(world);
  }
  assert_true(pairs[1] < pairs[2] && pairs[2] < pairs[3]); /* the lists did have different lengths */
}

/* A trial run of a solver between steps, on the problem of the next step, does not change any later
 * result. */
static void looking_changes_nothing(void **unused) {
  (void)unused;
  uint64_t hash[2];
  for (int look = 0; look < 2; look++) {
    scree_id wall;
    scree_world *world = mixture(0, 1, &wall);
    for (int step = 0; step < 150; step++) {
      scree_solver_def solver = scree_world_get_def(world)->solver;
      scree_problem_result result;
      scree_error error = {0};
      if (look && step % 3 == 0)
        check(scree_world_try_solver(world, &solver, 0, &result, &error) == SCREE_OK, &error);
      step_world(world, 1);
    }
    hash[look] = scree_world_hash(world);
    scree_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_do_not_depend_on_the_skin), cmocka_unit_test(looking_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
