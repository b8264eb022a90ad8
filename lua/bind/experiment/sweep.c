/* Sweeps: makes points from lists of values, and experiments from points. */
#include "bind/experiment/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Allocates memory that is freed with the experiment, as the text of a new text node. Returns NULL if out of
 * memory. */
static void *allocate_sweep(sl_experiment *e, size_t bytes) {
  char *blank = malloc(bytes + 1);
  if (!blank) return NULL;
  memset(blank, ' ', bytes);
  blank[bytes] = 0;
  sl_yaml_node *node = sl_yaml_new_text(&e->yaml, blank, NULL);
  free(blank);
  return node ? (void *)node->text : NULL;
}

/* ---- lists of values ---- */

/* Returns the list of numbers for {range: [first, last]} or {range: [first, last, step]}, {linear: [a, b,
 * n]}, {log: [a, b, n]}. */
static sl_yaml_node *expand_ranges(sl_experiment *e, const sl_yaml_node *map, const char *path) {
  const char *kind = map->count == 1 ? map->key[0]->text : "";
  const sl_yaml_node *list = map->count == 1 ? map->item[0] : map;
  bool range = !strcmp(kind, "range"), linear = !strcmp(kind, "linear"), log = !strcmp(kind, "log");
  double v[3] = {0, 0, 1};
  size_t count = list->kind == SL_YAML_LIST ? list->count : 0;
  for (size_t i = 0; i < count && i < 3; i++)
    v[i] = list->item[i]->kind == SL_YAML_NUMBER ? list->item[i]->number : NAN;
  bool fine = (range && (count == 2 || count == 3) && v[2] != 0) ||
      ((linear || log) && count == 3 && v[2] >= 2 && v[2] <= SL_SWEEP_MOST);
  double n = range ? floor((v[1] - v[0]) / v[2] + 1e-9) + 1 : v[2];
  if (!fine || !(n >= 1) || n > SL_SWEEP_MOST || !(v[0] == v[0] && v[1] == v[1]) ||
      (log && !(v[0] > 0 && v[1] > 0))) {
    sl_yaml_problem(&e->yaml, map,
        "sweep: %s: expected a list of values, {range: [first, last, step]}, {linear: [a, b, n]} or {log: "
        "[a, b, n]}",
        path);
    return NULL;
  }
  sl_yaml_node *out = sl_yaml_new(&e->yaml, SL_YAML_LIST, map);
  for (int i = 0; out && i < (int)n; i++) {
    double part = n > 1 ? i / (n - 1) : 0;
    double value = range ? v[0] + i * v[2]
        : linear         ? v[0] + part * (v[1] - v[0])
                         : v[0] * pow(v[1] / v[0], part);
    if (!sl_yaml_push(&e->yaml, out, NULL, sl_yaml_new_number(&e->yaml, value, map))) return NULL;
  }
  return out;
}

/* Adds a problem for a name without a dot that is not a key of an experiment, because it is probably a
 * parameter. */
static void check_place(sl_experiment *e, const sl_yaml_node *key, const char *what) {
  const sl_table *root = sl_experiment_find_table("");
  if (strchr(key->text, '.') || !root || scree_param_find(root->params, root->count, key->text)) return;
  sl_yaml_problem(&e->yaml, key, "sweep.%s.%s is no place in an experiment; did you mean 'params.%s'?", what,
      key->text, key->text);
}

