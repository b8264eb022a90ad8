/* States of worlds: w:save(), w:restore(state), w:clone(), scree.read_state(file).
 *
 * A state contains the world in the form of a checkpoint, and w.state. It does not contain functions, random
 * numbers, probes and the clocks of a scene. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/sandbox/inside.h"

#include <string.h>

typedef struct state {
  scree_checkpoint *checkpoint;
} state;

static const char section[] = "script.state"; /* the section that checkpoints of scenes use (restore.c) */

/* ---- saving ---- */

/* Pushes a state without a checkpoint. Its user value is a list of motions, nil for a state from a file. */
static state *push_state(lua_State *L) {
  sl_make_room(L);
  state *s = lua_newuserdatauv(L, sizeof *s, 1);
  s->checkpoint = NULL;
  sl_set_type(L, SL_STATE);
  return s;
}

static size_t count_bytes(const scree_checkpoint *checkpoint) {
  size_t sum = 0, size;
  for (int64_t i = 0; scree_checkpoint_section(checkpoint, i, &size); i++) sum += size;
  return sum;
}

/* Runs the garbage collector as if Lua had allocated the bytes of a state, which lie outside of Lua's memory.
 * Otherwise a script that saves often would accumulate states. */
static void pay_for(lua_State *L, const scree_checkpoint *checkpoint) {
  const size_t kilobytes = count_bytes(checkpoint) / 1024 + 1;
  lua_gc(L, LUA_GCSTEP, (int)(kilobytes < 1 << 20 ? kilobytes : 1 << 20));
}

/* Puts w.state of the world at stack index 1 into the checkpoint, unless w.state is empty. */
static void put_data(lua_State *L, scree_checkpoint *checkpoint) {
  scree_error error = {SCREE_OK, ""};
  size_t size;
  lua_getiuservalue(L, 1, SL_STATE_SLOT);
  lua_pushnil(L);
  if (!lua_next(L, -2)) return lua_pop(L, 1);
  lua_pop(L, 3);
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.pack_state");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  const char *bytes = lua_tolstring(L, -1, &size);
  if (scree_checkpoint_put(checkpoint, section, bytes, size, &error) != SCREE_OK) sl_raise_error(L, &error);
  lua_pop(L, 1);
}

/* Pushes a copy of a list of motions. The entries are shared, because nothing changes them
 * (bodies/motion.c). */
static void push_motions(lua_State *L, int list) {
  const int count = (int)lua_rawlen(L, list);
  list = lua_absindex(L, list);
  lua_createtable(L, count, 0);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    lua_rawseti(L, -2, i);
  }
}

static int world_save(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_error error = {SCREE_OK, ""};
  lua_settop(L, 1);
  state *s = push_state(L);
  s->checkpoint = scree_world_save_state(world->world, &error);
  if (!s->checkpoint) sl_raise_error(L, &error);
  put_data(L, s->checkpoint);
  lua_getiuservalue(L, 1, SL_MOTIONS_SLOT);
  push_motions(L, -1);
  lua_setiuservalue(L, 2, 1);
  lua_settop(L, 2);
  pay_for(L, s->checkpoint);
  return 1;
}

/* ---- restoring ---- */

/* Sets w.state of the world at `index` to the data of a checkpoint; without data, to an empty table. */
static void get_data(lua_State *L, int index, const scree_checkpoint *checkpoint) {
  size_t size = 0;
  const void *bytes = scree_checkpoint_get(checkpoint, section, &size, NULL);
  index = lua_absindex(L, index);
  if (!bytes) {
    lua_newtable(L);
    lua_setiuservalue(L, index, SL_STATE_SLOT);
    return;
  }
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.unpack_state");
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, (void *)bytes);
  lua_pushinteger(L, (lua_Integer)size);
  lua_call(L, 3, 0);
}

/* Sets the motions of the world at index 1 to the list on top of the stack, unless that is nil. Motions that
 * setup made stay in front. */
static void set_motions(lua_State *L, sl_world *world) {
  if (!lua_istable(L, -1)) return;
  push_motions(L, -1);
  world->motions = (int)lua_rawlen(L, -1);
  lua_setiuservalue(L, 1, SL_MOTIONS_SLOT);
}

static int world_restore(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  const state *s = sl_check(L, 2, SL_STATE);
  scree_error error = {SCREE_OK, ""};
  if (world->runtime->in_hook && world->is_of_run)
    sl_raise(L, SCREE_E_ARGUMENT,
        "a scene's callbacks must not restore the world of the run; restore a clone of it (w:clone)");
  if (scree_world_restore_state(world->world, s->checkpoint, &error) != SCREE_OK) sl_raise_error(L, &error);
  get_data(L, 1, s->checkpoint);
  lua_getiuservalue(L, 2, 1);
  set_motions(L, world);
  return 0;
}

