/* Reading shapes, bodies and templates from tables. */
#ifndef SL_SHAPE_H
#define SL_SHAPE_H

#include "bind/object.h"
#include "bind/read.h"

/* Puts a method for every kind of shape into the table on top of the stack. */
void sl_shape_register(lua_State *L);
/* Writes the parameter tables of w:NAME{...} of a shape type to out, for scree.api. The list ends early with
 * a NULL name. */
void sl_shape_tables(int type, sl_params out[4]);
/* Reads the shape table at index, an entry of w:body{shapes = ...} or the grain of a fill. */
void sl_read_shape(
    lua_State *L, int index, const char *path, const scree_world *world, scree_shape_def *shape);

/* Parameter table of the keys of a body, with sites. motions: bits of the keys that are motions
 * (sl_motion_find). */
typedef struct sl_body_keys {
  scree_param params[SCREE_BODY_KEYS + 1];
  int motions;
} sl_body_keys;
/* Returns the section of the keys of a body in the table at stack index 2, and writes its parameter table
 * to keys. Keys that are motions become opaque; sl_add_body stores them. path: name of the table in
 * messages. */
sl_section sl_body_section(lua_State *L, sl_body_keys *keys, const char *path, scree_body_def *body);
/* Reads the keys inertia and centre of the table at index into body. */
void sl_read_inertia(lua_State *L, int index, const char *path, scree_body_def *body);
/* Adds the body, pushes its handle and returns 1. The world lies at stack index 1, the table of the body
 * at 2. */
int sl_add_body(
    lua_State *L, sl_world *world, const char *path, const scree_body_def *body, const sl_body_keys *keys);

/* Reads the template {shapes =, ...} at index. Pushes the userdata that owns its shapes. */
void sl_read_template(lua_State *L, int index, const char *path, const scree_world *world, scree_clump *out);

#endif
