/* A settled bed on several ranks: what a step costs, what is sent, how many sweeps the solver needs.
 *
 *   bench.ranks make FILE CELLS LAYERS
 *   settles CELLS x CELLS x LAYERS spheres of 1 mm between walls into a checkpoint
 *   mpirun -n N bench.ranks run FILE STEPS ITERATIONS TOLERANCE [AxBxC]
 *   the same bed spread over N ranks;
 *                                               one line of figures, rank 0's traffic in the most loaded
 *                                               columns */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scree/checkpoint.h"
#include "scree/dist.h"

static int rank, ranks;
static scree_error error;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, error.text);
  scree_dist_abort(1);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_plane(scree_world *world, double x, double y, double z, double distance) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  const double normal[3] = {x, y, z};
  shape.type = SCREE_HALFSPACE;
  for (int k = 0; k < 3; k++) shape.normal[k] = normal[k], shape.position[k] = distance * normal[k];
  body.kind = SCREE_FIXED, body.shapes = &shape, body.shapes_count = 1;
  if (!scree_world_add(world, &body, &error)) fail("a wall");
}

/* SCREE_ACCELERATION in the environment: sweeps carry momentum. */
static scree_world *empty(int64_t iterations, double tolerance, int64_t threads) {
  scree_world_def def = scree_world_defaults();
  def.gravity[0] = def.gravity[1] = 0, def.gravity[2] = -9.81;
  def.dt = 1e-4, def.threads = threads;
  def.solver.iterations = iterations, def.solver.tolerance = tolerance;
  def.solver.acceleration = getenv("SCREE_ACCELERATION") != NULL;
  scree_world *world = scree_world_create(&def, &error);
  if (!world) fail("a world");
  return world;
}

static void make(const char *path, int cells, int layers) {
  scree_world *world = empty(15, 0, 2);
  double side = 1e-3 * cells;
  add_plane(world, 0, 0, 1, 0);
  add_plane(world, 1, 0, 0, 0), add_plane(world, -1, 0, 0, -side);
  add_plane(world, 0, 1, 0, 0), add_plane(world, 0, -1, 0, -side);
  scree_fill_def fill = scree_fill_defaults();
  fill.max[0] = fill.max[1] = side, fill.max[2] = 1e-3 * layers;
  fill.spacing = 1e-3, fill.radius = 0.47e-3, fill.radius_max = 0.5e-3, fill.jitter = 0.02,
  fill.density = 2500;
  if (scree_world_fill(world, &fill, &error) < 0) fail("a bed");
  if (scree_world_step(world, 400, &error) != SCREE_OK) fail("settling");
  scree_checkpoint *file = scree_checkpoint_create();
  if (scree_world_save(world, file, &error) != SCREE_OK ||
      scree_checkpoint_write(file, path, 1, &error) != SCREE_OK)
    fail(path);
  scree_report r;
  scree_world_report(world, &r);
  printf("%lld bodies, %lld contacts, kinetic %g J, penetration %g m\n", (long long)r.bodies,
      (long long)r.active, r.kinetic, r.penetration);
  scree_checkpoint_destroy(file);
  scree_world_destroy(world);
}

/* Largest over ranks. */
static double most(const scree_world *world, double value) {
  scree_world_combine(world, 1, &value, 1);
  return value;
}

static void run(const char *path, int64_t steps, int64_t iterations, double tolerance, const char *grid) {
  scree_world *world = empty(iterations, tolerance, 1);
  scree_checkpoint *file = scree_checkpoint_read(path, NULL, &error);
  if (!file || scree_world_load(world, file, &error) != SCREE_OK) fail(path);
  scree_checkpoint_destroy(file);
  scree_dist_def def = scree_dist_defaults();
  if (grid) sscanf(grid, "%dx%dx%d", def.grid, def.grid + 1, def.grid + 2);
  if (scree_world_distribute(world, &def, &error) != SCREE_OK) fail("spreading");
  /* Runs 25 steps before timing, because the skin of the first neighbour lists is not tuned yet. */
  if (scree_world_step(world, 25, &error) != SCREE_OK) fail("a step");
  scree_dist_traffic a, b;
  scree_report r;
  scree_dist_get_traffic(world, &a);
  double wall = 0, cpu = 0, sweeps = 0, n = (double)steps;
  /* a report judges the whole problem once more: its time is not the step's */
  for (int64_t i = 0; i < steps; i++) {
    double start = now();
    clock_t busy_since = clock();
    if (scree_world_step(world, 1, &error) != SCREE_OK) fail("a step");
    wall += now() - start, cpu += (double)(clock() - busy_since) / CLOCKS_PER_SEC;
    scree_world_report(world, &r);
    sweeps += (double)r.iterations;
  }
  double seconds = most(world, wall), busy = most(world, cpu);
  scree_dist_get_traffic(world, &b);
  double meetings = fmax(1, (double)(b.meetings - a.meetings));
  double own = most(world, (double)b.own), imported = most(world, (double)b.imported),
         met = most(world, (double)b.met), peers = most(world, b.peers);
  double waiting = most(world, b.waiting - a.waiting), aligning = most(world, b.aligning - a.aligning),
         per_meeting = most(world, (b.solver_messages - a.solver_messages) / meetings);
  double bytes_meeting = most(world, (b.solver_bytes - a.solver_bytes) / meetings),
         bytes = most(world, (b.bytes - a.bytes) / n), messages = most(world, (b.messages - a.messages) / n);
  if (rank == 0)
    printf("ranks %d contacts %lld sweeps %.1f ms/step %.2f cpu ms/step %.2f waiting ms/step %.2f of it "
           "aligning %.3f | own %.0f ghosts %.0f met %.0f peers %.0f | "
           "per step: messages %.1f kB %.1f builds %.2f | per sweep: messages %.1f bytes %.0f | residual "
           "%.2g imbalance %.3f\n",
        ranks, (long long)r.active, sweeps / n, 1e3 * seconds / n, 1e3 * busy / n, 1e3 * waiting / n,
        1e3 * aligning / n, own, imported, met, peers, messages, bytes / 1e3,
        (double)(b.builds - a.builds) / n, per_meeting, bytes_meeting, r.residual, r.imbalance);
  scree_world_destroy(world);
}

int main(int argc, char **argv) {
  if (scree_dist_start(&rank, &ranks, &error) != SCREE_OK) fail("MPI");
  if (argc == 5 && !strcmp(argv[1], "make")) make(argv[2], atoi(argv[3]), atoi(argv[4]));
  else if (argc >= 6 && !strcmp(argv[1], "run"))
    run(argv[2], atoll(argv[3]), atoll(argv[4]), atof(argv[5]), argc > 6 ? argv[6] : NULL);
  else
    return fprintf(stderr,
               "usage: bench.ranks make FILE CELLS LAYERS | run FILE STEPS ITERATIONS TOLERANCE [AxBxC]\n"),
           2;
  scree_dist_stop();
  return 0;
}
