/* Periodic images in the search for pairs.
 *
 * Shapes are sorted into the grid by their positions wrapped into the cell. Each shape then searches around
 * itself and around those of its images that are near enough to the cell. For most shapes this is one
 * position only. The grid therefore does not depend on the cell, which may be skew. A pair is found once by
 * one of its shapes for each image within reach. Several images of two shapes are different pairs. */
#include "collide/state.h"
#include "math/vec.h"

/* ---- checks of the cell ---- */

/* Returns an error if a movable body could touch its own image. shortest: shortest distance of images [m]. */
static scree_status check_size(
    const sc_collide *collide, const sc_bodies *bodies, int32_t row, double shortest, scree_error *error) {
  double across = 2 * (bodies->radius[row] + sc_reach(collide, bodies->radius[row]));
  if (across < shortest) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "world.cell is too small: it repeats itself after %g m, where the body in row %d could meet its own "
      "image; "
      "the smallest width that works is %g m",
      shortest, (int)row, across * (1 + 1e-6));
}

/* Returns an error if a half-space is not parallel to all periodic edges. */
static scree_status check_plane(const sc_poses *poses, const sc_placed *plane, scree_error *error) {
  const sc_cell *cell = &poses->cell;
  for (int k = 0; k < 3; k++) {
    const double edge[3] = {cell->matrix[k], cell->matrix[3 + k], cell->matrix[6 + k]},
                 n[3] = {plane->R[2], plane->R[5], plane->R[8]};
    if (cell->periodic[k] && !(fabs(sc_dot(n, edge)) <= 1e-9 * sc_norm(edge)))
      return sc_fail(error, SCREE_E_ARGUMENT,
          "a half-space of the body in row %d lies across the %s edge of world.cell, which is periodic: its "
          "normal must be at right angles to that edge",
          (int)poses->cache[plane->row].body,
          k == 0       ? "first"
              : k == 1 ? "second"
                       : "third");
  }
  return SCREE_OK;
}

/* Returns an error if a shape moves further than CELLS times the cell's width in one step. min_width:
 * smallest width of the cell [m]. */
static scree_status check_ways(const sc_poses *poses, int32_t shapes, double min_width, scree_error *error) {
  enum { CELLS = 8 };
  for (int32_t row = 0; row < shapes; row++)
    if (isfinite(poses->cache[row].radius) && !(poses->cache[row].travel < CELLS * min_width))
      return sc_fail(error, SCREE_E_NUMERIC,
          "the body in row %d goes %g m in one step, more than %d times through world.cell: take a smaller "
          "dt",
          (int)poses->cache[row].body, poses->cache[row].travel, CELLS);
  return SCREE_OK;
}

scree_status sc_images_check(const sc_collide *collide, const sc_bodies *bodies, scree_error *error) {
  double width[3], shortest = sc_cell_shortest(bodies->cell);
  scree_status status = SCREE_OK;
  sc_cell_widths(bodies->cell, width);
  const double min_width = fmin(width[0], fmin(width[1], width[2]));
  for (int32_t row = 0; row < bodies->count && !status; row++) {
    const double *x = bodies->position[row];
    if (!(sc_norm(x) < SC_CELL_FAR * min_width))
      return sc_fail(error, SCREE_E_NUMERIC, "the body in row %d is too many cells away", (int)row);
    if (bodies->inv_mass[row] > 0 && isfinite(bodies->radius[row]))
      status = check_size(collide, bodies, row, shortest, error);
  }
  for (int32_t p = 0; p < collide->poses.placed_count && !status; p++)
    if (collide->poses.placed[p].shape->type == SCREE_HALFSPACE)
      status = check_plane(&collide->poses, collide->poses.placed + p, error);
  return status ? status : check_ways(&collide->poses, collide->poses.count, min_width, error);
}

/* ---- images within reach ---- */

void sc_images_about(const sc_cell *cell, const double wrapped[3], double h, int32_t first[3], int32_t n[3]) {
  double d[3], width[3];
  sc_cell_widths(cell, width);
  sc_sub(wrapped, cell->origin, d);
  for (int k = 0; k < 3; k++) {
    first[k] = 0, n[k] = 1;
    if (!cell->periodic[k]) continue;
    /* s: coordinate of the point along edge k, in edges. share: h in widths of the cell, widened for
     * rounding. Image t is within h of the cell if -share - s <= t <= 1 + share - s. */
    double s = sc_dot(cell->inverse + 3 * k, d), share = h / width[k] * (1 + 1e-9) + 1e-9;
    double low = ceil(-share - s), high = floor(1 + share - s);
    first[k] = (int32_t)low, n[k] = (int32_t)(high - low) + 1;
  }
}

/* ---- the order of the pairs of one shape ---- */

typedef struct row {
  int32_t other;
  sc_pair pair;
  sc_image image;
} row;

static int by_other_and_image(const void *a, const void *b) {
  const row *x = a, *y = b;
  if (x->other != y->other) return x->other < y->other ? -1 : 1;
  return sc_image_compare(x->image, y->image);
}

static row row_of(const sc_pair *pair, const sc_image *image, int32_t k, int32_t finder) {
  return (row){pair[k].one == finder ? pair[k].two : pair[k].one, pair[k], image[k]};
}

/* Uses Shell sort (Shell 1959): most shapes have few pairs, and the pairs of the other shapes are not
 * presorted. */
void sc_images_sort(sc_pair *pair, sc_image *image, int32_t count, int32_t finder) {
  int32_t stride = 1;
  while (stride < count / 3) stride = 3 * stride + 1;
  for (; stride > 0; stride /= 3)
    for (int32_t i = stride; i < count; i++) {
      row r = row_of(pair, image, i, finder);
      int32_t j = i;
      for (; j >= stride; j -= stride) {
        row before = row_of(pair, image, j - stride, finder);
        if (by_other_and_image(&before, &r) <= 0) break;
        pair[j] = before.pair, image[j] = before.image;
      }
      pair[j] = r.pair, image[j] = r.image;
    }
}

void sc_collide_rename_images(sc_collide *collide, const int32_t M[9]) {
  sc_list *list = &collide->list;
  for (int32_t p = 0; p < list->pairs && list->image; p++) {
    sc_image old = list->image[p];
    for (int k = 0; k < 3; k++)
      list->image[p].n[k] = M[3 * k] * old.n[0] + M[3 * k + 1] * old.n[1] + M[3 * k + 2] * old.n[2];
  }
}
