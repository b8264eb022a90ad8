/* Columns of bodies: w:column{...} is create of the bundled module scree.column. */
#include "bind/bind.h"

static int world_column(lua_State *L) {
  sl_change_world(L, 1);
  return sl_call_create(L, "column");
}

const luaL_Reg sl_column_methods[] = {{"column", world_column}, {NULL, NULL}};
