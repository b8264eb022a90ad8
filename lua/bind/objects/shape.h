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

#endif
