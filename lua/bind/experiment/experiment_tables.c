/* The parameter tables that describe experiments. The engine defines the tables of world and solver. */
#include "bind/experiment/experiment.h"
#include "scree/measure.h"

#include <math.h>
#include <string.h>

#define TEXT(name, flags, doc) \
  { name, SCREE_STRING, flags, "", 0, 0, 0, 0, NULL, doc }
#define REAL(name, flags, unit, low, high, doc) \
  { name, SCREE_REAL, flags, unit, 0, low, high, 0, NULL, doc }
#define WHOLE(name, fallback, low, high, doc) \
  { name, SCREE_INTEGER, 0, "", fallback, low, high, 0, NULL, doc }
#define FLAG(name, doc) \
  { name, SCREE_BOOLEAN, 0, "", 0, 0, 0, 0, NULL, doc }
#define PART(name, flags, doc) \
  { name, SCREE_OPAQUE, flags, "", 0, 0, 0, 0, NULL, doc }

static const scree_param root[] = {
    {"scree", SCREE_INTEGER, SCREE_REQUIRED, "", 1, 1, 1, 0, NULL, "version of this format: 1"},
    TEXT("scene", SCREE_REQUIRED, "the scene file, relative to this file"),
    TEXT("title", 0, "one line"),
    WHOLE("seed", 1, 0, 9007199254740992.0, "of all randomness"),
    PART("params", 0, "parameters of the scene"),
    PART("world", 0, "instead of the scene's world"),
    PART("solver", 0, "instead of the scene's world.solver"),
    PART("run", 0, "how long, how fine, with what"),
    PART("output", 0, "what to keep, and where"),
    PART("measure", 0, "list of measurements"),
    PART("sweep", 0, "many runs from one file"),
    PART("calibrate", 0, "parameters to find, and measured targets"),
    PART("include", 0, "file or list of files to start from, relative to this file"),
};

static const scree_param run[] = {
    REAL("until", SCREE_POSITIVE, "s", 0, 0, "simulated time at the end"),
    WHOLE("steps", 0, 1, 1e15, "steps at the end"),
    TEXT("stop_when", 0,
        "condition on columns of series.csv that ends the run, e.g. max_speed < 1 mm/s for 0.1 s"),
    REAL("dt", SCREE_POSITIVE, "s", 0, 0, "step"),
    WHOLE("threads", 1, 1, 1024, "of the engine; the result is the same for any number"),
    REAL("wall", SCREE_POSITIVE, "s", 0, 0,
        "wall time after which the run stops with a checkpoint (exit code 75)"),
};

static const scree_param output[] = {
    TEXT("dir", 0, "directory; {name} is the file's name, {n} the next free number"),
    REAL("every", SCREE_POSITIVE, "s", 0, 0, "interval of frames"),
    REAL("series", SCREE_POSITIVE, "s", 0, 0, "interval of rows in series.csv"),
    PART("fields", 0, "list of position, orientation, velocity, spin, contacts"),
    PART("precision", 0, "\"exact\", a length, or like \"1e-4 d\" in mean diameters"),
    PART("checkpoint", 0, "when to save the state"),
    PART("track", 0, "frames of chosen bodies in track.scree"),
};

static const scree_param track[] = {
    REAL("every", SCREE_POSITIVE, "s", 0, 0, "interval of frames"),
    PART("ids", 0, "list of the ids of bodies"),
    PART("names", 0, "list of the names of bodies"),
    PART("groups", 0, "list of groups: all bodies that are in them at the time"),
    PART("fields", 0, "list of position, orientation, velocity, spin"),
    PART("precision", 0, "\"exact\", a length, or like \"1e-4 d\" in mean diameters"),
};

static const scree_param checkpoint[] = {
    REAL("every", SCREE_POSITIVE, "s", 0, 0, "interval in simulated time"),
    REAL("wall", SCREE_POSITIVE, "s", 0, 0, "interval in wall time"),
    WHOLE("keep", 2, 1, 100, "generations: the newest and those before it"),
    FLAG("final", "a completed run keeps its last state, so that resume can go on with it"),
};

