/* The table world.cell, for who reads the world's. */
#ifndef SL_CELL_H
#define SL_CELL_H

#include "bind/bind.h"

/* Reads the key `cell` of the world table at an absolute index, if it is there. */
void sl_read_cell(lua_State *L, int index, const char *path, scree_cell_def *def);

#endif
