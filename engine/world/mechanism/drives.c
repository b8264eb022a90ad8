/* Parameter tables of joints. Checks of the drives of free directions: limits, motors, servos, friction and
 * springs. */
#include "world/world.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include <stdio.h>
#include "math/vec.h"

/* Keys of the drive of a free direction. The keys of the first direction are part of the joint's own
 * table. */
#define DRIVE(member) offsetof(scree_drive, member)
#define SPRING_ROWS \
  SCREE_ROW_REAL("stiffness", DRIVE(stiffness), "N m/rad, N/m", 0, 0, INFINITY, \
      "k of a spring along the free direction; fixed: of springs that hold the point"), \
      SCREE_ROW_REAL( \
          "damping", DRIVE(damping), "N m s/rad, N s/m", 0, 0, INFINITY, "of a damper beside it"), \
      SCREE_ROW_REAL("rest", DRIVE(rest), "rad, m", NAN, 0, 0, \
          "position at which the spring is at ease; without it as placed", \
          "hinge|slider|cylindrical|universal|ball|distance")
const scree_param scree_drive_params[] = {
    SCREE_ROW_VALUE("limits", "",
        "{lower, upper} of the free direction, of the twist for a ball, of the distance for a distance "
        "joint"),
    SCREE_ROW_VALUE(
        "motor", "", "{speed =, force =}: a speed within a largest force, or without speed a force"),
    SCREE_ROW_VALUE("servo", "",
        "{position =, speed =, stiffness =, damping =, feed =, force =}: pulls to a position, a speed or "
        "both"),
    SCREE_ROW_REAL("friction", DRIVE(friction), "N m, N", 0, 0, INFINITY,
        "largest friction torque or force, whatever the load"),
    SPRING_ROWS,
    SCREE_ROW_REAL("armature", DRIVE(armature), "kg m2, kg", 0, 0, INFINITY,
        "inertia of a rotor behind a gear, reflected to the free direction",
        "hinge|slider|cylindrical|universal|distance"),
};
const int scree_drive_params_count = sizeof scree_drive_params / sizeof *scree_drive_params;

const scree_param scree_spring_params[] = {SPRING_ROWS};
const int scree_spring_params_count = sizeof scree_spring_params / sizeof *scree_spring_params;

const scree_param scree_motor_params[] = {
    SCREE_ROW_REAL("speed", DRIVE(speed), "rad/s, m/s", 0, 0, 0, "target"),
    {"force", SCREE_REAL, SCREE_UNBOUNDED, "N m, N", INFINITY, 0, 0, DRIVE(force), NULL,
        "largest torque or force; without speed the torque or force itself"},
};
const int scree_motor_params_count = sizeof scree_motor_params / sizeof *scree_motor_params;

const scree_param scree_servo_params[] = {
    SCREE_ROW_REAL("position", DRIVE(target), "rad, m", 0, 0, 0, "target"),
    SCREE_ROW_REAL("speed", DRIVE(speed), "rad/s, m/s", 0, 0, 0, "target"),
    SCREE_ROW_REAL("stiffness", DRIVE(gain), "N m/rad, N/m", 0, 0, INFINITY,
        "torque or force per distance from the position"),
    SCREE_ROW_REAL("damping", DRIVE(rate_gain), "N m s/rad, N s/m", 0, 0, INFINITY,
        "torque or force per difference from the speed"),
    SCREE_ROW_REAL("feed", DRIVE(feed), "N m, N", 0, 0, 0, "torque or force given besides"),
    SCREE_ROW_LIMIT("force", DRIVE(force), "N m, N", "largest torque or force"),
};
const int scree_servo_params_count = sizeof scree_servo_params / sizeof *scree_servo_params;

#define TURN(member) offsetof(scree_turn_servo, member)
const scree_param scree_turn_servo_params[] = {
    SCREE_ROW_QUAT("orientation", TURN(target),
        "target: turn of a against b from where they were placed, {w, x, y, z}, in the world's axes of then"),
    SCREE_ROW_VALUE("turn", "", "the same as a rotation vector [rad]"),
    SCREE_ROW_VEC3("spin", TURN(spin), "rad/s", "target: of a against b"),
    SCREE_ROW_REAL(
        "stiffness", TURN(gain), "N m/rad", 0, 0, INFINITY, "torque per angle from the orientation"),
    SCREE_ROW_REAL(
        "damping", TURN(rate_gain), "N m s/rad", 0, 0, INFINITY, "torque per difference from the spin"),
    SCREE_ROW_VEC3("feed", TURN(feed), "N m", "torque given besides"),
    SCREE_ROW_LIMIT("torque", TURN(torque), "N m", "largest torque, in any direction"),
};
const int scree_turn_servo_params_count = sizeof scree_turn_servo_params / sizeof *scree_turn_servo_params;

