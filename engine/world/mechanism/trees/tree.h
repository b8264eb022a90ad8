/* Mechanisms that are trees of ball joints. Mechanisms with equal trees share a plan and move together, one
 * in each lane of a bundle (tree_kernel.h). */
#ifndef SC_TREE_H
#define SC_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include "math/lanes/lane.h"

enum { SC_MOST_PARTS = 256 };               /* largest number of substeps of a step */
static const double SC_LARGEST_SWING = 0.7, /* largest swing rate times length of a substep [rad] */
    SC_LARGEST_TURN = 0.5;                  /* largest rotation of an arm or axis in a substep [rad] */

/* Returns the smallest power of two >= wanted, SC_MOST_PARTS at most. wanted: number of substeps that the
 * rates of a mechanism require. */
static inline int sc_parts_for(double wanted) {
  int parts = 1;
  while (parts < wanted && parts < SC_MOST_PARTS) parts *= 2;
  return parts;
}

/* Symmetry of a body's inertia, which selects the rotation free of torque: SC_TREE_TOP + axis (0 to 2): the
 * moments about the two other axes are equal; SC_TREE_BALL: all are equal; SC_TREE_FREE: none are. */
enum { SC_TREE_TOP, SC_TREE_BALL = 3, SC_TREE_FREE };

/* Joint i shares a movable body with an earlier joint. */
typedef struct sc_tree_link {
  int32_t joint;            /* the earlier joint, in the order of the plan */
  int32_t side, other_side; /* side of the shared body in joint i; in the earlier joint */
} sc_tree_link;

/* A tree, without the numbers of a particular mechanism. Joints are in elimination order. Body number
 * `bodies` stands for all immovable bodies and the ground. */
typedef struct sc_tree_plan {
  int32_t bodies, joints;   /* numbers of movable bodies and of joints; joints = 0: not a usable tree */
  const uint8_t *turns;     /* [bodies] SC_TREE_TOP + axis, SC_TREE_BALL or SC_TREE_FREE */
  const int32_t (*body)[2]; /* [joints] bodies of both sides, 0 .. bodies */
  int32_t *place;           /* [joints] index of the joint in the mechanism, in the world's order */
  int32_t *first;           /* [3 joints] first column of a row of the Delassus matrix (skyline form) */
  int32_t *at;              /* [3 joints + 1] index of a row's first entry in sc_tree_run.entry */
  int32_t *from;            /* [joints + 1] links of joint i: link[from[i] .. from[i + 1]) */
  sc_tree_link *link;
} sc_tree_plan;

/* A body in the mechanisms of a bundle. Tensors: xx, xy, xz, yy, yz, zz. */
typedef struct sc_tree_body {
  sc_lane x[3], q[4], v[3], w[3]; /* state at the start of a substep; v and w include the impulses there */
  sc_lane to_x[3], to_q[4];       /* pose at the end of the substep */
  sc_lane to_w[3];                /* scratch: spin while the number of substeps is computed */
  sc_lane inverse_mass;           /* [1/kg] */
  sc_lane pull[3], torque[3];     /* acceleration by gravity and loads [m/s2]; torque of loads [N m] */
  sc_lane inertia[6], inverse[6]; /* inertia and inverse in the body's frame [kg m2], [1/(kg m2)] */
  sc_lane K[6];                   /* inverse inertia in world axes at the start of a substep [1/(kg m2)] */
  sc_lane mass, counts;           /* [kg]; 1 if this rank's energy balance includes the body, else 0 */
  sc_lane from_x[3], from_w[3];   /* position and spin before the step */
  sc_lane length;                 /* length of the body (sc_body_scale) [m] */
  sc_lane swing, turn;            /* squared swing rate [1/s2]; rotation rate of arms [rad/s] */
} sc_tree_body;

/* A joint in the mechanisms of a bundle. */
typedef struct sc_tree_joint {
  sc_lane anchor[2][3], arm[2][3]; /* in the bodies' frames; in world axes at the start of a substep [m] */
  sc_lane x[3];                    /* sum of impulses in the step, on the body of side 0 [N s] */
  sc_lane first[3];                /* x after the first position solve of the step */
  sc_lane gap[3];                  /* position error at the start of a substep, 0 if due to rounding [m] */
  sc_lane rest[3];                 /* velocity that conflicts between joints leave in the substep [m/s] */
  sc_lane force;                   /* size of the reaction in the last step [N] */
} sc_tree_joint;

static const double SC_TREE_FOLLOWED = 1e-8, /* largest position error of a substep, in body lengths */
    SC_TREE_PLACED = 1e-12;                  /* position error that needs no correction, in body lengths */

enum {
  SC_TREE_OPEN = -2,  /* in place of a number of substeps: each mechanism computes its own number */
  SC_TREE_SHAKE = 0,  /* in place of a number of substeps: one substep without forces, from impulses in `x` */
  SC_TREE_BREAKS = -3 /* result: the load of a joint exceeds its strength */
};

/* A bundle that moves by dt, in `parts` substeps of length h. */
typedef struct sc_tree_run {
  const sc_tree_plan *plan;
  sc_tree_body *body;   /* [plan->bodies + 1] the last entry: the immovable body */
  sc_tree_joint *joint; /* [plan->joints] */
  sc_lane *entry;       /* Delassus matrix, later its factors */
  sc_lane *want;        /* [3 plan->joints] right side, later the solution */
  double dt, h, gravity[3];
  int parts;             /* number of substeps > 0, or SC_TREE_OPEN or SC_TREE_SHAKE */
  sc_lane work, change;  /* work of loads; change of energy by neither loads nor gravity [J] */
  int lanes;             /* number of lanes in use; the other lanes are copies of the first */
  sc_lane length;        /* length of the largest body [m] */
  bool failed[SC_LANES]; /* true: the mechanism must be moved again in `needs` substeps */
  int needs[SC_LANES];   /* number of substeps for the next try if failed */
  bool placed[SC_LANES]; /* true: position errors are below SC_TREE_PLACED */
  bool moved[SC_LANES];  /* true: `correct` has changed poses */
} sc_tree_run;

typedef void sc_tree_go(sc_tree_run *run);
/* Kernels of one SIMD width. All widths give the same bits. */
typedef struct sc_tree_kernels {
  sc_tree_go *move; /* moves the mechanisms by run->dt */
  /* sets to_x, to_q to poses without position errors, in lanes whose error exceeds SC_TREE_PLACED */
  sc_tree_go *correct;
} sc_tree_kernels;
extern const sc_tree_kernels sc_tree_scalar, sc_tree_avx2, sc_tree_avx512;
/* Returns the kernels of the width of sc_simd_best(). */
const sc_tree_kernels *sc_tree_best(void);

#endif
