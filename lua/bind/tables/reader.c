/* The table reader: sl_read fills def structs from Lua tables according to their parameter tables. */
#include "bind/errors.h"
#include "bind/read.h"
#include "bind/sandbox/library.h"
#include "bind/tables/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---- */

/* Raises the error of a wrong type. Objects of scree are described by the name of their type. */
static int wrong_type(lua_State *L, int index, const char *path, const char *wanted) {
  const bool object = luaL_getmetafield(L, index, "__name") == LUA_TSTRING;
  const char *given = object ? lua_tostring(L, -1) : luaL_typename(L, index);
  return sl_refuse(L, "%s must be %s, not %s %s", path, wanted, strchr("aeio", *given) ? "an" : "a", given);
}

void sl_check_table(lua_State *L, int index, const char *path) {
  if (!lua_istable(L, index)) sl_refuse(L, "%s must be a table, not a %s", path, luaL_typename(L, index));
}

/* Reads a text with a unit. Tries each unit of a list such as "rad/s, m/s" as the wanted one, until the text
 * has its dimension. Returns the result of the last try. */
static sl_quantity read_quantity(const char *text, const char *units, double *value) {
  sl_quantity read = SL_QUANTITY_DIMENSION;
  for (const char *at = units; at && read != SL_QUANTITY_FINE;
       at = strchr(at, ',') ? strchr(at, ',') + 2 : NULL) {
    char unit[32];
    snprintf(unit, sizeof unit, "%.*s", (int)strcspn(at, ","), at);
    read = sl_quantity_read(text, unit, value);
  }
  return read;
}

double sl_read_number(lua_State *L, int index, const char *path, const char *unit) {
  double value = 0;
  if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  // a text is allowed only if it has a unit
  if (!unit || !*unit || !*text || sl_number_read(text, strlen(text), &value))
    wrong_type(L, index, path, "a number");
  sl_quantity read = read_quantity(text, unit, &value);
  if (read != SL_QUANTITY_FINE)
    sl_refuse(L, "%s: '%s' %s; expected %s [%s]", path, text,
        read == SL_QUANTITY_NONE          ? "is no number"
            : read == SL_QUANTITY_RANGE   ? "is out of range"
            : read == SL_QUANTITY_UNKNOWN ? "has an unknown unit"
                                          : "has the wrong dimension",
        sl_unit_words(unit), unit);
  return value;
}

void sl_read_vec3(
    lua_State *L, int index, const char *path, const char *unit, bool unbounded, double out[3]) {
  if (!lua_istable(L, index)) wrong_type(L, index, path, "a list of three numbers");
  index = lua_absindex(L, index);
  if (lua_rawlen(L, index) != 3)
    sl_refuse(L, "%s must have three numbers, not %d", path, (int)lua_rawlen(L, index));
  for (int i = 0; i < 3; i++) {
    char place[256];
    snprintf(place, sizeof place, "%.240s[%d]", path, i + 1);
    lua_rawgeti(L, index, i + 1);
    out[i] = sl_read_number(L, -1, place, unit);
    lua_pop(L, 1);
    if (isnan(out[i])) sl_refuse(L, "%s[%d] is NaN", path, i + 1);
    if (isinf(out[i]) && !unbounded) sl_refuse(L, "%s[%d] is infinite", path, i + 1);
  }
}

static void read_quat(lua_State *L, int index, const char *path, double out[4]) {
  if (!lua_istable(L, index)) wrong_type(L, index, path, "a quaternion {w, x, y, z}");
  index = lua_absindex(L, index);
  if (lua_rawlen(L, index) != 4)
    sl_refuse(L, "%s must have four numbers {w, x, y, z}, not %d", path, (int)lua_rawlen(L, index));
  double square = 0;
  for (int i = 0; i < 4; i++) {
    if (lua_rawgeti(L, index, i + 1) != LUA_TNUMBER)
      sl_refuse(L, "%s[%d] must be a number, not a %s", path, i + 1, luaL_typename(L, -1));
    out[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!isfinite(out[i])) sl_refuse(L, "%s[%d] is %s", path, i + 1, isnan(out[i]) ? "NaN" : "infinite");
    square += out[i] * out[i];
  }
  if (!(square > 0)) sl_refuse(L, "%s must not be zero", path);
  for (int i = 0; i < 4; i++) out[i] /= sqrt(square);
}

