/* The cell of a periodic world: space repeats along some of the cell's three edges.
 *
 * The edges are the columns of the matrix H. A body at position x stands for all of its images at x + H n. n:
 * three integers, which are 0 along edges that are not periodic. Positions are not wrapped into the cell. The
 * relative position of two bodies therefore depends on the image of the second body; its n is relative to the
 * first body (relative.h). A cell may deform: dH/dt = L H with the velocity gradient L. The velocity of an
 * image then exceeds that of its body by L H n (Lees & Edwards 1972). */
#ifndef SC_CELL_H
#define SC_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include "math/vec.h"
#include "scree/cell.h"

/* An image of a body. n[k]: number of lengths of edge k by which the image is shifted from the body. */
typedef struct sc_image {
  int32_t n[3];
} sc_image;

typedef struct sc_cell {
  bool periodic[3];
  double matrix[9];   /* H, row-major: its columns are the edges [m] */
  double inverse[9];  /* inverse of H [1/m] */
  double origin[3];   /* corner from which the edges start [m] */
  double gradient[9]; /* L: velocity gradient, row-major [1/s] */
  /* is_driven: true if prescribed stresses control some components of L. driven: [components of L] true:
   * controlled. stress: [components of L] prescribed stress of a controlled component [Pa], positive in
   * compression. inertia: factor of the cell's inertia (world/cell/cell_drive.c). */
  bool driven[9], is_driven;
  double stress[9], inertia;
  bool moves; /* true: L is not 0 or may become nonzero */
} sc_cell;

/* Sets d to H n, the offset of an image from its body [m]; 0 if image is NULL. */
static inline void sc_cell_shift(const sc_cell *cell, const sc_image *image, double d[3]) {
  if (!image) {
    sc_set3(0, 0, 0, d);
    return;
  }
  const double n[3] = {image->n[0], image->n[1], image->n[2]};
  sc_mat_vec(cell->matrix, n, d);
}

/* Sets v to L H n, the velocity of an image relative to its body [m/s]. */
static inline void sc_cell_drift(const sc_cell *cell, const sc_image *image, double v[3]) {
  double d[3];
  sc_cell_shift(cell, image, d);
  sc_mat_vec(cell->gradient, d, v);
}

/* Returns true if an image is the body itself: NULL or n = 0. */
static inline bool sc_image_is_body(const sc_image *image) {
  return !image || !(image->n[0] | image->n[1] | image->n[2]);
}
/* Returns the image whose offset is the difference of the offsets of a and b. */
static inline sc_image sc_image_sub(sc_image a, sc_image b) {
  return (sc_image){{a.n[0] - b.n[0], a.n[1] - b.n[1], a.n[2] - b.n[2]}};
}
/* Returns true if two images are equal. */
static inline bool sc_image_same(sc_image a, sc_image b) {
  return a.n[0] == b.n[0] && a.n[1] == b.n[1] && a.n[2] == b.n[2];
}
/* Compares two images in lexicographic order. Returns -1, 0 or 1. */
static inline int sc_image_compare(sc_image a, sc_image b) {
  for (int k = 0; k < 3; k++)
    if (a.n[k] != b.n[k]) return a.n[k] < b.n[k] ? -1 : 1;
  return 0;
}

/* Sets v to L (x - origin), the velocity of the cell's flow at x [m/s]. */
static inline void sc_cell_flow(const sc_cell *cell, const double x[3], double v[3]) {
  double d[3];
  sc_sub(x, cell->origin, d);
  sc_mat_vec(cell->gradient, d, v);
}

/* Sets the velocity gradient L and `moves`. */
void sc_cell_set_gradient(sc_cell *cell, const double gradient[9]);
/* Advances H by a time dt: H becomes (1 + dt L) H. Returns false and changes nothing if the cell would be
 * singular. */
bool sc_cell_move(sc_cell *cell, double dt);
/* Makes the cell less skew. If an edge b has tilted by more than half of another periodic edge a and tilts
 * further, replaces b by b minus a multiple of a. The positions of all images together do not change. The
 * image with offset n then has offset M n (M: 3x3, row-major). Returns false if no edge was replaced. */
bool sc_cell_remap(sc_cell *cell, int32_t M[9]);
/* Returns the distance of a body from its nearest image [m]; INFINITY if no edge is periodic. */
double sc_cell_shortest(const sc_cell *cell);
/* Sets H and its inverse. Returns false if H is singular or not finite; the cell is then unchanged. */
bool sc_cell_set(sc_cell *cell, const double matrix[9]);
/* Returns the volume of the cell [m3]. */
double sc_cell_volume(const sc_cell *cell);
/* Sets width to the distances between opposite faces [m]. */
void sc_cell_widths(const sc_cell *cell, double width[3]);
enum { SC_CELL_FAR = 1 << 30 }; /* largest absolute value of a component of sc_image.n */
/* Returns the image n of a point x such that x - H n is in the cell, and sets wrapped to x - H n. Components
 * of n are limited to SC_CELL_FAR. */
sc_image sc_cell_wrap(const sc_cell *cell, const double x[3], double wrapped[3]);
/* Sets place to the cell coordinates of a point: H^-1 (x - origin). They are from 0 to 1 inside the cell. */
void sc_cell_place(const sc_cell *cell, const double x[3], double place[3]);
/* A range of cell coordinates (sc_cell_place) around a box. Points outside the range are further from the box
 * than a given distance. */
typedef struct sc_cell_range {
  double from[3], to[3];
} sc_cell_range;
/* Returns the range of cell coordinates that contains all points within the distance reach [m] of a box.
 * corner: a corner of the box [m]. edges: row-major matrix whose columns are the edges of the box from this
 * corner [m]. */
sc_cell_range sc_cell_around(
    const sc_cell *cell, const double corner[3], const double edges[9], double reach);
/* A set of images of one point: all images with first.n[k] <= n[k] <= last.n[k] for k = 0, 1, 2. first.n[k]
 * and last.n[k] are 0 if edge k is not periodic. */
typedef struct sc_images {
  sc_image first, last;
} sc_images;
/* Returns the images of point x whose cell coordinates are in a range. Returns no images if the point is more
 * than SC_CELL_FAR edges away from the range. */
sc_images sc_cell_images(const sc_cell *cell, const sc_cell_range *range, const double x[3]);
/* Returns the start value of a loop over images: for (image = sc_images_begin(&i); sc_images_next(&i,
 * &image);) */
sc_image sc_images_begin(const sc_images *images);
/* Advances *image to the next image. Returns false after the last image. */
bool sc_images_next(const sc_images *images, sc_image *image);
/* Returns an sc_cell with the data of the cell of a frame. */
sc_cell sc_cell_from(const scree_cell *from);

#endif
