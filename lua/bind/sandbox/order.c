/* pairs and next in a fixed order: the list part, then numbers ascending, strings by bytes, false before
 * true, handles of bodies by id.
 *
 * In Lua the order of string keys depends on a random seed, so a scene that iterates over a table could
 * differ from run to run. Here pairs sorts the keys at the start and skips entries that are removed during
 * the iteration. Keys without an order (tables, functions) are allowed only if there is a single one. */
#include "bind/sandbox/inside.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/sandbox/library.h"

#include <stdlib.h>
#include <string.h>

enum { RANK_NUMBER, RANK_STRING, RANK_BOOLEAN, RANK_BODY, RANK_NONE };
typedef struct key {
  int rank, whole;
  /* number, boolean or id; for keys without an order their index among the unsorted keys */
  lua_Integer integer;
  double real;
  const char *text;
  size_t size;
  lua_Integer place; /* index in the list of unsorted keys */
} key;

static int compare_numbers(const key *a, const key *b) {
  if (a->whole && b->whole) return (a->integer > b->integer) - (a->integer < b->integer);
  return (a->real > b->real) - (a->real < b->real);
}

static int compare_keys(const void *left, const void *right) {
  const key *a = left, *b = right;
  if (a->rank != b->rank) return a->rank - b->rank;
  if (a->rank == RANK_NUMBER) return compare_numbers(a, b);
  if (a->rank != RANK_STRING) return (a->integer > b->integer) - (a->integer < b->integer);
  size_t common = a->size < b->size ? a->size : b->size;
  int order = memcmp(a->text, b->text, common);
  return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Fills out from the key at the top of the stack. */
static void describe_key(lua_State *L, key *out) {
  memset(out, 0, sizeof *out);
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    out->rank = RANK_NUMBER;
    out->integer = lua_tointegerx(L, -1, &out->whole);
    out->real = lua_tonumber(L, -1);
    break;
  case LUA_TSTRING:
    out->rank = RANK_STRING;
    out->text = lua_tolstring(L, -1, &out->size);
    break;
  case LUA_TBOOLEAN:
    out->rank = RANK_BOOLEAN;
    out->integer = lua_toboolean(L, -1);
    break;
  default:
    out->rank = RANK_NONE;
    if (lua_type(L, -1) != LUA_TUSERDATA || luaL_getmetafield(L, -1, "__name") == LUA_TNIL) break;
    if (!strcmp(lua_tostring(L, -1), "body")) {
      out->rank = RANK_BODY;
      out->integer = (lua_Integer)((sl_body *)lua_touserdata(L, -2))->id;
    }
    lua_pop(L, 1);
  }
}

/* Returns whether the key at the top of the stack is in the list part 1..n, which needs no sorting. */
static bool in_list(lua_State *L, lua_Unsigned n) {
  return lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && (lua_Unsigned)lua_tointeger(L, -1) <= n;
}

static int64_t count_keys(lua_State *L, int table, lua_Unsigned list) {
  int64_t count = 0;
  for (lua_pushnil(L); lua_next(L, table);) {
    lua_pop(L, 1);
    count += !in_list(L, list);
    sl_guard_poll(L);
  }
  return count;
}

/* Pushes a sorted list of the keys outside the list part, or nil if there are none. */
static void push_sorted_keys(lua_State *L, int table, lua_Unsigned list) {
  int64_t count = count_keys(L, table, list), n = 0, loose = 0;
  if (!count) return lua_pushnil(L);
  key *keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys, 0);
  lua_createtable(L, (int)count, 0);
  int unsorted = lua_gettop(L);
  for (lua_pushnil(L); n < count && lua_next(L, table);) {
    lua_pop(L, 1);
    if (in_list(L, list)) continue;
    describe_key(L, keys + n);
    loose += keys[n].rank == RANK_NONE;
    n++;
    keys[n - 1].place = n;
    lua_pushvalue(L, -1);
    lua_rawseti(L, unsorted, n);
  }
  if (loose > 1)
    sl_refuse(L,
        "pairs: more than one key is a table or function; such keys have no order that is the same in every "
        "run");
  lua_settop(L, unsorted);
  sl_guard_poll(L);
  qsort(keys, (size_t)count, sizeof *keys, compare_keys);
  lua_createtable(L, (int)count, 0);
  for (int64_t i = 0; i < count; i++) {
    lua_rawgeti(L, unsorted, keys[i].place);
    lua_rawseti(L, -2, i + 1);
  }
  lua_replace(L, unsorted - 1);
  lua_settop(L, unsorted - 1);
}

