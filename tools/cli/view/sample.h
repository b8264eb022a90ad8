/* A sample of the bodies of a frame, from which the page computes ranges and boxes of large frames. */
#ifndef VIEW_SAMPLE_H
#define VIEW_SAMPLE_H

#include <stdint.h>

#include "scree/frame.h"

/* A sample. */
typedef struct view_sample {
  scree_frame frame; /* sampled bodies without shapes and contacts; the arrays lie in `block` */
  void *block;       /* memory of the arrays */
} view_sample;

/* Copies every Nth body of a frame; N is the smallest number that leaves at most `most` bodies. Returns 0 if
 * out of memory. */
int view_sample_make(view_sample *sample, const scree_frame *frame, int64_t most);
/* Frees the block of a sample. */
void view_sample_free(view_sample *sample);

#endif
