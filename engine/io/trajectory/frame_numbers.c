/* The cell of a frame as numbers. */
#include <string.h>
#include "io/trajectory/frame_codec.h"

void sc_frame_cell_pack(const scree_cell *cell, double out[SC_CELL_ROWS]) {
  memcpy(out, cell->matrix, sizeof cell->matrix);
  memcpy(out + 9, cell->gradient, sizeof cell->gradient);
  memcpy(out + 18, cell->origin, sizeof cell->origin);
  out[21] = cell->volume;
  out[22] = (cell->periodic[0] ? 1 : 0) + (cell->periodic[1] ? 2 : 0) + (cell->periodic[2] ? 4 : 0);
}

void sc_frame_cell_unpack(const double in[SC_CELL_ROWS], scree_cell *cell) {
  *cell = (scree_cell){.volume = in[21]};
  memcpy(cell->matrix, in, sizeof cell->matrix);
  memcpy(cell->gradient, in + 9, sizeof cell->gradient);
  memcpy(cell->origin, in + 18, sizeof cell->origin);
  for (int k = 0; k < 3; k++) cell->periodic[k] = in[22] >= 0 && in[22] <= 7 && (int)in[22] >> k & 1;
}
