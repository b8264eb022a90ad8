/* The cell of a periodic world (cell.h): sets and moves its matrix H, and finds periodic images of points. */
#include "model/cell.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* Sets out to the cross product of the two edges other than edge k. It equals the determinant of H times row
 * k of the inverse of H. */
static void edge_normal_of(const double H[9], int k, double out[3]) {
  int a = (k + 1) % 3, b = (k + 2) % 3;
  const double u[3] = {H[a], H[3 + a], H[6 + a]}, v[3] = {H[b], H[3 + b], H[6 + b]};
  sc_cross(u, v, out);
}

static double determinant_of(const double H[9]) {
  const double u[3] = {H[0], H[3], H[6]};
  double n[3];
  edge_normal_of(H, 0, n);
  return sc_dot(u, n);
}

bool sc_cell_set(sc_cell *cell, const double matrix[9]) {
  double det = determinant_of(matrix), size = 0;
  for (int k = 0; k < 9; k++) size = fmax(size, fabs(matrix[k]));
  if (!(fabs(det) > 1e-9 * size * size * size) || !isfinite(det)) return false;
  memmove(cell->matrix, matrix, sizeof cell->matrix);
  for (int k = 0; k < 3; k++) {
    edge_normal_of(cell->matrix, k, cell->inverse + 3 * k);
    sc_scale(1 / det, cell->inverse + 3 * k, cell->inverse + 3 * k);
  }
  return true;
}

void sc_cell_set_gradient(sc_cell *cell, const double gradient[9]) {
  memcpy(cell->gradient, gradient, sizeof cell->gradient);
  cell->moves = cell->is_driven;
  for (int k = 0; k < 9; k++) cell->moves |= gradient[k] != 0;
}

bool sc_cell_move(sc_cell *cell, double dt) {
  double change[9], H[9];
  if (!cell->moves) return true;
  sc_mat_mul(cell->gradient, cell->matrix, change);
  for (int k = 0; k < 9; k++) H[k] = cell->matrix[k] + dt * change[k];
  return sc_cell_set(cell, H);
}

static void edge_of(const double H[9], int k, double out[3]) { sc_set3(H[k], H[3 + k], H[6 + k], out); }

/* Returns the multiple of edge a that must be subtracted from edge b so that b tilts along a by at most half
 * of a. Returns 0 if b tilts by at most half of a, or if its tilt does not grow. */
static double excess_edges(const sc_cell *cell, int b, int a) {
  double u[3], v[3], rate[3];
  edge_of(cell->matrix, a, u);
  edge_of(cell->matrix, b, v);
  sc_mat_vec(cell->gradient, v, rate);
  double tilt = sc_dot(u, v) / sc_dot(u, u);
  return fabs(tilt) > 0.5 && tilt * sc_dot(u, rate) > 0 ? floor(tilt + 0.5) : 0;
}

bool sc_cell_remap(sc_cell *cell, int32_t M[9]) {
  bool any = false;
  for (int k = 0; k < 9; k++) M[k] = k % 4 == 0;
  for (int b = 0; b < 3; b++)
    for (int a = 0; a < 3; a++) {
      double turns = a == b || !cell->periodic[a] || !cell->periodic[b] ? 0 : excess_edges(cell, b, a), H[9];
      if (turns == 0) continue;
      memcpy(H, cell->matrix, sizeof H);
      for (int i = 0; i < 3; i++) H[3 * i + b] -= turns * H[3 * i + a];
      if (!sc_cell_set(cell, H)) continue;
      /* the offset n_a h_a + n_b h_b of an image must not change, so n_a grows by `turns` times n_b (h:
       * edges) */
      for (int i = 0; i < 3; i++) M[3 * a + i] += (int32_t)turns * M[3 * b + i];
      any = true;
    }
  return any;
}

enum { MOST_EDGES = 12 };

double sc_cell_shortest(const sc_cell *cell) {
  double width[3], longest = 0, least = INFINITY;
  int most[3] = {0, 0, 0};
  sc_cell_widths(cell, width);
  for (int k = 0; k < 3; k++) {
    double edge[3];
    edge_of(cell->matrix, k, edge);
    if (cell->periodic[k]) longest = fmax(longest, sc_norm(edge));
  }
  /* images n with a larger component n[k] are further away than the longest edge */
  for (int k = 0; k < 3; k++)
    if (cell->periodic[k]) most[k] = (int)fmin(MOST_EDGES, ceil(longest / width[k]));
  for (int a = -most[0]; a <= most[0]; a++)
    for (int b = -most[1]; b <= most[1]; b++)
      for (int c = -most[2]; c <= most[2]; c++) {
        const sc_image image = {{a, b, c}};
        double d[3];
        if (sc_image_is_body(&image)) continue;
        sc_cell_shift(cell, &image, d);
        least = fmin(least, sc_norm(d));
      }
  return least;
}

