/* Packed values of scree/session.h: from the Lua stack to bytes and back. */
#ifndef SL_VALUES_H
#define SL_VALUES_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Growing bytes on the heap. The owner frees `bytes`. */
typedef struct sl_bytes {
  unsigned char *bytes;
  size_t used, capacity;
} sl_bytes;

/* Packed values that are read from the front. */
typedef struct sl_packed {
  const unsigned char *at, *end;
} sl_packed;

/* Callbacks for the values that are objects or functions of the host. All three may raise errors. */
typedef struct sl_exchange {
  void *context;
  /* Returns the number under which the session holds the object at a stack index. */
  lua_Integer (*hold_object)(void *context, lua_State *L, int index);
  void (*push_object)(void *context, lua_State *L, lua_Integer number);
  void (*push_function)(void *context, lua_State *L, lua_Integer number);
} sl_exchange;

/* Appends the value at a stack index. Raises an error if a table is nested too deeply. */
void sl_pack_value(lua_State *L, const sl_exchange *exchange, sl_bytes *out, int index);
/* Reads one value and pushes it. Raises an error if the bytes are damaged. */
void sl_unpack_value(lua_State *L, const sl_exchange *exchange, sl_packed *in);
/* Reads and pushes all values that are left. Returns their number. */
int sl_unpack_values(lua_State *L, const sl_exchange *exchange, sl_packed *in);

#endif
