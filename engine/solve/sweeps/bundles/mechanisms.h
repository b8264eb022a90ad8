/* Mechanisms in bundles: eight mechanisms of the same form are solved in SIMD lanes. All their rows must be
 * locked without softness, and they must have no loops. Other mechanisms are blocks (joint_blocks.h). A form
 * is the list of the bodies of all rows, numbered within the mechanism. All mechanisms of a form have the
 * same order and the same skyline. */
#ifndef SC_MECHANISMS_H
#define SC_MECHANISMS_H

#include "math/lanes/lane.h"
#include "solve/joints/joint_lists.h"

/* Two rows that share a movable body. A row is linked to itself. */
typedef struct sc_row_link {
  int32_t row;              /* index of the other row */
  int32_t side, other_side; /* side of the shared body in this row and in the other row: 0 or 1 */
} sc_row_link;

/* Structure of a mechanism. Rows are in the order of elimination. Body number `bodies` is the immovable
 * body. */
typedef struct sc_mechanism_form {
  int32_t bodies;     /* number of movable bodies */
  int32_t rows;       /* number of rows; 0: mechanisms of this form become blocks */
  bool points;        /* each three rows lock a point, along the axes x, y, z of the world */
  int32_t (*ends)[2]; /* [rows] numbers of both bodies */
  int32_t *place;     /* [rows] index of the row in the mechanism's list, which has the problem's order */
  int32_t *first;     /* [rows] first column in the skyline of the Delassus matrix */
  int32_t *at;        /* [rows + 1] index of the first entry of a row in the skyline */
  int32_t *from;      /* [rows + 1] links of row i to itself and earlier rows: from[i] .. from[i + 1] - 1 */
  sc_row_link *link;  /* [from[rows]] links of all rows */
} sc_mechanism_form;

/* One row of eight mechanisms. */
typedef struct sc_mechanism_row {
  sc_lane lin[2][3], ang[2][3]; /* Jacobian of the row, per side: for velocity and for spin */
  /* [side] K ang, the change of the scaled spin per unit impulse; computed with the factors */
  sc_lane turn[2][3];
} sc_mechanism_row;

/* Three rows that lock a point, in half the memory. The lin of row k is axis k. */
typedef struct sc_mechanism_point {
  sc_lane arm[2][3]; /* [side] arm of the point: the ang of row k is arm x axis k */
  /* [side][row] K ang, the change of the scaled spin per unit impulse; computed with the factors */
  sc_lane turn[2][3][3];
} sc_mechanism_point;

/* Up to eight mechanisms of one form. */
typedef struct sc_mechanism_bundle {
  int32_t form;               /* index in sc_mechanisms.form */
  int32_t count;              /* used lanes; other lanes are copies of the first */
  int32_t (*body)[SC_LANES];  /* [bodies + 1] rows of problem.body; the last is the immovable body */
  int32_t (*index)[SC_LANES]; /* [rows] indices into problem.joint_row */
  sc_lane *bias;              /* [rows] velocity bias of each row */
  sc_lane *sum;               /* [rows] impulses that are not yet added to problem.joint_row */
  sc_lane *past;              /* [rows] values of `sum` before the last sweep; NULL without momentum */
  sc_mechanism_point *point;  /* [rows / 3] points; NULL unless the form has points */
  sc_mechanism_row *row;      /* [rows] Jacobian rows; NULL if the form has points */
  sc_lane *entry;             /* [form.at[rows]] skyline factor of the Delassus matrix */
  sc_lane *inverse_mass;      /* [bodies + 1] inverse masses */
  sc_lane (*K)[6];            /* [bodies + 1] scaled inverse inertias in world axes (sc_inertia_row) */
} sc_mechanism_bundle;

/* Scratch of a thread. */
typedef struct sc_mechanism_room {
  sc_lane (*body)[8]; /* [bodies + 1 of the largest mechanism] bodies, one lane per mechanism */
  sc_lane *want;      /* [rows of the largest mechanism] right-hand side, then solution */
} sc_mechanism_room;

typedef struct sc_mechanisms {
  int32_t forms, count; /* numbers of forms and bundles */
  /* number of bundles with contacts or bonds; they come first, and later bundles are solved only once */
  int32_t busy;
  sc_mechanism_form *form;     /* [forms] structure of each form */
  sc_mechanism_bundle *bundle; /* [count] bundles of eight mechanisms */
  sc_mechanism_room *room;     /* [threads] scratch */
} sc_mechanisms;

/* Moves all mechanisms that bundles support from the lists to bundles. Does not compute the factors. Returns
 * false if out of memory. */
bool sc_mechanisms_build(const sc_problem *problem, sc_joint_lists *lists, int threads, sc_arena *arena,
    sc_mechanisms *mechanisms);
/* Moves bundles with a marked movable body to the front and counts them in `busy`. pushed: [bodies]. */
void sc_mechanisms_sort(sc_mechanisms *mechanisms, const uint8_t *pushed);
/* Prepares momentum: moves the impulses of the problem's rows to `sum`, so these rows are 0 until
 * sc_mechanisms_unpack. Returns false if out of memory. */
bool sc_mechanisms_remember(const sc_mechanisms *mechanisms, const sc_problem *problem, sc_arena *arena);
/* Sets the biases and sums of all bundles to 0, for a position problem. */
void sc_mechanisms_still(const sc_mechanisms *mechanisms);
/* Adds the sums to the impulses of the problem's rows, and sets the sums to 0. */
void sc_mechanisms_unpack(const sc_mechanisms *mechanisms, const sc_problem *problem);

#endif
