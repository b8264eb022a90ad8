/* What a step costs as beds grow and threads join: cubic packings of touching spheres, 50 sweeps a step.
 *     build/release/bench/bench.scaling [-t THREADS] [-s STEPS] [-i SWEEPS] SIDE ...
 * Each line: grains, contacts; CPU time of the longest thread, of the mean step and of the cheapest one,
 * on machines whose memory others use as well the better figure; that per grain; wall clock of the
 * stages of the cheapest step; bytes per grain and contact; hash of the end state. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "scree/world.h"

static double clock_of(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(bool ok, const scree_error *error) {
  if (ok) return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}

static void add_plane(scree_world *world, int axis, double at, double side) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_error error = {0};
  shape.type = SCREE_HALFSPACE;
  for (int k = 0; k < 3; k++) shape.normal[k] = k == axis ? side : 0, body.position[k] = k == axis ? at : 0;
  body.kind = SCREE_FIXED;
  body.shapes = &shape, body.shapes_count = 1;
  check(scree_world_add(world, &body, &error) != 0, &error);
}

static scree_world *packing(int side, int threads, int sweeps) {
  scree_world_def def = scree_world_defaults();
  scree_fill_def fill = scree_fill_defaults();
  scree_error error = {0};
  const double r = 0.5e-3, width = 2 * r * side;
  def.dt = 1e-4, def.threads = threads, def.solver.tolerance = 0, def.solver.iterations = sweeps;
  scree_world *world = scree_world_create(&def, &error);
  check(world != NULL, &error);
  add_plane(world, 2, 0, 1);
  for (int k = 0; k < 4; k++) add_plane(world, k / 2, k % 2 ? width : 0, k % 2 ? -1 : 1);
  for (int k = 0; k < 3; k++) fill.max[k] = width;
  fill.spacing = 2 * r, fill.jitter = 0.001, fill.radius = r * (1 - 1e-9), fill.density = 2650, fill.seed = 1;
  check(scree_world_fill(world, &fill, &error) > 0, &error);
  return world;
}

/* CPU time of one step: the caller's thread, the mean of the others, and the wall clock of its stages. */
typedef struct cost {
  double own, others, seconds[SCREE_STAGES];
} cost;

static double longest(cost c) { return c.own > c.others ? c.own : c.others; }

static cost one_step(scree_world *world, int threads) {
  scree_error error = {0};
  scree_report before, after;
  cost c = {0};
  scree_world_report(world, &before);
  double process = clock_of(CLOCK_PROCESS_CPUTIME_ID), own = clock_of(CLOCK_THREAD_CPUTIME_ID);
  check(scree_world_step(world, 1, &error) == SCREE_OK, &error);
  c.own = clock_of(CLOCK_THREAD_CPUTIME_ID) - own;
  process = clock_of(CLOCK_PROCESS_CPUTIME_ID) - process;
  scree_world_report(world, &after);
  if (threads > 1) c.others = (process - c.own) / (threads - 1);
  for (int k = 0; k < SCREE_STAGES; k++) c.seconds[k] = after.seconds[k] - before.seconds[k];
  return c;
}

static void measure(int side, int threads, int steps, int sweeps) {
  scree_world *world = packing(side, threads, sweeps);
  scree_error error = {0};
  scree_report end;
  cost least = {.own = 1e300};
  double sum = 0;
  check(scree_world_step(world, 5, &error) == SCREE_OK, &error);
  for (int k = 0; k < steps; k++) {
    cost step = one_step(world, threads);
    sum += longest(step);
    if (longest(step) < longest(least)) least = step;
  }
  scree_world_report(world, &end);
  printf("%lld grains, %lld contacts, %d threads: mean %.4g s, least %.4g s (own %.4g, others %.4g), %.4g us "
         "per grain;",
      (long long)end.dynamic, (long long)end.contacts, threads, sum / steps, longest(least), least.own,
      least.others, 1e6 * longest(least) / (double)end.dynamic);
  for (int k = 0; k < SCREE_STAGES; k++) printf(" %s %.3g", scree_stage_name(k), 1e3 * least.seconds[k]);
  printf(" ms; %.0f B per grain, %.0f B per contact, fill %.3f, hash %016llx\n",
      (double)end.bytes_bodies / (double)end.dynamic, (double)end.bytes_contacts / (double)end.contacts,
      end.bundle_fill, (unsigned long long)scree_world_hash(world));
  fflush(stdout);
  scree_world_destroy(world);
}

int main(int argc, char **argv) {
  int threads = 1, steps = 10, sweeps = 50;
  for (int a = 1; a < argc; a++) {
    if (!strcmp(argv[a], "-t") && a + 1 < argc) threads = atoi(argv[++a]);
    else if (!strcmp(argv[a], "-s") && a + 1 < argc) steps = atoi(argv[++a]);
    else if (!strcmp(argv[a], "-i") && a + 1 < argc) sweeps = atoi(argv[++a]);
    else measure(atoi(argv[a]), threads, steps, sweeps);
  }
  return 0;
}
