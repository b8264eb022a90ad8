/* Measurements of a world: w:profile{}, w:flow{}, w:rdf{}, w:stress{}, w:forces_on(body), w:coordination{},
 * w:force_distribution{}, w:sizes{}. docs/measure.md has the formulas and the keys. */
#include "bind/bind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- frames ---- */

typedef struct shot {
  scree_frame_buffer *buffer;
} shot;

static int shot_gc(lua_State *L) {
  shot *s = lua_touserdata(L, 1);
  scree_frame_buffer_destroy(s->buffer);
  s->buffer = NULL;
  return 0;
}

/* A frame of the world; its memory is released with the userdata that is pushed. */
static const scree_frame *capture(lua_State *L, const sl_world *world, int contacts) {
  scree_error error = {SCREE_OK, ""};
  shot *s = sl_push_owner(L, sizeof *s, shot_gc);
  sl_engine_enter_world(world); // until release, or until an error is raised
  if (!(s->buffer = scree_frame_buffer_create())) sl_raise(L, SCREE_E_MEMORY, "no memory for a frame");
  const scree_frame *frame = scree_frame_capture(s->buffer, world->world, contacts, &error);
  if (!frame) sl_raise_error(L, &error);
  return frame;
}

static void release(lua_State *L) {
  shot *s = lua_touserdata(L, -1);
  sl_engine_leave(sl_runtime_of(L), 0);
  scree_frame_buffer_destroy(s->buffer);
  s->buffer = NULL;
  lua_pop(L, 1);
}

static double step_of(const sl_world *world) { return scree_world_get_def(world->world)->dt; }

/* ---- arguments ---- */

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
static const scree_param region_key[] = {SL_VALUE("region", "where")};
typedef struct options {
  int64_t group, bins, cells[3];
  double reach, low, high;
  int fit, edges, tangential;
} options;
#define O(member) offsetof(options, member)
#define GROUP_KEY \
  { "group", SCREE_INTEGER, 0, "", -1, -1, 9e18, O(group), NULL, "only bodies of this group" }

/* What a call of a measuring verb asks for. */
typedef struct request {
  const sl_world *world;
  const scree_region *region; /* NULL: everywhere */
  scree_region place;
  options o;
  scree_error error;
} request;

enum { ANYWHERE, REGION_NEEDED };

/* Reads the world at index 1 and the table at index 2 (or none). */
static void read_request(
    lua_State *L, const char *verb, const scree_param *params, int count, int needed, request *q) {
  char path[128];
  *q = (request){.world = sl_check_world(L, 1), .o.group = -1};
  if (lua_isnoneornil(L, 2)) lua_settop(L, 1), lua_newtable(L);
  if (!lua_istable(L, 2))
    sl_raise(L, SCREE_E_ARGUMENT, "%s takes a table, not a %s", verb, luaL_typename(L, 2));
  scree_param_defaults(params, count, &q->o);
  sl_read(L, 2, verb, (sl_section[]){{params, count, &q->o}, {region_key, 1, NULL}}, 2, 0);
  if (sl_has_key(L, 2, "region")) {
    snprintf(path, sizeof path, "%s.region", verb);
    lua_getfield(L, 2, "region");
    sl_read_region(L, -1, path, &q->place);
    lua_pop(L, 1);
    q->region = &q->place;
  } else if (needed) {
    sl_raise(L, SCREE_E_ARGUMENT, "%s.region is missing", verb);
  }
}

static void push_list(lua_State *L, const double *value, int64_t count, int stride) {
  lua_createtable(L, (int)count, 0);
  for (int64_t i = 0; i < count; i++) {
    lua_pushnumber(L, value[i * stride]);
    lua_rawseti(L, -2, i + 1);
  }
}

static void set_list(lua_State *L, const char *name, const double *value, int64_t count) {
  push_list(L, value, count, 1);
  lua_setfield(L, -2, name);
}

static double *scratch(lua_State *L, int64_t count) {
  return lua_newuserdatauv(L, (size_t)count * sizeof(double) + 1, 0);
}

/* Middles of bins. */
static void set_middles(lua_State *L, const char *name, double low, double high, int64_t bins) {
  lua_createtable(L, (int)bins, 0);
  for (int64_t i = 0; i < bins; i++) {
    lua_pushnumber(L, low + (high - low) * ((double)i + 0.5) / (double)bins);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, name);
}

/* ---- radial distribution function ---- */

