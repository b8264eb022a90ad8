/* Prints the parameters that a scene declares, for `scree run SCENE --help`. */
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bind/experiment/declared.h"

/* Writes the value on top of the stack in short form: numbers, texts, lists such as 1,2. */
static void write_short_value(lua_State *L, char *out, size_t size) {
  switch (lua_type(L, -1)) {
  case LUA_TBOOLEAN: snprintf(out, size, "%s", lua_toboolean(L, -1) ? "true" : "false"); break;
  case LUA_TNUMBER: snprintf(out, size, "%.10g", lua_tonumber(L, -1)); break;
  case LUA_TSTRING: snprintf(out, size, "%s", lua_tostring(L, -1)); break;
  default: {
    size_t used = 0;
    out[0] = 0;
    for (int i = 1, count = (int)lua_rawlen(L, -1); i <= count && used + 1 < size; i++) {
      char item[64];
      lua_rawgeti(L, -1, i);
      write_short_value(L, item, sizeof item);
      lua_pop(L, 1);
      used += (size_t)snprintf(out + used, size - used, "%s%s", i > 1 ? "," : "", item);
    }
  }
  }
}

/* Lua function of (scene table, name): prints the line of one parameter. */
static int print_param(lua_State *L) {
  char value[160], path[128], left[256];
  sl_declared d;
  const char *name = lua_tostring(L, 2);
  lua_getfield(L, 1, "params");
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  snprintf(path, sizeof path, "params.%s", name);
  sl_declared_read(L, -1, path, &d);
  write_short_value(L, value, sizeof value);
  snprintf(left, sizeof left, "%s=%s%s%s", name, value, d.unit && *d.unit ? " " : "", d.unit ? d.unit : "");
  printf("  %-26s%s%s", left, d.doc ? " " : "", d.doc ? d.doc : "");
  if (!isinf(d.min) && !isinf(d.max)) printf(" (%g to %g)", d.min, d.max);
  else if (!isinf(d.min)) printf(" (at least %g)", d.min);
  else if (!isinf(d.max)) printf(" (at most %g)", d.max);
  for (int i = 0; i < d.choices; i++)
    printf("%s%s%s", i ? ", " : " (", d.choice[i], i + 1 == d.choices ? ")" : "");
  putchar('\n');
  return 0;
}

static int print_all(run *r) {
  const char *name[CLI_NAMES];
  lua_State *L = sl_runtime_lua(r->runtime);
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->scene.table);
  int table = lua_gettop(L);
  const int count = lua_getfield(L, table, "params") == LUA_TTABLE ? cli_sort_names(L, name) : 0;
  printf("parameters of %s%s\n", r->options->scene, count ? ":" : ": none but seed");
  sl_trouble trouble = SL_FINE;
  for (int i = 0; i < count && !trouble; i++) {
    lua_pushcfunction(L, print_param);
    lua_pushvalue(L, table);
    lua_pushstring(L, name[i]);
    trouble = sl_call(r->runtime, 2, 0);
  }
  putchar('\n');
  return trouble ? cli_report_trouble(r->runtime, trouble, "params", 1) : CLI_OK;
}

int run_print_params(run_options *options) {
  run *r = calloc(1, sizeof *r);
  sl_experiment *e = calloc(1, sizeof *e);
  int code = r && e ? CLI_OK : cli_fail(CLI_FAILED, "run", "no memory");
  if (!code && run_is_experiment(options->scene)) {
    code = run_open_experiment(e, options, "run");
    if (code) run_print_problems(e);
    options->scene = e->scene;
  }
  options->steps = 1; /* a scene without an end is accepted here */
  if (!code) code = run_open(r, options);
  if (!code) code = print_all(r);
  if (r && r->runtime) run_close(r);
  if (e) sl_experiment_close(e);
  free(e);
  free(r);
  return code;
}

int run_read_overrides(run_options *options, int operands, char **argv, const char *command) {
  for (int i = 2; i <= operands; i++) {
    char *equals = strchr(argv[i], '=');
    if (!equals || equals == argv[i]) return cli_fail(CLI_USAGE, command, "'%s' is not key=value", argv[i]);
    if (options->overrides_count == CLI_LIST_MOST)
      return cli_fail(CLI_USAGE, command, "more than %d parameters", CLI_LIST_MOST);
    *equals = 0;
    options->overrides[options->overrides_count++] = (sl_override){argv[i], equals + 1};
  }
  return CLI_OK;
}
