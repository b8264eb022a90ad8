/* The cell of a periodic world: the table world.cell, and the handle w:cell(). */
#include "bind/objects/cell.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>

/* ---- the table ---- */

static void read_periodic(lua_State *L, int table, const char *path, scree_cell_def *def) {
  lua_getfield(L, table, "periodic");
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 3)
    sl_refuse(L, "%s.periodic must be a list of three, {true|false, true|false, true|false}", path);
  for (int k = 0; k < 3; k++) {
    if (lua_rawgeti(L, -1, k + 1) != LUA_TBOOLEAN)
      sl_refuse(L, "%s.periodic[%d] must be true or false, not a %s", path, k + 1, luaL_typename(L, -1));
    def->periodic[k] = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void sl_read_cell(lua_State *L, int index, const char *path, scree_cell_def *def) {
  char place[256];
  snprintf(place, sizeof place, "%s.cell", path);
  lua_pushliteral(L, "cell");
  if (lua_rawget(L, index) != LUA_TNIL) {
    SL_READ_TABLE(L, -1, place, scree_cell_params, def);
    read_periodic(L, lua_absindex(L, -1), place, def);
  }
  lua_pop(L, 1);
}

/* ---- the handle ---- */

static sl_world *check_cell(lua_State *L) {
  const sl_cell *cell = sl_check(L, 1, SL_CELL);
  return cell->world;
}

static scree_cell get_cell(lua_State *L) {
  scree_cell cell;
  scree_world_get_cell(check_cell(L)->world, &cell);
  return cell;
}

static int world_cell(lua_State *L) {
  sl_world *world = sl_check_world(L, 1);
  scree_cell about;
  if (!scree_world_get_cell(world->world, &about))
    sl_refuse(L, "the world has no cell; give it one with world = {cell = {size =, periodic =}}");
  sl_cell *cell = lua_newuserdatauv(L, sizeof *cell, 1);
  cell->world = world;
  sl_set_type_in(L, SL_CELL, 1);
  return 1;
}

extern const luaL_Reg sl_cell_object_methods[];

/* Returns the cell at argument 1. Raises an error if there are further arguments, because getters have
 * none. */
static scree_cell read_cell(lua_State *L) {
  const scree_cell cell = get_cell(L);
  sl_take_none(L, sl_cell_object_methods);
  return cell;
}

/* size(): lengths of the three edges. */
static int cell_size(lua_State *L) {
  scree_cell cell = read_cell(L);
  const double *H = cell.matrix;
  double size[3];
  for (int k = 0; k < 3; k++) size[k] = sqrt(H[k] * H[k] + H[3 + k] * H[3 + k] + H[6 + k] * H[6 + k]);
  return sl_push_numbers(L, size, 3);
}
/* Defines a getter. pushed: expression that pushes values from `cell` and returns their number. */
#define GETTER(name, pushed) \
  static int cell_##name(lua_State *L) { \
    scree_cell cell = read_cell(L); \
    return pushed; \
  }
GETTER(matrix, sl_push_matrix(L, cell.matrix))
GETTER(velocity_gradient, sl_push_matrix(L, cell.gradient))
GETTER(origin, sl_push_numbers(L, cell.origin, 3))
GETTER(volume, sl_push_numbers(L, &cell.volume, 1))
GETTER(tostring, (lua_pushfstring(L, "cell of %f m3", cell.volume), 1))

static int cell_periodic(lua_State *L) {
  scree_cell cell = read_cell(L);
  for (int k = 0; k < 3; k++) lua_pushboolean(L, cell.periodic[k]);
  return 3;
}

/* wrap(point): returns the periodic image of the point inside the cell, and the number of this image. */
static int cell_wrap(lua_State *L) {
  scree_cell cell = get_cell(L);
  double point[3], wrapped[3];
  int32_t image[3];
  sl_vec3_argument(L, 2, "wrap", point);
  scree_cell_wrap(&cell, point, wrapped, image);
  sl_push_vector(L, wrapped, 3);
  lua_createtable(L, 3, 0);
  for (int k = 0; k < 3; k++) lua_pushinteger(L, image[k]), lua_rawseti(L, -2, k + 1);
  return 2;
}

