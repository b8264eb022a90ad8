/* Distributions of sizes from tables: fill.sizes, insert.sizes, grading.target.
 *
 * A curve is a list of sieves. It has the share that passes each sieve, that stays on each sieve, or that is
 * coarser than each sieve. Shares are fractions or per cent, and the list begins with the finest or with the
 * coarsest sieve. The functions convert a curve to the passing curve of scree_sizes_def. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/tables/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVE_MOST = 10000, PLACE_TEXT = 256, NUMBER_TEXT = 64 };
static const scree_param curve_params[] = {
    SL_VALUE("passing",
        "instead of a distribution: a list of {diameter, share that is finer}, fine or coarse first"),
    SL_VALUE("retained",
        "instead of a distribution: a list of {sieve, share that stays on it}; {\"pan\", share} is what "
        "passes all"),
    SL_VALUE("coarser", "instead of a distribution: a list of {diameter, share that is coarser}"),
};
enum { PASSING, RETAINED, COARSER, CURVES };
static const double SUM_ERROR = 0.005; /* the retained shares must sum to 1 within this tolerance */

typedef struct holder {
  scree_sizes *sizes;
} holder;

static int holder_gc(lua_State *L) {
  holder *h = lua_touserdata(L, 1);
  scree_sizes_destroy(h->sizes);
  h->sizes = NULL;
  return 0;
}

/* A table of sieves: rows of a diameter and a share. */
typedef struct curve {
  const char *path; /* place of the list in messages */
  double (*row)[2]; /* [count + 2] diameter and share; two rows are free for bounds */
  int count;
  double pan;      /* share of the material in the pan, below the finest sieve; -1: not given */
  bool is_percent; /* true: shares without a % sign are per cent, because one of them is above 1 */
  double min, max; /* smallest and largest diameter that the table of sizes gives [m]; 0: not given */
} curve;

/* Reads a number or a text such as "0,5 mm", "0.02 in" or "40 %" at the top of the stack, and pops it.
 * unit: "" for shares. *is_plain: false for a text with a unit. */
static double read_entry_number(lua_State *L, const char *place, const char *unit, bool *is_plain) {
  char text[NUMBER_TEXT];
  *is_plain = true;
  if (lua_type(L, -1) == LUA_TSTRING) {
    size_t length;
    const char *from = lua_tolstring(L, -1, &length);
    if (length >= sizeof text) sl_refuse(L, "%s: '%.40s...' is too long", place, from);
    memcpy(text, from, length + 1);
    char *comma = strchr(text, ',');
    if (comma && !strchr(text, '.') && !strchr(comma + 1, ',')) *comma = '.';
    *is_plain = strspn(text, "0123456789.eE+- ") == length;
    double value;
    if (!*unit && sl_quantity_read(text, "", &value) == SL_QUANTITY_FINE) return lua_pop(L, 1), value;
    if (!*unit) sl_refuse(L, "%s: '%s' is no share, such as 0.4 or \"40 %%\"", place, from);
    lua_pushstring(L, text);
    lua_replace(L, -2);
  }
  const double value = sl_read_number(L, -1, place, *unit ? unit : NULL);
  lua_pop(L, 1);
  return value;
}

/* Reads the share of an entry. *is_plain: whether the share is a number without a % sign. Sets c->is_percent
 * if such a number is above 1; read_rows then divides all numbers without a % sign by 100. */
static double read_share(lua_State *L, curve *c, const char *place, bool *is_plain) {
  const double share = read_entry_number(L, place, "", is_plain);
  if (!(share >= 0 && share <= 100 + 1e-9))
    sl_refuse(L, "%s: a share lies between 0 and 1, or 0 and 100 %%, not %g", place, share);
  if (*is_plain && share > 1 + 1e-12) c->is_percent = true;
  return share;
}

/* Reads entry i, {diameter, share}, on top of the stack. plain[row], *pan_plain: set to whether the share of
 * the row, or of the pan, is a number without a % sign. */
