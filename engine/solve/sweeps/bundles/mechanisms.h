/* Mechanisms in bundles: those whose rows hold without give and close no loop, eight of the same form side by
 * side. A form is the bodies of every row, in numbers of the mechanism's own; one order and one skyline serve
 * all mechanisms of it. Others are blocks (joint_blocks.h). */
#ifndef SC_MECHANISMS_H
#define SC_MECHANISMS_H

#include "math/lanes/lane.h"
#include "solve/joints/joint_lists.h"

/* Two rows that share a movable body, by these sides; a row is linked to itself. */
typedef struct sc_row_link {
  int32_t row, side, other_side;
} sc_row_link;

/* Rows in the order in which they are eliminated. Body `bodies` stands for what cannot move. */
typedef struct sc_mechanism_form {
  int32_t bodies, rows; /* rows = 0: no form for bundles */
  bool points;          /* every three rows hold a point, along the axes of the world one after the other */
  int32_t (*ends)[2];   /* per row: bodies of its sides */
  int32_t *place;       /* per row: which of the mechanism's it is, in the problem's order */
  /* of the Delassus matrix in skyline form: first column and place of a row; links of row i with itself and
   * earlier ones: link[from[i]] .. link[from[i + 1]] */
  int32_t *first, *at, *from;
  sc_row_link *link;
} sc_mechanism_form;

typedef struct sc_mechanism_row {
  sc_lane lin[2][3], ang[2][3], turn[2][3]; /* per side; turn: K ang, with factors */
} sc_mechanism_row;

/* Three rows that hold a point, in half the room: lin is an axis, ang are the columns of a cross product. */
typedef struct sc_mechanism_point {
  sc_lane arm[2][3];     /* ang of the row along axis k: arm x axis k */
  sc_lane turn[2][3][3]; /* of these rows, with factors */
} sc_mechanism_point;

typedef struct sc_mechanism_bundle {
  int32_t form, count;
  int32_t (*body)[SC_LANES];  /* bodies + 1: rows of the problem's; the last is what cannot move */
  int32_t (*index)[SC_LANES]; /* per row: of problem.joint_row */
  sc_lane *bias, *sum;        /* per row; sum: impulse that was added to it */
  sc_lane *past;              /* sums before the last sweep; NULL without momentum */
  sc_mechanism_point *point;  /* where the form has points, or */
  sc_mechanism_row *row;
  sc_lane *entry;
  sc_lane *inverse_mass, (*K)[6]; /* of bodies */
} sc_mechanism_bundle;

/* Room for the work of a thread: bodies as columns, and the right side. */
typedef struct sc_mechanism_room {
  sc_lane (*body)[8];
  sc_lane *want;
} sc_mechanism_room;

typedef struct sc_mechanisms {
  int32_t forms, count;
  int32_t busy; /* bundles whose bodies others push; those behind are solved once and for all */
  sc_mechanism_form *form;
  sc_mechanism_bundle *bundle;
  sc_mechanism_room *room; /* per thread */
} sc_mechanisms;

/* Bundles what fits out of lists, with factors. False without memory. */
bool sc_mechanisms_build(const sc_problem *problem, sc_joint_lists *lists, int threads, sc_arena *arena,
    sc_mechanisms *mechanisms);
/* Orders bundles by whether a body of theirs, but for one that cannot move, is marked. */
void sc_mechanisms_sort(sc_mechanisms *mechanisms, const uint8_t *pushed);
/* For momentum: sums begin with the impulses of the problem's rows, which are 0 until they are unpacked.
 * False without memory. */
bool sc_mechanisms_remember(const sc_mechanisms *mechanisms, const sc_problem *problem, sc_arena *arena);
/* Rows are to keep still, sums are 0; adds sums to the impulses of the problem's rows, and they are 0. */
void sc_mechanisms_still(const sc_mechanisms *mechanisms);
void sc_mechanisms_unpack(const sc_mechanisms *mechanisms, const sc_problem *problem);

#endif
