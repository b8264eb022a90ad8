/* Rows of the joints and bonds of a problem. */
#ifndef SC_JOINT_ROW_H
#define SC_JOINT_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* Data of a spring, damper or servo. problem/joints/springs.c computes softness and bias of the row from
 * them, in units of the row. */
typedef struct sc_spring {
  double stiffness, damping; /* [N/m, N s/m]; both 0: the row has no spring */
  double stretch;            /* stretch at the start of the step, 0: no force [m] */
  double push;               /* additional force of a servo: feed-forward plus speed times damping [N] */
  double time;               /* time over which the spring force acts for the row's impulse [s] */
} sc_spring;

/* Row of a joint: a generalised direction on two bodies. v_row + bias = -softness x if lo < x < hi. */
typedef struct sc_joint_row {
  int32_t i, j;  /* [bodies] bodies 1 and 2; for a joint to the ground, one of the two is the immovable
                    world */
  int32_t joint; /* index of the joint; the rows of a joint are adjacent */
  /* 1 or 2: limit, motor, friction or spring along the joint's first or second free direction; 0: any other
   * row */
  int32_t free;
  bool motor;      /* true: the work of the row is external work */
  bool unresolved; /* true: the step is too long for the row's spring (problem/joints/springs.c) */
  int32_t third;   /* 1 + index into problem.third; 0: the row has two bodies */
  /* 1, 2: inertia of a rotor along the joint's first or second free direction; 0: other row */
  int32_t rotor;
  /* row of the Jacobian for v and q; the parts for q are divided by s */
  double lin1[3], ang1[3], lin2[3], ang2[3];
  double bias, lo, hi; /* bias [row velocity]; bounds of x [row impulse] */
  double softness;     /* at least 0 [row velocity / row impulse] */
  double x;            /* impulse of the row [row impulse] */
  sc_spring spring;
} sc_joint_row;

/* Third body of a joint row: the housing of a gear or rack. */
typedef struct sc_joint_third {
  int32_t body;          /* [bodies] row of the third body */
  double lin[3], ang[3]; /* part of the row's Jacobian, as in sc_joint_row */
} sc_joint_third;

/* A bond: a soft block of six rows, with u + push = -soft p and r + turn = -soft m. u: relative velocity at
 * the bond's point. r: relative spin (problem/joints/bonds.c). Body i can move. */
typedef struct sc_bond_row {
  int32_t i, j;
  double d[3]; /* unit vector from i to j */
  /* distances, along d, of the bond's point from the centres of bodies i and j, each over the length s of the
   * body */
  double arm1, arm2;
  double ratio;            /* ratio s1/s2 of the lengths that scale the spins of bodies i and j */
  double p[3], m[3];       /* impulse on i [N s], moment over s1 [N s], world axes */
  double push[3], turn[3]; /* biases of the two equations [m/s] */
  double soft[4];          /* softness, > 0: for p along d, for p across d, for m along d, for m across d */
  double sign;             /* 1: i is the bond's first body, -1: its second */
} sc_bond_row;

#endif
