/* Pushing values, and setting fields of tables. */
#ifndef SL_PUSH_H
#define SL_PUSH_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>
#include "scree/scree.h"

/* Pushes a list of numbers. */
void sl_push_vector(lua_State *L, const double *value, int64_t count);
/* Pushes a list of three rows and returns 1. */
int sl_push_matrix(lua_State *L, const double value[9]);
/* Pushes `count` numbers as separate values and returns count. */
int sl_push_numbers(lua_State *L, const double *value, int count);
/* Pushes a zeroed userdata of `size` bytes and returns it. Lua calls gc to release what it owns, also
 * after an error. */
void *sl_push_owner(lua_State *L, size_t size, lua_CFunction gc);
/* Sets a field of the table on top of the stack to a number. */
void sl_set_number(lua_State *L, const char *name, double value);
/* Sets a field of the table on top of the stack to an integer. */
void sl_set_integer(lua_State *L, const char *name, int64_t value);
/* Sets a field of the table on top of the stack to a list of integers. */
void sl_set_integers(lua_State *L, const char *name, const int64_t *value, int count);
/* Sets a field of the table on top of the stack to a string. */
void sl_set_string(lua_State *L, const char *name, const char *value);
/* Sets a field of the table on top of the stack to a boolean. */
void sl_set_boolean(lua_State *L, const char *name, bool value);
/* Sets a field of the table on top of the stack to a function without upvalues. */
void sl_set_function(lua_State *L, const char *name, lua_CFunction function);
/* Sets a field of the table on top of the stack to the handle of a body of the world at stack index 1. */
void sl_set_body(lua_State *L, const char *name, scree_id id);
/* Sets a field of the table on top of the stack to a list of numbers. */
void sl_set_vector(lua_State *L, const char *name, const double *value, int64_t count);

#endif