static void read_entry(lua_State *L, curve *c, int i, bool *plain, bool *pan_plain) {
  char place[PLACE_TEXT];
  bool ignored;
  snprintf(place, sizeof place, "%.200s[%d]", c->path, i);
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2) sl_refuse(L, "%s must be {diameter, share}", place);
  lua_rawgeti(L, -1, 1);
  const bool is_pan = (lua_type(L, -1) == LUA_TSTRING && !strcmp(lua_tostring(L, -1), "pan")) ||
      (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) == 0);
  double diameter = 0;
  if (is_pan) lua_pop(L, 1);
  else diameter = read_entry_number(L, place, "m", &ignored);
  lua_rawgeti(L, -1, 2);
  if (is_pan) {
    if (c->pan >= 0) sl_refuse(L, "%s: there is a pan already", place);
    c->pan = read_share(L, c, place, pan_plain);
    return;
  }
  c->row[c->count][0] = diameter;
  c->row[c->count][1] = read_share(L, c, place, plain + c->count);
  c->count++;
}

/* Reverses the order of the rows. */
static void turn_rows(curve *c) {
  for (int i = 0, j = c->count - 1; i < j; i++, j--) {
    const double row[2] = {c->row[i][0], c->row[i][1]};
    memcpy(c->row[i], c->row[j], sizeof row);
    memcpy(c->row[j], row, sizeof row);
  }
}

/* Reads the list under a key of the table at index, and sorts it from fine to coarse. Pushes the userdata
 * that owns the rows. */
static void read_rows(lua_State *L, int index, const char *key, curve *c) {
  const lua_Unsigned count = lua_getfield(L, index, key) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
  if (count < 2 || count > CURVE_MOST)
    sl_refuse(L, "%s must be a list of 2 to %d entries {diameter, share}", c->path, CURVE_MOST);
  c->row = lua_newuserdatauv(L, (count + 2) * sizeof *c->row, 0);
  bool *plain = lua_newuserdatauv(L, (count + 1) * sizeof *plain, 0), pan_plain = true;
  for (int i = 1; i <= (int)count; i++) {
    lua_rawgeti(L, -3, i);
    read_entry(L, c, i, plain, &pan_plain);
    lua_pop(L, 1);
  }
  for (int i = 0; i < c->count && c->is_percent; i++)
    if (plain[i]) c->row[i][1] /= 100;
  if (c->is_percent && c->pan > 0 && pan_plain) c->pan /= 100;
  if (c->count > 1 && c->row[0][0] > c->row[c->count - 1][0]) turn_rows(c);
}

/* ---- conversion to a passing curve ---- */

/* Adds the bounds of the table of sizes as rows at both ends: nothing is finer than min or coarser than
 * max. */
static void add_ends(lua_State *L, curve *c, const char *sizes) {
  const double first = c->row[0][1], last = c->row[c->count - 1][1];
  if (first > 0 && !(c->min > 0))
    sl_refuse(L, "%s: %g %% are finer than the finest diameter, %g m; give %s.min, the smallest diameter",
        c->path, 100 * first, c->row[0][0], sizes);
  if (last < 1 && !(c->max > 0))
    sl_refuse(L, "%s ends at %g %%: the rest is coarser than %g m; give %s.max, the largest diameter",
        c->path, 100 * last, c->row[c->count - 1][0], sizes);
  if (first == 0 && c->min > 0) sl_refuse(L, "%s.min: the curve begins at %g m", sizes, c->row[0][0]);
  if (last >= 1 && c->max > 0) sl_refuse(L, "%s.max: the curve ends at %g m", sizes, c->row[c->count - 1][0]);
  if (first > 0) {
    memmove(c->row + 1, c->row, (size_t)c->count * sizeof *c->row);
    c->row[0][0] = c->min, c->row[0][1] = 0, c->count++;
  }
  if (last < 1) c->row[c->count][0] = c->max, c->row[c->count][1] = 1, c->count++;
}

