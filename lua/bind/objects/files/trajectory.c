/* scree.open: reading trajectories. A frame is a plain table with one flat list per field, so that it
 * needs no table per grain. Frames count from 1; -1 is the last. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"
#include "bind/sandbox/inside.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct trajectory {
  scree_reader *reader;
} trajectory;

static scree_reader *check_open(lua_State *L) {
  trajectory *t = sl_check(L, 1, SL_TRAJECTORY);
  if (!t->reader) sl_refuse(L, "the trajectory is closed");
  return t->reader;
}

/* ---- opening and closing ---- */

/* Sets path to the path of the file `name`. If `name` is a folder, sets path to the file trajectory.scree in
 * the folder, and raises an error if this file is missing. */
static void find_trajectory(lua_State *L, const char *name, char path[SL_PATH]) {
  struct stat info;
  sl_input_path(L, name, "open", path);
  if (stat(path, &info) || !S_ISDIR(info.st_mode)) return;
  sl_input_path(L, lua_pushfstring(L, "%s/trajectory.scree", name), "open", path);
  if (stat(path, &info))
    sl_raise(L, SCREE_E_IO, "open: %s is no run directory: it has no trajectory.scree", name);
}

static int module_open(lua_State *L) {
  char path[SL_PATH];
  lua_settop(L, 1);
  if (lua_type(L, 1) != LUA_TSTRING)
    return sl_refuse(
        L, "open takes a string, the path of a run or a trajectory, not a %s", luaL_typename(L, 1));
  find_trajectory(L, lua_tostring(L, 1), path);
  sl_make_room(L);
  trajectory *t = lua_newuserdatauv(L, sizeof *t, 0);
  t->reader = NULL;
  sl_set_type(L, SL_TRAJECTORY);
  SL_TRY(L, !(t->reader = scree_reader_open(path, &error)));
  return 1;
}

static int trajectory_close(lua_State *L) {
  trajectory *t = sl_check(L, 1, SL_TRAJECTORY);
  scree_reader_close(t->reader);
  t->reader = NULL;
  return 0;
}

/* ---- about the file ---- */

/* Pushes a list of the names of a set of fields. fields: bits. */
static void push_fields(lua_State *L, int fields) {
  static const char *const names[] = {"position", "orientation", "velocity", "spin", "contacts"};
  lua_newtable(L);
  for (int i = 0, n = 0; i < 5; i++)
    if (fields >> i & 1) {
      lua_pushstring(L, names[i]);
      lua_rawseti(L, -2, ++n);
    }
}

static int trajectory_info(lua_State *L) {
  const scree_trajectory_info *info = scree_reader_info(check_open(L));
  lua_createtable(L, 0, 12);
  sl_set_integer(L, "frames", info->frames);
  sl_set_integer(L, "bytes", info->bytes);
  sl_set_integer(L, "lost_bytes", info->lost_bytes);
  sl_set_integer(L, "damaged_chunks", info->damaged_chunks);
  sl_set_integer(L, "most_bodies", info->most_bodies);
  sl_set_number(L, "precision", info->precision);
  sl_set_number(L, "first_time", info->first_time);
  sl_set_number(L, "last_time", info->last_time);
  sl_set_string(L, "damage", info->damage);
  sl_set_boolean(L, "complete", info->complete);
  push_fields(L, info->fields);
  lua_setfield(L, -2, "fields");
  return 1;
}

static int trajectory_verify(lua_State *L) {
  SL_TRY(L, scree_reader_verify(check_open(L), &error));
  return trajectory_info(L);
}

static int trajectory_meta(lua_State *L) {
  lua_pushstring(L, scree_reader_meta(check_open(L)));
  return 1;
}

static int trajectory_source(lua_State *L) {
  lua_pushstring(L, scree_reader_source(check_open(L)));
  return 1;
}

static int trajectory_length(lua_State *L) {
  lua_pushinteger(L, scree_reader_info(check_open(L))->frames);
  return 1;
}

/* Returns the index, from 0, of the frame whose number lies at index. */
static int64_t frame_number(lua_State *L, scree_reader *reader, int index, const char *what) {
  int64_t frames = scree_reader_info(reader)->frames;
  if (!lua_isinteger(L, index))
    sl_refuse(L, "%s must be a whole number, not a %s", what, luaL_typename(L, index));
  int64_t i = lua_tointeger(L, index);
  if (i < 0) i += frames + 1;
  if (i < 1 || i > frames)
    sl_refuse(L, "%s %lld does not exist: there are %lld frames", what, (long long)lua_tointeger(L, index),
        (long long)frames);
  return i - 1;
}

