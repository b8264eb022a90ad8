/* scree lua: runs a plain Lua script that may require the module `scree`. */
#include <string.h>
#include <lauxlib.h>
#include "script.h"

typedef struct options {
  cli_sandbox sandbox;
  int64_t seed;
} options;
static const cli_option table[] = {
    CLI_SANDBOX_OPTIONS(options, sandbox),
    {"seed", 0, CLI_WHOLE, "N", offsetof(options, seed), "seed of math.random and of fills (1)"},
};
enum { OPTIONS = sizeof table / sizeof *table };

static const char more[] =
    "The script finds the engine with `local scree = require \"scree\"`. Modules are looked for in the "
    "script's\n"
    "folder, its lib/, and the bundled library. Arguments arrive as `...` and in the table `arg`.\n"
    "Everything behind FILE.lua belongs to the script.";

/* Returns the number of arguments before the script's own: options end at the first operand. */
static int own_arguments(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i];
    if (text[0] != '-' || !text[1]) return i + 1;
    for (int k = 0; k < OPTIONS; k++)
      if (table[k].argument && !strcmp(text + 2, table[k].name)) i++;
  }
  return argc;
}

/* The script and its arguments. */
typedef struct given {
  const char *path;
  int count;
  char **argument;
} given;

/* Lua function (script, given): calls the script with its arguments. */
static int call_script(lua_State *L) {
  const given *g = lua_touserdata(L, 2);
  const char *path = g->path;
  char **arguments = g->argument;
  int count = g->count;
  lua_settop(L, 1);
  lua_createtable(L, count, 1);
  lua_pushstring(L, path);
  lua_rawseti(L, -2, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, arguments[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setglobal(L, "arg");
  luaL_checkstack(L, count, "too many arguments");
  for (int i = 0; i < count; i++) lua_pushstring(L, arguments[i]);
  lua_call(L, count, 0);
  return 0;
}

int cmd_lua(int argc, char **argv) {
  options values = {.seed = 1, .sandbox.is_own = true};
  int own = own_arguments(argc, argv);
  int operands = cli_parse("lua", more, table, OPTIONS, &values, own, argv);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands == 0)
    return cli_fail(CLI_USAGE, "lua", "which script? usage: scree lua [--trust] FILE.lua [argument ...]");
  const char *path = argv[1];
  sl_runtime *runtime = cli_open_runtime("lua", path, &values.sandbox, (uint64_t)values.seed);
  if (!runtime) return CLI_FAILED;
  int code = CLI_OK;
  sl_trouble trouble = sl_load_file(runtime, path);
  if (!trouble) {
    given g = {path, argc - own, argv + own};
    lua_State *L = sl_runtime_lua(runtime);
    lua_pushcfunction(L, call_script);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, &g);
    trouble = sl_call(runtime, 2, 0);
  }
  if (trouble) code = cli_report_trouble(runtime, trouble, path, 1);
  sl_runtime_close(runtime);
  return code;
}
