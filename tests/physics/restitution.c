/* Restitution in the time stepper: bounce heights, Newton's cradle, a rack of balls, a dropped rod, and
 * a gas of grains whose energy never grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "base/base.h"
#include "math/vec.h"
#include "scree/impact.h"
#include "scree/world.h"

static scree_world *make(double g, double dt, double e, double mu, int law) {
  scree_world_def def = scree_world_defaults();
  sc_set3(0, 0, -g, def.gravity);
  def.dt = dt;
  scree_error error = {0};
  scree_world *world = scree_world_create(&def, &error);
  scree_pair_def pair = {.law = "coulomb", .params = {mu}, .restitution = e, .restitution_law = law};
  if (!world || scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
  return world;
}

static scree_id put(
    scree_world *world, scree_shape_def shape, int kind, const double position[3], const double velocity[3]) {
  scree_body_def body = scree_body_defaults();
  body.kind = kind;
  body.shapes = &shape;
  body.shapes_count = 1;
  sc_copy3(position, body.position);
  sc_copy3(velocity, body.velocity);
  scree_error error = {0};
  scree_id id = scree_world_add(world, &body, &error);
  if (!id) fail_msg("%s", error.text);
  return id;
}

static scree_id ball(scree_world *world, double x, double y, double z, double vx, double vy, double vz) {
  scree_shape_def s = scree_shape_defaults();
  s.type = SCREE_SPHERE;
  s.radius = 0.1;
  return put(world, s, SCREE_DYNAMIC, (double[]){x, y, z}, (double[]){vx, vy, vz});
}

static void plane(scree_world *world, double x, double y, double z, double nx, double ny, double nz) {
  scree_shape_def s = scree_shape_defaults();
  s.type = SCREE_HALFSPACE;
  sc_set3(nx, ny, nz, s.normal);
  sc_set3(x, y, z, s.position);
  put(world, s, SCREE_FIXED, (double[]){0, 0, 0}, (double[]){0, 0, 0});
}

static void step(scree_world *world, int64_t n) {
  scree_error error = {0};
  if (scree_world_step(world, n, &error) != SCREE_OK) fail_msg("%s", error.text);
}

static scree_body_state state_of(scree_world *world, scree_id id) {
  scree_body_state s;
  scree_error error = {0};
  if (scree_world_get(world, id, &s, &error) != SCREE_OK) fail_msg("%s", error.text);
  return s;
}

static double energy(scree_world *world) {
  scree_report r;
  scree_world_report(world, &r);
  return r.kinetic + r.potential;
}

/* Heights of successive bounces fall by e^2, to first order in the step. */
static void bounces(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    double e = (double[]){1, 0.8, 0.5}[k], top = 0, last = 1, dt = 1e-4;
    scree_world *world = make(9.81, dt, e, 0.3, k);
    plane(world, 0, 0, 0, 0, 0, 1);
    scree_id id = ball(world, 0, 0, 1.1, 0, 0, 0);
    int found = 0;
    double before = 0;
    for (int i = 0; i < 20000 && found < 2; i++) {
      step(world, 1);
      scree_body_state s = state_of(world, id);
      double v = s.velocity[2];
      if (before > 0 && v <= 0) {
        double ratio = top / last;
        assert_true(fabs(ratio - e * e) < 3e-3);
        last = top;
        found++;
      }
      top = s.position[2] - 0.1;
      before = v;
    }
    assert_int_equal(found, 2);
    scree_world_destroy(world);
  }
}

/* A ball with slip on the floor: tangential velocity and spin as the closed form says. */
static void oblique(void **state) {
  (void)state;
  double e = 0.7, mu = 0.2;
  scree_world *world = make(0, 1e-3, e, mu, SCREE_STRONGE);
  plane(world, 0, 0, 0, 0, 0, 1);
  scree_id id = ball(world, 0, 0, 0.1005, 3, 0, -1);
  step(world, 1);
  scree_body_state s = state_of(world, id);
  double slowed = mu * (1 + e);
  assert_true(fabs(s.velocity[2] - e) < 1e-14);
  assert_true(fabs(s.velocity[0] - (3 - slowed)) < 1e-14);
  assert_true(fabs(s.spin[1] - slowed * 2.5 / 0.1) < 1e-12);
  scree_world_destroy(world);
}

