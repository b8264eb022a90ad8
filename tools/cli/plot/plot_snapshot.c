/* The bodies of one frame, seen along a direction. Free bodies are coloured by a field and drawn from far to
 * near, over fixed and driven bodies in grey. Balls are discs; if there are other shapes, all are drawn as
 * silhouettes. Window and colours are those of the whole run, so that pictures of its frames can be compared.
 * Force chains and cracks are drawn over bodies of one colour. */
#include "plot/plot_panels.h"
#include "files.h"
#include "plot/plot_cracks.h"
#include "plot/plot_outline.h"
#include "picture/survey.h"
#include "picture/look.h"
#include "vector.h"

#include <stdlib.h>
#include <string.h>

enum {
  CHAIN_WIDTHS = 6, /* at least CRACK_STATES */
  LAYERS = PLOT_SERIES - 1 - CHAIN_WIDTHS
}; /* a layer covers the outlines before it */
/* A shape of a free body. */
typedef struct piece {
  double depth, value;
  int64_t row, shape;
} piece;

static const char plain_color[] = "#b9c9d8";

/* The view. Rows of V: directions to the right, up, and towards the viewer. */
typedef struct view {
  const scree_frame *frame;
  double V[9];
  char label[2][16];
  const double *value; /* [bodies] values of the field */
  plot_layer layer;
  int plain; /* 1: bodies of one colour */
  crack_list cracks;
} view;

static int by_depth(const void *a, const void *b) {
  double p = ((const piece *)a)->depth, q = ((const piece *)b)->depth;
  return (p > q) - (p < q);
}

/* Reads "xy", "-xz", ...: the axes to the right and up with their signs. Returns false for other texts. */
static int axes_of(const char *text, view *w) {
  int axis[2];
  for (int i = 0; i < 2; i++) {
    int back = *text == '-';
    text += back;
    if (*text < 'x' || *text > 'z') return 0;
    axis[i] = *text++ - 'x';
    w->V[3 * i + axis[i]] = back ? -1 : 1;
    snprintf(w->label[i], sizeof w->label[i], "%s%c [m]", back ? "-" : "", 'x' + axis[i]);
  }
  cross_vectors(w->V, w->V + 3, w->V + 6);
  return !*text && axis[0] != axis[1];
}

/* Reads the viewer's direction "AZIMUTH,ELEVATION" in degrees; z is up. Returns false for other texts. */
static int angles_of(const char *text, view *w) {
  double azimuth, elevation, degree = acos(-1) / 180;
  int end = 0;
  if (sscanf(text, "%lf,%lf%n", &azimuth, &elevation, &end) != 2 || text[end] || fabs(elevation) > 90)
    return 0;
  double c = cos(azimuth * degree), s = sin(azimuth * degree), ce = cos(elevation * degree),
         se = sin(elevation * degree);
  double V[9] = {-s, c, 0, -se * c, -se * s, ce, ce * c, ce * s, se};
  memcpy(w->V, V, sizeof V);
  strcpy(w->label[0], "across [m]"), strcpy(w->label[1], "up [m]");
  return 1;
}

int plot_view_fine(const char *text) {
  view w = {0};
  return axes_of(text, &w) || angles_of(text, &w);
}

static view view_of(const scree_frame *f, const char *text) {
  view w = {.frame = f};
  if (!axes_of(text, &w)) angles_of(text, &w);
  return w;
}

/* Converts a point to the axes of the view. */
static void convert_point(const view *w, const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = w->V[3 * i] * x[0] + w->V[3 * i + 1] * x[1] + w->V[3 * i + 2] * x[2];
}

static outline_pose place_shape(const view *w, int64_t row, const scree_shape_info *shape) {
  outline_pose world = outline_place(w->frame, row, shape), out;
  convert_point(w, world.centre, out.centre);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out.R[3 * i + k] = w->V[3 * i] * world.R[k] + w->V[3 * i + 1] * world.R[3 + k] +
          w->V[3 * i + 2] * world.R[6 + k];
  return out;
}

/* Lists the shapes of free bodies, sorted from far to near. Sets *balls to 1 if every shape is a ball at the
 * position of its body, else to 0. */
