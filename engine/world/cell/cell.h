/* The cell of a world: made from its def, moved with each step. */
#ifndef SC_WORLD_CELL_H
#define SC_WORLD_CELL_H

#include "scree/world.h"
#include "problem/assembly/assembly.h"

/* Gives a new world the cell that its def asks for, or none. */
scree_status sc_world_make_cell(scree_world *world, scree_error *error);
/* Chooses the edges of a cell anew that is too skew, and names all images after them; before a list is
 * built. */
void sc_world_remap_cell(scree_world *world);
/* In a cell: images of bodies that lie in it stand for them in the coming problem. */
scree_status sc_world_wrap(scree_world *world, sc_assemble_in *in, scree_error *error);
/* Velocities of the problem's bodies become those of the bodies themselves (sign 1), and back (-1). */
void sc_world_unwrap(scree_world *world, double sign);
/* The cell goes on by a step. */
scree_status sc_world_move_cell(scree_world *world, double dt, scree_error *error);

#endif
