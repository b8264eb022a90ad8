/* Friction laws as scripts see them: registered ones and those a script defines. */
#ifndef SL_LAW_H
#define SL_LAW_H

#include "bind/bind.h"

enum { SL_LAW_NAME = 48 };

/* A law defined by a script; lives in the Lua state from scree.law.define until the state closes. */
typedef struct sl_law {
  sl_runtime *runtime;
  lua_State *thread;                         /* its functions run here */
  char name[SL_LAW_NAME], base[SL_LAW_NAME]; /* base is "" for the full form */
  int solve, refresh;                        /* references, LUA_NOREF without */
  /* references: handed to the functions, filled anew for each contact */
  int params_table, state_table, contact_table;
  scree_param params[SCREE_LAW_MAX_PARAMS];
  int params_count; /* the base's first, then its own */
  char param_names[SCREE_LAW_MAX_PARAMS][SL_LAW_NAME];
  char state_names[SCREE_LAW_MAX_STATE][SL_LAW_NAME];
  int state_count;
  double shown[SCREE_LAW_MAX_PARAMS];
  bool shown_valid; /* what params_table holds */
} sl_law;

/* Pushes a list of all names: registered laws, then the script's own. Returns 1. */
int sl_law_names(lua_State *L);
/* A registered law, or one the script defined (then *own is set). Raises on unknown names with the
 * nearest; path is for the message. */
const scree_param *sl_law_params(lua_State *L, const char *name, const char *path, int *count, sl_law **own);
/* The script's law of that name, or NULL. */
sl_law *sl_law_own(lua_State *L, const char *name);
/* Makes a script's law known to a world that does not know it yet; does nothing for other names. */
void sl_law_into_world(lua_State *L, sl_world *world, const char *name);
/* One contact by any law. On failure the error has the text. own may be NULL. */
scree_status sl_law_solve(const char *name, sl_law *own, const double A[9], const double b[3],
    const double *params, scree_law_result *result, scree_error *error);
/* The full form's function, as scree_law_callbacks has it; user is the law. Nonzero on failure. */
int sl_law_call_solve(
    void *user, const double *params, const double A[6], const double b[3], double x[3], scree_error *error);
/* Calls a law's refresh, if it has one. */
scree_status sl_law_refresh(
    sl_law *own, double *params, double *state, const scree_contact_info *contact, scree_error *error);
/* scree.law.check (law_check.c) */
int sl_law_check(lua_State *L);
/* scree.law.define (law_define.c) */
int sl_law_define(lua_State *L);

#endif
