/* Sessions: the public functions of scree/session.h over a Lua state. */
#include "scree/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/sandbox/inside.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/scene/embed.h"
#include "bind/session/values.h"
#include "scree/memory.h"

/* Growth of the engine's memory from which the release of an object collects garbage [bytes]. Collection
 * starts at twice the memory after the last collection plus this growth. */
enum { COLLECT_FROM = 16 << 20 };

struct scree_session {
  sl_runtime *runtime;
  sl_scene *scene;       /* NULL: the session owns the runtime */
  scree_session_def def; /* library and directory are the copies below */
  char *library, *directory;
  lua_Integer last;                /* largest number that any object has had so far */
  int objects;                     /* registry reference of the table [number] -> object */
  size_t kept;                     /* memory of the engine after the last full collection [bytes] */
  struct host_function *functions; /* first of the functions of the host that Lua refers to */
  sl_bytes result; /* packed values of the last call, or of arguments of a function of the host */
  sl_exchange exchange;
};

/* A function of the host as a userdata. Lua's collector frees the userdata when no value refers to it any
 * more. */
typedef struct host_function {
  scree_session *session; /* NULL: the session is closed */
  int64_t number;
  struct host_function *previous, *next; /* neighbours in the session's list of functions */
} host_function;

scree_session_def scree_session_defaults(void) { return (scree_session_def){.seed = 1}; }

/* ---- objects ---- */

static lua_Integer hold_object(void *context, lua_State *L, int index) {
  scree_session *s = context;
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->objects);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, ++s->last);
  lua_pop(L, 1);
  return s->last;
}

static void push_object(void *context, lua_State *L, lua_Integer number) {
  const scree_session *s = context;
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->objects);
  if (lua_rawgeti(L, -1, number) == LUA_TNIL)
    sl_raise(L, SCREE_E_STALE, "the session holds no object %lld", (long long)number);
  lua_remove(L, -2);
}

/* ---- functions of the host ---- */

static int release_function(lua_State *L) {
  const host_function *f = lua_touserdata(L, 1);
  scree_session *s = f->session;
  if (!s) return 0;
  if (f->next) f->next->previous = f->previous;
  if (f->previous) f->previous->next = f->next;
  else s->functions = f->next;
  if (s->def.release) s->def.release(s->def.context, f->number);
  return 0;
}

/* Packs the arguments, calls the host, unpacks its results. */
static int call_host(lua_State *L) {
  const host_function *f = lua_touserdata(L, lua_upvalueindex(1));
  scree_session *s = f->session;
  if (!s) return sl_refuse(L, "the session of this function is closed");
  const void *result = NULL;
  size_t size = 0;
  s->result.used = 0;
  for (int i = 1, count = lua_gettop(L); i <= count; i++) sl_pack_value(L, &s->exchange, &s->result, i);
  const int failed = s->def.call(s->def.context, f->number, s->result.bytes, s->result.used, &result, &size);
  if (failed) return lua_pushlstring(L, size ? result : "", size), lua_error(L);
  const unsigned char *bytes = size ? result : s->result.bytes;
  return sl_unpack_values(L, &s->exchange, &(sl_packed){bytes, bytes + size});
}

static void push_function(void *context, lua_State *L, lua_Integer number) {
  scree_session *s = context;
  if (!s->def.call) sl_refuse(L, "the host of this session has no functions");
  host_function *f = sl_push_owner(L, sizeof *f, release_function);
  *f = (host_function){s, number, NULL, s->functions};
  if (s->functions) s->functions->previous = f;
  s->functions = f;
  lua_pushcclosure(L, call_host, 1);
}

/* ---- calls ---- */

/* Returns the status of a call that failed. If the engine refused a value, this is the status of the engine's
 * error. */
static scree_status find_status(const sl_runtime *runtime, sl_trouble trouble) {
  return trouble == SL_CONFIG ? runtime->fault : sl_trouble_status(trouble);
}

typedef struct session_call {
  scree_session *session;
  scree_session_verb verb;
  sl_packed values;
} session_call;

