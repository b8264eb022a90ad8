/* Columns of the series: their names, units and values, and the condition stop_when, which names them. */
#include "bind/scene/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE(name) \
  { #name, "", offsetof(scree_report, name), 1 }
#define REAL(name, unit) \
  { #name, unit, offsetof(scree_report, name), 0 }
static const sl_column report_columns[SL_REPORT_COLUMNS] = {
    REAL(time, "s"),
    WHOLE(step),
    WHOLE(bodies),
    WHOLE(contacts),
    WHOLE(active),
    WHOLE(iterations),
    REAL(residual, "m/s"),
    REAL(kinetic, "J"),
    REAL(potential, "J"),
    REAL(dissipated, "J"),
    REAL(penetration, "m"),
    REAL(mean_penetration, "m"),
    {"momentum_x", "kg m/s", offsetof(scree_report, momentum), 0},
    {"momentum_y", "kg m/s", offsetof(scree_report, momentum) + sizeof(double), 0},
    {"momentum_z", "kg m/s", offsetof(scree_report, momentum) + 2 * sizeof(double), 0},
    REAL(max_speed, "m/s"),
    REAL(elastic, "J"),
    REAL(work, "J"),
    REAL(correction, "J"),
    REAL(unbalanced, ""),
    REAL(overlap, ""),
};

const sl_column *sl_report_column(int index) { return report_columns + index; }

double sl_column_value(const sl_column *column, const scree_report *report) {
  const char *at = (const char *)report + column->offset;
  return column->whole ? (double)*(const int64_t *)at : *(const double *)at;
}

static bool is_report_column(const char *name) {
  for (int i = 0; i < SL_REPORT_COLUMNS; i++)
    if (!strcmp(report_columns[i].name, name)) return true;
  return false;
}

/* Returns the length of a name without a unit in brackets at its end. */
static size_t count_bare(const char *name) {
  const size_t length = strlen(name);
  const char *bracket = strstr(name, " [");
  return bracket && length && name[length - 1] == ']' ? (size_t)(bracket - name) : length;
}

/* Returns the first column of the scene whose header in series.csv equals the header of another column, for
 * example "a [m]" and "a" with the unit m, or "kinetic [J]". -1: none. */
static int find_double(const sl_columns *own) {
  for (int i = 0; i < own->count; i++) {
    const char *name = own->name[i];
    const size_t bare = count_bare(name);
    for (int k = 0; k < SL_REPORT_COLUMNS; k++)
      if (strlen(report_columns[k].name) == bare && !memcmp(report_columns[k].name, name, bare)) return i;
    for (int k = 0; k < own->count; k++)
      if (k != i && bare < strlen(name) && count_bare(own->name[k]) == bare &&
          !memcmp(own->name[k], name, bare))
        return i;
  }
  return -1;
}

bool sl_column_fits(const char *name) {
  size_t length = strnlen(name, SL_COLUMN);
  if (!length || length == SL_COLUMN) return false;
  for (const unsigned char *at = (const unsigned char *)name; *at; at++)
    if (*at < ' ' || *at == 127 || *at == ',' || *at == '"') return false;
  return true;
}

/* Returns whether a text is allowed as a unit in brackets in the header of the series. */
static bool is_unit(const char *text) {
  for (const unsigned char *at = (const unsigned char *)text; *at; at++)
    if (*at < ' ' || *at == 127 || strchr(",\"[]", *at)) return false;
  return strlen(text) < SL_UNIT;
}

/* Reads the value on top of the stack, a number or { number, unit }, into *value and *unit ("": none), which
 * Lua owns as long as the value. Returns false for anything else, and for units that do not fit a header. */
static bool read_value(lua_State *L, double *value, const char **unit) {
  *unit = "";
  *value = lua_tonumber(L, -1);
  if (lua_type(L, -1) == LUA_TNUMBER) return true;
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) > 2) return false;
  const int number = lua_rawgeti(L, -1, 1), text = lua_rawgeti(L, -2, 2);
  *value = lua_tonumber(L, -2);
  if (text == LUA_TSTRING) *unit = lua_tostring(L, -1); /* the table holds the text */
  lua_pop(L, 2);
  return number == LUA_TNUMBER && (text == LUA_TSTRING || text == LUA_TNIL) && is_unit(*unit);
}

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

/* Appends the names in the table on top of the stack. Returns false, with the reason in text, if a name is
 * not allowed for a column. */
static bool append_names(lua_State *L, sl_columns *own, char text[SL_COLUMN_TEXT]) {
  *text = 0;
  for (lua_pushnil(L); !*text && lua_next(L, -2); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (!name)
      snprintf(
          text, SL_COLUMN_TEXT, "must return a table with names as keys, not a %s", luaL_typename(L, -2));
    else if (is_report_column(name))
      snprintf(text, SL_COLUMN_TEXT, "must not return '%s': the series has a column with this name", name);
    else if (!sl_column_fits(name))
      snprintf(text, SL_COLUMN_TEXT,
          "must not return '%.80s': a name has 1 to %d bytes without comma or quote", name, SL_COLUMN - 1);
    else if (own->count == SL_COLUMNS)
      snprintf(text, SL_COLUMN_TEXT, "must return at most %d names", SL_COLUMNS);
    else snprintf(own->name[own->count++], sizeof *own->name, "%s", name);
  }
  if (*text) return lua_pop(L, 1), false;
  qsort(own->name, (size_t)own->count, sizeof *own->name, compare_names);
  return true;
}

