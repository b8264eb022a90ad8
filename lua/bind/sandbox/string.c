/* String functions that search, replace and repeat, with the bounded matcher, and format without
 * addresses. */
#define _GNU_SOURCE
#include "bind/sandbox/inside.h"
#include "bind/object.h"
#include "bind/sandbox/library.h"
#include "bind/sandbox/pattern.h"

#include <string.h>

/* ---- captures ---- */

/* Pushes capture i (from 0), or the whole match if the pattern has no captures and i is 0. */
static void push_capture(lua_State *L, const sl_match *match, int i, const char *subject) {
  if (i >= match->captures) {
    if (i) luaL_error(L, "invalid capture index %%%d", i + 1);
    lua_pushlstring(L, match->from, (size_t)(match->to - match->from));
  } else if (match->capture[i].end) {
    lua_pushlstring(L, match->capture[i].start, (size_t)(match->capture[i].end - match->capture[i].start));
  } else {
    lua_pushinteger(L, match->capture[i].start - subject + 1);
  }
}

/* Pushes all captures and returns their number. whole: pushes the whole match if there are no captures. */
static int push_captures(lua_State *L, const sl_match *match, const char *subject, bool whole) {
  int count = match->captures || !whole ? match->captures : 1;
  luaL_checkstack(L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(L, match, i, subject);
  return count;
}

/* ---- find and match ---- */

/* Returns the offset of the start position at index, which counts from 1, or from the end if it is
 * negative. The offset may lie beyond the subject. */
static size_t start_position(lua_State *L, int index, size_t size) {
  lua_Integer start = luaL_optinteger(L, index, 1);
  if (start > 0) return (size_t)start - 1;
  if (start == 0 || start < -(lua_Integer)size) return 0;
  return size - (size_t)-start;
}

static int find_plain(
    lua_State *L, const char *subject, size_t size, size_t start, const char *wanted, size_t length) {
  const char *at = memmem(subject + start, size - start, wanted, length);
  if (!at) return lua_pushnil(L), 1;
  lua_pushinteger(L, at - subject + 1);
  lua_pushinteger(L, at - subject + (lua_Integer)length);
  return 2;
}

/* Returns whether a pattern has no special characters. */
static bool is_plain(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] && strchr("^$*+?.([%-", text[i])) return false;
  return true;
}

static int search_pattern(lua_State *L, bool find) {
  size_t size, length;
  const char *subject = luaL_checklstring(L, 1, &size), *text = luaL_checklstring(L, 2, &length);
  size_t start = start_position(L, 3, size);
  if (start > size) return lua_pushnil(L), 1;
  if (find && (lua_toboolean(L, 4) || is_plain(text, length)))
    return find_plain(L, subject, size, start, text, length);
  sl_pattern *pattern = sl_pattern_compile(L, text, length, 1);
  sl_match match;
  for (const char *at = subject + start; at <= subject + size; at++) {
    if (sl_pattern_match(L, pattern, subject, subject + size, at, &match)) {
      if (!find) return push_captures(L, &match, subject, true);
      lua_pushinteger(L, match.from - subject + 1);
      lua_pushinteger(L, match.to - subject);
      return 2 + push_captures(L, &match, subject, false);
    }
    if (sl_pattern_anchored(pattern)) break;
  }
  return lua_pushnil(L), 1;
}

static int string_find(lua_State *L) { return search_pattern(L, true); }
static int string_match(lua_State *L) { return search_pattern(L, false); }

/* ---- gmatch ---- */

/* Iterator of gmatch. Upvalues: subject, pattern, offset to continue from, end of the last match (-1:
 * none). */