/* Pushes the result of require(name). The module must exist in the bundled library. */
static void push_module(lua_State *L, const char *name) {
  lua_pushcfunction(L, sl_require);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

/* Lua function (table, key): returns table[key]. */
static int get_field(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

/* Pushes a field of the module scree, or else the bundled module scree.NAME. If neither exists, raises the
 * error of the module, which suggests the nearest name. */
static void push_part(lua_State *L, const char *name) {
  lua_pushcfunction(L, get_field);
  push_module(L, "scree");
  lua_pushstring(L, name);
  const bool found = lua_pcall(L, 2, 1, 0) == LUA_OK;
  if (found && !lua_isnil(L, -1)) return;
  lua_pushcfunction(L, sl_require);
  lua_pushfstring(L, "scree.%s", name);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) return lua_remove(L, -2);
  lua_pop(L, 1);
  if (found) sl_refuse(L, "scree has no '%s'", name);
  lua_error(L);
}

/* Pushes the member of the module scree at a path with dots. */
static void push_member(lua_State *L, const char *path) {
  for (size_t length = strcspn(path, "."), start = 1; *path; start = 0) {
    const char *name = lua_pushlstring(L, path, length);
    if (start) push_part(L, name);
    else {
      lua_pushvalue(L, -1);
      if (!lua_istable(L, -3) || lua_gettable(L, -3) == LUA_TNIL) sl_refuse(L, "scree has no '%s'", path);
      lua_remove(L, -3);
    }
    lua_remove(L, -2);
    path += length + (path[length] == '.');
    length = strcspn(path, ".");
  }
}

/* Reads the object and the name of a call. Leaves the function, and the object as its first argument if there
 * is one. Returns the number of arguments so far. */
static int push_callee(lua_State *L, scree_session *s, sl_packed *values) {
  sl_unpack_value(L, &s->exchange, values);
  sl_unpack_value(L, &s->exchange, values);
  const char *name = luaL_checkstring(L, -1);
  if (lua_isnil(L, -2)) {
    push_member(L, name);
    lua_replace(L, -3);
    return lua_pop(L, 1), 0;
  }
  if (!*name) return lua_pop(L, 1), 0;
  lua_gettable(L, -2);
  if (lua_isnil(L, -1)) sl_refuse(L, "the object has no '%s'", name);
  lua_insert(L, -2);
  return 1;
}

/* Reads an object and a key and pushes the value. */
static void push_item(lua_State *L, scree_session *s, sl_packed *values) {
  sl_unpack_value(L, &s->exchange, values);
  sl_unpack_value(L, &s->exchange, values);
  if (lua_isnil(L, -2)) push_member(L, luaL_checkstring(L, -1));
  else lua_gettable(L, -2);
}

static void load_text(lua_State *L, scree_session *s, sl_packed *values) {
  size_t size;
  sl_unpack_value(L, &s->exchange, values);
  sl_unpack_value(L, &s->exchange, values);
  const char *text = luaL_checklstring(L, -2, &size);
  if (luaL_loadbufferx(L, text, size, luaL_checkstring(L, -1), "t") != LUA_OK) lua_error(L);
}

/* Executes the operation `verb` of a call and leaves its results on the stack. Returns the stack index of the
 * first result. */
static int perform_verb(lua_State *L, scree_session *s, session_call *call) {
  int base = lua_gettop(L), arguments;
  switch (call->verb) {
  case SCREE_CALL:
    arguments = push_callee(L, s, &call->values);
    arguments += sl_unpack_values(L, &s->exchange, &call->values);
    lua_call(L, arguments, LUA_MULTRET);
    return base + 1;
  case SCREE_GET: push_item(L, s, &call->values); return lua_gettop(L);
  case SCREE_SET:
    if (sl_unpack_values(L, &s->exchange, &call->values) != 3)
      sl_refuse(L, "set needs object, key and value");
    lua_settable(L, -3);
    return lua_gettop(L) + 1;
  case SCREE_COUNT:
    sl_unpack_value(L, &s->exchange, &call->values);
    lua_pushinteger(L, luaL_len(L, -1));
    return lua_gettop(L);
  case SCREE_RUN:
    load_text(L, s, &call->values);
    base = lua_gettop(L) - 1;
    lua_call(L, sl_unpack_values(L, &s->exchange, &call->values), LUA_MULTRET);
    return base + 1;
  case SCREE_SCENE:
    if (!s->scene) sl_refuse(L, "this session has no scene");
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->scene->world_ref);
    sl_scene_push_params(s->scene);
    return base + 1;
  }
  return sl_refuse(L, "%d is not a verb of a session", call->verb);
}

