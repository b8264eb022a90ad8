/* Worlds: scree.world{...}, stepping, time, hash, state. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/objects/cell.h"
#include "bind/objects/bodies/motion.h"
#include "bind/sandbox/library.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- creation ---- */

static void read_solver(lua_State *L, int index, const char *path, scree_solver_def *def) {
  char place[256];
  snprintf(place, sizeof place, "%s.solver", path);
  lua_pushliteral(L, "solver");
  if (lua_rawget(L, index) != LUA_TNIL) SL_READ_TABLE(L, -1, place, scree_solver_params, def);
  lua_pop(L, 1);
}

/* Limits the number of worlds, whose memory is not Lua's. If SL_WORLDS_MOST worlds exist, garbage is
 * collected first. An untrusted script may not have more than SL_WORLDS_MOST worlds. */
static void limit_worlds(lua_State *L) {
  const sl_runtime *runtime = sl_runtime_of(L);
  sl_make_room(L);
  if (runtime->worlds < SL_WORLDS_MOST) return;
  lua_gc(L, LUA_GCCOLLECT);
  if (runtime->worlds >= SL_WORLDS_MOST && !runtime->def.trust)
    sl_raise(L, SCREE_E_MEMORY, "more than %d worlds at a time need --trust", SL_WORLDS_MOST);
}

static void read_domain(lua_State *L, int index, const char *path, scree_domain_def *def) {
  char place[256];
  snprintf(place, sizeof place, "%s.domain", path);
  lua_pushliteral(L, "domain");
  if (lua_rawget(L, index) != LUA_TNIL) {
    SL_READ_TABLE(L, -1, place, scree_domain_params, def);
    for (int k = 0; k < 3; k++) /* the engine interprets six zeros as: no domain */
      if (!(def->min[k] < def->max[k]))
        sl_refuse(L, "%s: min must be below max along each axis, not %g and %g along %s", place, def->min[k],
            def->max[k], (const char *[]){"x", "y", "z"}[k]);
  }
  lua_pop(L, 1);
}

sl_world *sl_push_world(lua_State *L) {
  limit_worlds(L);
  sl_world *world = lua_newuserdatauv(L, sizeof *world, SL_WORLD_SLOTS);
  memset(world, 0, sizeof *world);
  world->runtime = sl_runtime_of(L);
  sl_set_type(L, SL_WORLD);
  for (int slot = SL_STATE_SLOT; slot <= SL_WORLD_SLOTS; slot++) {
    lua_newtable(L);
    lua_setiuservalue(L, -2, slot);
  }
  return world;
}

/* Reads the table at index and pushes the new world. threads > 0 replaces the number in the table. */
static sl_world *create_world(lua_State *L, int index, const char *path, int64_t threads) {
  index = lua_absindex(L, index);
  scree_world_def def = scree_world_defaults();
  SL_READ_TABLE(L, index, path, scree_world_params, &def);
  read_solver(L, index, path, &def.solver);
  sl_read_cell(L, index, path, &def.cell);
  read_domain(L, index, path, &def.domain);
  if (threads > 0) def.threads = threads;
  // push the userdata first, so that the world always has an owner
  sl_world *world = sl_push_world(L);
  scree_error error = {SCREE_OK, ""};
  world->world = scree_world_create(&def, &error);
  const bool names_key = !strncmp(error.text, "world.", 6);
  if (!world->world)
    sl_raise(L, error.status, "%s%s%s", names_key ? "" : path, names_key ? "" : ": ", error.text);
  world->runtime->worlds++;
  return world;
}

static int world_new(lua_State *L) {
  if (lua_isnoneornil(L, 1)) lua_newtable(L), lua_replace(L, 1);
  create_world(L, 1, "world", 0);
  return 1;
}

/* Lua function of the registry, "scree.make_world", for scenes: called with the world table and a number of
 * threads (0: the number in the table). */
int sl_make_world(lua_State *L) {
  create_world(L, 1, "world", lua_tointeger(L, 2))->is_of_run = true;
  return 1;
}

/* Returns whether laws of the script act in the world at stack index 1. Such a world must not be evaluated
 * while Lua collects garbage. */
static bool has_laws(lua_State *L) {
  if (lua_getiuservalue(L, 1, SL_LAWS_SLOT) != LUA_TTABLE) return lua_pop(L, 1), false;
  lua_pushnil(L);
  const bool any = lua_next(L, -2) != 0;
  lua_pop(L, any ? 3 : 1);
  return any;
}

