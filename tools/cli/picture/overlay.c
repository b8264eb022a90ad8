/* Texts on pictures: caption, time, and the colour bar. */
#include "picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture/json.h"

static const unsigned char ink[3] = {38, 43, 51}, faint[3] = {95, 103, 115};

/* ---- texts ---- */

/* Returns the number of decimals that distinguishes the times of neighbouring frames. */
static int count_decimals(const picture *p) {
  int64_t frames = p->last - p->first;
  double first = scree_reader_time(p->reader, p->first), last = scree_reader_time(p->reader, p->last);
  double step = frames > 0 ? (last - first) / (double)frames : last / 100;
  if (!(step > 0)) return 2;
  double places = ceil(-log10(step) - 1e-9);
  return places < 0 ? 0 : places > 9 ? 9 : (int)places;
}

/* Writes the value of {name} in a caption: the time, the step, or a parameter of the run. */
static void write_caption_value(
    const picture *p, const scree_frame *f, const char *name, char *out, size_t size) {
  if (!strcmp(name, "time")) snprintf(out, size, "%.*f s", count_decimals(p), f->time);
  else if (!strcmp(name, "frame")) snprintf(out, size, "%lld", (long long)f->step);
  else {
    const char *meta = scree_reader_meta(p->reader),
               *value = json_member(json_member(meta, "parameters"), name);
    if (!value) value = json_member(meta, name);
    json_text(value, out, size);
  }
}

static void fill_in(const picture *p, const scree_frame *f, const char *caption, char out[LOOK_TEXT]) {
  size_t used = 0;
  for (const char *at = caption; *at && used + 1 < LOOK_TEXT;) {
    char name[64], value[128];
    size_t length = strcspn(at, "}");
    if (*at == '{' && at[length] == '}' && length - 1 < sizeof name) {
      snprintf(name, sizeof name, "%.*s", (int)length - 1, at + 1);
      write_caption_value(p, f, name, value, sizeof value);
      used += (size_t)snprintf(out + used, LOOK_TEXT - used, "%s", value);
      at += length + 1;
    } else {
      out[used++] = *at++;
    }
  }
  out[used < LOOK_TEXT ? used : LOOK_TEXT - 1] = 0;
}

/* Draws a text, smaller if it does not fit the width. */
static void draw_line(
    picture *p, double x, double y, double height, const unsigned char color[3], const char *text) {
  double room = p->image.width - 2 * x, width = scree_image_text_width(height, text);
  if (width > room && width > 0) height *= room / width;
  scree_image_text(&p->image, x, y, height, -1, color, text);
}

/* Draws the number of bodies outside the box below the caption. */
static void put_far(picture *p, double unit, double y) {
  char text[128];
  if (!p->far_bodies) return;
  box_describe_far(p->far_bodies, p->free_bodies, text, sizeof text);
  draw_line(p, 1.6 * unit, y, unit, faint, text);
}

static void put_caption(picture *p, const scree_frame *f, double unit) {
  char text[LOOK_TEXT];
  double margin = 1.6 * unit, y = margin + 1.2 * unit;
  fill_in(p, f, p->look.has_caption ? p->look.caption : "{title}", text);
  if (*text) draw_line(p, margin, y, 1.2 * unit, ink, text), y += 2.1 * unit;
  if (!p->look.has_caption || (*p->look.caption && !strstr(p->look.caption, "{time}"))) {
    fill_in(p, f, "t = {time}", text);
    draw_line(p, margin, y, unit, faint, text), y += 1.8 * unit;
  }
  put_far(p, unit, y);
}

/* ---- the bar ---- */

static void put_bar(picture *p, double unit) {
  double mark[6], margin = 1.8 * unit, width = fmin(18 * unit, p->image.width - 2 * margin),
                  height = 0.7 * unit;
  double x = p->image.width - margin - width, y = p->image.height - margin - 1.6 * unit;
  int palette = look_palette(p->look.palette), marks = field_marks(p->range, mark, 5);
  char text[96];
  for (int i = 0; i < (int)width; i++) {
    unsigned char color[3];
    scree_palette_color(palette, (i + 0.5) / (int)width, color);
    scree_image_rectangle(&p->image, (int)x + i, (int)(y - height), (int)x + i + 1, (int)y, color, 1);
  }
  for (int i = 0; i < marks; i++) {
    double at = x + (mark[i] - p->range.low) / (p->range.high - p->range.low) * width;
    scree_image_rectangle(&p->image, (int)at, (int)y, (int)at + 1, (int)(y + 0.3 * unit), faint, 1);
    snprintf(text, sizeof text, "%.6g", mark[i]);
    scree_image_text(&p->image, at, y + 1.25 * unit, 0.75 * unit, 0, ink, text);
  }
  snprintf(text, sizeof text, *p->field->unit ? "%s [%s]" : "%s", p->field->label, p->field->unit);
  scree_image_text(&p->image, x, y - height - 0.6 * unit, 0.8 * unit, -1, ink, text);
}

void picture_overlay(picture *p, const scree_frame *f) {
  double unit = fmax(8, 0.02 * p->image.height);
  put_caption(p, f, unit);
  if (p->field->kind == FIELD_NUMBER) put_bar(p, unit);
}
