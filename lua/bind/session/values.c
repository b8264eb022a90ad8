/* Packed values: letters and bytes as scree/session.h lists them. */
#include "bind/session/values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bind/errors.h"

enum { DEPTH_MAX = 64 };

/* ---- packing ---- */

static void append_packed(lua_State *L, sl_bytes *out, const void *bytes, size_t size) {
  if (out->capacity - out->used < size) {
    const size_t capacity = 2 * out->capacity + size + 256;
    unsigned char *grown = realloc(out->bytes, capacity);
    if (!grown) sl_raise(L, SCREE_E_MEMORY, "no memory for %zu bytes of values", capacity);
    out->bytes = grown;
    out->capacity = capacity;
  }
  if (size) memcpy(out->bytes + out->used, bytes, size);
  out->used += size;
}

static void append_letter(lua_State *L, sl_bytes *out, char letter) { append_packed(L, out, &letter, 1); }

static void append_integer(lua_State *L, sl_bytes *out, char letter, int64_t value) {
  append_letter(L, out, letter);
  append_packed(L, out, &value, sizeof value);
}

static void append_text(lua_State *L, sl_bytes *out, const char *text, size_t size) {
  append_integer(L, out, 's', (int64_t)size);
  append_packed(L, out, text, size);
}

/* Returns the length of a table that is a list of floats and nothing else, 0 for any other table. */
static lua_Unsigned count_numbers(lua_State *L, int index) {
  const lua_Unsigned count = lua_rawlen(L, index);
  lua_Unsigned entries = 0;
  if (!count || lua_rawgeti(L, index, 1) != LUA_TNUMBER) return lua_settop(L, lua_gettop(L) - !!count), 0;
  lua_pop(L, 1);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1), entries++)
    if (!lua_isinteger(L, -2) || lua_type(L, -1) != LUA_TNUMBER || lua_isinteger(L, -1))
      return lua_pop(L, 2), 0;
  return entries == count ? count : 0;
}

static void pack_any(lua_State *L, const sl_exchange *exchange, sl_bytes *out, int index, int depth);

static void append_table(lua_State *L, const sl_exchange *exchange, sl_bytes *out, int index, int depth) {
  const lua_Unsigned numbers = count_numbers(L, index);
  if (numbers) {
    append_integer(L, out, 'v', (int64_t)numbers);
    for (lua_Unsigned i = 1; i <= numbers; i++) {
      lua_rawgeti(L, index, (lua_Integer)i);
      const double value = lua_tonumber(L, -1);
      append_packed(L, out, &value, sizeof value);
      lua_pop(L, 1);
    }
    return;
  }
  append_letter(L, out, 'T');
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    pack_any(L, exchange, out, lua_gettop(L) - 1, depth + 1);
    pack_any(L, exchange, out, lua_gettop(L), depth + 1);
  }
  append_letter(L, out, 'n');
}

/* Appends an object with the name of its type, "" without one. */
static void pack_object(lua_State *L, const sl_exchange *exchange, sl_bytes *out, int index) {
  size_t size = 0;
  append_integer(L, out, 'o', exchange->hold_object(exchange->context, L, index));
  const int named = luaL_getmetafield(L, index, "__name");
  const char *name = named == LUA_TSTRING ? lua_tolstring(L, -1, &size) : "";
  append_text(L, out, name, size);
  if (named != LUA_TNIL) lua_pop(L, 1);
}

static void append_number(lua_State *L, sl_bytes *out, int index) {
  if (lua_isinteger(L, index)) return append_integer(L, out, 'i', lua_tointeger(L, index));
  const double value = lua_tonumber(L, index);
  append_letter(L, out, 'd');
  append_packed(L, out, &value, sizeof value);
}

static void pack_any(lua_State *L, const sl_exchange *exchange, sl_bytes *out, int index, int depth) {
  size_t size;
  const char *text;
  luaL_checkstack(L, 8, "packing values");
  if (depth > DEPTH_MAX) sl_refuse(L, "a table is nested more than %d deep, or holds itself", DEPTH_MAX);
  switch (lua_type(L, index)) {
  case LUA_TNIL: append_letter(L, out, 'n'); return;
  case LUA_TBOOLEAN: append_letter(L, out, lua_toboolean(L, index) ? 't' : 'f'); return;
  case LUA_TNUMBER: append_number(L, out, index); return;
  case LUA_TSTRING:
    text = lua_tolstring(L, index, &size);
    append_text(L, out, text, size);
    return;
  case LUA_TTABLE:
    if (!lua_getmetatable(L, index)) return append_table(L, exchange, out, index, depth);
    lua_pop(L, 1);
    break;
  default: break;
  }
  pack_object(L, exchange, out, index);
}

