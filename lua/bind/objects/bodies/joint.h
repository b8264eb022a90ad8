/* Shared declarations of the files about joints. */
#ifndef SL_JOINT_H
#define SL_JOINT_H

#include <lua.h>
#include "scree/scree.h"

/* Reads the keys limits, motor and servo of the table at an absolute index. freedom: kind of the free
 * direction, as of scree_joint_freedom. */
void sl_read_drive(lua_State *L, int index, const char *path, int freedom, scree_drive *drive);
/* Reads the key turn_servo of the table of a joint at stack index 2. */
void sl_read_turn_servo(lua_State *L, const char *path, scree_turn_servo *servo);

/* Method joint:set_motor{...}; the methods of joints below are in joint_drive.c. */
int sl_joint_set_motor(lua_State *L);
/* Method joint:set_force(force). */
int sl_joint_set_force(lua_State *L);
/* Method joint:has_servo(). */
int sl_joint_has_servo(lua_State *L);
/* Method joint:servo{...}. */
int sl_joint_servo(lua_State *L);
/* Method joint:set_spring{...}. */
int sl_joint_set_spring(lua_State *L);
/* Method joint:turn_servo{...}. */
int sl_joint_turn_servo(lua_State *L);

/* Pushes the table that describes a joint that broke, and returns 1. */
int sl_push_break(lua_State *L, const scree_break *b);

#endif
