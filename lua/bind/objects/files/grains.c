/* w:read_grains{file = ...} makes bodies from files of other programs. scree.read_grains{...} returns
 * information about such a file. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/objects/shape/placing.h"
#include "bind/sandbox/inside.h"
#include "bind/tables/units.h"
#include "scree/column.h"
#include "scree/grains.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXTRA_MOST = 32, MATERIALS_MOST = 1000, NUMBER_TEXT = 24, COLUMN_TEXT = 128 };
static const double WARNED_SHARE = 1e-3; /* overlaps above this share of the smaller radius cause a warning */
static const char ids_column[] = "source_id";

/* ---- units ---- */

/* Implements scree_grains_unit with the units of Lua tables. Angles are pure numbers, so 1/s equals rad/s. */
static int read_unit(void *context, const char *text, const char *si, double *factor) {
  sl_unit have, want;
  (void)context;
  if (!sl_unit_read(text, &have) || !sl_unit_read(si, &want)) return 0;
  for (int k = 0; k < SL_DIMENSIONS; k++)
    if (k != SL_ANGLE && have.power[k] != want.power[k]) return 0;
  *factor = have.factor;
  return 1;
}

static double read_unit_factor(lua_State *L, const char *key, const char *text, const char *si) {
  double factor;
  if (!read_unit(NULL, text, si, &factor))
    sl_refuse(L, "%s: '%s' is no unit of %s", key, text, *si ? si : "a number");
  return factor;
}

/* ---- keys ---- */

static const char *name_field(const void *context, int i) {
  (void)context;
  return scree_grain_field_name(i);
}

static int find_field(lua_State *L, const char *name) {
  for (int k = 0; k < SCREE_GRAIN_FIELDS; k++)
    if (!strcmp(scree_grain_field_name(k), name)) return k;
  lua_pushstring(L, sl_hint(L, name, SCREE_GRAIN_FIELDS, name_field, NULL));
  const char *hint = lua_tostring(L, -1);
  if (*hint) return sl_refuse(L, "read_grains.columns.%s is not a field of a grain%s", name, hint);
  return sl_refuse(L, "read_grains.columns.%s is not a field of a grain; fields are %s", name,
      sl_names(L, SCREE_GRAIN_FIELDS, name_field, NULL));
}

/* Pushes and returns the text of a column, whose name or number is on top of the stack. */
static const char *read_column(lua_State *L, const char *place) {
  if (lua_isinteger(L, -1)) lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, -1));
  else if (lua_type(L, -1) == LUA_TSTRING) lua_pushvalue(L, -1);
  else sl_refuse(L, "%s must be the name or the number of a column", place);
  if (!lua_rawlen(L, -1)) sl_refuse(L, "%s is empty", place);
  return lua_tostring(L, -1);
}

/* Reads the entry of a field on top of the stack. Leaves at most one more value on the stack: the text of the
 * field's column. */
static void read_field(lua_State *L, int field, scree_grains_def *def) {
  char place[COLUMN_TEXT];
  snprintf(place, sizeof place, "read_grains.columns.%s", scree_grain_field_name(field));
  if (lua_type(L, -1) == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
    def->column[field] = "";
    return;
  }
  if (!lua_istable(L, -1)) {
    def->column[field] = read_column(L, place);
    return;
  }
  const int entry = lua_gettop(L);
  lua_rawgeti(L, entry, 1);
  def->column[field] = read_column(L, place);
  if (lua_getfield(L, entry, "unit") != LUA_TSTRING) sl_refuse(L, "%s.unit must be a text", place);
  def->factor[field] = read_unit_factor(L, place, lua_tostring(L, -1), scree_grain_field_unit(field));
}

