/* What the files about joints share. */
#ifndef SL_JOINT_H
#define SL_JOINT_H

#include "bind/bind.h"

/* The table of what acts along a free direction: keys that sl_read takes, and the rest of them. */
typedef struct sl_keys {
  const scree_param *params;
  int count;
} sl_keys;
extern const sl_keys sl_drive_keys;
/* limits, motor and servo from the table at an absolute index. */
void sl_read_drive(lua_State *L, int index, const char *path, scree_drive *drive);
/* turn_servo in the table of a joint, at 2. */
void sl_read_turn_servo(lua_State *L, const char *path, scree_turn_servo *servo);

/* Verbs of handles that change what acts (joint_drive.c). */
int sl_joint_set_motor(lua_State *L);
int sl_joint_set_force(lua_State *L);
int sl_joint_has_servo(lua_State *L);
int sl_joint_servo(lua_State *L);
int sl_joint_set_spring(lua_State *L);
int sl_joint_turn_servo(lua_State *L);

/* Pushes the record of a joint that broke. */
int sl_push_break(lua_State *L, const scree_break *b);

#endif
