/* Rays in a cell. The field holds every image of a shape that reaches into the cell; a ray goes from cell to
 * cell, and in each of them it is cast, as it lies from there, no further than it stays in it: the first hit
 * is the nearest. */
#include <math.h>
#include "collide/rays/rays.h"
#include "math/vec.h"

/* Where a ray leaves the cell that it is in, along each edge. */
typedef struct way {
  double cell[3]; /* that it is in, in edges from the first */
  double next[3]; /* distance at which it leaves it [m] */
  double step[3]; /* from one face to the next [m] */
  int sign[3];
} way;

static void set_out(const sc_cell *cell, const double from[3], const double d[3], way *w) {
  double off[3];
  sc_sub(from, cell->origin, off);
  for (int k = 0; k < 3; k++) {
    const double speed = sc_dot(cell->inverse + 3 * k, d), place = sc_dot(cell->inverse + 3 * k, off);
    w->cell[k] = 0;
    w->sign[k] = speed < 0 ? -1 : 1;
    w->step[k] = cell->periodic[k] && speed != 0 ? 1 / fabs(speed) : INFINITY;
    w->next[k] = w->step[k] < INFINITY ? w->step[k] * (speed < 0 ? place : 1 - place) : INFINITY;
  }
}

static int first_face(const way *w) {
  int k = w->next[0] <= w->next[1] ? 0 : 1;
  return w->next[k] <= w->next[2] ? k : 2;
}

void sc_ray_cast_cell(const sc_ray_field *field, const sc_cell *cell, const sc_ray *ray, sc_ray_hit *best) {
  double wrapped[3], shift[3];
  way w;
  sc_cell_wrap(cell, ray->from, wrapped);
  set_out(cell, wrapped, ray->d, &w);
  for (;;) {
    const int face = first_face(&w);
    sc_ray piece = *ray;
    piece.reach = fmin(ray->reach, w.next[face]);
    sc_mat_vec(cell->matrix, w.cell, shift);
    sc_sub(wrapped, shift, piece.from);
    sc_ray_cast(field, &piece, best);
    if (best->distance < INFINITY || !(w.next[face] < ray->reach)) return;
    w.cell[face] += w.sign[face];
    w.next[face] += w.step[face];
  }
}
