/* Positions of a frame wrapped into its cell, for formats that know periodic boxes. */
#include "io/export/export.h"
#include "math/vec.h"
#include "model/cell.h"

#include <math.h>

static bool reserve(sc_wrapped *w, size_t bodies) {
  return SC_GROW(w->position, w->position_capacity, 3 * bodies + 1) &&
      SC_GROW(w->velocity, w->velocity_capacity, 3 * bodies + 1) &&
      SC_GROW(w->image, w->image_capacity, 3 * bodies + 1);
}

scree_status sc_export_wrap(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  sc_wrapped *w = &ex->wrapped;
  sc_cell cell = {.moves = false};
  ex->image = NULL;
  if (!f->has_cell || !f->position) return SCREE_OK;
  for (int k = 0; k < 3; k++) cell.periodic[k] = f->cell.periodic[k];
  sc_copy3(f->cell.origin, cell.origin);
  if (!sc_cell_set(&cell, f->cell.matrix)) return SCREE_OK;
  sc_cell_set_gradient(&cell, f->cell.gradient);
  if (!reserve(w, (size_t)f->bodies)) return sc_export_no_memory(error);
  for (int64_t i = 0; i < f->bodies; i++) {
    double drift[3];
    sc_image image = sc_cell_wrap(&cell, f->position + 3 * i, w->position + 3 * i);
    sc_cell_drift(&cell, &image, drift);
    for (int k = 0; k < 3; k++) {
      w->image[3 * i + k] = image.n[k];
      if (f->velocity) w->velocity[3 * i + k] = f->velocity[3 * i + k] - drift[k];
    }
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
