/* scree.read_table{file = ...}: the columns of a table of text. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"
#include "bind/tables/units.h"
#include "scree/table.h"

#include <string.h>

typedef struct options {
  const char *file, *separator;
} options;

static const scree_param file_params[] = {
    {"file", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, offsetof(options, file), NULL,
        "table of text; gzip is unpacked"},
    SL_STRING("separator", offsetof(options, separator),
        "\",\", \";\", \"|\", \"\\t\" or \" \"; by content without it"),
};

typedef struct holder {
  scree_table *table;
} holder;

static int release_table(lua_State *L) {
  holder *h = lua_touserdata(L, 1);
  scree_table_destroy(h->table);
  h->table = NULL;
  return 0;
}

/* A scree_grains_unit that accepts units of any dimension, and gal (1 cm/s2). */
static int is_any_unit(void *context, const char *text, const char *si, double *factor) {
  sl_unit unit;
  (void)context, (void)si;
  *factor = 1;
  return (*text && sl_unit_read(text, &unit)) || !strcmp(text, "gal") || !strcmp(text, "Gal");
}

static void push_columns(lua_State *L, const scree_table *table) {
  const int columns = scree_table_columns(table);
  const int64_t rows = scree_table_rows(table);
  lua_createtable(L, 0, 5);
  sl_set_integer(L, "rows", rows);
  lua_createtable(L, columns, 0), lua_createtable(L, columns, 0), lua_createtable(L, columns, 0);
  for (int c = 0; c < columns; c++) {
    lua_pushstring(L, scree_table_name(table, c)), lua_rawseti(L, -4, c + 1);
    lua_pushstring(L, scree_table_unit(table, c)), lua_rawseti(L, -3, c + 1);
    sl_push_vector(L, scree_table_values(table, c), rows), lua_rawseti(L, -2, c + 1);
  }
  lua_setfield(L, -4, "columns"), lua_setfield(L, -3, "units"), lua_setfield(L, -2, "names");
  lua_createtable(L, (int)rows, 0);
  for (int64_t row = 0; row < rows; row++)
    lua_pushinteger(L, scree_table_line(table, row)), lua_rawseti(L, -2, row + 1);
  lua_setfield(L, -2, "lines");
}

static int module_read_table(lua_State *L) {
  options o = {NULL};
  char path[SL_PATH];
  scree_error error = {SCREE_OK, ""};
  lua_settop(L, 1);
  lua_pushnil(L), lua_insert(L, 1); /* the table lies at index 2, as in methods of the world */
  SL_READ(L, 2, "read_table", file_params, &o);
  sl_find_file(L, "read_table", o.file, path);
  sl_make_room(L);
  holder *h = sl_push_owner(L, sizeof *h, release_table);
  h->table = scree_table_read(path, o.separator, is_any_unit, &error);
  if (!h->table) sl_raise_error(L, &error);
  push_columns(L, h->table);
  return 1;
}

const luaL_Reg sl_text_table_functions[] = {{"read_table", module_read_table}, {NULL, NULL}};
const sl_params sl_text_table_params[] = {SL_ARRAY_ROWS("read_table", file_params), {NULL}};