static int trajectory_time(lua_State *L) {
  scree_reader *reader = check_open(L);
  lua_pushnumber(L, scree_reader_time(reader, frame_number(L, reader, 2, "frame")));
  return 1;
}

/* ---- frames ---- */

static void set_doubles(lua_State *L, const char *name, const double *values, int64_t count) {
  if (values) sl_set_vector(L, name, values, count);
}

static void set_static(lua_State *L, const scree_frame *f) {
  static const char *const kinds[] = {"dynamic", "kinematic", "fixed"};
  static const char *const names[] = {"id", "group", "kind"};
  int count = f->bodies < INT32_MAX ? (int)f->bodies : 0;
  for (int column = 0; column < 3; column++) {
    lua_createtable(L, count, 0);
    for (int64_t i = 0; i < f->bodies; i++) {
      if (column == 2) lua_pushstring(L, kinds[f->kind[i] % 3]);
      else lua_pushinteger(L, column ? f->group[i] : (lua_Integer)f->id[i]);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, names[column]);
  }
  set_doubles(L, "radius", f->radius, f->bodies);
  set_doubles(L, "mass", f->mass, f->bodies);
}

/* Adds the world's columns to the table of a frame: a list for each column, and columns = { NAME = UNIT }. */
static void set_columns(lua_State *L, const scree_frame *f) {
  for (int32_t k = 0; k < f->columns; k++) {
    lua_createtable(L, f->bodies < INT32_MAX ? (int)f->bodies : 0, 0);
    for (int64_t i = 0; i < f->bodies; i++) {
      lua_pushnumber(L, f->value[i * f->columns + k]);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, f->column[k].name);
  }
  if (!f->columns) return;
  lua_createtable(L, 0, (int)f->columns);
  for (int32_t k = 0; k < f->columns; k++) sl_set_string(L, f->column[k].name, f->column[k].unit);
  lua_setfield(L, -2, "columns");
}

static void set_contacts(lua_State *L, const scree_frame *f) {
  lua_createtable(L, f->contacts < INT32_MAX ? (int)f->contacts : 0, 0);
  for (int64_t i = 0; i < f->contacts; i++) {
    const scree_frame_contact *c = f->contact + i;
    lua_createtable(L, 0, 7);
    sl_set_integer(L, "body1", (int64_t)c->body1);
    sl_set_integer(L, "body2", (int64_t)c->body2);
    sl_set_vector(L, "point", c->point, 3);
    sl_set_vector(L, "normal", c->normal, 3);
    sl_set_vector(L, "impulse", c->impulse, 3);
    sl_set_number(L, "gap", c->gap);
    if (f->images) sl_set_integers(L, "image", c->image, 3);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "contacts");
}

static void set_cell(lua_State *L, const scree_cell *cell) {
  lua_createtable(L, 0, 5);
  sl_push_matrix(L, cell->matrix), lua_setfield(L, -2, "matrix");
  sl_push_matrix(L, cell->gradient), lua_setfield(L, -2, "gradient");
  sl_set_vector(L, "origin", cell->origin, 3);
  sl_set_number(L, "volume", cell->volume);
  lua_createtable(L, 3, 0);
  for (int k = 0; k < 3; k++) lua_pushboolean(L, cell->periodic[k]), lua_rawseti(L, -2, k + 1);
  lua_setfield(L, -2, "periodic");
  lua_setfield(L, -2, "cell");
}

static int trajectory_frame(lua_State *L) {
  scree_reader *reader = check_open(L);
  int64_t number = frame_number(L, reader, 2, "frame");
  const scree_frame *f;
  SL_TRY(L, !(f = scree_reader_frame(reader, number, &error)));
  lua_createtable(L, 0, 15);
  sl_set_number(L, "time", f->time);
  sl_set_integer(L, "step", f->step);
  sl_set_integer(L, "bodies", f->bodies);
  set_static(L, f);
  set_doubles(L, "position", f->position, 3 * f->bodies);
  set_doubles(L, "orientation", f->orientation, 4 * f->bodies);
  set_doubles(L, "velocity", f->velocity, 3 * f->bodies);
  set_doubles(L, "spin", f->spin, 3 * f->bodies);
  if (scree_reader_info(reader)->fields & SCREE_FIELD_CONTACTS) set_contacts(L, f);
  set_columns(L, f);
  if (f->has_cell) set_cell(L, &f->cell);
  return 1;
}

/* Iterator function of `for i, frame in t:frames() do`. */
static int next_frame(lua_State *L) {
  scree_reader *reader = check_open(L);
  int64_t next = luaL_checkinteger(L, 2) + 1;
  if (next > scree_reader_info(reader)->frames) return 0;
  lua_settop(L, 1);
  lua_pushinteger(L, next);
  trajectory_frame(L);
  return 2;
}

