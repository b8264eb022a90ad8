/* Sweeps with and without momentum on many beds: sweeps to a residual from impulses 0 and from those of
 * the step before, and what the bed does over the next steps with as many sweeps as cost the same.
 * Prints a Markdown table.
 *     build/release/bench/bench.acceleration [name ...] */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "scree/problem.h"
#include "scree/world.h"

typedef struct bed {
  const char *name;
  /* largest radius over smallest; density of every eighth grain over that of the others */
  double mu, ratio, heavy;
  int columns, layers, shape;
} bed;

enum { BALLS, BOXES, CAPSULES, WALL };
static const bed beds[] = {
    {"settle, mu 0.4", 0.4, 1, 1, 14, 14, BALLS},
    {"mu 0", 0, 1, 1, 12, 12, BALLS},
    {"mu 0.1", 0.1, 1, 1, 12, 12, BALLS},
    {"mu 1", 1, 1, 1, 12, 12, BALLS},
    {"mu 2", 2, 1, 1, 12, 12, BALLS},
    {"column", 0.4, 1, 1, 6, 70, BALLS},
    {"polydisperse 1:3", 0.4, 3, 1, 12, 12, BALLS},
    {"mass ratio 100", 0.4, 1, 100, 12, 12, BALLS},
    {"boxes", 0.5, 1, 1, 6, 6, BOXES},
    {"capsules", 0.4, 1, 1, 8, 8, CAPSULES},
    {"wall of boxes", 0.6, 1, 1, 8, 8, WALL},
};
enum { BEDS = sizeof beds / sizeof *beds, MOST_SWEEPS = 2000 };

static void check(bool ok, const scree_error *error) {
  if (ok) return;
  fprintf(stderr, "%s\n", error->text);
  exit(1);
}

static void plane(scree_world *world, const double at[3], const double normal[3]) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_error error = {0};
  shape.type = SCREE_HALFSPACE;
  memcpy(shape.normal, normal, sizeof shape.normal);
  memcpy(body.position, at, sizeof body.position);
  body.kind = SCREE_FIXED;
  body.shapes = &shape, body.shapes_count = 1;
  check(scree_world_add(world, &body, &error) != 0, &error);
}

/* Staggered bricks of 40 x 20 x 20 mm. */
static void build_wall(scree_world *world, int columns, int layers) {
  scree_shape_def shape = scree_shape_defaults();
  scree_error error = {0};
  shape.type = SCREE_BOX;
  shape.size[0] = 0.04, shape.size[1] = shape.size[2] = 0.02;
  for (int k = 0; k < layers; k++)
    for (int i = 0; i < columns; i++) {
      scree_body_def body = scree_body_defaults();
      body.shapes = &shape, body.shapes_count = 1;
      body.position[0] = 0.0405 * i + (k % 2) * 0.02, body.position[2] = 0.01 + 0.02 * k;
      check(scree_world_add(world, &body, &error) != 0, &error);
    }
}

