/* Methods for many bodies: w:fill{...}, w:insert{...}, w:count{...}, w:remove{...}. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"
#include "bind/objects/shape/shape.h"
#include "bind/sandbox/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- fill ---- */

/* Reads the key jitter, the random part of the grains' velocities. A number applies to the axes along which
 * the velocity is 0; a vector has one value per axis. */
static void read_jitter(lua_State *L, const char *verb, scree_fill_def *def) {
  char place[32];
  snprintf(place, sizeof place, "%s.jitter", verb);
  int type = lua_getfield(L, 2, "jitter");
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    double most = sl_read_number(L, -1, place, "m/s");
    if (!isfinite(most) || most < 0) sl_refuse(L, "%s must be a finite number >= 0, not %g", place, most);
    for (int i = 0; i < 3; i++) def->velocity_jitter[i] = def->velocity[i] == 0 ? most : 0;
  } else if (!lua_isnil(L, -1)) {
    sl_read_vec3(L, -1, place, "m/s", false, def->velocity_jitter);
  }
  lua_pop(L, 1);
}

/* Reads the sizes of the grains: a radius, a range of radii, or a distribution, whose owner is pushed. */
static void read_sizes(lua_State *L, const char *verb, scree_fill_def *def) {
  char place[32];
  bool sizes = lua_getfield(L, 2, "sizes") != LUA_TNIL;
  if (!sizes && !def->shape && !def->clump && !(def->radius > 0))
    sl_refuse(L, "%s.radius is missing: radius of the grains, or sizes, their distribution", verb);
  if (sizes && (def->radius > 0 || def->radius_max > 0))
    sl_refuse(L, "%s.%s: sizes are given too, as diameters", verb, def->radius > 0 ? "radius" : "radius_max");
  snprintf(place, sizeof place, "%s.sizes", verb);
  if (sizes) def->sizes = sl_read_sizes(L, -1, place);
}

/* Data that the def of a fill or an insertion points to. */
typedef struct grains {
  scree_region region, keep_out;
  scree_shape_def shape;
  scree_clump clump;
} grains;

/* Reads the layers of balls. Raises an error if a shape or a template is given, because these have layers of
 * their own. */
static void read_ball_filter(lua_State *L, const char *verb, scree_fill_def *def) {
  const char *key = sl_has_key(L, 2, "layer") ? "layer" : sl_has_key(L, 2, "avoids") ? "avoids" : NULL;
  if (key && (def->shape || def->clump))
    sl_refuse(L, "%s.%s: the shapes of the grains have their own", verb, key);
  def->layers = sl_read_layers(L, 2, verb, "layer", 1);
  def->avoids = sl_read_layers(L, 2, verb, "avoids", 0);
}

/* Reads the shape of the grains at the top of the stack. Material and density of the fill apply unless the
 * shape has its own. */
static void read_grain_shape(
    lua_State *L, const char *verb, sl_world *world, const scree_fill_def *def, scree_shape_def *shape) {
  static const char *const keys[] = {"material", "density"};
  const int at = lua_gettop(L);
  char place[32];
  snprintf(place, sizeof place, "%s.shape", verb);
  sl_read_shape(L, at, place, world->world, shape);
  for (int k = 0; k < 2; k++)
    if (sl_has_key(L, at, keys[k]) && sl_has_key(L, 2, keys[k]))
      sl_refuse(L, "%s.%s: the shape of the grains has its own", verb, keys[k]);
  if (sl_has_key(L, 2, "material")) shape->material = sl_read_material(L, 2, verb, world->world);
  if (sl_has_key(L, 2, "density")) shape->density = def->density;
}

/* Returns the first hull among the shapes of the grains of a def, NULL if there is none. */
static const scree_geometry *find_hull(const scree_fill_def *def) {
  if (def->shape) return def->shape->geometry;
  for (int k = 0; def->clump && k < def->clump->shapes_count; k++)
    if (def->clump->shapes[k].geometry) return def->clump->shapes[k].geometry;
  return NULL;
}

/* Extends the world's range of grain diameters by those of a def. The diameter of a shape is its largest
 * extent, that of a template its bounding sphere. */
static void note_sizes(sl_world *world, const scree_fill_def *def) {
  double min = 2 * def->radius, max = fmax(min, 2 * def->radius_max);
  const scree_shape_def *shape = def->shape;
  const scree_geometry *hull = find_hull(def);
  if (def->sizes) scree_sizes_range(def->sizes, &min, &max);
  if (shape) {
    scree_geometry_info info = {0};
    if (hull) scree_geometry_get_info(hull, &info);
    max = 2 * shape->radius + shape->length;
    for (int k = 0; k < 3; k++) max = fmax(max, fmax(shape->size[k], info.max[k] - info.min[k]));
    min = max;
  } else if (def->clump) {
    const double wide = 2 * def->clump->radius, scale = wide / def->clump->diameter;
    min = min > 0 ? min * scale : wide, max = max > 0 ? max * scale : wide;
  }
  if (!(min > 0 && isfinite(max))) return;
  const int of = hull != NULL;
  if (hull) world->grain_hull = hull;
  world->grain_min[of] = world->grain_min[of] > 0 ? fmin(world->grain_min[of], min) : min;
  world->grain_max[of] = fmax(world->grain_max[of], max);
}

