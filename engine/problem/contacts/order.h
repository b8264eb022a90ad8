/* The order in which Gauss-Seidel visits contacts, and its division among threads.
 *
 * Space is divided into cubic blocks. Their width is a multiple of the mean length of a contact (distance of
 * the two bodies), and at least the length of the longest contact. The coordinates of a contact's block are
 * the componentwise minimum over the blocks of its two bodies. Contacts of one block therefore have bodies in
 * this block and its upper neighbours only. The parity of the three coordinates is the colour of a block: two
 * blocks of one colour share no movable body. Contacts are visited colour by colour, block by block, and in
 * the order of the list within a block. The order does not depend on the number of threads. Threads may
 * process blocks of one colour at the same time. */
#ifndef SC_ORDER_H
#define SC_ORDER_H

#include "base/base.h"
#include "problem/problem.h"

enum { SC_COLOURS = 8 };
/* Width of a block of ball contacts, in mean distances of the two bodies of a contact. Ball contacts are
 * cheap, so a thread needs many of them in a row. */
enum { SC_BALL_BLOCKS = 8 };
/* Width of a block of general contacts, in mean distances of the two bodies of a contact. A body has more
 * general contacts than ball contacts, and small beds must have blocks for all threads. */
enum { SC_GENERAL_BLOCKS = 4 };
/* Number of general contacts from which their bundles do not fit into caches. Blocks are then wider, because
 * a body is fetched once for each of its blocks. */
enum { SC_MANY_GENERALS = 1 << 18 };
/* Returns the width of blocks of general contacts, in mean distances of the two bodies of a contact. */
static inline int sc_general_blocks(int32_t contacts) {
  return contacts < SC_MANY_GENERALS ? SC_GENERAL_BLOCKS : SC_BALL_BLOCKS;
}

typedef struct sc_order {
  int32_t count;
  int32_t *visit; /* [count] contacts in the order of visits */
  int32_t blocks;
  int32_t *block_first;                 /* [blocks + 1] offsets into visit, blocks sorted by colour */
  int32_t colour_block[SC_COLOURS + 1]; /* index of the first block of each colour */
} sc_order;

/* Computes in the arena the order in which sweeps visit `count` contacts. lengths: width of blocks, in mean
 * distances of the two bodies of a contact. Contact c has the bodies first[c * stride] and second[c * stride]
 * (stride in int32 units). pool may be NULL. Returns false if out of memory. */
bool sc_order_build(const sc_problem *problem, int lengths, int32_t count, const int32_t *first,
    const int32_t *second, size_t stride, sc_pool *pool, sc_arena *arena, sc_order *order);

/* Splits an order in two, with the same blocks and colours: part[0] has the contacts with a marked body,
 * part[1] all others. marked: [bodies] nonzero: marked. first, second, stride: as in sc_order_build. Returns
 * false if out of memory. */
bool sc_order_split(const sc_order *whole, const uint8_t *marked, const int32_t *first, const int32_t *second,
    size_t stride, sc_arena *arena, sc_order part[2]);

/* Divides visits among threads. Visits first[k] .. first[k + 1] - 1 belong to thread k % threads in colour
 * k / threads. Every colour is divided at block boundaries. Each boundary is chosen such that the threads
 * before it have their equal share of the contacts of all colours so far. first:
 * [SC_COLOURS * threads + 1]. */
void sc_order_share(const sc_order *order, int threads, int32_t *first);

#endif
