/* Exchange of velocities between the ranks that solve parts of one problem.
 *
 * A shared body has a copy on several ranks. Each copy has a share of the mass. After each sweep all copies
 * are set to the mean of their velocities, so momentum is conserved to rounding. Messages travel while
 * contacts without shared bodies are swept:
 *   start     Sends the velocities of the shared bodies at the end of the sweep.
 *   advance   Receives and answers messages that have arrived. Changes shared bodies only. Call it between
 *             pieces of other work. Returns false if no message is outstanding.
 *   finish    Waits for all outstanding messages. All shared bodies then have their mean velocities.
 *   largest   Returns the maximum of a number over all ranks.
 *   decide    Call it once per sweep with the largest change on this rank. Returns the change that decides
 *             whether to do another sweep, the same number on every rank. first: no earlier decision is
 *             outstanding.
 *   conclude  Call it after the last sweep. Returns the largest change in that sweep over all ranks.
 *   move      Extrapolates data of other ranks by beta, as momentum does with the bodies
 *             (solve/sweeps/momentum.h). NULL: there are no such data.
 * One thread calls all functions, in the same order on all ranks. If an exchange fails, the process group
 * ends and the function does not return. */
#ifndef SC_EXCHANGE_H
#define SC_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

struct sc_solver_body;

typedef struct sc_exchange {
  void *context;
  const uint8_t *shared; /* [bodies] nonzero: the body is shared; NULL: no body is shared */
  bool moves_all;        /* true: finish changes all bodies, so all threads must have finished their sweeps */
  void (*start)(void *context, const struct sc_solver_body *body);
  bool (*advance)(void *context, struct sc_solver_body *body);
  void (*finish)(void *context, struct sc_solver_body *body);
  double (*largest)(void *context, double value);
  double (*decide)(void *context, bool first, double value);
  double (*conclude)(void *context, double value);
  void (*move)(void *context, double beta);
} sc_exchange;

/* Exchange of a problem on one rank: sends nothing, and each number is its own maximum over all ranks. */
extern const sc_exchange sc_exchange_none;

/* Starts an exchange and waits until it is finished. */
static inline void sc_exchange_meet(const sc_exchange *exchange, struct sc_solver_body *body) {
  exchange->start(exchange->context, body);
  exchange->finish(exchange->context, body);
}

#endif