/* Reads columns = {...}. Pushes a table that keeps the texts of def alive. */
static void read_columns(lua_State *L, scree_grains_def *def) {
  if (lua_getfield(L, 2, "columns") == LUA_TNIL) return;
  if (!lua_istable(L, -1)) sl_refuse(L, "read_grains.columns must be a table { FIELD = COLUMN }");
  const int columns = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, columns);)
    if (lua_type(L, -2) != LUA_TSTRING) sl_refuse(L, "read_grains.columns: keys must be fields, such as x");
    else find_field(L, lua_tostring(L, -2)), lua_settop(L, columns + 1);
  for (int k = 0; k < SCREE_GRAIN_FIELDS; k++) {
    luaL_checkstack(L, 8, NULL);
    if (lua_getfield(L, columns, scree_grain_field_name(k)) != LUA_TNIL) read_field(L, k, def);
  }
}

/* Columns of the file that become columns of the world. */
typedef struct extras {
  const char *name[EXTRA_MOST], *column[EXTRA_MOST];
  int made[EXTRA_MOST + 1]; /* [count + 1] columns of the world, the last one for the ids; -1: none */
  int count;
} extras;

/* Reads values = { NAME = COLUMN } in the order of the names, so that every run declares the columns in the
 * same order. */
static void read_options(lua_State *L, extras *e) {
  if (lua_getfield(L, 2, "values") == LUA_TNIL) return;
  if (!lua_istable(L, -1)) sl_refuse(L, "read_grains.values must be a table { NAME = COLUMN }");
  const int values = lua_gettop(L);
  luaL_checkstack(L, 3 * EXTRA_MOST, NULL);
  for (lua_pushnil(L); lua_next(L, values); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) sl_refuse(L, "read_grains.values: keys must be names of columns");
    if (e->count == EXTRA_MOST) sl_refuse(L, "read_grains.values has more than %d columns", EXTRA_MOST);
    int at = e->count++;
    const char *name = lua_tostring(L, -2);
    for (; at > 0 && strcmp(e->name[at - 1], name) > 0; at--) e->name[at] = e->name[at - 1];
    e->name[at] = name;
  }
  for (int k = 0; k < e->count; k++) {
    char place[COLUMN_TEXT];
    snprintf(place, sizeof place, "read_grains.values.%.60s", e->name[k]);
    lua_getfield(L, values, e->name[k]);
    e->column[k] = read_column(L, place);
  }
}

typedef struct holder {
  scree_grains *grains;
} holder;

static int release_grains(lua_State *L) {
  holder *h = lua_touserdata(L, 1);
  scree_grains_destroy(h->grains);
  h->grains = NULL;
  return 0;
}

/* Reads the opaque keys of the table at index 2, and the file. *def has the other keys; its path becomes that
 * of the file. Pushes the userdata that owns the grains. */
static scree_grains *read_file(lua_State *L, scree_grains_def *def, char path[SL_PATH], extras *e) {
  scree_error error = {SCREE_OK, ""};
  sl_find_file(L, "read_grains", def->path, path);
  def->path = path, def->read_unit = read_unit;
  read_columns(L, def);
  read_options(L, e);
  def->extra = e->column, def->extra_count = e->count;
  sl_make_room(L);
  holder *h = sl_push_owner(L, sizeof *h, release_grains);
  h->grains = scree_grains_read(def, &error);
  if (!h->grains) sl_raise_error(L, &error);
  return h->grains;
}

/* ---- the results ---- */

static void push_cell(lua_State *L, const scree_cell *cell) {
  const double *H = cell->matrix;
  double size[3];
  for (int k = 0; k < 3; k++) size[k] = sqrt(H[k] * H[k] + H[3 + k] * H[3 + k] + H[6 + k] * H[6 + k]);
  lua_createtable(L, 0, 3);
  sl_set_vector(L, "size", size, 3);
  sl_set_vector(L, "origin", cell->origin, 3);
  lua_createtable(L, 3, 0);
  for (int k = 0; k < 3; k++) lua_pushboolean(L, cell->periodic[k]), lua_rawseti(L, -2, k + 1);
  lua_setfield(L, -2, "periodic");
  lua_setfield(L, -2, "cell");
  if (H[1] == 0 && H[2] == 0 && H[3] == 0 && H[5] == 0 && H[6] == 0 && H[7] == 0) return;
  sl_push_matrix(L, H);
  lua_setfield(L, -2, "matrix");
}

