/* Pictures in three dimensions: draws shapes seen by a camera into an image. A ray caster of scree's own,
 * without a graphics card, a window or a browser.
 *
 * Every pixel is cast through the exact shape; only meshes consist of triangles. Light comes from one lamp
 * with a shadow and from the sky. The visible share of the sky at a point is found with depth maps from many
 * directions, so that gaps between grains are dark. Only + - * / and sqrt are used: equal shapes give equal
 * bytes on any number of threads, with any compiler. docs/film.md shows examples. */
#ifndef SCREE_DRAW_H
#define SCREE_DRAW_H

#include <stddef.h>
#include <stdint.h>
#include "scree/frame.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- images ---- */

/* An image: rows of red, green and blue bytes, the upper row first. */
typedef struct scree_image {
  int width, height;
  unsigned char *rgb;
} scree_image;

enum { SCREE_IMAGE_MOST = 16384 }; /* largest number of pixels of a side */

/* Makes a white image. SCREE_E_ARGUMENT for a size outside 1..SCREE_IMAGE_MOST. */
scree_status scree_image_create(int width, int height, scree_image *image, scree_error *error);
/* Frees the pixels of an image and zeroes it. */
void scree_image_free(scree_image *image);
/* Writes the image as a PNG file: under a temporary name beside path, then renamed. */
scree_status scree_image_write(const scree_image *image, const char *path, scree_error *error);
/* Fills x0 <= x < x1, y0 <= y < y1 (clipped to the image); opacity 0..1. */
void scree_image_rectangle(
    scree_image *image, int x0, int y0, int x1, int y1, const unsigned char color[3], double opacity);
/* Draws a line of text, antialiased at any size. x: its left edge (align -1), middle (0) or right edge (1),
 * y: the base line, height: that of a capital letter, all in pixels. UTF-8; letters without a glyph become
 * boxes. */
void scree_image_text(scree_image *image, double x, double y, double height, int align,
    const unsigned char color[3], const char *text);
/* Returns the width of a text of this height [pixels]. */
double scree_image_text_width(double height, const char *text);

/* ---- colours ---- */

/* Returns the name of a palette: "viridis", "magma", "cividis", "grey", "diverging"; NULL past the last. The
 * brightness of all but the last rises uniformly; all can be distinguished by colour-blind readers. */
const char *scree_palette_name(int palette);
/* Computes the colour at 0..1 (other values are clamped). */
void scree_palette_color(int palette, double value, unsigned char color[3]);
/* Computes colour n >= 0 of easily distinguished colours for groups; they repeat after 8. */
void scree_palette_group(int64_t n, unsigned char color[3]);

/* ---- drawing ---- */

/* A shape to draw: members as in scree_shape_info, but placed in the world. */
typedef struct scree_drawn {
  int type; /* scree_shape_type */
  double position[3], orientation[4];
  double radius, length, size[3], normal[3];
  double own[SCREE_SHAPE_OWN]; /* as in scree_shape_info */
  const scree_geometry *geometry;
  unsigned char color[3];
  double opacity; /* 0..1; below 1 the shape is glass: no shadow, more opaque at grazing angles */
} scree_drawn;

/* Returns shape `index` of a frame, placed in the world, grey and opaque. row: of its body. Without
 * orientations in the frame bodies are not rotated. */
scree_drawn scree_drawn_shape(const scree_frame *frame, int64_t row, int64_t index);

/* Computes the edges of the frame's cell along its periodic directions as thin rods. Returns their number, 0
 * without a cell. */
enum { SCREE_CELL_EDGES = 12 };
/* Sets edges to the rods and returns their number. */
int scree_drawn_cell(const scree_frame *frame, scree_drawn edges[SCREE_CELL_EDGES]);

/* Computes the box around a shape; infinite for a half-space. */
void scree_drawn_box(const scree_drawn *shape, double low[3], double high[3]);

typedef struct scree_camera {
  double position[3], target[3], up[3];
  double angle;  /* full vertical angle of view [degrees], below 170; 0: parallel */
  double height; /* parallel: height of the visible area [m] */
} scree_camera;

/* Returns a camera at the direction azimuth (from +x about up), elevation [degrees] that looks at the box
 * low..high, at the distance at which the box fills a picture of this aspect (width / height). zoom
 * enlarges. */
scree_camera scree_camera_fit(const double low[3], const double high[3], const double up[3], double azimuth,
    double elevation, double angle, double zoom, double aspect);

typedef struct scree_draw_def {
  scree_camera camera;
  /* Box about which planes (half-spaces) are drawn; low > high in any component: the box of the shapes. */
  double low[3], high[3];
  double up[3];                   /* direction of the sky; 0: the camera's up */
  double lamp[3];                 /* towards the lamp; 0: from behind the camera's left shoulder */
  unsigned char background[2][3]; /* at the upper and the lower edge */
  int samples;                    /* for each pixel: 1, 4 or 8 */
  /* directions in which the sky is tested, 0..64; 0: no shading by the sky */
  int sky;
  int shadow; /* the lamp casts shadows */
} scree_draw_def;
/* Returns the default values. */
scree_draw_def scree_draw_defaults(void);

/* Threads and scratch memory, reused from picture to picture. */
typedef struct scree_drawer scree_drawer;
/* Returns a drawer; NULL if out of memory. threads >= 1. */
scree_drawer *scree_drawer_create(int threads);
/* Frees a drawer. NULL is allowed. */
void scree_drawer_destroy(scree_drawer *drawer);
/* Draws count shapes into the image and overwrites it. Planes are only drawn from their free side, and only
 * where no other plane hides them. SCREE_E_ARGUMENT: invalid direction of the camera, size or opacity. */
scree_status scree_draw(scree_drawer *drawer, const scree_draw_def *def, const scree_drawn *shapes,
    int64_t count, scree_image *image, scree_error *error);

/* Computes how much each shape hides: hidden[k] is the share of the marked shapes' pixels in a small picture
 * that lie behind shape k (0 for marked shapes). A wall that hides much is better drawn as glass. */
scree_status scree_draw_hidden(scree_drawer *drawer, const scree_draw_def *def, const scree_drawn *shapes,
    const unsigned char *marked, int64_t count, double *hidden, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
