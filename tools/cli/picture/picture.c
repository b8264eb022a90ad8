/* Draws frames as coloured shapes, with a camera that suits the whole run. */
#include "picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int fail_memory(const picture *p) { return cli_fail(CLI_FAILED, p->command, "no memory"); }

/* ---- camera ---- */

static scree_camera camera_at(const picture *p, double time) {
  const look *l = &p->look;
  look_camera c = look_at_time(l, time);
  double aspect = (double)l->size[0] / l->size[1];
  scree_camera fit = scree_camera_fit(
      p->survey.box.low, p->survey.box.high, l->up, c.azimuth, c.elevation, l->angle, 0.92 * c.zoom, aspect);
  for (int k = 0; k < 3; k++) {
    double shift = c.has_target ? c.target[k] - fit.target[k] : 0;
    fit.target[k] += shift;
    fit.position[k] = c.has_position ? c.position[k] : fit.position[k] + shift;
    if (c.has_position) fit.up[k] = l->up[k];
  }
  return fit;
}

static scree_draw_def draw_def(const picture *p, double time) {
  scree_draw_def def = scree_draw_defaults();
  def.camera = camera_at(p, time);
  memcpy(def.low, p->survey.box.low, sizeof def.low);
  memcpy(def.high, p->survey.box.high, sizeof def.high);
  memcpy(def.up, p->look.up, sizeof def.up);
  memcpy(def.lamp, p->lamp, sizeof def.lamp);
  return def;
}

/* Places the lamp over the left shoulder of the first camera; the lamp does not move later. */
static void hang_lamp(picture *p) {
  scree_camera c = camera_at(p, scree_reader_time(p->reader, p->first));
  double out[3], right[3], norm[2] = {0, 0}, up = 0;
  for (int k = 0; k < 3; k++) out[k] = c.target[k] - c.position[k], up += p->look.up[k] * p->look.up[k];
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    right[k] = out[i] * c.up[j] - out[j] * c.up[i];
    norm[0] += out[k] * out[k], norm[1] += right[k] * right[k];
  }
  for (int k = 0; k < 3; k++)
    p->lamp[k] = -0.5 * out[k] / sqrt(norm[0]) - 0.45 * right[k] / sqrt(norm[1]) +
        0.9 * p->look.up[k] / sqrt(up);
}

