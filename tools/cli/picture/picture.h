/* Pictures of the frames of a run by scree's own ray caster, with one look, size and range of colours. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "picture/look.h"
#include "picture/survey.h"

/* Options that `scree film` and `scree plot` share. */
typedef struct picture_options {
  const char *size, *color, *range, *palette, *camera, *path, *walls, *caption;
  int64_t threads;
} picture_options;

#define PICTURE_OPTIONS(type, member) \
  {"size", 0, CLI_TEXT, "WxH", offsetof(type, member.size), "of the picture in pixels (1280x720)"}, \
      {"color", 0, CLI_TEXT, "FIELD", offsetof(type, member.color), \
          "what bodies are coloured by: speed (default), spin, group, size, mass, x, vx, force, ..."}, \
      {"range", 0, CLI_TEXT, "LOW:HIGH", offsetof(type, member.range), \
          "of the colours (default: what the run's frames have)"}, \
      {"palette", 0, CLI_TEXT, "NAME", offsetof(type, member.palette), \
          "viridis (default), cividis, magma, diverging, grey"}, \
      {"camera", 0, CLI_TEXT, "PLACE", offsetof(type, member.camera), \
          "AZIMUTH,ELEVATION[,ZOOM] in degrees, an axis (x, -x, ...) or the address of a saved view"}, \
      {"walls", 0, CLI_TEXT, "OPACITY", offsetof(type, member.walls), \
          "of what does not move freely, 0 to 1 (default: glass where it hides grains)"}, \
      {"caption", 0, CLI_TEXT, "TEXT", offsetof(type, member.caption), \
          "{time} and {PARAMETER} stand for their values; empty: none"}, \
  { \
    "threads", 't', CLI_CORES, "N", offsetof(type, member.threads), \
        "threads that draw (all cores); the same bytes with any" \
  }

typedef struct picture {
  const char *command;
  scree_reader *reader;
  int64_t first, last; /* frames that determine the range, the box and the walls */
  look look;
  const field *field;
  field_range range;
  run_survey survey; /* survey.box is the content of the pictures */
  double lamp[3];    /* direction of the lamp for the first camera */
  scree_drawer *drawer;
  scree_image image;
  scree_drawn *shape;
  double *value;
  size_t shapes_room, bodies_room;
  uint64_t *glass; /* [glass_count] ids of bodies that hide grains, ascending */
  int64_t glass_count;
  /* free bodies of the frame drawn last: number far outside the box, and of all */
  int64_t far_bodies, free_bodies;
} picture;

/* Prepares pictures of frames first..last. Returns an exit code after a message. Call picture_close in any
 * case. */
int picture_open(picture *p, const char *command, const picture_options *options, scree_reader *reader,
    int64_t first, int64_t last);
/* Draws a frame into p->image. */
int picture_draw(picture *p, const scree_frame *frame);
/* Warns on standard error if the frame drawn last has bodies that are far away and not shown. */
void picture_warn_far(const picture *p);
/* Frees the picture. */
void picture_close(picture *p);

/* Draws caption and colour bar on the image (overlay.c). */
void picture_overlay(picture *p, const scree_frame *frame);

#endif
