/* Mechanisms that are trees of ball joints. Mechanisms with equal trees share a plan and move together, one
 * in each lane of a bundle (tree_kernel.h). */
#ifndef SC_TREE_H
#define SC_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include "math/lanes/lane.h"

enum { SC_MOST_PARTS = 256 };               /* largest number of substeps of a step */
static const double SC_LARGEST_SWING = 0.7, /* largest product of swing rate and length of a substep [rad] */
    SC_LARGEST_TURN = 0.5;                  /* largest rotation of an arm or axis in a substep [rad] */

/* Returns the number of substeps for a mechanism: the smallest power of two >= wanted, at most SC_MOST_PARTS.
 * wanted: number that the rates of the mechanism require. */
static inline int sc_parts_for(double wanted) {
  int parts = 1;
  while (parts < wanted && parts < SC_MOST_PARTS) parts *= 2;
  return parts;
}

/* Symmetry of a body's inertia, which selects the formula of torque-free rotation. SC_TREE_TOP + axis (0 to
 * 2): the moments about the two other axes are equal. SC_TREE_BALL: all moments are equal. SC_TREE_FREE: no
 * moments are equal. */
enum { SC_TREE_TOP, SC_TREE_BALL = 3, SC_TREE_FREE };

/* A link connects joint i of a plan to an earlier joint that shares a movable body with joint i. */
typedef struct sc_tree_link {
  int32_t joint; /* index of the earlier joint, in the order of the plan */
  /* side: side (0 or 1) of joint i on which the shared body is; other_side: side (0 or 1) of the earlier
   * joint on which the shared body is */
  int32_t side, other_side;
} sc_tree_link;

/* A plan: the topology that several mechanisms (trees of joints) share. Joints are in elimination order.
 * Movable bodies have the numbers 0 .. bodies - 1. The number `bodies` stands for the ground and for all
 * immovable bodies. */
typedef struct sc_tree_plan {
  int32_t bodies, joints; /* numbers of movable bodies and of joints; joints = 0: not a usable tree */
  const uint8_t *turns;   /* [bodies] SC_TREE_TOP + axis, SC_TREE_BALL or SC_TREE_FREE */
  /* [joints] numbers of the bodies on both sides, 0 .. bodies - 1; `bodies`: a body that cannot move */
  const int32_t (*body)[2];
  /* [joints] index of the joint in the list of its mechanism's joints in the order of the world */
  int32_t *place;
  /* [3 joints] first column of a row of the Delassus matrix, which is stored as a skyline */
  int32_t *first;
  int32_t *at;   /* [3 joints + 1] index of a row's first entry in sc_tree_run.entry */
  int32_t *from; /* [joints + 1] links of joint i: link[from[i] .. from[i + 1]) */
  sc_tree_link *link;
} sc_tree_plan;

/* One body of a plan (sc_tree_plan). Lane l of each member belongs to the mechanism in lane l of the bundle.
 * Tensors are stored as xx, xy, xz, yy, yz, zz. */
typedef struct sc_tree_body {
  /* state at the start of a substep; v and w include the impulses at the start */
  sc_lane x[3], q[4], v[3], w[3];
  sc_lane to_x[3], to_q[4]; /* pose at the end of the substep */
  sc_lane to_w[3];          /* scratch: spin [rad/s], used while the number of substeps is computed */
  sc_lane inverse_mass;     /* [1/kg] */
  /* acceleration by gravity and applied forces [m/s2]; applied torque [N m] */
  sc_lane pull[3], torque[3];
  sc_lane inertia[6], inverse[6]; /* inertia and inverse in the body's frame [kg m2], [1/(kg m2)] */
  sc_lane K[6];                   /* inverse inertia in world axes at the start of a substep [1/(kg m2)] */
  sc_lane mass, counts;           /* mass [kg]; 1 if this rank's energy balance includes the body, else 0 */
  sc_lane from_x[3], from_w[3];   /* position and spin before the step */
  sc_lane length;                 /* length of the body (sc_body_scale) [m] */
  sc_lane swing, turn;            /* squared swing rate [1/s2]; rotation rate of arms [rad/s] */
} sc_tree_body;

/* One joint of a plan (sc_tree_plan). Lane l of each member belongs to the mechanism in lane l of the
 * bundle. */
typedef struct sc_tree_joint {
  /* anchor: anchor points in the bodies' frames [m]; arm: anchor points in world axes relative to the bodies'
   * centres of mass, at the start of a substep [m] */
  sc_lane anchor[2][3], arm[2][3];
  sc_lane x[3];     /* sum of impulses in the step, on the body of side 0 [N s] */
  sc_lane first[3]; /* `x` after the first position solve of the step [N s] */
  /* position error at the start of a substep [m]; 0 if it is a rounding error */
  sc_lane gap[3];
  /* velocity that remains in the substep because of conflicts between joints [m/s] */
  sc_lane rest[3];
  sc_lane force; /* size of the reaction in the last step [N] */
} sc_tree_joint;

/* position error up to which a substep counts as solved, in body lengths */
static const double SC_TREE_FOLLOWED = 1e-8,
                    SC_TREE_PLACED = 1e-12; /* position error that needs no correction, in body lengths */

enum {
  SC_TREE_OPEN = -2, /* instead of a number of substeps: each mechanism computes its own number */
  /* instead of a number of substeps: one substep without forces that starts from the impulses in `x` */
  SC_TREE_SHAKE = 0,
  SC_TREE_BREAKS = -3 /* result instead of a number of substeps: the load of a joint exceeds its strength */
};

/* Arguments, scratch and results of moving a bundle by a time dt, in `parts` substeps of length h. */
typedef struct sc_tree_run {
  const sc_tree_plan *plan;
  sc_tree_body *body;   /* [plan->bodies + 1] bodies; the last entry is the immovable body */
  sc_tree_joint *joint; /* [plan->joints] joints */
  /* entries of the Delassus matrix, later entries of its factors; plan->at has the index of each row */
  sc_lane *entry;
  /* [3 plan->joints] right side of the linear system for the joints' impulses, later its solution */
  sc_lane *want;
  double dt, h, gravity[3];
  int parts; /* number of substeps, > 0; or SC_TREE_OPEN or SC_TREE_SHAKE */
  /* work: work of loads; change: change of energy beyond the work of loads and gravity [J] */
  sc_lane work, change;
  int lanes;             /* number of lanes with a mechanism; all other lanes are copies of lane 0 */
  sc_lane length;        /* length of the largest body [m] */
  bool failed[SC_LANES]; /* true: the mechanism in this lane must be moved again, in `needs` substeps */
  int needs[SC_LANES];   /* number of substeps for the next attempt if failed */
  bool placed[SC_LANES]; /* true: position errors of this lane are below SC_TREE_PLACED */
  bool moved[SC_LANES];  /* true: the kernel `correct` has changed poses in this lane */
} sc_tree_run;

typedef void sc_tree_go(sc_tree_run *run);
/* Kernels for one SIMD width. All widths give the same bits. */
typedef struct sc_tree_kernels {
  sc_tree_go *move; /* moves the mechanisms by run->dt */
  /* sets to_x and to_q to poses without position errors, in lanes whose error exceeds SC_TREE_PLACED */
  sc_tree_go *correct;
} sc_tree_kernels;
extern const sc_tree_kernels sc_tree_scalar, sc_tree_avx2, sc_tree_avx512;
/* Returns the kernels for the SIMD width that sc_simd_best() returns. */
const sc_tree_kernels *sc_tree_best(void);

#endif
