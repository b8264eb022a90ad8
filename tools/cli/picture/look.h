/* The look of pictures: camera, colours, caption. The names of the keys are equal in `view = {...}` of a
 * scene (stored in its trajectory), in the address of a saved view, and in options. docs/film.md lists
 * them. */
#ifndef CLI_PICTURE_LOOK_H
#define CLI_PICTURE_LOOK_H

#include <stdint.h>

/* A camera: by position and target, or by angles around the content. */
typedef struct look_camera {
  double time; /* simulated time of a camera in a path [s] */
  double azimuth, elevation, zoom;
  double position[3], target[3];
  int has_position, has_target;
} look_camera;

enum { LOOK_PATH = 64, LOOK_TEXT = 256 }; /* largest number of cameras in a path; bytes of a caption */
typedef struct look {
  look_camera camera;
  /* [LOOK_PATH] cameras in order of time; without cameras the camera does not move */
  look_camera path[LOOK_PATH];
  int path_count;
  double up[3], angle; /* direction up; field of view [degrees], 0: parallel projection */
  char color[32], palette[16], caption[LOOK_TEXT];
  int has_caption;
  double range[2];
  int has_range;
  double walls; /* opacity of fixed and driven bodies, 0..1; < 0: chosen automatically */
  int size[2];
  int64_t frame; /* frame in an address; INT64_MIN: none */
} look;

/* Returns the default look. */
look look_defaults(void);
/* Sets one key; lists are separated by commas. Returns an exit code after a message of `command` with the
 * key. */
int look_set(const char *command, look *l, const char *key, const char *value);
/* Sets the keys of `view` in the JSON of a run. Returns an exit code after a message. */
int look_meta(const char *command, look *l, const char *meta);
/* Sets the camera from "AZIMUTH,ELEVATION[,ZOOM]", an axis to look from ("x", "-x", "y", "-y", "z", "-z"),
 * or the address of a saved view, whose other keys are set, too. Returns an exit code after a message. */
int look_camera_text(const char *command, look *l, const char *text);
/* Sets the path from "TIME:AZIMUTH,ELEVATION[,ZOOM];...". Returns an exit code after a message. */
int look_path_text(const char *command, look *l, const char *text);
/* Returns the camera at a time [s]. Between two cameras of the path the motion starts and ends smoothly.
 * Without a path, returns l->camera. */
look_camera look_at_time(const look *l, double time);
/* Returns the number of a colour map, -1 if there is none with this name. "gray" means "grey". */
int look_palette(const char *name);

#endif