/* Lua function (session_call): executes the call and packs its results into s->result. */
static int perform_call(lua_State *L) {
  session_call *call = lua_touserdata(L, 1);
  scree_session *s = call->session;
  const int first = perform_verb(L, s, call);
  // a function of the host may have filled s->result during the call
  s->result.used = 0;
  for (int i = first; i <= lua_gettop(L); i++) sl_pack_value(L, &s->exchange, &s->result, i);
  return 0;
}

scree_status scree_session_call(scree_session *s, scree_session_verb verb, const void *values, size_t size,
    const void **result, size_t *result_size, scree_error *error) {
  if (!s || !result || !result_size || (size && !values))
    return sl_set_error(error, SCREE_E_ARGUMENT, "a call of a session has a null pointer");
  session_call call = {s, verb, {values, size ? (const unsigned char *)values + size : values}};
  lua_State *L = s->runtime->running;
  if (!lua_checkstack(L, 8)) return sl_set_error(error, SCREE_E_MEMORY, "no memory for the stack of Lua");
  lua_pushcfunction(L, perform_call);
  lua_pushlightuserdata(L, &call);
  const sl_trouble trouble = sl_call(s->runtime, 1, 0);
  *result = s->result.bytes;
  *result_size = trouble ? 0 : s->result.used;
  return trouble ? sl_set_error(error, find_status(s->runtime, trouble), sl_message(s->runtime)) : SCREE_OK;
}

/* ---- calls without packed values ---- */

/* A call of a method with one argument or none. */
typedef struct method_call {
  scree_session *session;
  int64_t object;
  const char *name;
  enum { NO_ARGUMENT, WHOLE_NUMBER, OBJECT_NUMBER } kind; /* kind of the argument */
  int64_t argument;
  int64_t result; /* number of the object that the method returns, 0 without one */
} method_call;

/* Lua function (method_call): calls the method and stores its result. */
static int perform_method(lua_State *L) {
  method_call *call = lua_touserdata(L, 1);
  push_object(call->session, L, call->object);
  lua_getfield(L, 2, call->name);
  lua_insert(L, 2);
  if (call->kind == OBJECT_NUMBER) push_object(call->session, L, call->argument);
  else if (call->kind == WHOLE_NUMBER) lua_pushinteger(L, call->argument);
  lua_call(L, lua_gettop(L) - 2, 1);
  if (!lua_isnil(L, -1)) call->result = hold_object(call->session, L, lua_gettop(L));
  return 0;
}

static scree_status call_method(method_call *call, scree_error *error) {
  if (!call->session) return sl_set_error(error, SCREE_E_ARGUMENT, "the session is NULL");
  lua_State *L = call->session->runtime->running;
  if (!lua_checkstack(L, 8)) return sl_set_error(error, SCREE_E_MEMORY, "no memory for the stack of Lua");
  lua_pushcfunction(L, perform_method);
  lua_pushlightuserdata(L, call);
  const sl_trouble trouble = sl_call(call->session->runtime, 1, 0);
  if (!trouble) return SCREE_OK;
  return sl_set_error(
      error, find_status(call->session->runtime, trouble), sl_message(call->session->runtime));
}

scree_status scree_session_step(scree_session *s, int64_t world, int64_t steps, scree_error *error) {
  return call_method(&(method_call){s, world, "step", WHOLE_NUMBER, steps, 0}, error);
}

