/* Memory that runs out (support/starve.h) while experiments are read, worlds are made, saved and loaded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind/experiment/experiment.h"
#include "bind/tables/yaml.h"
#include "scree/checkpoint.h"
#include "support/starve.h"
#include "support/worlds/worlds.h"

/* ---- YAML and experiments ---- */

static const char text[] =
    "scree: 1\n"
    "scene: scene.lua\n"
    "include: base.yaml\n"
    "params: &p {mu: 0.4, 'long name': \"a \\u00e9 \\x41 \\U0001F600\", list: [1 mm, 2.5e-3, true, ~]}\n"
    "world: {dt: 1 ms, solver: {iterations: 5}}\n"
    "run: {stop_when: max_speed > 100 for 1 s}\n"
    "output: {dir: out, checkpoint: {every: 2 ms, final: true}}\n"
    "measure:\n"
    "  - {name: z, type: coordination}\n"
    "sweep:\n"
    "  grid: {params.mu: [0.1, 0.2]}\n"
    "  zip: {world.dt: [1 ms, 2 ms], world.substeps: [1, 2]}\n"
    "  repeat: 2\n";
static const char base[] = "# below\nparams:\n  mu: 0.3\n  more: |\n    a\n    b\noutput: {series: 1 ms}\n";

static void put(const char *name, const char *bytes) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  assert_true(fputs(bytes, file) >= 0 && fclose(file) == 0);
}

static void read_yaml(char answer[ANSWER]) {
  sl_yaml y;
  *answer = 0;
  sl_yaml_open(&y, "exp.yaml");
  if (y.root) sl_yaml_include(&y, false);
  sl_yaml_node *value = y.root ? sl_yaml_new_number(&y, 7, NULL) : NULL;
  const bool set = value && sl_yaml_set(&y, "params.deep.deeper", value);
  char *said = sl_yaml_problems(&y), *written = set && !y.problems ? sl_yaml_write(y.root) : NULL;
  if (written) snprintf(answer, ANSWER, "%s", written);
  free(said);
  free(written);
  sl_yaml_free(&y);
}

static void read_experiment(char answer[ANSWER]) {
  const char *const sets[] = {"params.mu=0.7", "world.gravity=[0, 0, -1]"};
  sl_experiment e;
  sl_sweep sweep = {0, NULL};
  *answer = 0;
  sl_experiment_open(&e, "exp.yaml", sets, 2, false);
  if (sl_experiment_fine(&e)) sl_sweep_make(&e, &sweep);
  sl_yaml_node *tree = sweep.count ? sl_sweep_tree(&e, sweep.point + sweep.count - 1) : NULL;
  char *said = sl_yaml_problems(&e.yaml), *written = tree ? sl_experiment_write(&e, true) : NULL;
  char *point = written ? sl_yaml_write(tree) : NULL;
  if (point && !e.yaml.problems) snprintf(answer, ANSWER, "%d\n%s%s", sweep.count, point, written);
  free(said), free(written), free(point);
  sl_experiment_close(&e);
}

static void write_schema(char answer[ANSWER]) {
  char *schema = sl_experiment_schema();
  snprintf(answer, ANSWER, "%s", schema ? schema : "");
  free(schema);
}

/* ---- worlds and their checkpoints ---- */

static const char *maker; /* name of the maker of the present world */

/* Job: makes a world, saves, writes, reads and loads it into another world. Result: the hash after a step. */
static void come_back(char answer[ANSWER]) {
  scree_error error = {SCREE_OK, ""};
  worlds all = {NULL, NULL};
  *answer = 0;
  if (!worlds_open_quietly(&all)) return;
  scree_world *a = worlds_try(&all, maker), *b = a ? worlds_try(&all, maker) : NULL;
  scree_checkpoint *c = b ? scree_checkpoint_create() : NULL, *d = NULL;
  if (c && !scree_world_save(a, c, &error) && !scree_checkpoint_write(c, "x.checkpoint", 1, &error))
    d = scree_checkpoint_read("x.checkpoint", NULL, &error);
  if (d && !scree_world_load(b, d, &error) && !scree_world_step(b, 1, &error))
    snprintf(answer, ANSWER, "%016llx", (unsigned long long)scree_world_hash(b));
  scree_checkpoint_destroy(c);
  scree_checkpoint_destroy(d);
  worlds_close(&all);
}

/* Job: loads a checkpoint into an empty world. Result: the hash after a step. */
static scree_checkpoint *kept;
static scree_world_def kept_def;

static void into_nothing(char answer[ANSWER]) {
  scree_error error = {SCREE_OK, ""};
  *answer = 0;
  scree_world *w = scree_world_create(&kept_def, &error);
  if (w && !scree_world_load(w, kept, &error) && !scree_world_step(w, 1, &error))
    snprintf(answer, ANSWER, "%016llx", (unsigned long long)scree_world_hash(w));
  else assert_true(*error.text);
  scree_world_destroy(w);
}

static void keep_world(const char *name) {
  scree_error error = {SCREE_OK, ""};
  worlds all = worlds_open();
  scree_world *w = worlds_make(&all, name);
  kept = scree_checkpoint_create();
  if (scree_world_save(w, kept, &error)) fail_msg("%s: %s", name, error.text);
  kept_def = *scree_world_get_def(w);
  worlds_close(&all);
}

/* ---- all of them, in a folder of their own ---- */

static char folder[] = "/tmp/scree-starved-XXXXXX";

static void readers(void **state) {
  (void)state;
  put("exp.yaml", text);
  put("base.yaml", base);
  put("scene.lua", "return {}\n");
  starve("yaml", read_yaml, ALL);
  starve("experiment", read_experiment, ALL);
  starve("schema", write_schema, ALL);
}

static void worlds_and_checkpoints(void **state) {
  (void)state;
  static const char *const names[] = {"of_all_kinds", "of_joints", "of_bonds", "of_springs", "pressed",
      "wet_cell", "tired", "measured", "solved", "of_surfaces", "implicit"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) starve(maker = names[k], come_back, ALL);
}

static void into_worlds_without_anything(void **state) {
  (void)state;
  static const char *const names[] = {
      "of_joints", "of_bonds", "of_springs", "pressed", "wet_cell", "bounced"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    keep_world(names[k]);
    starve(names[k], into_nothing, ALL);
    scree_checkpoint_destroy(kept);
  }
}

int main(void) {
  if (!mkdtemp(folder) || chdir(folder)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(readers), cmocka_unit_test(worlds_and_checkpoints),
      cmocka_unit_test(into_worlds_without_anything)};
  int bad = cmocka_run_group_tests(tests, NULL, NULL);
  const char *const made[] = {"exp.yaml", "base.yaml", "scene.lua", "x.checkpoint"};
  for (size_t k = 0; k < sizeof made / sizeof *made; k++) remove(made[k]);
  return chdir("/") || rmdir(folder) ? 1 : bad;
}
