/* Motion of mechanisms: data that swing.c prepares and rattle.c uses. */
#ifndef SC_WORLD_SWING_H
#define SC_WORLD_SWING_H

#include "solve/joints/joint_blocks.h"
#include "world/account/account.h"
#include "scree/world.h"

/* A group of joints of the world and their bodies: a problem without contacts. Its rows of bodies are
 * those of the world; only the rows of the group's bodies are set. */
typedef struct sc_mechanism_group {
  scree_world *world;
  sc_joints joints; /* copies of the joints */
  int32_t *source;  /* [joints] row in the world's table */
  int32_t *body;    /* [bodies] rows of the bodies, each once */
  int32_t bodies;
  sc_motion *here, *on;   /* [bodies] motion at the start of a substep and at its end */
  sc_problem problem;     /* rows of joints; velocities in problem.body */
  sc_solver_body *total;  /* [rows of bodies + 1] velocities; last: the ground */
  sc_solver_body *change; /* [rows of bodies + 1] changes of velocities in an iteration */
  double *rest;           /* [rows] velocity that conflicts between joints leave in a locked row */
  double *gap;            /* [rows] position error at the start of a substep */
  bool springs;           /* true: the group has springs */
  /* begun: [joints][SC_JOINT_ROWS] spring impulses at the start of a substep. given: [rows] constant term of
   * the spring impulses at the end of this substep */
  double *begun, *given;
  int32_t *at;            /* [rows] index in begun */
  sc_joint_blocks blocks; /* factors of the joint rows */
  double *pre;            /* [rows] velocity before the forces and impulses at an end of a substep */
  double *outside;        /* [rows] part of `pre` that did not exist at the end of the last step */
  double work, lost;      /* work of motors and driven bodies; losses by friction and limits [J] */
  double length;          /* largest length of the bodies [m] */
  bool smooth;            /* true: no contact impulses; half of the forces' impulse acts at each end of a
                             substep */
  /* true: at the start, velocities of joints may differ from those that the last step left (account.h) */
  bool found;
  int32_t failed; /* row of the joint with the largest position error, or -1 */
} sc_mechanism_group;

/* Moves the bodies by dt from their present states, in `parts` substeps of equal length. Stores impulses in
 * the copies of joints. Sets *followed to false if the rotation in a substep is too large; the poses are then
 * undefined. */
scree_status sc_rattle(sc_mechanism_group *group, double dt, int parts, bool *followed, scree_error *error);
/* Changes velocities such that the joints of the group hold after dt, and moves the bodies by dt. For groups
 * with contact impulses. *followed: see sc_rattle. */
scree_status sc_shake(sc_mechanism_group *group, double dt, bool *followed, scree_error *error);

/* States of all bodies with joints, before the step's problem is solved. */
typedef struct sc_swings {
  /* true: joint velocities may differ from the joint velocities at the end of the last step (account.h) */
  bool found;
  uint8_t *held;         /* [rows of bodies] SC_LISTED, later SC_MOVED; NULL: no joints */
  int32_t *leader;       /* [rows of bodies] union-find parent, for bodies with joints */
  int32_t *place;        /* [rows of bodies] index in the lists below */
  int32_t *body, bodies; /* rows of the bodies, each once; their number */
  sc_motion *before;     /* [bodies] motion before the step's problem is solved */
  double (*load)[6];     /* [bodies] force and torque of loads before the step's problem is solved */
  /* [joints] for trees: velocity of a's point relative to b's that did not exist at the end of the last step
   * [m/s]; NULL if !found */
  double (*outside)[3];
  double *force;  /* [joints] size of the reaction in the last step [N] */
  double *travel; /* [joints] sc_joint.travel before the step */
  /* [joints] sums over the joint's rows: work, dissipated energy, energy error of the integration scheme [J]
   * (account.h) */
  double (*row_work)[3];
  int32_t (*ends)[2]; /* [joints] rows of the bodies, -1 for the ground */
  int32_t *lead;      /* [joints] leader of the mechanism, -1 if no body can move */
  /* [joints] nonzero: the mechanism is a tree without listed contacts. The step's problem does not contain
   * it; NULL: no such trees */
  uint8_t *apart;
  /* [rows of bodies] nonzero: the body is part of a tree marked in `apart`; NULL if apart is NULL */
  uint8_t *alone;
  struct sc_trees *trees; /* mechanisms that are trees of ball joints (trees/tree_plan.h) */
} sc_swings;

/* Records the states of mechanisms. Must be called before the step's problem is assembled (swing_begin.c). */
scree_status sc_world_swings_begin(scree_world *world, sc_swings *swings, scree_error *error);
/* Adds the energies of joint rows in the solved problem to the energy balance. Must be called before the
 * velocities are stored. */
void sc_world_swings_book(scree_world *world, sc_swings *swings);
/* Adds work and losses of all joint rows of the solved problem to the energy balance, for steppers without
 * swings. Must be called before velocities are stored. */
void sc_world_book_joints(scree_world *world);
/* Moves all mechanisms. Must be called after the velocities are stored. Mechanisms without contact impulses
 * start from their states before the step, all others from the solved velocities. */
scree_status sc_world_swings(scree_world *world, sc_swings *swings, double dt, scree_error *error);

/* Sets (*touched)[joints] to nonzero if the joint's mechanism has a contact or a bond, or cannot move
 * (swing_touched.c). listed: all listed contacts count; otherwise those with an impulse. Collective. */
scree_status sc_mechanism_touched(
    scree_world *world, const sc_swings *swings, bool listed, uint8_t **touched, scree_error *error);
/* Returns the leader of the mechanism of a row (union-find, with path halving). */
static inline int32_t sc_leader_of(int32_t *leader, int32_t row) {
  while (leader[row] != row) row = leader[row] = leader[leader[row]];
  return row;
}
/* Returns whether the body of a row can move; row -1: the ground. */
static inline bool sc_mechanism_is_movable(const sc_bodies *bodies, int32_t row) {
  return row >= 0 && bodies->inv_mass[row] > 0;
}
/* Returns an upper bound of the number of bodies with joints, including housings. */
static inline size_t sc_mechanism_max_bodies(const sc_joints *joints) {
  return 2 * (size_t)joints->count + (size_t)joints->housed;
}
/* Sets row to the rows of a joint's bodies, -1 for the ground. */
static inline void sc_swing_rows(const sc_bodies *bodies, const sc_joint *joint, int32_t row[2]) {
  row[0] = sc_bodies_row(bodies, joint->def.a);
  row[1] = joint->def.b ? sc_bodies_row(bodies, joint->def.b) : -1;
}

/* Copies the pose and velocity of a body to *out. */
void sc_motion_read(const sc_bodies *bodies, int32_t row, sc_motion *out);
/* Sets the pose and velocity of a body. */
void sc_motion_write(const sc_motion *in, sc_bodies *bodies, int32_t row);

#endif