static int world_gc(lua_State *L) {
  sl_world *world = lua_touserdata(L, 1);
  if (world->world && world->runtime->def.world_ends && !world->spread &&
      scree_world_steps(world->world) > 0 && !has_laws(L))
    world->runtime->def.world_ends(world->world);
  if (world->world) scree_world_destroy(world->world), world->runtime->worlds--;
  world->world = NULL;
  return 0;
}

static int world_tostring(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_report report;
  scree_world_report(world->world, &report);
  lua_pushfstring(L, "world with %I bodies at %f s", (LUAI_UACINT)report.bodies, report.time);
  return 1;
}

static int64_t bodies_of(const sl_world *world) {
  void *ignored;
  int64_t bodies = 0;
  scree_world_view(world->world, SCREE_VIEW_POSITION, &ignored, &bodies);
  return bodies;
}

/* Refuses bodies that would exceed the cap before time is spent on placing them. The cap on memory is checked
 * separately. */
void sl_limit_bodies(lua_State *L, const sl_world *world, double more) {
  if (world->runtime->def.trust) return;
  // bodies_of counts the bodies of this rank; new ones are assumed to be shared equally among the ranks
  const double bodies = (double)bodies_of(world) + more / (world->spread ? scree_dist_expected() : 1);
  if (bodies > (double)world->runtime->most_bodies)
    sl_raise(L, SCREE_E_MEMORY,
        "%.4g bodies need more than half of this machine's memory (--trust lifts the cap)", bodies);
}

int sl_engine_enter_world(const sl_world *world) {
  sl_guard_credit(world->runtime, bodies_of(world));
  return sl_engine_enter(world->runtime);
}

scree_status sl_world_advance(sl_world *world, int64_t steps, scree_error *error) {
  int before = sl_guard_step(world->runtime, bodies_of(world), world->spread ? INT64_MAX : steps);
  world->stepping = true;
  scree_status status = scree_world_step(world->world, steps, error);
  world->stepping = false;
  sl_engine_leave(world->runtime, before);
  return status;
}

/* ---- members ---- */

int sl_world_index(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(SL_TYPES + 1)) != LUA_TNIL) return 1;
  if (lua_type(L, 2) == LUA_TSTRING && !strcmp(lua_tostring(L, 2), "state"))
    return lua_getiuservalue(L, 1, SL_STATE_SLOT), 1;
  return sl_unknown_member(L, "world", lua_upvalueindex(SL_TYPES + 1));
}

static int world_newindex(lua_State *L) {
  sl_check_world(L, 1);
  const char *name = sl_tostring(L, 2);
  if (strcmp(name, "state"))
    sl_refuse(L, "world.%s cannot be set; the scene's own data belongs into w.state", name);
  sl_check_table(L, 3, "w.state");
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, 1, SL_STATE_SLOT);
  return 0;
}

/* ---- methods ---- */

/* Makes `count` steps at once, or one by one if bodies have prescribed motions. */
static scree_status step_world(lua_State *L, sl_world *world, int64_t count, scree_error *error) {
  scree_status status = SCREE_OK;
  while (count > 0 && status == SCREE_OK) {
    sl_motion_update(L, 1);
    const int64_t part = world->motions ? 1 : count;
    status = sl_world_advance(world, part, error);
    count -= part;
  }
  return status;
}

static int world_step(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  int64_t count = luaL_optinteger(L, 2, 1);
  if (count < 0) sl_refuse(L, "step takes a number of steps >= 0, not %lld", (long long)count);
  if (world->runtime->in_hook && world->is_of_run)
    sl_refuse(L, "a scene's callbacks must not step the world: the run does");
  scree_error error = {SCREE_OK, ""};
  if (count) sl_warn_of_walls(world);
  scree_status status = step_world(L, world, count, &error);
  // a plain script that steps makes progress, so its time starts anew
  if (!world->runtime->is_scene) world->runtime->ticks = world->runtime->engine_ticks = 0;
  if (status != SCREE_OK) sl_raise(L, status, "%s", error.text);
  return 0;
}

extern const luaL_Reg sl_world_methods[];

/* Returns the world at argument 1. Raises an error if there are further arguments, because getters have
 * none. */
static const scree_world *get_world(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  sl_take_none(L, sl_world_methods);
  return world->world;
}

static int world_time(lua_State *L) { return lua_pushnumber(L, scree_world_time(get_world(L))), 1; }
static int world_steps(lua_State *L) { return lua_pushinteger(L, scree_world_steps(get_world(L))), 1; }
static int world_dt(lua_State *L) { return lua_pushnumber(L, scree_world_get_def(get_world(L))->dt), 1; }
static int world_gravity(lua_State *L) {
  return sl_push_numbers(L, scree_world_get_def(get_world(L))->gravity, 3);
}
static int world_threads(lua_State *L) {
  return lua_pushinteger(L, scree_world_get_def(get_world(L))->threads), 1;
}