/* Names in "a|b|c". name: buffer of choice_name. */
typedef struct choice_list {
  const char *text;
  char name[64];
} choice_list;
/* Returns the i-th name of a list of choices, in the buffer of the list; NULL beyond the last. */
static const char *choice_name(const void *context, int i) {
  choice_list *list = (choice_list *)context;
  const char *at = list->text;
  for (; i > 0 && at; i--) at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
  if (!at) return NULL;
  snprintf(list->name, sizeof list->name, "%.*s", (int)strcspn(at, "|"), at);
  return list->name;
}

static int read_choice(lua_State *L, int index, const char *path, const char *choices) {
  if (lua_type(L, index) != LUA_TSTRING) wrong_type(L, index, path, "a string");
  const char *text = lua_tostring(L, index), *name;
  choice_list list = {choices, ""};
  int count = 0;
  for (; (name = choice_name(&list, count)); count++)
    if (!strcmp(name, text)) return count;
  return sl_refuse(L, "%s must be one of %s, not '%s'%s", path, choices, text,
      sl_hint(L, text, count, choice_name, &list));
}

void sl_read_value(lua_State *L, int index, const char *path, const scree_param *param, void *def) {
  char *at = (char *)def + param->offset;
  int type = lua_type(L, index), exact = 0;
  switch (param->type) {
  case SCREE_REAL: *(double *)at = sl_read_number(L, index, path, param->unit); break;
  case SCREE_INTEGER:
    if (type != LUA_TNUMBER) wrong_type(L, index, path, "a whole number");
    *(int64_t *)at = lua_tointegerx(L, index, &exact);
    if (!exact) {
      char text[32];
      sl_refuse(L, "%s must be a whole number, not %s", path, scree_shortest(lua_tonumber(L, index), text));
    }
    break;
  case SCREE_BOOLEAN:
    if (type != LUA_TBOOLEAN) wrong_type(L, index, path, "true or false");
    *(int *)at = lua_toboolean(L, index);
    break;
  case SCREE_STRING:
    if (type != LUA_TSTRING) wrong_type(L, index, path, "a string");
    *(const char **)at = lua_tostring(L, index);
    if (strlen(*(const char **)at) != lua_rawlen(L, index)) sl_refuse(L, "%s holds a zero byte", path);
    break;
  case SCREE_CHOICE: *(int *)at = read_choice(L, index, path, param->choices); break;
  case SCREE_VEC3: sl_read_vec3(L, index, path, param->unit, false, (double *)at); break;
  case SCREE_QUAT: read_quat(L, index, path, (double *)at); break;
  case SCREE_OPAQUE: return;
  }
  SL_TRY(L, scree_param_check(param, def, path, &error));
}

/* ---- tables ---- */

typedef struct key_list {
  const sl_section *sections;
  int count;
} key_list;
static const char *key_name(const void *context, int i) {
  const key_list *list = context;
  for (int s = 0; s < list->count; i -= list->sections[s].count, s++)
    if (i < list->sections[s].count) return list->sections[s].params[i].name;
  return NULL;
}

static int keys_count(const sl_section *sections, int count) {
  int keys = 0;
  for (int s = 0; s < count; s++) keys += sections[s].count;
  return keys;
}

static bool key_known(const sl_section *sections, int count, const char *name) {
  for (int s = 0; s < count; s++)
    if (scree_param_find(sections[s].params, sections[s].count, name)) return true;
  return false;
}

/* Returns the position in a doc text where a name occurs as a word or as words, "time step" for time_step and
 * timestep; -1 if it does not occur. */
