/* Definitions in C with one invalid member: each gives an error with its own message and adds nothing. The
 * definition without the invalid member is accepted. (For scripts the parameter tables check bounds
 * first.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "scree/bond.h"
#include "scree/cell.h"
#include "scree/checkpoint.h"
#include "scree/fill.h"
#include "scree/geometry.h"
#include "scree/joint.h"
#include "scree/law.h"
#include "support/scene.h"

/* An invalid value for one member of a definition, and the words that the error message must contain. at:
 * offset of the member in bytes. */
typedef struct lie {
  size_t at;
  int whole; /* 1: the member is an int; 0: a double */
  double value;
  const char *words;
} lie;

/* Uses a definition, for example adds a body. Returns true if the engine accepts the definition. */
typedef bool maker(scree_world *w, const void *def, scree_error *error);

static void refuse(scree_world *w, maker *make, const void *def, size_t size, const lie *lies, size_t count) {
  unsigned char copy[2048];
  scree_error error = {SCREE_OK, ""};
  assert_true(size <= sizeof copy);
  for (size_t k = 0; k < count; k++) {
    const int whole = (int)fmax(-2e9, fmin(2e9, lies[k].value));
    memcpy(copy, def, size);
    if (lies[k].whole) memcpy(copy + lies[k].at, &whole, sizeof whole);
    else memcpy(copy + lies[k].at, &lies[k].value, sizeof(double));
    const int64_t bodies = scree_world_count(w, &(scree_select){-1, -1, NULL});
    *error.text = 0;
    if (make(w, copy, &error) || !strstr(error.text, lies[k].words))
      fail_msg(
          "member at %zu, %g: wanted '%s', got '%s'", lies[k].at, lies[k].value, lies[k].words, error.text);
    assert_int_equal(scree_world_count(w, &(scree_select){-1, -1, NULL}), bodies);
  }
  if (!make(w, def, &error)) fail_msg("the definition itself: %s", error.text);
}
#define REFUSE(w, make, def, lies) \
  refuse((w), (make), &(def), sizeof(def), (lies), sizeof(lies) / sizeof *(lies))

/* ---- bodies ---- */

static bool add_body(scree_world *w, const void *def, scree_error *error) {
  return scree_world_add(w, def, error) != 0;
}

#define BODY(member) offsetof(scree_body_def, member)
#define SHAPE(member) offsetof(scree_shape_def, member)

