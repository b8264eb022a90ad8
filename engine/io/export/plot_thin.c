/* Writes long curves with few points without changing the picture.  The range of x is divided into COLUMNS
 * columns, more than a picture has pixels. The curve enters a column at its first point there and leaves it
 * at its last point; between them it covers the column from the smallest to the largest y. Therefore the
 * first, lowest, highest and last point of a column, in the order of the curve, draw the same picture as all
 * its points. The last gap (a point with NaN) of a column is also written. Points on either side of the range
 * form two more columns. */
#include "io/export/plot.h"

#include <math.h>

enum { COLUMNS = 2500, NONE = -1 /* no such point */ };

/* Indices in the series of the points of one column that are written; NONE: there is no such point. gap: the
 * last point that cannot be drawn. */
typedef struct column {
  int64_t first, least, largest, last, gap;
} column;

/* Limits of the x axis; logarithms of them if is_log. */
typedef struct axis {
  double low, high;
  bool is_log;
} axis;

static double place_on(const axis *a, double x) { return a->is_log ? log(x) : x; }

/* Returns whether a point can be drawn: x and y are finite, and above 0 on logarithmic axes. */
static bool is_drawable(const scree_plot_panel *p, double x, double y) {
  return isfinite(x) && isfinite(y) && (!p->xlog || x > 0) && (!p->ylog || y > 0);
}

/* Sets the axis from the limits of the panel, or else of the data. Returns false if x ever decreases or the
 * range is empty. */
static bool find_axis(const scree_plot_panel *p, const scree_plot_series *s, axis *out) {
  double low = 0, high = 0;
  bool any = false;
  for (int64_t i = 0; i < s->count; i++) {
    if (!is_drawable(p, s->x[i], s->y[i])) continue;
    if (any && s->x[i] < high) return false;
    if (!any) low = s->x[i];
    high = s->x[i], any = true;
  }
  if (p->xmin < p->xmax) low = p->xmin, high = p->xmax;
  *out = (axis){.is_log = p->xlog != 0};
  if (!any || (out->is_log && !(low > 0))) return false;
  out->low = place_on(out, low), out->high = place_on(out, high);
  return out->high > out->low;
}

/* Returns the column of an x: 0 to COLUMNS - 1 inside the axis, -1 below it and COLUMNS above it. */
static int find_column(const axis *a, double x) {
  const double part = (place_on(a, x) - a->low) / (a->high - a->low);
  return part < 0 ? -1 : part >= 1 ? COLUMNS - (part == 1) : (int)(part * COLUMNS);
}

static void put_curve_point(sc_text *t, const scree_plot_series *s, int64_t i) {
  sc_text_put(t, "%.9g %.9g\n", s->x[i], s->y[i]);
}

/* Writes the points of a column in the order of the curve, and removes them from the column. */
static void put_column(sc_text *t, const scree_plot_series *s, column *c) {
  int64_t list[5] = {c->first, c->least, c->largest, c->last, c->gap}, done = NONE;
  for (int k = 1; k < 5; k++)
    for (int j = k; j > 0 && list[j] < list[j - 1]; j--) {
      const int64_t other = list[j];
      list[j] = list[j - 1], list[j - 1] = other;
    }
  for (int k = 0; k < 5; k++) {
    if (list[k] == done) continue;
    done = list[k];
    if (done == c->gap) sc_text_put(t, "NaN NaN\n");
    else put_curve_point(t, s, done);
  }
  *c = (column){NONE, NONE, NONE, NONE, NONE};
}

bool sc_plot_put_thinned(sc_text *t, const scree_plot_panel *p, const scree_plot_series *s) {
  SC_ASSERT(t && p && s);
  axis a;
  if (s->count <= SC_PLOT_THICK || s->y2 || s->value || s->radius ||
      (s->style != SCREE_PLOT_LINES && s->style != SCREE_PLOT_STEPS) || !find_axis(p, s, &a))
    return false;
  column c = {NONE, NONE, NONE, NONE, NONE};
  int now = -1;
  for (int64_t i = 0; i < s->count; i++) {
    if (!is_drawable(p, s->x[i], s->y[i])) c.gap = i;
    if (c.gap == i) continue;
    const int at = find_column(&a, s->x[i]);
    if (at != now) put_column(t, s, &c), now = at;
    if (c.first == NONE) c.first = c.least = c.largest = i;
    if (s->y[i] < s->y[c.least]) c.least = i;
    if (s->y[i] > s->y[c.largest]) c.largest = i;
    c.last = i;
  }
  put_column(t, s, &c);
  return true;
}
