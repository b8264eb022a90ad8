/* Assembly of joints as rows of a problem. */
#ifndef SC_PROBLEM_JOINTS_H
#define SC_PROBLEM_JOINTS_H

#include <math.h>
#include "model/joints.h"
#include "problem/problem.h"

typedef struct sc_joints_in {
  double dt, feedback; /* step [s]; share of a position error that is corrected per step */
  double most;         /* largest velocity of a position correction [m/s]; 0: no bound */
  double warm_start;   /* factor on the impulses of the last step */
  bool solved;         /* true: the rows were solved before in this step, so their axes do not change */
  double way;          /* time in which a joint may reach its limit [s]; 0: dt */
  /* true: the rows correct positions. They are locked directions and exceeded limits, their bias is the
   * position error, and their impulses are 0 */
  bool displace;
  const sc_yield *yield; /* loads of joints that break in this step; NULL: none breaks */
  const uint8_t *apart;  /* per joint, nonzero: the joint has no rows; NULL: all joints have rows */
  /* true: the first solution of a step. Rotors change their speed by the velocities that bodies have got
   * since the last step */
  bool starts;
  /* [joints] rows of the bodies, -1 for the ground, both -1 if the joint is asleep; NULL: searched by id */
  const int32_t (*ends)[2];
} sc_joints_in;

/* Assembles the rows of joints at the present poses, in problem->joint_row. Also measures the positions of
 * joints, unless in->displace. */
scree_status sc_joints_assemble(sc_joints *joints, const sc_bodies *bodies, const sc_joints_in *in,
    sc_arena *arena, sc_problem *problem, scree_error *error);
/* Returns the length by which the spin of a body is scaled [m]; 1 for the ground (row -1). */
double sc_joint_length(const sc_bodies *bodies, int32_t row);
/* Returns L, the larger length of the dynamic bodies of a joint [m]; 1 without a dynamic body. row2: -1 for
 * the ground. */
double sc_joint_common_length(const sc_bodies *bodies, int32_t row1, int32_t row2);
/* Returns true if a row is locked: it has no bounds. */
static inline bool sc_joint_row_held(const sc_joint_row *row) {
  return row->lo == -INFINITY && row->hi == INFINITY;
}

/* Returns the speed of the rotor of a row with the present impulse of the row [row velocity]. */
static inline double sc_joint_row_rotor(const sc_joint_row *row) {
  return -row->bias - row->softness * row->x;
}

#endif
