/* Mixing of two kinds of grains (Lacey 1954): the grains of one group, the tracers, and all other grains.
 *
 *   M = (S0^2 - S^2)/(S0^2 - SR^2),   S^2 = sum n_i (c_i - p)^2 / N
 *
 *   S0^2 = p (1 - p),   SR^2 = p (1 - p) cells/N
 *
 * The sum is over the cells i of a grid. Cell i has n_i grains, of which the share c_i are tracers. p is the
 * share among all N grains counted. S0^2 is the variance if the two kinds are separated. SR^2 is the mean
 * variance of a random mixture, in which cell i has the variance S0^2/n_i. M is 0 if the kinds are separated
 * and 1 if they are mixed at random. M can slightly exceed 1 by chance. */
#include "measure/measure.h"

#include <math.h>

typedef struct keys {
  scree_measure_def head;
  int64_t tracer, least;
} keys;
static const scree_param params[] = {
    SC_MEASURE_PART("region", SCREE_REQUIRED, "a box: {min = {x,y,z}, max = {x,y,z}}"),
    SC_MEASURE_PART("cells", SCREE_REQUIRED, "{nx, ny, nz}"),
    {"tracer", SCREE_INTEGER, SCREE_REQUIRED, "", 0, 0, 9e15, SC_MEASURE_AT(tracer), NULL,
        "group of one kind of grains; all others are the other kind"},
    {"least", SCREE_INTEGER, 0, "", 1, 1, 9e15, SC_MEASURE_AT(least), NULL,
        "cells with fewer grains do not count"},
};
enum { INDEX, SHARE, VARIANCE, GRAINS, CELLS };
static const scree_measure_field fields[] = {{"index", "index", SCREE_FIGURE},
    {"share", "share", SCREE_FIGURE}, {"variance", NULL, SCREE_FIGURE}, {"grains", "grains", SCREE_WHOLE},
    {"cells", NULL, SCREE_WHOLE}};

enum { CELLS_MOST = 100000000 };

/* Returns the index of the cell that contains the point x; -1 outside the box. */
static int64_t mixing_cell_of(const scree_measure_def *def, const double x[3]) {
  int64_t index[3];
  for (int k = 0; k < 3; k++) {
    const double part = (x[k] - def->region->min[k]) / (def->region->max[k] - def->region->min[k]);
    if (!(part >= 0) || part > 1) return -1;
    index[k] = (int64_t)(part * (double)def->cells[k]);
    if (index[k] == def->cells[k]) index[k]--;
  }
  return index[0] + def->cells[0] * (index[1] + def->cells[1] * index[2]);
}

/* Checks region and cells of the definition. Returns the number of cells, or 0 with an error. */
static int64_t check_mixing(const scree_measure_def *def, scree_error *error) {
  double cells = 1;
  if (!def->region || def->region->type != SCREE_REGION_BOX || def->region->invert ||
      !isfinite(scree_region_volume(def->region)) || !(scree_region_volume(def->region) > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "mixing.region must be a box {min = {x,y,z}, max = {x,y,z}}"), 0;
  for (int k = 0; k < 3; k++) {
    if (def->cells[k] < 1)
      return sc_fail(error, SCREE_E_ARGUMENT, "mixing.cells[%d] must be at least 1, not %lld", k + 1,
                 (long long)def->cells[k]),
             0;
    cells *= (double)def->cells[k];
  }
  if (cells > CELLS_MOST)
    return sc_fail(error, SCREE_E_ARGUMENT, "mixing: %.3g cells are more than 1e8", cells), 0;
  return (int64_t)cells;
}

typedef struct cell {
  int64_t grains, tracers;
} cell;

/* Computes the index M and its terms from the cells with at least `least` grains. */
static void compute_index(const cell *c, int64_t cells, int64_t least, scree_measure_result *out) {
  double grains = 0, tracers = 0, counted = 0, sum = 0;
  for (int64_t i = 0; i < cells; i++)
    if (c[i].grains >= least) grains += (double)c[i].grains, tracers += (double)c[i].tracers, counted++;
  const double share = grains > 0 ? tracers / grains : NAN, apart = share * (1 - share);
  for (int64_t i = 0; i < cells; i++) {
    const double n = (double)c[i].grains, off = c[i].grains >= least ? (double)c[i].tracers / n - share : 0;
    sum += n * off * off;
  }
  const double variance = sum / grains, left = apart * (1 - counted / grains);
  sc_measure_set(out, INDEX, left > 0 ? (apart - variance) / left : NAN);
  sc_measure_set(out, SHARE, share);
  sc_measure_set(out, VARIANCE, grains > 0 ? variance : NAN);
  sc_measure_set(out, GRAINS, grains);
  sc_measure_set(out, CELLS, counted);
}

static scree_status measure_mixing(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  const keys *k = (const keys *)def;
  const int64_t cells = check_mixing(def, error);
  if (!cells) return SCREE_E_ARGUMENT;
  cell *c = sc_alloc((size_t)cells * sizeof *c);
  if (!c) return sc_measure_no_memory(error);
  for (int64_t i = 0; i < frame->bodies; i++) {
    const int64_t at = sc_measure_grain(frame, i, NULL, -1)
        ? mixing_cell_of(def, scree_frame_shown(frame, i).position)
        : -1;
    if (at >= 0) c[at].grains++, c[at].tracers += frame->group[i] == k->tracer;
  }
  compute_index(c, cells, k->least, out);
  sc_free(c);
  return SCREE_OK;
}

const scree_measure_kind sc_measure_mixing = {.name = "mixing",
    .doc = "how well two kinds of grains are mixed",
    SC_MEASURE_TABLES,
    .take = measure_mixing};