static void set_overlaps(lua_State *L, const scree_overlaps *o) {
  lua_createtable(L, 0, 4);
  sl_set_integer(L, "count", o->count);
  sl_set_number(L, "largest", o->largest);
  sl_set_number(L, "mean", o->mean);
  sl_set_number(L, "share", o->share);
  lua_setfield(L, -2, "overlaps");
}

/* Pushes a table with information about the file. */
static void push_info(lua_State *L, const scree_grains *g) {
  scree_grains_info info;
  scree_grains_get_info(g, &info);
  lua_createtable(L, 0, 16);
  sl_set_string(L, "format", info.format);
  sl_set_integer(L, "count", info.count);
  sl_set_integer(L, "frame", info.frame);
  sl_set_integer(L, "frames", info.frames);
  if (isfinite(info.time)) sl_set_number(L, "time", info.time);
  sl_set_vector(L, "min", info.min, 3);
  sl_set_vector(L, "max", info.max, 3);
  sl_set_number(L, "radius_min", info.radius_min);
  sl_set_number(L, "radius_max", info.radius_max);
  sl_set_integer(L, "left_out", info.left_out);
  if (info.has_cell) push_cell(L, &info.cell);
  lua_createtable(L, info.columns, 0);
  for (int k = 0; k < info.columns; k++)
    lua_pushstring(L, scree_grains_column(g, k)), lua_rawseti(L, -2, k + 1);
  lua_setfield(L, -2, "columns");
  lua_newtable(L);
  for (int k = 0, n = 0; k < SCREE_GRAIN_FIELDS; k++)
    if (info.found >> k & 1) lua_pushstring(L, scree_grain_field_name(k)), lua_rawseti(L, -2, ++n);
  lua_setfield(L, -2, "fields");
  if (!info.kinds) return;
  lua_createtable(L, info.kinds, 0);
  for (int k = 0; k < info.kinds; k++) lua_pushstring(L, scree_grains_kind(g, k)), lua_rawseti(L, -2, k + 1);
  lua_setfield(L, -2, "types");
}

/* ---- materials ---- */

/* Pushes the material of a type: materials[name of the type] if it exists, else materials[type], else the
 * name of the type. Returns false, and pushes nothing, if none of them exists. */
static bool push_material(lua_State *L, int materials, const scree_grains *g, int64_t type) {
  const char *kind = type <= INT32_MAX ? scree_grains_kind(g, (int)type - 1) : NULL;
  if (kind && materials) {
    if (lua_getfield(L, materials, kind) != LUA_TNIL) return true;
    lua_pop(L, 1);
  }
  if (materials) {
    if (lua_rawgeti(L, materials, type) != LUA_TNIL) return true;
    lua_pop(L, 1);
  }
  if (!kind) return false;
  lua_pushstring(L, kind);
  return true;
}

/* Finds the material of each type. Pushes the userdata that owns the array of materials. */
static void read_materials(
    lua_State *L, const scree_world *world, scree_grains *g, scree_grains_place *place) {
  scree_grains_info info;
  scree_grains_get_info(g, &info);
  const scree_grain *row = scree_grains_rows(g);
  const bool given = lua_getfield(L, 2, "materials") != LUA_TNIL, one = sl_has_key(L, 2, "material");
  const int table = given ? lua_gettop(L) : 0;
  int64_t most = 0;
  if (given && !lua_istable(L, table)) sl_refuse(L, "read_grains.materials must be a table");
  if (!given && (one || !info.kinds)) return;
  if (!(info.found >> SCREE_GRAIN_TYPE & 1)) sl_refuse(L, "read_grains.materials: the file has no types");
  for (int64_t i = 0; i < info.count; i++) most = row[i].type > most ? row[i].type : most;
  if (most > MATERIALS_MOST)
    sl_refuse(L, "read_grains.materials: the file has types above %d", MATERIALS_MOST);
  int *material = lua_newuserdatauv(L, ((size_t)most + 1) * sizeof *material, 0);
  for (int64_t k = 0; k < most; k++) material[k] = -1;
  for (int64_t i = 0; i < info.count; i++) {
    const int64_t type = row[i].type;
    scree_error error = {SCREE_OK, ""};
    if (type < 1)
      sl_refuse(L, "read_grains.materials: row %lld is of type %lld; types count from 1", (long long)i + 1,
          (long long)type);
    if (material[type - 1] >= 0) continue;
    material[type - 1] = place->otherwise;
    if (!push_material(L, table, g, type)) {
      if (!one)
        sl_refuse(L, "read_grains.materials has none for type %lld, nor is material given", (long long)type);
      continue;
    }
    if (lua_type(L, -1) != LUA_TSTRING)
      sl_refuse(L, "read_grains.materials must have names of materials, not a %s", luaL_typename(L, -1));
    material[type - 1] = scree_world_find_material(world, lua_tostring(L, -1), &error);
    if (material[type - 1] < 0) sl_raise(L, error.status, "read_grains.materials: %s", error.text);
    lua_pop(L, 1);
  }
  place->material = material, place->materials = most;
}

