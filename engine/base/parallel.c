/* The thread pool. Threads wait for changes of counters: `generation` starts a job, `done` ends it, `barrier`
 * releases a barrier. */
#define _GNU_SOURCE /* for sched_getaffinity */
#include "base/parallel.h"
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Number of spins before a waiting thread sleeps. A spinning thread does not call sched_yield(), because
 * another process would then keep the core for a full time slice. A thread that wakes from sleep is scheduled
 * first. */
enum { SPINS = 2000 };
/* The pool is oversubscribed if more than one in OFTEN waits at barriers ended in a sleep. The caller's
 * thread alone then runs the next SHORTEST jobs. This number doubles, up to LONGEST, each time the pool is
 * found oversubscribed again. */
enum { OFTEN = 16, SHORTEST = 8, LONGEST = 1024 };

struct sc_pool {
  int threads;
  atomic_int spins; /* number of spins before a sleep: SPINS, or 0 if threads outnumber cores */
  sc_job job;
  void *context;
  atomic_uint generation; /* number of jobs started so far */
  atomic_int running;     /* number of threads, without the caller, that still run the present job */
  atomic_uint done;       /* number of jobs that all threads except the caller have finished */
  atomic_int arrived;     /* number of threads that wait at the present barrier */
  atomic_uint barrier;    /* number of barriers passed so far */
  atomic_int sleepers;    /* number of threads that sleep on `wake` */
  atomic_uint slept;      /* number of barrier waits that ended in a sleep */
  /* pause: number of further jobs that run on one thread; length: value that pause gets when the pool is
   * oversubscribed */
  int pause, length;
  atomic_bool stop;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pthread_t *thread;
};

typedef struct {
  sc_pool *pool;
  int index;
} worker_start;

static void pause_core(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Waits until *word differs from `seen`: first spins, then sleeps. Returns true if the thread slept. */
static bool wait_change(sc_pool *pool, atomic_uint *word, unsigned seen) {
  for (int i = 0, spins = atomic_load_explicit(&pool->spins, memory_order_relaxed); i < spins; i++) {
    if (atomic_load_explicit(word, memory_order_acquire) != seen) return false;
    pause_core();
  }
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->sleepers, 1);
  while (atomic_load(word) == seen) pthread_cond_wait(&pool->wake, &pool->lock);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->lock);
  return true;
}

/* Increments *word and wakes all threads that sleep on it. */
static void signal_change(sc_pool *pool, atomic_uint *word) {
  atomic_fetch_add(word, 1);
  if (atomic_load(&pool->sleepers) == 0) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

static void *run_worker(void *start) {
  sc_pool *pool = ((worker_start *)start)->pool;
  int index = ((worker_start *)start)->index;
  sc_free(start);
  unsigned seen = 0;
  for (;;) {
    wait_change(pool, &pool->generation, seen);
    seen++;
    if (atomic_load(&pool->stop)) return NULL;
    pool->job(pool->context, index, pool->threads);
    if (atomic_fetch_sub(&pool->running, 1) == 1) signal_change(pool, &pool->done);
  }
}

/* Returns the number of cores on which this process may run. */
static int count_cores(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

static bool start_worker(sc_pool *pool, int index) {
  worker_start *start = sc_alloc(sizeof *start);
  if (!start) return false;
  *start = (worker_start){pool, index};
  if (pthread_create(&pool->thread[index], NULL, run_worker, start) == 0) return true;
  sc_free(start);
  return false;
}

sc_pool *sc_pool_create(int threads) {
  sc_pool *pool = sc_alloc(sizeof *pool);
  if (!pool) return NULL;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pool->threads = 1;
  pool->length = SHORTEST;
  atomic_store(&pool->spins, threads <= count_cores() ? SPINS : 0);
  pool->thread = sc_alloc((size_t)threads * sizeof *pool->thread);
  while (pool->thread && pool->threads < threads && start_worker(pool, pool->threads)) pool->threads++;
  if (pool->threads == threads && pool->thread) return pool;
  sc_pool_destroy(pool);
  return NULL;
}

void sc_pool_destroy(sc_pool *pool) {
  if (!pool) return;
  atomic_store(&pool->stop, true);
  signal_change(pool, &pool->generation);
  for (int i = 1; i < pool->threads; i++) pthread_join(pool->thread[i], NULL);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->wake);
  sc_free(pool->thread);
  sc_free(pool);
}

void sc_pool_share_cores(sc_pool *pool, int processes) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (pool && (long)pool->threads * processes > online) atomic_store(&pool->spins, 0);
}

int sc_pool_threads(const sc_pool *pool) { return pool ? pool->threads : 1; }

