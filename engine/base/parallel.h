/* Threads that work on one job together, and wait without burning a core.
 *
 * A pool runs a function once per thread, job(context, thread, threads); thread 0 is the caller. Waiting spins for a short,
 * bounded time and then sleeps, so that an oversubscribed core costs a context switch and not a factor of a hundred. Results
 * must not depend on the number of threads: divide work by fixed blocks, not by thread. */
#ifndef SC_PARALLEL_H
#define SC_PARALLEL_H

#include <stdint.h>

typedef struct sc_pool sc_pool;
typedef void (*sc_job)(void *context, int thread, int threads);

/* NULL without memory or threads. threads >= 1; a pool of 1 runs jobs in the caller. */
sc_pool *sc_pool_create(int threads);
void sc_pool_destroy(sc_pool *pool);
int sc_pool_threads(const sc_pool *pool); /* 1 for NULL */
/* Runs the job on all threads and returns when every one has finished. A NULL pool runs it in the caller. */
void sc_pool_run(sc_pool *pool, sc_job job, void *context);
/* Inside a job: waits until every thread of the pool has come here. */
void sc_pool_barrier(sc_pool *pool);

/* Bounds of part `part` of `parts` nearly equal parts of 0..count. */
static inline void sc_part(int64_t count, int part, int parts, int64_t *first, int64_t *end) {
  *first = count * part / parts;
  *end = count * (part + 1) / parts;
}

#endif