#define AT(member) offsetof(scree_joint_def, member)
const scree_param scree_joint_params[] = {
    SCREE_ROW_NEEDED("a", "", "the first body"),
    SCREE_ROW_VALUE("b", "", "the second body; without it the ground"),
    SCREE_ROW_VALUE("frame", "",
        "gear, rack: the housing that motion counts relative to, or \"ground\"; without it the body that "
        "axles of both wheels share"),
    SCREE_ROW_VEC3("at", AT(at), "m", "position of the joint, a point; distance, spring: the anchor on a"),
    SCREE_ROW_VEC3("at_b", AT(at_b), "m", "distance, spring: the anchor on b", "distance"),
    SCREE_ROW_VEC3("axis", AT(axis), "",
        "axis of hinge, slider, cylindrical, ball; of a in universal, gear, rack; of any joint for parts of "
        "its load"),
    SCREE_ROW_VEC3("axis_b", AT(axis_b), "", "universal, gear: axis of b; rack: direction that b moves in"),
    SCREE_ROW_REAL("swing", AT(second.upper), "rad", INFINITY, 0, INFINITY,
        "ball: largest angle between the axis of a and that of b", "ball"),
    SCREE_ROW_VALUE("second", "",
        "universal: limits, motor, servo, friction and spring of the turn about axis_b; cylindrical: of the "
        "turn",
        "universal|cylindrical|ball"),
    SCREE_ROW_REAL("turn_stiffness", AT(turn_stiffness), "N m/rad", 0, 0, INFINITY,
        "fixed, ball: springs against all turns from the orientation as placed"),
    SCREE_ROW_REAL("turn_damping", AT(turn_damping), "N m s/rad", 0, 0, INFINITY, "dampers beside them"),
    SCREE_ROW_VALUE("turn_servo", "",
        "ball: {orientation =, turn =, spin =, stiffness =, damping =, feed =, torque =}: pulls all turns"),
    SCREE_ROW_REAL("ratio", AT(ratio), "", 1, 0, 0,
        "gear: w_a + ratio w_b = 0; rack: v_b = ratio w_a [m/rad]", "gear|rack"),
    SCREE_ROW_REAL("length", AT(length), "m", -1, -1, INFINITY,
        "distance: kept at this; spring: at ease at this; without it as placed", "distance"),
    SCREE_ROW_LIMIT("break_force", AT(break_force), "N", "it breaks after a step with a larger force"),
    SCREE_ROW_LIMIT("break_torque", AT(break_torque), "N m", "or a larger torque about its point"),
    SCREE_ROW_LIMIT("break_energy", AT(break_energy), "J", "or with more energy in its springs"),
    SCREE_ROW_LIMIT("break_tension", AT(break_tension), "N",
        "or with a larger force along `axis`, from a to b, that draws them apart"),
    SCREE_ROW_LIMIT(
        "break_compression", AT(break_compression), "N", "or with a larger one that presses them together"),
    SCREE_ROW_LIMIT("break_shear", AT(break_shear), "N", "or with a larger force across the axis"),
    SCREE_ROW_LIMIT("break_bending", AT(break_bending), "N m", "or with a larger torque across the axis"),
    SCREE_ROW_LIMIT("break_twist", AT(break_twist), "N m", "or with a larger torque about the axis"),
    SCREE_ROW_BOOLEAN("collide", AT(collide), "contacts between the two bodies are kept"),
    SCREE_ROW_VALUE("image", "",
        "{i, j, k}: the image of b that is joined, in edges of the cell; points are given where that image "
        "is"),
};
const int scree_joint_params_count = sizeof scree_joint_params / sizeof *scree_joint_params;

static const char *const names[SCREE_JOINT_TYPES] = {
    "ball", "hinge", "slider", "cylindrical", "universal", "fixed", "distance", "gear", "rack", "bond"};