static int64_t gather_pieces(const view *w, piece *out, int *balls) {
  const scree_frame *f = w->frame;
  int64_t count = 0, row = 0;
  *balls = 1;
  for (int64_t k = 0; k < f->shapes; k++) {
    const scree_shape_info *s = f->shape + k;
    while (f->id[row] != s->body) row++;
    if (f->kind[row] != SCREE_DYNAMIC) continue;
    out[count++] = (piece){place_shape(w, row, s).centre[2], w->value[row], row, k};
    if (s->type != SCREE_SPHERE || s->radius != f->radius[row]) *balls = 0;
  }
  qsort(out, (size_t)count, sizeof *out, by_depth);
  return count;
}

/* A series and its arrays; value is NULL in grey series. */
typedef struct drawing {
  scree_plot_series *series;
  double *x, *y, *value;
} drawing;

/* Starts a series with arrays for `points`, coloured by the field or grey. Returns false if out of memory. */
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
  if (!radius || !begin_series(p, SCREE_PLOT_DISCS, count, w->plain, &pen)) return 0;
  for (int64_t k = 0; k < count; k++) {
    double x[3];
    convert_point(w, w->frame->position + 3 * pieces[k].row, x);
    radius[k] = w->frame->radius[pieces[k].row];
    put_point(&pen, x[0], x[1], pieces[k].value);
  }
  pen.series->radius = radius;
  if (w->plain) pen.series->color = plain_color;
  return 1;
}

static int put_silhouettes(plot_panel *p, const view *w, const piece *pieces, int64_t count) {
  double point[OUTLINE_POINTS][2];
  int64_t layers = count < LAYERS ? count : LAYERS;
  for (int64_t layer = 0; layer < layers; layer++) {
    int64_t first = count * layer / layers, end = count * (layer + 1) / layers;
    drawing pen;
    if (!begin_series(p, SCREE_PLOT_POLYGONS, (end - first) * (OUTLINE_POINTS + 1), w->plain, &pen)) return 0;
    for (int64_t k = first; k < end; k++) {
      const scree_shape_info *shape = w->frame->shape + pieces[k].shape;
      outline_pose pose = place_shape(w, pieces[k].row, shape);
      int points = outline_convex(&pose, shape, 0, 1, point);
      put_outline(&pen, (const double(*)[2])point, points, pieces[k].value);
    }
    if (w->plain) pen.series->color = plain_color;
  }
  return 1;
}

/* ---- fixed and driven bodies ---- */

static int64_t room_of(const scree_shape_info *s) {
  const int32_t(*corner)[3];
  return s->type != SCREE_MESH ? OUTLINE_POINTS + 1
      : s->geometry            ? 5 * scree_geometry_triangles(s->geometry, &corner)
                               : 0;
}

