/* scree check: checks a scene without running it. It reads the file, builds the scene in the sandbox, and
 * estimates what the run needs: overlaps at the start, the size of the step, memory and disk. Exit code 0, or
 * 2 if something is wrong. */
#include "commands/check_meshes.h"
#include "commands/check_reach.h"
#include "commands/check_scene.h"
#include "run/run.h"
#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  run_options run;
  int json;
  int64_t steps; /* > 0: number of steps to run, too */
} options;
static const cli_option table[] = {
    {"set", 's', CLI_LIST, "PATH=VALUE", offsetof(options, run.sets),
        "changes an entry of an experiment; may be repeated"},
    {"json", 0, CLI_FLAG, NULL, offsetof(options, json), "prints the findings as JSON"},
    {"steps", 0, CLI_COUNT, "N", offsetof(options, steps),
        "also runs N steps with all callbacks, and the report once"},
    CLI_SANDBOX_OPTIONS(options, run.sandbox),
};

enum { FASTEST = 5 };

/* Findings about the built scene. */
typedef struct findings {
  int64_t bodies, grains, overlaps, points;
  double share; /* largest overlap over half the smallest width of the smaller shape */
  double mean;  /* mean overlap of all overlapping contacts [m] */
  double deepest, relative, dt, end, memory, disk;
  double stable, advised;
  int64_t homeless; /* number of gears without a housing whose wheels turn in moving bodies */
  /* bodies that are too fast for the thinnest wall */
  int64_t too_fast;
  scree_too_fast fastest[FASTEST];
  char name[FASTEST + 1][RUN_LABEL]; /* names of these bodies and of the wall's body */
  char struck[RUN_LABEL];            /* the body whose wall may be passed */
  double wall;
  char start[RUN_START_LINES][RUN_START_TEXT]; /* warnings about walls */
  int starts;
  char gears[1024], joined[1024]; /* warnings about gears and about fast bodies in joints; "": none */
  char deep[400];                 /* warning about deep overlaps; "": none */
  char question[CHECK_QUESTIONS][CHECK_QUESTION]; /* questions about the units of meshes and hulls */
  int questions;
  check_pairs pairs;
  check_sizes sizes;
  check_reach reach;
  int64_t steps; /* number of steps that --steps ran; 0: none */
  int figures;   /* number of figures of the report after the steps of --steps */
} findings;

static void find_too_fast(const scree_world *world, findings *f) {
  scree_id wall;
  f->too_fast = scree_world_too_fast(world, f->fastest, FASTEST, &f->wall, &wall);
  for (int k = 0; k < FASTEST && k < f->too_fast; k++) run_label_body(world, f->fastest[k].body, f->name[k]);
  if (f->too_fast) run_label_body(world, wall, f->name[FASTEST]);
  if (f->too_fast) run_label_body(world, f->fastest->struck, f->struck);
}

/* Finds overlaps at the start. Takes one tiny step and reads its contacts, because a test of bounding spheres
 * would not suit other shapes. */
static int find_overlaps(run *r, findings *f) {
  scree_world *world = r->scene.world->world;
  scree_error error = {SCREE_OK, ""};
  double dt = f->dt, smallest = INFINITY;
  void *kind, *radius;
  int64_t rows;
  if (scree_world_set_dt(world, dt * 1e-9, &error) || sl_world_advance(r->scene.world, 1, &error) ||
      scree_world_set_dt(world, dt, &error)) {
    snprintf(r->trouble, sizeof r->trouble, "the first step fails: %s", error.text);
    return cli_fail(CLI_USAGE, "check", "%s", r->trouble);
  }
  scree_report report;
  scree_world_report(world, &report);
  f->deepest = report.penetration;
  f->share = report.overlap;
  f->overlaps = run_count_overlaps(world, &report);
  f->mean = run_mean_overlap(&report, f->overlaps);
  if (!run_tell_overlaps(&report, f->overlaps, f->deep, sizeof f->deep)) *f->deep = 0;
  if (!scree_world_view(world, SCREE_VIEW_KIND, &kind, &rows))
    return cli_fail(CLI_FAILED, "check", "no memory");
  scree_world_view(world, SCREE_VIEW_RADIUS, &radius, &rows);
  for (int64_t i = 0; i < rows; i++)
    if (((int64_t *)kind)[i] == SCREE_DYNAMIC) smallest = fmin(smallest, ((double *)radius)[i]), f->grains++;
  f->relative = isfinite(smallest) ? f->deepest / smallest : 0;
  f->stable = scree_world_stable_dt(world);
  f->advised = scree_world_advised_dt(world);
  scree_joints_report joints;
  if (scree_world_joints_report(world, &joints, &error))
    return cli_fail(CLI_FAILED, "check", "%s", error.text);
  f->homeless = joints.homeless;
  if (!run_tell_gears(world, f->gears, sizeof f->gears)) *f->gears = 0;
  if (!run_tell_joined(world, f->joined, sizeof f->joined)) *f->joined = 0;
  return CLI_OK;
}

