/* Bulk views: one quantity of all bodies as an object, without a table per grain.
 *
 * A view is a pointer into the world. It is valid until the world changes (a step, an added or removed
 * body); then every use is an error. Rows are in the engine's order; the view "id" maps rows to bodies.
 * Reductions and bulk changes act on dynamic bodies only; get, set and totable on all rows. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "scree/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  scree_view view;
  bool whole;
  bool writable;
} kinds[] = {{"position", SCREE_VIEW_POSITION, false, true},
    {"orientation", SCREE_VIEW_ORIENTATION, false, true}, {"velocity", SCREE_VIEW_VELOCITY, false, true},
    {"spin", SCREE_VIEW_SPIN, false, true}, {"radius", SCREE_VIEW_RADIUS, false, false},
    {"mass", SCREE_VIEW_MASS, false, false}, {"id", SCREE_VIEW_ID, true, false},
    {"group", SCREE_VIEW_GROUP, true, false}, {"kind", SCREE_VIEW_KIND, true, false},
    {"", SCREE_VIEW_KIND, false, true}};
/* COLUMN: kind of the views of a column of the script. */
enum { KINDS = sizeof kinds / sizeof *kinds - 1, COLUMN = KINDS, MOST_COLUMNS = 4 };

typedef struct view {
  sl_world *world;
  uint64_t version;
  void *data;
  const int64_t *body_kind; /* [rows] kind of each body */
  int64_t rows;
  int columns, kind;
  int stride; /* distance of rows in doubles; 1 for views of whole numbers */
  char name[SCREE_COLUMN_TEXT + 1];
} view;

/* Returns the name of kind i of view; the numbers after the kinds are the columns of the world. */
static const char *view_name(const void *context, int i) {
  return i < KINDS ? kinds[i].name : scree_world_column(context, i - KINDS)->name;
}

/* w:view "velocity" */
static int world_view(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  const char *name = luaL_checkstring(L, 2);
  const scree_world *w = world->world;
  const int columns = scree_world_columns_count(w);
  int kind = 0;
  while (kind < KINDS && strcmp(kinds[kind].name, name)) kind++;
  const int column = kind == KINDS ? scree_world_find_column(w, name, NULL) : -1;
  if (kind == KINDS && column < 0)
    sl_refuse(L, "there is no view '%s'%s", name, sl_hint(L, name, KINDS + columns, view_name, w));
  view *v = lua_newuserdatauv(L, sizeof *v, 1);
  void *body_kind;
  int64_t rows;
  memset(v, 0, sizeof *v);
  v->world = world;
  v->kind = kind;
  bool kinds_known = scree_world_view(world->world, SCREE_VIEW_KIND, &body_kind, &rows);
  if (column >= 0) {
    v->data = scree_world_column_values(world->world, column, &v->rows, &v->stride);
    v->columns = 1;
  } else v->columns = v->stride = scree_world_view(world->world, kinds[kind].view, &v->data, &v->rows);
  snprintf(v->name, sizeof v->name, "%s", name);
  v->body_kind = body_kind;
  v->version = scree_world_version(world->world);
  if (!kinds_known || !v->columns || rows != v->rows)
    sl_raise(L, SCREE_E_MEMORY, "no memory for the view '%s'", name);
  sl_set_type_in(L, SL_VIEW, 1);
  return 1;
}

/* ---- access ---- */

static view *check_view(lua_State *L, int index) {
  view *v = sl_check(L, index, SL_VIEW);
  if (v->version != scree_world_version(v->world->world))
    sl_raise(L, SCREE_E_STALE,
        "the view '%s' is out of date: the world has changed since; take it anew with w:view", v->name);
  return v;
}

/* Returns the view at stack index 1. Raises an error unless its values may be changed now. */
static view *check_writable(lua_State *L) {
  view *v = check_view(L, 1);
  if (!kinds[v->kind].writable) sl_refuse(L, "the view '%s' is read only", v->name);
  if (v->world->stepping) sl_refuse(L, "the world cannot be changed from within a friction law");
  return v;
}