static int next_match(lua_State *L) {
  size_t size;
  const char *subject = lua_tolstring(L, lua_upvalueindex(1), &size);
  const sl_pattern *pattern = lua_touserdata(L, lua_upvalueindex(2));
  lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
  sl_match match;
  for (size_t at = (size_t)lua_tointeger(L, lua_upvalueindex(3)); at <= size; at++) {
    if (!sl_pattern_match(L, pattern, subject, subject + size, subject + at, &match) ||
        match.to - subject == last)
      continue;
    lua_pushinteger(L, match.to - subject);
    lua_pushvalue(L, -1);
    lua_replace(L, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return push_captures(L, &match, subject, true);
  }
  lua_pushinteger(L, (lua_Integer)size + 1);
  lua_replace(L, lua_upvalueindex(3));
  return 0;
}

static int string_gmatch(lua_State *L) {
  size_t size, length;
  luaL_checklstring(L, 1, &size);
  const char *text = luaL_checklstring(L, 2, &length);
  size_t start = start_position(L, 3, size);
  lua_settop(L, 2);
  lua_pushvalue(L, 1);
  sl_pattern_compile(L, text, length, 0);
  lua_pushinteger(L, (lua_Integer)(start > size ? size + 1 : start));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

/* ---- gsub ---- */

/* Appends the replacement string at stack index 3, in which %0 to %9 are captures and %% is a percent
 * sign. */
static void add_string(lua_State *L, luaL_Buffer *out, const sl_match *match, const char *subject) {
  size_t length;
  const char *text = lua_tolstring(L, 3, &length), *end = text + length;
  while (text < end) {
    const char *percent = memchr(text, '%', (size_t)(end - text));
    luaL_addlstring(out, text, (size_t)((percent ? percent : end) - text));
    if (!percent) return;
    char letter = percent + 1 < end ? percent[1] : 0;
    if (letter == '%') {
      luaL_addchar(out, '%');
    } else if (letter == '0') {
      luaL_addlstring(out, match->from, (size_t)(match->to - match->from));
    } else if (letter >= '1' && letter <= '9') {
      push_capture(L, match, letter - '1', subject);
      luaL_tolstring(L, -1, NULL);
      lua_remove(L, -2);
      luaL_addvalue(out);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
    text = percent + 2;
  }
}

static void add_replacement(
    lua_State *L, luaL_Buffer *out, const sl_match *match, const char *subject, int type) {
  if (type == LUA_TSTRING || type == LUA_TNUMBER) return add_string(L, out, match, subject);
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, push_captures(L, match, subject, true), 1);
  } else {
    push_capture(L, match, 0, subject);
    lua_gettable(L, 3);
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(out, match->from, (size_t)(match->to - match->from));
  } else if (lua_isstring(L, -1)) {
    luaL_addvalue(out);
  } else {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  }
}

static int string_gsub(lua_State *L) {
  size_t size, length;
  const char *subject = luaL_checklstring(L, 1, &size), *text = luaL_checklstring(L, 2, &length),
             *at = subject, *end = subject + size, *last = NULL;
  int type = lua_type(L, 3);
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)size + 1), count = 0;
  luaL_argexpected(L,
      type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
      "string/function/table");
  if (type == LUA_TNUMBER) lua_tolstring(L, 3, NULL);
  lua_settop(L, 4);
  sl_pattern *pattern = sl_pattern_compile(L, text, length, 1);
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  while (count < most) {
    sl_match match;
    if (sl_pattern_match(L, pattern, subject, end, at, &match) && match.to != last) {
      count++;
      add_replacement(L, &out, &match, subject, type);
      at = last = match.to;
    } else if (at < end) {
      luaL_addchar(&out, *at++);
    } else {
      break;
    }
    if (sl_pattern_anchored(pattern)) break;
  }
  luaL_addlstring(&out, at, (size_t)(end - at));
  luaL_pushresult(&out);
  lua_pushinteger(L, count);
  return 2;
}

/* ---- rep ---- */

/* rep(text, count, separator). The text is doubled until it is long enough, so that the cost is that of
 * copying. */
static int string_rep(lua_State *L) {
  size_t size, gap;
  const char *text = luaL_checklstring(L, 1, &size), *separator = luaL_optlstring(L, 3, "", &gap);
  lua_Integer count = luaL_checkinteger(L, 2);
  if (count <= 0 || size + gap == 0) return lua_pushliteral(L, ""), 1;
  if (size + gap < size || size + gap > (size_t)PTRDIFF_MAX / (size_t)count)
    return luaL_error(L, "resulting string too large");
  size_t unit = size + gap, total = unit * (size_t)count - gap, done = unit;
  luaL_Buffer out;
  char *at = luaL_buffinitsize(L, &out, total + gap);
  memcpy(at, text, size);
  memcpy(at + size, separator, gap);
  for (; done < total; done *= 2) {
    sl_guard_poll(L);
    memcpy(at + done, at, done < total - done ? done : total - done);
  }
  luaL_pushresultsize(&out, total);
  return 1;
}

/* ---- format ---- */

/* Calls Lua's format, upvalue 1, after two checks: %p is an error, and %s must not print the address of a
 * table. */
static int string_format(lua_State *L) {
  const char *format = luaL_checkstring(L, 1);
  for (const char *at = format; (at = strchr(at, '%')); at++) {
    at += 1 + strspn(at + 1, "-+ #0123456789.");
    if (*at == 'p') return luaL_error(L, "format: %%p is not available: addresses differ from run to run");
    if (!*at) break;
  }
  int count = lua_gettop(L);
  for (int i = 2; i <= count; i++) {
    int type = lua_type(L, i);
    if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TUSERDATA && type != LUA_TTHREAD) continue;
    sl_tostring(L, i);
    lua_replace(L, i);
    lua_settop(L, count);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, 1);
  return 1;
}

/* sandbox.c registers this function with Lua's format as its upvalue. */
const lua_CFunction sl_string_format = string_format;
const luaL_Reg sl_string_functions[] = {{"find", string_find}, {"match", string_match},
    {"gmatch", string_gmatch}, {"gsub", string_gsub}, {"rep", string_rep}, {NULL, NULL}};