/* Reads the lists of a map {path: values}. Returns their number, -1 after a problem. */
static int lists_of(sl_experiment *e, const sl_yaml_node *map, const char *what, sl_yaml_node ***lists) {
  *lists = NULL;
  if (!map) return 0;
  if (map->kind != SL_YAML_MAP)
    return sl_yaml_problem(&e->yaml, map, "sweep.%s: expected a map of path: values", what), -1;
  *lists = allocate_sweep(e, map->count * sizeof **lists + 1);
  bool fine = true;
  for (size_t i = 0; *lists && i < map->count; i++) {
    sl_yaml_node *item = map->item[i];
    (*lists)[i] = item->kind == SL_YAML_MAP ? expand_ranges(e, item, map->key[i]->text) : item;
    fine &= (*lists)[i] && (*lists)[i]->kind == SL_YAML_LIST && (*lists)[i]->count;
    if (item->kind < SL_YAML_LIST || (item->kind == SL_YAML_LIST && !item->count))
      sl_yaml_problem(&e->yaml, item, "sweep.%s.%s: expected a list of values", what, map->key[i]->text);
    if (!strncmp(map->key[i]->text, "sweep", 5) || !strncmp(map->key[i]->text, "include", 7))
      sl_yaml_problem(&e->yaml, map->key[i], "sweep.%s.%s cannot be swept", what, map->key[i]->text);
    check_place(e, map->key[i], what);
  }
  return *lists && fine ? (int)map->count : -1;
}

/* ---- points ---- */

static bool is_same_value(const sl_yaml_node *a, const sl_yaml_node *b) {
  if (a->kind != b->kind || a->count != b->count) return false;
  if (a->kind == SL_YAML_NUMBER) return a->number == b->number;
  if (a->kind == SL_YAML_BOOL) return a->truth == b->truth;
  for (size_t i = 0; i < a->count; i++)
    if (!is_same_value(a->item[i], b->item[i])) return false;
  return a->kind >= SL_YAML_LIST || a->kind == SL_YAML_NULL || !strcmp(a->text, b->text);
}

/* Returns whether the point matches an entry of `exclude`. */
static bool is_excluded(const sl_yaml_node *list, const sl_sweep_point *point) {
  for (size_t k = 0; list && k < list->count; k++) {
    const sl_yaml_node *rule = list->item[k];
    size_t hits = 0;
    for (size_t i = 0; i < rule->count; i++)
      for (int v = 0; v < point->count; v++)
        hits += !strcmp(rule->key[i]->text, point->value[v].path) &&
            is_same_value(rule->item[i], point->value[v].value);
    if (rule->count && hits == rule->count) return true;
  }
  return false;
}

typedef struct plan {
  sl_experiment *e;
  const sl_yaml_node *grid, *zip, *exclude;
  sl_yaml_node **grid_list, **zip_list;
  int grids, zips, repeat;
  double seed;
  int64_t zip_length, total;
} plan;

/* Makes the point with an index: repeat varies fastest, then zip, then the last key of the grid. */
static bool make_point(const plan *p, int64_t index, sl_sweep_point *out) {
  bool seeds = p->repeat > 1;
  out->value = allocate_sweep(p->e, (size_t)(p->grids + p->zips + 1) * sizeof *out->value);
  if (!out->value) return false;
  int turn = (int)(index % p->repeat);
  index /= p->repeat;
  size_t side = (size_t)(index % p->zip_length);
  index /= p->zip_length;
  for (int g = p->grids - 1; g >= 0; g--) {
    out->value[g] = (sl_sweep_value){
        p->grid->key[g]->text, p->grid_list[g]->item[(size_t)index % p->grid_list[g]->count]};
    index /= (int64_t)p->grid_list[g]->count;
  }
  for (int z = 0; z < p->zips; z++)
    out->value[p->grids + z] = (sl_sweep_value){p->zip->key[z]->text, p->zip_list[z]->item[side]};
  out->count = p->grids + p->zips;
  double seed = p->seed;
  for (int v = 0; v < out->count; v++)
    if (!strcmp(out->value[v].path, "seed") && out->value[v].value->kind == SL_YAML_NUMBER)
      seed = out->value[v].value->number;
  if (seeds)
    out->value[out->count++] = (sl_sweep_value){"seed", sl_yaml_new_number(&p->e->yaml, seed + turn, NULL)};
  return !seeds || out->value[out->count - 1].value;
}

