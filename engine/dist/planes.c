/* Planes between ranks: which grid, where they lie at first, and how they move.
 *
 * The grid is the factorisation of the number of ranks that leaves the least area of planes inside the
 * box of the movable bodies. Planes are spaced evenly at first. When the fullest rank holds more than
 * `imbalance` times the mean, each axis's planes go to the quantiles of the bodies' coordinates along
 * it, taken from a histogram over all ranks: the same numbers on every rank, so all cut alike. */
#include "dist/dist.h"
#include "math/vec.h"

enum { BINS = 2048 };

static bool ordinary(const sc_bodies *b, int32_t row) { return sc_bodies_own(b, row) && !b->replicated[row]; }

/* ---- who owns what ---- */

/* Number of inner planes at or below x: the box along one axis. */
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

int sd_owner(const sd_dist *d, const double position[3]) {
  return sd_rank_of(d, box_of(d, 0, position[0]), box_of(d, 1, position[1]), box_of(d, 2, position[2]));
}

void sd_range(const sd_dist *d, const double position[3], double reach, int first[3], int last[3]) {
  for (int k = 0; k < 3; k++) {
    first[k] = box_of(d, k, position[k] - reach);
    last[k] = box_of(d, k, position[k] + reach);
  }
}

/* ---- the first planes ---- */

/* Box of the ordinary bodies' positions; false where there are none. */
static bool bounding_box(const scree_world *world, double low[3], double high[3]) {
  const sc_bodies *b = &world->bodies;
  sc_set3(INFINITY, INFINITY, INFINITY, low);
  sc_set3(-INFINITY, -INFINITY, -INFINITY, high);
  for (int32_t row = 0; row < b->count; row++)
    for (int k = 0; k < 3 && ordinary(b, row); k++) {
      low[k] = fmin(low[k], b->position[row][k]);
      high[k] = fmax(high[k], b->position[row][k]);
    }
  return low[0] <= high[0];
}

static double area_inside(const int g[3], const double width[3]) {
  return (g[0] - 1) * width[1] * width[2] + (g[1] - 1) * width[0] * width[2] +
      (g[2] - 1) * width[0] * width[1];
}

static void choose_grid(sd_dist *d, const double width[3]) {
  double best = INFINITY;
  for (int x = 1; x <= d->ranks; x++)
    for (int y = 1; d->ranks % x == 0 && y <= d->ranks / x; y++) {
      if (d->ranks / x % y) continue;
      int g[3] = {x, y, d->ranks / x / y};
      double area = area_inside(g, width);
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
  if (g[0] == 0 && g[1] == 0 && g[2] == 0) choose_grid(d, width);
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

/* Puts the planes of one axis to the quantiles of the histogram. */
static void cut(sd_dist *d, int axis, const double *count, double total, double low, double width) {
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
  for (int32_t row = 0; row < b->count; row++)
    for (int k = 0; k < 3 && ordinary(b, row); k++)
      count[k * BINS + bin_of(b->position[row][k], -edge[k], edge[3 + k] + edge[k])]++;
  /* whole numbers: any order gives the same */
  MPI_Allreduce(MPI_IN_PLACE, count, 3 * BINS, MPI_DOUBLE, MPI_SUM, d->comm);
  for (int k = 0; k < 3; k++) cut(d, k, count + k * BINS, total, -edge[k], edge[3 + k] + edge[k]);
}

void sd_balance(sd_dist *d, const scree_world *world) {
  double own = 0, most, total;
  for (int32_t row = 0; row < world->bodies.count; row++) own += ordinary(&world->bodies, row);
  most = total = own;
  sd_most(d, &most, 1);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, d->comm);
  d->imbalance = total > 0 ? most * d->ranks / total : 1;
  bool look = d->def.imbalance > 0 && world->step >= d->looked + d->def.interval && total > 0;
  if (!look) return;
  d->looked = world->step;
  if (d->imbalance > d->def.imbalance) move_planes(d, world, total);
}
