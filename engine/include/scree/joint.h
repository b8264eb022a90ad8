/* Joints: connect two bodies, or a body and the ground. Some directions are locked. All other directions are
 * free and may have limits, motors, springs and friction.
 *
 * Positions and axes are in world axes, at the poses of the bodies when the joint is created. Free directions
 * on which a drive acts:
 *   hinge        rotation of a relative to b about the axis [rad]
 *   slider       displacement of a relative to b along the axis [m]
 *   cylindrical  displacement along the axis; second: rotation about it
 *   universal    rotation about a's axis; second: rotation about b's, axis_b
 *   ball         twist about the axis, fixed to a and to b at creation; second: swing, the angle between
 *                the two axes [rad], which can only have an upper limit
 *   distance     the distance itself [m]
 * Friction of a ball joint is a bounded torque against the relative spin. Rows are solved on the velocity
 * level. If world.correct_joints is 0, position errors are fed back with the world's erp; else positions are
 * projected onto the joints. Friction is an impulse in a bounded set, independent of the load (Stewart &
 * Trinkle 1996, section 3.5). Springs, dampers and servos are rows with softness
 * (problem/joints/springs.c). */
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include <stdbool.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_joint_type {
  SCREE_JOINT_BALL,
  SCREE_JOINT_HINGE,
  SCREE_JOINT_SLIDER,
  SCREE_JOINT_CYLINDRICAL,
  SCREE_JOINT_UNIVERSAL,
  SCREE_JOINT_FIXED,
  SCREE_JOINT_DISTANCE,
  SCREE_JOINT_GEAR,
  SCREE_JOINT_RACK,
  SCREE_JOINT_BOND, /* made by scree_world_add_bonds (bond.h) */
  SCREE_JOINT_TYPES
} scree_joint_type;
/* Returns the name of a joint type, such as "ball" or "hinge"; NULL past the last type. */
const char *scree_joint_type_name(int type);

/* Returns the kind of a free direction of a joint type: 1: rotation, 2: displacement, 0: the type has no such
 * direction. which: 0 or 1 for the first or second direction. For a fixed joint returns 2 (which = 0),
 * because its spring acts on displacements. Lists of units in the tables below have the unit of rotations
 * before the unit of displacements: "N m, N". */
int scree_joint_freedom(int type, int which);

/* Id of a joint; 0: no joint. Ids are never used again. */
typedef uint64_t scree_joint;

enum { SCREE_MOTOR_NONE, SCREE_MOTOR_SPEED, SCREE_MOTOR_FORCE, SCREE_MOTOR_SERVO };

/* Limits, motor, friction and spring of a free direction. Units are rad and N m for rotations, m and N for
 * displacements. */
typedef struct scree_drive {
  double lower, upper; /* limits; -INFINITY and INFINITY: none */
  int motor;           /* kind of motor: SCREE_MOTOR_... */
  /* SPEED: target speed and largest force, which may be INFINITY; FORCE: `force` is the force itself; SERVO:
   * target speed and largest force */
  double speed, force;
  /* SERVO: the force is gain (target - position) + rate_gain (speed - present speed) + feed, limited to
   * `force`. Gains must be >= 0, and one of them > 0 */
  double target, gain, rate_gain, feed;
  double friction; /* largest friction force */
  /* spring: the force is stiffness (rest - position) - damping speed. stiffness and damping must be >= 0 */
  double stiffness, damping, rest;
  /* inertia >= 0 that the direction has in addition to the bodies' inertia [kg m2 or kg], for example that of
   * a rotor behind a gear, reflected to the joint */
  double armature;
} scree_drive;
/* Parameter table of the keys of a free direction: limits, motor, servo, friction, stiffness, damping, rest,
 * armature. */
extern const scree_param scree_drive_params[];
extern const int scree_drive_params_count;
/* Parameter table of a spring. Its keys are members of scree_drive: stiffness, damping and rest. */
extern const scree_param scree_spring_params[];
extern const int scree_spring_params_count;
/* Parameter table of a motor. Its keys are members of scree_drive: speed and force. */
extern const scree_param scree_motor_params[];
extern const int scree_motor_params_count;
/* Parameter table of a servo. Its keys position, speed, stiffness, damping, feed and force are the members
 * target, speed, gain, rate_gain, feed and force of a scree_drive. */
extern const scree_param scree_servo_params[];
extern const int scree_servo_params_count;

/* Drives a ball joint to an orientation, to an angular velocity or to both, by the torque
 *     gain (rotation vector to the target) + rate_gain (spin - present spin) + feed
 * for the shorter rotation. The torque is at most `torque` in any direction. If the sum exceeds this bound,
 * the torque has the direction of the sum. Vectors and the target are in world axes at the creation of the
 * joint, and rotate with b. 0.5 % of a bounded torque is reserved for changes of its direction. */
