/* How a run is looked at: camera, colours, caption. The same names everywhere: `view = {...}` of a scene
 * (kept in its trajectory), the address of a saved view, options. docs/film.md lists them. */
#ifndef CLI_PICTURE_LOOK_H
#define CLI_PICTURE_LOOK_H

#include <stdint.h>

/* From where: explicit, or by angles around what is shown. */
typedef struct look_camera {
  double time; /* of the world [s]; in paths */
  double azimuth, elevation, zoom;
  double position[3], target[3];
  int has_position, has_target;
} look_camera;

enum { LOOK_PATH = 64, LOOK_TEXT = 256 };
typedef struct look {
  look_camera camera;
  look_camera path[LOOK_PATH]; /* in order of time; empty: the camera stands still */
  int path_count;
  double up[3], angle; /* [degrees]; 0: parallel */
  char color[32], palette[16], caption[LOOK_TEXT];
  int has_caption;
  double range[2];
  int has_range;
  double walls; /* opacity of what is not free; < 0: chosen */
  int size[2];
  int64_t frame; /* of an address; INT64_MIN: none */
} look;

look look_defaults(void);
/* One value. Lists have commas. An exit code, after a message of `command` that names the key. */
int look_set(const char *command, look *l, const char *key, const char *value);
/* `view` of the JSON of a run. */
int look_meta(const char *command, look *l, const char *meta);
/* "AZIMUTH,ELEVATION[,ZOOM]", an axis ("x", "-x", "y", "-y", "z", "-z": from there), or the address of a
 * saved view, whose keys are set too. */
int look_camera_text(const char *command, look *l, const char *text);
/* "TIME:AZIMUTH,ELEVATION[,ZOOM];..." */
int look_path_text(const char *command, look *l, const char *text);
/* The camera at a time: the path's, with smooth starts and ends between its cameras, or the one that stands.
 * */
look_camera look_at_time(const look *l, double time);
/* Number of a colour map, -1 for none such. "gray" is "grey". */
int look_palette(const char *name);

#endif