static void bodies(void **state) {
  (void)state;
  static const lie lies[] = {{BODY(position), 0, NAN, "position[1] is NaN"},
      {BODY(position) + 8, 0, INFINITY, "position[2] is infinite"},
      {BODY(orientation), 0, NAN, "orientation"}, {BODY(orientation), 0, 0, "orientation must not be zero"},
      {BODY(velocity), 0, INFINITY, "velocity"}, {BODY(spin), 0, NAN, "spin"},
      {BODY(surface_velocity), 0, NAN, "surface_velocity"}, {BODY(surface_spin), 0, NAN, "surface_spin"},
      {BODY(inertia), 0, NAN, "inertia"}, {BODY(kind), 1, 9, "kind must be one of dynamic|kinematic|fixed"},
      {BODY(kind), 1, -1, "kind must be one of dynamic|kinematic|fixed"},
      {BODY(mass), 0, -1, "mass must be greater than 0"}, {BODY(mass), 0, NAN, "mass is NaN"},
      {BODY(mass), 0, INFINITY, "mass is infinite"}, {BODY(shapes_count), 1, 0, "shape"},
      {BODY(has_centre), 1, 1, "mass"}, {BODY(inertia) + 8, 0, 1, "inertia"}};
  static const lie of_shape[] = {{SHAPE(radius), 0, -1, "radius"}, {SHAPE(radius), 0, NAN, "radius"},
      {SHAPE(type), 1, 99, "shape"}, {SHAPE(type), 1, SCREE_HALFSPACE, "half-space has no mass"},
      {SHAPE(position), 0, NAN, "position"}, {SHAPE(orientation), 0, NAN, "orientation"},
      {SHAPE(material), 1, 7, "material does not exist"}, {SHAPE(material), 1, -1, "material does not exist"},
      {SHAPE(density), 0, -1, "density"}};
  scree_world *w = make_world(1e-3, 9.81);
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_SPHERE, shape.radius = 0.1, body.shapes = &shape, body.shapes_count = 1;
  REFUSE(w, add_body, body, lies);
  for (size_t k = 0; k < sizeof of_shape / sizeof *of_shape; k++) {
    scree_shape_def other = shape;
    const int whole = (int)fmax(-9, fmin(99, of_shape[k].value));
    if (of_shape[k].whole) memcpy((char *)&other + of_shape[k].at, &whole, sizeof whole);
    else memcpy((char *)&other + of_shape[k].at, &of_shape[k].value, sizeof(double));
    scree_error error = {SCREE_OK, ""};
    body.shapes = &other;
    if (scree_world_add(w, &body, &error) || !strstr(error.text, of_shape[k].words))
      fail_msg("shape, %zu: wanted '%s', got '%s'", of_shape[k].at, of_shape[k].words, error.text);
  }
  static const lie fixed[] = {{BODY(mass), 0, 1, "mass"}, {BODY(velocity), 0, 1, "velocity"}};
  body.shapes = &shape, body.kind = SCREE_FIXED;
  REFUSE(w, add_body, body, fixed);
  char name[300];
  memset(name, 'x', sizeof name), name[sizeof name - 1] = 0;
  scree_error error = {SCREE_OK, ""};
  body.name = name;
  assert_true(!scree_world_add(w, &body, &error) && strstr(error.text, "name"));
  body.name = "somebody";
  assert_true(scree_world_add(w, &body, &error) != 0);
  assert_true(!scree_world_add(w, &body, &error) && strstr(error.text, "somebody"));
  assert_true(!scree_world_find(w, "sombody", &error) && strstr(error.text, "did you mean \"somebody\""));
  scree_world_destroy(w);
}

/* ---- changes of bodies ---- */

typedef struct change {
  scree_id body;
  int mask;
  scree_body_state state;
  double force[3], torque[3];
} change;

static bool set_body(scree_world *w, const void *def, scree_error *error) {
  const change *c = def;
  return !scree_world_set(w, c->body, c->mask, &c->state, error) &&
      !scree_world_apply(w, c->body, c->force, c->torque, error);
}

#define SET(member) offsetof(change, state.member)

static void what_is_set(void **state) {
  (void)state;
  static const lie lies[] = {{SET(position), 0, NAN, "position"},
      {SET(orientation), 0, INFINITY, "orientation"},
      {SET(orientation), 0, 0, "orientation must not be zero"}, {SET(velocity), 0, NAN, "velocity"},
      {SET(spin), 0, NAN, "spin"}, {SET(kind), 1, 7, "kind of body 7"},
      {offsetof(change, force), 0, NAN, "force"}, {offsetof(change, torque), 0, INFINITY, "torque"}};
  scree_world *w = make_world(1e-3, 9.81);
  scree_error error = {SCREE_OK, ""};
  change c = {.body = add_sphere(w, 0.1, 0, 0, 1),
      .mask = SCREE_SET_POSITION | SCREE_SET_ORIENTATION | SCREE_SET_VELOCITY | SCREE_SET_SPIN |
          SCREE_SET_KIND | SCREE_SET_GROUP};
  assert_int_equal(scree_world_get(w, c.body, &c.state, &error), SCREE_OK);
  REFUSE(w, set_body, c, lies);
  static const lie floor_lies[] = {
      {SET(surface_velocity), 0, NAN, "surface_velocity"}, {SET(surface_spin), 0, NAN, "surface_spin"}};
  change floor = {
      .body = add_plane(w, 0, 0, 0, 0, 0, 1), .mask = SCREE_SET_SURFACE_VELOCITY | SCREE_SET_SURFACE_SPIN};
  assert_int_equal(scree_world_get(w, floor.body, &floor.state, &error), SCREE_OK);
  REFUSE(w, set_body, floor, floor_lies);
  floor.mask = SCREE_SET_VELOCITY;
  assert_true(!set_body(w, &floor, &error) && strstr(error.text, "fixed body cannot have a velocity"));
  floor.mask = SCREE_SET_KIND, floor.state.kind = SCREE_DYNAMIC;
  assert_true(!set_body(w, &floor, &error) && strstr(error.text, "only a body made dynamic"));
  scree_world_destroy(w);
}

