/* Joints: two bodies, or a body and the ground, held together in some directions, with limits, motors,
 * springs and friction in the others.
 *
 * Positions and axes are given in world axes as the bodies stand when the joint is made. The free
 * directions that a drive acts on:
 *   hinge        turn of a against b about the axis [rad]
 *   slider       shift of a against b along the axis [m]
 *   cylindrical  shift along the axis; second: turn about it
 *   universal    turn about a's axis; second: turn about b's, axis_b
 *   ball         twist about the axis (of a and of b, as placed); second: swing, the angle between both axes
 *                [rad], which takes an upper limit alone
 *   distance     the distance itself [m]
 * Friction of a ball joint is a bounded torque against any turn. Rows are solved on the velocity level with
 * errors fed back at the world's erp where world.correct_joints is 0; else joints are met by positions.
 * Friction is an impulse in a bounded set, independent of the load (Stewart & Trinkle 1996, section
 * 3.5). Springs, dampers and servos are rows with softness (problem/joints/joints.c). */
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
const char *scree_joint_type_name(int type); /* "ball", "hinge", ... NULL past the last */

/* Names a joint for as long as it lives; never reused. 0 is no joint. */
typedef uint64_t scree_joint;

enum { SCREE_MOTOR_NONE, SCREE_MOTOR_SPEED, SCREE_MOTOR_FORCE, SCREE_MOTOR_SERVO };

/* What acts along a free direction; turns in rad and N m, shifts in m and N. */
typedef struct scree_drive {
  double lower, upper; /* limits, -+INFINITY for none */
  int motor;           /* SCREE_MOTOR_... */
  /* SPEED: target and largest force, INFINITY allowed; FORCE: the force itself; SERVO: target speed and
   * largest force */
  double speed, force;
  /* SERVO: force gain (target - position) + rate_gain (speed - its speed) + feed, within `force`; gains at
   * least 0, one of them above */
  double target, gain, rate_gain, feed;
  double friction; /* largest friction force */
  /* spring: force stiffness (rest - position) - damping its speed; both at least 0 */
  double stiffness, damping, rest;
} scree_drive;

/* Pulls a ball joint to an orientation, to an angular velocity or both: torque
 *     gain (rotation vector to the target) + rate_gain (spin - its spin) + feed
 * the shorter way round, at most `torque` in any direction. Vectors and the target are given in the world's
 * axes at the moment the joint was made, and go along with b. Of a bounded torque half a per cent is kept for
 * changes of its direction. */
typedef struct scree_turn_servo {
  double target[4];       /* turn of a against b from where they were placed, (w,x,y,z) of any length > 0 */
  double spin[3];         /* of a against b [rad/s] */
  double gain, rate_gain; /* at least 0; both 0: there is no servo [N m/rad, N m s/rad] */
  double feed[3];         /* [N m] */
  double torque;          /* INFINITY allowed [N m] */
} scree_turn_servo;
/* The rotation by a vector [rad] as a quaternion (w,x,y,z). */
void scree_quat_of_turn(const double turn[3], double out[4]);

typedef struct scree_joint_def {
  int type;      /* scree_joint_type */
  scree_id a, b; /* b = 0: the ground. Different bodies, of which one can move */
  /* gear, rack: the housing. The ratio applies relative to this body, and the reaction acts on it. Linear and
   * angular momentum are therefore conserved. 0: the ground or, with find_frame, the body to which axles
   * connect a and b */
  scree_id frame;
  /* gear, rack, with frame 0: nonzero searches the housing. The housing is the body to which hinges or
   * cylindrical joints connect both wheels; for b of a rack, sliders too. These joints may be created before
   * or after this joint. The first housing that is found stays. Until then the ratio is relative to the
   * ground */
  int find_frame;
  double at[3];   /* a point of the joint; distance: the anchor on a; gear: unused */
  double at_b[3]; /* distance: the anchor on b */
  /* hinge, slider, cylindrical; universal: axis fixed in a; gear, rack: axis a turns about */
  double axis[3];
  /* universal: axis fixed in b; gear: axis b turns about; rack: direction b moves in */
  double axis_b[3];
  scree_drive drive, second; /* along the first and the second free direction */
  /* fixed, ball: held by springs instead: the point (fixed alone) by drive.stiffness and drive.damping, the
   * orientation as placed by these [N m/rad, N m s/rad]; 0 for a ball that turns freely */
  double turn_stiffness, turn_damping;
  scree_turn_servo turn_servo; /* ball */
  /* it breaks after a step in which its mean force [N] or torque about its point [N m] on a, or the energy in
   * its springs [J], was above these; INFINITY: never */
  double break_force, break_torque, break_energy;
  /* the same for the parts of that load in the frame of `axis`, which points from a to b and goes with a:
   * along it as it draws a and b apart or presses them together, across it [N]; across and about it [N m]
   */
  double break_tension, break_compression, break_shear, break_bending, break_twist;
  /* gear: w_a.axis + ratio w_b.axis_b = 0; rack: v_b.axis_b = ratio w_a.axis [m/rad]. Both motions are taken
   * relative to the housing, v_b at the centre of b */
  double ratio;
  double length; /* distance: kept at this, < 0: as placed. Ignored where limits or a spring are given */
  int collide;   /* contacts between the two bodies are kept */
  /* in a cell: the image of b that is joined to a, in edges; anchors are given where that image is */
  int32_t image[3];
} scree_joint_def;