static int trajectory_frames(lua_State *L) {
  check_open(L);
  static const luaL_Reg step[] = {{"next", next_frame}, {NULL, NULL}};
  lua_newtable(L);
  sl_register(L, step);
  lua_getfield(L, -1, "next");
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/* ---- exports ---- */

/* Frames count from 1 in Lua. */
static const scree_param frame_params[] = {
    SL_INTEGER("first", offsetof(scree_export_def, first), 1, 0, 0, "first frame; negative: from the end"),
    SL_INTEGER("last", offsetof(scree_export_def, last), -1, 0, 0, "last frame; negative: from the end"),
};

/* Converts a frame number of the options to an index from 0. */
static int64_t export_bound(lua_State *L, scree_reader *reader, int64_t frame, const char *what) {
  lua_pushinteger(L, frame);
  int64_t number = frame_number(L, reader, lua_gettop(L), what);
  lua_pop(L, 1);
  return number;
}

static int trajectory_export(lua_State *L) {
  scree_reader *reader = check_open(L);
  scree_export_def def = scree_export_defaults();
  char path[SL_PATH];
  luaL_checktype(L, 2, LUA_TTABLE);
  def.directory = "export", def.first = 1;
  sl_read(L, 2, "export",
      (sl_section[]){SL_TABLE(scree_export_params, &def), {frame_params, SL_COUNT(frame_params), &def}}, 2,
      0);
  sl_output_folder(L, def.directory, "export.directory", path);
  if (sl_runtime_silent(sl_runtime_of(L))) return lua_pushinteger(L, 0), 1;
  def.directory = path;
  def.first = export_bound(L, reader, def.first, "export.first");
  def.last = export_bound(L, reader, def.last, "export.last");
  int64_t files = 0;
  SL_TRY(L, scree_export(reader, &def, &files, &error));
  lua_pushinteger(L, files);
  return 1;
}

/* ---- comparison ---- */

static void push_difference(lua_State *L, const scree_difference *d) {
  lua_createtable(L, 0, 6);
  sl_set_integer(L, "frame", d->frame + 1);
  sl_set_integer(L, "body", (int64_t)d->body);
  sl_set_string(L, "field", scree_diff_field_name(d->field));
  sl_set_integer(L, "component", d->component + 1);
  sl_set_number(L, "a", d->a);
  sl_set_number(L, "b", d->b);
}

/* a:compare(b, tolerance): nil if they are equal, else a table of the differences. */
static int trajectory_compare(lua_State *L) {
  scree_reader *a = check_open(L);
  const trajectory *other = sl_check(L, 2, SL_TRAJECTORY);
  if (!other->reader) return sl_refuse(L, "the trajectory is closed");
  scree_comparison c;
  SL_TRY(L, scree_compare(a, other->reader, luaL_optnumber(L, 3, 0), &c, &error));
  if (c.same) return 0;
  lua_createtable(L, 0, 5);
  sl_set_integer(L, "differences", c.differences);
  sl_set_integer(L, "compared", c.compared);
  sl_set_integer(L, "frames_a", c.frames_a);
  sl_set_integer(L, "frames_b", c.frames_b);
  if (c.first.frame >= 0) {
    push_difference(L, &c.first);
    lua_setfield(L, -2, "first");
  }
  lua_newtable(L);
  for (int field = 0; field < SCREE_DIFF_FIELDS; field++) {
    if (c.largest[field].frame < 0) continue;
    push_difference(L, c.largest + field);
    lua_setfield(L, -2, scree_diff_field_name(field));
  }
  lua_setfield(L, -2, "largest");
  return 1;
}

const luaL_Reg sl_trajectory_functions[] = {{"open", module_open}, {NULL, NULL}};
const luaL_Reg sl_trajectory_methods[] = {{"info", trajectory_info}, {"verify", trajectory_verify},
    {"meta", trajectory_meta}, {"source", trajectory_source}, {"time", trajectory_time},
    {"frame", trajectory_frame}, {"frames", trajectory_frames}, {"export", trajectory_export},
    {"compare", trajectory_compare}, {"close", trajectory_close}, {NULL, NULL}};
const luaL_Reg sl_trajectory_metamethods[] = {
    {"__len", trajectory_length}, {"__gc", trajectory_close}, {"__close", trajectory_close}, {NULL, NULL}};
const sl_params sl_trajectory_params[] = {
    SL_TABLE_ROWS("export", scree_export_params), SL_ARRAY_ROWS("export", frame_params), {NULL}};
