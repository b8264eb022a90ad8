/* Lists of pairs in a deforming cell.
 *
 * Bodies roughly follow the affine flow of the cell. Therefore the anchor of a shape moves with the cell,
 *
 *   a(t) = origin + F (a_0 - origin),   F = H(t) H_0^-1,
 *
 * and only the motion relative to this anchor uses up slack. H: matrix of the cell's edges. Index 0: when the
 * list was built. Let D_0 be the difference of the anchors of one shape and an image of another. It becomes F
 * D_0, which is never shorter than (1 - |F - 1|) |D_0|. So a list whose reaches were enlarged by 1 / (1 - s)
 * is valid until |F - 1| = s. This limit does not depend on positions and therefore holds for all images of a
 * body. */
#include <math.h>
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

static const double STEPS = 20;    /* number of steps for which a list should be valid */
static const double LEAST = 0.005; /* smallest strain for which a list is made valid */
static const double LARGE = 0.1;   /* largest strain, unless fewer than 2.5 steps reach it */
/* largest strain of the cell in 2.5 steps; a cell that deforms faster is rejected */
static const double MOST = 0.5;

static double frobenius_norm(const double M[9]) {
  double square = 0;
  for (int k = 0; k < 9; k++) square += M[k] * M[k];
  return sqrt(square);
}

/* Returns the strain for which a list built now is made valid. */
static double strain_to_come(const sc_cell *cell, double dt) {
  if (!cell || !cell->moves) return 0;
  double step = dt * frobenius_norm(cell->gradient);
  return fmax(fmin(fmax(STEPS * step, LEAST), LARGE), 2.5 * step);
}

bool sc_strain_begin(sc_collide *collide, const sc_bodies *bodies, double dt) {
  sc_list *list = &collide->list;
  if (bodies->cell) list->cell = *bodies->cell;
  list->strain = strain_to_come(bodies->cell, dt);
  return list->strain <= MOST;
}

double sc_collide_widening(const sc_bodies *bodies, double dt) {
  return 1 / (1 - fmin(strain_to_come(bodies->cell, dt), MOST));
}

bool sc_strain_change(const sc_list *list, const sc_bodies *bodies, double change[9]) {
  if (!bodies->cell || !bodies->cell->moves) return false;
  sc_mat_mul(bodies->cell->matrix, list->cell.inverse, change);
  for (int k = 0; k < 9; k += 4) change[k] -= 1;
  return true;
}

bool sc_strain_is_over(const sc_list *list, const sc_bodies *bodies, double dt) {
  double change[9];
  if (!sc_strain_change(list, bodies, change)) return false;
  double so_far = frobenius_norm(change), step = dt * frobenius_norm(bodies->cell->gradient);
  return so_far + step * (1 + so_far) > list->strain;
}

void sc_strain_way(const sc_list *list, const double change[9], const double anchor[3], double way[3]) {
  double d[3], turn[3];
  sc_sub(anchor, list->cell.origin, d);
  sc_mat_vec(change, d, turn);
  sc_sub(way, turn, way);
}