/* Converts retained shares to passing shares: sums them up, beginning with the pan. */
static void add_retained(lua_State *L, curve *c) {
  double sum = fmax(c->pan, 0), passed = sum;
  for (int i = 0; i < c->count; i++) sum += c->row[i][1];
  if (fabs(sum - 1) > SUM_ERROR)
    sl_refuse(
        L, "%s: the sieves and the pan hold %g %% of all together; it must be 100 %%", c->path, 100 * sum);
  for (int i = 0; i < c->count; i++) {
    const double stays = c->row[i][1];
    c->row[i][1] = fmin(passed / sum, 1);
    passed += stays;
  }
  if (c->row[c->count - 1][1] > 1 - 1e-9) c->row[c->count - 1][1] = 1;
}

static void use_curve(lua_State *L, int index, const char *path, int which, scree_sizes_def *def) {
  char place[PLACE_TEXT];
  snprintf(place, sizeof place, "%.200s.%s", path, curve_params[which].name);
  curve c = {.path = place, .pan = -1, .min = def->min, .max = def->max};
  if (sl_has_key(L, index, "distribution"))
    sl_refuse(L, "%s.distribution: the %s curve says it all", path, curve_params[which].name);
  read_rows(L, index, curve_params[which].name, &c);
  if (c.count < 1) sl_refuse(L, "%s has no sieve", place);
  for (int i = 1; i < c.count; i++)
    if (!(c.row[i][0] > c.row[i - 1][0]))
      sl_refuse(L, "%s: diameters must rise, or fall, from entry to entry; %g m and %g m do not", place,
          c.row[i - 1][0], c.row[i][0]);
  if (c.pan > 0 && which != RETAINED) sl_refuse(L, "%s: only what is retained has a pan", place);
  if (which == RETAINED) add_retained(L, &c);
  for (int i = 0; i < c.count && which == COARSER; i++) c.row[i][1] = 1 - c.row[i][1];
  /* a list that begins with the share 0 and ends with 1 needs no bounds */
  if (c.row[0][1] == 0 && c.row[c.count - 1][1] == 1 && (def->min > 0 || def->max > 0))
    sl_refuse(
        L, "%s.%s: the %s curve says it all", path, def->min > 0 ? "min" : "max", curve_params[which].name);
  add_ends(L, &c, path);
  def->distribution = SCREE_SIZES_PASSING;
  def->passing = (const double(*)[2])c.row;
  def->passing_count = c.count;
  def->min = def->max = 0;
}

const scree_sizes *sl_read_sizes(lua_State *L, int index, const char *path) {
  scree_sizes_def def = {0};
  scree_error error = {SCREE_OK, ""};
  int which = -1;
  index = lua_absindex(L, index);
  holder *h = sl_push_owner(L, sizeof *h, holder_gc);
  int top = lua_gettop(L);
  sl_read(
      L, index, path, (sl_section[]){SL_TABLE(scree_sizes_params, &def), {curve_params, CURVES, NULL}}, 2, 0);
  for (int k = 0; k < CURVES; k++) {
    if (!sl_has_key(L, index, curve_params[k].name)) continue;
    if (which >= 0)
      sl_refuse(L, "%s.%s: %s is given too", path, curve_params[k].name, curve_params[which].name);
    which = k;
  }
  if (which >= 0) use_curve(L, index, path, which, &def);
  else if (!sl_has_key(L, index, "distribution"))
    sl_refuse(L,
        "%s.distribution is missing: uniform, normal, lognormal or weibull; or passing, retained or coarser, "
        "from sieves",
        path);
  h->sizes = scree_sizes_create(&def, &error);
  // the engine's text begins with "sizes", the last word of the path
  if (!h->sizes) sl_raise(L, error.status, "%s%s", path, error.text + sizeof "sizes" - 1);
  lua_settop(L, top);
  return h->sizes;
}

const sl_params sl_sizes_params[] = {
    SL_TABLE_ROWS("fill.sizes", scree_sizes_params), {"fill.sizes", curve_params, CURVES, NULL}, {NULL}};
