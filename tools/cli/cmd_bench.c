/* scree bench: beds of grains of several kinds, each settled and then timed over a window of steps at a fixed number of sweeps.
 *
 * Times are wall clock, the least of several windows: on a machine with more to do compare ratios of one run. The solver's figure
 * is time of the solve stage over contacts and sweeps, ordering and bundling included; contacts are all that were found within
 * the margin, for a sweep visits them all. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/world.h"

/* A bed: lattice of grains in an open box, left to settle. Lengths in grain diameters of 1 mm. */
typedef struct bed {
  const char *name, *doc;
  int count;             /* grains */
  double side, spacing;  /* of the box, of the lattice */
  int lattice;           /* 0 cubic, 1 hexagonal */
  double finest;         /* smallest diameter: 1 for equal grains */
  int capsules;
  int settle;            /* steps before the first window */
  int window;            /* steps of one window */
} bed;

static const bed beds[] = {
  {"settle", "8000 spheres in a box of 20 x 20 mm", 8000, 20, 1.17, 0, 1, 0, 2800, 50},
  {"bed", "250000 spheres, packed", 250000, 60, 1.0005, 1, 1, 0, 40, 5},
  {"column", "spheres 60 diameters deep on 10 x 10 mm", 6000, 10, 1.17, 0, 1, 0, 3500, 50},
  {"shapes", "2000 capsules, piled: general blocks", 2000, 16, 1.6, 0, 1, 1, 1500, 20},
  {"polydisperse", "8000 spheres of 0.1 to 1 mm", 8000, 20, 1.17, 0, 0.1, 0, 2800, 50},
};
enum { BEDS = sizeof beds / sizeof *beds, WINDOWS = 4 };
static const double diameter = 1e-3, density = 2650;

typedef struct options { int json; int64_t threads; } options;
static const cli_option table[] = {
  {"json", 'j', CLI_FLAG, NULL, offsetof(options, json), "print a JSON list"},
  {"threads", 't', CLI_WHOLE, "N", offsetof(options, threads), "threads, 1 by default"}};

static scree_status wall(scree_world *world, double x, double y, double nx, double ny, double nz, scree_error *error) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  shape.type = SCREE_HALFSPACE;
  shape.normal[0] = nx, shape.normal[1] = ny, shape.normal[2] = nz;
  body.kind = SCREE_FIXED;
  body.position[0] = x, body.position[1] = y;
  body.shapes = &shape;
  body.shapes_count = 1;
  return scree_world_add(world, &body, error) ? SCREE_OK : SCREE_E_ARGUMENT;
}

static scree_status pour(scree_world *world, const bed *b, scree_error *error) {
  double side = b->side * diameter;
  scree_status status = wall(world, 0, 0, 0, 0, 1, error);
  for (int k = 0; k < 4 && status == SCREE_OK; k++)
    status = wall(world, k == 1 ? side : 0, k == 3 ? side : 0, k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, 0, error);
  scree_shape_def capsule = scree_shape_defaults();
  capsule.type = SCREE_CAPSULE;
  capsule.radius = 0.25 * diameter;
  capsule.length = 0.5 * diameter;
  capsule.density = density;
  scree_fill_def fill = scree_fill_defaults();
  fill.max[0] = fill.max[1] = side;
  fill.max[2] = diameter * (1 + b->spacing * ceil(1.3 * b->count / (b->side * b->side / (b->spacing * b->spacing)) + 2));
  fill.lattice = b->lattice;
  fill.spacing = b->spacing * diameter;
  fill.radius = b->finest * diameter / 2;
  fill.radius_max = diameter / 2;
  fill.density = density;
  fill.shape = b->capsules ? &capsule : NULL;
  fill.limit = b->count;
  fill.seed = 1;
  for (int k = 0; k < 3; k++) fill.velocity_jitter[k] = b->lattice ? 0 : 0.05;
  if (status == SCREE_OK && scree_world_fill(world, &fill, error) < 0) status = SCREE_E_ARGUMENT;
  return status;
}

static scree_world *make(const bed *b, int64_t iterations, int64_t threads, scree_error *error) {
  scree_world_def def = scree_world_defaults();
  def.dt = 1e-4;
  def.threads = threads;
  def.solver.iterations = def.solver.min_iterations = iterations;
  def.solver.tolerance = 0;
  scree_world *world = scree_world_create(&def, error);
  if (!world) return NULL;
  int count;
  scree_pair_def pair = {.law = "coulomb"};
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  pair.params[0] = 0.4;
  if (scree_world_set_pair(world, &pair, error) == SCREE_OK && pour(world, b, error) == SCREE_OK) return world;
  scree_world_destroy(world);
  return NULL;
}

typedef struct figures { scree_report report; double step, solver, whole; } figures;

