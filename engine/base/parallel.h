/* Threads that work on one job together, and wait without burning a core.
 *
 * A pool runs a function once per thread, job(context, thread, threads); thread 0 is the caller. Waiting
 * spins for a short, bounded time and then sleeps, so that an oversubscribed core costs a context switch
 * and not a factor of a hundred. Results must not depend on the number of threads: divide work by fixed
 * blocks, not by thread. */
#ifndef SC_PARALLEL_H
#define SC_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_pool sc_pool;
typedef void (*sc_job)(void *context, int thread, int threads);

/* NULL without memory or threads. threads >= 1; a pool of 1 runs jobs in the caller. */
sc_pool *sc_pool_create(int threads);
void sc_pool_destroy(sc_pool *pool);
int sc_pool_threads(const sc_pool *pool); /* 1 for NULL */
/* So many processes like this one work side by side on this machine: where there are fewer cores than
 * threads of all, whoever waits leaves its core at once. pool may be NULL. */
void sc_pool_share_cores(sc_pool *pool, int processes);
/* Runs the job on all threads and returns when every one has finished. A NULL pool runs it in the caller. */
void sc_pool_run(sc_pool *pool, sc_job job, void *context);
/* Inside a job: waits until every thread of the pool has come here. */
void sc_pool_barrier(sc_pool *pool);

/* The same for a job whose barriers are close together, which one thread does sooner where others want the
 * cores. Whoever has one asks first whether the pool is crowded, once, and leaves it to one thread if so.
 * Where waits at many of the barriers ended in sleep the answer is yes for some times, twice as many
 * whenever that happens again at once. A NULL pool is never crowded. */
void sc_pool_run_close(sc_pool *pool, sc_job job, void *context);
bool sc_pool_is_crowded(sc_pool *pool);

/* Calls each(context, first, end) for every chunk of `chunk` neighbours of 0..count (the last may be
 * shorter), threads side by side. Few chunks are done by the caller alone. */
typedef void (*sc_range_work)(void *context, int64_t first, int64_t end);
void sc_pool_ranges(sc_pool *pool, int64_t count, int64_t chunk, sc_range_work each, void *context);
/* Chunks that suit most loops, and loops whose rounds cost as much as a dozen of those. */
enum { SC_RANGE = 4096, SC_SHORT_RANGE = 256 };
/* Sum of sum(context, first, end) over chunks of 0..count, added in order of the chunks, which depend on
 * count alone. */
typedef double (*sc_range_sum)(void *context, int64_t first, int64_t end);
double sc_pool_sum(sc_pool *pool, int64_t count, sc_range_sum sum, void *context);
/* Several sums over chunks of at least `chunk`: `each` adds to its part, which starts at 0. */
enum { SC_SUMS = 3 };
typedef void (*sc_range_sums)(void *context, int64_t first, int64_t end, double part[SC_SUMS]);
void sc_pool_sums(
    sc_pool *pool, int64_t count, int64_t chunk, sc_range_sums each, void *context, double total[SC_SUMS]);

/* Bounds of part `part` of `parts` nearly equal parts of 0..count. */
static inline void sc_part(int64_t count, int part, int parts, int64_t *first, int64_t *end) {
  *first = count * part / parts;
  *end = count * (part + 1) / parts;
}

#endif