/* stress(): returns the total stress, its kinetic part, and its part of contacts and joints. */
static int cell_stress(lua_State *L) {
  double kinetic[9], contact[9], sum[9];
  read_cell(L);
  SL_TRY(L, scree_world_cell_stress(check_cell(L)->world, kinetic, contact, &error));
  for (int k = 0; k < 9; k++) sum[k] = kinetic[k] + contact[k];
  return sl_push_matrix(L, sum) + sl_push_matrix(L, kinetic) + sl_push_matrix(L, contact);
}

/* Reads a matrix from three rows or one list of nine numbers. */
static void read_matrix(lua_State *L, int index, const char *path, double out[9]) {
  index = lua_absindex(L, index);
  size_t length = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
  if (length != 3 && length != 9)
    sl_refuse(L, "%s must be three rows of three numbers, {{...}, {...}, {...}}", path);
  for (int k = 0; k < (int)length; k++) {
    char place[96];
    lua_rawgeti(L, index, k + 1);
    snprintf(place, sizeof place, "%s[%d]", path, k + 1);
    if (length == 3) sl_read_vec3(L, -1, place, NULL, false, out + 3 * k);
    else out[k] = sl_read_number(L, -1, place, NULL);
    lua_pop(L, 1);
  }
}

static int cell_set_matrix(lua_State *L) {
  const sl_world *world = check_cell(L);
  double matrix[9];
  read_matrix(L, 2, "set_matrix", matrix);
  if (world->stepping) sl_refuse(L, "the cell cannot be changed from within a friction law");
  SL_TRY(L, scree_world_cell_set_matrix(world->world, matrix, &error));
  return 0;
}

/* set_velocity_gradient({rows}, affine): affine adds the change of the gradient to the velocities of the
 * bodies (default: true). */
static int cell_set_velocity_gradient(lua_State *L) {
  const sl_world *world = check_cell(L);
  double gradient[9];
  read_matrix(L, 2, "set_velocity_gradient", gradient);
  bool affine = lua_isnoneornil(L, 3) || lua_toboolean(L, 3);
  if (world->stepping) sl_refuse(L, "the cell cannot be changed from within a friction law");
  SL_TRY(L, scree_world_cell_set_gradient(world->world, gradient, affine, &error));
  return 0;
}
/* set_stress({rows}, inertia): a number prescribes this component of the stress; false leaves it free. */
static int cell_set_stress(lua_State *L) {
  const sl_world *world = check_cell(L);
  double stress[9] = {0}, inertia = luaL_optnumber(L, 3, 1);
  int driven[9] = {0};
  bool rows = lua_istable(L, 2) && lua_rawlen(L, 2) == 3;
  for (int i = 0; i < 3 && rows; i++) {
    rows = lua_rawgeti(L, 2, i + 1) == LUA_TTABLE && lua_rawlen(L, -1) == 3;
    for (int j = 0; j < 3 && rows; j++) {
      char place[64];
      snprintf(place, sizeof place, "set_stress[%d][%d]", i + 1, j + 1);
      bool given = lua_rawgeti(L, -1, j + 1) != LUA_TBOOLEAN || lua_toboolean(L, -1);
      driven[3 * i + j] = given;
      if (given) stress[3 * i + j] = sl_read_number(L, -1, place, "Pa");
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  if (!rows)
    sl_refuse(
        L, "set_stress must be three rows of three, each a stress [Pa] or false: {{p, false, false}, ...}");
  if (world->stepping) sl_refuse(L, "the cell cannot be changed from within a friction law");
  SL_TRY(L, scree_world_cell_set_stress(world->world, stress, driven, inertia, &error));
  return 0;
}

const luaL_Reg sl_cell_methods[] = {{"cell", world_cell}, {NULL, NULL}};
const luaL_Reg sl_cell_object_methods[] = {{"size", cell_size}, {"matrix", cell_matrix},
    {"origin", cell_origin}, {"periodic", cell_periodic}, {"volume", cell_volume}, {"wrap", cell_wrap},
    {"stress", cell_stress}, {"velocity_gradient", cell_velocity_gradient}, {"set_matrix", cell_set_matrix},
    {"set_velocity_gradient", cell_set_velocity_gradient}, {"set_stress", cell_set_stress}, {NULL, NULL}};
const luaL_Reg sl_cell_metamethods[] = {{"__tostring", cell_tostring}, {NULL, NULL}};
const sl_params sl_cell_params[] = {SL_TABLE_ROWS("world.cell", scree_cell_params), {NULL}};
