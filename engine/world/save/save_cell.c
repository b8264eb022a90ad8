/* The periodic cell in checkpoints: section world.cell. Worlds without a cell have no such section. */
#include "world/world.h"
#include "world/save/save.h"

#include <string.h>

typedef struct saved_cell {
  int64_t periodic; /* bit k: the cell is periodic along edge k */
  int64_t driven;   /* bit k: stress drives component k of the velocity gradient */
  double matrix[9], origin[3], gradient[9], stress[9], inertia;
} saved_cell;

static int64_t edges_of(const sc_cell *cell) {
  return cell->periodic[0] | cell->periodic[1] << 1 | cell->periodic[2] << 2;
}

scree_status sc_save_cell(const scree_world *w, sc_sections *out, scree_error *error) {
  saved_cell s = {.periodic = edges_of(&w->cell)};
  if (!w->bodies.cell) return SCREE_OK;
  memcpy(s.matrix, w->cell.matrix, sizeof s.matrix);
  memcpy(s.origin, w->cell.origin, sizeof s.origin);
  memcpy(s.gradient, w->cell.gradient, sizeof s.gradient);
  memcpy(s.stress, w->cell.stress, sizeof s.stress);
  s.inertia = w->cell.inertia;
  for (int k = 0; k < 9; k++) s.driven |= (int64_t)w->cell.driven[k] << k;
  return sc_section_write(out, "world.cell", &s, sizeof s, error);
}

scree_status sc_load_cell(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  saved_cell s;
  sc_cell cell = w->cell;
  const void *bytes = sc_section_find(in, "world.cell", &size, NULL);
  if (!bytes && !w->bodies.cell) return SCREE_OK;
  if (!bytes || !w->bodies.cell)
    return sc_fail(error, SCREE_E_ARGUMENT, "the checkpoint is of a world %s, this world has %s",
        bytes ? "with a cell" : "without a cell", bytes ? "none" : "one");
  if (size != sizeof s) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's cell is damaged");
  memcpy(&s, bytes, sizeof s);
  if (s.periodic != edges_of(&w->cell))
    return sc_fail(error, SCREE_E_ARGUMENT, "the checkpoint is of a cell with other periodic edges");
  if (!sc_save_finite(s.matrix, 31) || s.inertia < 0 || !sc_cell_set(&cell, s.matrix))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's cell is damaged");
  memcpy(cell.origin, s.origin, sizeof cell.origin);
  memcpy(cell.stress, s.stress, sizeof cell.stress);
  cell.inertia = s.inertia, cell.is_driven = false;
  for (int k = 0; k < 9; k++) cell.driven[k] = s.driven >> k & 1, cell.is_driven |= cell.driven[k];
  sc_cell_set_gradient(&cell, s.gradient);
  w->cell = cell;
  return SCREE_OK;
}
