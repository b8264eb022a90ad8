/* The bodies of one frame seen along an axis: what moves freely coloured by speed, the nearest drawn
 * last, over what is held, in grey. Balls are discs; where there are other shapes, everything is drawn
 * by its silhouette. */
#include "plot/plot_panels.h"
#include "plot/plot_outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shape of a free body. Where a layer's outlines end the next layer covers them. */
enum { LAYERS = PLOT_SERIES - 1 };
typedef struct piece {
  double depth, speed;
  int64_t row, shape;
} piece;

typedef struct view {
  const scree_frame *frame;
  int u, v;
  double toward[3];
} view;

static int by_depth(const void *a, const void *b) {
  double p = ((const piece *)a)->depth, q = ((const piece *)b)->depth;
  return (p > q) - (p < q);
}

/* Axes of the picture and the one that points at the viewer: seen along +y the far side has the larger y. */
static view view_of(const scree_frame *f, const char *axes) {
  view w = {.frame = f, .u = axes[0] - 'x', .v = axes[1] - 'x'};
  w.toward[3 - w.u - w.v] = w.u + w.v == 2 ? -1 : 1;
  return w;
}

static double speed_of(const scree_frame *f, int64_t row) {
  const double *v = f->velocity ? f->velocity + 3 * row : NULL;
  return v ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : 0;
}

/* Free bodies' shapes from far to near; *balls: all are balls about their bodies' positions. */
static int64_t gather(const view *w, piece *out, int *balls) {
  const scree_frame *f = w->frame;
  int64_t count = 0, row = 0;
  *balls = 1;
  for (int64_t k = 0; k < f->shapes; k++) {
    const scree_shape_info *s = f->shape + k;
    while (f->id[row] != s->body) row++;
    if (f->kind[row] != SCREE_DYNAMIC) continue;
    outline_pose pose = outline_place(f, row, s);
    double depth = w->toward[0] * pose.centre[0] + w->toward[1] * pose.centre[1] +
        w->toward[2] * pose.centre[2];
    out[count++] = (piece){depth, speed_of(f, row), row, k};
    if (s->type != SCREE_SPHERE || s->radius != f->radius[row]) *balls = 0;
  }
  qsort(out, (size_t)count, sizeof *out, by_depth);
  return count;
}

/* A series with the room it is written into; value is NULL in grey ones. */
typedef struct drawing {
  scree_plot_series *series;
  double *x, *y, *value;
} drawing;

/* A new series with room for `points`, coloured by speed or grey; false without memory. */
static int begin_series(plot_panel *p, int style, int64_t points, int grey, drawing *out) {
  double *part[3] = {NULL, NULL, NULL};
  for (int k = 0; k < 3 - grey; k++)
    if (!(part[k] = plot_keep(p, malloc(((size_t)points + 1) * sizeof(double))))) return 0;
  *out = (drawing){p->series + p->panel.series_count++, part[0], part[1], part[2]};
  *out->series = (scree_plot_series){
      .style = style, .x = out->x, .y = out->y, .value = out->value, .color = grey ? "#d6d6d6" : NULL};
  p->panel.series = p->series;
  return 1;
}

static void put_point(drawing *pen, double x, double y, double value) {
  int64_t at = pen->series->count++;
  pen->x[at] = x, pen->y[at] = y;
  if (pen->value) pen->value[at] = value;
}

/* Appends an outline and the gap after it. */
static void put_outline(drawing *pen, const double (*point)[2], int count, double value) {
  for (int k = 0; k < count; k++) put_point(pen, point[k][0], point[k][1], value);
  if (count) put_point(pen, NAN, NAN, value);
}

static int put_discs(plot_panel *p, const view *w, const piece *pieces, int64_t count) {
  drawing pen;
  double *radius = plot_keep(p, malloc(((size_t)count + 1) * sizeof *radius));
  if (!radius || !begin_series(p, SCREE_PLOT_DISCS, count, 0, &pen)) return 0;
  for (int64_t k = 0; k < count; k++) {
    const double *x = w->frame->position + 3 * pieces[k].row;
    radius[k] = w->frame->radius[pieces[k].row];
    put_point(&pen, x[w->u], x[w->v], pieces[k].speed);
  }
  pen.series->radius = radius;
  return 1;
}

