/* What contacts and joints take, for the series. */
#ifndef SL_LOSSES_H
#define SL_LOSSES_H

#include "bind/bind.h"

/* (world, table or nil) -> the table with a column per pair of materials, lost_A_B, lost_joints and
 * lost_sleep [J]. */
int sl_losses_columns(lua_State *L);

#endif
