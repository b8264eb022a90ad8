/* Phases: what each thread sweeps between two barriers.
 *
 * By colours (order.h) a thread's contacts lie in eight streams. Where these are short, many lanes stay
 * empty, for contacts of a body wait for each other, and threads wait for the one with the largest blocks.
 * So contacts move: up to the first phase in which all that its bodies meet before it has been swept, in
 * the same phase by the same thread alone; from there down again where another thread has more to do. All
 * contacts of a body keep their order, and no number changes. */
#ifndef SC_PHASES_H
#define SC_PHASES_H

#include "solve/sweeps/bundles/order.h"

/* Of an order, shared by so many threads: contacts first[k] .. first[k + 1] - 1 of its visits are thread k %
 * threads' in phase k / threads. */
typedef struct sc_phases {
  int threads, count;
  int32_t *first; /* SC_COLOURS * threads + 1; of phases that are not used empty */
} sc_phases;

/* Finds those of a pool's threads and sorts the order's visits by them; where contacts do not move, they are
 * the colours. One thread has one. False without memory. */
bool sc_phases_build(const sc_problem *problem, const sc_ball_pairs *pairs, sc_pool *pool, bool moves,
    sc_arena *arena, sc_order *order, sc_phases *phases);

#endif
