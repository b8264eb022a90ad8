/* Units and placement of meshes and hulls, and orientations by axis and angle. */
#ifndef SL_PLACING_H
#define SL_PLACING_H

#include "bind/read.h"

/* Names of units, as the choices of a parameter. */
#define SL_UNITS "m|mm|cm|um|km|in|ft"
/* Returns the size of a unit of SL_UNITS, given by its index [m]. */
double sl_unit_size(int unit);
/* Reads the list `place` of the table at index into rows of a matrix: coordinate i of the point x becomes
 * place[i][0..2] . x + place[i][3]. Returns false if there is no such list or no step in it. */
bool sl_read_place(lua_State *L, int index, const char *path, double place[3][4]);
/* Reads the keys `axis` and `angle` of the table at index as a quaternion, if they exist. */
void sl_read_turn(lua_State *L, int index, const char *path, double orientation[4]);

/* Returns whether files with the ending of this name contain the unit of their coordinates. */
bool sl_file_says_unit(const char *file);
/* Records which keys of the table at index scale the geometry that was made from them, for sl_find_scaling.
 * scale: factor of the keys unit and scale. file: NULL without one. */
void sl_note_scaling(lua_State *L, int index, const char *path, const scree_geometry *geometry, double scale,
    const char *file);

#endif