/* Touching balls in a row: as many leave as come. */
static void cradle(void **state) {
  (void)state;
  for (int moving = 1; moving <= 3; moving++) {
    scree_world *world = make(0, 1e-3, 1, 0, SCREE_STRONGE);
    scree_id id[5];
    for (int i = 0; i < 5; i++)
      id[i] = ball(world, 0.2 * i - (i < moving ? 0.003 : 0), 0, 0, i < moving ? 1 : 0, 0, 0);
    double before = energy(world);
    step(world, 20);
    for (int i = 0; i < 5; i++) {
      double v = state_of(world, id[i]).velocity[0], expected = i >= 5 - moving ? 1 : 0;
      if (fabs(v - expected) > 1e-12) fail_msg("%d moving: ball %d has %g", moving, i, v);
    }
    assert_true(fabs(energy(world) - before) < 1e-12 * before);
    scree_world_destroy(world);
  }
}

/* A ball breaks a rack of ten: momentum stays, energy stays for e = 1 without friction and falls
 * otherwise. */
static void rack(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    scree_world *world = make(0, 1e-3, k ? 0.9 : 1, k ? 0.1 : 0, SCREE_STRONGE);
    for (int row = 0; row < 4; row++)
      for (int i = 0; i <= row; i++) ball(world, 0.2 * sqrt(0.75) * row, 0.2 * (i - row / 2.0), 0, 0, 0, 0);
    ball(world, -0.25, 0.01, 0, 2, 0, 0);
    scree_report r;
    scree_world_report(world, &r);
    double before = r.kinetic, momentum = r.momentum[0], last = before;
    for (int i = 0; i < 300; i++) {
      step(world, 1);
      scree_world_report(world, &r);
      assert_true(r.kinetic <= last * (1 + 1e-13));
      last = r.kinetic;
      assert_true(
          fabs(r.momentum[0] - momentum) < 1e-12 * momentum && fabs(r.momentum[1]) < 1e-12 * momentum);
    }
    if (!k) assert_true(fabs(r.kinetic - before) < 1e-9 * before);
    else assert_true(r.kinetic < 0.95 * before);
    // energy that left is accounted for
    assert_true(fabs(before - r.kinetic - r.dissipated) < 1e-9 * before);
    scree_world_destroy(world);
  }
}

/* A tilted rod falls on its end: first impact as the impact law says, energy never grows until it rests. */
static void rod(void **state) {
  (void)state;
  for (int law = 0; law < 3; law++) {
    scree_world *world = make(9.81, 5e-4, 0.6, 0.4, law);
    plane(world, 0, 0, 0, 0, 0, 1);
    scree_shape_def s = scree_shape_defaults();
    s.type = SCREE_CAPSULE;
    s.radius = 0.05;
    s.length = 1;
    scree_id id = put(world, s, SCREE_DYNAMIC, (double[]){0, 0, 1}, (double[]){0.5, 0.2, 0});
    scree_body_state turned = {
        .orientation = {cos(0.5), 0.6 * sin(0.5), 0.8 * sin(0.5), 0}, .spin = {1, 2, 0}};
    scree_world_set(world, id, SCREE_SET_ORIENTATION | SCREE_SET_SPIN, &turned, NULL);
    double last = energy(world), start = last;
    for (int i = 0; i < 12000; i++) {
      step(world, 1);
      double now = energy(world);
      if (now > last + 1e-9 * start)
        fail_msg("law %d: energy grows by %g of %g in step %d", law, now - last, start, i);
      last = now;
    }
    // it may roll on, but lies
    scree_body_state s_end = state_of(world, id);
    assert_true(fabs(s_end.velocity[2]) < 1e-2 && fabs(s_end.position[2] - 0.05) < 2e-3);
    scree_world_destroy(world);
  }
}

/* What lands flat leaves flat: a box, a cylinder on its base, a lying rod, also while it slides; v_n
 * turns into -e v_n. */
