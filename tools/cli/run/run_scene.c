/* Runs a scene from the command line: one run, or one run per variant. */
#include "run/run.h"

#include <stdlib.h>

int run_scene(const run_options *options) {
  run *r = calloc(1, sizeof *r);
  if (!r) return cli_fail(CLI_FAILED, "run", "no memory");
  run_variants variants = {0};
  int code = run_open(r, options);
  if (!code) code = run_choose_directory(r);
  if (!code) code = run_find_variants(r, &variants);
  if (!code) code = run_view_check(options, variants.count);
  if (!code && variants.count) {
    run_close(r);
    code = run_all_variants(options, r->directory, &variants);
  } else if (!code) {
    code = run_carry_out(r);
    if (run_is_finished(code)) run_print_figures(&r, 1), run_print_accuracy(r, "");
    if (run_is_finished(code) || r->started_files) run_print_place(r, code);
  }
  if (r->runtime) run_close(r);
  run_view_end(r, code);
  free(r);
  return code;
}

int run_experiment(run_options *options) {
  sl_experiment *e = calloc(1, sizeof *e);
  if (!e) return cli_fail(CLI_FAILED, "run", "no memory");
  int code = run_open_experiment(e, options, "run");
  if (!code && sl_yaml_get(e->yaml.root, "sweep")) {
    code = cli_fail(
        CLI_USAGE, "run", "%s describes a sweep; run it with scree sweep %s", options->scene, options->scene);
  } else if (code && !*e->scene) {
    code = run_print_problems(e);
  } else {
    /* the scene is loaded even after mistakes, so that its parameters are checked at the same time */
    run_take_experiment(e, options);
    code = run_scene(options);
  }
  sl_experiment_close(e);
  free(e);
  return code;
}
