/* Joints to rows of a problem. */
#ifndef SC_PROBLEM_JOINTS_H
#define SC_PROBLEM_JOINTS_H

#include <math.h>
#include "model/joints.h"
#include "problem/problem.h"

typedef struct sc_joints_in {
  double dt, feedback; /* of an error, the share taken back per step, */
  double most;         /* at most at this speed [m/s] (0: any) */
  double warm_start;   /* times the impulses of the last step, in place */
  bool solved;         /* true: this step has solved the rows already, and the rows keep their directions */
  double way;          /* time in which limits may be reached [s]; 0: dt */
  /* rows for a correction of positions: held directions and limits that are passed, the error itself in
   * place of a velocity, impulses 0 */
  bool displace;
  const sc_yield *yield; /* loads of joints that break in this step; NULL: none breaks */
  const uint8_t *apart;  /* per joint, nonzero: the joint has no rows; NULL: all joints have rows */
  /* per joint: rows of its bodies, -1 for the ground, both -1 where it rests; NULL: they are looked up */
  const int32_t (*ends)[2];
} sc_joints_in;

/* Rows of joints with the bodies as they stand, into problem->joint_row. Measures positions of joints, but
 * for a correction. */
scree_status sc_joints_assemble(sc_joints *joints, const sc_bodies *bodies, const sc_joints_in *in,
    sc_arena *arena, sc_problem *problem, scree_error *error);
/* Length of a body's spin, 1 of the ground's; L, the larger length of the bodies that move. */
double sc_joint_length(const sc_bodies *bodies, int32_t row);
double sc_joint_common_length(const sc_bodies *bodies, int32_t row1, int32_t row2);
/* Whether a row is held (neither boxed nor one-sided). */
static inline bool sc_joint_row_held(const sc_joint_row *row) {
  return row->lo == -INFINITY && row->hi == INFINITY;
}

#endif