static int world_rdf(lua_State *L) {
  static const scree_param params[] = {
      {"reach", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, O(reach), NULL,
          "largest distance"},
      {"bins", SCREE_INTEGER, 0, "", 100, 1, 1000000, O(bins), NULL, ""},
      {"fit", SCREE_BOOLEAN, 0, "", 0, 0, 0, O(fit), NULL, "shrink the region to the grains in it"},
      {"edges", SCREE_BOOLEAN, 0, "", 0, 0, 0, O(edges), NULL, "correct for what lies outside"},
      GROUP_KEY,
  };
  request q;
  scree_rdf_result r;
  read_request(L, "rdf", params, COUNT(params), REGION_NEEDED, &q);
  double *g = scratch(L, q.o.bins);
  const scree_rdf_def def = {q.region, q.o.reach, q.o.bins, q.o.fit, q.o.edges, q.o.group};
  if (scree_rdf(capture(L, q.world, 0), &def, g, &r, &q.error)) sl_raise_error(L, &q.error);
  release(L);
  lua_createtable(L, 0, 5);
  set_middles(L, "r", 0, q.o.reach, q.o.bins);
  set_list(L, "g", g, q.o.bins);
  sl_set_integer(L, "grains", r.grains);
  sl_set_number(L, "density", r.density);
  sl_set_number(L, "volume", r.volume);
  return 1;
}

/* ---- stress and forces ---- */

static int world_stress(lua_State *L) {
  request q;
  scree_stress_result r;
  static const scree_param params[] = {GROUP_KEY};
  read_request(L, "stress", params, COUNT(params), REGION_NEEDED, &q);
  if (scree_group_stress(capture(L, q.world, 1), q.region, q.o.group, step_of(q.world), &r, &q.error))
    sl_raise_error(L, &q.error);
  release(L);
  lua_createtable(L, 0, 12);
  static const char *const names[9] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
  for (int i = 0; i < 9; i++) sl_set_number(L, names[i], r.contact[i] + r.kinetic[i]);
  sl_set_vector(L, "contact", r.contact, 9);
  sl_set_vector(L, "kinetic", r.kinetic, 9);
  sl_set_number(L, "pressure", r.pressure);
  sl_set_number(L, "volume", r.volume);
  sl_set_integer(L, "contacts", r.contacts);
  sl_set_integer(L, "grains", r.grains);
  return 1;
}

/* w:forces_on(body): force {x,y,z}, torque {x,y,z}, contacts */
static int world_forces_on(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  const sl_body *body = sl_check(L, 2, SL_BODY);
  double force[3], torque[3];
  if (!scree_world_alive(world->world, body->id))
    sl_raise(L, SCREE_E_STALE, "forces_on: the body was removed");
  int64_t count = scree_forces_on(capture(L, world, 1), body->id, step_of(world), force, torque);
  release(L);
  sl_push_vector(L, force, 3);
  sl_push_vector(L, torque, 3);
  lua_pushinteger(L, count);
  return 3;
}

static int world_coordination(lua_State *L) {
  request q;
  scree_coordination_result r;
  static const scree_param params[] = {GROUP_KEY};
  read_request(L, "coordination", params, COUNT(params), ANYWHERE, &q);
  if (scree_group_coordination(capture(L, q.world, 1), q.region, q.o.group, &r, &q.error))
    sl_raise_error(L, &q.error);
  release(L);
  lua_createtable(L, 0, 6);
  sl_set_integer(L, "grains", r.grains);
  sl_set_integer(L, "carrying", r.carrying);
  sl_set_integer(L, "rattlers", r.rattlers);
  sl_set_number(L, "mean", r.mean);
  sl_set_number(L, "mean_loaded", r.mean_loaded);
  lua_createtable(L, 16, 0);
  for (int i = 0; i < 16; i++) lua_pushinteger(L, r.histogram[i]), lua_rawseti(L, -2, i + 1);
  lua_setfield(L, -2, "histogram");
  return 1;
}

/* ---- distributions ---- */

