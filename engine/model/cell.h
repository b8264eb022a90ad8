/* The cell of a periodic world: space repeats itself along some of its three edges.
 *
 * The edges are the columns of the matrix H. A body stands for all of its images at x + H n, n whole numbers,
 * 0 along edges that are not periodic. Positions are kept as they come, never wrapped: whoever needs to know
 * where two bodies are from each other is told which image of the second is meant, as seen from the first
 * (relative.h). A cell that is deformed carries its images along: an image moves with L H n beside its
 * body, where H' = L H (Lees & Edwards 1972). */
#ifndef SC_CELL_H
#define SC_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include "math/vec.h"
#include "scree/cell.h"

/* Which image of a body, in edges of the cell. */
typedef struct sc_image {
  int32_t n[3];
} sc_image;

typedef struct sc_cell {
  bool periodic[3];
  double matrix[9];   /* H, row-major [m] */
  double inverse[9];  /* of H */
  double origin[3];   /* corner from which the cell extends along its edges [m] */
  double gradient[9]; /* L, row-major [1/s] */
  /* components of L that follow from a wanted stress [Pa], positive in compression; the factor of the cell's
   * inertia (world/cell/cell_drive.c) */
  bool driven[9], is_driven;
  double stress[9], inertia;
  bool moves; /* L is not 0, or may come to be */
} sc_cell;

/* H n; 0 where image is NULL, the body itself. */
static inline void sc_cell_shift(const sc_cell *cell, const sc_image *image, double d[3]) {
  if (!image) {
    sc_set3(0, 0, 0, d);
    return;
  }
  const double n[3] = {image->n[0], image->n[1], image->n[2]};
  sc_mat_vec(cell->matrix, n, d);
}

/* Velocity of an image beside its body's, L H n [m/s]. */
static inline void sc_cell_drift(const sc_cell *cell, const sc_image *image, double v[3]) {
  double d[3];
  sc_cell_shift(cell, image, d);
  sc_mat_vec(cell->gradient, d, v);
}

static inline bool sc_image_is_body(const sc_image *image) {
  return !image || !(image->n[0] | image->n[1] | image->n[2]);
}
static inline sc_image sc_image_sub(sc_image a, sc_image b) {
  return (sc_image){{a.n[0] - b.n[0], a.n[1] - b.n[1], a.n[2] - b.n[2]}};
}
static inline bool sc_image_same(sc_image a, sc_image b) {
  return a.n[0] == b.n[0] && a.n[1] == b.n[1] && a.n[2] == b.n[2];
}
/* Below, equal or above 0: the order of images of one pair. */
static inline int sc_image_compare(sc_image a, sc_image b) {
  for (int k = 0; k < 3; k++)
    if (a.n[k] != b.n[k]) return a.n[k] < b.n[k] ? -1 : 1;
  return 0;
}

/* The cell's own flow at a place, L (x - origin) [m/s]. */
static inline void sc_cell_flow(const sc_cell *cell, const double x[3], double v[3]) {
  double d[3];
  sc_sub(x, cell->origin, d);
  sc_mat_vec(cell->gradient, d, v);
}

/* Sets L. */
void sc_cell_set_gradient(sc_cell *cell, const double gradient[9]);
/* H' = (1 + dt L) H; false where the cell would be singular: it stays as it was. */
bool sc_cell_move(sc_cell *cell, double dt);
/* Where a step has tilted a periodic edge by more than half of another one towards which it tilts, the next
 * image of its end takes its place: the same lattice, less skew. An image n is then M n. False: nothing to
 * do. */
bool sc_cell_remap(sc_cell *cell, int32_t M[9]);
/* Length of the shortest way from a body to an image of it [m]; INFINITY where nothing is periodic. */
double sc_cell_shortest(const sc_cell *cell);
/* Sets H and what follows from it; false where it is singular or not finite. */
bool sc_cell_set(sc_cell *cell, const double matrix[9]);
/* Volume of the cell [m3]. */
double sc_cell_volume(const sc_cell *cell);
/* Distances between opposite faces [m]. */
void sc_cell_widths(const sc_cell *cell, double width[3]);
/* The n of a point: wrapped, x - H n, lies in the cell. Points further away than SC_CELL_FAR edges count as
 * that far. */
enum { SC_CELL_FAR = 1 << 30 };
sc_image sc_cell_wrap(const sc_cell *cell, const double x[3], double wrapped[3]);
/* Where a point lies in shares of the edges: in the cell from 0 to 1 along each. */
void sc_cell_place(const sc_cell *cell, const double x[3], double place[3]);
/* Images of points that may lie within `reach` of a box, spanned from a corner by three edges: those
 * with from <= n + place <= to, place the point's in edges of the cell. */
typedef struct sc_cell_range {
  double from[3], to[3];
} sc_cell_range;
sc_cell_range sc_cell_around(
    const sc_cell *cell, const double corner[3], const double edges[9], double reach);
/* Of one point: first and last n along each edge, 0 where it is not periodic. */
typedef struct sc_images {
  sc_image first, last;
} sc_images;
/* None where the point is too far away to tell. */
sc_images sc_cell_images(const sc_cell *cell, const sc_cell_range *range, const double x[3]);
/* The one before the first, and the next: for (image = sc_images_begin(&i); sc_images_next(&i, &image);) */
sc_image sc_images_begin(const sc_images *images);
bool sc_images_next(const sc_images *images, sc_image *image);
/* The cell of a frame. */
sc_cell sc_cell_from(const scree_cell *from);

#endif
