/* Reading tables and values according to parameter tables. */
#ifndef SL_READ_H
#define SL_READ_H

#include <lua.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include "scree/scree.h"

/* Rows of parameter tables for values that the binding reads by separate code: tables, functions, anything
 * but a number or a word. SL_VALUE: optional; SL_NEEDED: required. */
#define SL_VALUE(name, ...) SCREE_ROW_VALUE(name, "", __VA_ARGS__)
#define SL_NEEDED(name, ...) SCREE_ROW_NEEDED(name, "", __VA_ARGS__)
/* Other rows of parameter tables (scree/param.h). */
#define SL_REAL SCREE_ROW_REAL
#define SL_POSITIVE SCREE_ROW_POSITIVE
#define SL_INTEGER SCREE_ROW_INTEGER
#define SL_CHOICE SCREE_ROW_CHOICE
#define SL_VEC3 SCREE_ROW_VEC3
#define SL_QUAT SCREE_ROW_QUAT
#define SL_BOOLEAN SCREE_ROW_BOOLEAN
#define SL_STRING SCREE_ROW_STRING
/* Number of rows of a parameter table that is an array. */
#define SL_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
/* A struct of settings, `def`, and the parameter table that describes its members. Sections of one call must
 * not share a key. */
typedef struct sl_section {
  const scree_param *params;
  int count;
  void *def;
  int unit; /* index of the only allowed unit in a list such as "N m, N", from 1; 0: all are allowed */
} sl_section;
/* Fills the def structs from the table at index; members without a key in the table do not change. path:
 * name of the table in messages, such as "world". Every key must occur in one of the sections, except the
 * list entries t[1]..t[items]. Keys of the type SCREE_OPAQUE are allowed but not read. Raises an error for
 * unknown keys (with the nearest known key), wrong types, values out of bounds and missing required keys. */
void sl_read(lua_State *L, int index, const char *path, const sl_section *sections, int count, int items);
/* sl_read with one section. */
#define SL_READ(L, index, path, table, def) \
  sl_read((L), (index), (path), &(sl_section){(table), SL_COUNT(table), (def)}, 1, 0)
/* Initialiser of an sl_section for a parameter table of the engine, for example scree_glue_params. */
#define SL_TABLE(table, def) \
  { (table), table##_count, (def) }
/* Calls sl_read for one parameter table of the engine. */
#define SL_READ_TABLE(L, index, path, table, def) \
  sl_read((L), (index), (path), &(sl_section)SL_TABLE(table, def), 1, 0)
/* Raises an error unless the value at index is a table. */
void sl_check_table(lua_State *L, int index, const char *path);
/* Reads the value at index into the member of `def` that `param` describes. */
void sl_read_value(lua_State *L, int index, const char *path, const scree_param *param, void *def);
/* Returns the number at index [unit]. A text may have a unit of the same dimension, such as "5 mm". If
 * unit is NULL, only numbers are allowed. Several allowed units are separated by commas, "rad/s, m/s". */
double sl_read_number(lua_State *L, int index, const char *path, const char *unit);
/* Returns the layers under a key, a number 1..32 or a list of them. Bit n - 1 of the result stands for layer
 * n. Returns `otherwise` without the key. */
uint32_t sl_read_layers(lua_State *L, int index, const char *path, const char *key, uint32_t otherwise);
/* Reads a list of three numbers [unit] at index, each like sl_read_number. unbounded: allows infinite
 * values. */
void sl_read_vec3(lua_State *L, int index, const char *path, const char *unit, bool unbounded, double out[3]);
/* Raises an error if the table at index has a key of the section that the reader (for example, the type of a
 * joint) does not use. */
void sl_refuse_unread(
    lua_State *L, int index, const char *path, const sl_section *section, const scree_param_reader *reader);
/* Returns whether the table at an absolute index has the key. */
static inline bool sl_has_key(lua_State *L, int index, const char *key) {
  lua_pushstring(L, key);
  bool given = lua_rawget(L, index) != LUA_TNIL;
  lua_pop(L, 1);
  return given;
}
/* Returns the index of the material that the key `material` of the table at index names; 0, the default
 * material, without the key. */
int sl_read_material(lua_State *L, int index, const char *path, const scree_world *world);
/* Reads a vector argument of a method, three numbers or one list, from index on. Returns the number of stack
 * slots used. */
int sl_vec3_argument(lua_State *L, int index, const char *what, double out[3]);
/* Reads the region that the table at index describes (docs/scenes.md). */
void sl_read_region(lua_State *L, int index, const char *path, scree_region *out);

/* Returns the distribution of sizes that the table at index describes. Pushes the userdata that owns it. */
const scree_sizes *sl_read_sizes(lua_State *L, int index, const char *path);

/* Returns the geometry of a hull or mesh from the keys of the table at index. The table keeps the geometry
 * alive. */
const scree_geometry *sl_read_geometry(lua_State *L, int index, const char *path, int type);
enum { SL_SCALING = 96 };
/* Writes how a geometry was scaled, such as "unit = \"mm\" and place scale it by 1". Returns false, with an
 * empty text, if nothing scales it. */
bool sl_find_scaling(lua_State *L, const scree_geometry *geometry, char text[SL_SCALING]);

/* A parameter table for the list of the API (scree.api): the keys of w:NAME{...}, or of the table NAME of a
 * scene. Lists of sl_params end with a NULL name. */
typedef struct sl_params {
  const char *name;
  const scree_param *params;
  int count;
  const int *count_at; /* if not NULL: address of the number of rows, used instead of count */
} sl_params;
/* Initialisers of an sl_params: SL_ARRAY_ROWS for a parameter table that is an array, SL_TABLE_ROWS for one
 * of the engine. */
#define SL_ARRAY_ROWS(name, table) \
  { (name), (table), SL_COUNT(table), NULL }
#define SL_TABLE_ROWS(name, table) \
  { (name), (table), 0, &table##_count }

/* Lua function scree.check_keys (tables/keys.c). */
int sl_check_keys(lua_State *L);
/* Lua function scree.check_type (tables/keys.c). */
int sl_check_type(lua_State *L);
/* Lua function scree.quantity (tables/keys.c). */
int sl_read_quantity(lua_State *L);

#endif