static int64_t frames_of(const sl_clock *clock, double end, double dt) {
  if (clock->time > 0 && isfinite(end)) return (int64_t)(end / clock->time) + 2;
  if (clock->steps && isfinite(end)) return (int64_t)(end / dt / (double)clock->steps) + 2;
  return 0;
}

static void estimate_costs(const run *r, findings *f) {
  scree_report report;
  scree_world_report(r->scene.world->world, &report);
  f->bodies = report.bodies;
  find_too_fast(r->scene.world->world, f);
  f->starts = run_find_start_notes(r->scene.world->world, f->start, NULL);
  f->questions = check_find_questions(r->scene.world, f->question);
  f->dt = scree_world_get_def(r->scene.world->world)->dt;
  f->end = fmin(r->scene.stop_time, (double)r->scene.stop_steps * f->dt);
  f->memory = 300.0 * (double)f->bodies + 150.0 * 4 * (double)f->bodies + 1e6;
  f->points = frames_of(&r->scene.trajectory, f->end, f->dt);
  f->disk = (double)f->points * (double)f->bodies *
      (r->scene.precision > 0 || r->scene.relative_precision > 0 ? 20 : 104);
}

static void print_too_fast(const findings *f) {
  if (!f->too_fast) return;
  printf("  advice            %lld %s further in a step than half the width of %s and the thinnest wall (%g "
         "m, %s):",
      (long long)f->too_fast, f->too_fast == 1 ? "body goes" : "bodies go", f->struck, f->wall,
      f->name[FASTEST]);
  for (int k = 0; k < FASTEST && k < f->too_fast; k++)
    printf(
        "%s %s %.3g m where %.3g m are safe", k ? "," : "", f->name[k], f->fastest[k].way, f->fastest[k].may);
  if (f->too_fast > FASTEST) printf(", ...");
  printf(
      "; what they strike may pass through walls: take dt <= %.2g s, or fast = true for the bodies that must "
      "not pass, as %s (docs/fast.md)\n",
      f->dt * f->fastest->may / f->fastest->way, f->struck);
}

/* Counts the lines of advice and questions. */
static int count_notes(const findings *f) {
  return check_is_far(&f->reach) + (f->too_fast > 0) + f->starts + (f->dt > f->stable || f->dt > f->advised) +
      (*f->gears != 0) + (*f->joined != 0) + (*f->deep != 0) + f->questions;
}

