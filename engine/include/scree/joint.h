/* Joints: connect two bodies, or a body and the ground. Some directions are locked; the others may have
 * limits, motors, springs and friction.
 *
 * Positions and axes are given in world axes at the poses of the bodies when the joint is made. Free
 * directions on which a drive acts:
 *   hinge        rotation of a relative to b about the axis [rad]
 *   slider       displacement of a relative to b along the axis [m]
 *   cylindrical  displacement along the axis; second: rotation about it
 *   universal    rotation about a's axis; second: rotation about b's, axis_b
 *   ball         twist about the axis, fixed to a and to b at creation; second: swing, the angle between
 *                the two axes [rad], which can only have an upper limit
 *   distance     the distance itself [m]
 * Friction of a ball joint is a bounded torque against any rotation. Rows are solved on the velocity level;
 * errors are fed back with the world's erp if world.correct_joints is 0, else joints are projected in
 * positions. Friction is an impulse in a bounded set, independent of the load (Stewart & Trinkle 1996,
 * section 3.5). Springs, dampers and servos are rows with softness (problem/joints/joints.c). */
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
/* Returns the name of a type. */
const char *scree_joint_type_name(int type); /* "ball", "hinge", ... NULL past the last */

/* Id of a joint; never reused. 0 is no joint. */
typedef uint64_t scree_joint;

enum { SCREE_MOTOR_NONE, SCREE_MOTOR_SPEED, SCREE_MOTOR_FORCE, SCREE_MOTOR_SERVO };

/* Limits, motor, friction and spring of a free direction; rotations in rad and N m, displacements in m and
 * N. */
typedef struct scree_drive {
  double lower, upper; /* limits, -+INFINITY for none */
  int motor;           /* SCREE_MOTOR_... */
  /* SPEED: target and largest force, INFINITY allowed; FORCE: the force itself; SERVO: target speed and
   * largest force */
  double speed, force;
  /* SERVO: force gain (target - position) + rate_gain (speed - its speed) + feed, limited to `force`; gains
   * at least 0, and one greater than 0 */
  double target, gain, rate_gain, feed;
  double friction; /* largest friction force */
  /* spring: force stiffness (rest - position) - damping its speed; both at least 0 */
  double stiffness, damping, rest;
} scree_drive;
/* The table of the keys of a free direction: limits, motor, servo, friction, stiffness, damping, rest. */
extern const scree_param scree_drive_params[];
extern const int scree_drive_params_count;
/* The table of a motor: speed and force of a scree_drive. */
extern const scree_param scree_motor_params[];
extern const int scree_motor_params_count;
/* The table of a servo: position, speed, stiffness, damping, feed and force are `target`, `speed`, `gain`,
 * `rate_gain`, `feed` and `force` of a scree_drive. */
extern const scree_param scree_servo_params[];
extern const int scree_servo_params_count;

/* Drives a ball joint to an orientation, to an angular velocity or both: torque
 *     gain (rotation vector to the target) + rate_gain (spin - its spin) + feed
 * for the shorter rotation, at most `torque` in any direction. Vectors and the target are given in the
 * world's axes when the joint is made, and rotate with b. 0.5 % of a bounded torque is reserved for changes
 * of its direction. */
typedef struct scree_turn_servo {
  /* rotation of a relative to b since the joint was made, (w,x,y,z) of any length > 0 */
  double target[4];
  double spin[3];         /* spin of a relative to b [rad/s] */
  double gain, rate_gain; /* at least 0; both 0: no servo [N m/rad, N m s/rad] */
  double feed[3];         /* [N m] */
  double torque;          /* INFINITY allowed [N m] */
} scree_turn_servo;
/* The table of a servo of all rotations. Its key turn is the target as a rotation vector, see
 * scree_quat_of_turn. */
extern const scree_param scree_turn_servo_params[];
extern const int scree_turn_servo_params_count;
/* Sets out to the quaternion (w,x,y,z) of the rotation by a vector [rad]. */
void scree_quat_of_turn(const double turn[3], double out[4]);

