/* Whole-world verbs: w:fill{...}, w:count{...}, w:remove{...}. */
#include "bind/bind.h"
#include "bind/inside.h"
#include "scree/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sl_read_shape(lua_State *L, int index, const char *path, const scree_world *world, scree_shape_def *shape);

/* ---- fill ---- */

#define AT(member) offsetof(scree_fill_def, member)
static const scree_param fill_params[] = {
  SL_NEEDED("region", "what to fill: a box {min =, max =}, a ball, or a cylinder with a length; grains keep inside"),
  {"lattice", SCREE_CHOICE, 0, "", 0, 0, 0, AT(lattice), "cubic|hexagonal|bcc", "arrangement of the centres"},
  {"spacing", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, AT(spacing), NULL, "lattice constant"},
  {"radius", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(radius), NULL, "radius of the grains"},
  {"radius_max", SCREE_REAL, SCREE_POSITIVE, "m", 0, 0, 0, AT(radius_max), NULL, "radii uniform between radius and this"},
  SL_VALUE("sizes", "distribution of diameters, instead of radius"),
  {"velocity", SCREE_VEC3, 0, "m/s", 0, 0, 0, AT(velocity), NULL, "velocity of the grains"},
  {"jitter", SCREE_OPAQUE, 0, "m/s", 0, 0, 0, 0, NULL,
    "random part of the velocity, uniform within +- this: a vector, or a number for the axes across velocity"},
  {"position_jitter", SCREE_REAL, 0, "", 0, 0, 1, AT(jitter), NULL, "random part of the positions, in units of spacing"},
  SL_VALUE("material", "name of a material"),
  {"density", SCREE_REAL, SCREE_POSITIVE, "kg/m3", 0, 0, 0, AT(density), NULL, "instead of the material's"},
  {"group", SCREE_INTEGER, 0, "", 0, 0, 0, AT(group), NULL, "free tag"},
  {"limit", SCREE_INTEGER, 0, "", 0, 0, 1e12, AT(limit), NULL, "at most this many"},
  SL_VALUE("keep_out", "region whose inside stays empty"),
  SL_VALUE("shape", "shape of the grains instead of spheres; radius is then its bounding radius"),
};
enum { FILL_PARAMS = sizeof fill_params / sizeof *fill_params };

/* A number holds for the axes along which the grains do not fly; a vector says each. */
static void read_jitter(lua_State *L, scree_fill_def *def) {
  int type = lua_getfield(L, 2, "jitter");
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    double most = sl_read_number(L, -1, "fill.jitter", "m/s");
    if (!isfinite(most) || most < 0) sl_raise(L, SCREE_E_ARGUMENT, "fill.jitter must be a finite number >= 0, not %g", most);
    for (int i = 0; i < 3; i++) def->velocity_jitter[i] = def->velocity[i] == 0 ? most : 0;
  } else if (!lua_isnil(L, -1)) {
    sl_read_vec3(L, -1, "fill.jitter", "m/s", false, def->velocity_jitter);
  }
  lua_pop(L, 1);
}

/* One radius, two, or a distribution, whose memory is pushed. */
static void read_sizes(lua_State *L, scree_fill_def *def) {
  bool sizes = lua_getfield(L, 2, "sizes") != LUA_TNIL;
  if (!sizes && !(def->radius > 0)) sl_raise(L, SCREE_E_ARGUMENT, "fill.radius is missing: radius of the grains, or sizes, their distribution");
  if (sizes && (def->radius > 0 || def->radius_max > 0))
    sl_raise(L, SCREE_E_ARGUMENT, "fill.%s: sizes are given too, as diameters", def->radius > 0 ? "radius" : "radius_max");
  if (sizes) def->sizes = sl_read_sizes(L, -1, "fill.sizes");
}