/* ---- fills and inserts ---- */

static bool fill(scree_world *w, const void *def, scree_error *error) {
  return scree_world_fill(w, def, error) >= 0;
}
static bool insert(scree_world *w, const void *def, scree_error *error) {
  scree_insert_result result;
  return scree_world_insert(w, def, &result, error) == SCREE_OK;
}

#define FILL(member) offsetof(scree_fill_def, member)
#define INSERT(member) offsetof(scree_insert_def, member)

static void fills(void **state) {
  (void)state;
  static const lie lies[] = {{FILL(min), 0, -INFINITY, "region must be finite"},
      {FILL(max), 0, NAN, "region must be finite"}, {FILL(min), 0, 2, "min[1] is greater"},
      {FILL(spacing), 0, 0, "spacing"}, {FILL(spacing), 0, INFINITY, "spacing"},
      {FILL(spacing), 0, 1e-6, "lattice places"}, {FILL(jitter), 0, 2, "jitter"},
      {FILL(jitter), 0, NAN, "jitter"}, {FILL(lattice), 1, 3, "lattice"}, {FILL(lattice), 1, -1, "lattice"},
      {FILL(radius), 0, 0, "radius"}, {FILL(radius), 0, INFINITY, "radius"},
      {FILL(radius_max), 0, 0.01, "radius_max"}, {FILL(velocity), 0, NAN, "velocity"},
      {FILL(velocity_jitter), 0, INFINITY, "velocity"}};
  static const lie of_insert[] = {{INSERT(grains.min), 0, -INFINITY, "region must be finite"},
      {INSERT(grains.radius), 0, -1, "radius"}, {INSERT(mass), 0, NAN, "mass"}, {INSERT(mass), 0, -1, "mass"},
      {INSERT(grains.velocity), 0, NAN, "velocity"}};
  scree_world *w = make_world(1e-3, 9.81);
  scree_fill_def def = scree_fill_defaults();
  for (int k = 0; k < 3; k++) def.min[k] = 0, def.max[k] = 1;
  def.spacing = 0.5, def.radius = 0.1;
  REFUSE(w, fill, def, lies);
  scree_insert_def in = scree_insert_defaults();
  in.grains = def, in.grains.limit = 1;
  REFUSE(w, insert, in, of_insert);
  in.attempts = 0;
  scree_error error = {SCREE_OK, ""};
  scree_shape_def wall = scree_shape_defaults();
  wall.type = SCREE_HALFSPACE, def.shape = &wall, def.radius = 0;
  assert_int_equal(scree_world_fill(w, &def, &error), -1);
  assert_non_null(strstr(error.text, "fill.shape has no mass"));
  assert_true(!insert(w, &in, &error) && strstr(error.text, "attempts"));
  scree_world_destroy(w);
}

/* ---- joints ---- */

static bool join(scree_world *w, const void *def, scree_error *error) {
  return scree_world_add_joint(w, def, error) != 0;
}

#define JOINT(member) offsetof(scree_joint_def, member)
#define DRIVE(member) offsetof(scree_joint_def, drive.member)

