/* scree.plot{...}: figures from Lua tables. docs/plot.md lists the keys.
 *
 * Numbers are copied into memory that the Lua table at stack index KEEP owns until the figure is drawn.
 * Texts are borrowed from the tables. In the sandbox the name of the file is plain, and the file lies in
 * the directory of the run. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"

#include <stdio.h>
#include <string.h>

enum { TABLE = 1, KEEP = 2, PLACE = 200 };

/* ---- helpers ---- */

/* Returns zeroed memory that is owned by the table at KEEP. */
static void *allocate_kept(lua_State *L, size_t bytes) {
  void *block = lua_newuserdatauv(L, bytes ? bytes : 1, 0);
  memset(block, 0, bytes);
  lua_rawseti(L, KEEP, (lua_Integer)lua_rawlen(L, KEEP) + 1);
  return block;
}

/* Reads a list of numbers, or one number, under a key of the table on top of the stack. Returns NULL
 * without the key. *count: required length; if negative, any length is allowed and stored there. */
static const double *read_plot_numbers(lua_State *L, const char *path, const char *key, int64_t *count) {
  int type = lua_getfield(L, -1, key);
  if (type == LUA_TNIL) return lua_pop(L, 1), NULL;
  if (type != LUA_TTABLE && type != LUA_TNUMBER)
    sl_refuse(L, "%s.%s must be a list of numbers, not a %s", path, key, luaL_typename(L, -1));
  int64_t length = type == LUA_TNUMBER ? 1 : (int64_t)lua_rawlen(L, -1);
  if (*count >= 0 && length != *count)
    sl_refuse(
        L, "%s.%s has %lld numbers where %lld are wanted", path, key, (long long)length, (long long)*count);
  double *out = allocate_kept(L, (size_t)length * sizeof *out);
  if (type == LUA_TNUMBER) *out = lua_tonumber(L, -1);
  for (int64_t i = 0; i < length && type == LUA_TTABLE; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TNUMBER)
      sl_refuse(
          L, "%s.%s[%lld] must be a number, not a %s", path, key, (long long)i + 1, luaL_typename(L, -1));
    out[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  *count = length;
  return out;
}

/* Reads {from, to} under a key of the table on top of the stack; no change without the key. */
static void read_range(lua_State *L, const char *path, const char *key, double *from, double *to) {
  int64_t two = 2;
  const double *pair = read_plot_numbers(L, path, key, &two);
  if (!pair) return;
  if (!(pair[0] < pair[1])) sl_refuse(L, "%s.%s must rise: {%g, %g}", path, key, pair[0], pair[1]);
  *from = pair[0], *to = pair[1];
}

typedef void (*reader)(lua_State *L, const char *path, void *out);

/* Reads a list of tables under a key of the table on top of the stack. `read` reads each table into an
 * element of `size` bytes. Returns the elements, NULL without the key. */
static void *read_tables(
    lua_State *L, const char *path, const char *key, size_t size, reader read, int *count) {
  int type = lua_getfield(L, -1, key);
  *count = 0;
  if (type == LUA_TNIL) return lua_pop(L, 1), NULL;
  if (type != LUA_TTABLE) sl_refuse(L, "%s.%s must be a list, not a %s", path, key, luaL_typename(L, -1));
  *count = (int)lua_rawlen(L, -1);
  if (!*count && lua_next(L, (lua_pushnil(L), lua_gettop(L) - 1)))
    sl_refuse(L, "%s.%s must be a list of tables: {{...}, {...}}", path, key);
  char *out = allocate_kept(L, (size_t)*count * size);
  for (int i = 0; i < *count; i++) {
    char place[PLACE];
    snprintf(place, sizeof place, "%.*s.%.40s[%d]", PLACE - 64, path, key, i + 1);
    lua_rawgeti(L, -1, i + 1);
    sl_check_table(L, -1, place);
    read(L, place, out + (size_t)i * size);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return out;
}

/* ---- parts of a figure; each reads the table on top ---- */

static void read_series(lua_State *L, const char *path, void *out) {
  scree_plot_series *s = out;
  SL_READ_TABLE(L, -1, path, scree_plot_series_params, s);
  s->count = -1;
  s->x = read_plot_numbers(L, path, "x", &s->count);
  s->y = read_plot_numbers(L, path, "y", &s->count);
  s->y2 = read_plot_numbers(L, path, s->style == SCREE_PLOT_BAND ? "y2" : "error", &s->count);
  s->radius = read_plot_numbers(L, path, "radius", &s->count);
  s->value = read_plot_numbers(L, path, "value", &s->count);
}

static void read_arrows(lua_State *L, const char *path, void *out) {
  scree_plot_arrows *a = out;
  SL_READ_TABLE(L, -1, path, scree_plot_arrows_params, a);
  a->count = -1;
  a->x = read_plot_numbers(L, path, "x", &a->count);
  a->y = read_plot_numbers(L, path, "y", &a->count);
  a->u = read_plot_numbers(L, path, "u", &a->count);
  a->v = read_plot_numbers(L, path, "v", &a->count);
}

static void read_plot_shape(lua_State *L, const char *path, void *out) {
  scree_plot_shape *s = out;
  SL_READ_TABLE(L, -1, path, scree_plot_shape_params, s);
  s->count = -1;
  s->x = read_plot_numbers(L, path, "x", &s->count);
  s->y = read_plot_numbers(L, path, "y", &s->count);
  if (s->count == 1 && !(s->radius > 0)) sl_refuse(L, "%s: one point needs a radius", path);
}

static void read_note(lua_State *L, const char *path, void *out) {
  scree_plot_note *n = out;
  SL_READ_TABLE(L, -1, path, scree_plot_note_params, n);
  if (lua_getfield(L, -1, "align") != LUA_TNIL)
    n->align = luaL_checkoption(L, -1, NULL, (const char *const[]){"left", "center", "right", NULL}) - 1;
  lua_pop(L, 1);
}

static void read_plot_image(lua_State *L, const char *path, scree_plot_image *m) {
  char place[PLACE];
  snprintf(place, sizeof place, "%.*s.image", PLACE - 16, path);
  if (lua_getfield(L, -1, "image") != LUA_TNIL) {
    sl_check_table(L, -1, place);
    SL_READ_TABLE(L, -1, place, scree_plot_image_params, m);
    int64_t count = m->nx * m->ny;
    m->value = read_plot_numbers(L, place, "values", &count);
    read_range(L, place, "x", &m->xmin, &m->xmax);
    read_range(L, place, "y", &m->ymin, &m->ymax);
  }
  lua_pop(L, 1);
}

static void read_panel(lua_State *L, const char *path, void *out) {
  scree_plot_panel *p = out;
  SL_READ_TABLE(L, -1, path, scree_plot_panel_params, p);
  read_range(L, path, "xrange", &p->xmin, &p->xmax);
  read_range(L, path, "yrange", &p->ymin, &p->ymax);
  read_range(L, path, "color_range", &p->color_min, &p->color_max);
  read_plot_image(L, path, &p->image);
  p->series = read_tables(L, path, "series", sizeof *p->series, read_series, &p->series_count);
  p->arrows = read_tables(L, path, "arrows", sizeof *p->arrows, read_arrows, &p->arrows_count);
  p->shapes = read_tables(L, path, "shapes", sizeof *p->shapes, read_plot_shape, &p->shapes_count);
  p->notes = read_tables(L, path, "notes", sizeof *p->notes, read_note, &p->notes_count);
}

static int read_whole(lua_State *L, const char *key, int low, int high, int fallback) {
  int good, type = lua_getfield(L, TABLE, key);
  lua_Integer value = lua_tointegerx(L, -1, &good);
  lua_pop(L, 1);
  if (type == LUA_TNIL) return fallback;
  if (!good || value < low || value > high)
    sl_refuse(L, "plot.%s must be a whole number in [%d, %d]", key, low, high);
  return (int)value;
}

/* ---- drawing ---- */

/* Limits the number of figures of an untrusted script, because the time of drawing does not count as its
 * own. */
static void limit_figures(lua_State *L) {
  sl_runtime *runtime = sl_runtime_of(L);
  if (!runtime->def.trust && ++runtime->figures > SL_FIGURES_MOST)
    sl_raise(L, SCREE_E_MEMORY, "scree.plot: at most %d figures (--trust lifts the cap)", SL_FIGURES_MOST);
}

static int plot_text(lua_State *L, const scree_plot *plot) {
  char *text;
  int columns = read_whole(L, "width", 20, 1000, 80), rows = read_whole(L, "height", 5, 500, 24);
  SL_TRY(L, scree_plot_text(plot, columns, rows, &text, &error));
  lua_pushstring(L, text);
  scree_plot_text_free(text);
  return 1;
}

int sl_plot(lua_State *L) {
  scree_plot plot = {0};
  if (!lua_istable(L, TABLE)) sl_refuse(L, "plot takes a table, not a %s", luaL_typename(L, TABLE));
  lua_settop(L, TABLE);
  limit_figures(L);
  lua_newtable(L);
  lua_pushvalue(L, TABLE);
  SL_READ_TABLE(L, TABLE, "plot", scree_plot_params, &plot);
  plot.panels = read_tables(L, "plot", "panels", sizeof *plot.panels, read_panel, &plot.panels_count);
  plot.columns = read_whole(L, "columns", 1, 100, 1);
  if (lua_getfield(L, TABLE, "file") == LUA_TNIL) return plot_text(L, &plot);
  plot.width = read_whole(L, "width", 100, 20000, 0);
  char path[SL_PATH];
  scree_error error = {SCREE_OK, ""};
  sl_output_path(L, lua_tostring(L, -1), "plot.file", path);
  if (sl_runtime_silent(sl_runtime_of(L))) return lua_pushstring(L, path), 1;
  int before = sl_engine_enter(sl_runtime_of(L));
  scree_status status = scree_plot_write(&plot, path, &error);
  sl_engine_leave(sl_runtime_of(L), before);
  if (status) sl_raise_error(L, &error);
  lua_pushstring(L, path);
  return 1;
}