bool sl_columns_take(lua_State *L, sl_columns *own, char text[SL_COLUMN_TEXT]) {
  if (!append_names(L, own, text)) return false;
  const int twice = find_double(own);
  if (twice >= 0)
    snprintf(text, SL_COLUMN_TEXT,
        "must not return '%.63s': without its unit it is the name of another column", own->name[twice]);
  return twice < 0;
}

bool sl_columns_check_units(lua_State *L, sl_columns *own, char text[SL_COLUMN_TEXT]) {
  int changed = -1;
  for (int i = 0; i < own->count; i++) {
    double value;
    const char *unit;
    lua_pushstring(L, own->name[i]);
    lua_rawget(L, -2);
    if (!read_value(L, &value, &unit)) unit = "";
    if (!own->units_known) snprintf(own->unit[i], sizeof *own->unit, "%s", unit);
    else if (changed < 0 && strcmp(unit, own->unit[i])) changed = i;
    lua_pop(L, 1);
  }
  own->units_known = true;
  if (changed < 0) return true;
  snprintf(text, SL_COLUMN_TEXT,
      "must return '%s' in the same unit in every row; in the first row the unit was '%s'",
      own->name[changed], own->unit[changed]);
  return false;
}

bool sl_columns_check_names(lua_State *L, const sl_columns *own, char text[SL_COLUMN_TEXT]) {
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "a name that is no string";
    bool known = false;
    for (int i = 0; i < own->count && !known; i++) known = !strcmp(own->name[i], name);
    if (known) continue;
    snprintf(text, SL_COLUMN_TEXT,
        "must return the same names in every row, but '%.63s' was nil in the first; 0/0 stands for no value",
        name);
    return lua_pop(L, 2), false;
  }
  return true;
}

bool sl_columns_read(lua_State *L, const sl_columns *own, int i, double *value, char text[SL_COLUMN_TEXT]) {
  lua_pushstring(L, own->name[i]);
  const int type = lua_rawget(L, -2);
  const char *unit;
  const bool good = read_value(L, value, &unit);
  if (isnan(*value)) *value = NAN; /* 0/0 may have a sign, which files would show */
  lua_pop(L, 1);
  if (good) return true;
  if (type == LUA_TTABLE)
    snprintf(text, SL_COLUMN_TEXT,
        "must return a number or { number, \"unit\" } as '%s' every time; a unit has at most %d bytes, "
        "without comma, quote or bracket",
        own->name[i], SL_UNIT - 1);
  else
    snprintf(text, SL_COLUMN_TEXT, "must return a number as '%s' every time, not %s%s", own->name[i],
        type == LUA_TNIL ? "" : "a ", type == LUA_TNIL ? "nothing" : lua_typename(L, type));
  return false;
}

/* ---- the condition that ends a run ---- */

static const char *get_column_name(const void *context, int i) {
  const sl_columns *own = context;
  return i < SL_REPORT_COLUMNS ? report_columns[i].name : own->name[i - SL_REPORT_COLUMNS];
}

static bool refuse_column(const sl_columns *own, const char *name, char text[SL_COLUMN_TEXT]) {
  const char *near = scree_nearest_name(name, SL_REPORT_COLUMNS + own->count, get_column_name, own);
  snprintf(text, SL_COLUMN_TEXT, "stop_when: the series has no column %s%s%s%s", name,
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return false;
}

static bool check_unit(const sl_term *term, const char *unit, char text[SL_COLUMN_TEXT]) {
  if (sl_term_fits(term, unit)) return true;
  snprintf(text, SL_COLUMN_TEXT, "stop_when: %s is in %s, not like %s", term->name,
      *unit ? unit : "pure numbers", term->quantity);
  return false;
}

/* Finds the value of the column of a term, in the report or in the scene's values on top of the stack.
 * Returns false with a text if there is no such column or if its unit does not fit. */
static bool find_value(lua_State *L, const sl_columns *columns, const sl_term *term,
    const scree_report *report, bool own, double *value, char text[SL_COLUMN_TEXT]) {
  for (int i = 0; i < SL_REPORT_COLUMNS; i++) {
    const sl_column *column = report_columns + i;
    if (strcmp(column->name, term->name)) continue;
    *value = sl_column_value(column, report);
    return check_unit(term, column->unit, text);
  }
  if (!own) return refuse_column(columns, term->name, text);
  lua_pushstring(L, term->name);
  lua_rawget(L, -2);
  const char *unit;
  const bool good = read_value(L, value, &unit) ? !*unit || check_unit(term, unit, text)
                                                : refuse_column(columns, term->name, text);
  *value *= sl_term_factor(term, unit);
  lua_pop(L, 1);
  return good;
}

bool sl_scene_judge(sl_scene *scene, const sl_columns *columns, const scree_report *report, bool own,
    char text[SL_COLUMN_TEXT]) {
  sl_condition *c = &scene->stop_when;
  bool now = c->terms > 0;
  for (int i = 0; i < c->terms; i++) {
    double value = NAN;
    if (!find_value(sl_runtime_lua(scene->runtime), columns, c->term + i, report, own, &value, text))
      return false;
    now = now && sl_term_true(c->term + i, value);
  }
  /* the state after setup is not judged, because everything may be at rest in it */
  if (report->step > 0) sl_condition_look(c, report->time, now);
  return true;
}
