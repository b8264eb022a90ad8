/* Rows of the joints and bonds of a problem. */
#ifndef SC_JOINT_ROW_H
#define SC_JOINT_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* Data of a spring, damper or servo, from which joints.h computes softness and bias, in units of the row. */
typedef struct sc_spring {
  double stiffness, damping; /* [N/m, N s/m]; both 0: the row has no spring */
  double stretch;            /* at the start of the step, 0 at ease [m] */
  double push;               /* further force: the servo's feed-forward, and its speed times damping [N] */
  double time;               /* time for which the spring acts with the row's impulse [s] */
} sc_spring;

/* A joint's rows: bilateral or boxed. v_row + bias = -softness x for lo < x < hi; each row a generalised
 * direction on two bodies. */
typedef struct sc_joint_row {
  int32_t i, j;  /* j = immovable world body for joints to the ground */
  int32_t joint; /* rows of one joint are neighbours */
  int32_t
      /* limit, motor, friction, spring along the joint's first or second free direction, 1 or 2; else 0 */
      free;
  bool motor;      /* the work of the row comes from outside */
  bool unresolved; /* the step is too long for the row's spring (springs.c) */
  int32_t third;   /* 1 + index into problem.third; 0: the row has two bodies */
  /* row of the Jacobian against v and q (already divided by s) */
  double lin1[3], ang1[3], lin2[3], ang2[3];
  double bias, lo, hi; /* [row velocity], [row impulse] */
  double softness;     /* at least 0 [row velocity / row impulse] */
  double x;            /* impulse */
  sc_spring spring;
} sc_joint_row;

/* The third body of a joint row: the housing of a gear or rack, with its part of the row's Jacobian. */
typedef struct sc_joint_third {
  int32_t body;
  double lin[3], ang[3];
} sc_joint_third;

/* A bond, a soft block of six rows (bonds.c): u + push = -soft p, r + turn = -soft m. Body i can move. */
typedef struct sc_bond_row {
  int32_t i, j;
  double d[3];             /* from i to j */
  double arm1, arm2;       /* of its point along d, over s of either body */
  double ratio;            /* s1/s2 */
  double p[3], m[3];       /* impulse on i [N s], moment over s1 [N s], world axes */
  double push[3], turn[3]; /* [m/s] */
  double soft[4];          /* of p along d and across, of m along d and across, above 0 */
  double sign;             /* 1: i is the bond's first body, -1: its second */
} sc_bond_row;

#endif