typedef struct scree_joint_def {
  int type;      /* scree_joint_type */
  scree_id a, b; /* b = 0: the ground. The bodies must differ, and one must be movable */
  /* gear, rack: the housing. The ratio applies relative to this body, and the reaction acts on it. Linear and
   * angular momentum are therefore conserved. 0: the ground or, with find_frame, the body to which axles
   * connect a and b */
  scree_id frame;
  /* gear, rack, with frame 0: nonzero searches the housing: the body to which hinges or cylindrical joints
   * connect both wheels; for b of a rack, sliders too. These joints may be created before or after this
   * joint. The first housing found is final. Until then the ratio is relative to the ground */
  int find_frame;
  double at[3];   /* a point of the joint; distance: the anchor on a; gear: unused */
  double at_b[3]; /* distance: the anchor on b */
  /* hinge, slider, cylindrical; universal: axis fixed in a; gear, rack: axis of rotation of a */
  double axis[3];
  /* universal: axis fixed in b; gear: axis of rotation of b; rack: direction of motion of b */
  double axis_b[3];
  scree_drive drive, second; /* along the first and the second free direction */
  /* fixed, ball: springs in place of locked directions: the point (fixed only) by drive.stiffness and
   * drive.damping, the orientation at creation by these [N m/rad, N m s/rad]; 0: a ball joint rotates
   * freely */
  double turn_stiffness, turn_damping;
  scree_turn_servo turn_servo; /* ball */
  /* the joint breaks after a step in which its mean force [N] or torque about its point [N m] on a, or the
   * energy in its springs [J], exceeds these; INFINITY: never */
  double break_force, break_torque, break_energy;
  /* bounds for the components of this load in the frame of `axis`, which points from a to b and rotates with
   * a: tension and compression along the axis, shear across it [N]; bending across and twist about it [N
   * m] */
  double break_tension, break_compression, break_shear, break_bending, break_twist;
  /* gear: w_a.axis + ratio w_b.axis_b = 0; rack: v_b.axis_b = ratio w_a.axis [m/rad]. Both motions are taken
   * relative to the housing, v_b at the centre of b */
  double ratio;
  double length; /* distance: length [m], < 0: as at creation. Ignored if limits or a spring are given */
  int collide;   /* nonzero: the two bodies can also have contacts */
  /* in a cell: the image of b that is joined to a, in edges; anchors are given at this image */
  int32_t image[3];
} scree_joint_def;
/* The table of the keys of a joint; readers: the types that read a key. scree_drive_params and
 * scree_turn_servo_params describe `drive`, `second` and `turn_servo`. */
extern const scree_param scree_joint_params[];
extern const int scree_joint_params_count;

/* Returns the defaults of a type: no limits, no motor, no friction, no spring, never breaks, ratio 1, length
 * and rest of springs as at creation (rest NAN); gears and racks search their housing. */
scree_joint_def scree_joint_defaults(int type);

/* Adds a joint. Returns 0 on error: a body joined to itself, a stale id, an axis of zero length, lower above
 * upper limit, a motor or limits for a type without a free direction, numbers that are not finite. Joined
 * bodies cannot be removed (SCREE_E_ARGUMENT). */
scree_joint scree_world_add_joint(scree_world *world, const scree_joint_def *def, scree_error *error);
/* Removes a joint. Returns SCREE_E_STALE if it does not exist. */
scree_status scree_world_remove_joint(scree_world *world, scree_joint joint, scree_error *error);
/* Reads or sets the drive of a free direction; which: 0 or 1. Limits, motor, friction and spring must suit
 * the joint's type. */
scree_status scree_world_get_drive(
    const scree_world *world, scree_joint joint, int which, scree_drive *drive, scree_error *error);
/* Sets the drive of a free direction. */
scree_status scree_world_set_drive(
    scree_world *world, scree_joint joint, int which, const scree_drive *drive, scree_error *error);
/* Reads or sets the servo of all rotations of a ball joint. */
scree_status scree_world_get_turn_servo(
    const scree_world *world, scree_joint joint, scree_turn_servo *servo, scree_error *error);
/* Sets the servo of all rotations of a ball joint. */
scree_status scree_world_set_turn_servo(
    scree_world *world, scree_joint joint, const scree_turn_servo *servo, scree_error *error);
/* Sets the target of a motor of the first direction, for drives that follow a table or a function of time. */
scree_status scree_world_set_motor(
    scree_world *world, scree_joint joint, double speed, double force, scree_error *error);