double sc_cell_volume(const sc_cell *cell) { return fabs(determinant_of(cell->matrix)); }

void sc_cell_widths(const sc_cell *cell, double width[3]) {
  for (int k = 0; k < 3; k++) width[k] = 1 / sc_norm(cell->inverse + 3 * k);
}

sc_image sc_cell_wrap(const sc_cell *cell, const double x[3], double wrapped[3]) {
  sc_image image = {{0, 0, 0}};
  double d[3], shift[3];
  sc_sub(x, cell->origin, d);
  for (int k = 0; k < 3; k++) {
    double s = sc_dot(cell->inverse + 3 * k, d);
    if (!cell->periodic[k] || (s >= 0 && s < 1) || isnan(s)) continue; /* usual case: x is in the cell */
    image.n[k] = (int32_t)fmax(-SC_CELL_FAR, fmin(SC_CELL_FAR, floor(s)));
  }
  sc_copy3(x, wrapped);
  if (sc_image_is_body(&image)) return image;
  sc_cell_shift(cell, &image, shift);
  sc_sub(wrapped, shift, wrapped);
  return image;
}

void sc_cell_place(const sc_cell *cell, const double x[3], double place[3]) {
  double d[3];
  sc_sub(x, cell->origin, d);
  sc_mat_vec(cell->inverse, d, place);
}

sc_cell_range sc_cell_around(
    const sc_cell *cell, const double corner[3], const double edges[9], double reach) {
  sc_cell_range r;
  double width[3], place[3], x[3];
  sc_cell_widths(cell, width);
  for (int k = 0; k < 3; k++) r.from[k] = INFINITY, r.to[k] = -INFINITY;
  for (int i = 0; i < 8; i++) {
    sc_mat_vec(edges, (const double[3]){i & 1, i >> 1 & 1, i >> 2}, x);
    sc_add(x, corner, x);
    sc_cell_place(cell, x, place);
    for (int k = 0; k < 3; k++) {
      r.from[k] = fmin(r.from[k], place[k] - reach / width[k]);
      r.to[k] = fmax(r.to[k], place[k] + reach / width[k]);
    }
  }
  return r;
}

sc_images sc_cell_images(const sc_cell *cell, const sc_cell_range *range, const double x[3]) {
  const sc_images none = {{{0, 0, 0}}, {{-1, -1, -1}}};
  sc_images images;
  double place[3];
  sc_cell_place(cell, x, place);
  for (int k = 0; k < 3; k++) {
    const double low = ceil(range->from[k] - place[k]), high = floor(range->to[k] - place[k]);
    if (!(fabs(low) < SC_CELL_FAR && fabs(high) < SC_CELL_FAR)) return none;
    images.first.n[k] = cell->periodic[k] ? (int32_t)low : 0;
    images.last.n[k] = cell->periodic[k] ? (int32_t)high : 0;
    if (images.first.n[k] > images.last.n[k]) return none;
  }
  return images;
}

sc_image sc_images_begin(const sc_images *images) {
  sc_image image = images->first;
  image.n[0]--;
  return image;
}

/* Counts through the images like a number with the digits n[0], n[1], n[2]; n[0] changes fastest. */
bool sc_images_next(const sc_images *images, sc_image *image) {
  for (int k = 0; k < 3; k++) {
    if (image->n[k] < images->last.n[k]) return image->n[k]++, true;
    image->n[k] = images->first.n[k];
  }
  return false;
}

/* ---- cells of frames ---- */

int scree_cell_set(scree_cell *out, const double matrix[9]) {
  SC_DEMAND(out && matrix, NULL, 0);
  sc_cell cell = {.moves = false};
  bool regular = sc_cell_set(&cell, matrix);
  memmove(out->matrix, matrix, sizeof out->matrix);
  memcpy(out->inverse, cell.inverse, sizeof out->inverse);
  out->volume = regular ? sc_cell_volume(&cell) : 0;
  return regular;
}

sc_cell sc_cell_from(const scree_cell *from) {
  sc_cell cell = {.periodic = {from->periodic[0], from->periodic[1], from->periodic[2]}};
  memcpy(cell.matrix, from->matrix, sizeof cell.matrix);
  memcpy(cell.inverse, from->inverse, sizeof cell.inverse);
  memcpy(cell.gradient, from->gradient, sizeof cell.gradient);
  sc_copy3(from->origin, cell.origin);
  return cell;
}

void scree_cell_wrap(const scree_cell *from, const double point[3], double wrapped[3], int32_t image[3]) {
  SC_DEMAND(from && point && wrapped && image, NULL, );
  const sc_cell cell = sc_cell_from(from);
  const sc_image n = sc_cell_wrap(&cell, point, wrapped);
  memcpy(image, n.n, sizeof n.n);
}