int64_t scree_session_save(scree_session *s, int64_t world, scree_error *error) {
  method_call call = {s, world, "save", NO_ARGUMENT, 0, 0};
  return call_method(&call, error) ? 0 : call.result;
}

scree_status scree_session_restore(scree_session *s, int64_t world, int64_t state, scree_error *error) {
  return call_method(&(method_call){s, world, "restore", OBJECT_NUMBER, state, 0}, error);
}

void scree_session_seed(scree_session *s, uint64_t seed) {
  if (s) sl_runtime_seed(s->runtime, seed);
}

void scree_session_release(scree_session *s, int64_t object) {
  if (!s) return;
  lua_State *L = s->runtime->running;
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->objects);
  lua_pushnil(L);
  lua_rawseti(L, -2, object); // storing nil allocates nothing, so no Lua error can leave this function
  lua_pop(L, 1);
  // Lua does not know how much memory the engine holds for a world or a state
  if (scree_memory_used() < 2 * s->kept + COLLECT_FROM) return;
  lua_gc(L, LUA_GCCOLLECT);
  s->kept = scree_memory_used();
}

/* ---- worlds ---- */

/* Pushes the object with this number. Returns its world, NULL if it is not a world or does not exist. */
static sl_world *push_world(scree_session *s, int64_t object) {
  lua_State *L = s->runtime->running;
  sl_world *world = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->objects);
  lua_rawgeti(L, -1, object);
  lua_replace(L, -2);
  const int at = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.world_type");
  if (lua_type(L, at) == LUA_TUSERDATA && lua_getmetatable(L, at) && lua_rawequal(L, -1, -2))
    world = lua_touserdata(L, at);
  lua_settop(L, at);
  return world;
}

static sl_world *find_world(scree_session *s, int64_t object) {
  if (!s) return NULL;
  sl_world *world = push_world(s, object);
  lua_pop(s->runtime->running, 1);
  return world;
}

scree_world *scree_session_world(scree_session *s, int64_t object) {
  const sl_world *world = find_world(s, object);
  return world ? world->world : NULL;
}

bool scree_session_is_stepping(scree_session *s, int64_t object) {
  const sl_world *world = find_world(s, object);
  return world && world->stepping;
}

void scree_session_seed_world(scree_session *s, int64_t object, uint64_t seed) {
  sl_world *world = find_world(s, object);
  if (!world) return;
  world->has_seed = true;
  world->seed = seed;
  sl_random_seed(world->random, seed);
}

scree_id scree_session_motion(scree_session *s, int64_t object) {
  if (!s) return 0;
  lua_State *L = s->runtime->running;
  const int top = lua_gettop(L);
  const sl_world *world = push_world(s, object);
  scree_id found = 0;
  if (world && lua_getiuservalue(L, -1, SL_MOTIONS_SLOT) == LUA_TTABLE)
    for (int i = 1; i <= world->motions && !found; i++) {
      scree_body_state state;
      lua_rawgeti(L, top + 2, i);
      lua_getfield(L, -1, "id");
      const scree_id id = (scree_id)lua_tointeger(L, -1);
      if (scree_world_get(world->world, id, &state, NULL) == SCREE_OK) found = id;
      lua_settop(L, top + 2);
    }
  lua_settop(L, top);
  return found;
}

void scree_session_identify(scree_session *s, int64_t object, uint64_t identity[2]) {
  identity[0] = identity[1] = 0;
  if (!s) return;
  lua_State *L = s->runtime->running;
  const int top = lua_gettop(L);
  push_world(s, object);
  identity[0] = (uintptr_t)lua_topointer(L, -1);
  if (lua_isuserdata(L, -1) && luaL_getmetafield(L, -1, "__name") == LUA_TSTRING &&
      !strcmp(lua_tostring(L, -1), sl_type_name(SL_BODY))) {
    const sl_body *body = lua_touserdata(L, top + 1);
    identity[0] = (uintptr_t)body->world;
    identity[1] = body->id;
  }
  lua_settop(L, top);
}

