/* Pictures in three dimensions: draws shapes into an image as a camera sees them. scree has its own ray
 * caster, which needs no graphics card, window or browser.
 *
 * Every pixel is cast through the exact shape; only meshes consist of triangles. Light comes from one lamp,
 * which casts a shadow, and from the sky. Depth maps from many directions determine which share of the sky is
 * visible from a point, so gaps between grains are dark. The code uses only + - * / and sqrt. Equal shapes
 * therefore give equal bytes on any number of threads, with any compiler. docs/film.md shows examples. */
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

/* An image: rows of pixels with three bytes (red, green, blue), the top row first. */
typedef struct scree_image {
  int width, height;
  unsigned char *rgb;
} scree_image;

enum { SCREE_IMAGE_MOST = 16384 }; /* largest width or height in pixels */

/* Creates a white image. Returns SCREE_E_ARGUMENT for a width or height outside 1..SCREE_IMAGE_MOST. */
scree_status scree_image_create(int width, int height, scree_image *image, scree_error *error);
/* Frees the pixels of an image and zeroes it. */
void scree_image_free(scree_image *image);
/* Writes the image as a PNG file. Writes a temporary file in the folder of `path` and then renames it. */
scree_status scree_image_write(const scree_image *image, const char *path, scree_error *error);
/* Blends a colour into the pixels x0 <= x < x1, y0 <= y < y1, clipped to the image. opacity: 0..1. */
void scree_image_rectangle(
    scree_image *image, int x0, int y0, int x1, int y1, const unsigned char color[3], double opacity);
/* Draws a line of text, antialiased at any size. x: position of its left edge (align -1), middle (0) or right
 * edge (1). y: position of the base line. height: height of a capital letter. All are in pixels. text: UTF-8;
 * letters without a glyph become boxes. */
void scree_image_text(scree_image *image, double x, double y, double height, int align,
    const unsigned char color[3], const char *text);
/* Returns the width of a text [pixels]. height: height of a capital letter [pixels]. */
double scree_image_text_width(double height, const char *text);

/* ---- colours ---- */

/* Returns the name of a palette: "viridis", "magma", "cividis", "grey", "diverging"; NULL past the last. The
 * brightness rises uniformly in all palettes except the last. Colour-blind readers can distinguish the
 * colours of all palettes. */
const char *scree_palette_name(int palette);
/* Sets color to the colour of a palette at a value 0..1. Other values are clamped. */
void scree_palette_color(int palette, double value, unsigned char color[3]);
/* Sets color to the colour of group n >= 0. Colours of groups are easy to distinguish and repeat after 8. */
void scree_palette_group(int64_t n, unsigned char color[3]);

/* ---- drawing ---- */

/* A shape to draw. Its members are those of scree_shape_info, but the pose is in the world frame. */
typedef struct scree_drawn {
  int type; /* type of the shape: a scree_shape_type */
  double position[3], orientation[4];
  double radius, length, size[3], normal[3];
  double own[SCREE_SHAPE_OWN]; /* parameters of the type that are not lengths (scree_shape_def) */
  const scree_geometry *geometry;
  unsigned char color[3];
  /* 0..1; a shape with opacity below 1 is drawn as glass: it casts no shadow and is more opaque at grazing
   * angles */
  double opacity;
} scree_drawn;

/* Returns a shape of a frame to draw: placed in the world, grey and opaque. row: row of its body in the
 * frame. index: index in frame->shape. If the frame has no orientations, bodies are not rotated. */
scree_drawn scree_drawn_shape(const scree_frame *frame, int64_t row, int64_t index);

/* Number of edges of a cell. */
enum { SCREE_CELL_EDGES = 12 };
/* Sets edges to thin rods along the edges of the frame's cell in its periodic directions. Returns their
 * number; 0 without a cell. */
int scree_drawn_cell(const scree_frame *frame, scree_drawn edges[SCREE_CELL_EDGES]);

/* Computes the axis-aligned box around a shape; infinite for a half-space. */
void scree_drawn_box(const scree_drawn *shape, double low[3], double high[3]);

typedef struct scree_camera {
  double position[3], target[3], up[3];
  double angle;  /* full vertical angle of view [degrees], below 170; 0: parallel projection */
  double height; /* parallel projection: height of the visible area [m] */
} scree_camera;

/* Returns a camera that looks at the box low..high from such a distance that the box fills the picture.
 * azimuth: direction of the camera, measured from +x about `up` [degrees]. elevation: angle of the camera
 * above the horizon [degrees]. angle: full vertical angle of view [degrees]. zoom: factor that enlarges the
 * picture. aspect: width / height of the picture. */
scree_camera scree_camera_fit(const double low[3], const double high[3], const double up[3], double azimuth,
    double elevation, double angle, double zoom, double aspect);

typedef struct scree_draw_def {
  scree_camera camera;
  /* box up to which half-spaces are drawn as planes; if low > high in any component, the box of the shapes */
  double low[3], high[3];
  double up[3]; /* direction from the ground to the sky; 0: up vector of the camera */
  /* direction towards the lamp; 0: from behind the left shoulder of the camera */
  double lamp[3];
  unsigned char background[2][3]; /* colours at the upper and at the lower edge of the picture */
  int samples;                    /* number of rays per pixel: 1, 4 or 8 */
  /* number of directions in which the visibility of the sky is tested, 0..64; 0: the sky does not shade */
  int sky;
  int shadow; /* nonzero: the lamp casts shadows */
} scree_draw_def;
/* Returns a definition with default values. */
scree_draw_def scree_draw_defaults(void);

/* Threads and scratch memory for drawing, which can be used for many pictures. */
typedef struct scree_drawer scree_drawer;
/* Returns a drawer, or NULL without memory. threads: number of threads, >= 1. */
scree_drawer *scree_drawer_create(int threads);
/* Frees a drawer. NULL is allowed. */
void scree_drawer_destroy(scree_drawer *drawer);
/* Draws `count` shapes and overwrites the image. Planes are only drawn from their free side, and only where
 * no other plane hides them. Returns SCREE_E_ARGUMENT for an invalid camera direction, size or opacity. */
scree_status scree_draw(scree_drawer *drawer, const scree_draw_def *def, const scree_drawn *shapes,
    int64_t count, scree_image *image, scree_error *error);

/* Computes how much each shape hides the marked shapes from the camera. marked: [count] nonzero: marked.
 * hidden: [count] share of the pixels of marked shapes in a small picture that lie behind the shape; 0 for
 * marked shapes. A wall that hides much is better drawn as glass. */
scree_status scree_draw_hidden(scree_drawer *drawer, const scree_draw_def *def, const scree_drawn *shapes,
    const unsigned char *marked, int64_t count, double *hidden, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
