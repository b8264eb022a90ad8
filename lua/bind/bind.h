/* What the binding files share: object types, the table reader, raising errors, pushing values.
 *
 * The pattern of an object file: a const luaL_Reg list of functions, named sl_NAME_methods (methods of
 * the world) or sl_NAME_functions (fields of the module table scree.NAME), and one line in objects.h.
 * Every function registered so carries the metatables of all object types as upvalues, so that a type
 * check is one comparison. */
#ifndef SL_BIND_H
#define SL_BIND_H

#include <lua.h>
#include <lauxlib.h>
#include "bind/sandbox/runtime.h"
#include "scree/scree.h"

/* ---- object types ---- */
/* upvalue that holds the metatable */
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
  bool stepping; /* the engine is at work: a law of the script must not change the world */
  bool spread;   /* over several ranks: a step may wait for them */
  bool looked;   /* true: the walls were checked before the first step of a plain script */
  int motions;   /* bodies that follow functions of time; so many of them, in front, since setup */
  int motions_of_setup;
  /* least and largest diameter of the grains of fills and insertions [m]. Row 0: grains that are not hulls;
   * row 1: hulls; 0: no such grains */
  double grain_min[2], grain_max[2];
  const scree_geometry *grain_hull; /* hull of such grains, only to be compared; NULL without one */
  /* whether a warning named grains that a fill or an insertion did not place */
  bool warned_fill, warned_insert;
  bool is_clone; /* callbacks of a scene may step and restore the world */
} sl_world;
/* user values of a world: w.state, laws defined by the script, profiles and flows, motions of bodies */
enum { SL_STATE_SLOT = 1, SL_LAWS_SLOT, SL_PROBES_SLOT, SL_MOTIONS_SLOT, SL_WORLD_SLOTS = SL_MOTIONS_SLOT };

typedef struct sl_body {
  sl_world *world;
  scree_id id;
} sl_body;
typedef struct sl_joint {
  sl_world *world;
  scree_joint id;
} sl_joint;

typedef struct sl_cell {
  sl_world *world;
} sl_cell;

/* "world", "body", ...; "" for none. */
const char *sl_type_name(int type);
/* The object of a type at index, or an error naming what is wanted. */
void *sl_check(lua_State *L, int index, int type);
/* The same, NULL where the value is of another type. */
void *sl_test(lua_State *L, int index, int type);
#define sl_check_world(L, index) ((sl_world *)sl_check((L), (index), SL_WORLD))
/* Pushes a userdata of a world whose member `world` is NULL. The caller sets the member and adds 1 to
 * runtime->worlds. Raises an error if the script has too many worlds. */
sl_world *sl_push_world(lua_State *L);
/* A world that may be changed now. */
sl_world *sl_change_world(lua_State *L, int index);
/* What create(world, table) of the bundled module scree.NAME gives for the two arguments of the method of
 * that name. Mistakes that begin with the name are told where the script calls. */
int sl_call_create(lua_State *L, const char *module);
/* Refuses so many more bodies where a script from a stranger would fill the machine's memory with them. */
void sl_limit_bodies(lua_State *L, const sl_world *world, double more);
/* The body at index, which must be one of this world's. */
const sl_body *sl_check_own_body(lua_State *L, int index, const sl_world *world);
/* Returns the body under a key of the table at stack index 2 of a method of the world, 0 without that key.
 * Raises for a value that is no body of this world. path: place of the table in messages. */
scree_id sl_read_body(lua_State *L, const char *path, const char *key);
/* Pushes a handle of a body; world_index is where the world's userdata lies. */
void sl_push_body(lua_State *L, int world_index, scree_id id);
void sl_push_joint(lua_State *L, int world_index, scree_joint id);
/* Registers functions into the table on top of the stack, with the metatables as upvalues; to be called
 * by functions that carry them themselves. */
void sl_register(lua_State *L, const luaL_Reg *functions);
/* Registers functions like sl_register. Their CPU time counts as the engine's, not as the script's. */
void sl_register_verbs(lua_State *L, const luaL_Reg *functions);
/* Pushes the module `scree`. */
int sl_open_module(lua_State *L);
/* Raises "a WORLD has no 'name'" for the name at stack index 2, with the nearest of the table of methods. */
int sl_unknown_member(lua_State *L, const char *object, int methods);
/* The running function's metatable of a type goes to the userdata on top of the stack. */
void sl_set_type(lua_State *L, int type);