static void flat_landings(void **state) {
  (void)state;
  for (int k = 0; k < 12; k++) {
    double e = (double[]){1, 0.6, 0.3}[k % 3], slide = k >= 6 ? 0.4 : 0, mu = slide > 0 || k % 2 ? 0.3 : 0;
    scree_world *world = make(0, 1e-3, e, mu, k % 3);
    plane(world, 0, 0, 0, 0, 0, 1);
    scree_shape_def s = scree_shape_defaults();
    s.type = (int[]){SCREE_BOX, SCREE_CYLINDER, SCREE_CAPSULE}[k % 3 == 0 ? k / 3 % 3 : k / 3 % 2];
    sc_set3(0.3, 0.2, 0.1, s.size);
    s.radius = 0.05;
    s.length = s.type == SCREE_CAPSULE ? 0.4 : 0.1;
    scree_id id = put(world, s, SCREE_DYNAMIC, (double[]){0, 0, 0.0503}, (double[]){slide, 0, -1});
    if (s.type == SCREE_CAPSULE) {
      scree_body_state turned = {.orientation = {sqrt(0.5), 0, sqrt(0.5), 0}};
      scree_world_set(world, id, SCREE_SET_ORIENTATION, &turned, NULL);
    }
    scree_body_state start = state_of(world, id);
    step(world, 1);
    scree_body_state now = state_of(world, id);
    // the energetic law trades with the turning that friction causes; Poisson's does not
    if (slide == 0 || k % 3 == SCREE_POISSON) assert_true(fabs(now.velocity[2] - e) < 1e-12);
    // a cylinder's base has 24 points whose friction cancels to the solver's accuracy
    const double slack = s.type == SCREE_CYLINDER ? 1e-10 : 1e-12;
    assert_true(now.velocity[2] > 0 && fabs(now.velocity[1]) < slack);
    if (slide == 0)
      for (int i = 0; i < 3; i++) assert_true(fabs(now.spin[i]) < 1e-11);
    // friction acts below the centre: it may tip the body over, but neither roll nor spin it
    else
      assert_true(
          fabs(now.spin[0]) < 10 * slack && fabs(now.spin[2]) < 10 * slack && now.velocity[0] < slide);
    for (int i = 0; i < 4; i++)
      assert_true(slide > 0 || fabs(now.orientation[i] - start.orientation[i]) < 1e-13);
    scree_world_destroy(world);
  }
}

/* A ball between two that touch, struck in the middle of two others: what is symmetric stays so. */
static void symmetric_break(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    scree_world *world = make(0, 1e-3, k & 1 ? 1 : 0.7, k & 2 ? 0.2 : 0, SCREE_STRONGE);
    scree_id cue = ball(world, -0.001, 0, 0, 1, 0, 0), up = ball(world, 0.1 * sqrt(3), 0.1, 0, 0, 0, 0),
             down = ball(world, 0.1 * sqrt(3), -0.1, 0, 0, 0, 0);
    double before = energy(world);
    step(world, 3);
    scree_body_state a = state_of(world, up), b = state_of(world, down), c = state_of(world, cue);
    assert_true(a.velocity[0] > 0.3);
    assert_true(fabs(a.velocity[0] - b.velocity[0]) < 1e-12 && fabs(a.velocity[1] + b.velocity[1]) < 1e-12 &&
        fabs(a.spin[2] + b.spin[2]) < 1e-11);
    assert_true(fabs(c.velocity[1]) < 1e-12 && fabs(c.spin[2]) < 1e-11);
    double after = energy(world);
    if (k == 1) assert_true(fabs(after - before) < 1e-12 * before);
    else assert_true(after < before * (1 - 1e-3));
    // without friction and for e = 1 the closed form: v' = 6/5 of v cos 30 along each line of centres,
    // -1/5 for the cue ball
    if (k == 1) assert_true(fabs(c.velocity[0] + 0.2) < 1e-2 && fabs(a.velocity[0] - 0.6) < 1e-2);
    scree_world_destroy(world);
  }
}

