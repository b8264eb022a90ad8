/* Strain: lists of pairs in a cell that is deformed.
 *
 * Bodies follow the cell more or less: neighbours are those that would be neighbours in its flow. So the
 * anchor of a shape goes with the cell,
 *
 *   a(t) = origin + F (a_0 - origin),   F = H(t) H_0^-1,
 *
 * and what uses up slack is how far and how fast a shape is beside that. The difference of two anchors (of
 * one and an image of the other) is F D_0, never shorter than (1 - |F - 1|) |D_0|: a list whose reaches were
 * wider by 1 / (1 - s) is good until |F - 1| comes to s. Nothing of this depends on where bodies lie, images
 * of one body are alike. */
#include <math.h>
#include <string.h>
#include "collide/state.h"
#include "math/vec.h"

/* Steps that a list should be good for, and the strains between which that is kept; more than MOST in two
 * steps is too fast. */
static const double STEPS = 20, LEAST = 0.005, LARGE = 0.1, MOST = 0.5;

static double norm(const double M[9]) {
  double square = 0;
  for (int k = 0; k < 9; k++) square += M[k] * M[k];
  return sqrt(square);
}

/* The strain that a list built now is good for. */
static double strain_to_come(const sc_cell *cell, double dt) {
  if (!cell || !cell->moves) return 0;
  double step = dt * norm(cell->gradient);
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
  double so_far = norm(change), step = dt * norm(bodies->cell->gradient);
  return so_far + step * (1 + so_far) > list->strain;
}

void sc_strain_way(const sc_list *list, const double change[9], const double anchor[3], double way[3]) {
  double d[3], turn[3];
  sc_sub(anchor, list->cell.origin, d);
  sc_mat_vec(change, d, turn);
  sc_sub(way, turn, way);
}
