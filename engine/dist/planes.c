/* Planes between ranks: the grid, the first positions of planes, and how planes move.
 *
 * In a cell, planes lie at fractions of its edges, so that boxes follow the deformation of the cell. Along
 * periodic edges a body belongs to the box of its image inside the cell. There the boxes form a ring, and the
 * first and the last box end at the faces of the cell.
 *
 * The grid is the factorisation of the number of ranks with the smallest area of planes inside the bounding
 * box of the movable bodies. Planes are spaced evenly at first. When the rank with most bodies has more than
 * `imbalance` times the mean number of bodies, the planes of each axis move to the quantiles of the bodies'
 * coordinates along the axis. A histogram over all ranks gives the quantiles, so all ranks compute the same
 * planes. */
#include "dist/dist.h"
#include "math/vec.h"

enum { BINS = 2048 }; /* number of bins of the histogram along one axis */

/* Returns whether this rank owns the body and the body's position decides its owner. */
static bool is_partitioned(const sc_bodies *b, int32_t row) {
  return sc_bodies_own(b, row) && !b->replicated[row];
}

/* ---- owners ---- */

/* Computes the coordinates of a body that are compared with planes: its position [m], or fractions of cell
 * edges. */
static void compute_place(const sc_bodies *b, int32_t row, double place[3]) {
  if (b->cell) sc_cell_place(b->cell, b->position[row], place);
  else sc_copy3(b->position[row], place);
}

static bool is_periodic(const sc_bodies *b, int axis) { return b->cell && b->cell->periodic[axis]; }

/* Returns coordinate x, reduced to [0, 1) along a periodic axis and unchanged along any other axis. */
static double wrap_coordinate(const sc_bodies *b, int axis, double x) {
  return is_periodic(b, axis) ? x - floor(x) : x;
}

/* Returns the index of the box that contains coordinate x along an axis: the number of inner planes at or
 * below x. */
