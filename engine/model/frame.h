/* Helpers for frames (copies of a world's state): the vector to a periodic image of a body, and the choice of
 * bodies by id and group. */
#ifndef SC_MODEL_FRAME_H
#define SC_MODEL_FRAME_H

#include <stdbool.h>

#include "scree/frame.h"

/* Sets shift to the vector from body 2 to its image that touches body 1: H image [m]. Sets it to 0 without a
 * cell. */
void sc_frame_shift(const scree_frame *frame, const scree_frame_contact *contact, double shift[3]);

/* Returns true if a choice includes the body with this id and group. */
bool sc_frame_choice_has(const scree_frame_choice *choice, scree_id id, int64_t group);

#endif
