/* The periodic cell of a world. */
#ifndef SC_WORLD_CELL_H
#define SC_WORLD_CELL_H

#include "scree/world.h"
#include "problem/assembly/assembly.h"

/* Creates the cell of a new world from world->def.cell. Creates no cell if no edge is periodic. */
scree_status sc_world_make_cell(scree_world *world, scree_error *error);
/* Replaces the edges of the cell by less skew edges of the same lattice if the cell is too skew, and changes
 * all images accordingly. Call before a neighbour list is built. */
void sc_world_remap_cell(scree_world *world);
/* Sets world->wrap to the images of bodies that lie in the cell. Sets `in` so that these images represent the
 * bodies in the next problem. Does nothing without a cell. */
scree_status sc_world_wrap(scree_world *world, sc_assemble_in *in, scree_error *error);
/* Converts velocities of the problem's bodies between two periodic images of a body: the image in the cell
 * and the body itself. They differ by the flow of the cell. sign: 1 from the image in the cell to the body,
 * -1 the other way. */
void sc_world_unwrap(scree_world *world, double sign);
/* Advances the matrix of the cell by a time dt. Returns SCREE_E_NUMERIC if the cell no longer has a
 * volume. */
scree_status sc_world_move_cell(scree_world *world, double dt, scree_error *error);

#endif
