/* What the binding files share: object types, the table reader, raising errors, pushing values.
 *
 * An object file defines a const luaL_Reg list of functions, named sl_NAME_methods (methods of the world)
 * or sl_NAME_functions (fields of the module table scree.NAME), and has one line in objects/objects.h.
 * Every function of these lists has the metatables of all object types as upvalues, so that a type check
 * is one comparison. */
#ifndef SL_BIND_H
#define SL_BIND_H

#include <lua.h>
#include <lauxlib.h>
#include "bind/sandbox/runtime.h"
#include "scree/scree.h"

/* ---- object types ---- */
/* Object types; the value is the index of the upvalue with the metatable of the type. */
enum {
  SL_WORLD = 1,
  SL_BODY,
  SL_VIEW,
  SL_CONTACTS,
  SL_PROFILE,
  SL_PROBE,
  SL_GEOMETRY,
  SL_TRAJECTORY,
  SL_JOINT,
  SL_CELL,
  SL_STATE,
  SL_TYPES = SL_STATE
};

typedef struct sl_world {
  scree_world *world;
  sl_runtime *runtime;
  bool stepping;        /* the engine is stepping: callbacks of the script must not change the world */
  bool spread;          /* distributed over several ranks: a step may wait for them */
  bool walls_checked;   /* the walls were checked before the first step of a plain script */
  int motions;          /* bodies with a prescribed motion */
  int motions_of_setup; /* the first of them were made by setup of the scene */
  /* smallest and largest diameter of the grains of fills and insertions [m]; 0: no such grains. Element 0:
   * grains that are not hulls; 1: hulls */
  double grain_min[2], grain_max[2];
  const scree_geometry *grain_hull; /* hull of these grains, compared but never read; NULL: none */
  /* true after a warning about grains that a fill or an insertion did not place */
  bool warned_fill, warned_insert;
  bool is_clone; /* callbacks of a scene may step and restore the world */
} sl_world;
/* User values of a world: w.state, laws defined by the script, profiles and other probes, motions of
 * bodies. */
enum { SL_STATE_SLOT = 1, SL_LAWS_SLOT, SL_PROBES_SLOT, SL_MOTIONS_SLOT, SL_WORLD_SLOTS = SL_MOTIONS_SLOT };

/* Userdata of a handle of a body. Its user value keeps the world alive. */
typedef struct sl_body {
  sl_world *world;
  scree_id id;
} sl_body;
/* Userdata of a handle of a joint. */
typedef struct sl_joint {
  sl_world *world;
  scree_joint id;
} sl_joint;

/* Userdata of the handle w:cell(). */
typedef struct sl_cell {
  sl_world *world;
} sl_cell;

/* Returns the name of an object type, such as "world"; "" for 0. */
const char *sl_type_name(int type);
/* Returns the object at index. Raises an error that names the expected type if it is of another type. */
void *sl_check(lua_State *L, int index, int type);
/* Returns the object at index, NULL if the value is not of this type. */
void *sl_test(lua_State *L, int index, int type);
/* Returns the world at index; raises an error for other values. */
#define sl_check_world(L, index) ((sl_world *)sl_check((L), (index), SL_WORLD))
/* Pushes a userdata of a world whose member `world` is NULL. The caller sets the member and adds 1 to
 * runtime->worlds. Raises an error if the script has too many worlds. */
sl_world *sl_push_world(lua_State *L);
/* Returns the world at index. Raises an error if it is not a world, or while it is stepping. */
sl_world *sl_change_world(lua_State *L, int index);
/* Calls create(world, table) of the bundled module scree.`module` with the two arguments of the running
 * method, and returns its number of results. An error whose text begins with the name of the module gets the
 * line of the script that calls the method. */
int sl_call_create(lua_State *L, const char *module);
/* Raises an error if `more` additional bodies would exceed the cap on bodies of an untrusted script. */
void sl_limit_bodies(lua_State *L, const sl_world *world, double more);
/* Returns the body at index. Raises an error unless it belongs to this world. */
const sl_body *sl_check_own_body(lua_State *L, int index, const sl_world *world);
/* Returns the body under a key of the table at stack index 2, 0 without the key. The world lies at stack
 * index 1. Raises an error for a value that is not a body of this world. path: name of the table in
 * messages. */
