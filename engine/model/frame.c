/* Frames: looking a body up, and where it is shown. */
#include "base/base.h"
#include "model/cell.h"
#include "scree/frame.h"

#include <string.h>

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

scree_shown scree_frame_shown(const scree_frame *f, int64_t row) {
  SC_ASSERT(f && row >= 0 && row < f->bodies);
  scree_shown s = {.image = {0, 0, 0}};
  if (f->position) sc_copy3(f->position + 3 * row, s.position);
  if (f->velocity) sc_copy3(f->velocity + 3 * row, s.velocity);
  if (!f->has_cell || !f->position) return s;
  const sc_cell cell = sc_cell_from(&f->cell);
  const sc_image image = sc_cell_wrap(&cell, f->position + 3 * row, s.position);
  double drift[3];
  memcpy(s.image, image.n, sizeof s.image);
  sc_cell_drift(&cell, &image, drift);
  if (f->velocity) sc_sub(s.velocity, drift, s.velocity);
  return s;
}
