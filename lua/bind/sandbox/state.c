/* Packs w.state: each value becomes a letter and its bytes.
 *   n nil   t f booleans   i int64   d double   s length bytes   b id of a body   j id of a joint
 *   T key value ... n   a table; tables are numbered in the order of packing
 *   r number   a table that was packed before */
#include "bind/sandbox/state.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/sandbox/inside.h"
#include "bind/sandbox/library.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH = 64, PATH = 256 };

/* ---- packing ---- */

/* Bytes of the values packed so far. They are in a userdata at stack index `block`. If the userdata is full,
 * a larger one replaces it. */
typedef struct packer {
  lua_State *L;
  const sl_world *world;
  int seen;  /* stack index of the table that maps packed tables to their numbers */
  int block; /* stack index of the userdata of the bytes */
  int depth; /* number of tables around the present value */
  int64_t tables;
  char *bytes;
  size_t used, capacity;
  char path[PATH];
} packer;

static void put_bytes(packer *p, const void *bytes, size_t size) {
  if (p->capacity - p->used < size) {
    size_t capacity = 2 * p->capacity + size + 256;
    char *grown = lua_newuserdatauv(p->L, capacity, 0);
    if (p->used) memcpy(grown, p->bytes, p->used);
    lua_replace(p->L, p->block);
    p->bytes = grown;
    p->capacity = capacity;
  }
  if (size) memcpy(p->bytes + p->used, bytes, size);
  p->used += size;
}

static void pack_entry(packer *p, char letter, const void *bytes, size_t size) {
  put_bytes(p, &letter, 1);
  put_bytes(p, bytes, size);
}

static void refuse_value(packer *p, const char *what) {
  sl_raise(p->L, SCREE_E_ARGUMENT, "%s is %s; w.state holds plain data only", p->path, what);
}

/* Appends the key at stack index `key` to the path, for messages. Returns the previous length of the path. */
static size_t append_key_to_path(packer *p, int key) {
  size_t before = strlen(p->path);
  char *end = p->path + before;
  if (lua_type(p->L, key) == LUA_TSTRING) snprintf(end, PATH - before, ".%s", lua_tostring(p->L, key));
  else if (lua_isinteger(p->L, key))
    snprintf(end, PATH - before, "[%lld]", (long long)lua_tointeger(p->L, key));
  else snprintf(end, PATH - before, "[...]");
  return before;
}

static void pack_value(packer *p, int index);

/* Packs keys and values of a table in the order of pairs. */
static void pack_table(packer *p, int index) {
  lua_State *L = p->L;
  lua_pushvalue(L, index);
  if (lua_rawget(L, p->seen) != LUA_TNIL) {
    int64_t number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return pack_entry(p, 'r', &number, sizeof number);
  }
  lua_pop(L, 1);
  if (lua_getmetatable(L, index)) refuse_value(p, "a table with a metatable");
  if (++p->depth > DEPTH) refuse_value(p, "nested too deeply");
  lua_pushvalue(L, index);
  lua_pushinteger(L, p->tables++);
  lua_rawset(L, p->seen);
  pack_entry(p, 'T', NULL, 0);
  // the list of keys in order: {k1, k2, ...}
  lua_pushcfunction(L, sl_sorted_keys);
  lua_pushvalue(L, index);
  lua_call(L, 1, 1);
  int keys = lua_gettop(L);
  for (int i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
    size_t before = append_key_to_path(p, -1);
    pack_value(p, lua_gettop(L));
    lua_pushvalue(L, -1);
    lua_rawget(L, index);
    pack_value(p, lua_gettop(L));
    p->path[before] = 0;
    lua_settop(L, keys);
  }
  lua_settop(L, keys - 1);
  pack_entry(p, 'n', NULL, 0);
  p->depth--;
}

static void pack_number(packer *p, int index) {
  if (lua_isinteger(p->L, index)) {
    int64_t whole = lua_tointeger(p->L, index);
    pack_entry(p, 'i', &whole, sizeof whole);
  } else {
    double real = lua_tonumber(p->L, index);
    pack_entry(p, 'd', &real, sizeof real);
  }
}

static void pack_value(packer *p, int index) {
  lua_State *L = p->L;
  size_t size;
  const char *text;
  luaL_checkstack(L, 8, "packing w.state");
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN: pack_entry(p, lua_toboolean(L, index) ? 't' : 'f', NULL, 0); return;
  case LUA_TNUMBER: pack_number(p, index); return;
  case LUA_TSTRING:
    text = lua_tolstring(L, index, &size);
    pack_entry(p, 's', &size, sizeof size);
    put_bytes(p, text, size);
    return;
  case LUA_TTABLE: pack_table(p, index); return;
  default: {
    const sl_body *body = sl_test(L, index, SL_BODY);
    const sl_joint *joint = sl_test(L, index, SL_JOINT);
    if ((body && body->world != p->world) || (joint && joint->world != p->world))
      refuse_value(p, "of another world");
    if (body) pack_entry(p, 'b', &body->id, sizeof body->id);
    else if (joint) pack_entry(p, 'j', &joint->id, sizeof joint->id);
    else
      refuse_value(
          p, lua_type(L, index) == LUA_TFUNCTION ? "a function" : "neither data nor a body nor a joint");
  }
  }
}

