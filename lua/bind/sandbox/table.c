/* Functions of the table library whose loops run inside C. Each loop polls the script's budget. */
#include "bind/sandbox/inside.h"
#include "bind/object.h"
#include "bind/sandbox/library.h"

#include <limits.h>

/* table.concat(list [, sep [, i [, j]]]) */
static int table_concat(lua_State *L) {
  size_t size;
  luaL_checktype(L, 1, LUA_TTABLE);
  const char *separator = luaL_optlstring(L, 2, "", &size);
  lua_Integer i = luaL_optinteger(L, 3, 1), last = luaL_opt(L, luaL_checkinteger, 4, luaL_len(L, 1));
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (; i <= last; i++) {
    sl_guard_poll(L);
    int type = lua_geti(L, 1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    luaL_addvalue(&text);
    if (i == last) break;
    luaL_addlstring(&text, separator, size);
  }
  luaL_pushresult(&text);
  return 1;
}

/* table.insert(list, [place,] value) */
static int table_insert(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer end = (lua_Integer)((lua_Unsigned)luaL_len(L, 1) + 1), place = end;
  int arguments = lua_gettop(L);
  if (arguments != 2 && arguments != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  if (arguments == 3) {
    place = luaL_checkinteger(L, 2);
    luaL_argcheck(L, place >= 1 && place <= end, 2, "position out of bounds");
  }
  for (lua_Integer i = end; i > place; i--) {
    sl_guard_poll(L);
    lua_geti(L, 1, i - 1);
    lua_seti(L, 1, i);
  }
  lua_seti(L, 1, place);
  return 0;
}

/* table.remove(list [, place]) */
static int table_remove(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer size = luaL_len(L, 1), place = luaL_optinteger(L, 2, size);
  if (!lua_isnoneornil(L, 2))
    luaL_argcheck(
        L, (place >= 1 && place <= size + 1) || (size == 0 && place == 0), 2, "position out of bounds");
  lua_geti(L, 1, place);
  for (; place < size; place++) {
    sl_guard_poll(L);
    lua_geti(L, 1, place + 1);
    lua_seti(L, 1, place);
  }
  if (place <= size || !lua_isnoneornil(L, 2)) {
    lua_pushnil(L);
    lua_seti(L, 1, place);
  }
  return 1;
}

/* table.move(from, first, last, place [, to]) */
static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3),
              place = luaL_checkinteger(L, 4);
  int to = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, to, LUA_TTABLE);
  lua_settop(L, 5);
  if (last < first) return lua_pushvalue(L, to), 1;
  luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
  lua_Integer count = last - first + 1;
  luaL_argcheck(L, place <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
  // overlapping ranges within one table are copied backwards
  bool backward = to == 1 && place > first && place <= last;
  for (lua_Integer k = 0; k < count; k++) {
    lua_Integer i = backward ? count - 1 - k : k;
    sl_guard_poll(L);
    lua_geti(L, 1, first + i);
    lua_seti(L, to, place + i);
  }
  return lua_pushvalue(L, to), 1;
}

/* ---- sort: merge sort from the bottom up; equal elements keep their order ---- */

/* Stack indices of the two working lists; 1 is the table, 2 the order function or nil. */
enum { ITEMS = 3, SPARE = 4 };

/* Returns whether the value at the top of the stack comes before the value below it. */
static bool comes_first(lua_State *L) {
  sl_guard_poll(L);
  if (lua_isnil(L, 2)) return lua_compare(L, -1, -2, LUA_OPLT);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -4);
  lua_call(L, 2, 1);
  bool first = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return first;
}

/* Merges the sorted ranges [low, middle) and [middle, high) of `from` into `to`. */
static void merge_runs(
    lua_State *L, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer a = low, b = middle;
  for (lua_Integer k = low; k < high; k++) {
    bool right = a >= middle;
    if (!right && b < high) {
      lua_rawgeti(L, from, a);
      lua_rawgeti(L, from, b);
      right = comes_first(L);
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, right ? b++ : a++);
    lua_rawseti(L, to, k);
  }
}

static int table_sort(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer count = luaL_len(L, 1);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_argcheck(L, count < INT_MAX, 1, "array too big");
  lua_settop(L, 2);
  lua_newtable(L);
  lua_newtable(L);
  for (lua_Integer i = 1; i <= count; i++) {
    sl_guard_poll(L);
    if (lua_geti(L, 1, i) == LUA_TNIL && lua_isnil(L, 2))
      return luaL_error(L, "sort: element %I is nil", (LUAI_UACINT)i);
    lua_rawseti(L, ITEMS, i);
  }
  int from = ITEMS, to = SPARE;
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer low = 1; low <= count; low += 2 * width) {
      lua_Integer middle = low + width <= count + 1 ? low + width : count + 1,
                  high = low + 2 * width <= count + 1 ? low + 2 * width : count + 1;
      merge_runs(L, from, to, low, middle, high);
    }
    int swap = from;
    from = to;
    to = swap;
  }
  for (lua_Integer i = 1; i <= count; i++) {
    sl_guard_poll(L);
    lua_rawgeti(L, from, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

const luaL_Reg sl_table_functions[] = {{"concat", table_concat}, {"insert", table_insert},
    {"remove", table_remove}, {"move", table_move}, {"sort", table_sort}, {NULL, NULL}};
