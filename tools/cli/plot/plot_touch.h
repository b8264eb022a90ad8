/* Contacts of a frame, found anew from its shapes. */
#ifndef CLI_PLOT_TOUCH_H
#define CLI_PLOT_TOUCH_H

#include "scree/scree.h"

typedef struct touch_list {
  scree_frame_contact *contact; /* [count] points and normals of contacts; impulses have no meaning */
  int64_t count;
} touch_list;

/* Finds the contacts of all pairs of shapes in a frame with orientations. Layers do not count, because frames
 * do not contain them. Returns false if the world of the frame cannot be made, for example in a periodic
 * cell. The caller frees *out with touch_free in any case. */
int touch_find(const scree_frame *frame, touch_list *out);
/* Frees the contacts of a list. */
void touch_free(touch_list *list);

#endif
