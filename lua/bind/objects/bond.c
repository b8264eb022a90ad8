/* Elastic bonds of pairs of balls: w:bond_pairs{pairs =, young =, ...}, which scree.bond calls. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/read.h"

#include <math.h>

#define GLUE(member) offsetof(scree_glue, member)
static const scree_param glue_params[] = {
    SL_NEEDED("pairs", "list of {body, body}"),
    SL_REAL("young", GLUE(young), "Pa", 0, 0, INFINITY, "Young's modulus; 0: all stiffnesses are given"),
    SL_REAL("ratio", GLUE(ratio), "", 1, 0, INFINITY, "stiffness along the bond over that across"),
    SL_REAL("normal_stiffness", GLUE(stiffness.normal), "N/m", 0, 0, INFINITY,
        "in place of the beam's; 0: the beam's"),
    SL_REAL("shear_stiffness", GLUE(stiffness.shear), "N/m", 0, 0, INFINITY, "likewise"),
    SL_REAL("bending_stiffness", GLUE(stiffness.bending), "N m/rad", 0, 0, INFINITY, "likewise"),
    SL_REAL("twist_stiffness", GLUE(stiffness.twist), "N m/rad", 0, 0, INFINITY, "likewise"),
    SL_REAL("normal_damping", GLUE(damping.normal), "s", 0, 0, INFINITY, "over normal stiffness"),
    SL_REAL("shear_damping", GLUE(damping.shear), "s", 0, 0, INFINITY, "over shear stiffness"),
    SL_REAL("bending_damping", GLUE(damping.bending), "s", 0, 0, INFINITY, "over bending stiffness"),
    SL_REAL("twist_damping", GLUE(damping.twist), "s", 0, 0, INFINITY, "over twist stiffness"),
    SL_REAL("radius", GLUE(radius), "", 1, 0, INFINITY, "in radii of the smaller body"),
    SCREE_ROW_LIMIT(
        "tension", GLUE(tension), "Pa", "force that draws apart over the section, above which it breaks"),
    SCREE_ROW_LIMIT("compression", GLUE(compression), "Pa", "force that presses together over the section"),
    SCREE_ROW_LIMIT("shear", GLUE(shear), "Pa", "force across over the section"),
    SCREE_ROW_LIMIT("bending", GLUE(bending), "Pa", "stress of bending at the edge"),
    SCREE_ROW_LIMIT("twist", GLUE(twist), "Pa", "shear stress of twist at the edge"),
    SCREE_ROW_LIMIT("edge_tension", GLUE(edge_tension), "Pa", "tension and bending together, at the edge"),
    SCREE_ROW_LIMIT("edge_shear", GLUE(edge_shear), "Pa", "shear and twist together, at the edge"),
    SL_BOOLEAN("collide", GLUE(collide), "bonded bodies touch as well"),
};

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
  SL_READ(L, 2, "bond", glue_params, &glue);
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
const sl_params sl_bond_params[] = {{"bond_pairs", glue_params, SL_COUNT(glue_params), NULL}, {NULL}};
