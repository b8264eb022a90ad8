/* Declared parameters of scenes: params = { outlet = { default = 0.06, unit = "m", min = 0, max = 1, doc
 * = "width of the outlet" } }. */
#ifndef SL_DECLARED_H
#define SL_DECLARED_H

#include <stdbool.h>
#include <lua.h>

enum { SL_CHOICES_MOST = 32 };

/* What a scene says of one parameter. Texts belong to the Lua state. A plain default is a declaration
 * without unit and bounds. */
typedef struct sl_declared {
  const char *unit; /* SI unit; NULL: not declared, "": a pure number */
  const char *doc;  /* NULL: none */
  double min, max;  /* -inf, inf where not given */
  bool whole;       /* fractions are refused */
  const char *choice[SL_CHOICES_MOST];
  int choices;
} sl_declared;

/* Reads the value at index (a declaration or a plain default) and pushes the default, quantities as SI
 * numbers. Raises on what is wrong, path naming the place. */
void sl_declared_read(lua_State *L, int index, const char *path, sl_declared *out);
/* "" if the value at index may be taken, else why not, e.g. "must be at least 0". */
const char *sl_declared_fault(lua_State *L, const sl_declared *declared, int index, char out[256]);

#endif
