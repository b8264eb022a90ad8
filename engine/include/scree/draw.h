/* Pictures in three dimensions: shapes and a camera in, an image out. A ray caster of scree's own, without
 * a graphics card, a window or a browser.
 *
 * Every pixel is cast through the exact shape; nothing is cut into triangles but meshes. Light comes from
 * one lamp with a shadow and from the sky: how much of the sky a point sees is found with depth maps from
 * many directions, so that gaps between grains are dark. Only + - * / and sqrt are used: the same shapes
 * give the same bytes on any number of threads, with any compiler. docs/film.md shows what comes out. */
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

/* Rows of red, green and blue bytes, the upper row first. */
typedef struct scree_image {
  int width, height;
  unsigned char *rgb;
} scree_image;

enum { SCREE_IMAGE_MOST = 16384 }; /* pixels of a side */

/* A white image. SCREE_E_ARGUMENT for a size outside 1..SCREE_IMAGE_MOST. */
scree_status scree_image_create(int width, int height, scree_image *image, scree_error *error);
void scree_image_free(scree_image *image);
/* The image as a PNG file: written beside path and renamed into place. */
scree_status scree_image_write(const scree_image *image, const char *path, scree_error *error);
/* Fills x0 <= x < x1, y0 <= y < y1 (cut to the image); opacity 0..1. */
void scree_image_rectangle(
    scree_image *image, int x0, int y0, int x1, int y1, const unsigned char color[3], double opacity);
/* A line of text, smooth at any size: x is its left edge (align -1), middle (0) or right edge (1), y the
 * base line, height that of a capital letter, all in pixels. UTF-8; letters it has no form for become boxes.
 * */
void scree_image_text(scree_image *image, double x, double y, double height, int align,
    const unsigned char color[3], const char *text);
/* Length of a text of that height [pixels]. */
double scree_image_text_width(double height, const char *text);

/* ---- colours ---- */

/* "viridis", "magma", "cividis", "grey", "diverging"; NULL past the last. All but the last grow evenly
 * brighter and are told apart by the colour-blind. */
const char *scree_palette_name(int palette);
/* The colour at 0..1 (values beyond are cut). */
void scree_palette_color(int palette, double value, unsigned char color[3]);
/* Colours that are told apart at a glance, for groups: the n-th, n >= 0, again from the start after 8. */
void scree_palette_group(int64_t n, unsigned char color[3]);

/* ---- drawing ---- */

/* A shape as drawn: members as in scree_shape_info, but put into the world. */
typedef struct scree_drawn {
  int type; /* scree_shape_type */
  double position[3], orientation[4];
  double radius, length, size[3], normal[3];
  double own[SCREE_SHAPE_OWN]; /* as in scree_shape_info */
  const scree_geometry *geometry;
  unsigned char color[3];
  double opacity; /* 0..1; below 1 it is glass: no shadow, brighter where it is seen from the side */
} scree_drawn;

/* Shape number `index` of a frame, put into the world; grey and opaque. A frame without orientations
 * shows bodies unturned. row: of its body. */
scree_drawn scree_drawn_shape(const scree_frame *frame, int64_t row, int64_t index);

/* Edges of the frame's cell along its periodic directions, as thin rods; their number, 0 without a cell. */
enum { SCREE_CELL_EDGES = 12 };
int scree_drawn_cell(const scree_frame *frame, scree_drawn edges[SCREE_CELL_EDGES]);

/* The box around a shape; infinite for a half-space. */
void scree_drawn_box(const scree_drawn *shape, double low[3], double high[3]);

typedef struct scree_camera {
  double position[3], target[3], up[3];
  double angle;  /* full vertical angle of view [degrees], below 170; 0: parallel */
  double height; /* parallel: what the picture's height shows [m] */
} scree_camera;

/* A camera that looks at the box low..high from the direction azimuth (from +x about up), elevation
 * [degrees], so far away that the box fills a picture of this aspect (width / height); zoom enlarges. */
scree_camera scree_camera_fit(const double low[3], const double high[3], const double up[3], double azimuth,
    double elevation, double angle, double zoom, double aspect);

typedef struct scree_draw_def {
  scree_camera camera;
  /* The box that planes (half-spaces) are drawn about; low > high in any component: that of the shapes. */
  double low[3], high[3];
  double up[3];                   /* where the sky is; 0: the camera's */
  double lamp[3];                 /* towards the lamp; 0: from behind the camera's left shoulder */
  unsigned char background[2][3]; /* at the upper and the lower edge */
  int samples;                    /* for each pixel: 1, 4 or 8 */
  int sky;                        /* directions the sky is looked for in, 0..64; 0: no such shades */
  int shadow;                     /* the lamp casts shadows */
} scree_draw_def;
scree_draw_def scree_draw_defaults(void);

/* What drawing needs from picture to picture: threads and working memory. */
typedef struct scree_drawer scree_drawer;
/* NULL without memory. threads >= 1 */
scree_drawer *scree_drawer_create(int threads);
void scree_drawer_destroy(scree_drawer *drawer);
/* Draws count shapes into the image, over what it held. Planes are seen from their free side only, and
 * only where no other plane hides them. SCREE_E_ARGUMENT: camera without direction, size, opacity. */
scree_status scree_draw(scree_drawer *drawer, const scree_draw_def *def, const scree_drawn *shapes,
    int64_t count, scree_image *image, scree_error *error);

/* How much shape k hides: hidden[k] is the share of the marked shapes' part of a small picture that lies
 * behind it (marked and other shapes as scree_draw sees them; 0 for marked ones). A wall that hides much is
 * better drawn as glass. */
scree_status scree_draw_hidden(scree_drawer *drawer, const scree_draw_def *def, const scree_drawn *shapes,
    const unsigned char *marked, int64_t count, double *hidden, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