/* ---- opening and closing ---- */

/* Lua function (session): makes the table of objects. */
static int prepare_session(lua_State *L) {
  scree_session *s = lua_touserdata(L, 1);
  lua_newtable(L);
  s->objects = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Passes a warning of Lua to the host. */
static void pass_warning(void *context, const char *text, int continues) {
  const scree_session *s = context;
  (void)continues; // the engine writes each warning in one piece
  if (s->def.warn) s->def.warn(s->def.context, text);
  else fprintf(stderr, "scree: warning: %s\n", text);
}

static scree_status start_session(scree_session *s, scree_error *error) {
  s->objects = LUA_NOREF;
  s->exchange = (sl_exchange){s, hold_object, push_object, push_function};
  s->runtime->def.warn = s->def.warn;
  s->runtime->def.warn_context = s->def.context;
  lua_setwarnf(s->runtime->L, pass_warning, s);
  lua_pushcfunction(s->runtime->L, prepare_session);
  lua_pushlightuserdata(s->runtime->L, s);
  const sl_trouble trouble = sl_call(s->runtime, 1, 0);
  return trouble ? sl_set_error(error, sl_trouble_status(trouble), sl_message(s->runtime)) : SCREE_OK;
}

static scree_status open_runtime(scree_session *s, scree_error *error) {
  sl_runtime_def def = sl_runtime_defaults();
  s->library = s->def.library ? strdup(s->def.library) : NULL;
  s->directory = s->def.directory ? strdup(s->def.directory) : NULL;
  if ((s->def.library && !s->library) || (s->def.directory && !s->directory))
    return sl_set_error(error, SCREE_E_MEMORY, "no memory for a session");
  s->def.library = s->library;
  s->def.directory = s->directory;
  def.trust = true;
  def.library = s->library;
  def.seed = s->def.seed;
  def.memory = def.total = 0;
  def.seconds = 0;
  s->runtime = sl_runtime_open(&def, error);
  if (!s->runtime) return error->status;
  sl_runtime_set_directory(s->runtime, s->directory, -1);
  return start_session(s, error);
}

scree_session *scree_session_open(const scree_session_def *def, scree_error *error) {
  scree_error own = {SCREE_OK, ""};
  if (!error) error = &own;
  scree_session *s = calloc(1, sizeof *s);
  if (!s) return sl_set_error(error, SCREE_E_MEMORY, "no memory for a session"), NULL;
  s->def = def ? *def : scree_session_defaults();
  if (open_runtime(s, error) == SCREE_OK) return s;
  return scree_session_close(s), NULL;
}

scree_session *scree_scene_session(scree_scene *scene, const scree_session_def *def, scree_error *error) {
  scree_error own = {SCREE_OK, ""};
  if (!error) error = &own;
  if (!scene) return sl_set_error(error, SCREE_E_ARGUMENT, "the scene is NULL"), NULL;
  scree_session *s = calloc(1, sizeof *s);
  if (!s) return sl_set_error(error, SCREE_E_MEMORY, "no memory for a session"), NULL;
  s->def = def ? *def : scree_session_defaults();
  s->scene = sl_embedded_scene(scene);
  s->runtime = s->scene->runtime;
  if (start_session(s, error) == SCREE_OK) return s;
  return scree_session_close(s), NULL;
}

void scree_session_close(scree_session *s) {
  if (!s) return;
  if (s->runtime && !s->scene) sl_runtime_close(s->runtime);
  else if (s->runtime) {
    // the scene may still refer to functions of the host
    for (host_function *f = s->functions; f; f = f->next) f->session = NULL;
    s->runtime->def.warn = NULL;
    lua_setwarnf(s->runtime->L, NULL, NULL);
    luaL_unref(s->runtime->L, LUA_REGISTRYINDEX, s->objects);
  }
  free(s->library);
  free(s->directory);
  free(s->result.bytes);
  free(s);
}
