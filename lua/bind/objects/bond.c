/* Elastic bonds of pairs of balls: w:bond_pairs{pairs =, young =, ...}, which scree.bond calls. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"

#include <math.h>

/* Row for the key `pairs`. The pairs are an argument of scree_world_add_bonds, not a member of its def. */
static const scree_param pairs_params[] = {SL_NEEDED("pairs", "list of {body, body}")};

/* Returns body `side` (1 or 2) of the pair on top of the stack. */
static scree_id pair_body(lua_State *L, int64_t pair, int side) {
  lua_rawgeti(L, -1, side);
  const sl_body *body = sl_test(L, -1, SL_BODY);
  if (!body || body->world != lua_touserdata(L, 1))
    sl_refuse(L, "bond.pairs[%d][%d] must be a body of this world", (int)pair, side);
  lua_pop(L, 1);
  return body->id;
}

static int world_bond_pairs(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_glue glue = scree_glue_defaults();
  scree_joint first = 0;
  sl_read(L, 2, "bond", (sl_section[]){{pairs_params, 1, NULL}, SL_TABLE(scree_glue_params, &glue)}, 2, 0);
  if (lua_getfield(L, 2, "pairs") != LUA_TTABLE) sl_refuse(L, "bond.pairs must be a list");
  const int64_t count = (int64_t)lua_rawlen(L, -1);
  scree_id(*pair)[2] = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *pair, 0);
  for (int64_t i = 0; i < count; i++) {
    if (lua_rawgeti(L, -2, i + 1) != LUA_TTABLE)
      sl_refuse(L, "bond.pairs[%d] must be {body, body}", (int)i + 1);
    for (int side = 0; side < 2; side++) pair[i][side] = pair_body(L, i + 1, side + 1);
    lua_pop(L, 1);
  }
  SL_TRY(L, scree_world_add_bonds(world->world, &glue, (const scree_id(*)[2])pair, count, &first, &error));
  lua_createtable(L, (int)count, 0);
  for (int64_t i = 0; i < count; i++) sl_push_joint(L, 1, first + (scree_joint)i), lua_rawseti(L, -2, i + 1);
  return 1;
}

const luaL_Reg sl_bond_methods[] = {{"bond_pairs", world_bond_pairs}, {NULL, NULL}};
const sl_params sl_bond_params[] = {
    {"bond_pairs", pairs_params, 1, NULL}, SL_TABLE_ROWS("bond_pairs", scree_glue_params), {NULL}};
