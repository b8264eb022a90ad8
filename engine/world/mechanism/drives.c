/* Checks the drives of joints: limits, motors, servos, friction and springs along free directions. */
#include "world/world.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include "math/vec.h"

static const char *const names[SCREE_JOINT_TYPES] = {
    "ball", "hinge", "slider", "cylindrical", "universal", "fixed", "distance", "gear", "rack", "bond"};
const char *scree_joint_type_name(int type) {
  return type >= 0 && type < SCREE_JOINT_TYPES ? names[type] : NULL;
}

scree_joint_def scree_joint_defaults(int type) {
  const scree_drive drive = {.lower = -INFINITY, .upper = INFINITY, .force = INFINITY, .rest = NAN};
  return (scree_joint_def){.type = type,
      .drive = drive,
      .second = drive,
      .turn_servo = {.target = {1, 0, 0, 0}, .torque = INFINITY},
      .break_force = INFINITY,
      .break_torque = INFINITY,
      .break_energy = INFINITY,
      .break_tension = INFINITY,
      .break_compression = INFINITY,
      .break_shear = INFINITY,
      .break_bending = INFINITY,
      .break_twist = INFINITY,
      .find_frame = sc_joint_geared(type),
      .ratio = 1,
      .length = -1};
}

/* A free direction of a joint that is checked. Messages name it `name` and `part`, e.g.
 * "universal.second". */
typedef struct place {
  const char *name, *part; /* type of the joint; "" or ".second" */
  int type, which, kind;   /* joint type; 0 or 1: first or second free direction; kind of this direction
                              (sc_joint_freedom) */
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
  if (!(d->gain >= 0) || isinf(d->gain) || !(d->rate_gain >= 0) || isinf(d->rate_gain))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s%s.servo: stiffness and damping must be finite and at least 0",
        at->name, at->part);
  if (d->gain == 0 && d->rate_gain == 0)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s%s.servo needs a stiffness, which pulls to a position, or a damping, which pulls to a speed",
        at->name, at->part);
  if (!isfinite(d->target) || !isfinite(d->speed) || !isfinite(d->feed))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s%s.servo: position, speed and feed must be finite", at->name, at->part);
  if (!(d->force >= 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s%s.servo.force must be at least 0, not %g", at->name, at->part, d->force);
  return SCREE_OK;
}

static scree_status check_motor(const place *at, const scree_drive *d, scree_error *error) {
  if (d->motor == SCREE_MOTOR_NONE) return SCREE_OK;
  if (at->kind % 3 == 0 || sc_joint_swings(at->type, at->which))
    return fail_no_direction(at, error, "a motor");
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

static scree_status check_friction(const place *at, const scree_drive *d, scree_error *error) {
  if (!(d->friction >= 0) || isinf(d->friction))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s%s.friction must be finite and at least 0, not %g", at->name,
        at->part, d->friction);
  bool none = at->kind % 3 == 0 || sc_joint_swings(at->type, at->which);
  return d->friction > 0 && none ? fail_no_direction(at, error, "friction") : SCREE_OK;
}

static scree_status check_spring(const place *at, const scree_drive *d, scree_error *error) {
  if (!(d->stiffness >= 0) || isinf(d->stiffness) || !(d->damping >= 0) || isinf(d->damping))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s%s: stiffness and damping must be finite and at least 0",
        at->name, at->part);
  if (isinf(d->rest)) return sc_fail(error, SCREE_E_ARGUMENT, "%s%s.rest must be finite", at->name, at->part);
  bool bushing = at->type == SCREE_JOINT_FIXED && !at->which;
  bool none = (!at->kind && !bushing) || sc_joint_swings(at->type, at->which);
  return (d->stiffness > 0 || d->damping > 0) && none ? fail_no_direction(at, error, "a spring") : SCREE_OK;
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
  if (status == SCREE_OK) status = check_friction(&at, d, error);
  return status == SCREE_OK ? check_spring(&at, d, error) : status;
}

static scree_status check_turn(const scree_joint_def *def, const char *name, scree_error *error) {
  if (!(def->turn_stiffness >= 0) || isinf(def->turn_stiffness) || !(def->turn_damping >= 0) ||
      isinf(def->turn_damping))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s: turn_stiffness and turn_damping must be finite and at least 0", name);
  bool soft = def->turn_stiffness > 0 || def->turn_damping > 0;
  if (soft && def->type != SCREE_JOINT_BALL && def->type != SCREE_JOINT_FIXED)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.turn_stiffness: only ball and fixed joints have springs against all turns", name);
  return SCREE_OK;
}

static bool is_finite3(const double v[3]) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

static scree_status check_turn_servo(const scree_joint_def *def, const char *name, scree_error *error) {
  const scree_turn_servo *s = &def->turn_servo;
  if (!(s->gain >= 0) || isinf(s->gain) || !(s->rate_gain >= 0) || isinf(s->rate_gain))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.turn_servo: stiffness and damping must be finite and at least 0", name);
  if (!sc_turn_servos(s)) return SCREE_OK;
  if (def->type != SCREE_JOINT_BALL)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.turn_servo: only ball joints have a servo of all turns", name);
  double length = s->target[0] * s->target[0] + sc_dot(s->target + 1, s->target + 1);
  if (!(length > 0) || isinf(length) || !is_finite3(s->spin) || !is_finite3(s->feed))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s.turn_servo: orientation, turn, spin and feed must be finite, the orientation not 0", name);
  if (!(s->torque >= 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s.turn_servo.torque must be at least 0, not %g", name, s->torque);
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