/* Raises an error on several ranks, where each rank has only its own rows. */
static void need_whole(lua_State *L, const view *v) {
  int ranks = scree_world_ranks(v->world->world, NULL);
  if (ranks > 1)
    sl_refuse(L,
        "the rows of the view '%s' lie on %d ranks: sum, mean, min, max, max_norm, add, scale, fill and axpy "
        "work on all of them",
        v->name, ranks);
}

static int64_t check_row(lua_State *L, const view *v, int index) {
  need_whole(L, v);
  lua_Integer row = luaL_checkinteger(L, index);
  if (row < 1 || row > v->rows)
    sl_refuse(L, "row %lld of the view '%s' is outside 1..%lld", (long long)row, v->name, (long long)v->rows);
  return row - 1;
}

static double *row_of(const view *v, int64_t row) { return (double *)v->data + row * v->stride; }
static double value_at(const view *v, int64_t row, int column) {
  return kinds[v->kind].whole ? (double)((const int64_t *)v->data)[row] : row_of(v, row)[column];
}
static void push_value(lua_State *L, const view *v, int64_t row, int column) {
  static const char *const words[] = {"dynamic", "kinematic", "fixed"};
  if (!strcmp(v->name, "kind")) lua_pushstring(L, words[((const int64_t *)v->data)[row] % 3]);
  else if (kinds[v->kind].whole) lua_pushinteger(L, ((const int64_t *)v->data)[row]);
  else lua_pushnumber(L, row_of(v, row)[column]);
}
static bool is_dynamic_row(const view *v, int64_t row) { return v->body_kind[row] == SCREE_DYNAMIC; }

static int view_get(lua_State *L) {
  const view *v = check_view(L, 1);
  int64_t row = check_row(L, v, 2);
  for (int c = 0; c < v->columns; c++) push_value(L, v, row, c);
  return v->columns;
}

static bool is_orientation(const view *v) { return kinds[v->kind].view == SCREE_VIEW_ORIENTATION; }

/* Normalises the value if the view contains orientations. */
static void normalise_orientation(lua_State *L, const view *v, double value[MOST_COLUMNS], const char *what) {
  double most = 0, square = 0;
  if (!is_orientation(v)) return;
  for (int c = 0; c < 4; c++) most = fmax(most, fabs(value[c]));
  for (int c = 0; c < 4 && most > 0; c++) square += value[c] / most * (value[c] / most);
  double length = most * sqrt(square);
  if (!(most > 0)) sl_refuse(L, "view.%s: the orientation is zero", what);
  for (int c = 0; c < 4 && !(fabs(length - 1) < 1e-12); c++) value[c] = value[c] / most / sqrt(square);
}

/* Raises an error if the view contains orientations, because sums of quaternions have no meaning. */
static void refuse_orientation(lua_State *L, const view *v, const char *what) {
  if (is_orientation(v)) sl_refuse(L, "view.%s: orientations are set row by row or filled", what);
}

static int view_set(lua_State *L) {
  view *v = check_writable(L);
  int64_t row = check_row(L, v, 2);
  double value[MOST_COLUMNS];
  if (!is_dynamic_row(v, row) && v->kind != COLUMN)
    sl_refuse(L, "row %lld is not a dynamic body; use the body's own set_%s", (long long)row + 1, v->name);
  for (int c = 0; c < v->columns; c++)
    if (!isfinite(value[c] = luaL_checknumber(L, 3 + c)))
      sl_refuse(L, "view.set: value %d is not finite", c + 1);
  normalise_orientation(L, v, value, "set");
  memcpy(row_of(v, row), value, (size_t)v->columns * sizeof *value);
  return 0;
}