/* ---- errors ---- */
/* Raises "FILE:LINE: text" of the innermost script line outside the bundled library. Never returns. */
int sl_raise(lua_State *L, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises a wrong argument. */
#define sl_refuse(L, ...) sl_raise((L), SCREE_E_ARGUMENT, __VA_ARGS__)
/* Raises what the engine reported. */
int sl_raise_error(lua_State *L, const scree_error *error);
/* Raises what the engine reports if `failed` is true: an expression that gives the engine `&error`, a status
 * or !pointer. */
#define SL_TRY(L, failed) \
  do { \
    scree_error error = {SCREE_OK, ""}; \
    if (failed) sl_raise_error(L, &error); \
  } while (0)
/* "; did you mean 'near'?" or "", valid until the next call. names as scree_nearest_name takes them. */
const char *sl_hint(lua_State *L, const char *name, int count, const char *(*get)(const void *context, int i),
    const void *context);

/* The same with the string keys of a table as names; leaves a value on the stack. */
const char *sl_hint_table(lua_State *L, const char *name, int table);

/* Pushes the names as "a, b, c". */
const char *sl_names(
    lua_State *L, int count, const char *(*get)(const void *context, int i), const void *context);
/* As sl_hint_table; where nothing is near, "; known are " all the names. */
const char *sl_hint_or_all(lua_State *L, const char *name, int table);

/* ---- files that a script makes ---- */
enum { SL_PATH = 4096 };
/* Where a file called name goes: in the sandbox a plain name in the directory of the run, with trust any
 * path (relative ones in that directory where there is one). `what` names the argument in messages. */
void sl_output_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* Writes the path of a file that a script reads: with trust any path, in the sandbox a path within the folder
 * of the run. `what` names the function in messages. */
void sl_input_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* scree.plot (plot.c), scree.check_keys and scree.quantity (keys.c) */
int sl_plot(lua_State *L);
int sl_check_keys(lua_State *L);
int sl_read_quantity(lua_State *L);

/* ---- reading tables ---- */
/* Rows of parameter tables whose values a binding reads by itself: tables, functions, anything but a
 * plain number or word. */
#define SL_VALUE(name, ...) \
  { name, SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL, __VA_ARGS__ }
#define SL_NEEDED(name, ...) \
  { name, SCREE_OPAQUE, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL, __VA_ARGS__ }
/* Rows of parameter tables without the columns that these kinds leave empty. at: offset of the member; after
 * the line of doc a row may name the readers of its value. */
#define SL_REAL(name, at, unit, value, min, max, ...) \
  { name, SCREE_REAL, 0, unit, value, min, max, at, NULL, __VA_ARGS__ }
#define SL_POSITIVE(name, at, unit, value, ...) \
  { name, SCREE_REAL, SCREE_POSITIVE, unit, value, 0, 0, at, NULL, __VA_ARGS__ }
/* A real number from 0, infinite where it is not given. */
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
/* A def struct and the table that describes it. The same key may stand in one section only. */
#define SL_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
typedef struct sl_section {
  const scree_param *params;
  int count;
  void *def;
} sl_section;
/* Fills the def structs from the table at index; members that the table does not name keep their values.
 * path is the table's place in messages, e.g. "world". Every key must be known to one of the sections;
 * `items` list entries t[1]..t[items] are let through. SCREE_OPAQUE keys are known but not read. Raises
 * on unknown keys (with the nearest), wrong types, values out of bounds, missing keys. */
void sl_read(lua_State *L, int index, const char *path, const sl_section *sections, int count, int items);
/* sl_read with one section. */
#define SL_READ(L, index, path, table, def) \
  sl_read((L), (index), (path), &(sl_section){(table), SL_COUNT(table), (def)}, 1, 0)
/* Refuses what is no table at index. */
void sl_check_table(lua_State *L, int index, const char *path);
/* One value at index as type of param, into def. */
void sl_read_value(lua_State *L, int index, const char *path, const scree_param *param, void *def);
/* The number at index [unit]. A text may carry a unit of that dimension, "5 mm"; with unit NULL only
 * numbers are read. Units for several uses are separated by commas, "rad/s, m/s". */
double sl_read_number(lua_State *L, int index, const char *path, const char *unit);
uint32_t sl_read_layers(lua_State *L, int index, const char *path, const char *key, uint32_t otherwise);
/* Three such numbers from a list at index. unbounded lets infinities through. */
void sl_read_vec3(lua_State *L, int index, const char *path, const char *unit, bool unbounded, double out[3]);
/* Raises an error for a key of the table at index that stands in the section and that the reader does not
 * read. */
void sl_refuse_unread(
    lua_State *L, int index, const char *path, const sl_section *section, const scree_param_reader *reader);
/* Whether the table at an absolute index has the key. */
static inline bool sl_has_key(lua_State *L, int index, const char *key) {
  lua_pushstring(L, key);
  bool given = lua_rawget(L, index) != LUA_TNIL;
  lua_pop(L, 1);
  return given;
}
/* The optional string field of a table that names a material. */
int sl_read_material(lua_State *L, int index, const char *path, const scree_world *world);
/* Vector arguments of methods: three numbers or one list at index; the number of stack slots used. */
int sl_vec3_argument(lua_State *L, int index, const char *what, double out[3]);
/* The region described by the table at index (docs/scenes.md). */
void sl_read_region(lua_State *L, int index, const char *path, scree_region *out);

/* The distribution of sizes described by the table at index; its memory is released with the userdata
 * that is pushed. */
const scree_sizes *sl_read_sizes(lua_State *L, int index, const char *path);

/* Geometry of a hull or mesh from the keys of the table at index, which keeps it alive; and those keys. */
const scree_geometry *sl_read_geometry(lua_State *L, int index, const char *path, int type);
const scree_param *sl_geometry_params(int type, int *count);
enum { SL_SCALING = 96 };
/* Writes how a geometry was scaled, such as "unit = \"mm\" and place scale it by 1". Returns false, with an
 * empty text, if nothing scales it. */
bool sl_find_scaling(lua_State *L, const scree_geometry *geometry, char text[SL_SCALING]);

/* ---- pushing values ---- */
void sl_push_vector(lua_State *L, const double *value, int64_t count); /* a list */
int sl_push_matrix(lua_State *L, const double value[9]);               /* three rows; returns 1 */
/* separate values; returns count */
int sl_push_numbers(lua_State *L, const double *value, int count);
/* A zeroed userdata of its own kind, which holds what gc releases when nobody refers to it any more or
 * an error has passed. */
void *sl_push_owner(lua_State *L, size_t size, lua_CFunction gc);
void sl_set_number(lua_State *L, const char *name, double value); /* into the table on top */
void sl_set_integer(lua_State *L, const char *name, int64_t value);
void sl_set_string(lua_State *L, const char *name, const char *value);
void sl_set_boolean(lua_State *L, const char *name, bool value);
void sl_set_function(lua_State *L, const char *name, lua_CFunction function);
/* The handle of a body, in a method of the world: the world's userdata lies at stack index 1. */
void sl_set_body(lua_State *L, const char *name, scree_id id);
void sl_set_vector(lua_State *L, const char *name, const double *value, int64_t count);

/* ---- with the runtime ---- */
/* Before an object of the engine is made: where less than a quarter of the cap on memory is left, garbage
 * that may hold much of it is collected. */
void sl_make_room(lua_State *L);
/* Starts work of the engine, until sl_engine_leave: its time does not count as the script's. Returns who
 * worked before, for sl_engine_leave. */
int sl_engine_enter(sl_runtime *runtime);
/* Starts work of the engine on a world. The bodies of the world add to the time that verbs may use in this
 * call. */
int sl_engine_enter_world(const sl_world *world);
/* Starts work of the script, until sl_engine_leave. Must enclose functions of the script that a verb
 * calls. */
int sl_script_enter(sl_runtime *runtime);
void sl_engine_leave(sl_runtime *runtime, int before);
/* Lua function (f, ...): calls f, whose time counts as the engine's. For modules of the bundled library. */
int sl_work(lua_State *L);
/* So many time steps. Their time is not the script's, but each has a bound of 50 caps and 20 ms for each
 * body, beyond which the watchdog ends the process. */
scree_status sl_world_advance(sl_world *world, int64_t steps, scree_error *error);
/* Prints probable mistakes at the walls of a world to stderr, before its first step in a plain script. Does
 * so for the first worlds of the script only. */
void sl_warn_of_walls(sl_world *world);
/* For long work that can be asked to stop: the script is over its time; its next instruction raises. */
bool sl_time_is_up(void *runtime);

/* While a scene's own table is read, errors show the line of the key in this text. NULL ends it. */
void sl_locate_in(sl_runtime *runtime, const char *path, const char *text);

/* A parameter table as users see it: the keys of w:NAME{...} or of the scene's table NAME. Lists end
 * with a NULL name. */
typedef struct sl_params {
  const char *name;
  const scree_param *params;
  int count;
  const int *count_at;
} sl_params;

#define OBJECT(name) extern const luaL_Reg sl_##name##_methods[];
#define MODULE(name) extern const luaL_Reg sl_##name##_functions[];
#define PARAMS(name) extern const sl_params sl_##name##_params[];
#include "bind/objects/objects.h"
#undef OBJECT
#undef MODULE
#undef PARAMS

#endif