/* Reads the keys of the table at stack index 2 that are not numbers or words. Pushes the userdata that own
 * their data. These userdata must stay on the stack until the method returns. */
static void read_grains(lua_State *L, const char *verb, sl_world *world, grains *held, scree_fill_def *def) {
  char place[32];
  read_jitter(L, verb, def);
  // the region must be bounded in all directions
  snprintf(place, sizeof place, "%s.region", verb);
  lua_getfield(L, 2, "region");
  sl_read_region(L, -1, place, &held->region);
  scree_region_bounds(&held->region, def->min, def->max);
  for (int i = 0; i < 3; i++)
    if (isinf(def->min[i]) || isinf(def->max[i]))
      sl_refuse(L, "%s must be finite in all three directions", place);
  if (held->region.type != SCREE_REGION_BOX) def->region = &held->region;
  snprintf(place, sizeof place, "%s.keep_out", verb);
  if (lua_getfield(L, 2, "keep_out") != LUA_TNIL)
    sl_read_region(L, -1, place, &held->keep_out), def->keep_out = &held->keep_out;
  if (lua_getfield(L, 2, "shape") != LUA_TNIL)
    read_grain_shape(L, verb, world, def, &held->shape), def->shape = &held->shape;
  snprintf(place, sizeof place, "%s.template", verb);
  if (lua_getfield(L, 2, "template") != LUA_TNIL)
    sl_read_template(L, -1, place, world->world, &held->clump), def->clump = &held->clump;
  if (def->clump && (sl_has_key(L, 2, "material") || sl_has_key(L, 2, "density")))
    sl_refuse(L, "%s.%s: the shapes of a template have their own", verb,
        sl_has_key(L, 2, "material") ? "material" : "density");
  read_ball_filter(L, verb, def);
  def->material = sl_read_material(L, 2, verb, world->world);
  def->seed = world->has_seed ? world->seed : world->runtime->seed;
  read_sizes(L, verb, def);
  note_sizes(world, def);
}

static int raise_failed(lua_State *L, const char *verb, const scree_error *error) {
  size_t length = strlen(verb);
  bool named = !strncmp(error->text, verb, length) && strchr(".: ", error->text[length]);
  return sl_raise(L, error->status, "%s%s%s", named ? "" : verb, named ? "" : ": ", error->text);
}

/* Returns the largest radius in the def [m]; 0 if its shape or template has its own size. */
static double find_largest(const scree_fill_def *def) {
  double min = 2 * def->radius, max = 2 * def->radius_max;
  if (def->sizes) scree_sizes_range(def->sizes, &min, &max);
  return fmax(min, max) / 2;
}

/* Warns that the fill placed no grain, once for each world. */
static void warn_of_empty_fill(lua_State *L, sl_world *world, const scree_fill_def *def) {
  const double radius = find_largest(def);
  char text[300], grain[48] = "";
  if (world->warned_fill) return;
  world->warned_fill = true;
  if (radius > 0) snprintf(grain, sizeof grain, " of radius %.4g m", radius);
  snprintf(text, sizeof text,
      "w:fill placed 0 grains: its region of %.4g x %.4g x %.4g m%s has no place for grains%s with a spacing "
      "of %.4g m",
      def->max[0] - def->min[0], def->max[1] - def->min[1], def->max[2] - def->min[2],
      def->keep_out ? ", less keep_out," : "", grain, def->spacing);
  lua_warning(L, text, 0);
}

static int world_fill(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_fill_def def = scree_fill_defaults();
  grains held;
  scree_error error = {SCREE_OK, ""};
  sl_read(L, 2, "fill",
      (sl_section[]){SL_TABLE(scree_fill_params, &def), SL_TABLE(scree_fill_grain_params, &def)}, 2, 0);
  read_grains(L, "fill", world, &held, &def);
  double places = def.lattice == 2 ? 2 : 1;
  for (int i = 0; i < 3; i++) places *= (def.max[i] - def.min[i]) / def.spacing + 1;
  if (def.limit > 0) places = fmin(places, (double)def.limit);
  sl_limit_bodies(L, world, places);
  int before = sl_engine_enter_world(world);
  int64_t added = scree_world_fill(world->world, &def, &error);
  sl_engine_leave(world->runtime, before);
  if (added < 0) raise_failed(L, "fill", &error);
  if (added == 0) warn_of_empty_fill(L, world, &def);
  return lua_pushinteger(L, added), 1;
}

/* ---- insert ---- */

/* Warns if an insertion placed fewer grains than requested, once for each world. Calls with a stream do
 * not warn, because they continue later. */
