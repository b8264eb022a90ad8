/* Reading the key `output` of a scene table, and the readers that other keys share with it. */
#ifndef SL_OUTPUT_H
#define SL_OUTPUT_H

#include "bind/scene/scene.h"

/* Pops the function on top of the stack and returns a registry reference to it, LUA_NOREF for nil. Raises
 * an error for other values. path: name of the value in messages. */
int sl_scene_take_function(lua_State *L, const char *path);
/* Replaces the table on top of the stack by a copy in which the keys time, steps and every are numbers. If a
 * key is a function of the parameters, the copy contains the function's result. */
void sl_scene_resolve_numbers(lua_State *L, const sl_scene *scene);
/* Reads `output` of the scene table at stack index 1: trajectory, series and track. */
void sl_scene_read_output(lua_State *L, sl_scene *scene);

#endif
