/* Bodies that move as functions of time, or tables, say. */
#ifndef SL_MOTION_H
#define SL_MOTION_H

#include "bind/bind.h"

/* Which keys of the body's table at index are motions: functions, or lists of { time, vector }. */
int sl_motion_find(lua_State *L, int index);
/* The parameters of those keys become opaque, and the body kinematic, or fixed with a surface that runs,
 * where nothing else is said; another kind is refused. */
void sl_motion_take(lua_State *L, int index, const char *path, int keys, scree_param *params, int count,
    scree_body_def *body);
/* Remembers the motions of the table at index for the body id of the world at world_index. */
void sl_motion_keep(lua_State *L, int world_index, int index, const char *path, int keys, scree_id id);
/* Largest velocities that a motion sets, of the body and of its running surface. */
typedef struct sl_motion_speed {
  scree_id id;
  double speed; /* [m/s] */
  double spin;  /* [rad/s] */
} sl_motion_speed;
/* Finds the largest velocities of each motion of the world at index from now to `end` [s] and writes the
 * first `most` to out. Tables count with all rows up to `end`, functions with sampled times. Returns the
 * number of motions. Raises what a function raises. */
int sl_motion_find_speeds(lua_State *L, int world_index, double end, sl_motion_speed *out, int most);
/* Sets all velocities for the coming step of the world at index; raises what a function raises. */
void sl_motion_update(lua_State *L, int world_index);

#endif
