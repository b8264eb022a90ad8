/* Measurements of a world, made from the engine's table of kinds (engine/measure/kinds.c):
 * w:measure{type = NAME, ...}, w:NAME{...} for each kind, scree.measurements(); and w:forces_on(body).
 * docs/measure.md has the formulas and the keys. */
#include "bind/objects/query/measure.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- frames ---- */

/* Data of one call. The userdata that contains them releases them, also after an error. */
typedef struct shot {
  scree_frame_buffer *buffer;
  scree_measure_result result;
  int engine; /* kind of work before the call */
} shot;

static int shot_gc(lua_State *L) {
  shot *s = lua_touserdata(L, 1);
  scree_frame_buffer_destroy(s->buffer);
  scree_measure_clear(&s->result);
  s->buffer = NULL;
  return 0;
}

/* Returns a frame of the world, which the shot owns. */
static const scree_frame *capture_frame(lua_State *L, shot *s, const sl_world *world, int contacts) {
  s->engine = sl_engine_enter_world(world); // until release, or until an error is raised
  if (!(s->buffer = scree_frame_buffer_create())) sl_raise(L, SCREE_E_MEMORY, "no memory for a frame");
  const scree_frame *frame;
  SL_TRY(L, !(frame = scree_frame_capture(s->buffer, world->world, contacts, &error)));
  return frame;
}

static void release_frame(lua_State *L, shot *s) {
  sl_engine_leave(sl_runtime_of(L), s->engine);
  scree_frame_buffer_destroy(s->buffer);
  s->buffer = NULL;
}

/* ---- keys that are not numbers: each function reads the value on top of the stack ---- */

enum { PLACE = 128 };

/* Arguments of a measurement. def is the struct of its kind. */
typedef struct request {
  const scree_measure_kind *kind;
  sl_world *world;
  scree_region region;
  scree_measure_def *def;
} request;

static void read_region(lua_State *L, request *q, const char *path) {
  sl_read_region(L, -1, path, &q->region);
  q->def->region = &q->region;
}

/* Reads {nx, ny, nz}; missing numbers are 1. */
static void read_cells(lua_State *L, request *q, const char *path) {
  if (!lua_istable(L, -1)) sl_refuse(L, "%s must be a list such as {30, 13}", path);
  for (int k = 0; k < 3; k++) {
    int good, type = lua_rawgeti(L, -1, k + 1);
    q->def->cells[k] = lua_tointegerx(L, -1, &good);
    if (type == LUA_TNIL) q->def->cells[k] = 1;
    else if (!good) sl_refuse(L, "%s[%d] must be a whole number", path, k + 1);
    else if (q->def->cells[k] < 1)
      sl_refuse(L, "%s[%d] must be at least 1, not %lld", path, k + 1, (long long)q->def->cells[k]);
    lua_pop(L, 1);
  }
}

static void read_body(lua_State *L, request *q, const char *path) {
  const sl_body *body = sl_test(L, -1, SL_BODY);
  scree_error error = {SCREE_OK, ""};
  if (!q->world) return;
  if (!body && lua_type(L, -1) != LUA_TSTRING)
    sl_refuse(L, "%s must be a body or its name, not a %s", path, luaL_typename(L, -1));
  if (body && body->world != q->world) sl_refuse(L, "%s is a body of another world", path);
  q->def->body = body ? body->id : scree_world_find(q->world->world, lua_tostring(L, -1), &error);
  if (!q->def->body) sl_refuse(L, "%s: %s", path, error.text);
  if (!scree_world_alive(q->world->world, q->def->body))
    sl_raise(L, SCREE_E_STALE, "%s: the body was removed", path);
}

enum { SIEVES_MOST = 100000 };

