/* Reproduces the contact problem of one step of an earlier run.  The run is repeated up to the step: from
 * the newest checkpoint of the run before the step, else from the start as run.json (or the resolved
 * experiment) describes it. Output is written as in the run, because it calls functions of the scene, but
 * into a temporary folder. All results are deterministic, so the problem has the bits of the original
 * step. */
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind/sandbox/sha256.h"
#include "bind/tables/text.h"
#include "bind/tables/yaml.h"
#include "files.h"

enum { TOO_LATE = -1 }; /* the checkpoint lies after the step, or there is none */

/* ---- one attempt ---- */

/* Runs from a restored checkpoint, or from the start if c is NULL, to the step and writes its problem. */
static int dump_step_problem(run *r, const scree_checkpoint *c) {
  char folder[RUN_PATH];
  scree_error error = {SCREE_OK, ""};
  int code = c ? run_restore(r, c, "dump") : run_build(r);
  if (code) return code;
  scree_world *world = r->scene.world->world;
  const int64_t step = r->options->dump_step;
  if (scree_world_steps(world) >= step) return TOO_LATE;
  if (r->scene.stop_steps < step ||
      r->scene.stop_time <= scree_world_get_def(world)->dt * ((double)step - 0.5))
    return cli_fail(CLI_USAGE, "dump", "the run ends before step %lld", (long long)step);
  if ((code = run_make_scratch("dump", folder))) return code;
  snprintf(r->directory, sizeof r->directory, "%s", folder);
  code = run_create_files(r);
  if (!code && !c) code = run_write(r, 1);
  if (!code) code = run_until(r, step);
  if (!code && scree_world_dump_problem(world, r->options->dump_path, &error))
    code = cli_fail(CLI_IO, "dump", "%s", error.text);
  run_close_files(r);
  run_remove_scratch(folder);
  return code;
}

static int open_and_dump(const scree_checkpoint *c, const char *directory, run_options *options) {
  run *r = calloc(1, sizeof *r);
  int code = r ? run_reopen(r, c, directory, options, dump_step_problem)
               : cli_fail(CLI_FAILED, "dump", "no memory");
  free(r);
  return code;
}

/* Dumps from a checkpoint, the newest or the previous one. Returns TOO_LATE if it is missing or not before
 * the step. */
static int from_checkpoint(const char *directory, int previous, run_options options) {
  char path[RUN_PATH + 64];
  scree_error error = {SCREE_OK, ""};
  int generation;
  snprintf(path, sizeof path, "%.1900s/checkpoint.scree%s", directory, previous ? ".previous" : "");
  if (access(path, R_OK)) return TOO_LATE;
  scree_checkpoint *c = scree_checkpoint_read(path, &generation, &error);
  if (!c) return TOO_LATE;
  int code = run_recall(c, &options, &error) ? TOO_LATE : open_and_dump(c, directory, &options);
  scree_checkpoint_destroy(c);
  return code;
}

/* ---- from the start ---- */

/* Returns a parameter's value in run.json in the form of the command line; the caller frees it. */
static char *override_text(const sl_yaml_node *value) {
  sl_text text;
  FILE *out = sl_text_open(&text);
  if (!out) return NULL;
  for (size_t i = 0; value->kind == SL_YAML_LIST && i < value->count; i++)
    fprintf(out, "%s%s", i ? "," : "", value->item[i]->text);
  if (value->kind != SL_YAML_LIST) fputs(value->text ? value->text : "", out);
  return sl_text_close(out, &text);
}

/* Checks that the scene file is the one that was run. Returns an exit code. */
static int check_scene_sum(const sl_yaml_node *root, const char *scene) {
  const sl_yaml_node *sources = sl_yaml_get(root, "sources"),
                     *said = sources && sources->count ? sl_yaml_get(sources->item[0], "sha256") : NULL;
  char *text = NULL, now[SL_SHA256_HEX];
  size_t size;
  if (!(text = cli_read(scene, &size)))
    return cli_fail(CLI_IO, "dump", "cannot read the run's scene %s: %s", scene, strerror(errno));
  sl_sha256(text, size, now);
  free(text);
  return !said || !strcmp(said->text, now)
      ? CLI_OK
      : cli_fail(CLI_USAGE, "dump", "%s has changed since it was run", scene);
}

/* Sets scene and parameters from run.json. Returns an exit code. */
static int recall_start(
    const char *directory, const sl_yaml_node *root, run_options *o, char scene[RUN_PATH]) {
  const sl_yaml_node *path = sl_yaml_get(root, "scene"), *folder = sl_yaml_get(root, "folder"),
                     *params = sl_yaml_get(root, "parameters");
  if (!path || !path->text || !params || params->kind != SL_YAML_MAP)
    return cli_fail(CLI_IO, "dump", "%s/run.json does not describe a run", directory);
  if (*path->text == '/' || !folder) snprintf(scene, RUN_PATH, "%s", path->text);
  else snprintf(scene, RUN_PATH, "%.1000s/%.1000s", folder->text, path->text);
  o->scene = scene;
  if (params->count > CLI_LIST_MOST)
    return cli_fail(CLI_FAILED, "dump", "the scene has more than %d parameters", CLI_LIST_MOST);
  for (size_t i = 0; i < params->count; i++)
    if (!(o->overrides[o->overrides_count++] = (sl_override){params->key[i]->text,
              override_text(params->item[i])})
             .value)
      return cli_fail(CLI_FAILED, "dump", "no memory");
  return check_scene_sum(root, scene);
}

static int from_start(const char *directory, run_options options) {
  char path[RUN_PATH + 64], scene[RUN_PATH];
  snprintf(path, sizeof path, "%.1900s/experiment.yaml", directory);
  if (!access(path, R_OK)) return open_and_dump(NULL, directory, &options);
  sl_yaml yaml;
  snprintf(path, sizeof path, "%.1900s/run.json", directory);
  if (access(path, R_OK))
    return cli_fail(CLI_IO, "dump", "there is no run in %s: %s", directory, strerror(errno));
  sl_yaml_open(&yaml, path);
  int code = yaml.root && !yaml.problems ? recall_start(directory, yaml.root, &options, scene)
                                         : cli_fail(CLI_IO, "dump", "%s cannot be read", path);
  if (!code) code = open_and_dump(NULL, directory, &options);
  for (int i = 0; i < options.overrides_count; i++) free((char *)options.overrides[i].value);
  sl_yaml_free(&yaml);
  return code;
}

int run_dump(const char *directory, const run_options *options) {
  int code = from_checkpoint(directory, 0, *options);
  if (code == TOO_LATE) code = from_checkpoint(directory, 1, *options);
  return code == TOO_LATE ? from_start(directory, *options) : code;
}