/* The cheapest of several windows of steps. */
static scree_status measure(scree_world *world, const bed *b, int64_t iterations, figures *f, scree_error *error) {
  f->solver = f->whole = INFINITY;
  for (int w = 0; w < WINDOWS; w++) {
    scree_report before;
    scree_world_report(world, &before);
    scree_status status = scree_world_step(world, b->window, error);
    if (status != SCREE_OK) return status;
    scree_world_report(world, &f->report);
    double total = 0, visits = (double)b->window * (double)iterations * (double)f->report.contacts;
    for (int s = 0; s < SCREE_STAGES; s++) total += f->report.seconds[s] - before.seconds[s];
    f->solver = fmin(f->solver, 1e9 * (f->report.seconds[SCREE_STAGE_SOLVE] - before.seconds[SCREE_STAGE_SOLVE]) / visits);
    if (1e9 * total / visits < f->whole) f->whole = 1e9 * total / visits, f->step = total / b->window;
  }
  return SCREE_OK;
}

static void print(const bed *b, int64_t iterations, int64_t threads, const figures *f, int json, int first) {
  const scree_report *r = &f->report;
  double weight = density * 3.14159265358979 / 6 * diameter * diameter * diameter * 9.81 * diameter * (double)r->dynamic;
  double deep = r->penetration / (diameter / 2), mean = r->mean_penetration / (diameter / 2);
  if (json)
    printf("%s{\"name\": \"%s\", \"iterations\": %lld, \"threads\": %lld, \"grains\": %lld, \"contacts\": %lld, \"seconds_per_step\": %.6g, "
           "\"ns_per_contact_iteration\": %.5g, \"ns_step_per_contact_iteration\": %.5g, \"penetration\": %.4g, \"mean_penetration\": %.4g, "
           "\"kinetic\": %.4g, \"residual\": %.4g}",
           first ? "[" : ",\n ", b->name, (long long)iterations, (long long)threads, (long long)r->dynamic, (long long)r->contacts, f->step, f->solver,
           f->whole, deep, mean, r->kinetic / weight, r->residual);
  else
    printf("| %s | %lld | %lld | %lld | %lld | %.5f | %.1f | %.1f | %.2g | %.2g | %.2g |\n", b->name, (long long)iterations, (long long)threads,
           (long long)r->dynamic, (long long)r->contacts, f->step, f->solver, f->whole, deep, mean, r->kinetic / weight);
  fflush(stdout);
}

static int run(const bed *b, const options *o, int first) {
  const int64_t iterations[] = {10, 50};
  for (int k = 0; k < 2; k++) {
    scree_error error = {SCREE_OK, ""};
    figures f;
    scree_world *world = make(b, iterations[k], o->threads, &error);
    scree_status status = world ? scree_world_step(world, k ? b->settle / 4 * 3 : b->settle, &error) : error.status;
    if (status == SCREE_OK) status = measure(world, b, iterations[k], &f, &error);
    if (status == SCREE_OK) print(b, iterations[k], o->threads, &f, o->json, first && k == 0);
    scree_world_destroy(world);
    if (status != SCREE_OK) return cli_fail(CLI_FAILED, "bench", "%s: %s", b->name, error.text);
  }
  return CLI_OK;
}

static const char *bed_name(const void *context, int i) { return ((const bed *)context)[i].name; }

int cmd_bench(int argc, char **argv) {
  options o = {0, 1};
  int operands = cli_parse("bench", "names: settle, bed, column, shapes, polydisperse (all without one)", table, sizeof table / sizeof *table, &o, argc, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands > 1) return cli_fail(CLI_USAGE, "bench", "takes one name, not %d", operands);
  if (o.threads < 1 || o.threads > 1024) return cli_fail(CLI_USAGE, "bench", "--threads must lie in [1, 1024], not %lld", (long long)o.threads);
  int found = 0, code = CLI_OK;
  for (int i = 0; i < BEDS; i++) found += operands == 0 || !strcmp(argv[1], beds[i].name);
  if (!found) {
    const char *near = scree_nearest_name(argv[1], BEDS, bed_name, beds);
    return cli_fail(CLI_USAGE, "bench", "there is no benchmark '%s'%s%s%s", argv[1], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  if (!o.json)
    printf("| bed | sweeps | threads | grains | contacts | s per step | solver, ns per contact and sweep | whole step, ns | largest penetration / R | mean | "
           "kinetic / m g d |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0, first = 1; i < BEDS && code == CLI_OK; i++) {
    if (operands && strcmp(argv[1], beds[i].name)) continue;
    code = run(beds + i, &o, first);
    first = 0;
  }
  if (o.json && code == CLI_OK) printf("]\n");
  return code;
}
