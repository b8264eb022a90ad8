/* Table of joints. Rows are plain data, in the order in which joints were added. */
#ifndef SC_JOINTS_H
#define SC_JOINTS_H

#include <math.h>
#include "base/base.h"
#include "model/bodies.h"
#include "model/bonds.h"
#include "model/ties.h"
#include "scree/joint.h"

/* Largest number of rows (scalar constraints) of one joint. A ball joint has this number if its point is
 * locked, springs and friction act on all rotations, and twist and swing have drives. */
enum { SC_JOINT_ROWS = 16 };

typedef struct sc_joint {
  uint64_t id;
  scree_joint_def def;
  /* the joint's point in the frames of the bodies a and b [m]; the frame of the ground is the world frame */
  double anchor1[3], anchor2[3];
  double axis1[3], axis2[3]; /* unit vectors: axis of a in a's frame, axis of b in b's frame */
  /* unit vectors perpendicular to the axis, in the frames of a and b, parallel at creation; the angle of the
   * joint is measured between them */
  double side1[3], side2[3];
  double relative[4]; /* orientation of b in a's frame when the joint was created */
  double placed[4];   /* orientation of b in the world when the joint was created */
  /* gear or rack with a housing: orientations of a and b in the frame of the housing when the housing was
   * found */
  double housed[2][4];
  sc_image image; /* periodic image of b, relative to a; 0 without a cell */
  /* last measured positions of both free directions: angle including full turns [rad], or displacement [m].
   * Gear or rack with a housing: displacements of a and b relative to the housing since the housing was
   * found. */
  double position[2];
  /* gear or rack without a housing: sum of the position errors of all steps [m]; rack with a housing:
   * position of b along axis_b when the housing was found [m] */
  double travel;
  double x[SC_JOINT_ROWS];    /* [rows] impulses of the joint's rows in the last step [N s] or [N m s] */
  int32_t rows;               /* number of rows in the last step */
  int32_t yields;             /* 1 + index in sc_joints.yield; 0: the joint does not break in this step */
  double force[3], torque[3]; /* reaction on a at the joint's point in the last step [N], [N m] */
  /* forces [N] or torques [N m] of motors and servos in the last step: of the first free direction, of the
   * second free direction, and of the servo of all rotations (3 components, world axes) */
  double effort[5];
  /* torque of the servo of all rotations in the last step [N m], world axes; the servo's rows of the next
   * step start from this torque */
  double held[3];
  /* sum of the impacts of this step on body a: impulse [N s], moment about the joint's point [N m s] */
  double impact[6];
  /* speeds of the rotors of both free directions [rad/s] or [m/s]. rotor: after the last solve; rotor_before:
   * before the step. */
  double rotor[2], rotor_before[2];
  double friction_axis[3], friction_spin; /* ball joint: unit axis of friction; spin of its dampers [rad/s] */
  double friction[3];   /* ball joint: angular impulse of friction on a in the last solution [N m s] */
  double servo_axis[3]; /* servo of all rotations: axis of its first row, unit vector, in b's frame */
} sc_joint;
/* Loops over joints prefetch this many joints ahead. Rows of joints are long, and each pass reads several
 * cache lines of a row. */
enum { SC_JOINTS_AHEAD = 6 };
/* Prefetches those members of a joint that steps read. */
static inline void sc_joint_fetch(const sc_joint *joint) {
  __builtin_prefetch(&joint->def.a);
  __builtin_prefetch(joint->anchor1);
  __builtin_prefetch(joint->x);
  __builtin_prefetch(joint->force);
}
/* Sets force, torque and effort of a joint to 0. Call before the contributions of its rows are added. */
static inline void sc_joint_forget(sc_joint *joint) {
  for (int k = 0; k < 3; k++) joint->force[k] = joint->torque[k] = 0;
  for (int k = 0; k < 5; k++) joint->effort[k] = 0;
}

/* Sets force and torque to the mean reaction of a joint on its body a over a step dt, including impacts. */
static inline void sc_joint_read_mean(const sc_joint *joint, double dt, double force[3], double torque[3]) {
  for (int k = 0; k < 3; k++) {
    force[k] = joint->force[k] + joint->impact[k] / dt;
    torque[k] = joint->torque[k] + joint->impact[3 + k] / dt;
  }
}

/* Bits of sc_joints.trait. Loops over all joints read this byte per joint instead of the long rows. STIFF:
 * the joint has a spring; BREAKS: it may break; PLAIN: a ball joint without drives, springs, friction or
 * servos. */
enum { SC_JOINT_STIFF = 1, SC_JOINT_BREAKS = 2, SC_JOINT_PLAIN = 4 };

/* Load of a joint or bond in the step in which it breaks. In this step the load is limited to its
 * strength. */
typedef struct sc_yield {
  scree_break load; /* load that the joint would have if it did not break */
  /* limited load on body a at the joint's point, world axes; means over the step [N], [N m] */
  double force[3], torque[3];
  double scale; /* limited load divided by the load that the joint would have if it did not break, < 1 */
} sc_yield;

