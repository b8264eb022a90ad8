/* Prescribed motions: bodies whose velocities are functions of time or tables. */
#ifndef SL_MOTION_H
#define SL_MOTION_H

#include <lua.h>
#include <stdbool.h>
#include "scree/scree.h"

/* Returns which keys of the body's table at index are motions, as bits. Motions are functions, or lists of
 * { time, vector }. */
int sl_motion_find(lua_State *L, int index);
/* Makes the parameters of the motion keys opaque. Sets the default kind of the body: kinematic, or fixed
 * if its surface moves. Raises an error for another kind. */
void sl_motion_take(lua_State *L, int index, const char *path, int keys, scree_param *params, int count,
    scree_body_def *body);
/* Stores the motions of the table at index for the body `id` of the world at world_index. */
void sl_motion_keep(lua_State *L, int world_index, int index, const char *path, int keys, scree_id id);
/* Largest velocities that a motion sets, for the body or for its moving surface. */
typedef struct sl_motion_speed {
  scree_id id;
  double speed; /* largest speed [m/s] */
  double spin;  /* largest spin [rad/s] */
} sl_motion_speed;
/* Computes the largest velocities of each motion of the world at index from now to `end` [s] and writes
 * the first `most` of them to out. Tables are evaluated at all rows up to `end`, functions at sampled
 * times. Returns the number of motions. An error of a function is passed on. */
int sl_motion_find_speeds(lua_State *L, int world_index, double end, sl_motion_speed *out, int most);
/* Sets all prescribed velocities for the coming step of the world at index. An error of a function is passed
 * on. */
void sl_motion_update(lua_State *L, int world_index);

#endif