static int compare_radii(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* ---- shapes ---- */

static const double GLASS = 0.16; /* opacity of walls that hide grains, so that the grains are visible */

static void color_held(const picture *p, const scree_frame *f, int64_t row, scree_drawn *d) {
  static const unsigned char plane[3] = {206, 209, 214}, fixed[3] = {186, 191, 199},
                             moved[3] = {160, 170, 186};
  int flat = d->type == SCREE_HALFSPACE;
  memcpy(d->color, flat ? plane : f->kind[row] == SCREE_FIXED ? fixed : moved, 3);
  if (flat) return;
  d->opacity = p->look.walls >= 0                        ? p->look.walls
      : box_has_id(p->glass, p->glass_count, f->id[row]) ? GLASS
                                                         : 1;
}

static void color_free(const picture *p, double value, scree_drawn *d) {
  static const unsigned char sand[3] = {214, 181, 132};
  if (p->field->kind == FIELD_NONE) memcpy(d->color, sand, 3);
  else if (p->field->kind == FIELD_GROUP) scree_palette_group((int64_t)value, d->color);
  else
    scree_palette_color(
        look_palette(p->look.palette), (value - p->range.low) / (p->range.high - p->range.low), d->color);
}

static int make_shapes(picture *p, const scree_frame *f) {
  if ((size_t)f->shapes + SCREE_CELL_EDGES > p->shapes_room) {
    free(p->shape);
    p->shapes_room = 2 * (size_t)f->shapes + 1 + SCREE_CELL_EDGES;
    p->shape = malloc(p->shapes_room * sizeof *p->shape);
  }
  if ((size_t)f->bodies + 1 > p->bodies_room) {
    free(p->value);
    p->bodies_room = 2 * (size_t)f->bodies + 1;
    p->value = malloc(p->bodies_room * sizeof *p->value);
  }
  if (!p->shape || !p->value) return fail_memory(p);
  field_values(p->field, f, p->value);
  for (int64_t s = 0, row = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    p->shape[s] = scree_drawn_shape(f, row, s);
    if (f->kind[row] == SCREE_DYNAMIC) {
      color_free(p, p->value[row], p->shape + s);
      if (box_has_id(p->glass, p->glass_count, f->id[row])) p->shape[s].opacity = GLASS;
    } else color_held(p, f, row, p->shape + s);
  }
  return CLI_OK;
}

/* ---- walls that hide grains ---- */

static int by_id(const void *a, const void *b) {
  uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
  return (p > q) - (p < q);
}

/* Adds the bodies of the frame that hide too large a fraction of its grains to p->glass. */
static int note_glass(picture *p, const scree_frame *f, const double *hidden) {
  enum { SHARE = 8 }; /* a body becomes glass if it hides more than this [% of the visible grains] */
  uint64_t *more = realloc(p->glass, ((size_t)p->glass_count + (size_t)f->bodies + 1) * sizeof *more);
  if (!more) return fail_memory(p);
  int64_t known = p->glass_count;
  p->glass = more;
  for (int64_t s = 0, row = 0; s < f->shapes;) {
    double sum = 0;
    while (f->id[row] != f->shape[s].body) row++;
    for (; s < f->shapes && f->shape[s].body == f->id[row]; s++) sum += hidden[s];
    int is_known = bsearch(f->id + row, p->glass, (size_t)known, sizeof *p->glass, by_id) != NULL;
    if (100 * sum > SHARE && !is_known) p->glass[p->glass_count++] = f->id[row];
  }
  qsort(p->glass, (size_t)p->glass_count, sizeof *p->glass, by_id);
  return CLI_OK;
}

/* Returns the radius above which a free body counts as a wall among grains, such as the plates of a press:
 * eight times the median radius; INFINITY if there are few bodies. */
static double wall_size(const scree_frame *f) {
  enum { FEW = 20, TIMES = 8 };
  double *radius = malloc(((size_t)f->bodies + 1) * sizeof *radius), out = INFINITY;
  int64_t count = 0;
  for (int64_t row = 0; radius && row < f->bodies; row++)
    if (f->kind[row] == SCREE_DYNAMIC) radius[count++] = f->radius[row];
  if (count >= FEW) {
    qsort(radius, (size_t)count, sizeof *radius, compare_radii);
    out = TIMES * radius[count / 2];
  }
  free(radius);
  return out;
}

static int find_glass_in(picture *p, const scree_frame *f) {
  scree_error error = {SCREE_OK, ""};
  unsigned char *marked = malloc((size_t)f->shapes + 1);
  double *hidden = malloc(((size_t)f->shapes + 1) * sizeof *hidden), wall = wall_size(f);
  int code = marked && hidden ? make_shapes(p, f) : fail_memory(p);
  scree_draw_def def = draw_def(p, f->time);
  for (int64_t s = 0, row = 0; !code && s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    marked[s] = f->kind[row] == SCREE_DYNAMIC && f->radius[row] <= wall;
  }
  if (!code && scree_draw_hidden(p->drawer, &def, p->shape, marked, f->shapes, hidden, &error))
    code = cli_fail(CLI_USAGE, p->command, "%s", error.text);
  if (!code) code = note_glass(p, f, hidden);
  free(marked);
  free(hidden);
  return code;
}

/* Finds walls that hide many grains in one of several frames; the last frame is not enough, as a hopper
 * may be empty in it. Returns an exit code. */
static int find_glass(picture *p) {
  enum { LOOKS = 7 };
  scree_error error = {SCREE_OK, ""};
  const survey_frames *frames = &p->survey.frames;
  int64_t looks = frames->count < LOOKS ? frames->count : LOOKS, after = -1;
  int code = CLI_OK;
  if (p->look.walls >= 0 || !p->survey.has_walls) return CLI_OK;
  /* from the last frame, which the survey decoded last, to the first, which a film draws next */
  for (int64_t k = looks - 1; k >= 0 && !code; k--) {
    int64_t number = survey_frame(frames, looks, k);
    if (number == after) continue;
    const scree_frame *f = scree_reader_frame(p->reader, number, &error);
    code = f ? find_glass_in(p, f) : cli_fail(CLI_IO, p->command, "%s", error.text);
    after = number;
  }
  return code;
}

/* ---- life ---- */

static int read_look(picture *p, const picture_options *o) {
  const struct {
    const char *key, *value;
  } given[] = {{"size", o->size}, {"color", o->color}, {"range", o->range}, {"palette", o->palette},
      {"walls", o->walls}, {"caption", o->caption}};
  p->look = look_defaults();
  int code = look_meta(p->command, &p->look, scree_reader_meta(p->reader));
  if (o->camera) p->look.path_count = 0;
  if (!code && o->camera) code = look_camera_text(p->command, &p->look, o->camera);
  if (!code && o->path) code = look_path_text(p->command, &p->look, o->path);
  for (size_t i = 0; !code && i < sizeof given / sizeof *given; i++)
    if (given[i].value) code = look_set(p->command, &p->look, given[i].key, given[i].value);
  if (!code && !(p->field = field_chosen(p->command, p->reader, *p->look.color ? p->look.color : NULL)))
    code = CLI_USAGE;
  return code;
}

static int survey_picture(picture *p) {
  int wants_range = p->field->kind == FIELD_NUMBER && !p->look.has_range;
  survey_frames frames = survey_choose(p->reader, p->first, p->last, SURVEY_BODIES);
  int code = survey_run(p->command, p->reader, &frames, wants_range ? p->field : NULL, &p->survey);
  p->range = p->look.has_range ? (field_range){p->look.range[0], p->look.range[1]} : p->survey.range;
  return code;
}

int picture_open(picture *p, const char *command, const picture_options *options, scree_reader *reader,
    int64_t first, int64_t last) {
  scree_error error = {SCREE_OK, ""};
  *p = (picture){.command = command, .reader = reader, .first = first, .last = last};
  int code = read_look(p, options);
  if (code) return code;
  p->drawer = scree_drawer_create(options->threads > 0 ? (int)options->threads : cli_cores());
  if (!p->drawer) return fail_memory(p);
  if (scree_image_create(p->look.size[0], p->look.size[1], &p->image, &error))
    return cli_fail(CLI_USAGE, command, "%s", error.text);
  code = field_kept(command, p->field, reader);
  if (!code) code = survey_picture(p);
  if (!code) hang_lamp(p);
  if (!code) code = find_glass(p);
  return code;
}

/* Removes the shapes of bodies far outside the box, because they would make shadows coarse. Keeps all
 * shapes if the camera was placed by hand, because it may see these bodies. Returns the number of shapes
 * left. */
static int64_t drop_far(picture *p, const scree_frame *f) {
  int64_t count = 0;
  if (look_at_time(&p->look, f->time).has_position || !p->far_bodies) return f->shapes;
  for (int64_t s = 0, row = 0; s < f->shapes; s++) {
    while (f->id[row] != f->shape[s].body) row++;
    if (!box_is_far(&p->survey.box, f, row)) p->shape[count++] = p->shape[s];
  }
  return count;
}

int picture_draw(picture *p, const scree_frame *f) {
  scree_error error = {SCREE_OK, ""};
  int code = make_shapes(p, f);
  if (code) return code;
  scree_draw_def def = draw_def(p, f->time);
  p->far_bodies = box_count_far(&p->survey.box, f, &p->free_bodies);
  int64_t count = drop_far(p, f);
  count += scree_drawn_cell(f, p->shape + count);
  if (scree_draw(p->drawer, &def, p->shape, count, &p->image, &error))
    return cli_fail(CLI_USAGE, p->command, "%s", error.text);
  picture_overlay(p, f);
  return CLI_OK;
}

void picture_warn_far(const picture *p) {
  char text[128];
  if (!p->far_bodies) return;
  box_describe_far(p->far_bodies, p->free_bodies, text, sizeof text);
  fprintf(stderr, "scree %s: %s\n", p->command, text);
}

void picture_close(picture *p) {
  scree_drawer_destroy(p->drawer);
  scree_image_free(&p->image);
  free(p->shape);
  free(p->value);
  free(p->glass);
  survey_free(&p->survey);
}