int sl_pack_state(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, SL_STATE_SLOT);
  lua_newtable(L);
  lua_pushnil(L);
  packer p = {.L = L, .world = world, .seen = 3, .block = 4, .path = "w.state"};
  pack_value(&p, 2);
  lua_pushlstring(L, p.bytes, p.used);
  return 1;
}

/* ---- unpacking ---- */

typedef struct unpacker {
  lua_State *L;
  const char *at, *end;
  int tables, depth;
  int64_t count;
} unpacker;

static void raise_damaged(unpacker *u) {
  sl_raise(u->L, SCREE_E_FORMAT, "the saved state of the script is damaged");
}

static void read_bytes(unpacker *u, void *out, size_t size) {
  if ((size_t)(u->end - u->at) < size) raise_damaged(u);
  memcpy(out, u->at, size);
  u->at += size;
}

static bool unpack_value(unpacker *u);

static void unpack_table(unpacker *u) {
  lua_State *L = u->L;
  if (++u->depth > DEPTH) raise_damaged(u);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawseti(L, u->tables, ++u->count);
  while (unpack_value(u)) {
    if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) != lua_tonumber(L, -1)) raise_damaged(u);
    if (!unpack_value(u)) raise_damaged(u);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
  u->depth--;
}

/* Unpacks and pushes the next value. Returns false for nil. */
static bool unpack_value(unpacker *u) {
  lua_State *L = u->L;
  char letter;
  int64_t whole;
  double real;
  size_t size;
  luaL_checkstack(L, 8, "reading w.state");
  read_bytes(u, &letter, 1);
  switch (letter) {
  case 'n': return lua_pushnil(L), false;
  case 't':
  case 'f': return lua_pushboolean(L, letter == 't'), true;
  case 'i': return read_bytes(u, &whole, sizeof whole), lua_pushinteger(L, whole), true;
  case 'd': return read_bytes(u, &real, sizeof real), lua_pushnumber(L, real), true;
  case 'j': return read_bytes(u, &whole, sizeof whole), sl_push_joint(L, 1, (scree_joint)whole), true;
  case 'b': return read_bytes(u, &whole, sizeof whole), sl_push_body(L, 1, (scree_id)whole), true;
  case 'T': return unpack_table(u), true;
  case 's':
    read_bytes(u, &size, sizeof size);
    if ((size_t)(u->end - u->at) < size) raise_damaged(u);
    lua_pushlstring(L, u->at, size);
    u->at += size;
    return true;
  case 'r':
    read_bytes(u, &whole, sizeof whole);
    if (whole < 0 || whole >= u->count) raise_damaged(u);
    return lua_rawgeti(L, u->tables, whole + 1), true;
  default: return raise_damaged(u), false;
  }
}

/* The pointer to the bytes is not checked, because a script cannot call this function. */
int sl_unpack_state(lua_State *L) {
  sl_check_world(L, 1);
  const char *bytes = lua_touserdata(L, 2);
  size_t size = (size_t)lua_tointeger(L, 3);
  lua_settop(L, 2);
  lua_newtable(L);
  unpacker u = {L, bytes, bytes + size, 3, 0, 0};
  if (!unpack_value(&u) || !lua_istable(L, -1) || u.at != u.end) raise_damaged(&u);
  lua_setiuservalue(L, 1, SL_STATE_SLOT);
  return 0;
}

/* ---- functions for runs ---- */

sl_trouble sl_scene_pack_state(sl_scene *scene, const char **bytes, size_t *size) {
  lua_State *L = scene->runtime->L;
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.pack_state");
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  sl_trouble trouble = sl_call(scene->runtime, 1, 1);
  if (!trouble) *bytes = lua_tolstring(L, -1, size);
  return trouble;
}

sl_trouble sl_scene_unpack_state(sl_scene *scene, const char *bytes, size_t size) {
  lua_State *L = scene->runtime->L;
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.unpack_state");
  lua_rawgeti(L, LUA_REGISTRYINDEX, scene->world_ref);
  lua_pushlightuserdata(L, (void *)bytes);
  lua_pushinteger(L, (lua_Integer)size);
  return sl_call(scene->runtime, 3, 0);
}