static int speaks_of(const char *doc, const char *name) {
  for (const char *start = doc; *start; start++) {
    const char *at = start, *letter = name;
    if (start != doc && start[-1] != ' ') continue;
    for (; *letter; letter++) {
      if (*letter == '_' && *at == ' ') {
        at++;
        continue;
      }
      if (*at == ' ' && letter != name) at++;
      if (*at++ != *letter) break;
    }
    if (!*letter && !isalnum((unsigned char)*at)) return (int)(start - doc);
  }
  return -1;
}

/* Returns whether a name can be searched in doc texts: it is long enough, or a symbol such as e, but not
 * an article. */
static bool is_informative(const char *name) {
  return strlen(name) > 3 || !strcmp(name, "cor") || (name[0] && !name[1] && *name != 'a');
}

static bool is_choice(const scree_param *param, const char *name) {
  choice_list list = {param->type == SCREE_CHOICE ? param->choices : NULL, ""};
  const char *choice = NULL;
  for (int i = 0; list.text && (choice = choice_name(&list, i)) && strcmp(choice, name); i++) {}
  return choice != NULL;
}

/* Returns the key whose doc text contains `name`: spin for angular_velocity, mu for friction, restitution for
 * e. Of several such keys, prefers numbers, then the key in whose text the name occurs first. *where:
 * receives the position in the text. Returns NULL if there is no such key. */
static const scree_param *find_meaning(const char *name, const sl_section *sections, int count, int *where) {
  enum { NO_NUMBER = 1 << 16 };
  const scree_param *best = NULL;
  *where = 2 * NO_NUMBER;
  for (int s = 0; s < count && is_informative(name); s++)
    for (int i = 0; i < sections[s].count; i++) {
      const scree_param *p = sections[s].params + i;
      const bool number = p->type == SCREE_REAL || p->type == SCREE_VEC3 || p->type == SCREE_QUAT;
      const int at = speaks_of(p->doc, name);
      if (at < 0 || at + (number ? 0 : NO_NUMBER) >= *where) continue;
      *where = at + (number ? 0 : NO_NUMBER);
      best = p;
    }
  return best;
}

/* Raises an error with a hint if the key is a value of another key: fixed = true instead of kind =
 * "fixed". */
static void offer_choice(
    lua_State *L, const char *path, const char *name, const sl_section *sections, int count) {
  for (int s = 0; s < count; s++)
    for (int i = 0; i < sections[s].count; i++)
      if (is_choice(sections[s].params + i, name))
        sl_refuse(L, "%s.%s is not a known key; did you mean %s = \"%s\"?", path, name,
            sections[s].params[i].name, name);
}

static const scree_param *find_key(const char *name, const sl_section *sections, int count) {
  const scree_param *found = NULL;
  for (int s = 0; s < count && !found; s++)
    found = scree_param_find(sections[s].params, sections[s].count, name);
  return found;
}

/* Writes `before` and "[unit]", or an empty text for a key without a unit. */
static void put_unit(const scree_param *param, const char *before, char out[64]) {
  out[0] = 0;
  if (param && param->unit && *param->unit) snprintf(out, 64, "%s[%s]", before, param->unit);
}

static void unknown_key(
    lua_State *L, const char *path, const char *name, const sl_section *sections, int count) {
  key_list list = {sections, count};
  int keys = keys_count(sections, count), where;
  if (!keys) sl_refuse(L, "%s must be a list: the key '%s' is not expected", path, name);
  offer_choice(L, path, name, sections, count);
  const scree_param *meaning = find_meaning(name, sections, count, &where);
  const char *near = scree_nearest_name(name, keys, key_name, &list);
  char unit[64] = "";
  if (near && where > 0) {
    put_unit(find_key(near, sections, count), " ", unit);
    sl_refuse(L, "%s.%s is not a known key; did you mean '%s'?%s", path, name, near, unit);
  }
  if (meaning) {
    put_unit(meaning, " ", unit);
    sl_refuse(L, "%s.%s is not a known key; did you mean '%s' (%s)?%s", path, name, meaning->name,
        meaning->doc, unit);
  }
  sl_refuse(L, "%s.%s is not a known key; known are %s", path, name, sl_names(L, keys, key_name, &list));
}