static void read_sieves(lua_State *L, request *q, const char *path) {
  lua_Unsigned sieves = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (sieves < 1 || sieves > SIEVES_MOST) sl_refuse(L, "%s must be a list of diameters", path);
  double *sieve = lua_newuserdatauv(L, sieves * sizeof *sieve, 0);
  for (int i = 0; i < (int)sieves; i++) {
    char place[PLACE + 16];
    snprintf(place, sizeof place, "%s[%d]", path, i + 1);
    lua_rawgeti(L, -2, i + 1);
    sieve[i] = sl_read_number(L, -1, place, "m");
    if (!(sieve[i] >= 0)) sl_refuse(L, "%s must be at least 0, not %g", place, sieve[i]);
    lua_pop(L, 1);
  }
  q->def->sieve = sieve, q->def->sieves = (int64_t)sieves;
}

static void read_target(lua_State *L, request *q, const char *path) {
  q->def->target = sl_read_sizes(L, -1, path);
}

static const struct {
  const char *name;
  void (*read)(lua_State *L, request *q, const char *path);
} parts[] = {{"region", read_region}, {"cells", read_cells}, {"body", read_body}, {"sieves", read_sieves},
    {"target", read_target}};

/* Reads the key `name` of the table at stack index 2. what: path of the table in messages. */
static void read_part(lua_State *L, request *q, const char *what, const char *name) {
  char path[PLACE];
  snprintf(path, sizeof path, "%.60s.%.60s", what, name);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!strcmp(parts[i].name, name) && lua_getfield(L, 2, name) != LUA_TNIL) parts[i].read(L, q, path);
}

/* ---- one measurement ---- */

/* Returns the time over which the impulses of contacts acted [s]: the whole step. */
static double step_of(const sl_world *world) { return scree_world_get_def(world->world)->dt; }

/* Keys that an entry of the list `measure` has in addition to those of its kind; lua/scree/measure.lua
 * uses them. */
static const scree_param entry_keys[] = {SL_VALUE("name", "names its columns and its file"),
    SL_NEEDED("type", "what to measure"), SL_VALUE("every", "interval"), SL_VALUE("start", "nothing before")};

typedef struct entry_times {
  double every, start;
} entry_times;
static const scree_param entry_times_params[] = {
    SL_POSITIVE("every", offsetof(entry_times, every), "s", 0, "interval"),
    SL_REAL("start", offsetof(entry_times, start), "s", 0, 0, INFINITY, "nothing before")};

/* Reads the table at stack index 2. what: path of the table in messages. Pushes the owners of the request's
 * data. */
static void read_keys(lua_State *L, const char *what, bool entry, request *q) {
  const scree_measure_kind *kind = q->kind;
  luaL_checkstack(L, 16, NULL);
  q->def = lua_newuserdatauv(L, kind->size, 0);
  scree_measure_defaults(kind, q->def);
  sl_read(L, 2, what,
      (sl_section[]){{kind->params, kind->params_count, q->def},
          {entry_keys, sizeof entry_keys / sizeof *entry_keys, NULL}},
      entry ? 2 : 1, 0);
  for (int i = 0; i < kind->params_count; i++)
    if (kind->params[i].type == SCREE_OPAQUE) read_part(L, q, what, kind->params[i].name);
}

/* Reads the world at stack index 1 and the table at 2, if there is one. Pushes the owners of the request's
 * data. */
static void read_request(lua_State *L, const scree_measure_kind *kind, bool entry, request *q) {
  *q = (request){.kind = kind, .world = sl_check_world(L, 1)};
  if (lua_isnoneornil(L, 2)) lua_settop(L, 1), lua_newtable(L);
  if (!lua_istable(L, 2)) sl_refuse(L, "%s takes a table, not a %s", kind->name, luaL_typename(L, 2));
  read_keys(L, kind->name, entry, q);
  q->def->dt = step_of(q->world);
}

/* Lua function (what, entry): raises an error for wrong keys or values of an entry of the list `measure`.
 * what: path of the entry. Upvalue 1: the kind. The name of a body is not checked, because there is no
 * world. */