static void print_plain(const findings *f, const run_options *o, const sl_world *world) {
  const int notes = count_notes(f);
  if (notes) printf("%s: %d note%s\n", o->scene, notes, notes == 1 ? "" : "s");
  else printf("%s: fine\n", o->scene);
  printf("  bodies            %lld, of which %lld move\n", (long long)f->bodies, (long long)f->grains);
  printf("  step              %g s", f->dt);
  if (isfinite(f->end)) printf(", %.0f steps to %g s", f->end / f->dt, f->end);
  putchar('\n');
  check_print_reach(&f->reach);
  print_too_fast(f);
  for (int k = 0; k < f->starts; k++) printf("  advice            %s\n", f->start[k]);
  if (f->dt > f->stable) printf("  advice            the springs are stable up to dt = %.3g s\n", f->stable);
  else if (f->dt > f->advised) printf("  advice            the springs ask for dt <= %.3g s\n", f->advised);
  if (*f->gears) printf("  advice            %s\n", f->gears);
  if (*f->joined) printf("  advice            %s\n", f->joined);
  if (*f->deep) printf("  advice            %s\n", f->deep);
  for (int k = 0; k < f->questions; k++) printf("  question          %s\n", f->question[k]);
  check_print_sizes(&f->sizes);
  check_print_pairs(world->world, &f->pairs);
  check_print_meshes(world);
  printf("  initial overlaps  %lld", (long long)f->overlaps);
  if (f->overlaps)
    printf(", the largest %.3g m, %.2g of the smallest radius, %.2g of the half width of the smaller of two; "
           "the "
           "mean %.3g m",
        f->deepest, f->relative, f->share, f->mean);
  if (f->steps)
    printf("\n  tried             %lld %s, all callbacks and the report, which has %d %s",
        (long long)f->steps, f->steps == 1 ? "step" : "steps", f->figures,
        f->figures == 1 ? "figure" : "figures");
  printf("\n  memory            about %.3g MB\n", f->memory / 1e6);
  if (f->points)
    printf("  disk              about %.3g MB in %lld frames\n", f->disk / 1e6, (long long)f->points);
}

/* Prints a list of texts as a member of a JSON object, with a comma before it. */
static void put_texts(const char *name, const char *text, size_t stride, int count) {
  printf(", \"%s\": [", name);
  for (int k = 0; k < count; k++) {
    if (k) fputs(", ", stdout);
    cli_json_text(stdout, text + (size_t)k * stride);
  }
  putchar(']');
}

static void print_check_json(const findings *f, const sl_world *world) {
  printf("{\"fine\": true, \"bodies\": %lld, \"grains\": %lld, \"overlaps\": %lld, \"frames\": %lld, "
         "\"homeless_gears\": %lld",
      (long long)f->bodies, (long long)f->grains, (long long)f->overlaps, (long long)f->points,
      (long long)f->homeless);
  printf(", \"too_fast\": %lld", (long long)f->too_fast);
  check_put_number("thinnest_wall", f->too_fast ? f->wall : NAN);
  check_put_number("fastest_way", f->too_fast ? f->fastest->way : NAN);
  check_put_number("dt", f->dt);
  check_put_number("end", f->end);
  check_put_number("advised_dt", fmin(f->reach.dt, f->advised));
  check_put_number("assumed_speed", f->reach.speed);
  check_put_number("largest_fall", f->reach.fall);
  check_put_number("deepest_overlap", f->deepest);
  check_put_number("mean_overlap", f->mean);
  if (f->steps) check_put_number("tried_steps", (double)f->steps);
  check_put_number("overlap_share", f->share);
  check_put_number("memory_bytes", f->memory);
  check_put_number("disk_bytes", f->disk);
  put_texts("start", f->start[0], RUN_START_TEXT, f->starts);
  put_texts("questions", f->question[0], CHECK_QUESTION, f->questions);
  check_put_sizes(&f->sizes);
  check_put_pairs(world->world, &f->pairs);
  check_put_meshes(world);
  puts("}");
}

/* Prints a failure as JSON; its message is already on stderr. Returns CLI_USAGE. */
static int put_fault(const options *o, const char *text) {
  if (!o->json) return CLI_USAGE;
  fputs("{\"fine\": false, \"message\": ", stdout);
  cli_json_text(stdout, text);
  puts("}");
  return CLI_USAGE;
}

/* Prints the problems of an experiment as JSON; they are already on stderr. Returns CLI_USAGE. */
static int put_problems(const options *o, const sl_experiment *e) {
  char *text = sl_yaml_problems(&e->yaml);
  put_fault(o, text ? text : "no memory");
  free(text);
  return CLI_USAGE;
}