static int put_silhouettes(plot_panel *p, const view *w, const piece *pieces, int64_t count) {
  double point[OUTLINE_POINTS][2];
  int64_t layers = count < LAYERS ? count : LAYERS;
  for (int64_t layer = 0; layer < layers; layer++) {
    int64_t first = count * layer / layers, end = count * (layer + 1) / layers;
    drawing pen;
    if (!begin_series(p, SCREE_PLOT_POLYGONS, (end - first) * (OUTLINE_POINTS + 1), 0, &pen)) return 0;
    for (int64_t k = first; k < end; k++) {
      const scree_shape_info *shape = w->frame->shape + pieces[k].shape;
      outline_pose pose = outline_place(w->frame, pieces[k].row, shape);
      int points = outline_convex(&pose, shape, w->u, w->v, point);
      put_outline(&pen, (const double(*)[2])point, points, pieces[k].speed);
    }
  }
  return 1;
}

/* ---- what is held ---- */

static int64_t room_of(const scree_shape_info *s) {
  const int32_t(*corner)[3];
  return s->type != SCREE_MESH ? OUTLINE_POINTS + 1
      : s->geometry            ? 5 * scree_geometry_triangles(s->geometry, &corner)
                               : 0;
}

static void put_mesh(drawing *pen, const view *w, const outline_pose *pose, const scree_geometry *geometry) {
  const double(*point)[3];
  const int32_t(*corner)[3];
  scree_geometry_points(geometry, &point);
  for (int64_t t = 0, n = scree_geometry_triangles(geometry, &corner); t < n; t++) {
    double flat[4][2], world[3];
    for (int k = 0; k < 4; k++) {
      outline_point(pose, point[corner[t][k % 3]], world);
      flat[k][0] = world[w->u], flat[k][1] = world[w->v];
    }
    put_outline(pen, (const double(*)[2])flat, 4, 0);
  }
}

static int put_held(plot_panel *p, const view *w) {
  const scree_frame *f = w->frame;
  int64_t points = 0, row = 0;
  for (int64_t k = 0; k < f->shapes; k++) points += room_of(f->shape + k);
  drawing pen;
  if (!begin_series(p, SCREE_PLOT_POLYGONS, points, 1, &pen)) return 0;
  for (int64_t k = 0; k < f->shapes; k++) {
    double point[OUTLINE_POINTS][2];
    while (f->id[row] != f->shape[k].body) row++;
    if (f->kind[row] == SCREE_DYNAMIC) continue;
    outline_pose pose = outline_place(f, row, f->shape + k);
    if (f->shape[k].type == SCREE_MESH && f->shape[k].geometry)
      put_mesh(&pen, w, &pose, f->shape[k].geometry);
    else
      put_outline(&pen, (const double(*)[2])point, outline_convex(&pose, f->shape + k, w->u, w->v, point), 0);
  }
  return 1;
}

/* ---- the panel ---- */

static int put_bodies(plot_panel *p, const scree_frame *f, const char *axes) {
  view w = view_of(f, axes);
  piece *pieces = malloc(((size_t)f->shapes + 1) * sizeof *pieces);
  if (!pieces) return 0;
  int balls;
  int64_t count = gather(&w, pieces, &balls);
  int fine = put_held(p, &w) &&
      (balls ? put_discs(p, &w, pieces, count) : put_silhouettes(p, &w, pieces, count));
  free(pieces);
  return fine;
}

int plot_snapshot(const plot_options *o, const char *path, plot_panel *p) {
  static const char *const labels[] = {"x [m]", "y [m]", "z [m]"};
  scree_error error = {SCREE_OK, ""};
  if (!(p->reader = scree_reader_open(path, &error))) return cli_fail(CLI_IO, "plot", "%s", error.text);
  int64_t frames = scree_reader_info(p->reader)->frames, number = o->frame < 0 ? frames + o->frame : o->frame;
  if (number < 0 || number >= frames)
    return cli_fail(CLI_USAGE, "plot", "%s has frames 0 to %lld", path, (long long)frames - 1);
  const scree_frame *f = scree_reader_frame(p->reader, number, &error);
  if (!f) return cli_fail(CLI_IO, "plot", "%s", error.text);
  if (!put_bodies(p, f, o->view)) return cli_fail(CLI_FAILED, "plot", "no memory");
  char title[96];
  snprintf(title, sizeof title, "frame %lld at %.6g s", (long long)number, f->time);
  p->text[p->text_count] = strdup(title);
  p->panel.title = p->text[p->text_count++];
  p->panel.xlabel = labels[o->view[0] - 'x'], p->panel.ylabel = labels[o->view[1] - 'x'];
  p->panel.color_label = f->velocity ? "speed [m/s]" : NULL;
  p->panel.equal = 1;
  return CLI_OK;
}
