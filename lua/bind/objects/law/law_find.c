/* Finds laws of the engine and of the script by name, and solves one contact by a law. */
#include "bind/objects/law/law.h"
#include "bind/errors.h"
#include <math.h>
#include <string.h>

int sl_law_names(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; i < scree_law_count(); i++) {
    lua_pushstring(L, scree_law_name(i));
    lua_rawseti(L, -2, i + 1);
  }
  lua_getfield(L, LUA_REGISTRYINDEX, "scree.law_order");
  for (int i = 1; lua_istable(L, -1) && i <= (int)lua_rawlen(L, -1); i++) {
    lua_rawgeti(L, -1, i);
    lua_rawseti(L, -3, (lua_Integer)lua_rawlen(L, -3) + 1);
  }
  lua_pop(L, 1);
  return 1;
}

static const char *name_at(const void *context, int i) {
  lua_State *L = (lua_State *)context;
  lua_rawgeti(L, -1, i + 1);
  const char *name = lua_tostring(L, -1); /* the list keeps the name alive */
  lua_pop(L, 1);
  return name;
}

const scree_param *sl_law_params(lua_State *L, const char *name, const char *path, int *count, sl_law **own) {
  *own = sl_law_own(L, name);
  if (*own) return *count = (*own)->params_count, (*own)->params;
  const scree_param *params = scree_law_params(name, count);
  for (int i = 0; i < scree_law_count(); i++)
    if (!strcmp(scree_law_name(i), name)) return params;
  sl_law_names(L);
  const char *hint = sl_hint(L, name, (int)lua_rawlen(L, -1), name_at, L);
  sl_refuse(L, "%s: there is no law '%s'%s", path, name, hint);
  return NULL;
}

/* Computes velocity, energy and contact state of the result from its impulse x. */
static void derive_result(const double A[9], const double b[3], scree_law_result *result) {
  double slip = 0, size = 0;
  result->energy = 0;
  for (int i = 0; i < 3; i++) {
    double sum = A[3 * i] * result->x[0] + A[3 * i + 1] * result->x[1] + A[3 * i + 2] * result->x[2];
    result->v[i] = sum - b[i];
    result->energy += result->x[i] * (sum / 2 - b[i]);
    size = fmax(size, fabs(b[i]));
    if (i) slip = fmax(slip, fabs(result->v[i]));
  }
  bool none = result->x[0] == 0 && result->x[1] == 0 && result->x[2] == 0;
  result->state = none ? SCREE_SEPARATING : slip <= 1e-12 * size ? SCREE_STICKING : SCREE_SLIDING;
}

scree_status sl_law_solve(const char *name, sl_law *own, const double A[9], const double b[3],
    const double *params, scree_law_result *result, scree_error *error) {
  if (!own) return scree_law_solve(name, 3, A, b, params, result, error);
  if (*own->base) return scree_law_solve(own->base, 3, A, b, params, result, error);
  scree_status status = scree_law_solve("frictionless", 3, A, b, NULL, result, error);
  if (status != SCREE_OK) return status;
  const double packed[6] = {A[0], A[1], A[2], A[4], A[5], A[8]};
  if (sl_law_call_solve(own, params, packed, b, result->x, error)) return SCREE_E_LAW;
  derive_result(A, b, result);
  return SCREE_OK;
}