typedef struct scree_turn_servo {
  /* desired rotation of a relative to b since the joint was created, (w,x,y,z) of any length > 0 */
  double target[4];
  double spin[3];         /* desired spin of a relative to b [rad/s] */
  double gain, rate_gain; /* gains of the servo, >= 0 [N m/rad, N m s/rad]; both 0: no servo */
  double feed[3];         /* constant torque [N m] */
  double torque;          /* largest torque [N m]; may be INFINITY */
} scree_turn_servo;
/* Parameter table of a servo of all rotations. Its key turn is the target as a rotation vector; see
 * scree_quat_of_turn. */
extern const scree_param scree_turn_servo_params[];
extern const int scree_turn_servo_params_count;
/* Sets out to the quaternion (w,x,y,z) of a rotation. turn: rotation vector [rad]. */
void scree_quat_of_turn(const double turn[3], double out[4]);

typedef struct scree_joint_def {
  int type;      /* type of the joint: a scree_joint_type */
  scree_id a, b; /* bodies; b = 0: the ground. a and b must differ, and one of them must be movable */
  /* gear, rack: the housing. The ratio applies to motions relative to this body, and the reaction acts on it.
   * Linear and angular momentum are therefore conserved. 0: the ground or, with find_frame, the body to which
   * axles connect a and b. */
  scree_id frame;
  /* gear, rack, with frame 0: nonzero to search for the housing. It is the body to which hinges or
   * cylindrical joints connect both wheels; for b of a rack also sliders. These joints may be created before
   * or after this joint. The first housing that is found is final. Until then the ratio is relative to the
   * ground. */
  int find_frame;
  double at[3];   /* a point of the joint [m]; distance: the anchor on a; gear: not used */
  double at_b[3]; /* distance: the anchor on b [m] */
  /* hinge, slider, cylindrical: the axis; universal: axis fixed in a; gear, rack: axis of rotation of a */
  double axis[3];
  /* universal: axis fixed in b; gear: axis of rotation of b; rack: direction of motion of b */
  double axis_b[3];
  scree_drive drive, second; /* drives of the first and of the second free direction */
  /* fixed, ball: springs instead of locked directions. drive.stiffness and drive.damping apply to the point
   * (fixed only), these two members to the rotation vector since creation and to the relative spin [N m/rad,
   * N m s/rad]. 0: a ball joint rotates freely. */
  double turn_stiffness, turn_damping;
  scree_turn_servo turn_servo; /* ball: servo of all rotations */
  /* The joint breaks after a step in which its load exceeded one of these bounds: mean force [N] on a, mean
   * torque on a about the joint's point [N m], energy in its springs [J]. INFINITY: no bound. */
  double break_force, break_torque, break_energy;
  /* bounds of the components of this load in the frame of `axis`, which points from a to b and rotates with
   * a: tension and compression along the axis [N], shear across it [N], bending across the axis and twist
   * about it [N m] */
  double break_tension, break_compression, break_shear, break_bending, break_twist;
  /* gear: w_a.axis + ratio w_b.axis_b = 0; rack: v_b.axis_b = ratio w_a.axis [m/rad]. Both motions are
   * relative to the housing; v_b is the velocity of the centre of b. */
  double ratio;
  double length; /* distance: length [m]; < 0: length at creation. Ignored if limits or a spring are set */
  int collide;   /* nonzero: the two bodies can also have contacts */
  /* in a cell: image of b to which a is joined, as numbers of cell edges; anchors are given at this image */
  int32_t image[3];
} scree_joint_def;
/* Parameter table of the keys of a joint. Its member readers names the types that read a key.
 * scree_drive_params and scree_turn_servo_params describe `drive`, `second` and `turn_servo`. */
extern const scree_param scree_joint_params[];
extern const int scree_joint_params_count;

/* Returns the default values of a type: no limits, no motor, no friction, no spring, never breaks, ratio 1.
 * Length and rest positions of springs are those at creation (rest: NAN). Gears and racks search for their
 * housing. */
scree_joint_def scree_joint_defaults(int type);

/* Adds a joint. Returns its id, or 0 on error: for a body joined to itself, a stale id, an axis of length 0,
 * crossed limits, a motor or limits of a type without a free direction, and numbers that are not finite.
 * Bodies with joints cannot be removed (SCREE_E_ARGUMENT). */
scree_joint scree_world_add_joint(scree_world *world, const scree_joint_def *def, scree_error *error);
/* Removes a joint. Returns SCREE_E_STALE if it does not exist. */
scree_status scree_world_remove_joint(scree_world *world, scree_joint joint, scree_error *error);
/* Reads the drive of a free direction. which: 0 or 1 for the first or second direction. */
scree_status scree_world_get_drive(
    const scree_world *world, scree_joint joint, int which, scree_drive *drive, scree_error *error);
/* Sets the drive of a free direction. which: 0 or 1. Limits, motor, friction and spring must suit the joint's
 * type. */
scree_status scree_world_set_drive(
    scree_world *world, scree_joint joint, int which, const scree_drive *drive, scree_error *error);
/* Reads the servo of all rotations of a ball joint. */
scree_status scree_world_get_turn_servo(
    const scree_world *world, scree_joint joint, scree_turn_servo *servo, scree_error *error);
