/* Inside of the motion of mechanisms: what swing.c arranges and rattle.c computes. */
#ifndef SC_WORLD_SWING_H
#define SC_WORLD_SWING_H

#include "solve/joints/joint_blocks.h"
#include "world/world.h"

/* Motion of one body. */
typedef struct sc_motion {
  double position[3], orientation[4], velocity[3], spin[3];
} sc_motion;

/* Some of the world's joints with the bodies they tie, on their own: a problem without contacts whose
 * rows of bodies are those of the world; only those of its own bodies are set. */
typedef struct sc_swing {
  scree_world *world;
  sc_joints joints; /* copies */
  int32_t *source;  /* rows of these in the world's table */
  int32_t *body;    /* rows of its bodies, each once */
  int32_t bodies;
  sc_motion *here, *on; /* per body: at the start of a part of the step and at its end */
  sc_problem problem;   /* rows of joints, velocities in body */
  sc_solver_body *total, *change;
  double *rest; /* per row: velocity that stays in a held row that conflicts with others */
  double *gap;  /* per row: error of position at the start of a part */
  bool
      /* there are any; begun: their impulses at the start of a part, a row of SC_JOINT_ROWS per joint; */
      springs;
  double *begun, *given; /* given: per row, what they give at its end in any case */
  int32_t *at;           /* per row: its place in begun */
  sc_joint_blocks blocks;
  double *pre;       /* [rows] velocity before the forces and impulses at an end of a part */
  double *outside;   /* [rows] part of `pre` that no step left */
  double work, lost; /* by motors and driven bodies; to friction and limits [J] */
  double length;     /* largest of the bodies' */
  bool smooth;       /* nothing touches them: forces act in halves */
  /* true: at the start, velocities of joints may differ from those that the last step left (account.h) */
  bool found;
  int32_t failed; /* row of joints that is worst off its place, or -1 */
} sc_swing;

/* Goes on by dt from the bodies' present states, in parts of equal length; impulses go to the copies of
 * joints. *followed: false where the rotation in a part is too large, then the bodies are anywhere. */
scree_status sc_rattle(sc_swing *swing, double dt, int parts, bool *followed, scree_error *error);
/* Velocities with which joints that something touches meet their positions after dt; the bodies are
 * left there. */
scree_status sc_shake(sc_swing *swing, double dt, bool *followed, scree_error *error);

/* What a step needs to know of the bodies that joints hold as they were before its problem was solved. */
struct sc_swings {
  /* true: velocities of joints may differ from those that the last step left (account.h) */
  bool found;
  uint8_t *held;   /* per body: SC_LISTED, later SC_MOVED; NULL: there are no joints */
  int32_t *leader; /* per body that joints hold: the mechanism it is part of */
  int32_t *place;  /* and its place in the lists below */
  int32_t *body, bodies;
  sc_motion *before;
  double (*load)[6];
  /* [joints of trees] velocity of a's point relative to b's that no step left [m/s]; NULL if !found */
  double (*outside)[3];
  double *force; /* per joint: size of its reaction in the last step, and the travel of gears */
  double *travel;
  double (*row_work)[3]; /* per joint: work, lost and scheme of its rows in the step's problem (account.h) */
  int32_t (*ends)[2];    /* per joint: rows of its bodies, -1 for the ground */
  int32_t *lead;         /* per joint: the row by which its mechanism is known, -1 where no body can move */
  /* per joint, nonzero: its mechanism is a tree that nothing can touch in this step. It goes on by itself,
   * and the step's problem has no rows of it; NULL: there are none */
  uint8_t *apart;
  /* per body, nonzero: the body is part of a tree in `apart`; NULL if apart is NULL */
  uint8_t *alone;
  struct sc_trees *trees; /* the mechanisms that are trees of ball joints (trees/trees.h) */
};

/* Before the step's problem is made (swing_begin.c); and what the rows of its joints did, before its
 * velocities are stored. */
scree_status sc_world_swings_begin(scree_world *world, sc_swings *swings, scree_error *error);
void sc_world_swings_book(scree_world *world, sc_swings *swings);
/* Adds work and losses of all joint rows of the solved problem to the energy balance, for steppers without
 * swings. Must be called before velocities are stored. */
void sc_world_book_joints(scree_world *world);
/* After they are: mechanisms that nothing touches go on from where they were before, the others from the
 * solved velocities; all of them are moved. */
scree_status sc_world_swings(scree_world *world, sc_swings *swings, double dt, scree_error *error);

/* Per joint, nonzero: its mechanism is touched by a contact of the step (listed: by one that may get an
 * impulse; else by one that did), or held by a bond, or cannot move (swing_touched.c). Collective. */
scree_status sc_swing_touched(
    scree_world *world, const sc_swings *swings, bool listed, uint8_t **touched, scree_error *error);
/* Who leads the mechanism of a row; whether a row's body can move, -1 for the ground. */
static inline int32_t sc_leader_of(int32_t *leader, int32_t row) {
  while (leader[row] != row) row = leader[row] = leader[leader[row]];
  return row;
}
static inline bool sc_swing_moves(const scree_world *world, int32_t row) {
  return row >= 0 && world->bodies.inv_mass[row] > 0;
}
/* Most rows of bodies that the world's joints hold, those of housings among them. */
static inline size_t sc_swing_bodies(const scree_world *world) {
  return 2 * (size_t)world->joints.count + (size_t)world->joints.housed;
}
/* Rows of a joint's bodies, -1 for the ground. */
static inline void sc_swing_rows(const scree_world *world, const sc_joint *joint, int32_t row[2]) {
  row[0] = sc_bodies_row(&world->bodies, joint->def.a);
  row[1] = joint->def.b ? sc_bodies_row(&world->bodies, joint->def.b) : -1;
}

void sc_motion_read(const sc_bodies *bodies, int32_t row, sc_motion *out);
void sc_motion_write(const sc_motion *in, sc_bodies *bodies, int32_t row);

#endif
