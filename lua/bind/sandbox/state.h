/* w.state as bytes: what a checkpoint keeps of a script.
 *
 * Plain data only: numbers, strings, booleans, handles of bodies, tables of these. Tables that are met
 * twice stay one table; a cycle is fine. Anything else is an error that names its place, such as
 * "w.state.feeds[2].update is a function". Entries are written in the order of pairs, so equal states
 * give equal bytes. */
#ifndef SL_STATE_H
#define SL_STATE_H

#include "bind/scene/scene.h"

/* Bytes of the state of a scene's world. They belong to the Lua state, on top of whose stack a string is
 * left. */
sl_trouble sl_scene_pack_state(sl_scene *scene, const char **bytes, size_t *size);
/* Puts them back; ids of bodies must be those of the time of packing. Damaged bytes are an error,
 * nothing is changed then. */
sl_trouble sl_scene_unpack_state(sl_scene *scene, const char *bytes, size_t size);

/* For module.c: functions of the registry, with the metatables as upvalues. */
int sl_pack_state(lua_State *L);   /* (world) -> string */
int sl_unpack_state(lua_State *L); /* (world, string) */

#endif