static void put_mesh(drawing *pen, const outline_pose *pose, const scree_geometry *geometry) {
  const double(*point)[3];
  const int32_t(*corner)[3];
  scree_geometry_points(geometry, &point);
  for (int64_t t = 0, n = scree_geometry_triangles(geometry, &corner); t < n; t++) {
    double flat[4][2], world[3];
    for (int k = 0; k < 4; k++) {
      outline_point(pose, point[corner[t][k % 3]], world);
      flat[k][0] = world[0], flat[k][1] = world[1];
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
    outline_pose pose = place_shape(w, row, f->shape + k);
    if (f->shape[k].type == SCREE_MESH && f->shape[k].geometry) put_mesh(&pen, &pose, f->shape[k].geometry);
    else put_outline(&pen, (const double(*)[2])point, outline_convex(&pose, f->shape + k, 0, 1, point), 0);
  }
  return 1;
}

/* ---- force chains ---- */

static double size_of(const scree_frame *f, const scree_frame_contact *c) {
  return vector_length(f->forces ? c->force : c->impulse);
}

/* Draws lines between the centres of bodies in contact. Their width grows with the force, in CHAIN_WIDTHS
 * steps. */
static int put_chains(plot_panel *p, const view *w) {
  const scree_frame *f = w->frame;
  double most = 0;
  for (int64_t k = 0; k < f->contacts; k++) most = fmax(most, size_of(f, f->contact + k));
  for (int step = 0; step < CHAIN_WIDTHS && most > 0; step++) {
    drawing pen;
    if (!begin_series(p, SCREE_PLOT_LINES, 3 * f->contacts, 1, &pen)) return 0;
    pen.series->color = "#a32638", pen.series->width = 0.35 + 0.5 * step;
    for (int64_t k = 0; k < f->contacts; k++) {
      const scree_frame_contact *c = f->contact + k;
      double size = size_of(f, c), a[3], b[3];
      if (!(size > 0) || (int)fmin(CHAIN_WIDTHS * size / most, CHAIN_WIDTHS - 1) != step) continue;
      const scree_shown_contact shown = scree_frame_shown_contact(f, c);
      convert_point(w, shown.end1, a), convert_point(w, shown.end2, b);
      put_point(&pen, a[0], a[1], 0), put_point(&pen, b[0], b[1], 0), put_point(&pen, NAN, NAN, 0);
    }
  }
  return 1;
}

/* ---- cracks ---- */

/* Number of faces in each state, and the largest opening and slip of all faces [m]. */
typedef struct crack_tally {
  int64_t count[CRACK_STATES];
  double opening, slip;
} crack_tally;

/* Adds the outlines of the faces in a state, as lines. Returns false if out of memory. */
static int put_faces(plot_panel *p, const view *w, crack_state state, crack_tally *tally) {
  static const struct {
    const char *color, *name;
    double width;
  } looks[CRACK_STATES] = {{"#5d6b78", "closed", 0.4}, {"#e08214", "slipped", 1.8}, {"#a32638", "open", 2.2}};
  drawing pen;
  char name[64];
  if (!begin_series(p, SCREE_PLOT_LINES, w->cracks.count * (CRACK_CORNERS + 2), 1, &pen)) return 0;
  for (int64_t i = 0; i < w->cracks.count; i++) {
    const crack_face *face = w->cracks.face + i;
    crack_place place;
    double at[3];
    if (!cracks_place_face(face, w->frame, &place) || place.state != state) continue;
    for (int k = 0; k <= face->count; k++) {
      convert_point(w, place.corner[k % face->count], at);
      put_point(&pen, at[0], at[1], 0);
    }
    put_point(&pen, NAN, NAN, 0);
    tally->count[state]++;
    tally->opening = fmax(tally->opening, place.opening), tally->slip = fmax(tally->slip, place.slip);
  }
  snprintf(name, sizeof name, "%s: %lld", looks[state].name, (long long)tally->count[state]);
  pen.series->name = plot_keep_text(p, name);
  pen.series->color = looks[state].color, pen.series->width = looks[state].width;
  return 1;
}

static int put_cracks(plot_panel *p, const view *w) {
  crack_tally tally = {.count = {0}};
  char text[128];
  for (int state = 0; state < CRACK_STATES; state++)
    if (!put_faces(p, w, (crack_state)state, &tally)) return 0;
  snprintf(text, sizeof text, "largest opening %.3g mm, largest slip %.3g mm", 1e3 * tally.opening,
      1e3 * tally.slip);
  p->panel.title = plot_keep_text(p, text);
  return 1;
}

/* ---- the panel ---- */

static int draw_bodies(plot_panel *p, const view *w) {
  piece *pieces = malloc(((size_t)w->frame->shapes + 1) * sizeof *pieces);
  if (!pieces) return 0;
  int balls;
  int64_t count = gather_pieces(w, pieces, &balls);
  int fine = put_held(p, w) &&
      (balls ? put_discs(p, w, pieces, count) : put_silhouettes(p, w, pieces, count));
  free(pieces);
  return fine && (w->layer != PLOT_CHAINS || put_chains(p, w)) &&
      (w->layer != PLOT_CRACKS || put_cracks(p, w));
}

/* Sets the window to the projection of the run's box. */
static void set_window(plot_panel *p, const view *w, const double low[3], const double high[3]) {
  double from[3] = {INFINITY, INFINITY, 0}, to[3] = {-INFINITY, -INFINITY, 0}, at[3];
  for (int i = 0; i < 8; i++) {
    convert_point(
        w, (double[3]){i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]}, at);
    for (int k = 0; k < 2; k++) from[k] = fmin(from[k], at[k]), to[k] = fmax(to[k], at[k]);
  }
  double rim = 0.02 * fmax(to[0] - from[0], to[1] - from[1]);
  p->panel.xmin = from[0] - rim, p->panel.xmax = to[0] + rim;
  p->panel.ymin = from[1] - rim, p->panel.ymax = to[1] + rim;
}

/* Sets the colours: the field's name and the range of the run's frames. Returns an exit code. */
static int set_colors(const plot_options *o, plot_panel *p, const field *f, field_range range) {
  char label[64];
  look l = look_defaults();
  int code = CLI_OK;
  if (o->picture->range) code = look_set("plot", &l, "range", o->picture->range);
  if (!code && o->picture->palette) code = look_set("plot", &l, "palette", o->picture->palette);
  if (code || f->kind == FIELD_NONE) return code;
  if (l.has_range) range = (field_range){l.range[0], l.range[1]};
  snprintf(label, sizeof label, *f->unit ? "%s [%s]" : "%s", f->label, f->unit);
  p->panel.color_label = plot_keep_text(p, label);
  p->panel.color_min = range.low, p->panel.color_max = range.high;
  p->panel.palette = scree_palette_name(look_palette(l.palette));
  return CLI_OK;
}