scree_id sl_read_body(lua_State *L, const char *path, const char *key);
/* Pushes a handle of a body. world_index: stack index of the world's userdata. */
void sl_push_body(lua_State *L, int world_index, scree_id id);
/* Pushes a handle of a joint. world_index: stack index of the world's userdata. */
void sl_push_joint(lua_State *L, int world_index, scree_joint id);
/* Registers functions into the table on top of the stack, with the metatables as upvalues. Only functions
 * that have these upvalues may call it. */
void sl_register(lua_State *L, const luaL_Reg *functions);
/* Registers functions like sl_register. Their CPU time counts as the engine's, not as the script's. */
void sl_register_verbs(lua_State *L, const luaL_Reg *functions);
/* Lua function: pushes the module `scree` and returns 1. */
int sl_open_module(lua_State *L);
/* Raises "a WORLD has no 'name'" for the name at stack index 2, with the nearest name in the table of methods
 * at the stack index `methods`. */
int sl_unknown_member(lua_State *L, const char *object, int methods);
/* Sets the metatable of the userdata on top of the stack to that of a type, an upvalue of the running
 * function. */
void sl_set_type(lua_State *L, int type);

/* ---- errors ---- */
/* Raises the error "FILE:LINE: text" with the innermost line of the script outside the bundled library. Never
 * returns. */
