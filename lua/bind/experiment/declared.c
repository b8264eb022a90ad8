/* Declarations of scene parameters: default, unit, bounds, allowed values, one line of doc. */
#include "bind/experiment/declared.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/tables/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns whether the value at index is a declaration: a table with names as keys. */
static bool is_declaration(lua_State *L, int index) {
  if (!lua_istable(L, index) || lua_rawlen(L, index)) return false;
  index = lua_absindex(L, index);
  lua_pushnil(L);
  if (!lua_next(L, index)) return false;
  lua_pop(L, 2);
  return true;
}

/* ---- reading ---- */

typedef struct words {
  const char *unit, *doc;
  double min, max;
  int whole;
} words;
static const scree_param keys[] = {
    SL_NEEDED("default",
        "number, text, boolean or list; texts with a unit become SI numbers where a unit is declared"),
    SL_STRING("unit", offsetof(words, unit), "SI unit; another dimension is refused. \"\" is a pure number"),
    SL_REAL("min", offsetof(words, min), "", -INFINITY, 0, 0, "least value"),
    SL_REAL("max", offsetof(words, max), "", INFINITY, 0, 0, "largest value"),
    SL_BOOLEAN("whole", offsetof(words, whole), "true: a count, no fractions"),
    SL_VALUE("choices", "list of the texts that are allowed"),
    SL_STRING("doc", offsetof(words, doc), "one line for the help"),
};
const sl_params sl_declared_params[] = {{"scene.params.NAME", keys, SL_COUNT(keys), NULL}, {NULL}};

static void read_choices(lua_State *L, int table, const char *path, sl_declared *out) {
  lua_getfield(L, table, "choices");
  int list = lua_gettop(L), count = lua_istable(L, list) ? (int)lua_rawlen(L, list) : 0;
  if (!lua_isnil(L, list) && (!lua_istable(L, list) || !count || count > SL_CHOICES_MOST))
    sl_refuse(L, "%s.choices must be a list of 1 to %d texts", path, SL_CHOICES_MOST);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, list, i + 1) != LUA_TSTRING)
      sl_refuse(L, "%s.choices[%d] must be a text, not a %s", path, i + 1, luaL_typename(L, -1));
    out->choice[out->choices++] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Converts the default on top of the stack: a text with a quantity of the declared unit becomes a number,
 * and an integer with a unit becomes a double. */
static void resolve_default(lua_State *L, const char *path, const sl_declared *declared) {
  double value;
  if (declared->unit && *declared->unit && lua_isinteger(L, -1)) {
    lua_pushnumber(L, lua_tonumber(L, -1));
    lua_replace(L, -2);
  }
  if (!declared->unit || lua_type(L, -1) != LUA_TSTRING) return;
  if (sl_quantity_read(lua_tostring(L, -1), declared->unit, &value) != SL_QUANTITY_FINE)
    sl_refuse(L, "%s.default is '%s'; expected %s [%s]", path, lua_tostring(L, -1),
        sl_unit_words(declared->unit), declared->unit);
  lua_pop(L, 1);
  lua_pushnumber(L, value);
}

void sl_declared_read(lua_State *L, int index, const char *path, sl_declared *out) {
  sl_unit unit;
  char why[256];
  *out = (sl_declared){.min = -INFINITY, .max = INFINITY};
  index = lua_absindex(L, index);
  if (!is_declaration(L, index)) return lua_pushvalue(L, index);
  words w = {NULL, NULL, -INFINITY, INFINITY, 0};
  SL_READ(L, index, path, keys, &w);
  if (w.unit && !sl_unit_read(w.unit, &unit)) sl_refuse(L, "%s.unit: '%s' is not a known unit", path, w.unit);
  if (w.unit && unit.factor != 1)
    sl_refuse(L, "%s.unit: parameters are in SI; '%s' is not an SI unit", path, w.unit);
  if (w.min > w.max) sl_refuse(L, "%s: min %g is above max %g", path, w.min, w.max);
  out->unit = w.unit, out->doc = w.doc, out->min = w.min, out->max = w.max, out->whole = w.whole;
  read_choices(L, index, path, out);
  lua_getfield(L, index, "default");
  resolve_default(L, path, out);
  if (*sl_declared_fault(L, out, -1, why)) sl_refuse(L, "%s.default %s", path, why);
}

/* ---- checking ---- */

static const char *fault_of_number(double value, const sl_declared *d, char out[256]) {
  out[0] = 0;
  if (d->whole && value != floor(value)) snprintf(out, 256, "must be a whole number, not %g", value);
  if (value < d->min)
    snprintf(out, 256, "must be at least %g%s%s, not %g", d->min, d->unit && *d->unit ? " " : "",
        d->unit ? d->unit : "", value);
  if (value > d->max)
    snprintf(out, 256, "must be at most %g%s%s, not %g", d->max, d->unit && *d->unit ? " " : "",
        d->unit ? d->unit : "", value);
  return out;
}

static const char *fault_of_text(const char *text, const sl_declared *d, char out[256]) {
  size_t used = (size_t)snprintf(out, 256, "must be one of ");
  for (int i = 0; i < d->choices; i++) {
    if (!strcmp(d->choice[i], text)) return out[0] = 0, out;
    if (used < 200) used += (size_t)snprintf(out + used, 256 - used, "%s%.40s", i ? ", " : "", d->choice[i]);
  }
  if (!d->choices) out[0] = 0;
  else if (used < 250) snprintf(out + used, 256 - used, ", not '%.40s'", text);
  return out;
}

const char *sl_declared_fault(lua_State *L, const sl_declared *d, int index, char out[256]) {
  out[0] = 0;
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TNUMBER) return fault_of_number(lua_tonumber(L, index), d, out);
  if (lua_type(L, index) == LUA_TSTRING) return fault_of_text(lua_tostring(L, index), d, out);
  if (!lua_istable(L, index)) return out;
  for (lua_Integer i = 1, count = (lua_Integer)lua_rawlen(L, index); i <= count && !out[0]; i++) {
    lua_rawgeti(L, index, i);
    sl_declared_fault(L, d, -1, out);
    lua_pop(L, 1);
  }
  return out;
}
