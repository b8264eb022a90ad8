/* Output of the pictures of a film: through a pipe to ffmpeg, or as PNG files into a folder. */
#ifndef CLI_PICTURE_ENCODER_H
#define CLI_PICTURE_ENCODER_H

#include <sys/types.h>
#include "scree/scree.h"

/* A film being written. */
typedef struct encoder {
  const char *path;
  char part[4200]; /* path of the unfinished film; renamed at the end */
  int pipe;        /* write end of the pipe to ffmpeg; -1: PNG files are written */
  pid_t child;
  int64_t pictures;
} encoder;

/* Checks that the ending of the path is known and that the required program exists. Returns an exit code
 * after a message. */
int encoder_check(const char *path);
/* Starts a film. Returns an exit code after a message. */
int encoder_open(encoder *e, const char *path, int width, int height, double fps);
/* Adds a picture. Returns an exit code after a message. */
int encoder_put(encoder *e, const scree_image *image);
/* Ends the film. Removes it if code is not 0 or ffmpeg fails. Returns the exit code. */
int encoder_close(encoder *e, int code);

#endif