typedef struct sc_joints {
  sc_joint *row;  /* [count] joints in ascending order of ids */
  uint8_t *trait; /* [count] SC_JOINT_ bits of each joint; NULL in a copy of some of the joints */
  size_t trait_capacity;
  int32_t count;
  size_t capacity;
  int32_t housed;   /* number of gears and racks with a housing (def.frame) */
  int32_t homeless; /* number of gears and racks whose housing has not been found yet (def.find_frame) */
  uint64_t serial;
  /* largest id of the joints and bonds that any step has solved; joints and bonds with larger ids are new */
  uint64_t met;
  int64_t version; /* incremented whenever joints or bonds are added or removed */
  /* Counts of joints and bonds by a pair of ids. Two ids of bodies: number of joints and bonds that exclude
   * contacts between these bodies. An id and 0: number of joints and bonds of the body. */
  sc_ties ties;
  scree_break *broken; /* [breaks] records of broken joints, in the order of breaking */
  int32_t breaks;
  size_t break_capacity;
  sc_yield *yield; /* [yields] joints and bonds that break in this step */
  int32_t yields;
  size_t yield_capacity;
  int64_t resolved; /* number of solves that were repeated because joints broke, so far */
  bool struck;      /* true: some joint may have a member `impact` that is not 0 */
  sc_bonds bonds;   /* bonds; they share ids, ties and records of breaking with joints */
} sc_joints;
/* Returns true if there are any joints or bonds. */
static inline bool sc_joints_any(const sc_joints *joints) { return joints->count || joints->bonds.count; }

/* Frees all tables and zeroes the struct. */
void sc_joints_free(sc_joints *joints);
/* Adds a joint between bodies at their present poses. *def must have been checked. Returns the joint, or NULL
 * if out of memory or if a body does not exist. */
sc_joint *sc_joints_add(sc_joints *joints, const sc_bodies *bodies, const scree_joint_def *def);
/* Removes the joint in a row. Later rows move up by one. */
void sc_joints_remove(sc_joints *joints, int32_t row);
/* Updates the traits of the joint in a row. Call it after its definition has changed. */
void sc_joints_tell(sc_joints *joints, int32_t row);
/* Removes the joint in a row and wakes its bodies. */
void sc_joints_drop(sc_joints *joints, sc_bodies *bodies, int32_t row);
/* Adds bonds between `count` pairs of bodies. pair: rows of the bodies; their centres must differ. If out of
 * memory, adds no bond and returns false. */
bool sc_joints_bond(sc_joints *joints, const sc_bodies *bodies, const scree_glue *glue,
    const int32_t (*pair)[2], int32_t count);
/* Removes the bond in a row. Later rows move up by one. */
void sc_joints_remove_bond(sc_joints *joints, int32_t row);
/* Removes all bonds for which gone(context, bond) returns true. */
void sc_joints_remove_bonds(
    sc_joints *joints, bool (*gone)(void *context, const sc_bond *bond), void *context);
/* Returns the row of a joint, or -1 if there is none. */
int32_t sc_joints_find(const sc_joints *joints, uint64_t id);
/* Returns true if a joint excludes contacts between body a and an image of body b in a cell. image: relative
 * to a. */
bool sc_joints_part_image(const sc_joints *joints, scree_id a, scree_id b, sc_image image);
/* Returns true if a body has at least one joint or bond. */
static inline bool sc_joints_hold(const sc_joints *joints, scree_id body) {
  return sc_ties_count(&joints->ties, body, 0) > 0;
}
/* Returns true if a joint or bond excludes contacts between two bodies. */
static inline bool sc_joints_part(const sc_joints *joints, scree_id one, scree_id two) {
  return sc_ties_count(&joints->ties, one, two) > 0;
}
/* Computes ties and traits of all rows. Call it after rows were filled without sc_joints_add, for example
 * from a checkpoint. Returns false if out of memory. */
bool sc_joints_tie_all(sc_joints *joints);
/* Poses of the bodies a (1) and b (2) of a joint. row: rows of the bodies in sc_bodies; row2 = -1: ground.
 * x: centres of mass [m]; q: orientations; p: the joint's point on each body [m]; axis: the joint's axis that
 * is fixed to each body, unit vector. All in world axes. */
typedef struct sc_joint_pose {
  int32_t row1, row2;
  double x1[3], q1[4], x2[3], q2[4], p1[3], p2[3], axis1[3], axis2[3];
} sc_joint_pose;
/* Computes the pose of a joint. Returns false if a body does not exist. */
bool sc_joint_place(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose);
/* Computes a pose like sc_joint_place, without the axes. */
bool sc_joint_place_points(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose);
/* Computes the pose of a joint like sc_joint_place_points. row: rows of the bodies; row[1] = -1: ground. */
void sc_joint_place_rows(
    const sc_bodies *bodies, const sc_joint *joint, const int32_t row[2], sc_joint_pose *pose);
