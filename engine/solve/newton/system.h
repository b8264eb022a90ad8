/* What the second-order solver works on: rows of contacts and joints, plain and scaled, and nothing of
 * where they came from.
 *
 * Contacts have a normal row and up to three parts of friction of one or two rows each (sliding, torsion,
 * rolling). Rows are scaled so that every part is bounded by the normal impulse: friction X_k over its
 * coefficient, velocities times it; an elliptic cone is a circle then. Impulses X and velocities U of a
 * contact obey, with s = sum |U_k| for laws that oppose the slip and 0 for the associated one,
 *     |X_k| <= X_n,   U + s e_n in the dual cone,   X . (U + s e_n) = 0       (De Saxce & Feng 1998)
 * A joint row obeys U = 0 for lo < X < hi, and may give way at its bounds.
 *
 * U = W X + soft X + q with one of two operators W, and the compliances `soft` of springs:
 *   bodies   W = H H' with six columns a body, in coordinates in which every body has unit mass and
 *            unit inertia (v sqrt(m), and the like for the spin)
 *   matrix   W as rows of numbers, for problems without bodies
 *
 * Newton's step has one block per contact: D dX + (I + G) dU = p, where G takes the derivative of the
 * shift to the normal row. In body space this is
 *     (E + H' S (I + G) H) dv = H' S (p - (I + G) off),    dX = S (p - (I + G) (off + H dv)),   S = D^-1
 * with one block row of six per body, however many contacts there are and however redundant they are; for
 * a matrix it is (W + (I - G) D) dX = (I - G) p - off. */
#ifndef SC_NEWTON_SYSTEM_H
#define SC_NEWTON_SYSTEM_H

#include "base/base.h"
#include "math/sparse/block_sparse.h"

enum { SC_NEWTON_PARTS = 3, SC_NEWTON_ROWS = 6 };

typedef struct sc_newton_item {
  int32_t body[2]; /* -1: none that can move */
  int32_t third;   /* index into system.third, -1: no third body that can move */
  int32_t row;     /* its first row */
  int32_t cone;    /* contacts: its first cone */
  int32_t block;   /* its dim x dim block in arrays of blocks */
  int dim;         /* rows */
  bool contact;    /* else a joint row */
  bool shifted;    /* friction opposes the slip */
  int parts, size[SC_NEWTON_PARTS];
  double lo, hi;               /* joint rows */
  double soft[SC_NEWTON_ROWS]; /* compliance of each row: U = W X + soft X + q; matrices contain it */
  double stiff;                /* mean diagonal entry of W with the softness, > 0 */
} sc_newton_item;

/* Third body of a joint row, and where its blocks with the bodies of the item lie: pairs (2,0), (0,2), (2,1),
 * (1,2), (2,2), of which those with bodies -1 are not set. */
typedef struct sc_newton_third {
  int32_t body;
  double H[6];
  sc_block_place place[5];
} sc_newton_third;

/* Of a matrix: rows of numbers. */
typedef struct sc_newton_matrix {
  int64_t *at; /* rows + 1 */
  int32_t *column;
  double *value;
} sc_newton_matrix;

typedef struct sc_newton_system {
  int32_t bodies, items, rows, cones, blocks; /* blocks: numbers in all of them */
  sc_newton_item *item;
  double (*H)[2][6]; /* per row and body; NULL: matrix */
  int32_t thirds;
  sc_newton_third *third;
  sc_newton_matrix matrix;
  double *q;
  /* filled by sc_newton_system_begin */
  sc_block_sparse sparse;
  sc_block_place (*place)[4]; /* per item: blocks (0,0), (0,1), (1,0), (1,1) of its bodies */
  int64_t *entry;             /* matrix: where each number goes */
  int32_t *of_row;            /* matrix: the item of a row */
  double *y, *dv, *left;      /* unknowns of the factorised matrix */
  int64_t factorisations;
} sc_newton_system;

/* The step's blocks: D and S = D^-1 (dim x dim at item.block), g (per row: the entries of G on the normal
 * row, 0 for the normal itself). */
typedef struct sc_newton_metric {
  double *D, *S, *g;
} sc_newton_metric;

/* Numbers rows, cones and blocks of the items; false where there are too many. Before H and q are filled. */
bool sc_newton_number(sc_newton_system *system);
/* item.stiff from H or the matrix; order, pattern and room of the factorisation. `most`: bytes of factors
 * that are too many. False without memory, or above `most`. */
bool sc_newton_system_begin(sc_newton_system *system, size_t most, sc_arena *arena);
/* U = W X + soft X + q; without q: U = W X + soft X. */
void sc_newton_velocities(sc_newton_system *system, const double *X, bool with_q, double *U);
bool sc_newton_factor(sc_newton_system *system, const sc_newton_metric *metric);
/* dX of D dX + (I + G) (W dX + off) = p, given p and S p; off = NULL: 0. */
/* Adds the compliances of a contact to its blocks D and S; false if it is rigid. In body space D dX + (I
 * + G) dU = p with dU = W dX + soft dX is (D + (I + G) soft) dX + (I + G) W dX = p. */
bool sc_newton_soften(const sc_newton_item *item, sc_newton_metric *metric);
void sc_newton_direction(sc_newton_system *system, const sc_newton_metric *metric, const double *p,
    const double *Sp, const double *off, double *dX);

#endif