static const scree_param sweep[] = {
    PART("grid", 0, "path: values; every combination"),
    PART("zip", 0, "path: values; side by side, all of one length"),
    PART("exclude", 0, "list of {path: value}: points that match all are left out"),
    WHOLE("repeat", 1, 1, 100000, "runs of each point, with seeds counted up"),
    WHOLE("jobs", 1, 1, 1024, "runs at the same time"),
};

static const scree_param calibrate[] = {
    PART("vary", SCREE_REQUIRED, "path: [low, high] or [low, high, start]; the parameters to find"),
    PART("targets", SCREE_REQUIRED, "figure: [value, sigma], in the unit in which the scene reports it"),
    {"method", SCREE_CHOICE, 0, "", 0, 0, 0, 0, "nelder_mead|cma_es", "how to search"},
    WHOLE("seeds", 3, 1, 64, "runs of each place, with seeds counted up"),
    WHOLE("budget", 60, 1, 100000, "places to try"),
    REAL("tolerance", SCREE_POSITIVE, "", 1e-9, 0.5, "of each parameter, as a share of its range"),
    REAL("step", SCREE_POSITIVE, "", 1e-6, 0.5,
        "of the differences for the uncertainty, as a share of the range"),
    WHOLE("jobs", 1, 1, 1024, "runs at the same time"),
};

/* Keys of all entries of `measure`. */
static const scree_param measure_head[] = {
    TEXT("name", SCREE_REQUIRED, "names its columns and its file"),
    PART("type", SCREE_REQUIRED, "what to measure"),
    REAL("every", SCREE_POSITIVE, "s", 0, 0, "interval; without it, that of the series"),
    REAL("start", 0, "s", 0, INFINITY, "nothing before this time"),
};
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
static const sl_table tables[] = {
    {"", root, COUNT(root)},
    {"world", NULL, 0},
    {"solver", NULL, 0},
    {"run", run, COUNT(run)},
    {"output", output, COUNT(output)},
    {"output.checkpoint", checkpoint, COUNT(checkpoint)},
    {"output.track", track, COUNT(track)},
    {"sweep", sweep, COUNT(sweep)},
    {"calibrate", calibrate, COUNT(calibrate)},
};

/* Returns the table with an index, NULL beyond the last. The numbers of rows of the tables of world and
 * solver are variables of the engine, so these two tables are filled on demand. */
static const sl_table *table_at(int index) {
  static _Thread_local sl_table engine[2];
  if (index < 0 || index >= COUNT(tables)) return NULL;
  if (tables[index].params) return tables + index;
  bool world = !strcmp(tables[index].path, "world");
  sl_table *table = engine + world;
  *table = world ? (sl_table){"world", scree_world_params, scree_world_params_count}
                 : (sl_table){"solver", scree_solver_params, scree_solver_params_count};
  return table;
}

const sl_table *sl_experiment_find_table(const char *path) {
  for (int i = 0; i < COUNT(tables); i++)
    if (!strcmp(tables[i].path, path)) return table_at(i);
  return NULL;
}

const sl_table *sl_experiment_measure_table(int index) {
  enum { KEYS_MOST = 24 };
  static _Thread_local scree_param keys[COUNT(measure_head) + KEYS_MOST];
  static _Thread_local sl_table table;
  const scree_measure_kind *kind = scree_measure_kind_at(index);
  if (!kind || kind->params_count > KEYS_MOST) return NULL;
  memcpy(keys, measure_head, sizeof measure_head);
  memcpy(keys + COUNT(measure_head), kind->params, (size_t)kind->params_count * sizeof *keys);
  table = (sl_table){kind->name, keys, COUNT(measure_head) + kind->params_count};
  return &table;
}
