/* w.state as bytes, for checkpoints.
 *
 * Only plain data can be packed: numbers, strings, booleans, handles of bodies and joints, and tables of such
 * data. A table that occurs twice remains a single table, and cycles are allowed. Any other value is an error
 * that names its path, such as "w.state.feeds[2].update is a function". Entries are written in the order of
 * pairs, so equal states have equal bytes. */
#ifndef SL_STATE_H
#define SL_STATE_H

#include "bind/scene/scene.h"

/* Packs w.state of a scene's world. The bytes belong to a string, which is pushed. */
sl_trouble sl_scene_pack_state(sl_scene *scene, const char **bytes, size_t *size);
/* Sets w.state from packed bytes. Bodies must have the ids that they had at packing. Damaged bytes are an
 * error, and w.state does not change. */
sl_trouble sl_scene_unpack_state(sl_scene *scene, const char *bytes, size_t size);

/* Lua function (world), stored in the registry: returns the packed state as a string. Needs the metatables of
 * all object types as upvalues. */
int sl_pack_state(lua_State *L);
/* Lua function (world, pointer to the bytes, number of bytes), stored in the registry: unpacks the state into
 * w.state. Needs the metatables of all object types as upvalues. */
int sl_unpack_state(lua_State *L);

#endif
