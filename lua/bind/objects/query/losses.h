/* Energy dissipated by contacts and joints, as columns of the series. */
#ifndef SL_LOSSES_H
#define SL_LOSSES_H

#include <lua.h>
#include "scree/scree.h"

/* Lua function (world, table or nil): returns the table with the columns lost_A_B for each pair of materials,
 * lost_joints and lost_sleep added [J]. */
int sl_losses_columns(lua_State *L);

#endif
