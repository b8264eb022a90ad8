/* Checks of numbers that programs write directly into the arrays of bodies (views). */
#ifndef SC_VIEWED_H
#define SC_VIEWED_H

#include "scree/world.h"

/* Checks the state of all bodies and normalises orientations. Returns SCREE_E_ARGUMENT if a number or its
 * square is not finite, or if an orientation has length 0. The message names the first such body. Later steps
 * check the state again. A world on several ranks is not checked. */
scree_status sc_world_check_viewed(scree_world *world, scree_error *error);

#endif
