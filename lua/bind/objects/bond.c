/* Bonds by the list: w:bond_pairs{pairs =, young =, ...}, what scree.bond makes of balls. */
#include "bind/bind.h"
#include "scree/bond.h"

#include <math.h>

#define GLUE(member) offsetof(scree_glue, member)
static const scree_param glue_params[] = {
    {"pairs", SCREE_OPAQUE, SCREE_REQUIRED, "", 0, 0, 0, 0, NULL, "list of {body, body}"},
    {"young", SCREE_REAL, 0, "Pa", 0, 0, INFINITY, GLUE(young), NULL,
        "Young's modulus; 0: all stiffnesses are given"},
    {"ratio", SCREE_REAL, 0, "", 1, 0, INFINITY, GLUE(ratio), NULL,
        "stiffness along the bond over that across"},
    {"normal_stiffness", SCREE_REAL, 0, "N/m", 0, 0, INFINITY, GLUE(stiffness.normal), NULL,
        "in place of the beam's; 0: the beam's"},
    {"shear_stiffness", SCREE_REAL, 0, "N/m", 0, 0, INFINITY, GLUE(stiffness.shear), NULL, "likewise"},
    {"bending_stiffness", SCREE_REAL, 0, "N m/rad", 0, 0, INFINITY, GLUE(stiffness.bending), NULL,
        "likewise"},
    {"twist_stiffness", SCREE_REAL, 0, "N m/rad", 0, 0, INFINITY, GLUE(stiffness.twist), NULL, "likewise"},
    {"normal_damping", SCREE_REAL, 0, "s", 0, 0, INFINITY, GLUE(damping.normal), NULL,
        "over normal stiffness"},
    {"shear_damping", SCREE_REAL, 0, "s", 0, 0, INFINITY, GLUE(damping.shear), NULL, "over shear stiffness"},
    {"bending_damping", SCREE_REAL, 0, "s", 0, 0, INFINITY, GLUE(damping.bending), NULL,
        "over bending stiffness"},
    {"twist_damping", SCREE_REAL, 0, "s", 0, 0, INFINITY, GLUE(damping.twist), NULL, "over twist stiffness"},
    {"radius", SCREE_REAL, 0, "", 1, 0, INFINITY, GLUE(radius), NULL, "in radii of the smaller body"},
    {"tension", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(tension), NULL,
        "force that draws apart over the section, above which it breaks"},
    {"compression", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(compression), NULL,
        "force that presses together over the section"},
    {"shear", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(shear), NULL,
        "force across over the section"},
    {"bending", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(bending), NULL,
        "stress of bending at the edge"},
    {"twist", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(twist), NULL,
        "shear stress of twist at the edge"},
    {"edge_tension", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(edge_tension), NULL,
        "tension and bending together, at the edge"},
    {"edge_shear", SCREE_REAL, SCREE_UNBOUNDED, "Pa", INFINITY, 0, INFINITY, GLUE(edge_shear), NULL,
        "shear and twist together, at the edge"},
    {"collide", SCREE_BOOLEAN, 0, "", 0, 0, 0, GLUE(collide), NULL, "bonded bodies touch as well"},
};
enum { GLUE_PARAMS = sizeof glue_params / sizeof *glue_params };

/* Body `side` of the pair on top of the stack. */
static scree_id pair_body(lua_State *L, int64_t pair, int side) {
  lua_rawgeti(L, -1, side);
  const sl_body *body = sl_test(L, -1, SL_BODY);
  if (!body || body->world != lua_touserdata(L, 1))
    sl_raise(L, SCREE_E_ARGUMENT, "bond.pairs[%d][%d] must be a body of this world", (int)pair, side);
  lua_pop(L, 1);
  return body->id;
}

static int world_bond_pairs(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_glue glue = scree_glue_defaults();
  scree_error error = {SCREE_OK, ""};
  scree_joint first = 0;
  sl_read(L, 2, "bond", &(sl_section){glue_params, GLUE_PARAMS, &glue}, 1, 0);
  if (lua_getfield(L, 2, "pairs") != LUA_TTABLE) sl_raise(L, SCREE_E_ARGUMENT, "bond.pairs must be a list");
  const int64_t count = (int64_t)lua_rawlen(L, -1);
  scree_id(*pair)[2] = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *pair, 0);
  for (int64_t i = 0; i < count; i++) {
    if (lua_rawgeti(L, -2, i + 1) != LUA_TTABLE)
      sl_raise(L, SCREE_E_ARGUMENT, "bond.pairs[%d] must be {body, body}", (int)i + 1);
    for (int side = 0; side < 2; side++) pair[i][side] = pair_body(L, i + 1, side + 1);
    lua_pop(L, 1);
  }
  if (scree_world_add_bonds(world->world, &glue, (const scree_id(*)[2])pair, count, &first, &error) !=
      SCREE_OK)
    sl_raise_error(L, &error);
  lua_createtable(L, (int)count, 0);
  for (int64_t i = 0; i < count; i++) sl_push_joint(L, 1, first + (scree_joint)i), lua_rawseti(L, -2, i + 1);
  return 1;
}

const luaL_Reg sl_bond_methods[] = {{"bond_pairs", world_bond_pairs}, {NULL, NULL}};
const sl_params sl_bond_params[] = {{"bond_pairs", glue_params, GLUE_PARAMS, NULL}, {NULL}};