/* Returns true if a joint cannot have changed: a body of the joint sleeps, and the other body sleeps too or
 * does not move. */
bool sc_joint_rests(const sc_bodies *bodies, const sc_joint *joint);
/* Wakes the bodies of a joint and its housing. */
void sc_joint_wake(sc_bodies *bodies, const scree_joint_def *def);
/* Returns true if a motor, servo, spring or damper acts on a joint. */
bool sc_joint_driven(const sc_joint *joint);
/* Returns the position of a joint along a free direction: an angle [rad], a displacement or a distance [m].
 * An angle includes the full turns for which it is nearest to joint->position. which: 0 or 1 for the first or
 * second direction. */
double sc_joint_measure(const sc_joint *joint, const sc_joint_pose *pose, int which);
/* Sets d to the direction along which a free direction is measured. The rate of its position is d.w (w: spin
 * of a relative to b) or d.v (v: velocity of a's point relative to b's point). Returns false if the direction
 * is undefined: the points of a distance joint coincide, or the swing is 0. */
bool sc_joint_direction(const sc_joint *joint, const sc_joint_pose *pose, int which, double d[3]);
/* Returns true for the types gear and rack, which couple the motions of two bodies relative to a housing. */
static inline bool sc_joint_geared(int type) { return type == SCREE_JOINT_GEAR || type == SCREE_JOINT_RACK; }
/* Returns the row of the housing on which the reaction of a gear or rack acts. Returns -1 if the housing is
 * the ground or a fixed body. */
static inline int32_t sc_joint_housing(const sc_bodies *bodies, const scree_joint_def *def) {
  const int32_t row = sc_bodies_row(bodies, def->frame);
  return row >= 0 && bodies->kind[row] != SCREE_FIXED ? row : -1;
}
/* Returns true if a gear or rack has a housing. With a housing, the position error is measured. Without a
 * housing, the errors of all steps are summed in joint->travel. */
static inline bool sc_joint_framed(const sc_joint *joint) {
  return sc_joint_geared(joint->def.type) && joint->def.frame;
}
/* Returns the kind of a free direction of a joint type: 0: none, 1: rotation, 2: translation, 3: distance.
 * which: 0 or 1 for the first or second direction. */
int sc_joint_freedom(int type, int which);
/* Returns true if a's point moves along b's axis in this joint type. In such joints, directions perpendicular
 * to the axis rotate with b. */
static inline bool sc_joint_shifts(int type) {
  return type == SCREE_JOINT_SLIDER || type == SCREE_JOINT_CYLINDRICAL;
}
/* Returns true if a free direction is the swing of a ball joint, which can only have an upper limit. */
static inline bool sc_joint_swings(int type, int which) { return type == SCREE_JOINT_BALL && which == 1; }
/* Returns the drive of a free direction (which = 0 or 1). */
static inline const scree_drive *sc_joint_drive(const sc_joint *joint, int which) {
  return which ? &joint->def.second : &joint->def.drive;
}
/* Returns true if a drive has a spring or damper. */
static inline bool sc_drive_springs(const scree_drive *drive) {
  return drive->stiffness > 0 || drive->damping > 0;
}
/* Returns true if a servo acts on all rotations of a joint. */
static inline bool sc_turn_servos(const scree_turn_servo *servo) {
  return servo->gain > 0 || servo->rate_gain > 0;
}
/* Returns true if a drive has no limits, motor, friction, spring, damper or armature. */
static inline bool sc_drive_idle(const scree_drive *drive) {
  return drive->lower == -INFINITY && drive->upper == INFINITY && !drive->motor && !(drive->friction > 0) &&
      !(drive->armature > 0) && !sc_drive_springs(drive);
}
/* Returns the kinetic energy of the rotors of a joint [J]. speed: speeds of the rotors of both free
 * directions [rad/s] or [m/s]. */
static inline double sc_joint_rotor_energy(const sc_joint *joint, const double speed[2]) {
  return (joint->def.drive.armature * speed[0] * speed[0] +
             joint->def.second.armature * speed[1] * speed[1]) /
      2;
}
/* Returns the energy in the springs of a joint [J]. */
double sc_joint_elastic(const sc_joint *joint, const sc_joint_pose *pose);
/* Sets out to the rotation vector of a relative to b since creation, world axes; at most pi [rad]. */
void sc_joint_rotation(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
/* Sets out to twice the vector part of the quaternion of sc_joint_rotation [rad]. */
void sc_joint_turned(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
/* Sets out to the rotation vector of a relative to b since creation, world axes at creation [rad]. */
void sc_joint_turn(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
/* Sets out to the rotation vector of a relative to the target of the joint's servo, in world axes. Its angle
 * is at most pi [rad]. */
void sc_joint_turn_off(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
/* Sets out to a vector that rotates with body b. vector: the vector when the joint was created; out: the
 * vector now. Both in world axes. */
void sc_joint_along(const sc_joint *joint, const sc_joint_pose *pose, const double vector[3], double out[3]);

#endif
