/* Mechanisms that are trees of ball joints, side by side: those of the same tree share a plan and go on
 * together, one in each lane of a bundle (tree_kernel.h). */
#ifndef SC_TREE_H
#define SC_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include "math/lanes/lane.h"

/* Parts of a step: their most, and the largest swing and turn in one [rad]. */
enum { SC_MOST_PARTS = 256 };
static const double SC_LARGEST_SWING = 0.7, SC_LARGEST_TURN = 0.5;

/* A power of two. wanted: how many times a part of the whole step would be too long. */
static inline int sc_parts_for(double wanted) {
  int parts = 1;
  while (parts < wanted && parts < SC_MOST_PARTS) parts *= 2;
  return parts;
}

/* How a body turns free of torque: all its axes are alike, two of them are (axis 0 to 2 is the other), or
 * none. */
enum { SC_TREE_TOP, SC_TREE_BALL = 3, SC_TREE_FREE };

/* Joint i shares a movable body with an earlier one: sides by which they hold it. */
typedef struct sc_tree_link {
  int32_t joint;
  int32_t side, other_side;
} sc_tree_link;

/* A tree: joints in the order in which they are eliminated, their bodies in any. Body `bodies` stands for all
 * that cannot move. */
typedef struct sc_tree_plan {
  int32_t bodies, joints;
  const uint8_t *turns;     /* per body */
  const int32_t (*body)[2]; /* per joint: bodies of its sides */
  int32_t *place;           /* per joint: which of the mechanism's it is, in the world's order */
  /* of the Delassus matrix in skyline form, three rows a joint: first column and place of a row, links of
   * joint i: link[from[i]] .. link[from[i + 1]] */
  int32_t *first, *at, *from;
  sc_tree_link *link;
} sc_tree_plan;

/* A body in the mechanisms of a bundle. */
typedef struct sc_tree_body {
  sc_lane x[3], q[4], v[3], w[3];           /* at the start of a part; v and w with the impulses there */
  sc_lane to_x[3], to_q[4], to_w[3];        /* where they lead in a part */
  sc_lane inverse_mass, pull[3], torque[3]; /* pull: acceleration by forces */
  sc_lane inertia[6], inverse[6];           /* in its own frame */
  sc_lane K[6];                             /* inverse inertia in world axes */
  sc_lane mass, counts;                     /* counts: 1 where the account of energy is to have it, else 0 */
  sc_lane from_x[3], from_w[3];             /* before the step */
  sc_lane length;                           /* of the body */
  sc_lane swing, turn; /* rates that parts are chosen by (swing_parts.h): squared, of an arm [rad/s] */
} sc_tree_body;

/* A joint in the mechanisms of a bundle. */
typedef struct sc_tree_joint {
  sc_lane anchor[2][3], arm[2][3]; /* in the bodies' frames; in world axes at the start of a part */
  sc_lane x[3];                    /* impulse so far, on the body of side 0 */
  sc_lane first[3];                /* x at the start of the step */
  sc_lane gap[3], rest[3];         /* error of position at the start of a part; velocity that stays */
  sc_lane force;                   /* size of its reaction in the last step */
} sc_tree_joint;

/* Errors of position per length that are as good as none while a mechanism moves, and after a step. */
static const double SC_TREE_FOLLOWED = 1e-8, SC_TREE_PLACED = 1e-12;

/* In place of a number of parts: as many as each mechanism needs; one without forces, in which impulses from
 * before count. */
enum { SC_TREE_OPEN = -2, SC_TREE_SHAKE = 0 };
enum { SC_TREE_BREAKS = -3 }; /* the load of a joint exceeds its strength */

/* A bundle at work for dt, in `parts` of length h. */
typedef struct sc_tree_run {
  const sc_tree_plan *plan;
  sc_tree_body *body;
  sc_tree_joint *joint;
  sc_lane *entry, *want; /* of the Delassus system: matrix or factors, right side or solution */
  double dt, h, gravity[3];
  int parts;
  sc_lane work, change;  /* of energy [J]: by loads; by neither loads nor gravity */
  int lanes;             /* that are in use; the others are copies of the first */
  sc_lane length;        /* of the largest body */
  bool failed[SC_LANES]; /* positions were not met, or other lanes need other parts: it has not gone on */
  int needs[SC_LANES];   /* parts that those need */
  bool placed[SC_LANES]; /* they are met to rounding */
  bool moved[SC_LANES];  /* they were off, and are corrected */
} sc_tree_run;

typedef void sc_tree_go(sc_tree_run *run);
/* swing: as above. correct: from poses x, q to to_x, to_q in which all joints are met, in lanes where one is
 * not placed. */
typedef struct sc_tree_kernels {
  sc_tree_go *swing, *correct;
} sc_tree_kernels;
extern const sc_tree_kernels sc_tree_scalar, sc_tree_avx2, sc_tree_avx512;
const sc_tree_kernels *sc_tree_best(void); /* of the width that sc_simd_best gives; all give the same bits */

#endif
