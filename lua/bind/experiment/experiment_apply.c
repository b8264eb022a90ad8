/* Applies an experiment to a scene: merges its table over that of the scene, and writes the experiment
 * next to the results. */
#include "bind/errors.h"
#include "bind/experiment/declared.h"
#include "bind/experiment/experiment.h"
#include "bind/sandbox/inside.h"
#include "bind/tables/units.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static void push_node(lua_State *L, const sl_yaml_node *n) {
  luaL_checkstack(L, 4, "experiment");
  switch (n->kind) {
  case SL_YAML_NULL: lua_pushnil(L); break;
  case SL_YAML_BOOL: lua_pushboolean(L, n->truth); break;
  case SL_YAML_NUMBER:
    if (n->whole && n->number >= -9e15 && n->number <= 9e15) lua_pushinteger(L, (lua_Integer)n->number);
    else lua_pushnumber(L, n->number);
    break;
  case SL_YAML_TEXT: lua_pushstring(L, n->text); break;
  default:
    lua_createtable(L, 0, 0);
    for (size_t i = 0; i < n->count; i++) {
      push_node(L, n->item[i]);
      if (n->kind == SL_YAML_MAP) lua_setfield(L, -2, n->key[i]->text);
      else lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
  }
}

/* Sets `key` of the table on top of the stack to the value at `path` of the experiment. Returns false if
 * there is none. */
static bool set_from(lua_State *L, const sl_experiment *e, const char *path, const char *key) {
  const sl_yaml_node *n = sl_yaml_find(e->yaml.root, path);
  if (!n) return false;
  push_node(L, n);
  lua_setfield(L, -2, key);
  return true;
}

