/* Joints as rows of plain data, in the order they were made. */
#ifndef SC_JOINTS_H
#define SC_JOINTS_H

#include <math.h>
#include "base/base.h"
#include "model/bodies.h"
#include "model/bonds.h"
#include "model/ties.h"
#include "scree/joint.h"

/* most rows of one joint: ball: a point, springs and friction of all turns, drives of twist and swing */
enum { SC_JOINT_ROWS = 16 };

typedef struct sc_joint {
  uint64_t id;
  scree_joint_def def;
  double anchor1[3], anchor2[3]; /* in the bodies' frames; the ground's frame is the world's */
  double axis1[3], axis2[3];     /* of a and of b, in their frames */
  double side1[3], side2[3];     /* across the axis, parallel when made: measure the angle */
  double relative[4];            /* orientation of b in a's frame when made */
  double placed[4];              /* and in the world */
  double housed[2][4]; /* gear, rack with a housing: orientation of a and b in it when it was found */
  sc_image image;      /* of b, as a sees it; 0 without a cell */
  /* last measured angle with full turns, or displacement, of both free directions; gear, rack with a housing:
   * of a and b relative to the housing since it was found */
  double position[2];
  double travel; /* gear, rack: summed error [m]; rack with a housing: first position of b along axis_b [m] */
  double x[SC_JOINT_ROWS];
  int32_t rows;               /* last step's impulses */
  int32_t yields;             /* 1 + row in sc_joints.yield; 0: the joint does not break in this step */
  double force[3], torque[3]; /* reaction on a, last step */
  double effort[5]; /* of motors and servos, last step: first, second direction, all turns (world axes) */
  double held[3];   /* the last of them as best known when rows are made */
  double blow[6];   /* impacts of this step, on a: impulse [N s], angular impulse about its point [N m s] */
  double friction_axis[3]; /* of a ball joint: axis of the first row of friction, unit vector, world axes */
} sc_joint;
/* Asks for what steps read of a joint some turns ahead: rows are long, and each pass meets several of their
 * lines afresh. */
enum { SC_JOINTS_AHEAD = 6 };
static inline void sc_joint_fetch(const sc_joint *joint) {
  __builtin_prefetch(&joint->def.a);
  __builtin_prefetch(joint->anchor1);
  __builtin_prefetch(joint->x);
  __builtin_prefetch(joint->force);
}
/* Reactions of a joint before its rows say what they are. */
static inline void sc_joint_forget(sc_joint *joint) {
  for (int k = 0; k < 3; k++) joint->force[k] = joint->torque[k] = 0;
  for (int k = 0; k < 5; k++) joint->effort[k] = 0;
}

/* Sets the mean force and torque of a joint on its body a over dt, impacts included. */
static inline void sc_joint_read_mean(const sc_joint *joint, double dt, double force[3], double torque[3]) {
  for (int k = 0; k < 3; k++) {
    force[k] = joint->force[k] + joint->blow[k] / dt;
    torque[k] = joint->torque[k] + joint->blow[3 + k] / dt;
  }
}

/* What every step asks of all joints, a byte each beside the rows, which are long: whether it has a spring,
 * may break, holds a point and does nothing else. */
enum { SC_JOINT_STIFF = 1, SC_JOINT_BREAKS = 2, SC_JOINT_PLAIN = 4 };

/* The limited load of a joint or bond in the step in which it breaks. */
typedef struct sc_yield {
  scree_break load; /* load that would have held the bodies */
  /* limited load on body a at the joint's point, world axes; means over the step */
  double force[3], torque[3];
  double scale; /* limited load over the load that would have held, < 1 */
} sc_yield;

typedef struct sc_joints {
  sc_joint *row;  /* ids ascend */
  uint8_t *trait; /* per row; NULL in copies of a part of the joints */
  size_t trait_capacity;
  int32_t count;
  size_t capacity;
  int32_t housed;   /* gears and racks with a housing (def.frame) */
  int32_t homeless; /* gears and racks whose housing is not found yet (def.find_frame) */
  uint64_t serial;
  uint64_t met;    /* largest id that a step has solved: joints with larger ids are new */
  int64_t version; /* grows whenever joints or bonds come or go */
  /* joints that keep two bodies from touching, by both ids; and joints that hold a body, by its id and 0 */
  sc_ties ties;
  scree_break *broken; /* joints that broke, in order */
  int32_t breaks;
  size_t break_capacity;
  sc_yield *yield; /* joints and bonds that break in this step */
  int32_t yields;
  size_t yield_capacity;
  int64_t resolved; /* solves that were repeated because joints break */
  bool struck;      /* true: some joint may have a blow other than 0 */
  sc_bonds bonds;   /* joints of their own kind; ids, ties and records of breaking are shared */
} sc_joints;
/* Whether there are any, bonds among them. */
static inline bool sc_joints_any(const sc_joints *joints) { return joints->count || joints->bonds.count; }