static void joints(void **state) {
  (void)state;
  static const lie lies[] = {{JOINT(at), 0, NAN, "hinge.at[1] is NaN"},
      {JOINT(axis), 0, INFINITY, "hinge.axis[1] is infinite"}, {JOINT(axis) + 16, 0, 0, "length zero"},
      {JOINT(type), 1, 99, "type"}, {DRIVE(lower), 0, NAN, "limits"}, {DRIVE(lower), 0, 5, "limits"},
      {DRIVE(friction), 0, -1, "friction"}, {DRIVE(friction), 0, INFINITY, "friction"},
      {DRIVE(stiffness), 0, -1, "stiffness"}, {DRIVE(damping), 0, NAN, "damping"},
      {JOINT(break_force), 0, NAN, "break"}, {JOINT(break_torque), 0, -1, "break"},
      {JOINT(turn_stiffness), 0, -1, "turn"}};
  static const lie motor[] = {{DRIVE(speed), 0, NAN, "motor.speed"}, {DRIVE(force), 0, -1, "motor.force"},
      {DRIVE(force), 0, NAN, "motor"}};
  static const lie pull[] = {{DRIVE(force), 0, INFINITY, "motor.force must be finite"}};
  static const lie servo[] = {{DRIVE(gain), 0, -1, "servo"}, {DRIVE(rate_gain), 0, NAN, "servo"},
      {DRIVE(target), 0, NAN, "servo"}, {DRIVE(feed), 0, INFINITY, "servo"},
      {DRIVE(force), 0, -1, "servo.force"}, {DRIVE(speed), 0, NAN, "servo"}};
  scree_world *w = make_world(1e-3, 9.81);
  scree_joint_def def = scree_joint_defaults(SCREE_JOINT_HINGE);
  def.a = add_sphere(w, 0.1, 0, 0, 1), def.axis[2] = 1, def.drive.upper = 1;
  REFUSE(w, join, def, lies);
  def.drive.motor = SCREE_MOTOR_SPEED, def.drive.speed = 1, def.drive.force = 2;
  REFUSE(w, join, def, motor);
  def.drive.motor = SCREE_MOTOR_FORCE;
  REFUSE(w, join, def, pull);
  def.drive.motor = SCREE_MOTOR_SERVO, def.drive.gain = 1;
  REFUSE(w, join, def, servo);
  scree_error error = {SCREE_OK, ""};
  const scree_joint last = scree_world_joint_at(w, scree_world_joints_count(w) - 1);
  assert_int_equal(scree_world_set_motor(w, last, 3, 4, &error), SCREE_OK);
  scree_drive drive;
  assert_int_equal(scree_world_get_drive(w, last, 0, &drive, &error), SCREE_OK);
  assert_true(drive.motor == SCREE_MOTOR_SPEED && drive.speed == 3 && drive.force == 4);
  assert_true(scree_world_set_motor(w, 999, 3, 4, &error) != SCREE_OK);
  scree_world_destroy(w);
}

/* ---- cells ---- */

