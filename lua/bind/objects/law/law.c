/* scree.law: names(), params(name), solve{...}, solutions{...}. The functions define and check are in
 * law_define.c and law_check.c. */
#include "bind/objects/law/law.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names and parameters ---- */

static int law_names(lua_State *L) { return sl_law_names(L); }

/* params(name): returns a list of {name, unit, default, min, max, doc}. */
static int law_params(lua_State *L) {
  sl_law *own;
  int count;
  const scree_param *params = sl_law_params(L, luaL_checkstring(L, 1), "law", &count, &own);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 6);
    sl_set_string(L, "name", params[i].name);
    sl_set_string(L, "unit", params[i].unit);
    sl_set_string(L, "doc", params[i].doc);
    sl_set_number(L, "default", params[i].fallback);
    bool bounded = params[i].min != 0 || params[i].max != 0;
    sl_set_number(L, "min", bounded ? params[i].min : -INFINITY);
    sl_set_number(L, "max", bounded ? params[i].max : INFINITY);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* ---- one contact ---- */

typedef struct problem {
  const char *name;
  sl_law *own;
  int dim;
  double A[36], b[6], params[SCREE_LAW_MAX_PARAMS];
} problem;

static const scree_param keys[] = {
    {.name = "law", .type = SCREE_OPAQUE, .doc = "name of the law"},
    {.name = "A", .type = SCREE_OPAQUE, .doc = "Delassus block, a list of rows [1/kg]"},
    {.name = "b", .type = SCREE_OPAQUE, .doc = "minus the free velocity (n, t, o) [m/s]"},
};

static double read_law_number(lua_State *L, int index, int item, const char *path) {
  if (lua_rawgeti(L, index, item) != LUA_TNUMBER)
    sl_refuse(L, "%s[%d] must be a number, not a %s", path, item, luaL_typename(L, -1));
  double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  if (!isfinite(value)) sl_refuse(L, "%s[%d] is %s", path, item, isnan(value) ? "NaN" : "infinite");
  return value;
}

static void read_law_list(lua_State *L, int index, const char *path, int count, double *out) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index))
    sl_refuse(L, "%s must be a list of %d numbers, not a %s", path, count, luaL_typename(L, index));
  if ((int)lua_rawlen(L, index) != count)
    sl_refuse(L, "%s must have %d numbers, not %d", path, count, (int)lua_rawlen(L, index));
  for (int i = 0; i < count; i++) out[i] = read_law_number(L, index, i + 1, path);
}

/* Reads the problem in the table at stack index 1. */
static void read_problem(lua_State *L, problem *out) {
  memset(out, 0, sizeof *out);
  sl_check_table(L, 1, "law problem");
  lua_settop(L, 1);
  if (lua_getfield(L, 1, "law") != LUA_TSTRING)
    sl_refuse(L, "problem.law must be the name of a law, not a %s", luaL_typename(L, -1));
  int count;
  out->name = lua_tostring(L, -1);
  const scree_param *params = sl_law_params(L, out->name, "problem.law", &count, &out->own);
  if (count) scree_param_defaults(params, count, out->params);
  sl_read(L, 1, "problem", (sl_section[]){{keys, 3, NULL}, {params, count, out->params}}, count ? 2 : 1, 0);
  out->dim = scree_law_dim(
      out->own ? *out->own->base ? out->own->base : "frictionless" : out->name, out->params);
  lua_getfield(L, 1, "A");
  if (!lua_istable(L, -1)) sl_refuse(L, "problem.A must be a list of rows, not a %s", luaL_typename(L, -1));
  if ((int)lua_rawlen(L, -1) != out->dim)
    sl_refuse(
        L, "problem.A must have %d rows with these parameters, not %d", out->dim, (int)lua_rawlen(L, -1));
  for (int i = 0; i < out->dim; i++) {
    char path[32];
    snprintf(path, sizeof path, "problem.A[%d]", i + 1);
    lua_rawgeti(L, -1, i + 1);
    read_law_list(L, -1, path, out->dim, out->A + out->dim * i);
    lua_pop(L, 1);
  }
  lua_getfield(L, 1, "b");
  read_law_list(L, -1, "problem.b", out->dim, out->b);
}

static void push_law_result(lua_State *L, int dim, const scree_law_result *result) {
  static const char *const states[] = {"separating", "sticking", "sliding"};
  lua_createtable(L, 0, 5);
  sl_set_vector(L, "x", result->x, dim);
  sl_set_vector(L, "v", result->v, dim);
  sl_set_number(L, "energy", result->energy);
  sl_set_string(L, "state", states[result->state]);
  sl_set_integer(L, "iterations", result->iterations);
}

static int law_solve(lua_State *L) {
  problem p;
  scree_law_result result;
  scree_error error = {SCREE_OK, ""};
  read_problem(L, &p);
  scree_status status = p.own && p.dim == 3
      ? sl_law_solve(p.name, p.own, p.A, p.b, p.params, &result, &error)
      : scree_law_solve(p.own ? p.own->base : p.name, p.dim, p.A, p.b, p.params, &result, &error);
  if (status != SCREE_OK) sl_raise(L, status, status == SCREE_E_LAW ? "%s" : "problem: %s", error.text);
  push_law_result(L, p.dim, &result);
  return 1;
}

static int law_solutions(lua_State *L) {
  problem p;
  scree_law_result results[SCREE_LAW_MAX_SOLUTIONS];
  scree_error error = {SCREE_OK, ""};
  int count = 1;
  read_problem(L, &p);
  scree_status status = p.own && !*p.own->base
      ? sl_law_solve(p.name, p.own, p.A, p.b, p.params, results, &error)
      : scree_law_solutions(p.own ? p.own->base : p.name, p.dim, p.A, p.b, p.params, results, &count, &error);
  if (status != SCREE_OK) sl_raise(L, status, status == SCREE_E_LAW ? "%s" : "problem: %s", error.text);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    push_law_result(L, p.dim, results + i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg sl_law_functions[] = {{"names", law_names}, {"params", law_params}, {"solve", law_solve},
    {"solutions", law_solutions}, {"define", sl_law_define}, {"check", sl_law_check}, {NULL, NULL}};