void sc_joints_free(sc_joints *joints);
/* Adds a checked def with the bodies as they stand; NULL without memory. */
sc_joint *sc_joints_add(sc_joints *joints, const sc_bodies *bodies, const scree_joint_def *def);
void sc_joints_remove(sc_joints *joints, int32_t row);
/* After another def: gives a row its traits. */
void sc_joints_tell(sc_joints *joints, int32_t row);
/* The same, and what it held wakes. */
void sc_joints_drop(sc_joints *joints, sc_bodies *bodies, int32_t row);
/* Bonds pairs of rows of bodies whose centres differ; false without memory, and none is made then. */
bool sc_joints_bond(sc_joints *joints, const sc_bodies *bodies, const scree_glue *glue,
    const int32_t (*pair)[2], int32_t count);
void sc_joints_remove_bond(sc_joints *joints, int32_t row);
/* The same of all bonds for which `gone` says so. */
void sc_joints_remove_bonds(
    sc_joints *joints, bool (*gone)(void *context, const sc_bond *bond), void *context);
/* Row of an id, -1 if there is none. */
int32_t sc_joints_find(const sc_joints *joints, uint64_t id);
/* Whether any joint holds a body, and whether any keeps contacts between two bodies out. In a cell joints tie
 * images: whether one ties b's, as seen from a, so that it does not touch a. */
bool sc_joints_part_image(const sc_joints *joints, scree_id a, scree_id b, sc_image image);
static inline bool sc_joints_hold(const sc_joints *joints, scree_id body) {
  return sc_ties_count(&joints->ties, body, 0) > 0;
}
static inline bool sc_joints_part(const sc_joints *joints, scree_id one, scree_id two) {
  return sc_ties_count(&joints->ties, one, two) > 0;
}
/* Ties and traits of rows that were put there by other means than sc_joints_add; false without memory. */
bool sc_joints_tie_all(sc_joints *joints);
/* Poses of a joint's bodies: row (-1: ground), centre and orientation. */
typedef struct sc_joint_pose {
  int32_t row1, row2;
  double x1[3], q1[4], x2[3], q2[4], p1[3], p2[3], axis1[3], axis2[3];
} sc_joint_pose;
/* False if a body is gone. p: anchors, axis: axes, all in world axes; points: all but the axes. */
bool sc_joint_place(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose);
bool sc_joint_place_points(const sc_bodies *bodies, const sc_joint *joint, sc_joint_pose *pose);
/* The same of known rows. */
void sc_joint_place_rows(
    const sc_bodies *bodies, const sc_joint *joint, const int32_t row[2], sc_joint_pose *pose);
/* Whether a joint is as it was: a body of it sleeps, and the other does so too or stands still. */
bool sc_joint_rests(const sc_bodies *bodies, const sc_joint *joint);
/* Its bodies wake. */
void sc_joint_wake(sc_bodies *bodies, const scree_joint_def *def);
/* Whether a motor, servo or spring acts on it. */
bool sc_joint_driven(const sc_joint *joint);
/* Position along a free direction, which = 0 or 1: the angle nearest to joint->position, a shift, or a
 * distance. */
double sc_joint_measure(const sc_joint *joint, const sc_joint_pose *pose, int which);
/* Its direction d: the position grows by d.w, of a's spin against b's, or d.v of a's point against b's. False
 * where there is none: points of a distance that coincide, a swing of 0. */
bool sc_joint_direction(const sc_joint *joint, const sc_joint_pose *pose, int which, double d[3]);
/* Returns whether a joint couples the motion of two bodies relative to a housing. */
static inline bool sc_joint_geared(int type) { return type == SCREE_JOINT_GEAR || type == SCREE_JOINT_RACK; }
/* Returns the row of the housing that takes the reaction of a gear or rack, -1 if it is the ground or a fixed
 * body. */
