/* The cell of a frame as a lattice. */
#include "measure/measure.h"
#include "math/vec.h"

sc_measure_lattice sc_measure_lattice_of(const scree_cell *cell) {
  sc_measure_lattice l = {.cell = cell};
  for (int k = 0; k < 3; k++) {
    double p[3], q[3], normal[3];
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int m = 0; m < 3; m++) p[m] = cell->matrix[3 * m + i], q[m] = cell->matrix[3 * m + j];
    sc_cross(p, q, normal);
    sc_scale(1 / cell->volume, normal, l.row[k]);
    l.width[k] = 1 / sc_norm(l.row[k]);
  }
  return l;
}

bool sc_measure_repeats(const scree_frame *f) {
  return f->has_cell && f->cell.periodic[0] && f->cell.periodic[1] && f->cell.periodic[2];
}