static void pour(scree_world *world, const bed *b) {
  scree_fill_def fill = scree_fill_defaults();
  scree_shape_def shape = scree_shape_defaults();
  scree_error error = {0};
  double r = 0.005, spacing = 2.1 * r;
  if (b->shape != BALLS) r = 0.01, spacing = 2.1 * r;
  for (int k = 0; k < 3; k++)
    fill.max[k] = (k < 2 ? b->columns : b->layers) * spacing, fill.velocity_jitter[k] = 0.05;
  fill.spacing = spacing, fill.radius = r / b->ratio, fill.radius_max = r, fill.density = 2500, fill.seed = 5;
  if (b->shape == BOXES)
    shape.type = SCREE_BOX, shape.size[0] = 0.012, shape.size[1] = 0.011, shape.size[2] = 0.01;
  if (b->shape == CAPSULES) shape.type = SCREE_CAPSULE, shape.radius = 0.005, shape.length = 0.01;
  if (b->shape != BALLS) fill.shape = &shape;
  check(scree_world_fill(world, &fill, &error) > 0, &error);
  for (int side = 0; side < 4; side++) {
    double at[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    at[side / 2] = side % 2 ? fill.max[side / 2] : 0, normal[side / 2] = side % 2 ? -1 : 1;
    plane(world, at, normal);
  }
}

/* Every eighth grain made of something heavier. */
static void make_heavy(scree_world *world, double density) {
  void *data;
  int64_t rows;
  scree_error error = {0};
  scree_world_view(world, SCREE_VIEW_ID, &data, &rows);
  scree_id *id = malloc((size_t)rows * sizeof *id);
  memcpy(id, data, (size_t)rows * sizeof *id);
  for (int64_t i = 0; i < rows; i += 8) {
    scree_body_state state;
    check(scree_world_get(world, id[i], &state, &error) == SCREE_OK, &error);
    if (state.kind != SCREE_DYNAMIC) continue;
    scree_shape_def shape = scree_shape_defaults();
    scree_body_def body = scree_body_defaults();
    shape.radius = state.radius, shape.density = density;
    body.shapes = &shape, body.shapes_count = 1;
    memcpy(body.position, state.position, sizeof body.position);
    check(scree_world_remove(world, id[i], &error) == SCREE_OK && scree_world_add(world, &body, &error) != 0,
        &error);
  }
  free(id);
}

static scree_world *build(const bed *b, int iterations, int acceleration) {
  scree_world_def def = scree_world_defaults();
  scree_pair_def pair = {0, 0, "coulomb", {0}, 0, 0};
  scree_error error = {0};
  int count;
  def.dt = 5e-4, def.solver.name = "nbgs";
  def.solver.iterations = iterations, def.solver.tolerance = 0, def.solver.acceleration = acceleration;
  scree_world *world = scree_world_create(&def, &error);
  check(world != NULL, &error);
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  pair.params[0] = b->mu;
  check(scree_world_set_pair(world, &pair, &error) == SCREE_OK, &error);
  plane(world, (double[3]){0, 0, 0}, (double[3]){0, 0, 1});
  if (b->shape == WALL) build_wall(world, b->columns, b->layers);
  else pour(world, b);
  if (b->heavy > 1) make_heavy(world, 2500 * b->heavy);
  return world;
}

typedef struct run {
  int64_t sweeps;
  double each, residual;
} run;

static run attempt(scree_world *world, int acceleration, double tolerance, int cold) {
  scree_solver_def solver = scree_world_get_def(world)->solver;
  scree_problem_result result;
  scree_error error = {0};
  solver.iterations = tolerance > 0 ? MOST_SWEEPS : 300, solver.tolerance = tolerance,
  solver.acceleration = acceleration;
  check(scree_world_try_solver(world, &solver, cold, &result, &error) == SCREE_OK, &error);
  return (run){result.iterations, result.seconds / (double)result.iterations, result.residual / result.scale};
}

static void print_runs(scree_world *world, int cold) {
  const double tolerance[] = {1e-2, 1e-4, 1e-6};
  for (int t = 0; t < 3; t++) {
    run plain = attempt(world, 0, tolerance[t], cold), fast = attempt(world, 1, tolerance[t], cold);
    printf(plain.sweeps < MOST_SWEEPS ? " %lld :" : " - :", (long long)plain.sweeps);
    printf(fast.sweeps < MOST_SWEEPS ? " %lld |" : " - |", (long long)fast.sweeps);
  }
}

/* The bed made anew with so many sweeps a step: kinetic over potential energy, and mean penetration in
 * units of the largest radius. */
static void settle_with(const bed *b, int sweeps, int acceleration) {
  scree_world *world = build(b, sweeps, acceleration);
  scree_error error = {0};
  scree_report report;
  check(scree_world_step(world, 1200, &error) == SCREE_OK, &error);
  scree_world_report(world, &report);
  printf(" %.1e, %.1e |", report.kinetic / fabs(report.potential), report.mean_penetration / 0.005);
  scree_world_destroy(world);
}

static void measure(const bed *b) {
  scree_world *world = build(b, 40, 0);
  scree_error error = {0};
  scree_report report;
  check(scree_world_step(world, 1000, &error) == SCREE_OK, &error);
  scree_world_report(world, &report);
  printf("| %s | %lld |", b->name, (long long)report.contacts);
  print_runs(world, 1);
  print_runs(world, 0);
  run plain = attempt(world, 0, 0, 1), fast = attempt(world, 1, 0, 1);
  printf(" %.2f |", fast.each / plain.each);
  scree_world_destroy(world);
  settle_with(b, 30, 0);
  settle_with(b, 20, 1);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  printf("| bed | contacts | cold 1e-2 | 1e-4 | 1e-6 | warm 1e-2 | 1e-4 | 1e-6 | cost of a sweep | 30 plain "
         "| 20 with momentum |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int k = 0; k < BEDS; k++) {
    bool wanted = argc < 2;
    for (int a = 1; a < argc; a++) wanted |= strstr(beds[k].name, argv[a]) != NULL;
    if (wanted) measure(beds + k);
  }
  return 0;
}
