/* Friction laws in scripts: laws of the engine and laws that the script defines. */
#ifndef SL_LAW_H
#define SL_LAW_H

#include "bind/object.h"

enum { SL_LAW_NAME = 48 };

/* A law defined by a script. It exists from scree.law.define until the Lua state closes. */
typedef struct sl_law {
  sl_runtime *runtime;
  lua_State *thread; /* coroutine in which the functions of the law run */
  char name[SL_LAW_NAME];
  char base[SL_LAW_NAME]; /* name of the engine's law that it modifies; "": none, the law has `solve` */
  int solve, refresh;     /* registry references of its functions; LUA_NOREF: none */
  /* registry references of the arguments of the functions, which are refilled for each contact */
  int params_table, state_table, contact_table;
  scree_param params[SCREE_LAW_MAX_PARAMS];
  int params_count; /* parameters of the base law come first, then those of the script */
  char param_names[SCREE_LAW_MAX_PARAMS][SL_LAW_NAME];
  char state_names[SCREE_LAW_MAX_STATE][SL_LAW_NAME];
  int state_count;
  double params_table_values[SCREE_LAW_MAX_PARAMS];
  bool params_table_valid; /* whether params_table contains params_table_values */
} sl_law;

/* Pushes a list of the names of all laws: first those of the engine, then those of the script. Returns 1. */
int sl_law_names(lua_State *L);
/* Returns the parameter table of a law. *own: the law if the script defined it, else NULL. Raises an error
 * with the nearest name if the name is unknown. path: name of the key in messages. */
const scree_param *sl_law_params(lua_State *L, const char *name, const char *path, int *count, sl_law **own);
/* Returns the law of the script with this name, NULL if there is none. */
sl_law *sl_law_own(lua_State *L, const char *name);
/* Registers a law of the script in a world, unless it is registered there; no effect for other names. */
void sl_law_into_world(lua_State *L, sl_world *world, const char *name);
/* Solves one contact by a law: computes the impulse x and the velocity v = A x - b (scree/law.h). own: the
 * law of the script, NULL for a law of the engine. */
scree_status sl_law_solve(const char *name, sl_law *own, const double A[9], const double b[3],
    const double *params, scree_law_result *result, scree_error *error);
/* Callback `solve` of scree_law_callbacks: calls the function `solve` of the law `user`. Returns nonzero on
 * failure. */
int sl_law_call_solve(
    void *user, const double *params, const double A[6], const double b[3], double x[3], scree_error *error);
/* Calls the function `refresh` of a law, if it has one. */
scree_status sl_law_refresh(
    sl_law *own, double *params, double *state, const scree_contact_info *contact, scree_error *error);
/* Lua function scree.law.check (law_check.c). */
int sl_law_check(lua_State *L);
/* Lua function scree.law.define (law_define.c). */
int sl_law_define(lua_State *L);

#endif