static int world_fill(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_fill_def def = scree_fill_defaults();
  scree_region region, keep_out;
  scree_shape_def shape;
  scree_error error = {SCREE_OK, ""};
  sl_read(L, 2, "fill", &(sl_section){fill_params, FILL_PARAMS, &def}, 1, 0);
  read_jitter(L, &def);
  read_sizes(L, &def);
  // the region must have an end in all directions
  lua_getfield(L, 2, "region");
  sl_read_region(L, -1, "fill.region", &region);
  scree_region_bounds(&region, def.min, def.max);
  for (int i = 0; i < 3; i++)
    if (isinf(def.min[i]) || isinf(def.max[i])) sl_raise(L, SCREE_E_ARGUMENT, "fill.region must be finite in all three directions");
  if (region.type != SCREE_REGION_BOX) def.region = &region;
  if (lua_getfield(L, 2, "keep_out") != LUA_TNIL) sl_read_region(L, -1, "fill.keep_out", &keep_out), def.keep_out = &keep_out;
  if (lua_getfield(L, 2, "shape") != LUA_TNIL) sl_read_shape(L, -1, "fill.shape", world->world, &shape), def.shape = &shape;
  def.material = sl_read_material(L, 2, "fill", world->world);
  def.seed = world->runtime->seed;
  double places = def.lattice == 2 ? 2 : 1;
  for (int i = 0; i < 3; i++) places *= (def.max[i] - def.min[i]) / def.spacing + 1;
  sl_limit_bodies(L, world, places);
  int before = sl_engine_enter_world(world);
  int64_t added = scree_world_fill(world->world, &def, &error);
  sl_engine_leave(world->runtime, before);
  if (added < 0) sl_raise(L, error.status, "%s%s", strncmp(error.text, "fill.", 5) ? "fill: " : "", error.text);
  return lua_pushinteger(L, added), 1;
}

/* ---- count and remove ---- */

typedef struct selection { scree_select select; scree_region region; int all, joined; int64_t group; } selection;
static const scree_param select_params[] = {
  SL_VALUE("region", "where"),
  {"kind", SCREE_CHOICE, 0, "", 0, 0, 0, offsetof(selection, all), "dynamic|kinematic|fixed|all", "which kind; dynamic without it"},
  {"group", SCREE_INTEGER, 0, "", 0, 0, 0, offsetof(selection, group), NULL, "with this tag"},
};
static const scree_param joined_params[] = {
  {"joined", SCREE_CHOICE, 0, "", 0, 0, 0, offsetof(selection, joined), "refuse|keep|release",
    "bodies held by joints: an error, they stay, or their joints go first"},
};
enum { ALL_KINDS = 3 };

static void read_selection(lua_State *L, const char *path, bool removes, selection *out) {
  *out = (selection){{SCREE_DYNAMIC, -1, NULL}, {0}, SCREE_DYNAMIC, SCREE_JOINED_REFUSE, -1};
  if (lua_isnoneornil(L, 2)) return;
  sl_read(L, 2, path, (sl_section[]){{select_params, 3, out}, {joined_params, 1, out}}, removes ? 2 : 1, 0);
  out->select.kind = out->all;
  out->select.group = out->group;
  char place[64];
  snprintf(place, sizeof place, "%s.region", path);
  if (lua_getfield(L, 2, "region") != LUA_TNIL) sl_read_region(L, -1, place, &out->region), out->select.region = &out->region;
  lua_pop(L, 1);
}

static int world_count(lua_State *L) {
  selection chosen;
  int64_t total = 0;
  const scree_world *world = sl_check_world(L, 1)->world;
  read_selection(L, "count", false, &chosen);
  for (int kind = 0; kind < ALL_KINDS; kind++) {
    if (chosen.all != ALL_KINDS && chosen.all != kind) continue;
    chosen.select.kind = kind;
    total += scree_world_count(world, &chosen.select);
  }
  return lua_pushinteger(L, total), 1;
}

/* Without a table everything would go: that must be said with an empty one. */
static int world_remove(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  selection chosen;
  scree_error error = {SCREE_OK, ""};
  int64_t total = 0, removed;
  if (!lua_istable(L, 2)) sl_raise(L, SCREE_E_ARGUMENT, "remove must be told what, e.g. w:remove{region = {...}}");
  read_selection(L, "remove", true, &chosen);
  for (int kind = 0; kind < ALL_KINDS; kind++) {
    if (chosen.all != ALL_KINDS && chosen.all != kind) continue;
    chosen.select.kind = kind;
    if (scree_world_remove_selected(world->world, &chosen.select, chosen.joined, &removed, &error) != SCREE_OK)
      sl_raise(L, error.status, "remove: %s (joined = \"keep\" or \"release\")", error.text);
    total += removed;
  }
  return lua_pushinteger(L, total), 1;
}

const luaL_Reg sl_fill_methods[] = {{"fill", world_fill}, {"count", world_count}, {"remove", world_remove}, {NULL, NULL}};
const sl_params sl_fill_params[] = {{"fill", fill_params, FILL_PARAMS, NULL}, {"count", select_params, 3, NULL},
  {"remove", select_params, 3, NULL}, {"remove", joined_params, 1, NULL}, {NULL}};