/* The contacts of a step tell the impulses of its impacts. */
static void contacts_tell(void **state) {
  (void)state;
  scree_world *world = make(0, 1e-3, 0.5, 0.3, SCREE_STRONGE);
  plane(world, 0, 0, 0, 0, 0, 1);
  scree_id id = ball(world, 0, 0, 0.1005, 2, 0, -1);
  scree_report r;
  scree_world_report(world, &r);
  double mass = -r.momentum[2];
  step(world, 1);
  scree_world_report(world, &r);
  assert_int_equal(r.impacts, 1);
  assert_int_equal(scree_world_contacts_count(world), 1);
  scree_contact c;
  scree_world_contact(world, 0, &c);
  assert_true(
      fabs(c.impulse[2] - 1.5 * mass) < 1e-12 * mass && fabs(c.impulse[0] + 0.45 * mass) < 1e-12 * mass);
  scree_body_state s = state_of(world, id);
  assert_true(fabs(s.velocity[0] - 1.55) < 1e-13);
  step(world, 1);
  scree_world_report(world, &r);
  assert_true(r.impacts == 0 && scree_world_contacts_count(world) == 0);
  scree_world_destroy(world);
}

/* Two thousand grains in a box without gravity: energy never grows, stays for e = 1, and nobody leaves. */
static void gas(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double e = k ? 0.9 : 1, L = 4;
    scree_world *world = make(0, 2e-3, e, k ? 0.3 : 0, SCREE_STRONGE);
    for (int a = 0; a < 3; a++)
      for (int side = 0; side < 2; side++) {
        double at[3] = {0, 0, 0}, n[3] = {0, 0, 0};
        at[a] = side * L;
        n[a] = side ? -1 : 1;
        plane(world, at[0], at[1], at[2], n[0], n[1], n[2]);
      }
    scree_fill_def fill = scree_fill_defaults();
    sc_set3(0, 0, 0, fill.min);
    sc_set3(L, L, L, fill.max);
    fill.spacing = 0.3;
    fill.radius = 0.1;
    fill.seed = 5;
    sc_set3(2, 2, 2, fill.velocity_jitter);
    scree_error error = {0};
    int64_t count = scree_world_fill(world, &fill, &error);
    assert_true(count > 1500);
    double start = energy(world), last = start;
    int64_t impacts = 0;
    for (int i = 0; i < 150; i++) {
      step(world, 1);
      scree_report r;
      scree_world_report(world, &r);
      impacts += r.impacts;
      if (r.kinetic > last * (1 + 1e-12))
        fail_msg("e %g: energy grows by %g of it in step %d", e, r.kinetic / last - 1, i);
      last = r.kinetic;
      assert_true(fabs(start - r.kinetic - r.dissipated) < 1e-9 * start);
    }
    printf("%lld grains, %lld impacts, energy %.12g of the start\n", (long long)count, (long long)impacts,
        last / start);
    assert_true(impacts > 500);
    if (!k) assert_true(fabs(last / start - 1) < 1e-9);
    else assert_true(last < 0.9 * start);
    scree_world_destroy(world);
  }
}

/* Grains with restitution under gravity come to rest, and a pile stays. */
static void settles(void **state) {
  (void)state;
  scree_world *world = make(9.81, 1e-3, 0.5, 0.4, SCREE_STRONGE);
  plane(world, 0, 0, 0, 0, 0, 1);
  for (int i = 0; i < 5; i++) ball(world, 0, 0, 0.1 + 0.25 * i, 0, 0, 0);
  step(world, 4000);
  scree_report r;
  scree_world_report(world, &r);
  assert_true(r.max_speed < 1e-2);
  assert_int_equal(r.impacts, 0);
  scree_world_destroy(world);
}

static void refusals(void **state) {
  (void)state;
  scree_world *world = make(9.81, 1e-3, 0.5, 0.4, SCREE_NEWTON);
  scree_error error = {0};
  int law = -1;
  assert_true(scree_world_get_restitution(world, 0, 0, &law) == 0.5 && law == SCREE_NEWTON);
  scree_pair_def pair = {.law = "coulomb", .params = {0.4}, .restitution = 1.5};
  assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "restitution"));
  pair.restitution = NAN;
  assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_E_ARGUMENT);
  pair.restitution = 0.5;
  pair.restitution_law = 9;
  assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_E_ARGUMENT);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounces), cmocka_unit_test(oblique),
      cmocka_unit_test(cradle), cmocka_unit_test(rack), cmocka_unit_test(rod),
      cmocka_unit_test(flat_landings), cmocka_unit_test(symmetric_break), cmocka_unit_test(contacts_tell),
      cmocka_unit_test(gas), cmocka_unit_test(settles), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
