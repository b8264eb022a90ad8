/* What scree check says about the meshes of a scene. */
#ifndef CLI_CHECK_MESHES_H
#define CLI_CHECK_MESHES_H

#include "scree/world.h"

/* Prints a line for each mesh of a world, and a question if its size does not suit the bodies that move. */
void check_print_meshes(scree_world *world);
/* Prints the meshes as the member "meshes" of a JSON object, with a comma before it. */
void check_put_meshes(scree_world *world);

#endif
