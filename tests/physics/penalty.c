/* The penalty stepper against closed forms: collisions, contact times, friction on a spring, rolling
 * resistance, energy, stability. */
#include "scree/checkpoint.h"
#include "support/scene.h"

static scree_world *soft_world(double dt, double g) {
  scree_world_def def = scree_world_defaults();
  scree_error error = {0};
  def.dt = dt;
  def.gravity[2] = -g;
  def.stepper = SCREE_STEPPER_PENALTY;
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail_msg("%s", error.text);
  return world;
}

typedef struct setting {
  const char *name;
  double value;
} setting;

static void set_soft(scree_world *world, const char *law, const setting *settings, int settings_count) {
  scree_pair_def pair = {0, 0, law, {0}};
  scree_error error = {0};
  int count;
  const scree_param *params = scree_world_law_params(world, law, &count);
  scree_param_defaults(params, count, pair.params);
  for (int s = 0; s < settings_count; s++) {
    const scree_param *param = scree_param_find(params, count, settings[s].name);
    if (!param) fail_msg("no parameter %s", settings[s].name);
    *(double *)((char *)pair.params + param->offset) = settings[s].value;
  }
  if (scree_world_set_pair(world, &pair, &error) != SCREE_OK) fail_msg("%s", error.text);
}
#define SOFT(world, law, ...) \
  set_soft( \
      world, law, (const setting[]){__VA_ARGS__}, (int)(sizeof((setting[]){__VA_ARGS__}) / sizeof(setting)))

static double damping_of(double restitution) { return -log(restitution) / hypot(M_PI, log(restitution)); }
static double ball_mass(double r) { return 1000 * 4.0 / 3 * M_PI * r * r * r; }

/* Two balls meet head on; restitution and the time they overlap. */
static double collide(
    const char *law, double stiffness, double damping, double speed, double dt, double *overlap_time) {
  scree_world *world = soft_world(dt, 0);
  setting settings[] = {
      {"mu", 0}, {!strcmp(law, "hertz") ? "modulus" : "stiffness", stiffness}, {"damping", damping}};
  set_soft(world, law, settings, 3);
  scree_id a = add_sphere(world, 0.1, -0.1 - 1e-9, 0, 0), b = add_sphere(world, 0.1, 0.1 + 1e-9, 0, 0);
  set_velocity(world, a, speed / 2, 0, 0);
  set_velocity(world, b, -speed / 2, 0, 0);
  int touched = 0, steps = 0;
  for (int k = 0; k < 200000; k++) {
    step_world(world, 1);
    int now = report_of(world).active > 0;
    steps += now, touched |= now;
    if (touched && !now) break;
  }
  *overlap_time = steps * dt;
  double after = state_of(world, b).velocity[0] - state_of(world, a).velocity[0];
  assert_true(touched);
  scree_world_destroy(world);
  return after / speed;
}

static void hooke_restitution_and_time(void **unused) {
  (void)unused;
  double k = 1e6, m = ball_mass(0.1) / 2, time;
  for (double e = 0.2; e < 1; e += 0.3) {
    double z = damping_of(e), period = M_PI / sqrt(k / m * (1 - z * z)), dt = period / 4000;
    CLOSE(collide("hooke", k, z, 2, dt, &time), e, 1e-3);
    CLOSE(time, period, 2.5 * dt);
    CLOSE(collide("hooke", k, z, 0.02, dt, &time), e, 1e-3);
  }
  CLOSE(collide("hooke", k, 0, 2, M_PI / sqrt(k / m) / 50, &time), 1, 1e-3);
}

static void hertz_restitution_and_time(void **unused) {
  (void)unused;
  double E = 1e9, m = ball_mass(0.1) / 2, k = 4.0 / 3 * E * sqrt(0.05), time;
  for (double speed = 0.1; speed < 20; speed *= 10) {
    double depth = pow(5 * m * speed * speed / (4 * k), 0.4), period = 2.943275 * depth / speed,
           dt = period / 2000;
    CLOSE(collide("hertz", E, 0, speed, dt, &time), 1, 1e-6);
    CLOSE(time, period, 2.5 * dt);
    for (double e = 0.3; e < 1; e += 0.3)
      CLOSE(collide("hertz", E, damping_of(e), speed, dt, &time), e, 2e-3);
  }
}

/* A block on three feet, pulled by a spring whose end moves at V: it sticks until K V t = mu m g, then
 * moves with the speed V (1 - cos w t), w^2 = K/m. */
