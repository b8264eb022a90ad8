#include "picture/box.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int compare_ends(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* ---- the range of each free body ---- */

static int is_free(const scree_frame *f, int64_t row) { return f->kind[row] == SCREE_DYNAMIC; }

/* Inserts the frame's bodies that the list lacks; the list stays sorted by id. */
static int insert_new(body_spans *s, const scree_frame *f, int64_t missing) {
  body_span *merged = malloc(((size_t)(s->count + missing) + 1) * sizeof *merged);
  if (!merged) return 0;
  int64_t at = 0, old = 0;
  for (int64_t row = 0; row < f->bodies; row++) {
    if (!is_free(f, row)) continue;
    while (old < s->count && s->of[old].id < f->id[row]) merged[at++] = s->of[old++];
    if (old < s->count && s->of[old].id == f->id[row]) continue;
    merged[at++] = (body_span){.id = f->id[row],
        .low = {INFINITY, INFINITY, INFINITY},
        .high = {-INFINITY, -INFINITY, -INFINITY},
        .least = INFINITY,
        .most = -INFINITY};
  }
  while (old < s->count) merged[at++] = s->of[old++];
  free(s->of);
  s->of = merged, s->count = at;
  return 1;
}

/* Counts the frame's free bodies that the list lacks. */
static int64_t count_missing(const body_spans *s, const scree_frame *f) {
  int64_t missing = 0, at = 0;
  for (int64_t row = 0; row < f->bodies; row++) {
    if (!is_free(f, row)) continue;
    while (at < s->count && s->of[at].id < f->id[row]) at++;
    missing += at == s->count || s->of[at].id != f->id[row];
  }
  return missing;
}

static void widen_span(body_span *b, const scree_frame *f, int64_t row, const double *value) {
  const scree_shown shown = scree_frame_shown(f, row);
  for (int k = 0; k < 3; k++) {
    b->low[k] = fmin(b->low[k], shown.position[k] - f->radius[row]);
    b->high[k] = fmax(b->high[k], shown.position[k] + f->radius[row]);
  }
  if (!value || !isfinite(value[row])) return;
  b->least = fmin(b->least, value[row]);
  b->most = fmax(b->most, value[row]);
  b->size = 2 * f->radius[row];
}

/* Extends the bounds of cells by this frame's cell along its periodic axes. Along these, bodies are drawn
 * inside the cell, so its corners bound them. */
static void add_cell(body_spans *s, const scree_frame *f) {
  const double *H = f->cell.matrix;
  for (int k = 0; k < 3 && f->has_cell; k++) {
    if (!f->cell.periodic[k]) continue;
    double from = f->cell.origin[k], to = from;
    for (int edge = 0; edge < 3; edge++)
      if (f->cell.periodic[edge]) from += fmin(0, H[3 * k + edge]), to += fmax(0, H[3 * k + edge]);
    s->cell_low[k] = fmin(s->cell_low[k], from), s->cell_high[k] = fmax(s->cell_high[k], to);
  }
}

body_spans box_start(void) {
  return (body_spans){
      .cell_low = {INFINITY, INFINITY, INFINITY}, .cell_high = {-INFINITY, -INFINITY, -INFINITY}};
}

int box_add_frame(body_spans *s, const scree_frame *f, const double *value) {
  int64_t missing = count_missing(s, f), at = 0;
  if (missing && !insert_new(s, f, missing)) return 0;
  for (int64_t row = 0; row < f->bodies; row++) {
    if (!is_free(f, row)) continue;
    while (s->of[at].id < f->id[row]) at++;
    widen_span(s->of + at, f, row, value);
  }
  add_cell(s, f);
  return 1;
}

/* ---- the box of most bodies ---- */

enum { MANY = 100 }; /* smallest number of bodies that counts as many */

/* Finds the box of the bodies that are not strays, without `spare` of them at each end of each axis. */
static int box_of_most(
    const body_spans *s, const run_box *strays, int64_t spare, double low[3], double high[3]) {
  double *end = malloc((2 * (size_t)s->count + 1) * sizeof *end);
  if (!end) return 0;
  for (int k = 0; k < 3; k++) {
    double *from = end, *to = end + s->count;
    int64_t count = 0;
    for (int64_t i = 0; i < s->count; i++)
      if (!box_is_stray(strays, s->of[i].id))
        from[count] = s->of[i].low[k], to[count] = s->of[i].high[k], count++;
    if (!count) break;
    qsort(from, (size_t)count, sizeof *from, compare_ends);
    qsort(to, (size_t)count, sizeof *to, compare_ends);
    low[k] = from[spare], high[k] = to[count - 1 - spare];
  }
  free(end);
  return 1;
}

