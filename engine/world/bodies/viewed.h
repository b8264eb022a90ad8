/* Checks of numbers that programs write into the state of bodies through views. */
#ifndef SC_VIEWED_H
#define SC_VIEWED_H

#include "scree/world.h"

/* Checks the state of all bodies and brings orientations to length 1. SCREE_E_ARGUMENT names the first body
 * with a number that is not finite or whose square is not, or with an orientation of length 0. The state then
 * does not change, and the next step checks it again. A world on several ranks is not checked. */
scree_status sc_world_check_viewed(scree_world *world, scree_error *error);

#endif
