/* Measures one setting of a bed: windows of steps, CPU time of the busiest thread, and times to a
 * residual. */
#include "bench/bench.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOWS = 4, THREADS_MOST = 1024 };

/* ---- CPU time by thread ---- */

/* CPU times of the threads of this process, by thread id. */
typedef struct clocks {
  int count;
  long id[THREADS_MOST];
  double seconds[THREADS_MOST];
} clocks;

static double seconds_of(clockid_t id) {
  struct timespec t;
  return clock_gettime(id, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads the CPU time of every thread of this process; only of the caller if the system does not list
 * threads. */
static void read_clocks(clocks *c) {
  c->count = 0;
#if defined(__linux__)
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks && (task = readdir(tasks)) && c->count < THREADS_MOST;) {
    long id = strtol(task->d_name, NULL, 10);
    if (id <= 0) continue;
    c->id[c->count] = id;
    /* the kernel's name for the clock of a thread */
    c->seconds[c->count++] = seconds_of((clockid_t)(~(unsigned)id << 3 | 6));
  }
  if (tasks) closedir(tasks);
#endif
  if (!c->count) c->id[0] = 0, c->seconds[c->count++] = seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns the CPU time of the thread that worked most between two readings [s]. */
static double find_busiest_seconds(const clocks *from, const clocks *to) {
  double most = 0;
  for (int i = 0; i < to->count; i++) {
    double before = 0;
    for (int k = 0; k < from->count; k++)
      if (from->id[k] == to->id[i]) before = from->seconds[k];
    most = fmax(most, to->seconds[i] - before);
  }
  return most;
}

/* ---- windows ---- */

static double stage_seconds(const scree_report *from, const scree_report *to) {
  double sum = 0;
  for (int s = 0; s < SCREE_STAGES; s++) sum += to->seconds[s] - from->seconds[s];
  return sum;
}

/* Measures one window. The split into stages is by wall clock, the total by CPU time of the busiest
 * thread. */
static scree_status measure_window(scree_world *world, bench_row *row, clocks clock[2], scree_error *error) {
  scree_report before, *after = &row->report;
  int steps = row->bed->window;
  scree_world_report(world, &before);
  read_clocks(clock);
  double start = seconds_of(CLOCK_MONOTONIC);
  scree_status status = scree_world_step(world, steps, error);
  double wall = (seconds_of(CLOCK_MONOTONIC) - start) / steps;
  read_clocks(clock + 1);
  if (status != SCREE_OK) return status;
  scree_world_report(world, after);
  double step = find_busiest_seconds(clock, clock + 1) / steps;
  double share = (after->seconds[SCREE_STAGE_SOLVE] - before.seconds[SCREE_STAGE_SOLVE]) /
      stage_seconds(&before, after);
  double visits = 1e-9 * row->sweeps * (double)(after->contacts > 0 ? after->contacts : 1);
  row->wall = fmin(row->wall, wall);
  row->solver = fmin(row->solver, share * step / visits);
  row->rebuilds = (double)(after->rebuilds - before.rebuilds) / steps;
  if (!(step < row->step)) return SCREE_OK;
  row->step = step, row->whole = step / visits, row->outside = 1 - share;
  for (int s = 0; s < SCREE_STAGES; s++)
    row->stage[s] = step * (after->seconds[s] - before.seconds[s]) / stage_seconds(&before, after);
  return SCREE_OK;
}

/* ---- times to a residual ---- */

/* Measures the time until the residual of the next step's contact problem is below `wanted` times the
 * velocity scale. The solver stops when the change in a sweep is below its tolerance. If the residual is
 * then still too large, the function halves the tolerance and solves again. */
static scree_status time_to(
    scree_world *world, double wanted, int cold, int64_t most, bench_time *out, scree_error *error) {
  scree_solver_def solver = scree_world_get_def(world)->solver;
  *out = (bench_time){NAN, NAN, 0};
  solver.iterations = most;
  solver.min_iterations = 1;
  solver.tolerance = wanted;
  for (int attempt = 0; attempt < 12; attempt++, solver.tolerance *= 0.5) {
    scree_problem_result result;
    scree_status status = scree_world_try_solver(world, &solver, cold, &result, error);
    if (status != SCREE_OK) return status;
    out->reached = result.residual / result.scale;
    out->sweeps = result.iterations;
    if (result.residual <= wanted * result.scale) {
      out->seconds = result.seconds;
      return SCREE_OK;
    }
    if (result.iterations >= solver.iterations) return SCREE_OK;
  }
  return SCREE_OK;
}

static scree_status measure_times(scree_world *world, double patience, bench_row *row, scree_error *error) {
  int64_t most = 1 + (int64_t)(patience / (double)(row->report.contacts + 1));
  scree_status status = SCREE_OK;
  for (int cold = 0; cold < 2; cold++) {
    bench_time *time = cold ? row->cold : row->warm;
    for (int k = 0; k < BENCH_TIMES; k++) time[k] = (bench_time){NAN, NAN, 0};
    for (int k = 0; k < BENCH_TIMES && status == SCREE_OK && (k == 0 || isfinite(time[k - 1].seconds)); k++)
      status = time_to(world, bench_residual[k], cold, most, time + k, error);
  }
  row->timed = 1;
  return status;
}

scree_status bench_measure(
    const scree_checkpoint *settled, double patience, bench_row *row, scree_error *error) {
  scree_world *world = bench_pour(row->bed, row->sweeps, row->threads, error);
  clocks *clock = malloc(2 * sizeof *clock);
  scree_status status = world && clock ? scree_world_load(world, settled, error) : SCREE_E_MEMORY;
  row->step = row->wall = row->solver = row->whole = INFINITY;
  if (row->scalar) setenv("SCREE_SIMD", "scalar", 1);
  if (status == SCREE_OK) status = scree_world_step(world, row->bed->calm, error);
  for (int k = 0; k < WINDOWS && status == SCREE_OK; k++) status = measure_window(world, row, clock, error);
  if (row->scalar) unsetenv("SCREE_SIMD");
  if (status == SCREE_OK) row->hash = scree_world_hash(world);
  if (status == SCREE_OK) status = bench_rest(world, bench_unit(row->bed), &row->calm, &row->loose, error);
  if (status == SCREE_OK && patience > 0) status = measure_times(world, patience, row, error);
  scree_world_destroy(world);
  free(clock);
  return status;
}
