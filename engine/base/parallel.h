/* A pool of threads that work on one job together.
 *
 * A pool runs job(context, thread, threads) once per thread; thread 0 is the caller. A waiting thread spins
 * for a short, bounded time and then sleeps. If there are more threads than free cores, a wait therefore
 * costs a context switch, not a slowdown by a factor of a hundred. Results must not depend on the number of
 * threads: divide work into blocks of fixed size, not by thread. */
#ifndef SC_PARALLEL_H
#define SC_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_pool sc_pool;
typedef void (*sc_job)(void *context, int thread, int threads);

/* Returns a pool of `threads` >= 1 threads, including the caller; a pool of 1 thread runs jobs in the caller.
 * Returns NULL if out of memory or if a thread cannot be created. */
sc_pool *sc_pool_create(int threads);
/* Ends the threads and frees the pool; NULL: does nothing. */
void sc_pool_destroy(sc_pool *pool);
/* Returns the number of threads of a pool; 1 if pool is NULL. */
int sc_pool_threads(const sc_pool *pool);
/* Declares that `processes` processes with as many threads run on this machine. If all threads together
 * outnumber the cores, waiting threads sleep at once. pool may be NULL. */
void sc_pool_share_cores(sc_pool *pool, int processes);
/* Runs the job on all threads and returns when every thread has finished. If pool is NULL, the caller runs
 * the job. */
void sc_pool_run(sc_pool *pool, sc_job job, void *context);
/* Inside a job: waits until every thread of the pool has called this function. */
void sc_pool_barrier(sc_pool *pool);

/* Runs a job like sc_pool_run. For jobs with many barriers in short succession: measures how many waits at
 * barriers ended in a sleep. Call sc_pool_is_crowded once before such a job. If it returns true, run the job
 * on one thread. */
void sc_pool_run_close(sc_pool *pool, sc_job job, void *context);
/* Returns true if the next job with many barriers should run on one thread, because other programs use the
 * cores. After a job in which more than 1/16 of the waits at barriers ended in a sleep, the function returns
 * true 8 times. This number doubles, up to 1024, each time the following job on all threads exceeds this
 * share of sleeps, too. Returns false if pool is NULL. */
bool sc_pool_is_crowded(sc_pool *pool);

/* A function that does the work on the indices first .. end - 1. */
typedef void (*sc_range_work)(void *context, int64_t first, int64_t end);
/* Calls each(context, first, end) on all threads for every chunk of `chunk` consecutive indices of 0 .. count
 * - 1. The last chunk may be shorter. If pool is NULL or there are fewer than two chunks, the caller does all
 * chunks in order. */
void sc_pool_ranges(sc_pool *pool, int64_t count, int64_t chunk, sc_range_work each, void *context);
/* Chunk sizes [indices]. SC_RANGE: for most loops; SC_SHORT_RANGE: for loops with about twelve times as much
 * work per index. */
enum { SC_RANGE = 4096, SC_SHORT_RANGE = 256 };
/* A function that returns a sum over the indices first .. end - 1. */
typedef double (*sc_range_sum)(void *context, int64_t first, int64_t end);
/* Returns the sum of sum(context, first, end) over all chunks of 0 .. count - 1, added in the order of the
 * chunks. The chunks depend only on count. If pool is NULL, the caller computes the sum, with the same
 * bits. */
double sc_pool_sum(sc_pool *pool, int64_t count, sc_range_sum sum, void *context);
/* Number of sums that one call of sc_pool_sums computes. */
enum { SC_SUMS = 3 };
typedef void (*sc_range_sums)(void *context, int64_t first, int64_t end, double part[SC_SUMS]);
/* Sets total to SC_SUMS sums over the indices 0 .. count - 1, which are divided into chunks of at least
 * `chunk` indices. each: adds the sums over one chunk to its argument `part`, which is 0 before the call. The
 * results of the chunks are added in the order of the chunks. */
void sc_pool_sums(
    sc_pool *pool, int64_t count, int64_t chunk, sc_range_sums each, void *context, double total[SC_SUMS]);

/* Divides the indices 0 .. count - 1 into `parts` nearly equal parts. Sets *first and *end so that part
 * number `part` has the indices *first .. *end - 1. */
static inline void sc_part(int64_t count, int part, int parts, int64_t *first, int64_t *end) {
  *first = count * part / parts;
  *end = count * (part + 1) / parts;
}

#endif