/* ---- overlaps ---- */

static void warn_of_overlaps(lua_State *L, const char *file, const scree_overlaps *overlaps) {
  char text[400];
  if (!(overlaps->share > WARNED_SHARE)) return;
  snprintf(text, sizeof text,
      "w:read_grains: %lld pairs of grains of %.100s overlap, the largest by %.3g m (%.2g of the smaller "
      "radius), "
      "in the mean by %.3g m; the forces that held them are not in the file, so they move apart; shrink = "
      "true "
      "or relax = true takes overlaps out",
      (long long)overlaps->count, file, overlaps->largest, overlaps->share, overlaps->mean);
  lua_warning(L, text, 0);
}

/* ---- columns of the world ---- */

static const char *find_ids(lua_State *L) {
  const int type = lua_getfield(L, 2, "ids");
  const char *name = ids_column;
  if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1)) name = NULL;
  else if (type == LUA_TSTRING) name = lua_tostring(L, -1);
  else if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    sl_refuse(L, "read_grains.ids must be the name of a column, or false");
  return name;
}

/* Declares the columns of the key `values`, and last the column `ids` (NULL: none). Columns of `values` may
 * exist already. An existing column can receive the ids only if its default is -1, which stands for bodies
 * without an id. */
static void declare_columns(lua_State *L, scree_world *world, extras *e, const char *ids) {
  scree_error error;
  for (int k = 0; k < e->count; k++) {
    e->made[k] = scree_world_find_column(world, e->name[k], &error);
    if (e->made[k] < 0) e->made[k] = scree_world_declare_column(world, e->name[k], NULL, 0, &error);
    if (e->made[k] < 0) sl_raise(L, SCREE_E_ARGUMENT, "read_grains: %s", error.text);
  }
  e->made[e->count] = ids ? scree_world_declare_column(world, ids, NULL, -1, &error) : -1;
  if (ids && e->made[e->count] < 0)
    sl_raise(
        L, SCREE_E_ARGUMENT, "read_grains.ids: %s; ids = NAME names another, ids = false none", error.text);
}

static void set_values(
    lua_State *L, scree_world *world, const scree_grains *g, const scree_id *body, const extras *e) {
  scree_grains_info info;
  scree_grains_get_info(g, &info);
  const scree_grain *row = scree_grains_rows((scree_grains *)g);
  for (int k = 0; k <= e->count; k++) {
    const double *value = k < e->count ? scree_grains_values(g, k) : NULL;
    /* backwards: a clump gets the value of its first row */
    for (int64_t i = e->made[k] < 0 ? 0 : info.count; i-- > 0;)
      SL_TRY(
          L, scree_world_set_value(world, e->made[k], body[i], value ? value[i] : (double)row[i].id, &error));
  }
}

/* ---- the verbs ---- */