static int world_set_dt(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  if (lua_type(L, 2) != LUA_TNUMBER) sl_refuse(L, "set_dt takes a number, not a %s", luaL_typename(L, 2));
  SL_TRY(L, scree_world_set_dt(world->world, lua_tonumber(L, 2), &error));
  return 0;
}

static int world_set_gravity(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  double gravity[3];
  sl_vec3_argument(L, 2, "set_gravity", gravity);
  SL_TRY(L, scree_world_set_gravity(world->world, gravity, &error));
  return 0;
}

/* hash(): 16 hexadecimal digits. */
static int world_hash(lua_State *L) {
  char text[24];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)scree_world_hash(get_world(L)));
  return lua_pushstring(L, text), 1;
}

/* w:random() in [0,1), w:random(a, b) in [a, b), from the stream of math.random. */
static int world_random(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  double low = luaL_optnumber(L, 2, 0), high = luaL_optnumber(L, 3, 1);
  uint64_t *state = world->has_seed ? world->random : world->runtime->random;
  if (!isfinite(high - low) || low > high) sl_refuse(L, "random: [%g, %g) is no interval", low, high);
  return lua_pushnumber(L, low + (high - low) * sl_random_unit(state)), 1;
}

static int world_find(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_error error = {SCREE_OK, ""};
  scree_id id = scree_world_find(world->world, luaL_checkstring(L, 2), &error);
  if (!id) sl_raise_error(L, &error);
  return sl_push_body(L, 1, id), 1;
}

/* w:read(body): the state of a body in one table. On several ranks all ranks call it and get the owner's
 * data. */
static int world_read(lua_State *L) {
  static const char *const kinds[] = {"dynamic", "kinematic", "fixed"};
  sl_world *world = sl_check_world(L, 1);
  const sl_body *body = sl_check_own_body(L, 2, world);
  scree_body_state s;
  SL_TRY(L, scree_world_read(world->world, body->id, &s, &error));
  lua_createtable(L, 0, 9);
  sl_set_vector(L, "position", s.position, 3);
  sl_set_vector(L, "velocity", s.velocity, 3);
  sl_set_vector(L, "spin", s.spin, 3);
  sl_set_vector(L, "orientation", s.orientation, 4);
  sl_set_number(L, "mass", s.mass);
  sl_set_number(L, "radius", s.radius);
  sl_set_integer(L, "group", s.group);
  sl_set_string(L, "kind", kinds[s.kind]);
  if (s.name) sl_set_string(L, "name", s.name);
  return 1;
}

/* scree.type(value): the name of the object type of a value, nil for other values. */
static int type_of_value(lua_State *L) { return lua_pushstring(L, sl_test_type(L, 1)), 1; }

/* body_of(id): the handle of the body with this id. */
static int world_body_of(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_id id = (scree_id)luaL_checkinteger(L, 2);
  if (!scree_world_alive(world->world, id))
    sl_raise(
        L, SCREE_E_STALE, "there is no body with the id %lld: it was removed or never was", (long long)id);
  return sl_push_body(L, 1, id), 1;
}

const luaL_Reg sl_world_methods[] = {{"step", world_step}, {"time", world_time}, {"steps", world_steps},
    {"dt", world_dt}, {"gravity", world_gravity}, {"threads", world_threads}, {"set_dt", world_set_dt},
    {"set_gravity", world_set_gravity}, {"hash", world_hash}, {"random", world_random}, {"find", world_find},
    {"read", world_read}, {"body_of", world_body_of}, {NULL, NULL}};
const luaL_Reg sl_world_metamethods[] = {
    {"__gc", world_gc}, {"__tostring", world_tostring}, {"__newindex", world_newindex}, {NULL, NULL}};
const luaL_Reg sl_module_functions[] = {{"world", world_new}, {"plot", sl_plot},
    {"check_keys", sl_check_keys}, {"check_type", sl_check_type}, {"quantity", sl_read_quantity},
    {"type", type_of_value}, {NULL, NULL}};
const sl_params sl_world_params[] = {SL_TABLE_ROWS("world", scree_world_params),
    SL_TABLE_ROWS("world.solver", scree_solver_params), SL_TABLE_ROWS("world.domain", scree_domain_params),
    {NULL}};