void sl_pack_value(lua_State *L, const sl_exchange *exchange, sl_bytes *out, int index) {
  pack_any(L, exchange, out, lua_absindex(L, index), 0);
}

/* ---- unpacking ---- */

static void take_bytes(lua_State *L, sl_packed *in, void *out, size_t size) {
  if ((size_t)(in->end - in->at) < size) sl_raise(L, SCREE_E_FORMAT, "packed values end too early");
  memcpy(out, in->at, size);
  in->at += size;
}

static int64_t read_integer(lua_State *L, sl_packed *in) {
  int64_t value;
  take_bytes(L, in, &value, sizeof value);
  return value;
}

/* Reads a count of items of `size` bytes each, which must still follow. */
static size_t read_count(lua_State *L, sl_packed *in, size_t size) {
  const int64_t count = read_integer(L, in);
  if (count < 0 || (uint64_t)count > (size_t)(in->end - in->at) / size)
    sl_raise(L, SCREE_E_FORMAT, "packed values end too early");
  return (size_t)count;
}

static void unpack_any(lua_State *L, const sl_exchange *exchange, sl_packed *in, int depth);

static void unpack_numbers(lua_State *L, sl_packed *in) {
  const size_t count = read_count(L, in, sizeof(double));
  lua_createtable(L, (int)(count < 1 << 24 ? count : 1 << 24), 0);
  for (size_t i = 1; i <= count; i++) {
    double value;
    take_bytes(L, in, &value, sizeof value);
    lua_pushnumber(L, value);
    lua_rawseti(L, -2, (lua_Integer)i);
  }
}

static void push_packed_table(lua_State *L, const sl_exchange *exchange, sl_packed *in, int depth) {
  if (depth >= DEPTH_MAX) sl_refuse(L, "a table is nested more than %d deep", DEPTH_MAX);
  lua_newtable(L);
  for (;;) {
    unpack_any(L, exchange, in, depth + 1);
    if (lua_isnil(L, -1)) return lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) != lua_tonumber(L, -1))
      sl_refuse(L, "a key of a table is NaN");
    unpack_any(L, exchange, in, depth + 1);
    lua_rawset(L, -3);
  }
}

static void unpack_text(lua_State *L, sl_packed *in) {
  const size_t size = read_count(L, in, 1);
  lua_pushlstring(L, (const char *)in->at, size);
  in->at += size;
}

static void unpack_any(lua_State *L, const sl_exchange *exchange, sl_packed *in, int depth) {
  char letter;
  double real;
  int64_t whole;
  luaL_checkstack(L, 8, "reading values");
  take_bytes(L, in, &letter, 1);
  switch (letter) {
  case 'n': lua_pushnil(L); return;
  case 't':
  case 'f': lua_pushboolean(L, letter == 't'); return;
  case 'i': lua_pushinteger(L, read_integer(L, in)); return;
  case 'd':
    take_bytes(L, in, &real, sizeof real);
    lua_pushnumber(L, real);
    return;
  case 's': unpack_text(L, in); return;
  case 'v': unpack_numbers(L, in); return;
  case 'T': push_packed_table(L, exchange, in, depth); return;
  case 'h': exchange->push_function(exchange->context, L, read_integer(L, in)); return;
  case 'o':
    whole = read_integer(L, in);
    take_bytes(L, in, &letter, 1);
    unpack_text(L, in);
    lua_pop(L, 1);
    exchange->push_object(exchange->context, L, whole);
    return;
  default: sl_raise(L, SCREE_E_FORMAT, "packed values have an unknown letter (%d)", letter);
  }
}

void sl_unpack_value(lua_State *L, const sl_exchange *exchange, sl_packed *in) {
  unpack_any(L, exchange, in, 0);
}

int sl_unpack_values(lua_State *L, const sl_exchange *exchange, sl_packed *in) {
  int count = 0;
  for (; in->at < in->end; count++) unpack_any(L, exchange, in, 0);
  return count;
}