static int choose_frame(const plot_options *o, const char *place, const plot_panel *p, int64_t *number) {
  int64_t frames = scree_reader_info(p->reader)->frames;
  *number = o->frame < 0 ? frames + o->frame : o->frame;
  if (*number >= 0 && *number < frames) return CLI_OK;
  return cli_fail(CLI_USAGE, "plot", "%s has frames 0 to %lld", place, (long long)frames - 1);
}

/* Sets the title: the frame, the text that the title had before, and the number of bodies outside the window.
 * Also prints a warning with this number. */
static void set_title(plot_panel *p, const scree_frame *frame, int64_t number, const run_box *box) {
  char title[320], text[128];
  int64_t free_bodies, far_bodies = box_count_far(box, frame, &free_bodies);
  int used = snprintf(title, sizeof title, "frame %lld at %.6g s", (long long)number, frame->time);
  if (p->panel.title) used += snprintf(title + used, sizeof title - (size_t)used, "; %s", p->panel.title);
  if (far_bodies) {
    box_describe_far(far_bodies, free_bodies, text, sizeof text);
    snprintf(title + used, sizeof title - (size_t)used, "; %s", text);
    fprintf(stderr, "scree plot: %s\n", text);
  }
  p->panel.title = plot_keep_text(p, title);
}

static int draw_frame(
    const plot_options *o, plot_panel *p, const field *f, int64_t number, const run_survey *survey, view *w) {
  scree_error error = {SCREE_OK, ""};
  int code = w->layer != PLOT_BODIES ? CLI_OK : set_colors(o, p, f, survey->range);
  if (code) return code;
  w->frame = scree_reader_frame(p->reader, number, &error);
  if (!w->frame) return cli_fail(CLI_IO, "plot", "%s", error.text);
  double *value = plot_keep(p, malloc(((size_t)w->frame->bodies + 1) * sizeof *value));
  if (!value) return cli_fail(CLI_FAILED, "plot", "no memory");
  field_values(f, w->frame, value);
  w->value = value;
  if (!draw_bodies(p, w)) return cli_fail(CLI_FAILED, "plot", "no memory");
  set_title(p, w->frame, number, &survey->box);
  set_window(p, w, survey->box.low, survey->box.high);
  return CLI_OK;
}

/* Finds box and colour range of the whole run; no range without a field, or if an option sets it. */
static int survey_all(const plot_options *o, plot_panel *p, const field *f, run_survey *out) {
  survey_frames frames = survey_choose(p->reader, 0, scree_reader_info(p->reader)->frames - 1, SURVEY_BODIES);
  return survey_run("plot", p->reader, &frames, o->picture->range ? NULL : f, out);
}

int plot_snapshot(const plot_options *o, const char *place, plot_layer layer, plot_panel *p) {
  int64_t number = 0;
  view w = view_of(NULL, o->view);
  w.layer = layer;
  const field *f = layer == PLOT_CHAINS ? field_find("plot", "force")
      : layer == PLOT_CRACKS            ? field_find("plot", "none")
                                        : NULL;
  int code = (p->reader = cli_open("plot", place)) ? CLI_OK : CLI_IO;
  if (!code && !f && !(f = field_chosen("plot", p->reader, o->picture->color))) code = CLI_USAGE;
  if (!code) code = field_kept("plot", f, p->reader);
  if (!code) code = choose_frame(o, place, p, &number);
  if (!code && layer == PLOT_CRACKS) code = cracks_find(p->reader, o->tolerance, &w.cracks);
  w.plain = layer != PLOT_BODIES || (f && f->kind == FIELD_NONE);
  run_survey survey = {.has_walls = 0};
  if (!code) code = survey_all(o, p, w.plain ? NULL : f, &survey);
  if (!code) code = draw_frame(o, p, f, number, &survey, &w);
  survey_free(&survey);
  cracks_free(&w.cracks);
  p->panel.xlabel = plot_keep_text(p, w.label[0]), p->panel.ylabel = plot_keep_text(p, w.label[1]);
  p->panel.equal = 1;
  return code;
}
