/* Faces: the contact points of two shapes with one normal, for pairs with a stiffness per area (kn). */
#ifndef SC_WORLD_FACES_H
#define SC_WORLD_FACES_H

#include "scree/world.h"

/* Call after contacts are found: computes the area of each point, copies the state of the face to new points,
 * and conserves the tangential force of the face if its points have changed. Does nothing if no pair has a
 * stiffness per area. Returns SCREE_E_ARGUMENT if a joint would open beyond the margin before it breaks. */
scree_status sc_faces_begin(scree_world *world, scree_error *error);
/* Call after a step's impulses and velocities are stored: adds the slip, and finds which faces failed. */
void sc_faces_keep(scree_world *world);
/* Call at the end of a step: faces that later form between the present bodies are not intact. */
scree_status sc_faces_close(scree_world *world, scree_error *error);
/* Sets area, slip and joint of a contact of the last step. */
void sc_faces_read(const scree_world *world, int32_t index, scree_contact *out);

#endif
