/* The key `calibrate` of experiments: parameters with bounds, and targets. */
#include "bind/experiment/calibration.h"

#include <stdio.h>
#include <string.h>

#include "bind/tables/units.h"

/* Sets *value to the number of a node, or to the quantity in its text in SI units. Returns false for other
 * nodes. */
static bool read_plain_quantity(const sl_yaml_node *n, double *value) {
  if (n->kind == SL_YAML_NUMBER) return *value = n->number, true;
  return n->kind == SL_YAML_TEXT && sl_quantity_read(n->text, NULL, value) == SL_QUANTITY_FINE;
}

/* Reads a list of at most 3 quantities. Returns their number; 0 for other nodes. */
static int read_plain_quantities(const sl_yaml_node *list, double value[3]) {
  if (list->kind != SL_YAML_LIST || list->count > 3) return 0;
  for (size_t i = 0; i < list->count; i++)
    if (!read_plain_quantity(list->item[i], value + i)) return 0;
  return (int)list->count;
}

static bool read_bounds(const sl_yaml_node *list, sl_varied *out) {
  double v[3];
  const int count = read_plain_quantities(list, v);
  if (count < 2 || !(v[0] < v[1])) return false;
  out->low = v[0], out->high = v[1], out->start = count == 3 ? v[2] : 0.5 * (v[0] + v[1]);
  out->at = list;
  return out->low <= out->start && out->start <= out->high;
}

static bool read_measured_target(const sl_yaml_node *list, sl_target *out) {
  double v[3];
  if (read_plain_quantities(list, v) != 2 || !(v[1] > 0)) return false;
  for (int i = 0; i < 2; i++) /* a figure has its own unit, so both numbers must be plain */
    if (list->item[i]->kind != SL_YAML_NUMBER) return false;
  out->value = v[0], out->sigma = v[1], out->at = list;
  return true;
}

/* Returns the map at `path` if it has 1 to `most` entries, else NULL. Adds a problem if the value at `path`
 * is anything else. */
static const sl_yaml_node *find_entries(sl_experiment *e, const char *path, int most, const char *what) {
  const sl_yaml_node *map = sl_yaml_find(e->yaml.root, path);
  if (map && map->kind == SL_YAML_MAP && map->count >= 1 && map->count <= (size_t)most) return map;
  if (map) sl_yaml_problem(&e->yaml, map, "%s: expected a map of 1 to %d %s", path, most, what);
  return NULL;
}

/* Adds a problem for a path that cannot be varied. */
static void check_varied_path(sl_experiment *e, const sl_yaml_node *key) {
  static const char *const fixed[] = {
      "scree", "scene", "seed", "title", "include", "sweep", "calibrate", "measure", "output", "params"};
  const sl_table *root = sl_experiment_find_table("");
  const size_t length = strcspn(key->text, ".");
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    const bool is_same = strlen(fixed[i]) == length && !strncmp(fixed[i], key->text, length);
    if (is_same && (strcmp(fixed[i], "params") != 0 || !key->text[length]))
      sl_yaml_problem(&e->yaml, key, "calibrate.vary.%s cannot be varied", key->text);
  }
  if (!key->text[length] && !scree_param_find(root->params, root->count, key->text))
    sl_yaml_problem(&e->yaml, key,
        "calibrate.vary.%s is no place in an experiment; did you mean 'params.%s'?", key->text, key->text);
}

void sl_calibration_check(sl_experiment *e) {
  sl_varied varied;
  sl_target target;
  const sl_yaml_node *vary = find_entries(e, "calibrate.vary", SL_VARIED_MOST, "paths"),
                     *targets = find_entries(e, "calibrate.targets", SL_TARGETS_MOST, "figures");
  for (size_t i = 0; vary && i < vary->count; i++) {
    check_varied_path(e, vary->key[i]);
    if (!read_bounds(vary->item[i], &varied))
      sl_yaml_problem(&e->yaml, vary->item[i],
          "calibrate.vary.%s: expected [low, high] or [low, high, start] with low <= start <= high",
          vary->key[i]->text);
  }
  for (size_t i = 0; targets && i < targets->count; i++)
    if (!read_measured_target(targets->item[i], &target))
      sl_yaml_problem(&e->yaml, targets->item[i],
          "calibrate.targets.%s: expected [value, sigma], two numbers in the unit of the figure, with sigma "
          "> 0",
          targets->key[i]->text);
}

static double read_calibration_number(const sl_yaml_node *root, const char *path, double fallback) {
  const sl_yaml_node *n = sl_yaml_find(root, path);
  return n && n->kind == SL_YAML_NUMBER ? n->number : fallback;
}

bool sl_calibration_read(const sl_experiment *e, sl_calibration *out) {
  const sl_yaml_node *root = e->yaml.root, *vary = sl_yaml_find(root, "calibrate.vary"),
                     *targets = sl_yaml_find(root, "calibrate.targets");
  if (!vary || !targets) return false;
  *out = (sl_calibration){.parameters = (int)vary->count, .targets = (int)targets->count};
  for (int i = 0; i < out->parameters; i++) {
    out->parameter[i].path = vary->key[i]->text;
    read_bounds(vary->item[i], out->parameter + i);
  }
  for (int i = 0; i < out->targets; i++) {
    out->target[i].figure = targets->key[i]->text;
    read_measured_target(targets->item[i], out->target + i);
  }
  const sl_yaml_node *method = sl_yaml_find(root, "calibrate.method");
  out->uses_cma = method && !strcmp(method->text, "cma_es");
  out->seeds = (int)read_calibration_number(root, "calibrate.seeds", 3);
  out->budget = (int64_t)read_calibration_number(root, "calibrate.budget", 60);
  out->jobs = (int64_t)read_calibration_number(root, "calibrate.jobs", 1);
  out->tolerance = read_calibration_number(root, "calibrate.tolerance", 0.005);
  out->step = read_calibration_number(root, "calibrate.step", 0.05);
  return true;
}