/* Pushes the table to merge over a scene: params, world, stop, output, measure. */
static void push_experiment(lua_State *L, const sl_experiment *e) {
  lua_newtable(L);
  set_from(L, e, "title", "title");
  if (!set_from(L, e, "params", "params")) lua_newtable(L), lua_setfield(L, -2, "params");
  lua_getfield(L, -1, "params");
  set_from(L, e, "seed", "seed");
  lua_pop(L, 1);
  if (!set_from(L, e, "world", "world")) lua_newtable(L), lua_setfield(L, -2, "world");
  lua_getfield(L, -1, "world");
  set_from(L, e, "solver", "solver");
  set_from(L, e, "run.dt", "dt");
  lua_pop(L, 1);
  lua_newtable(L);
  bool time = set_from(L, e, "run.until", "time"), steps = set_from(L, e, "run.steps", "steps");
  if (time || steps) lua_setfield(L, -2, "stop");
  else lua_pop(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  int frames = set_from(L, e, "output.every", "every") + set_from(L, e, "output.fields", "fields") +
      set_from(L, e, "output.precision", "precision");
  if (frames > 0) lua_setfield(L, -2, "trajectory");
  else lua_pop(L, 1);
  lua_newtable(L);
  if (set_from(L, e, "output.series", "every")) lua_setfield(L, -2, "series");
  else lua_pop(L, 1);
  set_from(L, e, "output.track", "track");
  lua_setfield(L, -2, "output");
  set_from(L, e, "measure", "measure");
  set_from(L, e, "run.stop_when", "stop_when");
}

/* ---- merging ---- */

/* Returns whether the value at index is a map, a table without list items. */
static bool is_map(lua_State *L, int index) { return lua_istable(L, index) && !lua_rawlen(L, index); }

/* Pushes a copy of the scene table at index with the table at `over` merged over it, map by map. */
static void lay_over(lua_State *L, int index, int over) {
  index = lua_absindex(L, index), over = lua_absindex(L, over);
  luaL_checkstack(L, 8, "experiment");
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
    lua_pushvalue(L, -2), lua_pushvalue(L, -2), lua_rawset(L, -5);
  for (lua_pushnil(L); lua_next(L, over); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -1);
    bool both = lua_rawget(L, index) == LUA_TTABLE && is_map(L, -1) && is_map(L, -3);
    if (both) lay_over(L, -1, -3), lua_remove(L, -2);
    else lua_pop(L, 1), lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
}

/* Removes the scene's interval in steps, `steps` of output.NAME, from the table on top of the stack. Does so
 * only if the experiment has an interval in seconds at `path`, which replaces it. */
static void drop_steps(lua_State *L, const sl_experiment *e, const char *path, const char *name) {
  if (!sl_yaml_find(e->yaml.root, path)) return;
  lua_getfield(L, -1, "output");
  lua_getfield(L, -1, name);
  lua_pushnil(L);
  lua_setfield(L, -2, "steps");
  lua_pop(L, 2);
}

/* ---- parameters ---- */

static const char *type_words(int type) {
  return type == LUA_TNUMBER ? "a number"
      : type == LUA_TBOOLEAN ? "true or false"
      : type == LUA_TTABLE   ? "a list"
                             : "a text";
}

typedef struct names {
  lua_State *L;
  int table;
  const char *name[1024];
  int count;
} names;
static const char *scene_name_at(const void *context, int i) { return ((const names *)context)->name[i]; }

/* Checks that a number with a unit, or every such number of a list, has the declared dimension. */
static bool check_dimension(sl_experiment *e, const char *name, const sl_yaml_node *value, const char *unit) {
  double ignored;
  for (size_t i = 0; i < value->count; i++)
    if (!check_dimension(e, name, value->item[i], unit)) return false;
  if (!unit || !value->quantity || sl_quantity_read(value->quantity, unit, &ignored) != SL_QUANTITY_DIMENSION)
    return true;
  sl_yaml_problem(&e->yaml, value, "params.%s: %s has the wrong dimension; expected %s%s%s%s", name,
      value->quantity, sl_unit_words(unit), *unit ? " [" : "", unit, *unit ? "]" : "");
  return false;
}

/* Checks one parameter against the scene's default or declaration on top of the stack. */
static void check_type(sl_experiment *e, lua_State *L, const sl_yaml_node *key, const sl_yaml_node *value) {
  static const int types[] = {LUA_TNIL, LUA_TBOOLEAN, LUA_TNUMBER, LUA_TSTRING, LUA_TTABLE, LUA_TTABLE};
  sl_declared declared;
  char path[128], why[256];
  snprintf(path, sizeof path, "params.%.100s", key->text);
  sl_declared_read(L, -1, path, &declared);
  int want = lua_type(L, -1);
  if (types[value->kind] != want)
    sl_yaml_problem(&e->yaml, value, "params.%s: expected %s as in the scene, not %s", key->text,
        type_words(want), type_words(types[value->kind]));
  else if (check_dimension(e, key->text, value, declared.unit)) {
    push_node(L, value);
    if (*sl_declared_fault(L, &declared, -1, why))
      sl_yaml_problem(&e->yaml, value, "params.%s %s", key->text, why);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Checks names and types of params against the scene table at index. */
static void check_scene_params(sl_experiment *e, lua_State *L, int index) {
  const sl_yaml_node *params = sl_yaml_get(e->yaml.root, "params");
  index = lua_absindex(L, index);
  names known = {.count = 0};
  if (!params || params->kind != SL_YAML_MAP || !lua_istable(L, index)) return;
  if (lua_getfield(L, index, "params") != LUA_TTABLE) lua_pop(L, 1), lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && known.count < 1024) known.name[known.count++] = lua_tostring(L, -2);
  for (size_t i = 0; i < params->count && e->yaml.problems < SL_YAML_PROBLEMS; i++) {
    const char *key = params->key[i]->text;
    if (lua_getfield(L, -1, key) != LUA_TNIL) check_type(e, L, params->key[i], params->item[i]);
    else if (strcmp(key, "seed")) {
      const char *near = scree_nearest_name(key, known.count, scene_name_at, &known);
      sl_yaml_problem(&e->yaml, params->key[i], "params.%s is not a parameter of the scene %s%s%s%s", key,
          e->scene, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* ---- applying ---- */

void sl_experiment_use(lua_State *L, sl_experiment *e) { sl_runtime_of(L)->experiment = e; }

static sl_experiment *experiment_of(lua_State *L) { return sl_runtime_of(L)->experiment; }

/* Checks the points of a sweep against the scene, up to the first one that does not fit. */
static void check_points(sl_experiment *e, lua_State *L) {
  sl_yaml_node *root = e->yaml.root;
  for (int i = 0; i < e->points_count && sl_experiment_fine(e); i++) {
    e->yaml.root = e->points[i];
    check_scene_params(e, L, 1);
  }
  e->yaml.root = root;
}

void sl_experiment_apply(lua_State *L) {
  sl_experiment *e = experiment_of(L);
  lua_settop(L, 1);
  if (e) {
    check_scene_params(e, L, 1);
    check_points(e, L);
    if (!sl_experiment_fine(e)) sl_refuse(L, "the experiment does not fit the scene");
    push_experiment(L, e);
    if (lua_getfield(L, 1, "stop") == LUA_TFUNCTION) lua_pushnil(L), lua_setfield(L, 2, "stop");
    lua_pop(L, 1);
    if (lua_getfield(L, 1, "world") == LUA_TFUNCTION) lua_pushnil(L), lua_setfield(L, 2, "world");
    lua_pop(L, 1);
    lay_over(L, 1, 2);
    drop_steps(L, e, "output.every", "trajectory");
    drop_steps(L, e, "output.series", "series");
    drop_steps(L, e, "output.track.every", "track");
    lua_replace(L, 1);
    lua_settop(L, 1);
  }
}

void sl_experiment_attach(lua_State *L) {
  if (lua_getfield(L, 1, "measure") == LUA_TNIL) return lua_pop(L, 1);
  if (!lua_istable(L, -1)) sl_refuse(L, "measure must be a list, not a %s", luaL_typename(L, -1));
  lua_pop(L, 1);
  lua_newtable(L);
  lay_over(L, 1, -1);
  lua_replace(L, 1);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "scree.measure");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "attach");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 0);
  lua_settop(L, 1);
}

bool sl_experiment_measures(lua_State *L) {
  const sl_experiment *e = experiment_of(L);
  return e && sl_yaml_get(e->yaml.root, "measure");
}

void sl_experiment_apply_world(lua_State *L) {
  const sl_experiment *e = experiment_of(L);
  if (!e) return;
  push_experiment(L, e);
  lua_getfield(L, -1, "world");
  lay_over(L, -3, -1);
  lua_replace(L, -4);
  lua_pop(L, 2);
}

/* ---- writing ---- */

char *sl_experiment_write(sl_experiment *e, bool sweep) {
  char real[PATH_MAX];
  sl_yaml_node *base = e->yaml.root;
  sl_yaml_node *tree = sl_yaml_new(&e->yaml, SL_YAML_MAP, base);
  for (size_t i = 0; tree && i < base->count; i++)
    if ((sweep || (strcmp(base->key[i]->text, "sweep") && strcmp(base->key[i]->text, "calibrate"))) &&
        !sl_yaml_push(&e->yaml, tree, base->key[i], sl_yaml_copy(&e->yaml, base->item[i])))
      return NULL;
  if (!tree) return NULL;
  e->yaml.root = tree;
  bool fine = realpath(e->scene, real) &&
      sl_yaml_set(&e->yaml, "scene", sl_yaml_new_text(&e->yaml, real, NULL));
  e->yaml.root = base;
  return fine ? sl_yaml_write(tree) : NULL;
}
