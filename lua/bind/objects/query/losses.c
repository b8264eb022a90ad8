/* w:losses(): energy dissipated per pair of materials, by joints and by falling asleep; also as columns of
 * the series. */
#include "bind/objects/query/losses.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"

/* Pushes a userdata with the n x n losses of pairs of materials, and sets *lost to them. Writes the losses of
 * joints and of falling asleep to elsewhere[SCREE_LOST_ELSEWHERE]. Returns the number n of materials. */
static int push_losses(lua_State *L, const scree_world *world, const double **lost, double *elsewhere) {
  int n = scree_world_materials(world);
  double *all = lua_newuserdatauv(L, (size_t)n * (size_t)n * sizeof *all, 0);
  SL_TRY(L, scree_world_losses(world, all, elsewhere, &error));
  *lost = all;
  return n;
}

static int world_losses(lua_State *L) {
  const scree_world *world = sl_check_world(L, 1)->world;
  const double *lost;
  double elsewhere[SCREE_LOST_ELSEWHERE];
  int n = push_losses(L, world, &lost, elsewhere), count = 0;
  lua_createtable(L, n, 2);
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      if (lost[i * n + j] == 0) continue;
      lua_createtable(L, 0, 3);
      sl_set_string(L, "material1", scree_world_material_name(world, i));
      sl_set_string(L, "material2", scree_world_material_name(world, j));
      sl_set_number(L, "energy", lost[i * n + j]);
      lua_rawseti(L, -2, ++count);
    }
  sl_set_number(L, "joints", elsewhere[SCREE_LOST_JOINTS]);
  sl_set_number(L, "sleep", elsewhere[SCREE_LOST_SLEEP]);
  return 1;
}

int sl_losses_columns(lua_State *L) {
  const scree_world *world = ((sl_world *)lua_touserdata(L, 1))->world;
  const double *lost;
  double elsewhere[SCREE_LOST_ELSEWHERE];
  int n = push_losses(L, world, &lost, elsewhere);
  if (lua_isnil(L, 2)) lua_newtable(L);
  else lua_pushvalue(L, 2);
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      lua_pushfstring(
          L, "lost_%s_%s", scree_world_material_name(world, i), scree_world_material_name(world, j));
      lua_pushnumber(L, lost[i * n + j]);
      lua_rawset(L, -3);
    }
  sl_set_number(L, "lost_joints", elsewhere[SCREE_LOST_JOINTS]);
  sl_set_number(L, "lost_sleep", elsewhere[SCREE_LOST_SLEEP]);
  return 1;
}

const luaL_Reg sl_losses_methods[] = {{"losses", world_losses}, {NULL, NULL}};