static int world_force_distribution(lua_State *L) {
  static const scree_param params[] = {
      {"reach", SCREE_REAL, SCREE_POSITIVE, "", 8, 0, 0, O(reach), NULL,
          "largest force in units of the mean"},
      {"bins", SCREE_INTEGER, 0, "", 40, 1, 100000, O(bins), NULL, ""},
      {"tangential", SCREE_BOOLEAN, 0, "", 0, 0, 0, O(tangential), NULL,
          "friction forces instead of normal ones"},
  };
  request q;
  read_request(L, "force_distribution", params, COUNT(params), ANYWHERE, &q);
  const options *o = &q.o;
  double *density = scratch(L, o->bins), mean;
  int64_t count = scree_force_density(
      capture(L, q.world, 1), q.region, step_of(q.world), o->tangential, o->reach, o->bins, density, &mean);
  release(L);
  lua_createtable(L, 0, 4);
  set_middles(L, "force", 0, o->reach, o->bins);
  set_list(L, "density", density, o->bins);
  sl_set_number(L, "mean", mean);
  sl_set_integer(L, "contacts", count);
  return 1;
}

static int world_sizes(lua_State *L) {
  static const scree_param params[] = {
      {"low", SCREE_REAL, 0, "m", 0, 0, INFINITY, O(low), NULL, "smallest radius"},
      {"high", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, O(high), NULL, "largest radius"},
      {"bins", SCREE_INTEGER, 0, "", 20, 1, 100000, O(bins), NULL, ""},
  };
  request q;
  read_request(L, "sizes", params, COUNT(params), ANYWHERE, &q);
  const options *o = &q.o;
  if (!(o->low < o->high))
    sl_raise(L, SCREE_E_ARGUMENT, "sizes.high must be greater than low: %g <= %g", o->high, o->low);
  double *number = scratch(L, o->bins), *mass = scratch(L, o->bins);
  scree_size_density(capture(L, q.world, 0), q.region, o->low, o->high, o->bins, number, mass);
  release(L);
  lua_createtable(L, 0, 3);
  set_middles(L, "radius", o->low, o->high, o->bins);
  set_list(L, "number", number, o->bins);
  set_list(L, "mass", mass, o->bins);
  return 1;
}

enum { SIEVES_MOST = 100000 };

/* Diameters from the key `sieves`, their memory pushed. */
static const double *read_sieves(lua_State *L, int64_t *count) {
  bool given = lua_getfield(L, 2, "sieves") != LUA_TNIL;
  lua_Unsigned sieves = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (given && (sieves < 1 || sieves > SIEVES_MOST))
    sl_raise(L, SCREE_E_ARGUMENT, "grading.sieves must be a list of diameters");
  double *sieve = scratch(L, (int64_t)sieves);
  for (int i = 0; i < (int)sieves; i++) {
    char place[64];
    snprintf(place, sizeof place, "grading.sieves[%d]", i + 1);
    lua_rawgeti(L, -2, i + 1);
    sieve[i] = sl_read_number(L, -1, place, "m");
    if (!(sieve[i] >= 0)) sl_raise(L, SCREE_E_ARGUMENT, "%s must be at least 0, not %g", place, sieve[i]);
    lua_pop(L, 1);
  }
  *count = (int64_t)sieves;
  return sieve;
}

/* Lists of shares on the sieves into the table on top. */
static void set_shares(lua_State *L, const scree_grading_def *def, const double *number, const double *mass) {
  set_list(L, "sieves", def->sieve, def->sieves);
  set_list(L, "by_number", number, def->sieves);
  set_list(L, "by_mass", mass, def->sieves);
  if (!def->target) return;
  lua_createtable(L, (int)def->sieves, 0);
  for (int64_t i = 0; i < def->sieves; i++) {
    lua_pushnumber(L, scree_sizes_passing(def->target, def->sieve[i], scree_sizes_by(def->target)));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "target");
}

static int world_grading(lua_State *L) {
  static const scree_param params[] = {
      SL_VALUE("sieves", "list of diameters [m]"),
      SL_VALUE("target", "distribution of sizes to compare with"),
      GROUP_KEY,
  };
  request q;
  scree_grading_result r;
  read_request(L, "grading", params, COUNT(params), ANYWHERE, &q);
  scree_grading_def def = {.region = q.region, .group = q.o.group};
  if (lua_getfield(L, 2, "target") != LUA_TNIL) def.target = sl_read_sizes(L, -1, "grading.target");
  def.sieve = read_sieves(L, &def.sieves);
  double *number = scratch(L, def.sieves), *mass = scratch(L, def.sieves);
  if (scree_grading(capture(L, q.world, 0), &def, number, mass, &r, &q.error)) sl_raise_error(L, &q.error);
  release(L);
  lua_createtable(L, 0, 12);
  set_shares(L, &def, number, mass);
  sl_set_integer(L, "grains", r.grains);
  sl_set_number(L, "mass", r.mass);
  sl_set_number(L, "d10", r.d10), sl_set_number(L, "d50", r.d50), sl_set_number(L, "d90", r.d90);
  sl_set_number(L, "min", r.least), sl_set_number(L, "max", r.most);
  if (def.target) sl_set_number(L, "distance", r.distance);
  return 1;
}

