/* scree calibrate: finds parameters whose figures come nearest to measured targets. docs/calibrate.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/calibrate.h"

typedef struct options {
  run_options run;
  int64_t jobs;
  int json;
} options;
static const cli_option table[] = {
    {"output", 'o', CLI_TEXT, "DIR", offsetof(options, run.directory),
        "where to write; a folder of the same calibration is continued (runs/EXP)"},
    {"jobs", 'j', CLI_CORES, "N", offsetof(options, jobs),
        "runs at the same time, 0: one a core (calibrate.jobs of the experiment, or 1)"},
    {"set", 's', CLI_LIST, "PATH=VALUE", offsetof(options, run.sets),
        "changes an entry of the experiment; may be repeated"},
    {"json", 0, CLI_FLAG, NULL, offsetof(options, json), "prints JSON"},
    {"quiet", 'q', CLI_FLAG, NULL, offsetof(options, run.quiet), "no progress"},
    CLI_SANDBOX_OPTIONS(options, run.sandbox),
};
static const char more[] =
    "The key `calibrate` of the experiment names the parameters with their bounds and the figures with their "
    "measured\nvalues. DIR/calibrate.csv receives a row for each place that was tried. Exit code 1 if the "
    "search "
    "has not\nconverged or a parameter is not determined. docs/calibrate.md explains the method and the "
    "result.";

/* Builds the scene with all parameters at their lower, then at their upper bounds; refused values are
 * reported with their place in the experiment. Returns an exit code. */
static int try_bounds(sl_experiment *e, const sl_calibration *plan, const run_options *o) {
  sl_sweep_value value[2][SL_VARIED_MOST];
  sl_yaml_node *tree[2], *root = e->yaml.root;
  run *r = calloc(1, sizeof *r);
  if (!r) return cli_fail(CLI_FAILED, "calibrate", "no memory");
  for (int side = 0; side < 2; side++) {
    const sl_sweep_point point = {plan->parameters, value[side]};
    for (int i = 0; i < plan->parameters; i++) {
      const sl_varied *p = plan->parameter + i;
      value[side][i] = (sl_sweep_value){p->path, sl_yaml_copy(&e->yaml, p->at->item[side])};
    }
    tree[side] = sl_sweep_tree(e, &point);
  }
  int code = sl_experiment_fine(e) ? CLI_OK : run_print_problems(e);
  if (!code) {
    e->yaml.root = *tree, e->points = tree, e->points_count = 2;
    code = run_open(r, o);
    e->yaml.root = root, e->points = NULL, e->points_count = 0;
  }
  if (r->runtime) run_close(r);
  free(r);
  return code;
}

/* Reads and checks the experiment. Returns an exit code. */
static int read_calibration(options *o, sl_experiment *e, calibration *c) {
  const int code = run_open_single(e, &o->run, "calibrate");
  if (code) return code;
  if (!sl_calibration_read(e, &c->plan))
    return cli_fail(
        CLI_USAGE, "calibrate", "%s has no key `calibrate` with `vary` and `targets`", o->run.scene);
  if (o->jobs) c->plan.jobs = o->jobs;
  c->seed = (uint64_t)sl_experiment_number(e, "seed", 1);
  if (!(c->base = sl_experiment_write(e, false))) return cli_fail(CLI_FAILED, "calibrate", "no memory");
  snprintf(c->directory, sizeof c->directory, "%s%s", o->run.directory ? o->run.directory : "runs/",
      o->run.directory ? "" : e->name);
  run_options own = o->run;
  run_take_experiment(e, &own);
  return try_bounds(e, &c->plan, &own);
}

static int measure_places(void *context, const search_place *place, int count, double *error) {
  return calibrate_measure(context, place, count, error);
}

/* Searches and prints the result. Returns an exit code. */
static int carry_out_calibration(calibration *c, int json) {
  search s = {.count = c->plan.parameters,
      .tolerance = c->plan.tolerance,
      .budget = c->plan.budget,
      .measure = measure_places,
      .context = c};
  estimate e = {0};
  search_place x = {0};
  for (int i = 0; i < s.count; i++) {
    const sl_varied *p = c->plan.parameter + i;
    x[i] = (p->start - p->low) / (p->high - p->low);
  }
  if (run_make_directory(c->directory))
    return cli_fail(CLI_IO, "calibrate", "cannot create %s: %s", c->directory, strerror(errno));
  int code = c->plan.uses_cma ? search_cma(&s, x) : search_simplex(&s, x);
  e.converged = s.converged;
  if (!code) code = calibrate_estimate(c, &e);
  if (!code) code = calibrate_write(c);
  if (code) return code;
  calibrate_print(c, &e, json);
  bool good = e.converged;
  for (int i = 0; i < s.count; i++) good = good && e.uncertainty[i] >= 0 && !e.is_uncertain[i];
  return good ? CLI_OK : CLI_FAILED;
}

int cmd_calibrate(int argc, char **argv) {
  options o = {.run = {.progress = "none", .command = "scree calibrate"}};
  const int operands = CLI_PARSE("calibrate", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1)
    return cli_fail(CLI_USAGE, "calibrate", "%s usage: scree calibrate EXP.yaml",
        operands ? "one experiment at a time;" : "which experiment?");
  o.run.scene = argv[1];
  if (!run_is_experiment(o.run.scene))
    return cli_fail(CLI_USAGE, "calibrate",
        "%s is no experiment: its name must end in .yaml or .yml (docs/calibrate.md)", argv[1]);
  calibration c = {.options = &o.run};
  sl_experiment *e = calloc(1, sizeof *e);
  if (!e) return cli_fail(CLI_FAILED, "calibrate", "no memory");
  int code = read_calibration(&o, e, &c);
  if (!code) code = carry_out_calibration(&c, o.json);
  sl_experiment_close(e);
  free(e);
  calibrate_free(&c);
  return code;
}