static scree_id add_block(scree_world *world, const int material[3]) {
  scree_shape_def feet[3];
  scree_body_def body = scree_body_defaults();
  scree_error error = {0};
  for (int i = 0; i < 3; i++) {
    feet[i] = scree_shape_defaults();
    feet[i].type = SCREE_SPHERE;
    feet[i].radius = 0.1;
    feet[i].position[0] = i - 1;
    feet[i].position[1] = i == 1 && !material ? 1 : 0;
    feet[i].material = material ? material[i] : 0;
  }
  body.mass = 10;
  body.position[2] = 0.1;
  body.shapes = feet;
  body.shapes_count = 3;
  scree_id id = scree_world_add(world, &body, &error);
  if (!id) fail_msg("%s", error.text);
  return id;
}

static void block_on_a_spring_sticks_and_slips(void **unused) {
  (void)unused;
  const double K = 400, V = 0.2, mu = 0.3, m = 10, g = 10, dt = 5e-5;
  scree_world *world = soft_world(dt, g);
  SOFT(world, "hooke", {"stiffness", 1e7}, {"mu", mu}, {"damping", 0.5});
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id block = add_block(world, NULL);
  step_world(world, 4000); // settles on its feet
  double x0 = state_of(world, block).position[0], start = mu * m * g / (K * V), w = sqrt(K / m),
         worst_stuck = 0, worst_slip = 0;
  scree_error error;
  for (int k = 0; k * dt < start + 2 * M_PI / w; k++) {
    scree_body_state s = state_of(world, block);
    double t = k * dt, pull = K * (V * t - (s.position[0] - x0)), lever = s.position[2];
    // The spring acts at the height of the floor, so that it does not tilt the block.
    assert_int_equal(
        scree_world_apply(world, block, (double[3]){pull, 0, 0}, (double[3]){0, -lever * pull, 0}, &error),
        SCREE_OK);
    step_world(world, 1);
    double wanted = t < start ? 0 : V * (1 - cos(w * (t - start)));
    double off = fabs(s.velocity[0] - wanted);
    if (t < 0.98 * start) worst_stuck = fmax(worst_stuck, off);
    else worst_slip = fmax(worst_slip, off);
  }
  CLOSE(worst_stuck, 0, 0.01 * V);
  CLOSE(worst_slip, 0, 0.02 * V);
  scree_world_destroy(world);
}

/* A rolling ball slows down by 5/7 of rolling_friction * g. */
static void rolling_resistance_slows_a_ball(void **unused) {
  (void)unused;
  scree_world *world = soft_world(2e-5, 10);
  SOFT(world, "hooke", {"stiffness", 1e7}, {"mu", 0.6}, {"damping", 0.5}, {"rolling_friction", 0.02});
  add_plane(world, 0, 0, 0, 0, 0, 1);
  double r = 0.1, sunk = ball_mass(r) * 10 / 1e7;
  scree_id ball = add_sphere(world, r, 0, 0, r - sunk);
  set_velocity(world, ball, 1, 0, 0);
  set_spin(world, ball, 0, 1 / r, 0);
  step_world(world, 10000);
  double early = state_of(world, ball).velocity[0];
  step_world(world, 25000);
  double late = state_of(world, ball).velocity[0];
  CLOSE((early - late) / 0.5, 5.0 / 7 * 0.02 * 10, 0.01 * 5.0 / 7 * 0.02 * 10);
  scree_world_destroy(world);
}

static double energy(scree_world *world) {
  scree_report r = report_of(world);
  return r.kinetic + r.potential + r.elastic + r.dissipated;
}

/* What is lost is counted: kinetic + potential + elastic + dissipated stays what it was, through bounces
 * with spin and slip. */
static void energy_balances(void **unused) {
  (void)unused;
  for (int hertz = 0; hertz < 2; hertz++) {
    double r = 0.1, m = ball_mass(r), dt = 5e-7, worst = 0;
    scree_world *world = soft_world(dt, 10);
    if (hertz) SOFT(world, "hertz", {"modulus", 1e7}, {"mu", 0.3}, {"damping", 0.2});
    else SOFT(world, "hooke", {"stiffness", 1e5}, {"mu", 0.3}, {"damping", 0.2});
    add_plane(world, 0, 0, 0, 0, 0, 1);
    scree_id ball = add_sphere(world, r, 0, 0, 3 * r);
    set_velocity(world, ball, 1, 0, 0);
    set_spin(world, ball, 3, 40, 5);
    double before = energy(world), scale = report_of(world).kinetic + m * 10 * 2 * r;
    for (int k = 0; k < 500; k++) {
      step_world(world, 1200);
      worst = fmax(worst, fabs(energy(world) - before) / scale);
    }
    assert_true(report_of(world).dissipated > 0.1 * scale);
    CLOSE(worst, 0, 1e-6);
    scree_world_destroy(world);
  }
}

