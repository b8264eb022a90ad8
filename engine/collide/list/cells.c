/* Computes the numbers of cells of grids that repeat periodically. */
#include "collide/list.h"

int64_t sc_cells_fold(const double need[3], int64_t max, int32_t cells[3]) {
  int64_t total = 1;
  for (int k = 0; k < 3; k++) {
    for (cells[k] = 1; cells[k] < need[k] && cells[k] < 1 << 20;) cells[k] *= 2;
    total *= cells[k];
  }
  while (total > max) {
    int k = cells[0] >= cells[1] ? (cells[0] >= cells[2] ? 0 : 2) : (cells[1] >= cells[2] ? 1 : 2);
    cells[k] /= 2, total /= 2;
  }
  return total;
}