int sl_sorted_keys(lua_State *L) {
  lua_Unsigned list = lua_rawlen(L, 1), count = 0;
  lua_settop(L, 1);
  push_sorted_keys(L, 1, list);
  lua_newtable(L);
  for (lua_Unsigned i = 1; i <= list; i++) {
    bool there = lua_rawgeti(L, 1, (lua_Integer)i) != LUA_TNIL;
    lua_pop(L, 1);
    if (!there) continue;
    lua_pushinteger(L, (lua_Integer)i);
    lua_rawseti(L, 3, (lua_Integer)++count);
  }
  for (lua_Integer i = 1; !lua_isnil(L, 2) && lua_rawgeti(L, 2, i) != LUA_TNIL; i++)
    lua_rawseti(L, 3, (lua_Integer)++count);
  lua_settop(L, 3);
  return 1;
}

/* ---- the iterator ---- */

/* Upvalues of the iterator: sorted keys, length of the list part, number of entries so far, last key. */
enum { UP_KEYS = 1, UP_LIST, UP_PLACE, UP_LAST, UPS = UP_LAST };

/* Lua function: returns the next key and value of the table at stack index 1. */
static int iterate_pairs(lua_State *L) {
  lua_Integer list = lua_tointeger(L, lua_upvalueindex(UP_LIST)),
              place = lua_tointeger(L, lua_upvalueindex(UP_PLACE));
  for (;;) {
    lua_settop(L, 1);
    place++;
    if (place <= list) lua_pushinteger(L, place);
    else if (lua_isnil(L, lua_upvalueindex(UP_KEYS)) ||
        lua_rawgeti(L, lua_upvalueindex(UP_KEYS), place - list) == LUA_TNIL)
      break;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) {
      lua_pushinteger(L, place);
      lua_replace(L, lua_upvalueindex(UP_PLACE));
      lua_pushvalue(L, 2);
      lua_replace(L, lua_upvalueindex(UP_LAST));
      return 2;
    }
    sl_guard_poll(L);
  }
  lua_pushnil(L);
  return 1;
}

static void push_iterator(lua_State *L, int table) {
  lua_Unsigned list = lua_rawlen(L, table);
  push_sorted_keys(L, table, list);
  lua_pushinteger(L, (lua_Integer)list);
  lua_pushinteger(L, 0);
  lua_pushnil(L);
  lua_pushcclosure(L, iterate_pairs, UPS);
}

static int finish_pairs(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

static int order_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, finish_pairs);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  push_iterator(L, 1);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

/* ---- next ---- */

/* Returns the first key and its value, without sorting the keys. */
static int first_entry(lua_State *L) {
  key best, now;
  bool any = false;
  if (lua_rawgeti(L, 1, 1) != LUA_TNIL) return lua_pushinteger(L, 1), lua_insert(L, -2), 2;
  lua_settop(L, 1);
  lua_pushnil(L); // the first key in the fixed order, among the keys visited so far
  for (lua_pushnil(L); lua_next(L, 1);) {
    lua_pop(L, 1);
    describe_key(L, &now);
    sl_guard_poll(L);
    if (any && compare_keys(&now, &best) >= 0) continue;
    any = true;
    best = now;
    lua_pushvalue(L, -1);
    lua_replace(L, 2);
  }
  if (!any) return lua_pushnil(L), 1;
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 2;
}

/* Calls the iterator at the top of the stack with the table at index 1. Pushes a key and its value, or nil at
 * the end of the table. Returns the number of pushed values. */
static int call_iterator(lua_State *L) {
  lua_pushvalue(L, 1);
  lua_call(L, 1, 2);
  return lua_isnil(L, -2) ? (lua_pop(L, 1), 1) : 2;
}

/* next(table, key). Iterators are cached by table, so that each call of a loop costs one step. */
static int order_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) return first_entry(L);
  if (!luaL_getsubtable(L, LUA_REGISTRYINDEX, "scree.iterators")) {
    lua_createtable(L, 0, 1);
    sl_set_string(L, "__mode", "k");
    lua_setmetatable(L, 3);
  }
  lua_pushvalue(L, 1);
  if (lua_rawget(L, 3) == LUA_TFUNCTION) {
    lua_getupvalue(L, 4, UP_LAST);
    bool same = lua_rawequal(L, -1, 2);
    lua_pop(L, 1);
    if (same) return call_iterator(L);
  }
  // the key is not the last one: advance a new iterator to it
  lua_settop(L, 3);
  push_iterator(L, 1);
  do {
    lua_settop(L, 4);
    lua_pushvalue(L, 4);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1)) return luaL_error(L, "next: there is no such key in the table");
  } while (!lua_rawequal(L, -1, 2));
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 4);
  lua_rawset(L, 3);
  lua_settop(L, 4);
  return call_iterator(L);
}

const luaL_Reg sl_order_functions[] = {{"pairs", order_pairs}, {"next", order_next}, {NULL, NULL}};