/* Sets the servo of all rotations of a ball joint. */
scree_status scree_world_set_turn_servo(
    scree_world *world, scree_joint joint, const scree_turn_servo *servo, scree_error *error);
/* Sets target speed and force of the motor of the first free direction. Use it for a motor that follows a
 * table or a function of time. */
scree_status scree_world_set_motor(
    scree_world *world, scree_joint joint, double speed, double force, scree_error *error);

typedef struct scree_joint_state {
  int type;
  scree_id a, b;
  /* at, axis: point of the joint on a and its axis (0: no axis), in a's frame [m]; at_b: point on b, in b's
   * frame or, for the ground, in the world frame [m] */
  double at[3], axis[3], at_b[3];
  /* mean force and torque on a over the last step, at the joint's point [N, N m] */
  double force[3], torque[3];
  double position, speed;     /* position and speed of the first free direction; 0 if there is none */
  double position_b, speed_b; /* position and speed of the second free direction; 0 if there is none */
  /* mean effort of motor and servo along each free direction over the last step [N m, N] */
  double effort, effort_b;
  /* ball: rotation vector of a relative to b since the joint was created, in the axes of its servo [rad] */
  double turn[3];
  /* mean torque of the servo of all rotations over the last step, in world axes [N m] */
  double turn_effort[3];
  double elastic; /* energy in the joint's springs [J] */
  /* position error of locked directions, or distance beyond a limit [m]; angles are multiplied by the bodies'
   * lengths */
  double error;
} scree_joint_state;
/* Reads the state of a joint. Returns SCREE_E_STALE if it does not exist. */
scree_status scree_world_get_joint(
    const scree_world *world, scree_joint joint, scree_joint_state *state, scree_error *error);
/* Returns the number of joints. */
int64_t scree_world_joints_count(const scree_world *world);
/* Returns the joint at an index, 0 <= index < count, in the order in which joints were added. */
scree_joint scree_world_joint_at(const scree_world *world, int64_t index);

/* Bound that a load exceeded; if there are several, the one with the largest ratio of load to bound. For a
 * joint with an axis, FORCE and TORQUE are replaced by the largest component of the load. */
typedef enum scree_break_cause {
  SCREE_BREAK_FORCE,
  SCREE_BREAK_TORQUE,
  SCREE_BREAK_ENERGY,
  SCREE_BREAK_TENSION,
  SCREE_BREAK_COMPRESSION,
  SCREE_BREAK_SHEAR,
  SCREE_BREAK_BENDING,
  SCREE_BREAK_TWIST,
  SCREE_BREAK_EDGE_TENSION, /* bonds only (bond.h) */
  SCREE_BREAK_EDGE_SHEAR,
  SCREE_BREAK_CAUSES
} scree_break_cause;
/* Returns the name of a cause, such as "force" or "torque"; NULL past the last. */
const char *scree_break_cause_name(int cause);

/* The record of a joint that broke. */
typedef struct scree_break {
  scree_joint joint;
  int32_t type, cause; /* type of the joint (scree_joint_type), bound that was exceeded (scree_break_cause) */
  scree_id a, b;
  double time;  /* end of the substep in which the joint broke [s] */
  double at[3]; /* position of the joint's point at that time, in world axes [m] */
  /* load that would have kept the bodies together in this step: mean force [N] and torque [N m]; energy in
   * the joint's springs [J] */
  double force, torque, energy;
} scree_break;
/* Returns the number of joints that have broken so far. */
int64_t scree_world_breaks_count(const scree_world *world);
/* Sets *out to the record of a broken joint. index: in the order in which joints broke. Returns false past
 * the last. */
bool scree_world_break_at(const scree_world *world, int64_t index, scree_break *out);

typedef struct scree_joints_report {
  int64_t joints, rows; /* number of joints; number of their rows in the last step */
  int64_t broken;       /* number of joints that have broken so far */
  int64_t resolved;     /* number of solves that were repeated because joints broke, so far */
  int64_t redundant;    /* number of locked rows that depend on other locked rows */
  /* number of gears and racks without a housing although an axle of their wheels rotates in a body that
   * moves. The reaction of such a gear acts on the ground. def.frame can set the housing. */
  int64_t homeless;
  double error; /* largest position error of a locked direction [m] */
  /* largest velocity left in a locked direction after the last step, including the feedback of errors; large
   * if joints conflict [m/s] */
  double velocity_error;
} scree_joints_report;
/* A gear or rack with a doubtful housing. frame 0: it has no housing although it should (`homeless`); else
 * neither an axle of a nor an axle of b rotates in `frame`. b is 0 for the ground. */
typedef struct scree_stray_gear {
  scree_joint joint;
  scree_id a, b, frame;
} scree_stray_gear;
/* Returns the number of gears and racks with doubtful housings. Writes the first ones, at most `most`, to
 * `out`. */
int64_t scree_world_stray_gears(const scree_world *world, scree_stray_gear *out, int most);
/* Computes a report about all joints. Collective on several ranks. */
scree_status scree_world_joints_report(scree_world *world, scree_joints_report *report, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