/* totable(): all values in one flat list, row by row. */
static int view_totable(lua_State *L) {
  const view *v = check_view(L, 1);
  need_whole(L, v);
  lua_createtable(L, (int)(v->rows * v->columns), 0);
  for (int64_t row = 0, k = 1; row < v->rows; row++)
    for (int c = 0; c < v->columns; c++) {
      push_value(L, v, row, c);
      lua_rawseti(L, -2, k++);
    }
  return 1;
}

static int view_rows(lua_State *L) {
  const view *v = check_view(L, 1);
  double rows = 0;
  for (int64_t row = 0; row < v->rows; row++) rows += v->body_kind[row] >= 0;
  scree_world_combine(v->world->world, 0, &rows, 1);
  return lua_pushinteger(L, (lua_Integer)rows), 1;
}
static int view_columns(lua_State *L) { return lua_pushinteger(L, check_view(L, 1)->columns), 1; }

/* ---- reductions over dynamic bodies, column by column ---- */

static int64_t sum_columns(const view *v, double out[MOST_COLUMNS]) {
  int64_t count = 0;
  memset(out, 0, MOST_COLUMNS * sizeof *out);
  for (int64_t row = 0; row < v->rows; row++) {
    if (!is_dynamic_row(v, row)) continue;
    for (int c = 0; c < v->columns; c++) out[c] += value_at(v, row, c);
    count++;
  }
  double all[MOST_COLUMNS + 1];
  memcpy(all, out, MOST_COLUMNS * sizeof *out);
  all[MOST_COLUMNS] = (double)count;
  scree_world_combine(v->world->world, 0, all, MOST_COLUMNS + 1);
  memcpy(out, all, MOST_COLUMNS * sizeof *out);
  return (int64_t)all[MOST_COLUMNS];
}

static int view_sum(lua_State *L) {
  double out[MOST_COLUMNS];
  const view *v = check_view(L, 1);
  sum_columns(v, out);
  return sl_push_numbers(L, out, v->columns);
}

/* mean(): mean of every column; no value if there is no dynamic body. */
static int view_mean(lua_State *L) {
  double out[MOST_COLUMNS];
  const view *v = check_view(L, 1);
  int64_t count = sum_columns(v, out);
  for (int c = 0; c < v->columns; c++) out[c] /= (double)count;
  return count ? sl_push_numbers(L, out, v->columns) : 0;
}

static int find_extreme(lua_State *L, double sign) {
  double out[MOST_COLUMNS];
  const view *v = check_view(L, 1);
  int64_t count = 0;
  for (int64_t row = 0; row < v->rows; row++) {
    if (!is_dynamic_row(v, row)) continue;
    for (int c = 0; c < v->columns; c++) {
      double value = value_at(v, row, c);
      if (!count || sign * value > sign * out[c]) out[c] = value;
    }
    count++;
  }
  if (scree_world_ranks(v->world->world, NULL) > 1) {
    double all[MOST_COLUMNS + 1] = {[MOST_COLUMNS] = (double)count};
    for (int c = 0; c < v->columns; c++) all[c] = count ? sign * out[c] : -INFINITY;
    scree_world_combine(v->world->world, 1, all, MOST_COLUMNS + 1);
    for (int c = 0; c < v->columns; c++) out[c] = sign * all[c];
    count = (int64_t)all[MOST_COLUMNS];
  }
  return count ? sl_push_numbers(L, out, v->columns) : 0;
}
static int view_min(lua_State *L) { return find_extreme(L, -1); }
static int view_max(lua_State *L) { return find_extreme(L, 1); }

/* max_norm(): largest Euclidean norm of a row. */
static int view_max_norm(lua_State *L) {
  const view *v = check_view(L, 1);
  double most = 0;
  for (int64_t row = 0; row < v->rows; row++) {
    double square = 0;
    for (int c = 0; is_dynamic_row(v, row) && c < v->columns; c++)
      square += value_at(v, row, c) * value_at(v, row, c);
    if (square > most) most = square;
  }
  scree_world_combine(v->world->world, 1, &most, 1);
  return lua_pushnumber(L, sqrt(most)), 1;
}

