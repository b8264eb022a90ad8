/* Experiments: a scene, its parameters and what to do with it, as YAML. docs/experiments.md.
 *
 * YAML is another spelling of a Lua table: a checked experiment becomes a table that is laid over the
 * scene's own. Everything is described by tables of parameters (experiment_tables.c), which feed the
 * checks, the messages, the JSON Schema and the docs. */
#ifndef SL_EXPERIMENT_H
#define SL_EXPERIMENT_H

#include <lua.h>
#include "bind/tables/yaml.h"
#include "scree/param.h"

enum { SL_EXPERIMENT_NAME = 128, SL_EXPERIMENT_PATH = 4096 };

typedef struct sl_experiment {
  sl_yaml yaml;                  /* root: includes merged, settings applied, quantities in SI */
  char name[SL_EXPERIMENT_NAME]; /* of the file, without folder and ending */
  /* path of the scene as the process sees it; "" if it is missing */
  char scene[SL_EXPERIMENT_PATH];
  /* trees of a sweep whose parameters are held against the scene, too; borrowed */
  sl_yaml_node *const *points;
  int points_count;
} sl_experiment;

/* ---- the tables ---- */
typedef struct sl_table {
  /* place in the experiment: "" root, "run", "output.checkpoint", ... */
  const char *path;
  const scree_param *params;
  int count;
} sl_table;
/* NULL for a path that there is not. */
const sl_table *sl_experiment_find_table(const char *path);
/* The table of entries of `measure` of one kind, its name for a path: what all entries have, and the
 * kind's own keys. Valid until the next call; NULL past the last. */
const sl_table *sl_experiment_measure_table(int index);

/* ---- reading ---- */
/* Reads a file, merges its includes (see sl_yaml_include), applies `sets` ("a.b=value", value being YAML) and
 * checks everything. Notes all errors in yaml. The caller must close the experiment in any case. */
void sl_experiment_open(
    sl_experiment *experiment, const char *path, const char *const *sets, int count, bool trust);
void sl_experiment_close(sl_experiment *experiment);
/* Checks the tree (again) and turns quantities into SI numbers in place. */
void sl_experiment_check(sl_experiment *experiment);
/* Whether nothing is wrong so far. */
bool sl_experiment_fine(const sl_experiment *experiment);

double sl_experiment_number(const sl_experiment *experiment, const char *path, double fallback);
const char *sl_experiment_text(const sl_experiment *experiment, const char *path, const char *fallback);

/* ---- use ---- */
/* Scenes loaded into this state from now on are run as the experiment says (NULL: as they are). */
void sl_experiment_use(lua_State *L, sl_experiment *experiment);
/* The scene table at index 1 becomes one with the experiment laid over it, and with its key `measure`
 * carried out. Raises where the experiment does not fit; all reasons are then noted in it. */
void sl_experiment_apply(lua_State *L);
/* The world table on top, made by a function of the scene, gets the experiment's world laid over it. */
void sl_experiment_apply_world(lua_State *L);
/* The experiment as YAML that reruns to the same bits: no includes, SI numbers, the whole path of the
 * scene; with its sweep or without. Released with free. */
char *sl_experiment_write(sl_experiment *experiment, bool sweep);

/* ---- sweeps ---- */
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
/* The points of the experiment's sweep: grid (last key fastest) x zip x repeat, without what is
 * excluded; one point without values where there is no sweep. Problems are noted. Memory belongs to the
 * experiment. */
void sl_sweep_make(sl_experiment *experiment, sl_sweep *sweep);
/* The tree of one point, checked: a copy of the experiment without its sweep. NULL without memory. */
sl_yaml_node *sl_sweep_tree(sl_experiment *experiment, const sl_sweep_point *point);

/* ---- schema ---- */
/* JSON Schema (draft-07) of experiments, for editors. Released with free. */
char *sl_experiment_schema(void);

#endif