/* ---- profiles and flows: objects that look at the world again and again ---- */

typedef struct probe {
  size_t charged;
  sl_world *world;
  scree_profile *profile;
  scree_flow *flow;
  int64_t group;
} probe;

static int probe_gc(lua_State *L) {
  probe *p = lua_touserdata(L, 1);
  scree_profile_destroy(p->profile);
  sl_discharge(L, p->charged);
  p->charged = 0;
  scree_flow_destroy(p->flow);
  p->profile = NULL, p->flow = NULL;
  return 0;
}

/* A probe of the world at index 1, which it keeps alive; the world knows it by its number, for
 * checkpoints. */
static probe *new_probe(lua_State *L, int type) {
  probe *p = lua_newuserdatauv(L, sizeof *p, 1);
  *p = (probe){.world = sl_check_world(L, 1), .group = -1};
  sl_set_type(L, type);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  lua_getiuservalue(L, 1, SL_PROBES_SLOT);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
  return p;
}

/* {nx, ny, nz} under a key; missing ones are 1. */
static void read_cells(lua_State *L, int64_t out[3]) {
  if (lua_getfield(L, 2, "cells") != LUA_TTABLE)
    sl_raise(L, SCREE_E_ARGUMENT, "profile.cells must be a list such as {30, 13}");
  for (int k = 0; k < 3; k++) {
    int good, type = lua_rawgeti(L, -1, k + 1);
    out[k] = lua_tointegerx(L, -1, &good);
    if (type == LUA_TNIL) out[k] = 1;
    else if (!good) sl_raise(L, SCREE_E_ARGUMENT, "profile.cells[%d] must be a whole number", k + 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static int world_profile(lua_State *L) {
  static const scree_param params[] = {SL_NEEDED("cells", "{nx, ny, nz}"), GROUP_KEY};
  request q;
  read_request(L, "profile", params, COUNT(params), ANYWHERE, &q);
  if (!q.region || q.region->type != SCREE_REGION_BOX)
    sl_raise(L, SCREE_E_ARGUMENT, "profile.region must be a box {min = {x,y,z}, max = {x,y,z}}");
  scree_grid grid;
  memcpy(grid.min, q.region->min, sizeof grid.min);
  memcpy(grid.max, q.region->max, sizeof grid.max);
  read_cells(L, grid.n);
  probe *p = new_probe(L, SL_PROFILE);
  p->group = q.o.group;
  // twelve sums a cell
  double bytes = 12.0 * sizeof(double) * (double)grid.n[0] * (double)grid.n[1] * (double)grid.n[2];
  size_t charge = bytes > 0 && bytes < 1e15 ? (size_t)bytes : 0;
  sl_charge(L, charge);
  p->charged = charge;
  if (!(p->profile = scree_profile_create(&grid, &q.error))) sl_raise_error(L, &q.error);
  return 1;
}

static int profile_add(lua_State *L) {
  probe *p = sl_check(L, 1, SL_PROFILE);
  scree_error error = {SCREE_OK, ""};
  if (scree_profile_add(p->profile, capture(L, p->world, 0), p->group, &error)) sl_raise_error(L, &error);
  release(L);
  return 0;
}

static const char *field_name(const void *context, int i) {
  (void)context;
  return scree_profile_field_name(i);
}

/* p:get(field): one list, or three for vectors; x fastest. */
static int profile_get(lua_State *L) {
  const probe *p = sl_check(L, 1, SL_PROFILE);
  const char *name = luaL_checkstring(L, 2);
  int field = 0;
  while (scree_profile_field_name(field) && strcmp(name, scree_profile_field_name(field))) field++;
  if (!scree_profile_field_name(field))
    sl_raise(L, SCREE_E_ARGUMENT, "a profile has no field '%s'%s", name,
        sl_hint(L, name, SCREE_PROFILE_FIELDS, field_name, NULL));
  const scree_grid *grid = scree_profile_grid(p->profile);
  int64_t cells = grid->n[0] * grid->n[1] * grid->n[2];
  double *value = scratch(L, 3 * cells);
  int columns = scree_profile_get(p->profile, field, value);
  for (int c = 0; c < columns; c++) push_list(L, value + c, cells, columns);
  return columns;
}

static int profile_frames(lua_State *L) {
  return lua_pushinteger(L, scree_profile_frames(((probe *)sl_check(L, 1, SL_PROFILE))->profile)), 1;
}

/* p:axis(k): middles of the cells along axis 1, 2 or 3. */
static int profile_axis(lua_State *L) {
  const probe *p = sl_check(L, 1, SL_PROFILE);
  lua_Integer axis = luaL_checkinteger(L, 2);
  if (axis < 1 || axis > 3) sl_raise(L, SCREE_E_ARGUMENT, "profile.axis takes 1, 2 or 3");
  const scree_grid *g = scree_profile_grid(p->profile);
  lua_newtable(L);
  set_middles(L, "middles", g->min[axis - 1], g->max[axis - 1], g->n[axis - 1]);
  lua_getfield(L, -1, "middles");
  return 1;
}

static int world_flow(lua_State *L) {
  const scree_param params[] = {GROUP_KEY};
  request q;
  read_request(L, "flow", params, 1, REGION_NEEDED, &q);
  probe *p = new_probe(L, SL_FLOW);
  if (!(p->flow = scree_flow_create(q.region, q.o.group, &q.error))) sl_raise_error(L, &q.error);
  return 1;
}

static int flow_add(lua_State *L) {
  probe *p = sl_check(L, 1, SL_FLOW);
  scree_error error = {SCREE_OK, ""};
  if (scree_flow_add(p->flow, capture(L, p->world, 0), &error)) sl_raise_error(L, &error);
  release(L);
  return 0;
}

static int flow_get(lua_State *L) {
  const probe *p = sl_check(L, 1, SL_FLOW);
  scree_flow_result r;
  scree_flow_get(p->flow, &r);
  lua_createtable(L, 0, 14);
  sl_set_integer(L, "inside", r.inside);
  sl_set_integer(L, "entered", r.entered);
  sl_set_integer(L, "left", r.left);
  sl_set_integer(L, "vanished", r.vanished);
  sl_set_integer(L, "stays", r.stays);
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"mass_inside", r.mass_inside}, {"mass_entered", r.mass_entered}, {"mass_left", r.mass_left},
      {"rate_entered", r.rate_entered}, {"rate_left", r.rate_left}, {"residence", r.residence},
      {"residence_deviation", r.residence_deviation}, {"start", r.start}, {"time", r.time}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sl_set_number(L, numbers[i].name, numbers[i].value);
  return 1;
}

static int flow_reset(lua_State *L) {
  scree_flow_reset(((probe *)sl_check(L, 1, SL_FLOW))->flow);
  return 0;
}

const luaL_Reg sl_measure_methods[] = {{"rdf", world_rdf}, {"stress", world_stress},
    {"forces_on", world_forces_on}, {"coordination", world_coordination},
    {"force_distribution", world_force_distribution}, {"sizes", world_sizes}, {"grading", world_grading},
    {"profile", world_profile}, {"flow", world_flow}, {NULL, NULL}};
const luaL_Reg sl_profile_methods[] = {{"add", profile_add}, {"get", profile_get}, {"frames", profile_frames},
    {"axis", profile_axis}, {NULL, NULL}};
const luaL_Reg sl_flow_methods[] = {
    {"add", flow_add}, {"get", flow_get}, {"reset", flow_reset}, {NULL, NULL}};
const luaL_Reg sl_probe_metamethods[] = {{"__gc", probe_gc}, {NULL, NULL}};

/* ---- checkpoints; the probe lies at index ---- */

scree_status sl_probe_save(lua_State *L, int index, void **data, size_t *size, scree_error *error);
scree_status sl_probe_load(lua_State *L, int index, const void *data, size_t size, scree_error *error);

scree_status sl_probe_save(lua_State *L, int index, void **data, size_t *size, scree_error *error) {
  const probe *p = lua_touserdata(L, index);
  return p->profile ? scree_profile_save(p->profile, data, size, error)
                    : scree_flow_save(p->flow, data, size, error);
}

scree_status sl_probe_load(lua_State *L, int index, const void *data, size_t size, scree_error *error) {
  const probe *p = lua_touserdata(L, index);
  return p->profile ? scree_profile_load(p->profile, data, size, error)
                    : scree_flow_load(p->flow, data, size, error);
}
