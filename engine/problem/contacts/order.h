/* The order in which Gauss-Seidel visits contacts, and how it is shared among threads.
 *
 * Space is cut into cubic blocks, some times as wide as a typical contact is long, and at least as wide
 * as the longest. A contact belongs to the block at the componentwise least corner of the blocks its two
 * bodies lie in, so contacts of one block touch bodies of that block and of its upper neighbours only.
 * Blocks are coloured by the parity of their three coordinates: two blocks of one colour share no body.
 * The visit goes colour by colour, block by block, and inside a block in the order of the list. Nothing
 * here depends on the number of threads, and blocks of one colour may run side by side. Immovable bodies
 * need no colour. */
#ifndef SC_ORDER_H
#define SC_ORDER_H

#include "base/base.h"
#include "problem/problem.h"

enum { SC_COLOURS = 8 };
/* Width of a block over the length of a contact. Ball contacts are cheap, so a thread needs many of them in
 * a row. A body has more general contacts, and small beds must have blocks for all threads. From
 * SC_MANY_GENERALS contacts on, bundles do not fit into caches, and a body is fetched once for each of its
 * blocks. */
enum { SC_BALL_BLOCKS = 8, SC_GENERAL_BLOCKS = 4, SC_MANY_GENERALS = 1 << 18 };
static inline int sc_general_blocks(int32_t contacts) {
  return contacts < SC_MANY_GENERALS ? SC_GENERAL_BLOCKS : SC_BALL_BLOCKS;
}

typedef struct sc_order {
  int32_t count;
  int32_t *visit; /* contacts in the order of the visit */
  int32_t blocks;
  int32_t *block_first;                 /* blocks + 1 offsets into visit, blocks sorted by colour */
  int32_t colour_block[SC_COLOURS + 1]; /* first block of each colour */
} sc_order;

/* Orders count contacts, in blocks `lengths` times as wide as a contact is long. Their bodies are
 * first[c * stride], second[c * stride] (stride in int32 units); on the threads of a pool or alone (NULL).
 * False without memory. */
bool sc_order_build(const sc_problem *problem, int lengths, int32_t count, const int32_t *first,
    const int32_t *second, size_t stride, sc_pool *pool, sc_arena *arena, sc_order *order);

/* Splits an order in two that keep its blocks and colours: contacts of which a body is marked (a byte a
 * body), and the others. first, second, stride as above. False without memory. */
bool sc_order_split(const sc_order *whole, const uint8_t *marked, const int32_t *first, const int32_t *second,
    size_t stride, sc_arena *arena, sc_order part[2]);

/* Shares visits out among threads: those first[k] .. first[k + 1] - 1 are thread k % threads' in colour
 * k / threads. Colours are cut at block boundaries, each so that the shares of all up to it are alike. */
void sc_order_share(const sc_order *order, int threads, int32_t *first);

#endif
