/* What other files need of shapes. */
#ifndef SL_SHAPE_H
#define SL_SHAPE_H

#include "bind/bind.h"

/* Puts a method for every kind of shape into the table on top of the stack. */
void sl_shape_register(lua_State *L);
/* The parameter tables of w:NAME{...} of a type, for the reference. */
void sl_shape_tables(int type, sl_params out[3]);
/* A shape table at index that stands for itself (in w:body, or as the grain of a fill). */
void sl_read_shape(
    lua_State *L, int index, const char *path, const scree_world *world, scree_shape_def *shape);

/* Keys of a body in the table at index 2 of a verb; those that are motions are kept when it is added. */
enum { SL_BODY_KEYS = 16 };
typedef struct sl_body_keys {
  scree_param params[SL_BODY_KEYS];
  int motions;
} sl_body_keys;
sl_section sl_body_section(lua_State *L, sl_body_keys *keys, const char *path, scree_body_def *body);
/* The keys inertia and centre. */
void sl_read_inertia(lua_State *L, int index, const char *path, scree_body_def *body);
/* Adds the body and pushes its handle; the world lies at index 1. */
int sl_add_body(
    lua_State *L, sl_world *world, const char *path, const scree_body_def *body, const sl_body_keys *keys);

/* The template in the table at index, {shapes =, ...}; its shapes belong to a userdata that is pushed. */
void sl_read_template(lua_State *L, int index, const char *path, const scree_world *world, scree_clump *out);

#endif
