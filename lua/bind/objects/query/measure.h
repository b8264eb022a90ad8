/* Registration of measurements, and their data in checkpoints. */
#ifndef SL_MEASURE_H
#define SL_MEASURE_H

#include <lua.h>
#include "scree/scree.h"

/* Puts a method for every kind of measurement into the table on top of the stack. */
void sl_measure_register(lua_State *L);

/* Allocates the data of the probe (profile, flow, ...) at index for a checkpoint; the caller frees it. */
scree_status sl_probe_save(lua_State *L, int index, void **data, size_t *size, scree_error *error);
/* Restores the data of the probe at index from a checkpoint. */
scree_status sl_probe_load(lua_State *L, int index, const void *data, size_t size, scree_error *error);

#endif