static void note_grain_sizes(sl_world *world, const scree_grains_info *info) {
  if (!info->count) return;
  const double min = 2 * info->radius_min, max = 2 * info->radius_max;
  world->grain_min[0] = world->grain_min[0] > 0 ? fmin(world->grain_min[0], min) : min;
  world->grain_max[0] = fmax(world->grain_max[0], max);
}

/* Reads the keys of *place that are opaque or have a meaning if they are absent. */
static void read_place(lua_State *L, sl_world *world, scree_grains_place *place) {
  place->otherwise = sl_read_material(L, 2, "read_grains", world->world);
  place->has_group = sl_has_key(L, 2, "group");
  place->layers = sl_read_layers(L, 2, "read_grains", "layer", 1);
  place->avoids = sl_read_layers(L, 2, "read_grains", "avoids", 0);
}

/* Adds bodies for the rows. Pushes their number. file: name of the file in messages. */
static void add_grains(lua_State *L, sl_world *world, scree_grains *g, const scree_grains_place *place,
    const char *file, extras *e, const char *ids) {
  scree_grains_info info;
  scree_error error = {SCREE_OK, ""};
  scree_grains_get_info(g, &info);
  scree_id *body = lua_newuserdatauv(L, ((size_t)info.count + 1) * sizeof *body, 0);
  declare_columns(L, world->world, e, info.found >> SCREE_GRAIN_ID & 1 ? ids : NULL);
  const int64_t bodies = scree_world_add_grains(world->world, g, place, body, &error);
  if (bodies < 0) sl_raise(L, error.status, "read_grains: %s: %s", file, error.text);
  set_values(L, world->world, g, body, e);
  note_grain_sizes(world, &info);
  lua_pushinteger(L, bodies);
}

static int world_read_grains(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_grains_def def = scree_grains_defaults();
  extras e = {.count = 0};
  scree_grains_place place = {0};
  scree_grains_info info;
  scree_overlaps overlaps;
  scree_cell cell;
  scree_error error = {SCREE_OK, ""};
  double factor;
  char path[SL_PATH];
  lua_settop(L, 2);
  sl_read(L, 2, "read_grains",
      (sl_section[]){SL_TABLE(scree_grains_params, &def), SL_TABLE(scree_grains_place_params, &place)}, 2, 0);
  const char *file = def.path;
  read_place(L, world, &place);
  const char *ids = find_ids(L);
  const int before = sl_engine_enter_world(world);
  scree_grains *g = read_file(L, &def, path, &e);
  scree_grains_get_info(g, &info);
  sl_limit_bodies(L, world, (double)info.count);
  read_materials(L, world->world, g, &place);
  const scree_cell *periodic = scree_world_get_cell(world->world, &cell) ? &cell : NULL;
  if (scree_grains_separate(g, periodic, &place, &overlaps, &factor, &error))
    sl_raise(L, error.status, "read_grains: %s: %s", file, error.text);
  add_grains(L, world, g, &place, file, &e, ids);
  sl_engine_leave(world->runtime, before);
  if (!place.shrink && !place.relax) warn_of_overlaps(L, file, &overlaps);
  push_info(L, g);
  set_overlaps(L, &overlaps);
  sl_set_number(L, "scale", factor);
  return 2;
}

static int module_read_grains(lua_State *L) {
  scree_grains_def def = scree_grains_defaults();
  extras e = {.count = 0};
  char path[SL_PATH];
  lua_settop(L, 1);
  lua_pushnil(L), lua_insert(L, 1); /* the table lies at index 2, as in methods of the world */
  SL_READ_TABLE(L, 2, "read_grains", scree_grains_params, &def);
  push_info(L, read_file(L, &def, path, &e));
  return 1;
}

const luaL_Reg sl_grains_methods[] = {{"read_grains", world_read_grains}, {NULL, NULL}};
const luaL_Reg sl_grains_functions[] = {{"read_grains", module_read_grains}, {NULL, NULL}};
const sl_params sl_grains_params[] = {SL_TABLE_ROWS("read_grains", scree_grains_params),
    SL_TABLE_ROWS("read_grains", scree_grains_place_params), {NULL}};