/* Runs steps, callbacks and the report before all other checks. Prints nothing unless they fail. */
static int try_steps(const options *o, findings *f) {
  run_options try = o->run;
  char trouble[1024];
  try.steps = o->steps;
  const int code = run_try(&try, &f->figures, trouble);
  if (code && (!o->run.experiment || sl_experiment_fine(o->run.experiment))) put_fault(o, trouble);
  return code ? CLI_USAGE : CLI_OK;
}

static int check_built_scene(const options *o) {
  findings f = {0};
  if (o->steps > 0 && try_steps(o, &f)) return CLI_USAGE;
  run *r = calloc(1, sizeof *r);
  if (!r) return cli_fail(CLI_FAILED, "check", "no memory");
  f.steps = o->steps;
  int code = run_open(r, &o->run);
  if (!code) code = run_build(r);
  if (!code) {
    estimate_costs(r, &f);
    if (!check_find_reach(&r->scene, f.end, &f.reach)) code = cli_fail(CLI_FAILED, "check", "no memory");
    if (!code) code = run_try_condition(r, 1);
    if (!code) code = find_overlaps(r, &f);
    scree_world *world = r->scene.world->world;
    if (!code && (!check_find_pairs(world, &f.pairs) || !check_find_sizes(world, &f.sizes)))
      code = cli_fail(CLI_FAILED, "check", "no memory");
  }
  if (!code && o->json) print_check_json(&f, r->scene.world);
  else if (!code) print_plain(&f, &o->run, r->scene.world);
  else if (!o->run.experiment || sl_experiment_fine(o->run.experiment)) put_fault(o, r->trouble);
  if (r->runtime) run_close(r);
  free(r);
  return code ? CLI_USAGE : CLI_OK;
}

/* Returns the trees of all points of the sweep; NULL if out of memory. */
static sl_yaml_node **make_points(sl_experiment *e, sl_sweep *sweep) {
  sl_sweep_make(e, sweep);
  sl_yaml_node **trees = calloc((size_t)sweep->count + 1, sizeof *trees);
  for (int i = 0; trees && i < sweep->count && sl_experiment_fine(e); i++)
    if (!(trees[i] = sl_sweep_tree(e, sweep->point + i))) return free(trees), NULL;
  return trees;
}

/* Checks an experiment, and every point of its sweep, against the schema and the scene. */
static int check_experiment(options *o) {
  sl_experiment *e = calloc(1, sizeof *e);
  if (!e) return cli_fail(CLI_FAILED, "check", "no memory");
  sl_sweep sweep = {0};
  sl_yaml_node **trees = NULL;
  int code = run_open_experiment(e, &o->run, "check");
  if (!code && !(trees = make_points(e, &sweep))) code = cli_fail(CLI_FAILED, "check", "no memory");
  else if (!*e->scene || !e->yaml.root || (!code && !sl_experiment_fine(e))) code = run_print_problems(e);
  else {
    /* the scene is loaded even after mistakes, so that its parameters are checked at the same time */
    e->points = trees, e->points_count = trees ? sweep.count : 0;
    o->run.directory = "";
    run_take_experiment(e, &o->run);
    code = check_built_scene(o);
    if (!code && sweep.count > 1 && !o->json)
      printf("  sweep             %d runs: the parameters of all are valid; the lines above are of the "
             "experiment "
             "without swept values\n",
          sweep.count);
  }
  if (code && !sl_experiment_fine(e)) put_problems(o, e);
  free(trees);
  sl_experiment_close(e);
  free(e);
  return code;
}

int cmd_check(int argc, char **argv) {
  options o = {.run = {.progress = "none", .command = "scree check"}};
  int operands = CLI_PARSE("check", "Exit code 0, or 2 where something is wrong.", table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands == 0)
    return cli_fail(CLI_USAGE, "check", "which file? usage: scree check SCENE.lua|EXP.yaml [key=value ...]");
  int code = run_read_overrides(&o.run, operands, argv, "check");
  if (code) return code;
  o.run.scene = argv[1];
  if (o.run.sets.count && !run_is_experiment(argv[1]))
    return cli_fail(
        CLI_USAGE, "check", "--set is for experiments; a scene takes its parameters as key=value");
  return run_is_experiment(argv[1]) ? check_experiment(&o) : check_built_scene(&o);
}
