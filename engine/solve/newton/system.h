/* System of the second-order solver: scaled rows of contacts and joints, independent of the problem.
 *
 * Contacts have a normal row and up to three parts of friction of one or two rows each (sliding, torsion,
 * rolling). Rows are scaled so that the normal impulse is the bound of every part: friction impulses X_k are
 * divided by their coefficient, velocities are multiplied by it. This makes an elliptic cone circular.
 * Impulses X and velocities U of a contact obey, with s = sum |U_k| for laws whose friction opposes the slip
 * and s = 0 for the associated law,
 *     |X_k| <= X_n,   U + s e_n in the dual cone,   X . (U + s e_n) = 0       (De Saxce & Feng 1998)
 * A joint row obeys U = 0 for lo < X < hi, U >= 0 at X = lo, and U <= 0 at X = hi.
 *
 * U = W X + soft X + q with one of two operators W, and the compliances `soft` of springs:
 *   bodies   W = H H' with six columns a body, in coordinates in which every body has unit mass and
 *            unit inertia (v sqrt(m), and the corresponding spin)
 *   matrix   W as rows of numbers, for problems without bodies
 *
 * Newton's step has one block per contact: D dX + (I + G) dU = p. D and p depend on the method (interior.c,
 * semismooth.c), and G adds the derivative of the shift to the normal row. off is the residual of the
 * velocity equations. In body space this is
 *     (E + H' S (I + G) H) dv = H' S (p - (I + G) off),    dX = S (p - (I + G) (off + H dv)),   S = D^-1
 * with six rows per body for any number of redundant contacts. For a matrix the step is
 *     (W + (I - G) D) dX = (I - G) p - off. */
#ifndef SC_NEWTON_SYSTEM_H
#define SC_NEWTON_SYSTEM_H

#include "base/base.h"
#include "math/sparse/block_sparse.h"

enum { SC_NEWTON_PARTS = 3, SC_NEWTON_ROWS = 6 };

/* A contact or a joint row. */
typedef struct sc_newton_item {
  int32_t body[2]; /* number of each body; -1: the body cannot move */
  int32_t third;   /* index into system.third; -1: no third body that can move */
  int32_t row;     /* index of the first row */
  /* index of the first cone of a contact; a contact has one cone per friction part, at least one */
  int32_t cone;
  int32_t block;               /* index of the first entry of the item's dim x dim block in D and S */
  int dim;                     /* number of rows of the item */
  bool contact;                /* true: a contact; false: a joint row */
  bool shifted;                /* friction opposes the slip: s = sum |U_k| */
  int parts;                   /* number of friction parts */
  int size[SC_NEWTON_PARTS];   /* [parts] number of rows of each part */
  double lo, hi;               /* bounds of the impulse of a joint row */
  double soft[SC_NEWTON_ROWS]; /* [dim] compliance of each row; 0 if a matrix contains it */
  double stiff;                /* mean diagonal entry of W with the softness, > 0 */
} sc_newton_item;

/* Third body of a joint row. */
typedef struct sc_newton_third {
  int32_t body; /* number of the third body in the system */
  double H[6];
  /* blocks of the matrix for the body pairs (2,0), (0,2), (2,1), (1,2), (2,2); unset if a body cannot move */
  sc_block_place place[5];
} sc_newton_third;

/* A bare matrix W in compressed rows. */
typedef struct sc_newton_matrix {
  int64_t *at;     /* [rows + 1] first entry of each row */
  int32_t *column; /* [at[rows]] column of each entry */
  double *value;   /* [at[rows]] value of each entry */
} sc_newton_matrix;

/* A system; symbols as above. */
typedef struct sc_newton_system {
  int32_t bodies, items, rows, cones;
  int32_t blocks;       /* length of D and S: sum of dim^2 over all items */
  sc_newton_item *item; /* [items] contacts and joint rows */
  double (*H)[2][6];    /* [rows] row of H for its two bodies; NULL: `matrix` is used */
  int32_t thirds;
  sc_newton_third *third;  /* [thirds] third bodies of joint rows */
  sc_newton_matrix matrix; /* used if H is NULL */
  double *q;               /* [rows] velocities without impulses, scaled */
  /* the members below are set by sc_newton_system_begin */
  sc_block_sparse sparse;
  sc_block_place (*place)[4]; /* [items] blocks (0,0), (0,1), (1,0), (1,1) of the two bodies */
  int64_t *entry;             /* [at[rows]] for each entry of `matrix`, its index in sparse.value */
  int32_t *of_row;            /* [rows] item that a row belongs to; only set for a bare matrix */
  double *y, *dv, *left;      /* [sparse.rows] scratch; solution dv; residual of the linear system */
  int64_t factorisations;     /* number of factorisations so far */
} sc_newton_system;

/* Blocks of Newton's step for all items; symbols as above. */
typedef struct sc_newton_metric {
  double *D; /* [blocks] softness block D of each item */
  double *S; /* [blocks] stiffness block S = D^-1 of each item */
  double *g; /* [rows] entries of the row of G that belongs to the normal; 0 for the normal itself */
} sc_newton_metric;

/* Sets the row, cone and block indices of all items. Call it before H and q are filled. Returns false if
 * there are too many rows. */
bool sc_newton_number(sc_newton_system *system);
/* Computes item.stiff, and analyses and allocates the factorisation. most: maximum size of the factors
 * [bytes]. Returns false if out of memory or above `most`. */
bool sc_newton_system_begin(sc_newton_system *system, size_t most, sc_arena *arena);
/* Computes U = W X + soft X, plus q if with_q. */
void sc_newton_velocities(sc_newton_system *system, const double *X, bool with_q, double *U);
/* Factorises the matrix of Newton's step. Returns false if its values are not finite. */
bool sc_newton_factor(sc_newton_system *system, const sc_newton_metric *metric);
/* Adds the compliances of a contact to its blocks D and S. Returns false if the contact is rigid. In body
 * space D dX + (I + G) dU = p with dU = W dX + soft dX is (D + (I + G) soft) dX + (I + G) W dX = p. */
bool sc_newton_soften(const sc_newton_item *item, sc_newton_metric *metric);
/* Solves D dX + (I + G) (W dX + off) = p for dX. Call sc_newton_factor before. Sp: S p. off: NULL for 0. */
void sc_newton_direction(sc_newton_system *system, const sc_newton_metric *metric, const double *p,
    const double *Sp, const double *off, double *dX);

#endif