static int box_of(const sd_dist *d, int axis, double x) {
  const double *plane = d->plane[axis];
  int low = 0, high = d->grid[axis] - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (plane[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

int sd_owner(const sd_dist *d, const sc_bodies *b, int32_t row) {
  double place[3];
  int box[3];
  compute_place(b, row, place);
  for (int k = 0; k < 3; k++) box[k] = box_of(d, k, wrap_coordinate(b, k, place[k]));
  return sd_rank_of(d, box[0], box[1], box[2]);
}

/* Returns the index of the box that contains coordinate x along an axis. Along a periodic axis the index is
 * not wrapped: it continues in the images of the cell. */
static double compute_unwrapped_box(const sd_dist *d, const sc_bodies *b, int axis, double x) {
  double turns = is_periodic(b, axis) ? floor(x) : 0;
  return turns * d->grid[axis] + box_of(d, axis, wrap_coordinate(b, axis, x));
}

/* Along a periodic axis the range contains each box once, even if the body reaches the box from both
 * sides. */
void sd_range(const sd_dist *d, const sc_bodies *b, int32_t row, double reach, int first[3], int count[3]) {
  double place[3];
  compute_place(b, row, place);
  for (int k = 0; k < 3; k++) {
    const int n = d->grid[k];
    double far = b->cell ? reach * sc_norm(b->cell->inverse + 3 * k) * (1 + 1e-9) : reach,
           from = compute_unwrapped_box(d, b, k, place[k] - far),
           boxes = compute_unwrapped_box(d, b, k, place[k] + far) - from + 1;
    bool all = !(boxes < n);
    first[k] = all ? 0 : (int)(from - n * floor(from / n));
    count[k] = all ? n : (int)boxes;
  }
}

/* ---- the first planes ---- */

/* Computes the bounding box of the coordinates of this rank's partitioned bodies; along periodic axes the
 * whole cell. Returns false if this rank owns no such body. */
static bool bounding_box(const scree_world *world, double low[3], double high[3]) {
  const sc_bodies *b = &world->bodies;
  sc_set3(INFINITY, INFINITY, INFINITY, low);
  sc_set3(-INFINITY, -INFINITY, -INFINITY, high);
  bool any = false;
  for (int32_t row = 0; row < b->count; row++) {
    double place[3];
    if (!is_partitioned(b, row)) continue;
    compute_place(b, row, place);
    any = true;
    for (int k = 0; k < 3; k++) low[k] = fmin(low[k], place[k]), high[k] = fmax(high[k], place[k]);
  }
  for (int k = 0; k < 3; k++)
    if (is_periodic(b, k)) low[k] = 0, high[k] = 1;
  return any;
}

/* Returns the number of planes that separate n boxes along an axis. On a periodic axis this includes the cell
 * face. */
static int planes_between(const sc_bodies *b, int axis, int n) {
  return is_periodic(b, axis) && n > 1 ? n : n - 1;
}

/* Returns the total area of the planes between g[0] x g[1] x g[2] boxes, inside a bounding box of the given
 * widths. */
static double area_inside(const sc_bodies *b, const int g[3], const double width[3]) {
  return planes_between(b, 0, g[0]) * width[1] * width[2] + planes_between(b, 1, g[1]) * width[0] * width[2] +
      planes_between(b, 2, g[2]) * width[0] * width[1];
}

static void choose_grid(sd_dist *d, const sc_bodies *b, const double extent[3]) {
  double width[3] = {1, 1, 1};
  if (b->cell) sc_cell_widths(b->cell, width);
  for (int k = 0; k < 3; k++) width[k] *= extent[k];
  double best = INFINITY;
  for (int x = 1; x <= d->ranks; x++)
    for (int y = 1; d->ranks % x == 0 && y <= d->ranks / x; y++) {
      if (d->ranks / x % y) continue;
      int g[3] = {x, y, d->ranks / x / y};
      double area = area_inside(b, g, width);
      if (!(area < best)) continue;
      best = area;
      memcpy(d->grid, g, sizeof g);
    }
}

scree_status sd_planes_choose(sd_dist *d, const scree_world *world, scree_error *error) {
  double low[3], high[3], width[3];
  const int *g = d->def.grid;
  if (!bounding_box(world, low, high)) sc_set3(0, 0, 0, low), sc_set3(1, 1, 1, high);
  for (int k = 0; k < 3; k++) width[k] = high[k] - low[k];
  if (g[0] == 0 && g[1] == 0 && g[2] == 0) choose_grid(d, &world->bodies, width);
  else if (g[0] < 1 || g[1] < 1 || g[2] < 1 || (int64_t)g[0] * g[1] * g[2] != d->ranks)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "a grid of %dx%dx%d does not have %d ranks", g[0], g[1], g[2], d->ranks);
  else memcpy(d->grid, g, sizeof d->grid);
  for (int k = 0; k < 3; k++) {
    int n = d->grid[k];
    if (!(d->plane[k] = sc_alloc((size_t)(n + 1) * sizeof *d->plane[k])))
      return sc_fail(error, SCREE_E_MEMORY, "no memory for %d planes", n);
    for (int i = 1; i < n; i++) d->plane[k][i] = low[k] + width[k] * i / n;
    d->plane[k][0] = -INFINITY, d->plane[k][n] = INFINITY;
  }
  return SCREE_OK;
}

/* ---- moving ---- */

static int bin_of(double x, double low, double width) {
  int bin = width > 0 ? (int)((x - low) / width * BINS) : 0;
  return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

/* Moves the planes of one axis to the quantiles of a histogram, so that all boxes get equally many bodies.
 * count: [BINS] numbers of bodies from coordinate low to low + width. total: their sum. */
static void set_quantile_planes(
    sd_dist *d, int axis, const double *count, double total, double low, double width) {
  double below = 0;
  int n = d->grid[axis], plane = 1;
  for (int bin = 0; bin < BINS && plane < n; bin++) {
    for (; plane < n && below + count[bin] >= total * plane / n && count[bin] > 0; plane++)
      d->plane[axis][plane] = low + width * (bin + (total * plane / n - below) / count[bin]) / BINS;
    below += count[bin];
  }
}

static void move_planes(sd_dist *d, const scree_world *world, double total) {
  const sc_bodies *b = &world->bodies;
  double low[3], high[3], edge[6], count[3 * BINS] = {0};
  bounding_box(world, low, high);
  for (int k = 0; k < 3; k++) edge[k] = -low[k], edge[3 + k] = high[k];
  sd_most(d, edge, 6);
  for (int32_t row = 0; row < b->count; row++) {
    double place[3];
    if (!is_partitioned(b, row)) continue;
    compute_place(b, row, place);
    for (int k = 0; k < 3; k++)
      count[k * BINS + bin_of(wrap_coordinate(b, k, place[k]), -edge[k], edge[3 + k] + edge[k])]++;
  }
  /* counts are integers, so the order of summation does not change the result */
  MPI_Allreduce(MPI_IN_PLACE, count, 3 * BINS, MPI_DOUBLE, MPI_SUM, d->comm);
  for (int k = 0; k < 3; k++)
    set_quantile_planes(d, k, count + k * BINS, total, -edge[k], edge[3 + k] + edge[k]);
}

void sd_balance(sd_dist *d, const scree_world *world) {
  double own = 0, most, total;
  for (int32_t row = 0; row < world->bodies.count; row++) own += is_partitioned(&world->bodies, row);
  most = total = own;
  sd_most(d, &most, 1);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, d->comm);
  d->imbalance = total > 0 ? most * d->ranks / total : 1;
  bool is_due = d->def.imbalance > 0 && world->step >= d->balance_step + d->def.interval && total > 0;
  if (!is_due) return;
  d->balance_step = world->step;
  if (d->imbalance > d->def.imbalance) move_planes(d, world, total);
}
