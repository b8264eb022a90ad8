/* Text as strokes of constant width, antialiased at any size. */
#include "draw/draw.h"
#include "draw/glyphs.h"

#include <math.h>

enum { GLYPHS = sizeof glyphs / sizeof *glyphs, SEGMENTS = 256, CAPITAL = 9, GAP = 2, BEND = 6 };

/* Returns the code point of the next character of a UTF-8 text and advances *text. Returns 0 at the end of
 * the text, and U+FFFD for invalid bytes. */
static unsigned next_code(const char **text) {
  const unsigned char *at = (const unsigned char *)*text;
  int more = *at < 0x80 ? 0 : *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : *at >= 0xc0 ? 1 : -1;
  unsigned code = more == 0 ? *at : more < 0 ? 0xfffd : *at & (0x3fu >> more);
  if (!*at) return 0;
  *text += 1;
  for (int i = 0; i < more; i++, *text += 1) {
    if (((unsigned char)**text & 0xc0) != 0x80) return 0xfffd;
    code = code << 6 | ((unsigned char)**text & 0x3fu);
  }
  return code;
}

static const sc_glyph *glyph_of(unsigned code) {
  for (int i = 0; i < GLYPHS; i++)
    if (glyphs[i].code == code) return glyphs + i;
  return glyphs + GLYPHS - 1;
}

double scree_image_text_width(double height, const char *text) {
  SC_DEMAND(text, NULL, 0);
  double units = 0;
  for (unsigned code; (code = next_code(&text));) units += glyph_of(code)->width + GAP;
  return fmax(0, units - GAP) * height / CAPITAL;
}

/* ---- strokes as segments ---- */

typedef struct outline {
  double at[SEGMENTS][4]; /* [count] segments: x0, y0, x1, y1 [pixels] */
  int count;
} outline;

static void put_segment(outline *o, const double a[2], const double b[2]) {
  if (o->count == SEGMENTS) return;
  double *s = o->at[o->count++];
  s[0] = a[0], s[1] = a[1], s[2] = b[0], s[3] = b[1];
}

/* Adds a quadratic Bezier curve from a to c with the control point b, as BEND segments. */
static void put_bend(outline *o, const double a[2], const double b[2], const double c[2]) {
  double last[2] = {a[0], a[1]}, next[2];
  for (int i = 1; i <= BEND; i++) {
    double t = i / (double)BEND, u = 1 - t;
    for (int k = 0; k < 2; k++) next[k] = u * u * a[k] + 2 * u * t * b[k] + t * t * c[k];
    put_segment(o, last, next);
    last[0] = next[0], last[1] = next[1];
  }
}

static void put_stroke(outline *o, double point[][2], int count, bool smooth) {
  double from[2] = {point[0][0], point[0][1]}, to[2];
  if (!smooth) {
    for (int i = 0; i + 1 < count; i++) put_segment(o, point[i], point[i + 1]);
    return;
  }
  for (int i = 1; i + 1 < count; i++) {
    double share = i + 2 < count ? 0.5 : 1;
    for (int k = 0; k < 2; k++) to[k] = point[i][k] + share * (point[i + 1][k] - point[i][k]);
    put_bend(o, from, point[i], to);
    from[0] = to[0], from[1] = to[1];
  }
}

/* Computes the segments of a glyph. (x, y): position in the image of the left end of its base line [pixels];
 * y grows downwards. unit: length of a unit of glyph coordinates [pixels]. */
static void outline_of(const sc_glyph *g, double x, double y, double unit, outline *o) {
  double point[32][2];
  o->count = 0;
  for (const char *at = g->strokes; *at;) {
    bool smooth = *at == '~';
    int count = 0;
    for (at += smooth; *at && *at != ' '; at += 2, count++)
      point[count][0] = x + unit * (at[0] - '0'), point[count][1] = y - unit * (at[1] - 'd');
    put_stroke(o, point, count, smooth);
    at += *at == ' ';
  }
}

static double distance_to_segment(const double s[4], double x, double y) {
  double ux = s[2] - s[0], uy = s[3] - s[1], px = x - s[0], py = y - s[1], square = ux * ux + uy * uy;
  double t = square > 0 ? fmin(1, fmax(0, (px * ux + py * uy) / square)) : 0;
  double dx = px - t * ux, dy = py - t * uy;
  return sqrt(dx * dx + dy * dy);
}

/* ---- on images ---- */

static void blend_pixel(scree_image *image, int x, int y, const unsigned char color[3], double share) {
  if (x < 0 || y < 0 || x >= image->width || y >= image->height || !(share > 0)) return;
  unsigned char *at = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
  for (int k = 0; k < 3; k++) at[k] = (unsigned char)(at[k] + share * (color[k] - at[k]) + 0.5);
}

static void draw_outline(scree_image *image, const outline *o, double half, const unsigned char color[3]) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < o->count; i++)
    for (int k = 0; k < 4; k++)
      low[k % 2] = fmin(low[k % 2], o->at[i][k]), high[k % 2] = fmax(high[k % 2], o->at[i][k]);
  if (!o->count) return;
  for (int y = (int)floor(low[1] - half - 1); y <= (int)ceil(high[1] + half + 1); y++)
    for (int x = (int)floor(low[0] - half - 1); x <= (int)ceil(high[0] + half + 1); x++) {
      double nearest = INFINITY;
      for (int i = 0; i < o->count; i++)
        nearest = fmin(nearest, distance_to_segment(o->at[i], x + 0.5, y + 0.5));
      blend_pixel(image, x, y, color, fmin(1, half + 0.5 - nearest));
    }
}

void scree_image_text(scree_image *image, double x, double y, double height, int align,
    const unsigned char color[3], const char *text) {
  SC_DEMAND(image && color && text, NULL, );
  double unit = height / CAPITAL, half = fmax(0.55, 0.058 * height);
  outline o;
  x -= (align + 1) / 2.0 * scree_image_text_width(height, text);
  for (unsigned code; (code = next_code(&text));) {
    const sc_glyph *g = glyph_of(code);
    outline_of(g, x, y, unit, &o);
    draw_outline(image, &o, half, color);
    x += unit * (g->width + GAP);
  }
}

void scree_image_rectangle(
    scree_image *image, int x0, int y0, int x1, int y1, const unsigned char color[3], double opacity) {
  for (int y = y0 < 0 ? 0 : y0; y < y1 && y < image->height; y++)
    for (int x = x0 < 0 ? 0 : x0; x < x1 && x < image->width; x++) blend_pixel(image, x, y, color, opacity);
}