/* Defaults: no limits, no motor, no friction, no spring, never breaks, ratio 1, length as placed; a spring's
 * rest NAN: as placed; gears and racks find their housing. */
scree_joint_def scree_joint_defaults(int type);

/* 0 on error: a body joined to itself, a stale id, an axis of zero length, crossed limits, a motor or
 * limits where the type has no free direction, numbers that are not finite. Joined bodies cannot be
 * removed (SCREE_E_ARGUMENT). */
scree_joint scree_world_add_joint(scree_world *world, const scree_joint_def *def, scree_error *error);
scree_status scree_world_remove_joint(scree_world *world, scree_joint joint, scree_error *error);
/* What acts along a free direction from now on; which: 0 or 1. Limits, motor, friction and spring must suit
 * the joint's type. */
scree_status scree_world_get_drive(
    const scree_world *world, scree_joint joint, int which, scree_drive *drive, scree_error *error);
scree_status scree_world_set_drive(
    scree_world *world, scree_joint joint, int which, const scree_drive *drive, scree_error *error);
/* The same of the servo of all turns of a ball joint. */
scree_status scree_world_get_turn_servo(
    const scree_world *world, scree_joint joint, scree_turn_servo *servo, scree_error *error);
scree_status scree_world_set_turn_servo(
    scree_world *world, scree_joint joint, const scree_turn_servo *servo, scree_error *error);
/* New target of a motor of the first direction, for drives that follow a table or a function of time. */
scree_status scree_world_set_motor(
    scree_world *world, scree_joint joint, double speed, double force, scree_error *error);

typedef struct scree_joint_state {
  int type;
  scree_id a, b;
  /* the joint's point on a and its axis (0 without one), in a's frame, and its point on b, in b's frame or
   * the ground's, which is the world's [m] */
  double at[3], axis[3], at_b[3];
  double force[3], torque[3]; /* on a, at the joint's point, mean over the last step [N, N m] */
  double position, speed;     /* of the free direction; 0 without one */
  double position_b, speed_b; /* of the second one */
  double effort, effort_b; /* of motor and servo along either direction, mean over the last step [N m, N] */
  /* ball: rotation vector of a against b since they were placed, axes as of its servo [rad] */
  double turn[3];
  double turn_effort[3]; /* of its servo of all turns, mean over the last step, world axes [N m] */
  double elastic;        /* in its springs [J] */
  /* distance by which held directions are out of place or a limit is passed, angles times the bodies'
   * lengths [m] */
  double error;
} scree_joint_state;
scree_status scree_world_get_joint(
    const scree_world *world, scree_joint joint, scree_joint_state *state, scree_error *error);
int64_t scree_world_joints_count(const scree_world *world);
/* Joints in the order they were made; 0 <= index < count. */
scree_joint scree_world_joint_at(const scree_world *world, int64_t index);

/* Which bound was passed, the one passed by the largest share of it where there are several. Force and torque
 * of a joint with an axis count as the largest of their parts. */
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
  double at[3]; /* its point then, world axes [m] */
  /* load that would have held the bodies in the step of the break [N, N m]; energy in the joint's springs
   * [J] */
  double force, torque, energy;
} scree_break;
int64_t scree_world_breaks_count(const scree_world *world);
/* In the order in which they broke; false past the last. */
bool scree_world_break_at(const scree_world *world, int64_t index, scree_break *out);

typedef struct scree_joints_report {
  int64_t joints, rows; /* rows of the last step */
  int64_t broken;       /* joints that broke so far */
  int64_t resolved;     /* solves that were repeated because joints broke, so far */
  int64_t redundant;    /* held rows that depend on others */
  /* number of gears and racks without a housing although an axle of their wheels turns in a body that moves.
   * Their reaction acts on the ground. def.frame names the housing */
  int64_t homeless;
  double error; /* largest error of a held direction [m] */
  /* largest velocity left in a held direction after the last step, feedback included: conflicts show
   * here [m/s] */
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
