/* Columns of the series: those of the report, then the scene's own values. */
#include "run/run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_kept.h"

#define WHOLE(name) \
  { #name, "", offsetof(scree_report, name), 1 }
#define REAL(name, unit) \
  { #name, unit, offsetof(scree_report, name), 0 }
static const run_column report_columns[RUN_REPORT_COLUMNS] = {
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

const run_accuracy_column run_accuracy_columns[RUN_ACCURACY_COLUMNS] = {
    {"unbalanced_mean", "unbalanced_mean"}, {"overlap_max", "overlap_max"},
    {"residual_max", "largest_relative_residual"}, {"crossed", "crossed"}, {"bodies_lost", "bodies_lost"}};

const run_column *run_report_column(int index) { return report_columns + index; }

double run_column_value(const run_column *column, const scree_report *report) {
  const char *at = (const char *)report + column->offset;
  return column->whole ? (double)*(const int64_t *)at : *(const double *)at;
}

static bool is_report_column(const char *name) {
  for (int i = 0; i < RUN_REPORT_COLUMNS; i++)
    if (!strcmp(report_columns[i].name, name)) return true;
  return false;
}

/* Returns the length of a name without a unit in brackets behind it. */
static size_t count_bare(const char *name) {
  const size_t length = strlen(name);
  const char *bracket = strstr(name, " [");
  return bracket && length && name[length - 1] == ']' ? (size_t)(bracket - name) : length;
}

/* Returns the first column of the scene's own whose header reads as that of another one: "a [m]" and a in m,
 * or "kinetic [J]". -1: none. */
static int find_double(const run *r) {
  for (int i = 0; i < r->columns_count; i++) {
    const char *name = r->columns[i];
    const size_t bare = count_bare(name);
    for (int k = 0; k < RUN_REPORT_COLUMNS; k++)
      if (strlen(report_columns[k].name) == bare && !memcmp(report_columns[k].name, name, bare)) return i;
    for (int k = 0; k < r->columns_count; k++)
      if (k != i && bare < strlen(name) && count_bare(r->columns[k]) == bare &&
          !memcmp(r->columns[k], name, bare))
        return i;
  }
  return -1;
}

/* The scene's own values lie on the stack as a table: on the first row its keys, sorted, become columns. */
static int by_name(const void *a, const void *b) { return strcmp(a, b); }
int run_take_columns(run *r) {
  lua_State *L = sl_runtime_lua(r->runtime);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || is_report_column(lua_tostring(L, -2)) ||
        !kept_column_fits(lua_tostring(L, -2)) || r->columns_count == RUN_COLUMNS)
      return lua_pop(L, 2), -1;
    snprintf(r->columns[r->columns_count++], sizeof *r->columns, "%s", lua_tostring(L, -2));
  }
  qsort(r->columns, (size_t)r->columns_count, sizeof *r->columns, by_name);
  return find_double(r) < 0 ? 0 : -1;
}

/* Returns whether a text can stand between brackets in the header of the series. */
static bool is_unit(const char *text) {
  for (const unsigned char *at = (const unsigned char *)text; *at; at++)
    if (*at < ' ' || *at == 127 || strchr(",\"[]", *at)) return false;
  return strlen(text) < RUN_UNIT;
}

bool run_read_value(lua_State *L, double *value, const char **unit) {
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

int run_find_changed_unit(run *r) {
  lua_State *L = sl_runtime_lua(r->runtime);
  int changed = -1;
  for (int i = 0; i < r->columns_count; i++) {
    double value;
    const char *unit;
    lua_pushstring(L, r->columns[i]);
    lua_rawget(L, -2);
    if (!run_read_value(L, &value, &unit)) unit = "";
    if (!r->units_known) snprintf(r->units[i], sizeof *r->units, "%s", unit);
    else if (changed < 0 && strcmp(unit, r->units[i])) changed = i;
    lua_pop(L, 1);
  }
  r->units_known = 1;
  return changed;
}

int run_values_trouble(run *r, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return run_fail(r, CLI_SCRIPT, "%s: output.series.values %s", r->scene.path, text);
}

int run_refuse_values(run *r) {
  const int twice = find_double(r);
  if (twice >= 0)
    return run_values_trouble(
        r, "must not return '%.63s': without its unit it is the name of another column", r->columns[twice]);
  return run_values_trouble(r,
      "must return a table with at most 64 names, each of 1 to 63 bytes without comma or quote, and none of "
      "the "
      "series' own columns");
}