/* ---- bulk changes of dynamic bodies ---- */

static double finite_argument(lua_State *L, int index, const char *what) {
  double value = luaL_checknumber(L, index);
  if (!isfinite(value)) sl_refuse(L, "view.%s: argument %d is not finite", what, index - 1);
  return value;
}

/* axpy(a, other): adds a * other to the view. */
static int view_axpy(lua_State *L) {
  view *v = check_writable(L);
  double a = finite_argument(L, 2, "axpy");
  refuse_orientation(L, v, "axpy");
  const view *other = check_view(L, 3);
  if (other->columns != v->columns || other->rows != v->rows)
    sl_refuse(L, "view.axpy: the views '%s' and '%s' differ in shape", v->name, other->name);
  for (int64_t row = 0; row < v->rows; row++)
    for (int c = 0; is_dynamic_row(v, row) && c < v->columns; c++)
      row_of(v, row)[c] += a * value_at(other, row, c);
  return 0;
}

static int view_add(lua_State *L) {
  view *v = check_writable(L);
  double value[MOST_COLUMNS];
  refuse_orientation(L, v, "add");
  for (int c = 0; c < v->columns; c++) value[c] = finite_argument(L, 2 + c, "add");
  for (int64_t row = 0; row < v->rows; row++)
    for (int c = 0; is_dynamic_row(v, row) && c < v->columns; c++) row_of(v, row)[c] += value[c];
  return 0;
}

static int view_scale(lua_State *L) {
  view *v = check_writable(L);
  double a = finite_argument(L, 2, "scale");
  refuse_orientation(L, v, "scale");
  for (int64_t row = 0; row < v->rows; row++)
    for (int c = 0; is_dynamic_row(v, row) && c < v->columns; c++) row_of(v, row)[c] *= a;
  return 0;
}

static int view_fill(lua_State *L) {
  view *v = check_writable(L);
  double value[MOST_COLUMNS];
  for (int c = 0; c < v->columns; c++) value[c] = finite_argument(L, 2 + c, "fill");
  normalise_orientation(L, v, value, "fill");
  for (int64_t row = 0; row < v->rows; row++)
    if (is_dynamic_row(v, row)) memcpy(row_of(v, row), value, (size_t)v->columns * sizeof *value);
  return 0;
}

/* ---- metamethods ---- */

static int view_length(lua_State *L) { return view_rows(L); }

static int view_tostring(lua_State *L) {
  const view *v = sl_check(L, 1, SL_VIEW);
  return lua_pushfstring(L, "view '%s' of %I rows", v->name, (LUAI_UACINT)v->rows), 1;
}

const luaL_Reg sl_view_methods[] = {{"view", world_view}, {NULL, NULL}};
const luaL_Reg sl_view_object_methods[] = {{"get", view_get}, {"set", view_set}, {"totable", view_totable},
    {"rows", view_rows}, {"columns", view_columns}, {"sum", view_sum}, {"mean", view_mean}, {"min", view_min},
    {"max", view_max}, {"max_norm", view_max_norm}, {"axpy", view_axpy}, {"add", view_add},
    {"scale", view_scale}, {"fill", view_fill}, {NULL, NULL}};
const luaL_Reg sl_view_metamethods[] = {{"__len", view_length}, {"__tostring", view_tostring}, {NULL, NULL}};

/* v[i]: the value of a one-column view, otherwise a list of the values of the row. module.c handles other
 * keys, the methods. */
int sl_view_item(lua_State *L) {
  const view *v = check_view(L, 1);
  int64_t row = check_row(L, v, 2);
  if (v->columns == 1) return push_value(L, v, row, 0), 1;
  lua_createtable(L, v->columns, 0);
  for (int c = 0; c < v->columns; c++) {
    push_value(L, v, row, c);
    lua_rawseti(L, -2, c + 1);
  }
  return 1;
}
