/* Rays in a periodic cell. The field has every image of a shape that reaches into the cell. The ray is
 * divided at cell faces, and each piece is shifted into the cell and cast. The hit of the first piece with a
 * hit is the nearest. */
#include <math.h>
#include "collide/rays/rays.h"
#include "math/vec.h"

/* State of a ray that passes through the cells of a periodic lattice. Index of the arrays: edge of the
 * cell. */
typedef struct way {
  double cell[3]; /* the present cell relative to the first cell, in edges */
  /* [m] distance from the ray's origin at which the ray leaves the present cell, through each pair of
   * faces */
  double next[3];
  double step[3]; /* [m] distance along the ray between two successive faces of the lattice */
  int sign[3];    /* 1 or -1: direction of the ray along the edge */
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