static void warn_of_insertion(
    lua_State *L, sl_world *world, const scree_insert_def *def, const scree_insert_result *result) {
  char text[300], asked[64] = "";
  if (!result->full || def->stream || world->warned_insert) return;
  world->warned_insert = true;
  if (def->mass > 0)
    snprintf(asked, sizeof asked, "%.4g of %.4g kg (%lld grains)", result->mass, def->mass,
        (long long)result->placed);
  else
    snprintf(
        asked, sizeof asked, "%lld of %lld grains", (long long)result->placed, (long long)def->grains.limit);
  snprintf(text, sizeof text,
      "w:insert placed %s: the next one found no room in %lld attempts; its third result says so", asked,
      (long long)def->attempts);
  lua_warning(L, text, 0);
}

/* insert{...}: returns the number of grains, their mass, and whether the next grain found no free place. */
static int world_insert(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_insert_def def = scree_insert_defaults();
  scree_insert_result result;
  grains held;
  scree_error error = {SCREE_OK, ""};
  sl_read(L, 2, "insert",
      (sl_section[]){SL_TABLE(scree_insert_params, &def), SL_TABLE(scree_fill_grain_params, &def.grains)}, 2,
      0);
  read_grains(L, "insert", world, &held, &def.grains);
  if (sl_has_key(L, 2, "count") && def.grains.limit == 0)
    return lua_pushinteger(L, 0), lua_pushnumber(L, 0), lua_pushboolean(L, 0), 3;
  // if an untrusted script gives a mass alone, the cap on bodies limits the number of grains
  const bool counted = def.grains.limit > 0 || world->runtime->def.trust;
  if (!counted) def.grains.limit = world->runtime->most_bodies / 64 + 1;
  sl_limit_bodies(L, world, (double)def.grains.limit);
  int before = sl_engine_enter_world(world);
  scree_status status = scree_world_insert(world->world, &def, &result, &error);
  sl_engine_leave(world->runtime, before);
  if (status != SCREE_OK) raise_failed(L, "insert", &error);
  if (!counted && result.placed == def.grains.limit)
    sl_raise(L, SCREE_E_MEMORY, "insert.count is missing: more than %lld grains at once need it, or --trust",
        (long long)result.placed);
  warn_of_insertion(L, world, &def, &result);
  lua_pushinteger(L, result.placed);
  lua_pushnumber(L, result.mass);
  lua_pushboolean(L, result.full);
  return 3;
}

/* ---- count and remove ---- */

/* Row for the key `joined`, which is an argument of scree_world_remove_selected and not a member of
 * scree_select. */
static const scree_param joined_params[] = {
    SL_CHOICE("joined", 0, 0, "refuse|keep|release",
        "bodies held by joints: an error, they stay, or their joints go first"),
};

/* Reads the selection of bodies in the table at stack index 2. Without a table all dynamic bodies are
 * selected. */
static void read_selection(
    lua_State *L, const char *path, int *joined, scree_region *region, scree_select *select) {
  char place[64];
  scree_param_defaults(scree_select_params, scree_select_params_count, select);
  select->region = NULL;
  if (lua_isnoneornil(L, 2)) return;
  sl_read(L, 2, path, (sl_section[]){SL_TABLE(scree_select_params, select), {joined_params, 1, joined}},
      joined ? 2 : 1, 0);
  snprintf(place, sizeof place, "%s.region", path);
  if (lua_getfield(L, 2, "region") != LUA_TNIL) sl_read_region(L, -1, place, region), select->region = region;
  lua_pop(L, 1);
}

static int world_count(lua_State *L) {
  scree_region region;
  scree_select select;
  const scree_world *world = sl_check_world(L, 1)->world;
  read_selection(L, "count", NULL, &region, &select);
  return lua_pushinteger(L, scree_world_count(world, &select)), 1;
}

/* remove{...}. A table is required, because a call without one would remove everything. */
static int world_remove(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_region region;
  scree_select select;
  scree_error error = {SCREE_OK, ""};
  int joined = SCREE_JOINED_REFUSE;
  int64_t removed;
  if (!lua_istable(L, 2)) sl_refuse(L, "remove must be told what, e.g. w:remove{region = {...}}");
  read_selection(L, "remove", &joined, &region, &select);
  if (scree_world_remove_selected(world->world, &select, joined, &removed, &error) != SCREE_OK)
    sl_raise(L, error.status, "remove: %s (joined = \"keep\" or \"release\")", error.text);
  return lua_pushinteger(L, removed), 1;
}

/* pack{...}: calls create of the bundled module scree.pack. */
static int world_pack(lua_State *L) {
  sl_change_world(L, 1);
  return sl_call_create(L, "pack");
}

const luaL_Reg sl_fill_methods[] = {{"pack", world_pack}, {"fill", world_fill}, {"insert", world_insert},
    {"count", world_count}, {"remove", world_remove}, {NULL, NULL}};
const sl_params sl_fill_params[] = {SL_TABLE_ROWS("fill", scree_fill_params),
    SL_TABLE_ROWS("fill", scree_fill_grain_params), SL_TABLE_ROWS("insert", scree_insert_params),
    SL_TABLE_ROWS("insert", scree_fill_grain_params), SL_TABLE_ROWS("count", scree_select_params),
    SL_TABLE_ROWS("remove", scree_select_params), {"remove", joined_params, 1, NULL}, {NULL}};
