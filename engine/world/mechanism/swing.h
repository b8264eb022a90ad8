/* Motion of mechanisms: data that swing.c prepares and rattle.c uses. */
#ifndef SC_WORLD_SWING_H
#define SC_WORLD_SWING_H

#include "solve/joints/joint_blocks.h"
#include "world/account/account.h"
#include "scree/world.h"

/* A group of joints of the world and their bodies: a problem without contacts. It has a row for each body of
 * the world. Only the rows of the group's bodies are set. */
typedef struct sc_mechanism_group {
  scree_world *world;
  sc_joints joints; /* copies of the joints */
  int32_t *source;  /* [joints] index of the joint in world->joints */
  int32_t *body;    /* [bodies] rows of the group's bodies in world->bodies, each once */
  int32_t bodies;
  sc_motion *here, *on;  /* [bodies] motion at the start (here) and at the end (on) of a substep */
  sc_problem problem;    /* rows of joints; velocities in problem.body */
  sc_solver_body *total; /* [rows of world's bodies + 1] velocities; last: the ground */
  /* [rows of world's bodies + 1] velocity changes in an iteration; last: the ground */
  sc_solver_body *change;
  /* [rows] velocity that remains in a locked row because of conflicts between joints */
  double *rest;
  double *gap;  /* [rows] position error at the start of a substep */
  bool springs; /* true: the group has springs */
  /* begun: [joints][SC_JOINT_ROWS] spring impulses at the start of a substep. given: [rows] constant term of
   * the spring impulses at the end of this substep */
  double *begun, *given;
  int32_t *at;            /* [rows] index of the row in `begun` */
  sc_joint_blocks blocks; /* factors of the joint rows */
  /* [rows] relative velocity at the start or end of a substep, before its forces and impulses act */
  double *pre;
  double *outside;   /* [rows] part of `pre` that was changed between steps (account.h) */
  double work, lost; /* work of motors and driven bodies; losses by friction and limits [J] */
  double length;     /* largest length of the bodies (sc_body_scale) [m] */
  /* true: the group has no contact impulses, and its forces apply half of their impulse at each end of a
   * substep */
  bool smooth;
  /* true: velocities or joints were changed since the last step (sc_account_changed) */
  bool found;
  int32_t failed; /* index in `joints` of the joint with the largest position error; -1: none */
} sc_mechanism_group;

/* Moves the bodies of the group for a time dt from their present states by RATTLE, in `parts` substeps of
 * equal length. Stores impulses in the copies of joints. Sets *followed to false if the rotation in a substep
 * is too large. The poses are then undefined. */
scree_status sc_rattle(sc_mechanism_group *group, double dt, int parts, bool *followed, scree_error *error);
/* Changes the velocities so that the joints of the group have no position errors after dt. Then moves the
 * bodies for the time dt. Used for groups with contact impulses. *followed: see sc_rattle. */
scree_status sc_shake(sc_mechanism_group *group, double dt, bool *followed, scree_error *error);

/* Mechanisms of a step and their states before the step's problem is solved. `bodies` and `joints` in index
 * spaces below are the bodies with joints and the world's joints. */
typedef struct sc_swings {
  /* true: velocities or joints were changed since the last step (sc_account_changed) */
  bool found;
  /* [world's bodies] SC_LISTED: the body has joints; SC_MOVED: a mechanism has moved the body; NULL: no
   * joints */
  uint8_t *held;
  int32_t *leader;       /* [world's bodies] union-find parent, for bodies with joints */
  int32_t *place;        /* [world's bodies] index in the lists of bodies below, for bodies with joints */
  int32_t *body, bodies; /* [bodies] rows in world->bodies, each once; number of these bodies */
  sc_motion *before;     /* [bodies] motion before the step's problem is solved */
  double (*load)[6];     /* [bodies] force and torque of loads before the step's problem is solved */
  /* [joints] only joints of trees: part of the velocity of body a's joint point relative to body b's joint
   * point that was changed between steps [m/s]; NULL if !found */
  double (*outside)[3];
  double *force;         /* [joints] size of the reaction in the last step [N] */
  double *travel;        /* [joints] sc_joint.travel before the step */
  sc_row_work *row_work; /* [joints] sums over the joint's rows in the step's problem */
  int32_t (*ends)[2];    /* [joints] rows of the bodies, -1 for the ground */
  int32_t *lead;         /* [joints] leader of the mechanism, -1 if no body can move */
  /* [joints] nonzero: the mechanism is a tree without listed contacts. The step's problem does not contain
   * it; NULL: no such trees */
  uint8_t *apart;
  /* [world's bodies] nonzero: the body is part of a tree marked in `apart`; NULL if apart is NULL */
  uint8_t *alone;
  struct sc_trees *trees; /* mechanisms that are trees of ball joints (trees/tree_plan.h) */
} sc_swings;

/* Records the states of mechanisms. Must be called before the step's problem is assembled (swing_begin.c). */
scree_status sc_world_swings_begin(scree_world *world, sc_swings *swings, scree_error *error);
/* Adds the energies of joint rows in the solved problem to the energy balance, and stores them per joint.
 * Must be called before the velocities are stored. shift: [bodies] position shifts, along which motors do
 * work; NULL: none. */
void sc_world_swings_book(scree_world *world, sc_swings *swings, const sc_solver_body *shift);
/* Adds work and losses of all joint rows of the solved problem to the energy balance. For steppers without
 * sc_swings. Must be called before the velocities are stored. */
void sc_world_book_joints(scree_world *world);
/* Moves all mechanisms. Must be called after the velocities are stored. Mechanisms without contact impulses
 * start from their states before the step, all others from the solved velocities. */
scree_status sc_world_swings(scree_world *world, sc_swings *swings, double dt, scree_error *error);

/* Sets (*touched)[joints] to 1 if the joint's mechanism has a contact or a bond, or cannot move; else to 0
 * (swing_touched.c). listed: true to count all listed contacts, false to count only contacts with an impulse.
 * Collective. */
scree_status sc_mechanism_touched(
    scree_world *world, const sc_swings *swings, bool listed, uint8_t **touched, scree_error *error);
/* Returns the leader of the mechanism to which a row belongs (union-find with path halving). */
static inline int32_t sc_leader_of(int32_t *leader, int32_t row) {
  while (leader[row] != row) row = leader[row] = leader[leader[row]];
  return row;
}
/* Returns true if the body in a row can move. Returns false for the ground (row -1). */
static inline bool sc_mechanism_is_movable(const sc_bodies *bodies, int32_t row) {
  return row >= 0 && bodies->inv_mass[row] > 0;
}
/* Returns an upper bound of the number of bodies with joints, including housings. */
static inline size_t sc_mechanism_max_bodies(const sc_joints *joints) {
  return 2 * (size_t)joints->count + (size_t)joints->housed;
}
/* Sets row[0] and row[1] to the rows of a joint's bodies; -1 for the ground. */
static inline void sc_swing_rows(const sc_bodies *bodies, const sc_joint *joint, int32_t row[2]) {
  row[0] = sc_bodies_row(bodies, joint->def.a);
  row[1] = sc_bodies_row(bodies, joint->def.b);
}

/* Copies the pose and velocity of a body to *out. */
void sc_motion_read(const sc_bodies *bodies, int32_t row, sc_motion *out);
/* Sets the pose and velocity of a body. */
void sc_motion_write(const sc_motion *in, sc_bodies *bodies, int32_t row);

#endif