const char *scree_joint_type_name(int type) {
  return type >= 0 && type < SCREE_JOINT_TYPES ? names[type] : NULL;
}

scree_joint_def scree_joint_defaults(int type) {
  scree_joint_def def = {.type = type, .find_frame = sc_joint_geared(type)};
  scree_param_defaults(scree_joint_params, scree_joint_params_count, &def);
  scree_param_defaults(scree_turn_servo_params, scree_turn_servo_params_count, &def.turn_servo);
  def.drive = (scree_drive){.lower = -INFINITY, .upper = INFINITY, .force = INFINITY, .rest = NAN};
  def.second = def.drive;
  return def;
}

/* The free direction of a joint that a function checks. Messages name it by `name` and `part`, e.g.
 * "universal.second". */
typedef struct place {
  /* name: type of the joint; part: "" for the first, ".second" for the second direction */
  const char *name, *part;
  /* type: joint type; which: 0 for the first, 1 for the second direction; kind: sc_joint_freedom */
  int type, which, kind;
} place;

static scree_status fail_no_direction(const place *at, scree_error *error, const char *what) {
  return sc_fail(error, SCREE_E_ARGUMENT, "a %s joint has no %sdirection for %s", at->name,
      at->which ? "second " : "", what);
}

static scree_status check_limits(const place *at, const scree_drive *d, scree_error *error) {
  bool limited = d->lower > -INFINITY || d->upper < INFINITY;
  if (isnan(d->lower) || isnan(d->upper))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s%s.limits is NaN", at->name, at->part);
  if (d->lower > d->upper)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s%s.limits are crossed: %g is greater than %g", at->name,
        at->part, d->lower, d->upper);
  if (limited && !at->kind) return fail_no_direction(at, error, "limits");
  if (limited && sc_joint_swings(at->type, at->which) && (d->lower > -INFINITY || !(d->upper > 0)))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.swing must be an angle above 0: the swing of a ball joint has no lower limit", at->name);
  return SCREE_OK;
}

static scree_status check_gains(const place *at, const scree_drive *d, scree_error *error) {
  char path[64];
  snprintf(path, sizeof path, "%s%s.servo", at->name, at->part);
  if (d->gain == 0 && d->rate_gain == 0)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s needs a stiffness, which pulls to a position, or a damping, which pulls to a speed", path);
  return scree_param_check_all(scree_servo_params, scree_servo_params_count, d, path, error);
}

