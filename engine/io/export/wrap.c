/* Wraps the positions of a frame into its cell, for formats that support periodic boxes. */
#include "io/export/export.h"

#include <string.h>

const unsigned char *sc_export_images(sc_export *ex) {
  const sc_drawn *d = &ex->drawn;
  ex->scratch.count = 0;
  unsigned char *at = sc_bytes_take(&ex->scratch, (size_t)d->count * 12 + 1);
  for (int64_t i = 0; i < 3 * d->count && at; i++)
    sc_put_u32(at + 4 * i, (uint32_t)ex->image[3 * d->row[i / 3] + i % 3]);
  return at;
}

static bool reserve_wrapped(sc_wrapped *w, size_t bodies) {
  return SC_GROW(w->position, w->position_capacity, 3 * bodies + 1) &&
      SC_GROW(w->velocity, w->velocity_capacity, 3 * bodies + 1) &&
      SC_GROW(w->image, w->image_capacity, 3 * bodies + 1);
}

scree_status sc_export_wrap(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  sc_wrapped *w = &ex->wrapped;
  ex->image = NULL;
  if (!f->has_cell || !f->position) return SCREE_OK;
  if (!reserve_wrapped(w, (size_t)f->bodies)) return sc_export_no_memory(error);
  for (int64_t i = 0; i < f->bodies; i++) {
    const scree_shown shown = scree_frame_shown(f, i);
    memcpy(w->position + 3 * i, shown.position, sizeof shown.position);
    memcpy(w->velocity + 3 * i, shown.velocity, sizeof shown.velocity);
    memcpy(w->image + 3 * i, shown.image, sizeof shown.image);
  }
  w->frame = *f;
  w->frame.position = w->position;
  if (f->velocity) w->frame.velocity = w->velocity;
  ex->frame = &w->frame;
  ex->image = w->image;
  return SCREE_OK;
}

bool sc_export_boxed(const scree_frame *frame) {
  const double *H = frame->cell.matrix;
  return frame->has_cell && H[3] == 0 && H[6] == 0 && H[7] == 0 && H[0] > 0 && H[4] > 0 && H[8] > 0;
}
