/* Joints: two bodies, or a body and the ground, held together in some directions, with limits, motors
 * and friction in the others.
 *
 * Positions and axes are given in world axes as the bodies stand when the joint is made. The one free
 * direction that limits, motor and friction act on: hinge: turn of a against b about the axis [rad];
 * slider, cylindrical: shift of a against b along the axis [m]; distance: the distance itself (limits
 * only). A ball joint takes friction (a bounded torque) only. Rows are solved on the velocity level with
 * errors fed back at the world's erp where world.correct_joints is 0; else joints are met by positions.
 * Friction is an impulse in a bounded set, independent of the load (Stewart & Trinkle 1996, section
 * 3.5). */
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include "scree/world.h"

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
  SCREE_JOINT_TYPES
} scree_joint_type;
const char *scree_joint_type_name(int type); /* "ball", "hinge", ... NULL past the last */

/* Names a joint for as long as it lives; never reused. 0 is no joint. */
typedef uint64_t scree_joint;

enum { SCREE_MOTOR_NONE, SCREE_MOTOR_SPEED, SCREE_MOTOR_FORCE };

typedef struct scree_joint_def {
  int type;       /* scree_joint_type */
  scree_id a, b;  /* b = 0: the ground. Not the same, not both immovable */
  double at[3];   /* a point of the joint; distance: the anchor on a; gear: unused */
  double at_b[3]; /* distance: the anchor on b */
  /* hinge, slider, cylindrical; universal: axis fixed in a; gear, rack: axis a turns about */
  double axis[3];
  /* universal: axis fixed in b; gear: axis b turns about; rack: direction b moves in */
  double axis_b[3];
  double lower, upper; /* limits, -+INFINITY for none; distance: the range of the distance */
  int motor;           /* SCREE_MOTOR_... */
  /* SPEED: target [rad/s, m/s] and largest torque or force, INFINITY allowed; FORCE: the torque or force
   * itself */
  double speed, force;
  double friction; /* largest friction torque or force [N m, N] */
  /* gear: w_a.axis + ratio w_b.axis_b = 0; rack: v_b.axis_b = ratio w_a.axis [m/rad] */
  double ratio;
  double length; /* distance: kept at this, < 0: as placed. Ignored where limits are given */
  int collide;   /* contacts between the two bodies are kept */
} scree_joint_def;

/* Defaults: no limits, no motor, no friction, ratio 1, length as placed. */
scree_joint_def scree_joint_defaults(int type);

/* 0 on error: a body joined to itself, a stale id, an axis of zero length, crossed limits, a motor or
 * limits where the type has no free direction, numbers that are not finite. Joined bodies cannot be
 * removed (SCREE_E_ARGUMENT). */
scree_joint scree_world_add_joint(scree_world *world, const scree_joint_def *def, scree_error *error);
scree_status scree_world_remove_joint(scree_world *world, scree_joint joint, scree_error *error);
/* New target of a motor, for drives that follow a table or a function of time. */
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
  /* distance by which held directions are out of place or a limit is passed, angles times the bodies'
   * lengths [m] */
  double error;
} scree_joint_state;
scree_status scree_world_get_joint(
    const scree_world *world, scree_joint joint, scree_joint_state *state, scree_error *error);
int64_t scree_world_joints_count(const scree_world *world);
/* Joints in the order they were made; 0 <= index < count. */
scree_joint scree_world_joint_at(const scree_world *world, int64_t index);

typedef struct scree_joints_report {
  int64_t joints, rows; /* rows of the last step */
  int64_t redundant;    /* held rows that depend on others */
  double error;         /* largest error of a held direction [m] */
  /* largest velocity left in a held direction after the last step, feedback included: conflicts show
   * here [m/s] */
  double velocity_error;
} scree_joints_report;
/* Collective on several ranks. */
scree_status scree_world_joints_report(scree_world *world, scree_joints_report *report, scree_error *error);

#ifdef __cplusplus
}
#endif
#endif