/* Raises an error for an unknown key. It names the alphabetically first one of several unknown
 * keys, so that the message is reproducible. */
static void check_keys(
    lua_State *L, int index, const char *path, const sl_section *sections, int count, int items) {
  const char *worst = NULL;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      const char *name = lua_tostring(L, -2);
      if (!key_known(sections, count, name) && (!worst || strcmp(name, worst) < 0)) worst = name;
    } else if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > items) {
      const char *key = sl_tostring(L, -2);
      sl_refuse(L, "%s[%s] is not expected: keys are names", path, key);
    }
  }
  if (worst) unknown_key(L, path, worst, sections, count);
}

/* Copies the n-th unit of a list "a, b" to `out`, or the whole list if n is 0 or the list has one unit. */
static const char *choose_unit(const char *units, int n, char out[64]) {
  const bool single = !units || !strchr(units, ',');
  for (; n > 1 && !single && strchr(units, ','); n--) units = strchr(units, ',') + 2;
  if (n && !single) snprintf(out, 64, "%.*s", (int)strcspn(units, ","), units);
  return n && !single ? out : units;
}

static void read_section(lua_State *L, int index, const char *path, const sl_section *section) {
  for (int i = 0; i < section->count; i++) {
    scree_param own = section->params[i];
    const scree_param *param = &own;
    char place[256], unit[64];
    own.unit = choose_unit(own.unit, section->unit, unit);
    snprintf(place, sizeof place, "%s.%s", path, param->name);
    lua_pushstring(L, param->name);
    if (lua_rawget(L, index) != LUA_TNIL) sl_read_value(L, -1, place, param, section->def);
    else if (param->flags & SCREE_REQUIRED) sl_refuse(L, "%s is missing: %s", place, param->doc);
    lua_pop(L, 1);
  }
}

void sl_read(lua_State *L, int index, const char *path, const sl_section *sections, int count, int items) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index)) wrong_type(L, index, path, "a table");
  luaL_checkstack(L, 16, "reading a table");
  check_keys(L, index, path, sections, count, items);
  for (int s = 0; s < count; s++) read_section(L, index, path, sections + s);
}

void sl_refuse_unread(
    lua_State *L, int index, const char *path, const sl_section *section, const scree_param_reader *reader) {
  for (int i = 0; i < section->count; i++) {
    const scree_param *param = section->params + i;
    scree_error error = {SCREE_OK, ""};
    char place[256];
    if (scree_param_is_read(param, reader) || !sl_has_key(L, index, param->name)) continue;
    snprintf(place, sizeof place, "%s.%s", path, param->name);
    scree_param_refuse(param, reader, place, &error);
    sl_raise_error(L, &error);
  }
}

int sl_read_material(lua_State *L, int index, const char *path, const scree_world *world) {
  scree_error error = {SCREE_OK, ""};
  char place[256];
  int material = 0;
  snprintf(place, sizeof place, "%s.material", path);
  lua_pushliteral(L, "material");
  if (lua_rawget(L, index) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TSTRING) wrong_type(L, -1, place, "the name of a material");
    material = scree_world_find_material(world, lua_tostring(L, -1), &error);
    if (material < 0) sl_raise(L, error.status, "%s: %s", place, error.text);
  }
  lua_pop(L, 1);
  return material;
}

int sl_vec3_argument(lua_State *L, int index, const char *what, double out[3]) {
  if (lua_istable(L, index)) return sl_read_vec3(L, index, what, NULL, false, out), 1;
  for (int i = 0; i < 3; i++) {
    if (lua_type(L, index + i) != LUA_TNUMBER)
      sl_refuse(L, "%s takes three numbers or a list of three", what);
    out[i] = lua_tonumber(L, index + i);
    if (!isfinite(out[i])) sl_refuse(L, "%s[%d] is %s", what, i + 1, isnan(out[i]) ? "NaN" : "infinite");
  }
  return 3;
}
