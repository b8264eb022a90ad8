/* Units and placement of meshes and hulls, and orientations by axis and angle. */
#ifndef SL_PLACING_H
#define SL_PLACING_H

#include "bind/read.h"

/* Reads the list `place` of the table at index into rows of a matrix: coordinate i of the point x becomes
 * place[i][0..2] . x + place[i][3]. Returns false if there is no such list or no step in it. */
bool sl_read_place(lua_State *L, int index, const char *path, double place[3][4]);
/* Reads the keys `axis` and `angle` of the table at index as a quaternion, if they exist. */
void sl_read_turn(lua_State *L, int index, const char *path, double orientation[4]);

/* Records which keys of the table at index scale the geometry that was made from them, for sl_find_scaling.
 * def: the values of the keys. file: NULL without one. */
void sl_note_scaling(
    lua_State *L, int index, const scree_geometry *geometry, const scree_file_def *def, const char *file);

#endif