static scree_status check_motor(const place *at, const scree_drive *d, scree_error *error) {
  if (d->motor == SCREE_MOTOR_NONE) return SCREE_OK;
  if (!at->kind || sc_joint_swings(at->type, at->which)) return fail_no_direction(at, error, "a motor");
  if (d->motor == SCREE_MOTOR_SERVO) return check_gains(at, d, error);
  if (!isfinite(d->speed))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s%s.motor.speed must be finite", at->name, at->part);
  if (d->motor == SCREE_MOTOR_SPEED && !(d->force >= 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s%s.motor.force must be at least 0, not %g", at->name, at->part, d->force);
  if (d->motor == SCREE_MOTOR_FORCE && !isfinite(d->force))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s%s.motor.force must be finite without a speed", at->name, at->part);
  return SCREE_OK;
}

/* Checks friction and spring of a drive against scree_drive_params. */
static scree_status check_drive_numbers(const place *at, const scree_drive *d, scree_error *error) {
  char path[64];
  snprintf(path, sizeof path, "%s%s", at->name, at->part);
  return scree_param_check_all(scree_drive_params, scree_drive_params_count, d, path, error);
}

static scree_status check_friction(const place *at, const scree_drive *d, scree_error *error) {
  bool none = !at->kind || sc_joint_swings(at->type, at->which);
  return d->friction > 0 && none ? fail_no_direction(at, error, "friction") : SCREE_OK;
}

static scree_status check_spring(const place *at, const scree_drive *d, scree_error *error) {
  bool bushing = at->type == SCREE_JOINT_FIXED && !at->which;
  bool none = (!at->kind && !bushing) || sc_joint_swings(at->type, at->which);
  return (d->stiffness > 0 || d->damping > 0) && none ? fail_no_direction(at, error, "a spring") : SCREE_OK;
}

static bool has_rotor(int type) {
  return type == SCREE_JOINT_HINGE || type == SCREE_JOINT_SLIDER || type == SCREE_JOINT_CYLINDRICAL ||
      type == SCREE_JOINT_UNIVERSAL || type == SCREE_JOINT_DISTANCE;
}

static scree_status check_armature(const place *at, const scree_drive *d, scree_error *error) {
  const bool none = !at->kind || !has_rotor(at->type);
  return d->armature > 0 && none ? fail_no_direction(at, error, "an armature") : SCREE_OK;
}

static scree_status check_drive(const scree_joint_def *def, int which, scree_error *error) {
  const scree_drive *d = which ? &def->second : &def->drive;
  const place at = {scree_joint_type_name(def->type), which ? ".second" : "", def->type, which,
      sc_joint_freedom(def->type, which)};
  bool acts = d->lower > -INFINITY || d->upper < INFINITY || d->motor || d->stiffness > 0 || d->damping > 0;
  bool aimless = def->type == SCREE_JOINT_BALL && acts &&
      def->axis[0] * def->axis[0] + def->axis[1] * def->axis[1] + def->axis[2] * def->axis[2] == 0;
  if (aimless) return sc_fail(error, SCREE_E_ARGUMENT, "ball.axis is missing: twist and swing are about it");
  scree_status status = check_limits(&at, d, error);
  if (status == SCREE_OK) status = check_motor(&at, d, error);
  if (status == SCREE_OK) status = check_drive_numbers(&at, d, error);
  if (status == SCREE_OK) status = check_friction(&at, d, error);
  if (status == SCREE_OK) status = check_armature(&at, d, error);
  return status == SCREE_OK ? check_spring(&at, d, error) : status;
}

static scree_status check_turn(const scree_joint_def *def, const char *name, scree_error *error) {
  bool soft = def->turn_stiffness > 0 || def->turn_damping > 0;
  if (soft && def->type != SCREE_JOINT_BALL && def->type != SCREE_JOINT_FIXED)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.turn_stiffness: only ball and fixed joints have springs against all turns", name);
  return SCREE_OK;
}

static scree_status check_turn_servo(const scree_joint_def *def, const char *name, scree_error *error) {
  const scree_turn_servo *s = &def->turn_servo;
  char path[64];
  snprintf(path, sizeof path, "%s.turn_servo", name);
  scree_status status = scree_param_check_all(
      scree_turn_servo_params, scree_turn_servo_params_count, s, path, error);
  if (status != SCREE_OK) return status;
  if (!sc_turn_servos(s)) return SCREE_OK;
  if (def->type != SCREE_JOINT_BALL)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.turn_servo: only ball joints have a servo of all turns", name);
  const double length = s->target[0] * s->target[0] + sc_dot(s->target + 1, s->target + 1);
  if (!(length > 0) || isinf(length))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s.orientation must be finite and not 0", path);
  if (def->drive.motor)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s has a servo of all turns and a motor or servo of the twist: it takes one of them", name);
  return SCREE_OK;
}

static scree_status check_breaks(const scree_joint_def *def, const char *name, scree_error *error) {
  const double parts[] = {
      def->break_tension, def->break_compression, def->break_shear, def->break_bending, def->break_twist};
  bool above = def->break_force > 0 && def->break_torque > 0 && def->break_energy > 0, any = false;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    above = above && parts[i] > 0, any = any || parts[i] < INFINITY;
  if (!above)
    return sc_fail(error, SCREE_E_ARGUMENT, "%s: loads at which a joint breaks must be above 0", name);
  if (any && def->axis[0] == 0 && def->axis[1] == 0 && def->axis[2] == 0)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.axis is missing: tension, compression, shear, bending and twist are told by it", name);
  return SCREE_OK;
}

scree_status sc_world_check_drives(const scree_joint_def *def, scree_error *error) {
  const char *name = scree_joint_type_name(def->type);
  scree_status status = check_drive(def, 0, error);
  if (status == SCREE_OK) status = check_drive(def, 1, error);
  if (status == SCREE_OK) status = check_turn(def, name, error);
  if (status == SCREE_OK) status = check_turn_servo(def, name, error);
  if (status != SCREE_OK) return status;
  return check_breaks(def, name, error);
}
