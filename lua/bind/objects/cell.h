/* Reads the cell of a periodic world from the table world.cell. */
#ifndef SL_CELL_H
#define SL_CELL_H

#include <lua.h>
#include "scree/scree.h"

/* Reads the key `cell` of the world table at an absolute index into def; no change without the key. */
void sl_read_cell(lua_State *L, int index, const char *path, scree_cell_def *def);

#endif
