/* Contacts of frames in a cell. */
#ifndef SC_MODEL_FRAME_H
#define SC_MODEL_FRAME_H

#include "scree/frame.h"

/* From body 2 to its image that touches, H image [m]; 0 without a cell. */
void sc_frame_shift(const scree_frame *frame, const scree_frame_contact *contact, double shift[3]);

#endif
