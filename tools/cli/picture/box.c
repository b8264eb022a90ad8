#include "picture/box.h"

#include <math.h>
#include <stdlib.h>

#include "cli.h"

static int by_size(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* The box of the free bodies of a frame but for the outermost two in a hundred: strays do not move the
 * camera. */
static int box_of_free(const scree_frame *f, double low[3], double high[3]) {
  double *at = malloc(((size_t)f->bodies + 1) * sizeof *at), reach = 0;
  int64_t count = 0;
  if (!at) return 0;
  for (int k = 0; k < 3; k++) {
    count = 0, reach = 0;
    for (int64_t row = 0; row < f->bodies; row++) {
      if (f->kind[row] != SCREE_DYNAMIC) continue;
      at[count++] = f->position[3 * row + k];
      reach = fmax(reach, f->radius[row]);
    }
    if (!count) break;
    int64_t spare = count >= 100 ? count / 100 : 0;
    qsort(at, (size_t)count, sizeof *at, by_size);
    low[k] = fmin(low[k], at[spare] - reach), high[k] = fmax(high[k], at[count - 1 - spare] + reach);
  }
  free(at);
  return 1;
}

/* How far held shapes may reach beyond the free bodies to be seen whole, in diagonals of their box: a few
 * free bodies are parts of something larger, many are what the run is about. */
static double patience(const scree_frame *f) {
  enum { FEW = 20 };
  int64_t count = 0;
  for (int64_t row = 0; row < f->bodies && count < FEW; row++) count += f->kind[row] == SCREE_DYNAMIC;
  return count < FEW ? 12 : 2;
}

/* Shapes of bodies that are held widen the box: whole where they do not reach far, else by a third of the
 * box. */
static void add_held(const scree_frame *f, double low[3], double high[3]) {
  double from[3], to[3], first[2][3], edge = 0, far = patience(f);
  int none = !(low[0] <= high[0]);
  for (int k = 0; k < 3; k++) {
    first[0][k] = low[k], first[1][k] = high[k];
    edge += none ? 0 : (high[k] - low[k]) * (high[k] - low[k]);
  }
  edge = sqrt(edge);
  for (int64_t s = 0, row = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    if (f->kind[row] == SCREE_DYNAMIC || f->shape[s].type == SCREE_HALFSPACE) continue;
    scree_drawn d = scree_drawn_shape(f, row, s);
    scree_drawn_box(&d, from, to);
    int apart = 0;
    double over = 0;
    for (int k = 0; k < 3 && !none; k++) over = fmax(over, fmax(first[0][k] - from[k], to[k] - first[1][k]));
    double room = none || over <= far * edge ? INFINITY : 0.3 * edge;
    for (int k = 0; k < 3 && !none; k++) apart |= from[k] > first[1][k] + room || to[k] < first[0][k] - room;
    for (int k = 0; k < 3 && !apart; k++) {
      low[k] = fmin(low[k], fmax(from[k], none ? -INFINITY : first[0][k] - room));
      high[k] = fmax(high[k], fmin(to[k], none ? INFINITY : first[1][k] + room));
    }
  }
}

/* Along periodic edges bodies are drawn in the cell: its corners bound them. */
static void bound_by_cell(const scree_frame *f, double low[3], double high[3]) {
  const double *H = f->cell.matrix;
  for (int k = 0; k < 3 && f->has_cell; k++) {
    if (!f->cell.periodic[k]) continue;
    low[k] = high[k] = f->cell.origin[k];
    for (int edge = 0; edge < 3; edge++)
      if (f->cell.periodic[edge]) low[k] += fmin(0, H[3 * k + edge]), high[k] += fmax(0, H[3 * k + edge]);
  }
}

int box_of_run(
    const char *command, scree_reader *reader, int64_t first, int64_t last, double low[3], double high[3]) {
  enum { LOOKS = 7 };
  scree_error error = {SCREE_OK, ""};
  const scree_frame *f = NULL;
  for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < LOOKS; i++) {
    int64_t number = first + (last - first) * i / (LOOKS - 1);
    if (i && number == first + (last - first) * (i - 1) / (LOOKS - 1)) continue;
    f = scree_reader_frame(reader, number, &error);
    if (!f) return cli_fail(CLI_IO, command, "%s", error.text);
    if (!f->position) return cli_fail(CLI_USAGE, command, "the trajectory keeps no positions");
    if (!box_of_free(f, low, high)) return cli_fail(CLI_FAILED, command, "no memory");
    bound_by_cell(f, low, high);
  }
  add_held(f, low, high);
  for (int k = 0; k < 3; k++)
    if (!(low[k] <= high[k])) low[k] = -1, high[k] = 1;
  return CLI_OK;
}