static bool read_plan(sl_experiment *e, const sl_yaml_node *sweep, plan *p) {
  *p = (plan){.e = e,
      .grid = sl_yaml_get(sweep, "grid"),
      .zip = sl_yaml_get(sweep, "zip"),
      .exclude = sl_yaml_get(sweep, "exclude"),
      .repeat = (int)sl_experiment_number(e, "sweep.repeat", 1),
      .seed = sl_experiment_number(e, "seed", 1),
      .zip_length = 1};
  p->grids = lists_of(e, p->grid, "grid", &p->grid_list);
  p->zips = lists_of(e, p->zip, "zip", &p->zip_list);
  if (p->grids < 0 || p->zips < 0) return false;
  double total = p->repeat;
  for (int i = 0; i < p->grids; i++) total *= (double)p->grid_list[i]->count;
  if (p->zips) p->zip_length = (int64_t)p->zip_list[0]->count, total *= (double)p->zip_length;
  for (int i = 1; i < p->zips; i++)
    if ((int64_t)p->zip_list[i]->count != p->zip_length)
      sl_yaml_problem(&e->yaml, p->zip_list[i], "sweep.zip.%s has %zu values where %s has %lld",
          p->zip->key[i]->text, p->zip_list[i]->count, p->zip->key[0]->text, (long long)p->zip_length);
  if (total > SL_SWEEP_MOST)
    sl_yaml_problem(&e->yaml, sweep, "sweep: %.6g runs are more than %d", total, SL_SWEEP_MOST);
  bool maps = !p->exclude || p->exclude->kind == SL_YAML_LIST;
  for (size_t i = 0; maps && p->exclude && i < p->exclude->count; i++)
    maps = p->exclude->item[i]->kind == SL_YAML_MAP;
  if (!maps) sl_yaml_problem(&e->yaml, p->exclude, "sweep.exclude: expected a list of maps");
  p->total = (int64_t)total;
  return sl_experiment_fine(e);
}

static bool make_points(const plan *p, sl_sweep *out) {
  out->point = allocate_sweep(p->e, (size_t)p->total * sizeof *out->point);
  for (int64_t i = 0; out->point && i < p->total; i++) {
    sl_sweep_point point;
    if (!make_point(p, i, &point)) return false;
    if (!is_excluded(p->exclude, &point)) out->point[out->count++] = point;
  }
  return out->point;
}

void sl_sweep_make(sl_experiment *e, sl_sweep *out) {
  const sl_yaml_node *sweep = sl_yaml_get(e->yaml.root, "sweep");
  plan p = {.e = e, .repeat = 1, .zip_length = 1, .total = 1};
  *out = (sl_sweep){0};
  bool made = (!sweep || (sweep->kind == SL_YAML_MAP && read_plan(e, sweep, &p))) && make_points(&p, out);
  if (!sl_experiment_fine(e)) return;
  if (!made) sl_yaml_problem(&e->yaml, sweep, "sweep: no memory");
  else if (!out->count) sl_yaml_problem(&e->yaml, sweep, "sweep: every point is excluded");
}

/* Returns a copy of the experiment without its sweep. */
static sl_yaml_node *copy_base(sl_experiment *e) {
  sl_yaml_node *base = e->yaml.root, *tree = sl_yaml_new(&e->yaml, SL_YAML_MAP, base);
  for (size_t i = 0; tree && i < base->count; i++)
    if (strcmp(base->key[i]->text, "sweep") &&
        !sl_yaml_push(&e->yaml, tree, base->key[i], sl_yaml_copy(&e->yaml, base->item[i])))
      return NULL;
  return tree;
}

sl_yaml_node *sl_sweep_tree(sl_experiment *e, const sl_sweep_point *point) {
  sl_yaml_node *base = e->yaml.root, *tree = copy_base(e);
  if (!tree) return sl_yaml_problem(&e->yaml, base, "sweep: no memory"), NULL;
  e->yaml.root = tree;
  for (int i = 0; i < point->count; i++)
    if (!sl_yaml_set(&e->yaml, point->value[i].path, point->value[i].value))
      sl_yaml_problem(&e->yaml, point->value[i].value, "sweep: there is no place %s", point->value[i].path);
  sl_experiment_check(e);
  e->yaml.root = base;
  return tree;
}
