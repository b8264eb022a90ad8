/* Types of objects, their handles and worlds, and work of the engine for a script.
 *
 * The .c file of an object type defines a const luaL_Reg list of functions. Its name is sl_NAME_methods
 * (methods of the world) or sl_NAME_functions (fields of the module table scree.NAME). The file has one line
 * in objects/objects.h. Every function of these lists has the metatables of all object types as upvalues, so
 * that a type check is one comparison. */
#ifndef SL_OBJECT_H
#define SL_OBJECT_H

#include <lua.h>
#include <lauxlib.h>
#include "bind/read.h"
#include "bind/sandbox/runtime.h"
#include "scree/scree.h"

/* ---- types and handles ---- */

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
  bool walls_checked;   /* walls were checked before the first step, in a script that is not a scene */
  int motions;          /* number of bodies with a prescribed motion */
  int motions_of_setup; /* number of bodies with a prescribed motion that the scene's setup defined */
  /* smallest and largest diameter of the grains of all fills and insertions so far [m]; 0: no such grains.
   * [0]: grains that are not hulls; [1]: grains that are hulls */
  double grain_min[2], grain_max[2];
  /* hull of the grains of element 1; only its address is compared. NULL: none */
  const scree_geometry *grain_hull;
  /* true after the first warning that a fill, or an insertion, did not place all grains */
  bool warned_fill, warned_insert;
  /* true: fills and w:random use the seed and the generator below; false: those of the runtime */
  bool has_seed;
  uint64_t seed;
  uint64_t random[4]; /* state of the world's generator */
  bool is_of_run;     /* the world of a scene's run: callbacks of the scene must not step or restore it */
} sl_world;
/* Indices of the user values of a world's userdata: the table w.state, laws defined by the script, profiles
 * and other probes, motions of bodies. */
enum { SL_STATE_SLOT = 1, SL_LAWS_SLOT, SL_PROBES_SLOT, SL_MOTIONS_SLOT, SL_WORLD_SLOTS = SL_MOTIONS_SLOT };

/* Userdata of a handle of a body. Its user value keeps the world alive. */
typedef struct sl_body {
  sl_world *world;
  scree_id id;
} sl_body;
/* Userdata of a handle of a joint. Its user value keeps the world alive. */
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
/* Returns the name of the type of the object at index, NULL if the value is not an object of scree. */
const char *sl_test_type(lua_State *L, int index);
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
/* Returns the id of the body under a key of the table at stack index 2, 0 without the key. The world is at
 * stack index 1. Raises an error for a value that is not a body of this world. path: name of the table in
 * messages. */
scree_id sl_read_body(lua_State *L, const char *path, const char *key);
/* Pushes a handle of a body. world_index: stack index of the world's userdata. */
void sl_push_body(lua_State *L, int world_index, scree_id id);
/* Pushes a handle of a joint. world_index: stack index of the world's userdata. */
void sl_push_joint(lua_State *L, int world_index, scree_joint id);
/* Registers functions into the table on top of the stack, with the metatables of all object types as
 * upvalues. Only functions that have these upvalues may call sl_register. */
void sl_register(lua_State *L, const luaL_Reg *functions);
/* Registers verbs like sl_register. A verb is a function that makes the engine work. Its CPU time counts as
 * the engine's, not as the script's. */
void sl_register_verbs(lua_State *L, const luaL_Reg *functions);
/* Lua function: pushes the module `scree` and returns 1. */
int sl_open_module(lua_State *L);
/* Raises "a WORLD has no 'name'" for the name at stack index 2, with the nearest name in the table of methods
 * at the stack index `methods`. */
int sl_unknown_member(lua_State *L, const char *object, int methods);
/* Sets the metatable of the userdata on top of the stack to the metatable of a type, which is an upvalue of
 * the running function. */
void sl_set_type(lua_State *L, int type);
/* Sets the metatable like sl_set_type, and stores the world at the absolute stack index `world` in the
 * object's user value. The object thus keeps its world alive. */
void sl_set_type_in(lua_State *L, int type, int world);

/* ---- files of a script ---- */

enum { SL_PATH = 4096 };
/* Writes to `path` the path of the file `name`, which a script writes. In the sandbox `name` must be a plain
 * file name, and the file is in the directory of the run. With trust, relative names start in the directory
 * of the run, if there is one. what: name of the argument in messages. */
void sl_output_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* As sl_output_path, for a folder into which the script writes. The folder may exist. */
void sl_output_folder(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* Writes to `path` the path of the file `name`, which a script reads. With trust any path is allowed, in the
 * sandbox only a path within the directory of the run. what: name of the function in messages. */
void sl_input_path(lua_State *L, const char *name, const char *what, char path[SL_PATH]);
/* Writes to `out` the path of the file `name`, which a table of the script has under the key `file`. The
 * folder of the script is searched first, then the working directory. In the sandbox the file must be in or
 * below one of these two folders. path: name of the table in messages. */
void sl_find_file(lua_State *L, const char *path, const char *name, char out[SL_PATH]);
/* Lua function scree.plot (objects/files/plot.c). */
int sl_plot(lua_State *L);

/* ---- work of the engine for a script ---- */

/* Collects garbage if less than a quarter of the cap on memory is free. Call it before creating an object
 * of the engine, because garbage may own much of the engine's memory. */
void sl_make_room(lua_State *L);
/* Starts work of the engine, until sl_engine_leave. CPU time of this work does not count as the script's.
 * Returns the previous kind of work, for sl_engine_leave. */
int sl_engine_enter(sl_runtime *runtime);
/* Like sl_engine_enter, for work on a world. Verbs may use more CPU time within this call of the script if
 * the world has more bodies. */
int sl_engine_enter_world(const sl_world *world);
/* Starts work of the script, until sl_engine_leave. Must enclose every call from a verb to a function of the
 * script. Returns the previous kind of work. */
int sl_script_enter(sl_runtime *runtime);
/* Ends work started by one of the three functions above; `before` is the value that it returned. */
void sl_engine_leave(sl_runtime *runtime, int before);
/* Lua function (f, ...) for modules of the bundled library: calls f; its time counts as the engine's. */
int sl_work(lua_State *L);
/* Advances the world by `steps` time steps. Their CPU time does not count as the script's. The watchdog ends
 * the process if a step takes more than 50 times the cap of the script plus 20 ms per body. */
scree_status sl_world_advance(sl_world *world, int64_t steps, scree_error *error);
/* Prints probable mistakes at the walls of a world to stderr before its first step. Does so only in a script
 * that is not a scene, and only for the first few worlds of the script. */
void sl_warn_of_walls(sl_world *world);
/* Returns whether the script is over its time; its next instruction then raises an error. Long loops call it
 * repeatedly. runtime: an sl_runtime. */
bool sl_time_is_up(void *runtime);

/* ---- lists of functions and parameter tables ---- */

#define OBJECT(name) extern const luaL_Reg sl_##name##_methods[];
#define MODULE(name) extern const luaL_Reg sl_##name##_functions[];
#define PARAMS(name) extern const sl_params sl_##name##_params[];
#include "bind/objects/objects.h"
#undef OBJECT
#undef MODULE
#undef PARAMS

#endif
