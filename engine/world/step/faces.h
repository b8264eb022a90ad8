/* Faces: contact points of two shapes with the same normal, for pairs with a stiffness per area (kn). */
#ifndef SC_WORLD_FACES_H
#define SC_WORLD_FACES_H

#include "scree/world.h"

/* Computes the area of each point of a face, copies the state of the face to new points, and conserves the
 * tangential force of the face if its points have changed. Call after contact detection. Does nothing if no
 * pair has a stiffness per area. Returns SCREE_E_ARGUMENT if a joint would open beyond the margin before it
 * breaks. */
scree_status sc_faces_begin(scree_world *world, scree_error *error);
/* Updates the slip and status of all faces from the solution. Call after impulses and velocities of a step
 * are stored. */
void sc_faces_keep(scree_world *world);
/* Records the present bodies. Faces that form between two of them in later steps are not intact. Call at the
 * end of a step. */
scree_status sc_faces_close(scree_world *world, scree_error *error);
/* Sets the area, slip and joint status of a contact of the last step in *out. */
void sc_faces_read(const scree_world *world, int32_t index, scree_contact *out);

#endif
