/* Experiments: a scene, its parameters and what to do with it, as YAML. docs/experiments.md.
 *
 * A checked experiment is converted to a Lua table, which is merged over the table of the scene. Parameter
 * tables (experiment_tables.c) describe all keys; checks, messages, the JSON Schema and the docs use them. */
#ifndef SL_EXPERIMENT_H
#define SL_EXPERIMENT_H

#include <lua.h>
#include "bind/tables/yaml.h"
#include "scree/param.h"

enum { SL_EXPERIMENT_NAME = 128, SL_EXPERIMENT_PATH = 4096 };

typedef struct sl_experiment {
  sl_yaml yaml;                  /* root: includes merged, settings applied, quantities in SI */
  char name[SL_EXPERIMENT_NAME]; /* name of the file without folder and extension */
  /* path of the scene relative to the working directory; "" if it is missing */
  char scene[SL_EXPERIMENT_PATH];
  /* [points_count] trees of the points of a sweep. Their parameters are also checked against the scene.
   * Borrowed. */
  sl_yaml_node *const *points;
  int points_count;
} sl_experiment;

/* ---- the tables ---- */

/* Parameter table of one map of an experiment. */
typedef struct sl_table {
  /* place in the experiment: "" root, "run", "output.checkpoint", ... */
  const char *path;
  const scree_param *params;
  int count;
} sl_table;
/* Returns the table with a path, NULL if there is none. */
const sl_table *sl_experiment_find_table(const char *path);
/* Returns the table of the entries of `measure` of one kind: keys of all entries and keys of the kind,
 * with the name of the kind as path. It is valid until the next call. NULL beyond the last kind. */
const sl_table *sl_experiment_measure_table(int index);

/* ---- reading ---- */

/* Reads a file, merges its includes (see sl_yaml_include), applies `sets` ("a.b=value", value being YAML)
 * and checks everything. Adds all problems to experiment->yaml. The caller must close the experiment in
 * any case. */
void sl_experiment_open(
    sl_experiment *experiment, const char *path, const char *const *sets, int count, bool trust);
/* Frees the memory of an experiment. */
void sl_experiment_close(sl_experiment *experiment);
/* Checks the tree and converts quantities to SI numbers in place. */
void sl_experiment_check(sl_experiment *experiment);
/* Returns whether the experiment has no problem. */
bool sl_experiment_fine(const sl_experiment *experiment);

/* Returns the number at a dotted path, or fallback. */
double sl_experiment_number(const sl_experiment *experiment, const char *path, double fallback);
/* Returns the text at a dotted path, or fallback. */
const char *sl_experiment_text(const sl_experiment *experiment, const char *path, const char *fallback);

/* ---- use ---- */

/* Applies the experiment to scenes that are loaded into this state from now on; NULL: none. */
void sl_experiment_use(lua_State *L, sl_experiment *experiment);
/* Replaces the scene table at stack index 1 by a copy. Merges the experiment over the copy, and adds the
 * experiment's key `measure`. Raises an error if the experiment does not fit the scene. The experiment's list
 * of problems then contains the reasons. */
void sl_experiment_apply(lua_State *L);
/* If the scene table at stack index 1 has the key `measure`, replaces the table by a copy whose callbacks
 * make these measurements. */
void sl_experiment_attach(lua_State *L);
/* Returns whether the experiment, not the scene, has the list `measure`. */
bool sl_experiment_measures(lua_State *L);
/* Merges the experiment's world over the world table on top of the stack, which a function of the scene
 * returned. */
void sl_experiment_apply_world(lua_State *L);
/* Returns the experiment as YAML without includes, with SI numbers and the absolute path of the scene, so
 * that it reruns to the same bits. sweep: also write the keys of its sweep and calibration. The caller frees
 * the text. */
char *sl_experiment_write(sl_experiment *experiment, bool sweep);

/* ---- sweeps ---- */

/* One varied value of a point of a sweep. */
typedef struct sl_sweep_value {
  const char *path;
  sl_yaml_node *value;
} sl_sweep_value;
typedef struct sl_sweep_point {
  int count;
  sl_sweep_value *value;
} sl_sweep_point;
typedef struct sl_sweep {
  int count;
  sl_sweep_point *point;
} sl_sweep;
enum { SL_SWEEP_MOST = 100000 };
/* Computes the points of the experiment's sweep: all combinations of grid, zip and repeat, without excluded
 * points. The last key of the grid varies faster than the other keys. Without a sweep there is one point
 * without values. Adds problems to the experiment, which owns the memory. */
void sl_sweep_make(sl_experiment *experiment, sl_sweep *sweep);
/* Returns the checked tree of one point, a copy of the experiment without its sweep. NULL if memory runs
 * out. */
sl_yaml_node *sl_sweep_tree(sl_experiment *experiment, const sl_sweep_point *point);

/* ---- schema ---- */

/* Returns the JSON Schema (draft-07) of experiments, for editors. The caller frees it. */
char *sl_experiment_schema(void);

#endif