void sc_pool_run(sc_pool *pool, sc_job job, void *context) {
  SC_ASSERT(job);
  if (!pool || pool->threads == 1) {
    job(context, 0, 1);
    return;
  }
  pool->job = job;
  pool->context = context;
  const unsigned seen = atomic_load(&pool->done);
  atomic_store(&pool->running, pool->threads - 1);
  signal_change(pool, &pool->generation);
  job(context, 0, pool->threads);
  wait_change(pool, &pool->done, seen);
}

void sc_pool_barrier(sc_pool *pool) {
  if (!pool || pool->threads == 1) return;
  unsigned seen = atomic_load(&pool->barrier);
  if (atomic_fetch_add(&pool->arrived, 1) + 1 == pool->threads) {
    atomic_store(&pool->arrived, 0);
    signal_change(pool, &pool->barrier);
  } else if (wait_change(pool, &pool->barrier, seen)) {
    atomic_fetch_add(&pool->slept, 1);
  }
}

bool sc_pool_is_crowded(sc_pool *pool) {
  if (!pool || !pool->pause) return false;
  pool->pause--;
  return true;
}

void sc_pool_run_close(sc_pool *pool, sc_job job, void *context) {
  const unsigned slept = pool ? atomic_load(&pool->slept) : 0, met = pool ? atomic_load(&pool->barrier) : 0;
  sc_pool_run(pool, job, context);
  if (!pool) return;
  const bool crowded = OFTEN * (atomic_load(&pool->slept) - slept) > atomic_load(&pool->barrier) - met;
  pool->pause = crowded ? pool->length : 0;
  pool->length = !crowded ? SHORTEST : pool->length < LONGEST ? 2 * pool->length : LONGEST;
}

/* ---- ranges ---- */

typedef struct ranges {
  int64_t count, chunk;
  sc_range_work each;
  void *context;
} ranges;

static void do_ranges(void *context, int thread, int threads) {
  const ranges *r = context;
  int64_t first, end;
  sc_part((r->count + r->chunk - 1) / r->chunk, thread, threads, &first, &end);
  for (int64_t c = first; c < end; c++)
    r->each(r->context, c * r->chunk, (c + 1) * r->chunk < r->count ? (c + 1) * r->chunk : r->count);
}

enum { FEW_CHUNKS = 2 }; /* with fewer chunks than this, waking threads would cost more time than it saves */

void sc_pool_ranges(sc_pool *pool, int64_t count, int64_t chunk, sc_range_work each, void *context) {
  SC_ASSERT(count >= 0 && chunk > 0 && each);
  ranges r = {count, chunk, each, context};
  sc_pool_run(count < FEW_CHUNKS * chunk ? NULL : pool, do_ranges, &r);
}

enum { MOST_SUMS = 1024 };
typedef struct sums {
  int64_t chunk;
  sc_range_sum sum;
  void *context;
  double part[MOST_SUMS];
} sums;

static void do_sum(void *context, int64_t first, int64_t end) {
  sums *s = context;
  s->part[first / s->chunk] = s->sum(s->context, first, end);
}

static int64_t chunk_of(int64_t count, int64_t chunk) {
  int64_t least = (count + MOST_SUMS - 1) / MOST_SUMS;
  return least > chunk ? least : chunk;
}

/* Computes the sum of each chunk (s->part). Returns the number of chunks. */
static int64_t do_sums(sc_pool *pool, int64_t count, sums *s) {
  s->chunk = chunk_of(count, SC_RANGE);
  sc_pool_ranges(pool, count, s->chunk, do_sum, s);
  return (count + s->chunk - 1) / s->chunk;
}

double sc_pool_sum(sc_pool *pool, int64_t count, sc_range_sum sum, void *context) {
  SC_ASSERT(count >= 0 && sum);
  sums s;
  s.sum = sum, s.context = context;
  int64_t chunks = do_sums(pool, count, &s);
  double total = 0;
  for (int64_t c = 0; c < chunks; c++) total += s.part[c];
  return total;
}

typedef struct several {
  int64_t chunk;
  sc_range_sums each;
  void *context;
  double part[MOST_SUMS][SC_SUMS];
} several;

static void do_several(void *context, int64_t first, int64_t end) {
  several *s = context;
  double *part = s->part[first / s->chunk];
  memset(part, 0, sizeof *s->part);
  s->each(s->context, first, end, part);
}

void sc_pool_sums(
    sc_pool *pool, int64_t count, int64_t chunk, sc_range_sums each, void *context, double total[SC_SUMS]) {
  SC_ASSERT(count >= 0 && chunk > 0 && each);
  several s;
  s.chunk = chunk_of(count, chunk), s.each = each, s.context = context;
  sc_pool_ranges(pool, count, s.chunk, do_several, &s);
  memset(total, 0, SC_SUMS * sizeof *total);
  for (int64_t first = 0; first < count; first += s.chunk)
    for (int k = 0; k < SC_SUMS; k++) total[k] += s.part[first / s.chunk][k];
}