int sl_raise(lua_State *L, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises the error of a wrong argument. */
#define sl_refuse(L, ...) sl_raise((L), SCREE_E_ARGUMENT, __VA_ARGS__)
/* Raises an error of the engine. */
int sl_raise_error(lua_State *L, const scree_error *error);
/* Evaluates the expression `failed`, which passes `&error` to the engine, and raises the error if the
 * value is not 0: a status, or !pointer. */
#define SL_TRY(L, failed) \
  do { \
    scree_error error = {SCREE_OK, ""}; \
    if (failed) sl_raise_error(L, &error); \
  } while (0)
/* Returns "; did you mean 'near'?" or "", valid until the next call. The names are get(context,
 * 0..count-1), as for scree_nearest_name. */
const char *sl_hint(lua_State *L, const char *name, int count, const char *(*get)(const void *context, int i),
    const void *context);
/* Returns the hint of sl_hint for the string keys of the table at stack index `table`. Leaves a value on the
 * stack. */
const char *sl_hint_table(lua_State *L, const char *name, int table);
/* Pushes the names as "a, b, c" and returns the text. */
const char *sl_names(
    lua_State *L, int count, const char *(*get)(const void *context, int i), const void *context);
/* Returns the hint of sl_hint_table; if no name is near, "; known are " and all names. */
const char *sl_hint_or_all(lua_State *L, const char *name, int table);

/* ---- files that a script makes ---- */
enum { SL_PATH = 4096 };
/* Writes the path of a file that a script writes. In the sandbox `name` must be plain and the file lies in
 * the directory of the run; with trust any path is allowed, and relative ones start in that directory if
 * there is one. what: name of the argument in messages. */
void sl_output_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* Writes the path of a file that a script reads. With trust any path is allowed, in the sandbox only a path
 * within the folder of the run. what: name of the function in messages. */
void sl_input_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* Lua function scree.plot (objects/files/plot.c). */
int sl_plot(lua_State *L);
/* Lua function scree.check_keys (tables/keys.c). */
int sl_check_keys(lua_State *L);
/* Lua function scree.quantity (tables/keys.c). */
int sl_read_quantity(lua_State *L);

/* ---- reading tables ---- */
/* Rows of parameter tables for optional and required values that the binding reads separately: tables,
 * functions, anything but a number or a word. */
#define SL_VALUE(name, ...) \
  { name, SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL, __VA_ARGS__ }
#define SL_NEEDED(name, ...) \
  { name, SCREE_OPAQUE, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL, __VA_ARGS__ }
/* Rows of parameter tables without the columns that a type does not use. at: offset of the member. The
 * variable arguments are the doc text and, optionally, the readers of the value. */
#define SL_REAL(name, at, unit, value, min, max, ...) \
  { name, SCREE_REAL, 0, unit, value, min, max, at, NULL, __VA_ARGS__ }
#define SL_POSITIVE(name, at, unit, value, ...) \
  { name, SCREE_REAL, SCREE_POSITIVE, unit, value, 0, 0, at, NULL, __VA_ARGS__ }
/* Row of a real number >= 0 that is infinite by default. */
#define SL_LIMIT(name, at, unit, ...) \
  { name, SCREE_REAL, SCREE_UNBOUNDED, unit, INFINITY, 0, INFINITY, at, NULL, __VA_ARGS__ }
#define SL_INTEGER(name, at, value, min, max, ...) \
  { name, SCREE_INTEGER, 0, "", value, min, max, at, NULL, __VA_ARGS__ }
#define SL_CHOICE(name, at, value, choices, ...) \
  { name, SCREE_CHOICE, 0, "", value, 0, 0, at, choices, __VA_ARGS__ }
#define SL_VEC3(name, at, unit, ...) \
  { name, SCREE_VEC3, 0, unit, 0, 0, 0, at, NULL, __VA_ARGS__ }
#define SL_QUAT(name, at, ...) \
  { name, SCREE_QUAT, 0, "", 0, 0, 0, at, NULL, __VA_ARGS__ }
#define SL_BOOLEAN(name, at, ...) \
  { name, SCREE_BOOLEAN, 0, "", 0, 0, 0, at, NULL, __VA_ARGS__ }
#define SL_STRING(name, at, ...) \
  { name, SCREE_STRING, 0, "", 0, 0, 0, at, NULL, __VA_ARGS__ }
/* Number of rows of a parameter table that is an array. */
#define SL_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
/* A def struct and the parameter table that describes it. Sections of one call must not share a key. */
typedef struct sl_section {
  const scree_param *params;
  int count;
  void *def;
} sl_section;
/* Fills the def structs from the table at index; members without a key in the table do not change. path:
 * name of the table in messages, such as "world". Every key must occur in one of the sections, except the
 * list entries t[1]..t[items]. Keys of the type SCREE_OPAQUE are allowed but not read. Raises an error for
 * unknown keys (with the nearest known key), wrong types, values out of bounds and missing required keys. */
void sl_read(lua_State *L, int index, const char *path, const sl_section *sections, int count, int items);
/* sl_read with one section. */
#define SL_READ(L, index, path, table, def) \
  sl_read((L), (index), (path), &(sl_section){(table), SL_COUNT(table), (def)}, 1, 0)
/* Raises an error unless the value at index is a table. */
void sl_check_table(lua_State *L, int index, const char *path);
/* Reads the value at index as the parameter `param` into its member of def. */
void sl_read_value(lua_State *L, int index, const char *path, const scree_param *param, void *def);
/* Returns the number at index [unit]. A text may have a unit of the same dimension, such as "5 mm". If
 * unit is NULL, only numbers are allowed. Several allowed units are separated by commas, "rad/s, m/s". */
double sl_read_number(lua_State *L, int index, const char *path, const char *unit);
/* Returns the layer under a key, a number 1..32 or a list of them, as bits; `otherwise` without the key. */
uint32_t sl_read_layers(lua_State *L, int index, const char *path, const char *key, uint32_t otherwise);
/* Reads a list of three numbers [unit] at index, each like sl_read_number. unbounded: allows infinite
 * values. */
void sl_read_vec3(lua_State *L, int index, const char *path, const char *unit, bool unbounded, double out[3]);
/* Raises an error if the table at index has a key of the section that the reader does not read. */
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

/* Returns the geometry of a hull or mesh from the keys of the table at index, which keeps it alive. */
const scree_geometry *sl_read_geometry(lua_State *L, int index, const char *path, int type);
/* Returns the parameter table of the geometry keys of a hull or mesh. */
const scree_param *sl_geometry_params(int type, int *count);
enum { SL_SCALING = 96 };
/* Writes how a geometry was scaled, such as "unit = \"mm\" and place scale it by 1". Returns false, with an
 * empty text, if nothing scales it. */
bool sl_find_scaling(lua_State *L, const scree_geometry *geometry, char text[SL_SCALING]);

/* ---- pushing values ---- */
/* Pushes a list of numbers. */
void sl_push_vector(lua_State *L, const double *value, int64_t count);
/* Pushes a list of three rows and returns 1. */
int sl_push_matrix(lua_State *L, const double value[9]);
/* Pushes separate numbers and returns count. */
int sl_push_numbers(lua_State *L, const double *value, int count);
/* Pushes a zeroed userdata of `size` bytes and returns it. Lua calls gc to release what it owns, also
 * after an error. */
void *sl_push_owner(lua_State *L, size_t size, lua_CFunction gc);
/* The functions sl_set_TYPE set a field of the table on top of the stack. */
void sl_set_number(lua_State *L, const char *name, double value);
void sl_set_integer(lua_State *L, const char *name, int64_t value);
void sl_set_string(lua_State *L, const char *name, const char *value);
void sl_set_boolean(lua_State *L, const char *name, bool value);
void sl_set_function(lua_State *L, const char *name, lua_CFunction function);
/* Sets a field to the handle of a body of the world at stack index 1. */
void sl_set_body(lua_State *L, const char *name, scree_id id);
/* Sets a field to a list of numbers. */
void sl_set_vector(lua_State *L, const char *name, const double *value, int64_t count);

/* ---- with the runtime ---- */
/* Collects garbage if less than a quarter of the cap on memory is free. Call it before creating an object
 * of the engine, because garbage may own much of the engine's memory. */
void sl_make_room(lua_State *L);
/* Starts work of the engine, until sl_engine_leave: CPU time does not count as the script's. Returns the
 * previous kind of work, for sl_engine_leave. */
int sl_engine_enter(sl_runtime *runtime);
/* Like sl_engine_enter, for work on a world. The number of its bodies raises the time that verbs may use
 * within this call of the script. */
int sl_engine_enter_world(const sl_world *world);
/* Starts work of the script, until sl_engine_leave. Must enclose every call from a verb to a function of the
 * script. Returns the previous kind of work. */
int sl_script_enter(sl_runtime *runtime);
/* Ends work started by one of the three functions above; `before` is the value that it returned. */
void sl_engine_leave(sl_runtime *runtime, int before);
/* Lua function (f, ...) for modules of the bundled library: calls f; its time counts as the engine's. */
int sl_work(lua_State *L);
/* Advances the world by `steps` time steps. Their time does not count as the script's. The watchdog ends the
 * process if a step takes more than 50 times the cap of the script plus 20 ms per body. */
scree_status sl_world_advance(sl_world *world, int64_t steps, scree_error *error);
/* Prints probable mistakes at the walls of a world to stderr before its first step in a plain script, for the
 * first few worlds of the script only. */
void sl_warn_of_walls(sl_world *world);
/* Returns whether the script is over its time; its next instruction then raises an error. Long work polls it.
 * runtime: an sl_runtime. */
bool sl_time_is_up(void *runtime);

/* Makes errors show the line of their key in this text while the table of a scene is read. NULL ends this. */
void sl_locate_in(sl_runtime *runtime, const char *path, const char *text);

/* A parameter table in the reference: the keys of w:NAME{...} or of the table NAME of a scene. Lists end
 * with a NULL name. */
typedef struct sl_params {
  const char *name;
  const scree_param *params;
  int count;
  const int *count_at; /* if not NULL: where the number of rows is, in place of count */
} sl_params;

#define OBJECT(name) extern const luaL_Reg sl_##name##_methods[];
#define MODULE(name) extern const luaL_Reg sl_##name##_functions[];
#define PARAMS(name) extern const sl_params sl_##name##_params[];
#include "bind/objects/objects.h"
#undef OBJECT
#undef MODULE
#undef PARAMS

#endif
