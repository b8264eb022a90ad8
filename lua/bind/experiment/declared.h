/* Declared parameters of scenes: params = { outlet = { default = 0.06, unit = "m", min = 0, max = 1, doc
 * = "width of the outlet" } }. */
#ifndef SL_DECLARED_H
#define SL_DECLARED_H

#include <stdbool.h>
#include <lua.h>

enum { SL_CHOICES_MOST = 32 };

/* Declaration of one parameter of a scene. Texts belong to the Lua state. A plain default is a declaration
 * without unit and bounds. */
typedef struct sl_declared {
  const char *unit; /* SI unit; NULL: not declared, "": a pure number */
  const char *doc;  /* one line of documentation; NULL: none */
  double min, max;  /* bounds; -inf, inf: no bound */
  bool whole;       /* only integers are allowed */
  const char *choice[SL_CHOICES_MOST];
  int choices;
} sl_declared;

/* Reads the value at index, a declaration or a plain default, and pushes the default with quantities as SI
 * numbers. Raises an error for mistakes. path: name of the value in messages. */
void sl_declared_read(lua_State *L, int index, const char *path, sl_declared *out);
/* Returns "" if the value at index satisfies the declaration, else the reason, such as "must be at least
 * 0". */
const char *sl_declared_fault(lua_State *L, const sl_declared *declared, int index, char out[256]);

#endif
