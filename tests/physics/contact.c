/* One or few contacts against closed forms, under each of the engine's Coulomb-like laws. */
#include "support/scene.h"

static const char *const laws[] = {"coulomb", "max_dissipation"};
enum { LAWS = sizeof laws / sizeof *laws };

/* A solid sphere thrown flat onto a rough plane slides, then rolls with 5/7 of its speed, in any units. */
static double rolled_speed(const char *law, double unit, double *slip) {
  scree_world *world = make_world(1e-3, 9.81 * unit);
  set_law(world, law, 0.3);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id ball = add_sphere(world, 0.1 * unit, 0, 0, 0.1 * unit);
  set_velocity(world, ball, 2 * unit, 0, 0);
  step_world(world, 1000);
  scree_body_state s = state_of(world, ball);
  *slip = s.velocity[0] / unit - 0.1 * s.spin[1];
  CLOSE(s.position[2] / unit, 0.1, 1e-9);
  scree_world_destroy(world);
  return s.velocity[0] / unit;
}

static void rolling_from_sliding(void **unused) {
  (void)unused;
  for (int l = 0; l < LAWS; l++)
    for (double unit = 1e-3; unit < 1e4; unit *= 1e3) {
      double slip;
      CLOSE(rolled_speed(laws[l], unit, &slip), 10.0 / 7, 1e-10);
      CLOSE(slip, 0, 1e-10);
    }
}

/* A block on an incline: rests below tan = mu, slides with g (sin - mu cos) above. */
static double incline_speed(const char *law, double tangent, double mu) {
  scree_world *world = make_world(1e-3, 9.81);
  set_law(world, law, mu);
  double s = tangent / sqrt(1 + tangent * tangent), c = 1 / sqrt(1 + tangent * tangent);
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  add_plane(world, 0, 0, 0, -s, 0, c);
  /* three balls on one body: a block that cannot roll, and collides through spheres only */
  scree_shape_def feet[3];
  for (int i = 0; i < 3; i++) {
    feet[i] = shape;
    feet[i].type = SCREE_SPHERE;
    feet[i].radius = 0.1;
    feet[i].position[0] = cos(2.0943951023931953 * i);
    feet[i].position[1] = sin(2.0943951023931953 * i);
  }
  double half = atan(tangent) / 2;
  body.orientation[0] = cos(half);
  body.orientation[2] = -sin(half);
  body.position[0] = -0.1 * s;
  body.position[2] = 0.1 * c;
  body.shapes = feet;
  body.shapes_count = 3;
  scree_error error = {0};
  scree_id block = scree_world_add(world, &body, &error);
  if (!block) fail_msg("%s", error.text);
  step_world(world, 500);
  scree_body_state state = state_of(world, block);
  double down = -(state.velocity[0] * c + state.velocity[2] * s);
  scree_world_destroy(world);
  return down;
}

static void incline_threshold(void **unused) {
  (void)unused;
  for (int l = 0; l < LAWS; l++) {
    double mu = 0.5;
    CLOSE(incline_speed(laws[l], 0.499, mu), 0, 1e-6);
    const double steep[] = {0.501, 0.8};
    for (int i = 0; i < 2; i++) {
      double t = steep[i], pull = 9.81 * t / sqrt(1 + t * t) * 0.5,
             expected = 9.81 * (t - mu) / sqrt(1 + t * t) * 0.5;
      double speed = incline_speed(laws[l], t, mu);
      /* Coulomb's friction opposes the slip of every foot. Maximum dissipation tilts it where a foot's
       * normal and tangential rows are coupled, so that a little less of it acts along the slope. */
      if (!strcmp(laws[l], "coulomb")) CLOSE(speed, expected, 1e-6 * pull);
      assert_true(speed >= expected - 1e-6 * pull && speed < expected + 0.001 * pull);
    }
  }
}

/* A row of spheres pushed by a kinematic plane moves as one, and every impulse is the share of mass
 * behind it. */
