/* Bodies of several shapes: w:body{shapes = {...}}, whose entries are placed in the body's frame. Also
 * w:template{...}, a plain table that fills, feeds and w:body copy. */
#include "bind/objects/shape/shape.h"
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"
#include "bind/read.h"

#include <stdio.h>
#include <string.h>

enum { SHAPES_MOST = 4096 };

static const scree_param shapes_params[] = {SL_VALUE("shapes", "list of shapes"),
    SL_VALUE("template", "instead of shapes, mass, inertia and centre: what w:template returns")};
static const scree_param scale_params[] = {
    SL_POSITIVE("scale", 0, "", 1, "of the template's lengths; mass goes with its cube")};
/* Sizes that w:template computes and adds to the keys of a template. */
typedef struct told {
  double diameter, radius;
} told;
static const scree_param told_params[] = {
    SL_POSITIVE(
        "diameter", offsetof(told, diameter), "m", 0, "its size: of the ball of the same volume, without it"),
    SL_POSITIVE("radius", offsetof(told, radius), "m", 0,
        "of a ball about the centre of mass that holds it; told, not read"),
};

/* Reads the list `shapes` of the table at index. Pushes the userdata of the array, so that an error in a
 * shape does not leak it. */
static scree_shape_def *read_shapes(
    lua_State *L, int index, const char *path, const scree_world *world, int *count) {
  char place[96];
  lua_getfield(L, index, "shapes");
  lua_Unsigned length = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (!lua_istable(L, -1) || length > SHAPES_MOST)
    sl_refuse(L, "%s.shapes must be a list of at most %d shapes", path, SHAPES_MOST);
  scree_shape_def *shapes = lua_newuserdatauv(L, (length + 1) * sizeof *shapes, 0);
  for (lua_Unsigned i = 0; i < length; i++) {
    snprintf(place, sizeof place, "%.60s.shapes[%d]", path, (int)i + 1);
    lua_rawgeti(L, -2, (lua_Integer)i + 1);
    sl_read_shape(L, -1, place, world, shapes + i);
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
  *count = (int)length;
  return shapes;
}

/* ---- templates ---- */

void sl_read_template(lua_State *L, int index, const char *path, const scree_world *world, scree_clump *out) {
  scree_body_def body = scree_body_defaults();
  scree_error error = {SCREE_OK, ""};
  told sizes = {0, 0};
  index = lua_absindex(L, index);
  sl_read(L, index, path,
      (sl_section[]){SL_TABLE(scree_clump_params, &body), {told_params, SL_COUNT(told_params), &sizes}}, 2,
      0);
  sl_read_inertia(L, index, path, &body);
  body.shapes = read_shapes(L, index, path, world, &body.shapes_count);
  scree_shape_def *moved = lua_newuserdatauv(L, ((size_t)body.shapes_count + 1) * sizeof *moved, 0);
  if (scree_world_make_clump(world, &body, sizes.diameter, moved, out, &error) != SCREE_OK)
    sl_raise(L, error.status, "%s: %s", path, error.text);
  lua_remove(L, -2);
}

/* w:template{shapes = ...}: returns a copy of the table with mass, inertia, centre, diameter and radius. */
static int world_template(lua_State *L) {
  const sl_world *world = sl_check_world(L, 1);
  scree_clump clump;
  sl_read_template(L, 2, "template", world->world, &clump);
  lua_createtable(L, 0, 6);
  lua_getfield(L, 2, "shapes");
  lua_setfield(L, -2, "shapes");
  sl_set_number(L, "mass", clump.mass);
  sl_set_vector(L, "inertia", clump.inertia, 6);
  sl_set_vector(L, "centre", clump.centre, 3);
  sl_set_number(L, "diameter", clump.diameter);
  sl_set_number(L, "radius", clump.radius);
  return 1;
}

/* ---- bodies ---- */

/* Sets shapes, mass, centre and inertia of the body from the scaled template in the table at stack index
 * 2. */
static void use_template(lua_State *L, const sl_world *world, double scale, scree_body_def *body) {
  static const char *const own[] = {"shapes", "mass", "inertia", "centre"};
  scree_clump clump;
  for (int i = 0; i < 4; i++)
    if (sl_has_key(L, 2, own[i])) sl_refuse(L, "body.%s: template is given too", own[i]);
  lua_getfield(L, 2, "template");
  sl_read_template(L, -1, "body.template", world->world, &clump);
  for (int i = 0; i < clump.shapes_count; i++)
    if (clump.shapes[i].geometry && scale != 1)
      sl_refuse(L, "body.scale: a template with hulls has one size");
  scree_shape_def *shapes = lua_newuserdatauv(L, ((size_t)clump.shapes_count + 1) * sizeof *shapes, 0);
  scree_clump_scale(&clump, scale, shapes, body);
  if (body->kind == SCREE_DYNAMIC) return;
  body->mass = 0, body->has_centre = 0;
  memset(body->inertia, 0, sizeof body->inertia);
}

static int world_body(lua_State *L) {
  sl_world *world = sl_change_world(L, 1);
  scree_body_def body = scree_body_defaults();
  sl_body_keys keys;
  double scale = 1;
  sl_read(L, 2, "body",
      (sl_section[]){sl_body_section(L, &keys, "body", &body), {shapes_params, SL_COUNT(shapes_params), NULL},
          {scale_params, 1, &scale}},
      3, 0);
  if (sl_has_key(L, 2, "template")) {
    use_template(L, world, scale, &body);
    return sl_add_body(L, world, "body", &body, &keys);
  }
  if (sl_has_key(L, 2, "scale")) sl_refuse(L, "body.scale is of a template, which is missing");
  if (!sl_has_key(L, 2, "shapes")) sl_refuse(L, "body.shapes is missing: list of shapes");
  sl_read_inertia(L, 2, "body", &body);
  body.shapes = read_shapes(L, 2, "body", world->world, &body.shapes_count);
  if (!body.shapes_count && !(body.mass > 0))
    sl_refuse(L,
        "body.shapes is empty: a body needs at least one shape, unless it is dynamic and has mass and "
        "inertia given");
  return sl_add_body(L, world, "body", &body, &keys);
}

const luaL_Reg sl_compound_methods[] = {{"body", world_body}, {"template", world_template}, {NULL, NULL}};
const sl_params sl_compound_params[] = {SL_ARRAY_ROWS("body", shapes_params), {"body", scale_params, 1, NULL},
    SL_TABLE_ROWS("template", scree_clump_params), SL_ARRAY_ROWS("template", told_params), {NULL}};
