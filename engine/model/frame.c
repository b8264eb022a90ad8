/* Frames: looking a body up. */
#include "base/base.h"
#include "scree/frame.h"

int64_t scree_frame_row(const scree_frame *frame, scree_id body) {
  SC_ASSERT(frame);
  int64_t low = 0, high = frame->bodies;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (frame->id[middle] < body) low = middle + 1;
    else high = middle;
  }
  return low < frame->bodies && frame->id[low] == body ? low : -1;
}