/* ---- cloning ---- */

static void copy_grains(const sl_world *world, sl_world *clone) {
  memcpy(clone->grain_min, world->grain_min, sizeof clone->grain_min);
  memcpy(clone->grain_max, world->grain_max, sizeof clone->grain_max);
  clone->grain_hull = world->grain_hull;
  clone->walls_checked = world->walls_checked, clone->warned_fill = world->warned_fill,
  clone->warned_insert = world->warned_insert;
}

static int world_clone(lua_State *L) {
  const sl_world *world = sl_change_world(L, 1);
  scree_error error = {SCREE_OK, ""};
  lua_settop(L, 1);
  sl_world *clone = sl_push_world(L);
  clone->world = scree_world_clone(world->world, &error);
  if (!clone->world) sl_raise_error(L, &error);
  clone->runtime->worlds++;
  lua_getiuservalue(L, 1, SL_MOTIONS_SLOT);
  push_motions(L, -1);
  lua_setiuservalue(L, 2, SL_MOTIONS_SLOT);
  lua_settop(L, 2);
  clone->motions = world->motions, clone->motions_of_setup = world->motions_of_setup;
  copy_grains(world, clone);
  clone->has_seed = world->has_seed, clone->seed = world->seed;
  memcpy(clone->random, world->random, sizeof clone->random);
  /* w.state is packed and unpacked, so that its handles become handles of the clone's bodies */
  state *s = push_state(L);
  s->checkpoint = scree_checkpoint_create();
  if (!s->checkpoint) sl_raise(L, SCREE_E_MEMORY, "no memory for a clone");
  put_data(L, s->checkpoint);
  get_data(L, 2, s->checkpoint);
  lua_settop(L, 2);
  return 1;
}

/* ---- members ---- */

static scree_checkpoint_info read_info(lua_State *L) {
  const state *s = sl_check(L, 1, SL_STATE);
  scree_checkpoint_info info;
  scree_error error = {SCREE_OK, ""};
  if (scree_checkpoint_about(s->checkpoint, &info, &error) != SCREE_OK) sl_raise_error(L, &error);
  return info;
}

static int state_time(lua_State *L) { return lua_pushnumber(L, read_info(L).time), 1; }
static int state_steps(lua_State *L) { return lua_pushinteger(L, read_info(L).step), 1; }
static int state_bodies(lua_State *L) { return lua_pushinteger(L, read_info(L).bodies), 1; }

static int state_bytes(lua_State *L) {
  const state *s = sl_check(L, 1, SL_STATE);
  return lua_pushinteger(L, (lua_Integer)count_bytes(s->checkpoint)), 1;
}

static int state_write(lua_State *L) {
  const state *s = sl_check(L, 1, SL_STATE);
  char path[SL_PATH];
  scree_error error = {SCREE_OK, ""};
  sl_output_path(L, luaL_checkstring(L, 2), "write", path);
  if (sl_runtime_silent(sl_runtime_of(L))) return 0;
  if (scree_checkpoint_write(s->checkpoint, path, 1, &error) != SCREE_OK) sl_raise_error(L, &error);
  return 0;
}

static int module_read_state(lua_State *L) {
  char path[SL_PATH];
  scree_error error = {SCREE_OK, ""};
  lua_settop(L, 1);
  if (lua_type(L, 1) != LUA_TSTRING)
    return sl_refuse(L, "read_state takes a string, the path of a file, not a %s", luaL_typename(L, 1));
  sl_input_path(L, lua_tostring(L, 1), "read_state", path);
  state *s = push_state(L);
  s->checkpoint = scree_checkpoint_read(path, NULL, &error);
  if (!s->checkpoint) sl_raise_error(L, &error);
  pay_for(L, s->checkpoint);
  return 1;
}

static int state_gc(lua_State *L) {
  state *s = lua_touserdata(L, 1);
  scree_checkpoint_destroy(s->checkpoint);
  s->checkpoint = NULL;
  return 0;
}

static int state_tostring(lua_State *L) {
  const scree_checkpoint_info info = read_info(L);
  lua_pushfstring(L, "state of %I bodies at %f s", (LUAI_UACINT)info.bodies, info.time);
  return 1;
}

const luaL_Reg sl_state_methods[] = {
    {"save", world_save}, {"restore", world_restore}, {"clone", world_clone}, {NULL, NULL}};
const luaL_Reg sl_state_object_methods[] = {{"time", state_time}, {"steps", state_steps},
    {"bodies", state_bodies}, {"bytes", state_bytes}, {"write", state_write}, {NULL, NULL}};
const luaL_Reg sl_state_metamethods[] = {{"__gc", state_gc}, {"__tostring", state_tostring}, {NULL, NULL}};
const luaL_Reg sl_state_functions[] = {{"read_state", module_read_state}, {NULL, NULL}};