static inline int32_t sc_joint_housing(const sc_bodies *bodies, const scree_joint_def *def) {
  const int32_t row = def->frame ? sc_bodies_row(bodies, def->frame) : -1;
  return row >= 0 && bodies->kind[row] != SCREE_FIXED ? row : -1;
}
/* Returns whether a gear or rack has a housing. Its error is then measured, otherwise summed as travel. */
static inline bool sc_joint_framed(const sc_joint *joint) {
  return sc_joint_geared(joint->def.type) && joint->def.frame;
}
/* Searches the housing of a gear or rack with def.find_frame (housing.c). If it is found, sets def.frame and
 * clears def.find_frame. */
void sc_joints_house(const sc_joints *joints, const sc_bodies *bodies, scree_joint_def *def);
/* Sets the positions of a gear or rack to 0 at the present poses of its bodies and its housing. */
void sc_joint_refer(const sc_bodies *bodies, sc_joint *joint);
/* Returns the position of a (which = 0) or b (which = 1) of a gear or rack relative to its housing: the
 * rotation about its own axis nearest to joint->position [rad], or the displacement of a rack [m]. */
double sc_joint_against_housing(const sc_bodies *bodies, const sc_joint *joint, int which);
/* Returns the error of the ratio at given positions [rad; rack: m]. */
double sc_joint_off_ratio(const sc_joint *joint, const double position[2]);
/* Searches the housings of earlier gears and racks after joint `row` was added. Returns false without
 * memory. */
bool sc_joints_house_others(sc_joints *joints, const sc_bodies *bodies, int32_t row);
/* Returns whether a gear or rack has no housing although an axle of its wheels turns in a body that moves.
 * Its reaction then acts on the ground, and momentum is not conserved. */
bool sc_joints_astray(const sc_joints *joints, const sc_bodies *bodies, int32_t row);
/* Returns whether a gear or rack has a housing in which axles of neither of its wheels turn. */
bool sc_joints_idle_frame(const sc_joints *joints, int32_t row);
/* What a type's free direction is, for limits and motors: 0 none, 1 a turn, 2 a shift, 3 a distance. */
int sc_joint_freedom(int type, int which);
/* Whether a's point moves along b's axis: directions across it turn with b. */
static inline bool sc_joint_shifts(int type) {
  return type == SCREE_JOINT_SLIDER || type == SCREE_JOINT_CYLINDRICAL;
}
/* Whether a direction is the swing of a ball joint, which takes an upper limit alone. */
static inline bool sc_joint_swings(int type, int which) { return type == SCREE_JOINT_BALL && which == 1; }
static inline const scree_drive *sc_joint_drive(const sc_joint *joint, int which) {
  return which ? &joint->def.second : &joint->def.drive;
}
/* Whether a drive has a spring or damper. */
static inline bool sc_drive_springs(const scree_drive *drive) {
  return drive->stiffness > 0 || drive->damping > 0;
}
/* Whether all turns of a joint have a servo. */
static inline bool sc_turn_servos(const scree_turn_servo *servo) {
  return servo->gain > 0 || servo->rate_gain > 0;
}
/* Whether a free direction has nothing that acts on it. */
static inline bool sc_drive_idle(const scree_drive *drive) {
  return drive->lower == -INFINITY && drive->upper == INFINITY && !drive->motor && !(drive->friction > 0) &&
      !sc_drive_springs(drive);
}
/* Energy in its springs [J]. */
double sc_joint_elastic(const sc_joint *joint, const sc_joint_pose *pose);
/* Turn of a against b since they were placed, as a rotation vector in world axes for small turns [rad]: twice
 * the vector part of its quaternion. */
void sc_joint_turned(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
/* Rotation vector of a against b since they were placed, in the world's axes of then, and of a against the
 * target of the joint's servo, world axes; the shorter way round [rad]. */
void sc_joint_turn(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
void sc_joint_turn_off(const sc_joint *joint, const sc_joint_pose *pose, double out[3]);
/* A vector in the world's axes of the moment the joint was made, gone along with b. */
void sc_joint_along(const sc_joint *joint, const sc_joint_pose *pose, const double vector[3], double out[3]);

#endif