static int check_entry(lua_State *L) {
  request q = {.kind = lua_touserdata(L, lua_upvalueindex(1))};
  char path[PLACE];
  entry_times times = {0, 0};
  const char *what = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  read_keys(L, what, true, &q);
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%.60s.%s", what, entry_times_params[i].name);
    if (lua_getfield(L, 2, entry_times_params[i].name) != LUA_TNIL)
      sl_read_value(L, lua_gettop(L), path, entry_times_params + i, &times);
  }
  return 0;
}

static void set_result_value(
    lua_State *L, const scree_measure_field *field, const scree_measure_value *value) {
  if (field->type == SCREE_FIGURE) return sl_set_number(L, field->name, value->figure);
  if (field->type == SCREE_WHOLE) return sl_set_integer(L, field->name, (int64_t)value->figure);
  lua_createtable(L, (int)value->count, 0);
  for (int64_t i = 0; i < value->count; i++) {
    if (field->type == SCREE_WHOLE_LIST) lua_pushinteger(L, (lua_Integer)value->list[i]);
    else lua_pushnumber(L, value->list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, field->name);
}

static void push_result(lua_State *L, const scree_measure_kind *kind, const scree_measure_result *result) {
  lua_createtable(L, 0, kind->fields + 1);
  for (int i = 0; i < kind->fields; i++)
    if (result->value[i].given) set_result_value(L, kind->field + i, result->value + i);
  if (!result->empty) return;
  sl_set_boolean(L, "empty", 1);
}

static int measure_now(lua_State *L, const scree_measure_kind *kind, bool entry) {
  request q;
  read_request(L, kind, entry, &q);
  shot *s = sl_push_owner(L, sizeof *s, shot_gc);
  const scree_frame *frame = capture_frame(L, s, q.world, kind->contacts);
  SL_TRY(L, scree_measure_take(kind, frame, q.def, &s->result, &error));
  release_frame(L, s);
  push_result(L, kind, &s->result);
  scree_measure_clear(&s->result);
  return 1;
}

/* w:forces_on(body): returns force {x,y,z}, torque {x,y,z}, number of contacts. */
static int world_forces_on(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  const sl_body *body = sl_check_own_body(L, 2, world);
  double force[3], torque[3];
  if (!scree_world_alive(world->world, body->id))
    sl_raise(L, SCREE_E_STALE, "forces_on: the body was removed");
  shot *s = sl_push_owner(L, sizeof *s, shot_gc);
  int64_t count = scree_forces_on(capture_frame(L, s, world, 1), body->id, step_of(world), force, torque);
  release_frame(L, s);
  sl_push_vector(L, force, 3);
  sl_push_vector(L, torque, 3);
  lua_pushinteger(L, count);
  return 3;
}

/* ---- probes: objects that take samples of the world over time ---- */

typedef struct probe {
  sl_world *world;
  const scree_measure_kind *kind;
  void *memory;
} probe;

static int probe_gc(lua_State *L) {
  probe *p = lua_touserdata(L, 1);
  if (p->memory) p->kind->destroy(p->memory);
  p->memory = NULL;
  return 0;
}

/* Pushes a probe of the world at stack index 1 and returns it. Its user value keeps the world alive. */
static probe *push_probe(lua_State *L, const scree_measure_kind *kind) {
  probe *p = lua_newuserdatauv(L, sizeof *p, 1);
  *p = (probe){.world = sl_check_world(L, 1), .kind = kind};
  sl_set_type_in(L, strcmp(kind->name, "profile") ? SL_PROBE : SL_PROFILE, 1);
  return p;
}

/* Appends the probe on top of the stack to the probes of the world at stack index 1, for checkpoints. */
static void note_probe(lua_State *L) {
  lua_getiuservalue(L, 1, SL_PROBES_SLOT);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

static int make_probe(lua_State *L, const scree_measure_kind *kind, bool entry) {
  request q;
  read_request(L, kind, entry, &q);
  probe *p = push_probe(L, kind);
  sl_make_room(L);
  SL_TRY(L, !(p->memory = kind->create(q.def, &error)));
  note_probe(L);
  return 1;
}

/* Returns the probe at stack index 1, which may be of type SL_PROBE or SL_PROFILE. */
static probe *check_probe(lua_State *L) {
  probe *p = sl_test(L, 1, SL_PROFILE);
  return p ? p : sl_check(L, 1, SL_PROBE);
}

static int probe_add(lua_State *L) {
  probe *p = check_probe(L);
  shot *s = sl_push_owner(L, sizeof *s, shot_gc);
  const scree_frame *frame = capture_frame(L, s, p->world, p->kind->contacts);
  SL_TRY(L, p->kind->add(p->memory, frame, &error));
  release_frame(L, s);
  return 0;
}

/* p:get(): returns a table of all results: numbers (figures) and lists. */
static int probe_get(lua_State *L) {
  const probe *p = check_probe(L);
  shot *s = sl_push_owner(L, sizeof *s, shot_gc);
  SL_TRY(L, p->kind->get(p->memory, &s->result, &error));
  push_result(L, p->kind, &s->result);
  scree_measure_clear(&s->result);
  return 1;
}

static int probe_reset(lua_State *L) {
  const probe *p = check_probe(L);
  if (!p->kind->reset) sl_refuse(L, "a %s cannot be reset", p->kind->name);
  p->kind->reset(p->memory);
  return 0;
}

/* ---- profiles ---- */

static scree_profile *check_profile(lua_State *L) { return ((probe *)sl_check(L, 1, SL_PROFILE))->memory; }

static const char *field_name(const void *context, int i) {
  (void)context;
  return scree_profile_field_name(i);
}

/* p:get(field): returns one list, or three for vectors; x varies fastest. p:get(): a table of all fields. */
static int profile_get(lua_State *L) {
  const scree_profile *profile = check_profile(L);
  if (lua_isnoneornil(L, 2)) return probe_get(L);
  const char *name = luaL_checkstring(L, 2);
  int field = 0;
  while (scree_profile_field_name(field) && strcmp(name, scree_profile_field_name(field))) field++;
  if (!scree_profile_field_name(field))
    sl_refuse(
        L, "a profile has no field '%s'%s", name, sl_hint(L, name, SCREE_PROFILE_FIELDS, field_name, NULL));
  const scree_grid *grid = scree_profile_grid(profile);
  int64_t cells = grid->n[0] * grid->n[1] * grid->n[2];
  double *value = lua_newuserdatauv(L, (size_t)(3 * cells) * sizeof *value, 0);
  int columns = scree_profile_get(profile, field, value);
  for (int c = 0; c < columns; c++) {
    lua_createtable(L, (int)cells, 0);
    for (int64_t i = 0; i < cells; i++) {
      lua_pushnumber(L, value[c + i * columns]);
      lua_rawseti(L, -2, i + 1);
    }
  }
  return columns;
}

static int profile_frames(lua_State *L) {
  return lua_pushinteger(L, scree_profile_frames(check_profile(L))), 1;
}

/* p:axis(k): returns the middles of the cells along axis 1, 2 or 3. */
static int profile_axis(lua_State *L) {
  const scree_grid *g = scree_profile_grid(check_profile(L));
  lua_Integer axis = luaL_checkinteger(L, 2);
  if (axis < 1 || axis > 3) sl_refuse(L, "profile.axis takes 1, 2 or 3");
  double low = g->min[axis - 1], span = g->max[axis - 1] - low;
  int64_t cells = g->n[axis - 1];
  lua_createtable(L, (int)cells, 0);
  for (int64_t i = 0; i < cells; i++) {
    lua_pushnumber(L, low + span * ((double)i + 0.5) / (double)cells);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* ---- methods ---- */

static int measure_or_probe(lua_State *L, const scree_measure_kind *kind, bool entry) {
  return kind->take ? measure_now(L, kind, entry) : make_probe(L, kind, entry);
}

/* w:measure{type = NAME, ...} */
static int world_measure(lua_State *L) {
  scree_error error = {SCREE_OK, ""};
  sl_check_world(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  if (lua_getfield(L, 2, "type") != LUA_TSTRING)
    sl_refuse(L, "measure.type must be the name of a measurement, not a %s", luaL_typename(L, -1));
  const scree_measure_kind *kind = scree_measure_find(lua_tostring(L, -1), &error);
  if (!kind) sl_refuse(L, "measure.type: %s", error.text);
  return measure_or_probe(L, kind, true);
}

/* w:NAME{...}; the kind is an upvalue. */
static int world_kind(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  const int before = sl_engine_enter(runtime),
            results = measure_or_probe(L, lua_touserdata(L, lua_upvalueindex(SL_TYPES + 1)), false);
  sl_engine_leave(runtime, before);
  return results;
}

void sl_measure_register(lua_State *L) {
  const scree_measure_kind *kind;
  for (int i = 0; (kind = scree_measure_kind_at(i)); i++) {
    for (int type = 1; type <= SL_TYPES; type++) lua_pushvalue(L, lua_upvalueindex(type));
    lua_pushlightuserdata(L, (void *)kind);
    lua_pushcclosure(L, world_kind, SL_TYPES + 1);
    lua_setfield(L, -2, kind->name);
  }
}

/* Sets the field `name` to a list with a table {column, field, mean} for each result of a kind that has a
 * column. lists: true: results that are lists; false: results that are numbers. */
static void set_field_columns(lua_State *L, const char *name, const scree_measure_kind *kind, bool lists) {
  lua_newtable(L);
  for (int i = 0; i < kind->fields; i++) {
    const scree_measure_field *field = kind->field + i;
    if (!field->column || (field->type >= SCREE_LIST) != lists) continue;
    lua_createtable(L, 0, 3);
    sl_set_string(L, "column", field->column);
    sl_set_string(L, "field", field->name);
    sl_set_boolean(L, "mean", field->type == SCREE_MEAN_LIST);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  }
  lua_setfield(L, -2, name);
}

/* scree.measurements(): returns a table that maps the name of each kind of measurement to its properties. */
static int module_measurements(lua_State *L) {
  const scree_measure_kind *kind;
  lua_newtable(L);
  for (int i = 0; (kind = scree_measure_kind_at(i)); i++) {
    lua_createtable(L, 0, 6);
    sl_set_string(L, "doc", kind->doc);
    lua_pushlightuserdata(L, (void *)kind);
    lua_pushcclosure(L, check_entry, 1);
    lua_setfield(L, -2, "check");
    set_field_columns(L, "figures", kind, false);
    set_field_columns(L, "lists", kind, true);
    sl_set_boolean(L, "object", !kind->take);
    sl_set_boolean(L, "every_step", kind->every_step);
    lua_setfield(L, -2, kind->name);
  }
  return 1;
}

const luaL_Reg sl_measure_methods[] = {
    {"measure", world_measure}, {"forces_on", world_forces_on}, {NULL, NULL}};
const luaL_Reg sl_measurements_functions[] = {{"measurements", module_measurements}, {NULL, NULL}};
const luaL_Reg sl_profile_methods[] = {{"add", probe_add}, {"get", profile_get}, {"frames", profile_frames},
    {"axis", profile_axis}, {NULL, NULL}};
const luaL_Reg sl_probe_methods[] = {
    {"add", probe_add}, {"get", probe_get}, {"reset", probe_reset}, {NULL, NULL}};
const luaL_Reg sl_probe_metamethods[] = {{"__gc", probe_gc}, {NULL, NULL}};

/* ---- checkpoints ---- */

scree_status sl_probe_save(lua_State *L, int index, void **data, size_t *size, scree_error *error) {
  const probe *p = lua_touserdata(L, index);
  return p->kind->save(p->memory, data, size, error);
}

scree_status sl_probe_load(lua_State *L, int index, const void *data, size_t size, scree_error *error) {
  const probe *p = lua_touserdata(L, index);
  return p->kind->load(p->memory, data, size, error);
}