/* Unequal supports: a beam of weight 10 on contacts of stiffness 1:3:1 rests with 2, 6, 2 (Olsen &
 * Kamrin, section 8.1). */
static void beam_rests_as_its_stiffness_says(void **unused) {
  (void)unused;
  scree_world *world = soft_world(1e-4, 1);
  scree_error error;
  int soft = scree_world_add_material(world, &(scree_material_def){"soft", 1000}, &error);
  int stiff = scree_world_add_material(world, &(scree_material_def){"stiff", 1000}, &error);
  SOFT(world, "hooke", {"stiffness", 1e6}, {"mu", 0});
  for (int material = soft; material <= stiff; material++) {
    scree_pair_def pair = {0, material, "hooke", {0}};
    const double *base;
    scree_world_get_pair(world, 0, 0, &base);
    memcpy(pair.params, base, sizeof pair.params);
    pair.params[1] = material == stiff ? 3e6 : 1e6;
    assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_OK);
  }
  add_plane(world, 0, 0, 0, 0, 0, 1);
  add_block(world, (int[3]){soft, stiff, soft});
  step_world(world, 4000);
  assert_int_equal(scree_world_contacts_count(world), 3);
  for (int c = 0; c < 3; c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    double wanted = contact.material1 == stiff || contact.material2 == stiff ? 6 : 2;
    CLOSE(contact.impulse[2] / 1e-4, wanted, 1e-6);
  }
  scree_world_destroy(world);
}

/* A ball squeezed between two plates: bounded at the advised step, growing beyond the true limit,
 * 2/sqrt(2 k/m). */
static double squeezed_speed(double share, double *advised) {
  double k = 1e6, m = ball_mass(0.1), limit = 2 / sqrt(2 * k / m);
  scree_world *world = soft_world(share * limit, 0);
  SOFT(world, "hooke", {"stiffness", k}, {"mu", 0}, {"damping", 0});
  add_plane(world, 0, 0, 0, 0, 0, 1);
  add_plane(world, 0, 0, 0.16, 0, 0, -1);
  scree_id ball = add_sphere(world, 0.1, 0, 0, 0.08);
  set_velocity(world, ball, 0, 0, 1e-6);
  step_world(world, 1);
  *advised = report_of(world).stable_dt / limit;
  step_world(world, 200);
  double speed = report_of(world).max_speed;
  scree_world_destroy(world);
  return speed;
}

static void advised_step_is_stable(void **unused) {
  (void)unused;
  double advised;
  squeezed_speed(0.1, &advised);
  assert_true(advised <= 1 && advised > 0.5);
  assert_true(squeezed_speed(advised, &advised) < 1e-5);
  assert_true(squeezed_speed(0.98, &advised) < 1e-4);
  assert_true(squeezed_speed(1.02, &advised) > 1e-3);
}

/* Advice before anything touches: a tenth of pi sqrt(m/k), m that of two bodies; none for hard contact. */
static void advice_follows_stiffness_and_mass(void **unused) {
  (void)unused;
  scree_world *world = soft_world(1e-4, 10);
  SOFT(world, "hooke", {"stiffness", 1e6});
  assert_true(isinf(scree_world_advised_dt(world)));
  add_sphere(world, 0.1, 0, 0, 0);
  add_sphere(world, 0.2, 1, 0, 0);
  CLOSE(scree_world_advised_dt(world), 0.1 * M_PI * sqrt(ball_mass(0.1) / 2 / 1e6), 1e-12);
  assert_true(isinf(scree_world_stable_dt(world)));
  SOFT(world, "hertz", {"modulus", 1e8});
  double v = sqrt(4 * 10 * 0.2), m = ball_mass(0.1) / 2, k = 4.0 / 3 * 1e8 * sqrt(0.05),
         depth = pow(5 * m * v * v / (4 * k), 0.4);
  CLOSE(scree_world_advised_dt(world), 0.1 * 2.943275 * depth / v, 1e-9);
  scree_world_destroy(world);
  world = make_world(1e-3, 10);
  add_sphere(world, 0.1, 0, 0, 0);
  assert_true(isinf(scree_world_advised_dt(world)));
  scree_world_destroy(world);
}

