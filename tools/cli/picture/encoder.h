/* Where the pictures of a film go: through a pipe to ffmpeg, or into a folder as PNG files. */
#ifndef CLI_PICTURE_ENCODER_H
#define CLI_PICTURE_ENCODER_H

#include <sys/types.h>
#include "scree/scree.h"

typedef struct encoder {
  const char *path;
  char part[4200]; /* the film in the making; renamed when whole */
  int pipe;        /* to ffmpeg; -1: pictures */
  pid_t child;
  int64_t pictures;
} encoder;

/* Whether the path's ending is known and what it needs is there: an exit code, after a message. */
int encoder_check(const char *path);
int encoder_open(encoder *e, const char *path, int width, int height, double fps);
int encoder_put(encoder *e, const scree_image *image);
/* Ends the film; with a code that is no success, or where ffmpeg fails, nothing is left of it. The code. */
int encoder_close(encoder *e, int code);

#endif
