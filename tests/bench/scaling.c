/* What a step costs as beds grow and threads join: cubic packings of touching spheres, 50 sweeps a step.
 *     build/release/bench/bench.scaling [-t THREADS] [-s STEPS] SIDE ...
 * Each line: grains, contacts, CPU time of the longest thread per step, the same per grain, shares of the stages, bytes per grain
 * and contact, hash of the end state. */
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

static scree_world *packing(int side, int threads) {
  scree_world_def def = scree_world_defaults();
  scree_fill_def fill = scree_fill_defaults();
  scree_error error = {0};
  const double r = 0.5e-3, width = 2 * r * side;
  def.dt = 1e-4, def.threads = threads, def.solver.tolerance = 0;
  scree_world *world = scree_world_create(&def, &error);
  check(world != NULL, &error);
  add_plane(world, 2, 0, 1);
  for (int k = 0; k < 4; k++) add_plane(world, k / 2, k % 2 ? width : 0, k % 2 ? -1 : 1);
  for (int k = 0; k < 3; k++) fill.max[k] = width;
  fill.spacing = 2 * r, fill.jitter = 0.001, fill.radius = r * (1 - 1e-9), fill.density = 2650, fill.seed = 1;
  check(scree_world_fill(world, &fill, &error) > 0, &error);
  return world;
}

static void measure(int side, int threads, int steps) {
  scree_world *world = packing(side, threads);
  scree_error error = {0};
  scree_report before, after;
  check(scree_world_step(world, 5, &error) == SCREE_OK, &error);
  scree_world_report(world, &before);
  double process = clock_of(CLOCK_PROCESS_CPUTIME_ID), own = clock_of(CLOCK_THREAD_CPUTIME_ID);
  check(scree_world_step(world, steps, &error) == SCREE_OK, &error);
  own = clock_of(CLOCK_THREAD_CPUTIME_ID) - own;
  process = clock_of(CLOCK_PROCESS_CPUTIME_ID) - process;
  scree_world_report(world, &after);
  double others = threads > 1 ? (process - own) / (threads - 1) : 0, longest = own > others ? own : others, all = 0;
  for (int k = 0; k < SCREE_STAGES; k++) all += after.seconds[k] - before.seconds[k];
  printf("%lld grains, %lld contacts, %d threads: %.4g s (own %.4g, others %.4g), %.4g us per grain;", (long long)after.dynamic,
      (long long)after.contacts, threads,
         longest / steps, own / steps, others / steps, 1e6 * longest / steps / (double)after.dynamic);
  for (int k = 0; k < SCREE_STAGES; k++)
    printf(" %s %.1f%%", scree_stage_name(k), 100 * (after.seconds[k] - before.seconds[k]) / all);
  printf("; %.0f B per grain, %.0f B per contact, fill %.3f, hash %016llx\n", (double)after.bytes_bodies / (double)after.dynamic,
         (double)after.bytes_contacts / (double)after.contacts, after.bundle_fill, (unsigned long long)scree_world_hash(world));
  fflush(stdout);
  scree_world_destroy(world);
}

int main(int argc, char **argv) {
  int threads = 1, steps = 10;
  for (int a = 1; a < argc; a++) {
    if (!strcmp(argv[a], "-t") && a + 1 < argc) threads = atoi(argv[++a]);
    else if (!strcmp(argv[a], "-s") && a + 1 < argc) steps = atoi(argv[++a]);
    else measure(atoi(argv[a]), threads, steps);
  }
  return 0;
}
