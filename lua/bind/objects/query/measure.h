/* What other files need of measurements. */
#ifndef SL_MEASURE_H
#define SL_MEASURE_H

#include "bind/bind.h"

/* Puts a method for every kind of measurement into the table on top of the stack. */
void sl_measure_register(lua_State *L);

/* The memory of the profile or other probe at an index, for checkpoints. */
scree_status sl_probe_save(lua_State *L, int index, void **data, size_t *size, scree_error *error);
scree_status sl_probe_load(lua_State *L, int index, const void *data, size_t size, scree_error *error);

#endif
