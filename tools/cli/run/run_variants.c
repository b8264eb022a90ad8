/* Variants: one scene with several tables of parameters. Each is one run; the figures form one table. */
#include "run/run.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scene's variants ---- */

/* Writes the shortest decimal text that reads back as the same number. Returns false if it does not fit. */
static int put_number(double value, char *out, size_t size) {
  char text[32];
  return isfinite(value) && snprintf(out, size, "%s", scree_shortest(value, text)) + 1 < (int)size;
}

/* Writes the value on top of the stack in the form of the command line. Returns false if it has none. */
static int put_text(lua_State *L, char *out, size_t size) {
  switch (lua_type(L, -1)) {
  case LUA_TBOOLEAN: return snprintf(out, size, "%s", lua_toboolean(L, -1) ? "true" : "false") < (int)size;
  case LUA_TSTRING: return snprintf(out, size, "%s", lua_tostring(L, -1)) < (int)size;
  case LUA_TNUMBER:
    if (lua_isinteger(L, -1)) return snprintf(out, size, "%lld", (long long)lua_tointeger(L, -1)) < (int)size;
    return put_number(lua_tonumber(L, -1), out, size);
  default: return 0;
  }
}

static int by_key(const void *a, const void *b) { return strcmp(a, b); }

/* Reads one variant from the table at the top of the stack. Keys are sorted, so that directories have the
 * same names in every run. */
static int take_variant(lua_State *L, run_variant *out) {
  if (!lua_istable(L, -1)) return -1;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || out->changes == RUN_CHANGES) return lua_pop(L, 2), -1;
    snprintf(out->key[out->changes++], sizeof *out->key, "%s", lua_tostring(L, -2));
  }
  qsort(out->key, (size_t)out->changes, sizeof *out->key, by_key);
  for (int i = 0; i < out->changes; i++) {
    lua_getfield(L, -1, out->key[i]);
    int good = put_text(L, out->value[i], sizeof *out->value);
    lua_pop(L, 1);
    if (!good) return -1;
  }
  return 0;
}

int run_find_variants(run *r, run_variants *out) {
  static const char wrong[] = "variants must return a list of tables of parameters, 16 at most";
  lua_State *L = sl_runtime_lua(r->runtime);
  out->count = 0;
  if (!sl_scene_has(&r->scene, SL_VARIANTS)) return CLI_OK;
  sl_trouble trouble = sl_scene_variants(&r->scene);
  if (trouble) return cli_report_trouble(r->runtime, trouble, "variants", 1);
  int count = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
  if ((!lua_istable(L, -1) && !lua_isnil(L, -1)) || count > RUN_VARIANTS)
    return cli_fail(CLI_USAGE, "run", "%s: %s", r->scene.path, wrong);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    if (take_variant(L, out->variant + i)) return cli_fail(CLI_USAGE, "run", "%s: %s", r->scene.path, wrong);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  out->count = count;
  return CLI_OK;
}

/* ---- running them ---- */

/* Writes a folder name from the values, e.g. "coulomb"; replaces unsuitable characters by '_'. */
static void folder_name(const run_variant *variant, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (int i = 0; i < variant->changes && used + 1 < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "-" : "", variant->value[i]);
  for (char *at = out; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("._-+", *at)) *at = '_';
  if (*out == '.') *out = '_';
}

static int run_variant_at(
    run *r, const run_options *options, const char *directory, const run_variant *variant) {
  char name[256], path[RUN_PATH];
  run_options own = *options;
  folder_name(variant, name, sizeof name);
  snprintf(path, sizeof path, "%.1700s/%s", directory, name);
  own.directory = path;
  for (int i = 0; i < variant->changes; i++) {
    if (own.overrides_count == CLI_LIST_MOST)
      return cli_fail(CLI_USAGE, "run", "more than %d parameters", CLI_LIST_MOST);
    own.overrides[own.overrides_count++] = (sl_override){variant->key[i], variant->value[i]};
  }
  return run_once(r, &own);
}

int run_all_variants(const run_options *options, const char *directory, const run_variants *variants) {
  run *done[RUN_VARIANTS] = {NULL};
  int code = CLI_OK, count = 0;
  while (count < variants->count && run_is_finished(code)) {
    run *r = done[count] = calloc(1, sizeof *r);
    const int one = r ? run_variant_at(r, options, directory, variants->variant + count)
                      : cli_fail(CLI_FAILED, "run", "no memory");
    if (r) count++;
    if (one) code = one;
  }
  if (run_is_finished(code)) run_print_figures(done, count);
  printf("%s %s\n", !run_is_finished(code) ? "what there is lies in" : "written to", directory);
  for (int i = 0; i < RUN_VARIANTS; i++) free(done[i]);
  return code;
}