/* Lists the strays: bodies far from the box of the middle three fifths of all bodies. The limit of the
 * distance is several diagonals of this box. The limit is larger if there are few bodies, because such a run
 * may show two distant groups. */
static int find_strays(const body_spans *s, run_box *out) {
  enum { FEWEST = 5 };
  double low[3], high[3], edge = 0, times = s->count < MANY ? 5 : 3;
  if (s->count < FEWEST) return 1;
  out->stray = malloc((size_t)s->count * sizeof *out->stray);
  if (!out->stray || !box_of_most(s, out, s->count / 5, low, high)) return 0;
  for (int k = 0; k < 3; k++) edge += (high[k] - low[k]) * (high[k] - low[k]);
  edge = sqrt(edge);
  for (int64_t i = 0; i < s->count; i++) {
    int is_far = 0;
    for (int k = 0; k < 3; k++)
      is_far |= !(s->of[i].low[k] > low[k] - times * edge && s->of[i].high[k] < high[k] + times * edge);
    if (is_far) out->stray[out->strays++] = s->of[i].id;
  }
  return 1;
}

static int box_of_free(const body_spans *s, run_box *out) {
  for (int k = 0; k < 3; k++) out->low[k] = INFINITY, out->high[k] = -INFINITY;
  if (!find_strays(s, out)) return 0;
  int64_t left = s->count - out->strays;
  return box_of_most(s, out, left >= MANY ? left / 100 : 0, out->low, out->high);
}

int box_has_id(const uint64_t *list, int64_t count, uint64_t id) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (list[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low < count && list[low] == id;
}

int box_is_stray(const run_box *box, uint64_t id) { return box_has_id(box->stray, box->strays, id); }

int box_is_far(const run_box *box, const scree_frame *f, int64_t row) {
  double edge = 0;
  int is_inside = 1;
  if (!is_free(f, row)) return 0;
  const scree_shown shown = scree_frame_shown(f, row);
  for (int k = 0; k < 3; k++) edge += (box->high[k] - box->low[k]) * (box->high[k] - box->low[k]);
  double rim = sqrt(edge) / 2 + f->radius[row];
  for (int k = 0; k < 3; k++)
    is_inside &= shown.position[k] > box->low[k] - rim && shown.position[k] < box->high[k] + rim;
  return !is_inside;
}

int64_t box_count_far(const run_box *box, const scree_frame *f, int64_t *free_bodies) {
  int64_t far_bodies = 0;
  *free_bodies = 0;
  for (int64_t row = 0; row < f->bodies; row++) {
    *free_bodies += is_free(f, row);
    far_bodies += box_is_far(box, f, row);
  }
  return far_bodies;
}

void box_describe_far(int64_t far_bodies, int64_t free_bodies, char *text, size_t size) {
  snprintf(text, size, "%lld of %lld bodies %s far away and not shown", (long long)far_bodies,
      (long long)free_bodies, far_bodies == 1 ? "is" : "are");
}

void box_free(run_box *box) {
  free(box->stray);
  box->stray = NULL, box->strays = 0;
}

/* ---- fixed and driven bodies ---- */

/* Returns how far shapes of fixed and driven bodies may extend beyond the box of the free bodies and still
 * be shown as a whole, in diagonals of the box. Few free bodies are often parts of a larger device. */
static double choose_reach(const scree_frame *f) {
  enum { FEW = 20 };
  int64_t count = 0;
  for (int64_t row = 0; row < f->bodies && count < FEW; row++) count += f->kind[row] == SCREE_DYNAMIC;
  return count < FEW ? 12 : 2;
}

/* Extends the box by the shapes of fixed and driven bodies: by the whole shape if it does not extend far,
 * else by a third of the box. */
static void add_held(const scree_frame *f, double low[3], double high[3]) {
  double from[3], to[3], first[2][3], edge = 0, far = choose_reach(f);
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

/* ---- all ---- */

int box_finish(const body_spans *s, const scree_frame *last, run_box *out) {
  *out = (run_box){.stray = NULL};
  if (!box_of_free(s, out)) return 0;
  for (int k = 0; k < 3; k++)
    if (s->cell_low[k] <= s->cell_high[k]) out->low[k] = s->cell_low[k], out->high[k] = s->cell_high[k];
  if (last) add_held(last, out->low, out->high);
  for (int k = 0; k < 3; k++)
    if (!(out->low[k] <= out->high[k])) out->low[k] = -1, out->high[k] = 1;
  return 1;
}
