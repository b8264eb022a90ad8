/* Distributions of sizes from tables: fill.sizes, insert.sizes, grading.target. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <stdio.h>

enum { PASSING_MOST = 10000 };
static const scree_param passing_params[] = {SL_VALUE("passing",
    "instead of a distribution: a list of {diameter, share that is finer}, from share 0 to share 1")};

typedef struct holder {
  scree_sizes *sizes;
} holder;

static int holder_gc(lua_State *L) {
  holder *h = lua_touserdata(L, 1);
  scree_sizes_destroy(h->sizes);
  h->sizes = NULL;
  return 0;
}

/* Reads the entry {diameter, share} on top of the stack. */
static void read_entry(lua_State *L, const char *path, int i, double out[2]) {
  char place[256];
  snprintf(place, sizeof place, "%.200s.passing[%d]", path, i);
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2) sl_refuse(L, "%s must be {diameter, share}", place);
  lua_rawgeti(L, -1, 1);
  out[0] = sl_read_number(L, -1, place, "m");
  lua_rawgeti(L, -2, 2);
  out[1] = sl_read_number(L, -1, place, NULL);
  lua_pop(L, 2);
}

/* Reads the list `passing` of the table at index. Pushes the userdata that owns it. */
static void read_passing(lua_State *L, int index, const char *path, scree_sizes_def *def) {
  static const char *const others[] = {"distribution", "min", "max"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (sl_has_key(L, index, others[i]))
      sl_refuse(L, "%s.%s: the passing curve says it all", path, others[i]);
  lua_getfield(L, index, "passing");
  lua_Unsigned count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (count < 2 || count > PASSING_MOST)
    sl_refuse(L, "%s.passing must be a list of 2 to %d entries {diameter, share}", path, PASSING_MOST);
  double(*list)[2] = lua_newuserdatauv(L, count * sizeof *list, 0);
  lua_insert(L, -2);
  for (int i = 1; i <= (int)count; i++) {
    lua_rawgeti(L, -1, i);
    read_entry(L, path, i, list[i - 1]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  def->distribution = SCREE_SIZES_PASSING;
  def->passing = (const double(*)[2])list;
  def->passing_count = (int)count;
}

const scree_sizes *sl_read_sizes(lua_State *L, int index, const char *path) {
  scree_sizes_def def = {0};
  scree_error error = {SCREE_OK, ""};
  index = lua_absindex(L, index);
  holder *h = sl_push_owner(L, sizeof *h, holder_gc);
  int top = lua_gettop(L);
  sl_read(L, index, path,
      (sl_section[]){{scree_sizes_params, scree_sizes_params_count, &def}, {passing_params, 1, NULL}}, 2, 0);
  if (sl_has_key(L, index, "passing")) read_passing(L, index, path, &def);
  else if (!sl_has_key(L, index, "distribution"))
    sl_refuse(L,
        "%s.distribution is missing: uniform, normal, lognormal or weibull; or passing, a sieve curve", path);
  h->sizes = scree_sizes_create(&def, &error);
  // the engine's text begins with "sizes", the last word of the path
  if (!h->sizes) sl_raise(L, error.status, "%s%s", path, error.text + sizeof "sizes" - 1);
  lua_settop(L, top);
  return h->sizes;
}

const sl_params sl_sizes_params[] = {{"fill.sizes", scree_sizes_params, 0, &scree_sizes_params_count},
    {"fill.sizes", passing_params, 1, NULL}, {NULL}};
