/* w:dump_problem and w:dump_to: contact problems in files, for `scree solve`. */
#include "bind/errors.h"
#include "bind/object.h"

typedef scree_status dump_function(scree_world *world, const char *path, scree_error *error);

/* Calls f with the path that the script gave, after checking that the script may write to this path. */
static int call_dump(lua_State *L, const char *verb, dump_function *f) {
  sl_world *world = sl_change_world(L, 1);
  char path[SL_PATH];
  sl_output_path(L, luaL_checkstring(L, 2), verb, path);
  SL_TRY(L, f(world->world, path, &error));
  return 0;
}

/* dump_problem("file"): the contact problem of the coming step. */
static int world_dump_problem(lua_State *L) { return call_dump(L, "dump_problem", scree_world_dump_problem); }

/* dump_to("directory"): sets the directory for problems that the solver fails on. */
static int world_dump_to(lua_State *L) { return call_dump(L, "dump_to", scree_world_set_dump_directory); }

const luaL_Reg sl_dump_methods[] = {
    {"dump_problem", world_dump_problem}, {"dump_to", world_dump_to}, {NULL, NULL}};