/* A box comes to rest on its four corners: one spring per contact point. */
static void boxes_rest(void **unused) {
  (void)unused;
  scree_world *world = soft_world(1e-4, 10);
  SOFT(world, "hooke", {"stiffness", 1e6}, {"mu", 0.5}, {"damping", 0.3});
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_shape_def box = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  box.type = SCREE_BOX;
  box.size[0] = 0.3, box.size[1] = box.size[2] = 0.2;
  body.position[2] = 0.105;
  body.mass = 12;
  scree_id id = add_shape(world, box, body);
  step_world(world, 20000);
  double sum = 0;
  assert_int_equal(scree_world_contacts_count(world), 4);
  for (int c = 0; c < 4; c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    CLOSE(contact.impulse[2] / 1e-4, 30, 1e-4);
    sum += contact.impulse[2] / 1e-4;
  }
  CLOSE(sum, 120, 1e-5);
  CLOSE(state_of(world, id).position[2], 0.1 - 30 / 1e6, 1e-9);
  CLOSE(report_of(world).elastic, 4 * 30 * 30 / 2e6, 1e-9);
  scree_world_destroy(world);
}

/* Balls with spins thrown into a corner; saved halfway and loaded into a fresh world they go on to the
 * same bits, springs included. */
static scree_world *thrown_balls(void) {
  scree_world *world = soft_world(1e-4, 10);
  SOFT(world, "hertz", {"modulus", 1e6}, {"mu", 0.4}, {"damping", 0.1}, {"rolling_friction", 0.05});
  add_plane(world, 0, 0, 0, 0, 0, 1);
  add_plane(world, 0, 0, 0, 1, 0, 0);
  for (int i = 0; i < 20; i++) {
    scree_id ball = add_sphere(
        world, 0.05 + 0.001 * i, 0.1 + 0.12 * (i % 4), 0.12 * (i / 4 % 2), 0.1 + 0.13 * (i / 8));
    set_velocity(world, ball, -1, 0.1 * (i % 3), 0);
    set_spin(world, ball, i, 3, -i);
  }
  return world;
}

static void restart_is_exact(void **unused) {
  (void)unused;
  scree_error error = {0};
  scree_world *straight = thrown_balls(), *again = thrown_balls();
  scree_checkpoint *checkpoint = scree_checkpoint_create();
  step_world(straight, 3000);
  assert_true(report_of(straight).active > 2);
  if (scree_world_save(straight, checkpoint, &error) != SCREE_OK) fail_msg("%s", error.text);
  if (scree_world_load(again, checkpoint, &error) != SCREE_OK) fail_msg("%s", error.text);
  step_world(straight, 2000);
  step_world(again, 2000);
  assert_true(scree_world_hash(straight) == scree_world_hash(again));
  CLOSE(report_of(again).elastic, report_of(straight).elastic, 0);
  scree_checkpoint_destroy(checkpoint);
  scree_world_destroy(straight);
  scree_world_destroy(again);
}

/* An unsupported rule raises an error when it is set; the unsupported default rule raises an error at the
 * first contact that uses it. */
static void hard_laws_are_refused(void **unused) {
  (void)unused;
  scree_world *world = soft_world(1e-4, 10);
  scree_error error = {0};
  const scree_pair_def pair = {0, 0, "max_dissipation", {0.4}};
  assert_int_equal(scree_world_set_pair(world, &pair, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "hooke"));
  assert_non_null(strstr(error.text, "max_dissipation"));
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id ball = add_sphere(world, 0.1, 0, 0, 0.0999);
  assert_int_equal(scree_world_step(world, 1, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "hooke"));
  assert_non_null(strstr(error.text, "coulomb"));
  CLOSE(state_of(world, ball).position[2], 0.0999, 1e-15);
  CLOSE(scree_world_time(world), 0, 0);
  scree_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hooke_restitution_and_time),
      cmocka_unit_test(hertz_restitution_and_time), cmocka_unit_test(block_on_a_spring_sticks_and_slips),
      cmocka_unit_test(rolling_resistance_slows_a_ball), cmocka_unit_test(energy_balances),
      cmocka_unit_test(beam_rests_as_its_stiffness_says), cmocka_unit_test(advised_step_is_stable),
      cmocka_unit_test(advice_follows_stiffness_and_mass), cmocka_unit_test(boxes_rest),
      cmocka_unit_test(restart_is_exact), cmocka_unit_test(hard_laws_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
