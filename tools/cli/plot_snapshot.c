/* The bodies of one frame as discs, seen along an axis, coloured by speed; the nearest are drawn last. */
#include "plot_panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct disc { double x, y, depth, radius, speed; } disc;

static int by_depth(const void *a, const void *b) {
  double p = ((const disc *)a)->depth, q = ((const disc *)b)->depth;
  return (p > q) - (p < q);
}

/* Axes of the picture and the one that points at the viewer. */
static void axes_of(const char *view, int axis[3]) {
  axis[0] = view[0] - 'x', axis[1] = view[1] - 'x', axis[2] = 3 - axis[0] - axis[1];
}

static int64_t gather(const scree_frame *f, const int axis[3], disc *out) {
  int64_t count = 0;
  for (int64_t i = 0; i < f->bodies; i++) {
    const double *x = f->position + 3 * i, *v = f->velocity ? f->velocity + 3 * i : NULL;
    if (!isfinite(f->radius[i]) || f->kind[i] != SCREE_DYNAMIC) continue;
    double toward = axis[2] == 1 ? -x[1] : x[axis[2]]; /* seen along +y the far side has the larger y */
    out[count++] = (disc){x[axis[0]], x[axis[1]], toward, f->radius[i], v ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : 0};
  }
  qsort(out, (size_t)count, sizeof *out, by_depth);
  return count;
}

static void fill(plot_panel *p, const disc *discs, int64_t count) {
  double *part[4];
  for (int k = 0; k < 4; k++) part[k] = plot_keep(p, malloc(((size_t)count + 1) * sizeof(double)));
  if (!part[0] || !part[1] || !part[2] || !part[3]) return;
  for (int64_t i = 0; i < count; i++)
    part[0][i] = discs[i].x, part[1][i] = discs[i].y, part[2][i] = discs[i].radius, part[3][i] = discs[i].speed;
  p->series[0] = (scree_plot_series){.style = SCREE_PLOT_DISCS, .count = count, .x = part[0], .y = part[1], .radius = part[2],
      .value = part[3]};
  p->panel.series = p->series;
  p->panel.series_count = 1;
}

int plot_snapshot(const plot_options *o, const char *path, plot_panel *p) {
  static const char *const labels[] = {"x [m]", "y [m]", "z [m]"};
  scree_error error = {SCREE_OK, ""};
  int axis[3];
  axes_of(o->view, axis);
  if (!(p->reader = scree_reader_open(path, &error))) return cli_fail(CLI_IO, "plot", "%s", error.text);
  int64_t frames = scree_reader_info(p->reader)->frames, number = o->frame < 0 ? frames + o->frame : o->frame;
  if (number < 0 || number >= frames) return cli_fail(CLI_USAGE, "plot", "%s has frames 0 to %lld", path, (long long)frames - 1);
  const scree_frame *f = scree_reader_frame(p->reader, number, &error);
  if (!f) return cli_fail(CLI_IO, "plot", "%s", error.text);
  disc *discs = malloc(((size_t)f->bodies + 1) * sizeof *discs);
  if (!discs) return cli_fail(CLI_FAILED, "plot", "no memory");
  fill(p, discs, gather(f, axis, discs));
  free(discs);
  char title[96];
  snprintf(title, sizeof title, "frame %lld at %.6g s", (long long)number, f->time);
  p->text[p->text_count] = strdup(title);
  p->panel.title = p->text[p->text_count++];
  p->panel.xlabel = labels[axis[0]], p->panel.ylabel = labels[axis[1]];
  p->panel.color_label = f->velocity ? "speed [m/s]" : NULL;
  p->panel.equal = 1;
  return CLI_OK;
}