typedef struct scree_joint_state {
  int type;
  scree_id a, b;
  /* joint's point on a and its axis (0 without one) in a's frame, and its point on b in b's frame or that of
   * the ground, the world's [m] */
  double at[3], axis[3], at_b[3];
  double force[3], torque[3]; /* on a, at the joint's point, mean over the last step [N, N m] */
  double position, speed;     /* position and speed of the first free direction; 0 without one */
  double position_b, speed_b; /* position and speed of the second free direction */
  /* effort of motor and servo along each direction, mean over the last step [N m, N] */
  double effort, effort_b;
  /* ball: rotation vector of a relative to b since the joint was made, in the axes of its servo [rad] */
  double turn[3];
  /* torque of its servo of all rotations, mean over the last step, world axes [N m] */
  double turn_effort[3];
  double elastic; /* energy in its springs [J] */
  /* error of locked directions, or distance beyond a limit; angles are multiplied by the bodies' lengths
   * [m] */
  double error;
} scree_joint_state;
/* Reads the state of a joint. Returns SCREE_E_STALE if it does not exist. */
scree_status scree_world_get_joint(
    const scree_world *world, scree_joint joint, scree_joint_state *state, scree_error *error);
/* Returns the number of joints. */
int64_t scree_world_joints_count(const scree_world *world);
/* Returns a joint, in the order in which they were made; 0 <= index < count. */
scree_joint scree_world_joint_at(const scree_world *world, int64_t index);

/* Bound that was exceeded; of several, the one with the largest ratio. Force and torque of a joint with an
 * axis count as the largest of their components. */
typedef enum scree_break_cause {
  SCREE_BREAK_FORCE,
  SCREE_BREAK_TORQUE,
  SCREE_BREAK_ENERGY,
  SCREE_BREAK_TENSION,
  SCREE_BREAK_COMPRESSION,
  SCREE_BREAK_SHEAR,
  SCREE_BREAK_BENDING,
  SCREE_BREAK_TWIST,
  SCREE_BREAK_EDGE_TENSION, /* bonds alone (bond.h) */
  SCREE_BREAK_EDGE_SHEAR,
  SCREE_BREAK_CAUSES
} scree_break_cause;
const char *scree_break_cause_name(int cause); /* "force", "torque", ... NULL past the last */

/* A joint that broke. */
typedef struct scree_break {
  scree_joint joint;
  int32_t type, cause; /* scree_joint_type, scree_break_cause */
  scree_id a, b;
  double time;  /* end of the substep in which the joint broke [s] */
  double at[3]; /* joint's point at that time, world axes [m] */
  /* load that would have held the bodies in the step of the break [N, N m]; energy in the joint's springs
   * [J] */
  double force, torque, energy;
} scree_break;
/* Returns the number of joints that broke so far. */
int64_t scree_world_breaks_count(const scree_world *world);
/* Reads a broken joint, in the order in which they broke. Returns false past the last. */
bool scree_world_break_at(const scree_world *world, int64_t index, scree_break *out);

typedef struct scree_joints_report {
  int64_t joints, rows; /* rows of the last step */
  int64_t broken;       /* joints that broke so far */
  int64_t resolved;     /* solves that were repeated because joints broke, so far */
  int64_t redundant;    /* locked rows that depend on others */
  /* number of gears and racks without a housing although an axle of their wheels turns in a body that moves.
   * The reaction of such a gear acts on the ground. def.frame names the housing */
  int64_t homeless;
  double error; /* largest error of a locked direction [m] */
  /* largest velocity left in a locked direction after the last step, feedback included; shows conflicts
   * [m/s] */
  double velocity_error;
} scree_joints_report;
/* A gear or rack with a doubtful housing. frame 0: it counts as homeless; else axles of neither a nor b
 * turn in `frame`. b is 0 for the ground. */
typedef struct scree_stray_gear {
  scree_joint joint;
  scree_id a, b, frame;
} scree_stray_gear;
/* Returns the number of gears and racks with doubtful housings, and computes the first ones, at most
 * `most`. */
int64_t scree_world_stray_gears(const scree_world *world, scree_stray_gear *out, int most);
/* Collective on several ranks. */
scree_status scree_world_joints_report(scree_world *world, scree_joints_report *report, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
