/* Pushes plain values, and userdata that own memory. */
#include "bind/push.h"

#include <string.h>

void sl_push_vector(lua_State *L, const double *value, int64_t count) {
  lua_createtable(L, count < INT32_MAX ? (int)count : 0, 0);
  for (int64_t i = 0; i < count; i++) {
    lua_pushnumber(L, value[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

int sl_push_numbers(lua_State *L, const double *value, int count) {
  for (int i = 0; i < count; i++) lua_pushnumber(L, value[i]);
  return count;
}

void sl_set_number(lua_State *L, const char *name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

void sl_set_integer(lua_State *L, const char *name, int64_t value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

void sl_set_integers(lua_State *L, const char *name, const int64_t *value, int count) {
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) lua_pushinteger(L, value[k]), lua_rawseti(L, -2, k + 1);
  lua_setfield(L, -2, name);
}

void sl_set_string(lua_State *L, const char *name, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, name);
}

void sl_set_boolean(lua_State *L, const char *name, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, name);
}

void sl_set_function(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

int sl_push_matrix(lua_State *L, const double value[9]) {
  lua_createtable(L, 3, 0);
  for (int k = 0; k < 3; k++) {
    sl_push_vector(L, value + 3 * k, 3);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

void sl_set_vector(lua_State *L, const char *name, const double *value, int64_t count) {
  sl_push_vector(L, value, count);
  lua_setfield(L, -2, name);
}

void *sl_push_owner(lua_State *L, size_t size, lua_CFunction gc) {
  void *owner = memset(lua_newuserdatauv(L, size, 0), 0, size);
  lua_createtable(L, 0, 1);
  sl_set_function(L, "__gc", gc);
  lua_setmetatable(L, -2);
  return owner;
}