static bool make_cell(scree_world *w, const void *def, scree_error *error) {
  (void)w;
  scree_world *made = scree_world_create(def, error);
  scree_world_destroy(made);
  return made != NULL;
}
static bool set_matrix(scree_world *w, const void *H, scree_error *error) {
  return !scree_world_cell_set_matrix(w, H, error);
}
static bool set_gradient(scree_world *w, const void *L, scree_error *error) {
  return !scree_world_cell_set_gradient(w, L, 0, error);
}
static bool set_stress(scree_world *w, const void *stress, scree_error *error) {
  static const int driven[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return !scree_world_cell_set_stress(w, stress, driven, 1, error);
}

static void cells(void **state) {
  (void)state;
  static const lie lies[] = {{offsetof(scree_world_def, cell.size), 0, -1, "cell.size[1]"},
      {offsetof(scree_world_def, cell.size), 0, INFINITY, "cell.size[1]"},
      {offsetof(scree_world_def, cell.size), 0, 1e-300, "too unlike"},
      {offsetof(scree_world_def, cell.origin), 0, NAN, "cell.origin[1] is not finite"},
      {offsetof(scree_world_def, dt), 0, -1, "dt"}, {offsetof(scree_world_def, dt), 0, NAN, "dt"}};
  static const lie matrix[] = {
      {0, 0, NAN, "row 1, column 1 is not finite"}, {8, 0, INFINITY, "row 1, column 2"}, {0, 0, 0, ""}};
  static const lie gradient[] = {{16, 0, NAN, "row 1, column 3 is not finite"}};
  static const lie stress[] = {{32, 0, INFINITY, "row 2, column 2 is not finite"}};
  scree_world_def def = scree_world_defaults();
  scree_error error = {SCREE_OK, ""};
  for (int k = 0; k < 3; k++) def.cell.size[k] = 1, def.cell.periodic[k] = 1;
  scree_world *w = scree_world_create(&def, &error);
  assert_non_null(w);
  REFUSE(w, make_cell, def, lies);
  const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  REFUSE(w, set_matrix, H, matrix);
  REFUSE(w, set_gradient, H, gradient);
  REFUSE(w, set_stress, H, stress);
  def.solver.name = "nbgz";
  assert_true(
      !make_cell(w, &def, &error) && strstr(error.text, "unknown solver \"nbgz\"; did you mean \"nbgs\""));
  assert_true(
      scree_world_set_dt(w, NAN, &error) == SCREE_E_ARGUMENT && strstr(error.text, "dt must be finite"));
  scree_world_destroy(w);
}

/* ---- checkpoints of other worlds ---- */

static void change_stepper(scree_world_def *def) { def->stepper = SCREE_STEPPER_PENALTY; }
static void change_to_implicit(scree_world_def *def) { def->stepper = SCREE_STEPPER_STEWART_TRINKLE; }
static void change_solver(scree_world_def *def) { def->solver.name = "apgd"; }

static void add_hinge(scree_world *w, scree_id ball) {
  scree_joint_def def = scree_joint_defaults(SCREE_JOINT_HINGE);
  scree_error error = {SCREE_OK, ""};
  def.a = ball, def.axis[0] = 1;
  if (!scree_world_add_joint(w, &def, &error)) fail_msg("%s", error.text);
}
static void add_spring(scree_world *w, scree_id ball) {
  scree_joint_def def = scree_joint_defaults(SCREE_JOINT_HINGE);
  scree_error error = {SCREE_OK, ""};
  def.a = ball, def.axis[0] = 1, def.drive.stiffness = 1;
  if (!scree_world_add_joint(w, &def, &error)) fail_msg("%s", error.text);
}
static void add_bond(scree_world *w, scree_id ball) {
  const scree_id both[1][2] = {{ball, add_sphere(w, 0.1, 0.2, 0, 0)}};
  scree_glue glue = scree_glue_defaults();
  scree_joint first;
  scree_error error = {SCREE_OK, ""};
  glue.young = 1e6;
  if (scree_world_add_bonds(w, &glue, both, 1, &first, &error)) fail_msg("%s", error.text);
}
static void bounce(scree_world *w, scree_id ball) {
  scree_pair_def pair = {0, 0, "frictionless", {0}};
  scree_error error = {SCREE_OK, ""};
  (void)ball;
  pair.restitution = 0.5;
  if (scree_world_set_pair(w, &pair, &error)) fail_msg("%s", error.text);
}
static void set_decoupled(scree_world *w, scree_id ball) {
  const scree_material_def wood = {.name = "wood", .density = 1};
  scree_pair_def pair = {0, 1, "decoupled", {0.5}};
  scree_error error = {SCREE_OK, ""};
  (void)ball;
  if (scree_world_add_material(w, &wood, &error) != 1 || scree_world_set_pair(w, &pair, &error))
    fail_msg("%s", error.text);
}
static void shear(scree_world *w, scree_id ball) {
  const double L[9] = {0, 1};
  scree_error error = {SCREE_OK, ""};
  (void)ball;
  if (scree_world_cell_set_gradient(w, L, 0, &error)) fail_msg("%s", error.text);
}

/* The stepper and solver of a world must support all features of a loaded checkpoint. */
static void checkpoints(void **state) {
  (void)state;
  static const struct {
    void (*add)(scree_world *w, scree_id ball);
    void (*change)(scree_world_def *def);
    const char *words;
  } cases[] = {{add_hinge, change_stepper, "hinge: the stepper \"penalty\" takes no joints"},
      {add_spring, change_to_implicit, "springs, servos and armatures need the stepper semi_implicit"},
      {add_bond, change_to_implicit, "the stepper \"stewart_trinkle\" takes no bonds"},
      {add_bond, change_solver, "solver \"apgd\" takes no bonds"},
      {bounce, change_to_implicit, "pair(default, default).restitution"},
      {set_decoupled, change_solver, "\"apgd\" cannot take law \"decoupled\""},
      {shear, change_stepper, "deforms no cell"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    scree_world_def def = scree_world_defaults();
    scree_error error = {SCREE_OK, ""};
    for (int i = 0; i < 3 && cases[k].add == shear; i++) def.cell.size[i] = 1, def.cell.periodic[i] = 1;
    scree_world *from = scree_world_create(&def, &error), *same = scree_world_create(&def, &error);
    cases[k].change(&def);
    scree_world *other = scree_world_create(&def, &error);
    scree_checkpoint *c = scree_checkpoint_create();
    assert_true(from && same && other && c);
    cases[k].add(from, add_sphere(from, 0.1, 0, 0, 0));
    assert_int_equal(scree_world_save(from, c, &error), SCREE_OK);
    if (scree_world_load(same, c, &error)) fail_msg("case %zu: %s", k, error.text);
    if (scree_world_load(other, c, &error) != SCREE_E_ARGUMENT || !strstr(error.text, cases[k].words))
      fail_msg("case %zu: wanted '%s', got '%s'", k, cases[k].words, error.text);
    scree_checkpoint_destroy(c);
    scree_world_destroy(from), scree_world_destroy(same), scree_world_destroy(other);
  }
}

/* ---- worlds ---- */

static bool create_world(scree_world *w, const void *def, scree_error *error) {
  (void)w;
  scree_world *made = scree_world_create(def, error);
  if (made) scree_world_destroy(made);
  else assert_int_equal(error->status, SCREE_E_ARGUMENT);
  return made != NULL;
}

#define WORLD(member) offsetof(scree_world_def, member)

static void worlds(void **state) {
  (void)state;
  static const lie lies[] = {{WORLD(stepper), 1, 77, "world.stepper must be one of"},
      {WORLD(stepper), 1, -1, "world.stepper"}, {WORLD(stepper), 1, 4, "world.stepper"},
      {WORLD(correction), 1, 99, "world.correction"}, {WORLD(solver.dump), 1, 50, "world.solver.dump"},
      {WORLD(solver.order), 1, 50, "world.solver.order"}, {WORLD(solver.order), 1, -1, "world.solver.order"},
      {WORLD(cell.size), 0, -1, "world.cell.size[1]"}, {WORLD(cell.size) + 8, 0, NAN, "world.cell.size[2]"},
      {WORLD(cell.origin), 0, INFINITY, "world.cell.origin[1]"},
      {WORLD(domain.lost), 1, 9, "world.domain.lost"}, {WORLD(domain.lost), 1, -1, "world.domain.lost"},
      {WORLD(domain.min), 0, -1, "world.domain"}, {WORLD(domain.max), 0, NAN, "world.domain"}};
  scree_world *w = make_world(1e-3, 9.81);
  scree_world_def def = scree_world_defaults();
  REFUSE(w, create_world, def, lies);
  def.solver.name = "pgs";
  static const lie order[] = {{WORLD(solver.order), 1, 3, "world.solver.order"}};
  REFUSE(w, create_world, def, order);
  scree_error error;
  for (int k = 0; k < 3; k++) def.domain.min[k] = def.domain.max[k] = 1;
  assert_true(!create_world(w, &def, &error) && strstr(error.text, "min must be below max"));
  scree_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(checkpoints), cmocka_unit_test(bodies),
      cmocka_unit_test(what_is_set), cmocka_unit_test(fills), cmocka_unit_test(joints),
      cmocka_unit_test(cells), cmocka_unit_test(worlds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