static void pushed_row(void **unused) {
  (void)unused;
  enum { COUNT = 10 };
  scree_world *world = make_world(1e-3, 0);
  set_law(world, "frictionless", 0);
  scree_id ball[COUNT];
  for (int i = 0; i < COUNT; i++) ball[i] = add_sphere(world, 0.1, 0.1 + 0.2 * i, 0, 0);
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_HALFSPACE;
  shape.normal[0] = 1, shape.normal[2] = 0;
  body.kind = SCREE_KINEMATIC;
  body.velocity[0] = 1;
  scree_id wall = add_shape(world, shape, body);
  step_world(world, 1);
  for (int i = 0; i < COUNT; i++) CLOSE(state_of(world, ball[i]).velocity[0], 1, 1e-8);
  double mass = state_of(world, ball[0]).mass;
  for (int64_t c = 0; c < scree_world_contacts_count(world); c++) {
    scree_contact contact;
    scree_world_contact(world, c, &contact);
    double x = contact.point[0];
    CLOSE(sqrt(contact.impulse[0] * contact.impulse[0]), mass * (COUNT - round(x / 0.2)), 1e-7 * mass);
  }
  step_world(world, 99);
  CLOSE(state_of(world, ball[0]).position[0], 0.2, 1e-9);
  CLOSE(state_of(world, wall).position[0], 0.1, 1e-12);
  scree_world_destroy(world);
}

/* A gap that would not close in the step leaves the body free; one that would is closed exactly, not
 * overshot. */
static void discrete_non_penetration(void **unused) {
  (void)unused;
  scree_world *world = make_world(1e-2, 0);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id ball = add_sphere(world, 0.1, 0, 0, 0.1 + 0.025);
  set_velocity(world, ball, 0, 0, -1);
  step_world(world, 2);
  CLOSE(state_of(world, ball).velocity[2], -1, 1e-12);
  CLOSE(state_of(world, ball).position[2], 0.105, 1e-12);
  step_world(world, 1);
  CLOSE(state_of(world, ball).velocity[2], -0.5, 1e-9);
  CLOSE(state_of(world, ball).position[2], 0.1, 1e-11);
  step_world(world, 1);
  CLOSE(state_of(world, ball).velocity[2], 0, 1e-9);
  scree_world_destroy(world);
}

/* One step of a ball that lies 1 mm deep in the floor, without gravity: how far it rises, and its speed
 * afterwards. */
static void rise(int correction, double drift_time, double most, double *way, double *speed) {
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = 0;
  def.dt = 1e-3;
  def.erp = 0.8, def.drift_time = drift_time, def.correction = correction, def.max_correction = most;
  scree_world *world = scree_world_create(&def, NULL);
  add_plane(world, 0, 0, 0, 0, 0, 1);
  scree_id ball = add_sphere(world, 0.1, 0, 0, 0.099);
  step_world(world, 1);
  scree_body_state state = state_of(world, ball);
  *way = state.position[2] - 0.099, *speed = state.velocity[2];
  scree_world_destroy(world);
}

/* A penetration shrinks by the share erp in a step, in place of that as drift_time says, and no faster
 * than max_correction; by positions it leaves no velocity behind, by velocities the one that it takes. */
static void error_reduction(void **unused) {
  (void)unused;
  const struct {
    double drift_time, most, way;
  } cases[] = {{0, 0, 0.8e-3}, {1e-2, 0, 0.1e-3}, {0, 0.05, 0.05e-3}, {1e-2, 0.05, 0.05e-3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double way, speed;
    rise(SCREE_CORRECTION_POSITION, cases[i].drift_time, cases[i].most, &way, &speed);
    CLOSE(way, cases[i].way, 1e-12);
    CLOSE(speed, 0, 0);
    rise(SCREE_CORRECTION_VELOCITY, cases[i].drift_time, cases[i].most, &way, &speed);
    CLOSE(way, cases[i].way, 1e-12);
    CLOSE(speed, cases[i].way / 1e-3, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rolling_from_sliding),
      cmocka_unit_test(incline_threshold), cmocka_unit_test(pushed_row),
      cmocka_unit_test(discrete_non_penetration), cmocka_unit_test(error_reduction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
