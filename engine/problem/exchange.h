/* What lies beyond a part of a problem that is spread over several ranks.
 *
 * A body that several ranks hold (shared: nonzero) has a copy in each, with a share of the mass, and
 * after each sweep gets the mean of its copies' velocities, which keeps momentum to rounding whatever
 * impulses were given. Messages travel while contacts that touch no shared body are swept:
 *   start     the velocities of the shared bodies are those of the end of the sweep: they leave
 *   advance   between pieces of other work: takes what has come and answers it; touches shared bodies
 *             only; false once nothing is on its way any more
 *   finish    waits for the rest: all shared bodies have their means
 *   largest   the largest of a number over all ranks, the same on each
 *   decide    once a sweep, with this rank's largest change: the change that decides whether to sweep on,
 *             the same on each rank. `first`: no decision is on its way
 *   conclude  once sweeps have ended: the largest change of the last one over all ranks
 *   move      after bodies have moved on by momentum (solve/sweeps/momentum.h): what lies beyond does, too,
 *             by the same beta; NULL where nothing does
 * All are called from one thread, in the same order on all ranks. A failed exchange ends the process
 * group; none returns then. */
#ifndef SC_EXCHANGE_H
#define SC_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

struct sc_solver_body;

typedef struct sc_exchange {
  void *context;
  const uint8_t *shared; /* a byte a body; NULL: no body is shared */
  bool moves_all;        /* finish changes all bodies, so it waits until all threads have swept */
  void (*start)(void *context, const struct sc_solver_body *body);
  bool (*advance)(void *context, struct sc_solver_body *body);
  void (*finish)(void *context, struct sc_solver_body *body);
  double (*largest)(void *context, double value);
  double (*decide)(void *context, bool first, double value);
  double (*conclude)(void *context, double value);
  void (*move)(void *context, double beta);
} sc_exchange;

/* Nothing lies beyond: every number is its own largest. */
extern const sc_exchange sc_exchange_none;

/* A whole round at once. */
static inline void sc_exchange_meet(const sc_exchange *exchange, struct sc_solver_body *body) {
  exchange->start(exchange->context, body);
  exchange->finish(exchange->context, body);
}

#endif
