/* Running scenes from C: what `scree run` does, without its files, messages and exit codes.
 *
 * A scene is opened (its file loaded, its world built, setup called), run and closed. The loop calls the
 * scene's callbacks and checks its stop condition. The caller's listener is called after every step and for
 * every row of the series. These functions print nothing and never exit; functions of the scene may print.
 * A signal handler is installed only if the caller limits the time of callbacks.
 *
 * Open, run and close a scene in one thread. All scenes of a process share one limit on memory
 * (scree/memory.h). Opening and closing a scene sets this limit. */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include <stdbool.h>
#include <stdint.h>
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_scene scree_scene;

enum {
  SCREE_SCENE_STEP, /* a step is done and its callbacks were called */
  SCREE_SCENE_ROW   /* a row of the series is due; the values are those of scree_scene_value */
};

/* Callback for the events of a scene. event: SCREE_SCENE_STEP or SCREE_SCENE_ROW. If it returns a value other
 * than 0, the run stops and scree_scene_run returns SCREE_OK. The listener may read the world. It must not
 * step the world or close the scene. */
typedef int scree_scene_listener(void *context, scree_scene *scene, int event);

typedef struct scree_scene_def {
  const char *path;    /* path of the scene file; required */
  const char *library; /* folder of the bundled Lua modules, which contains the folder `scree`; NULL: none */
  const char *directory; /* folder for files that the scene writes; NULL: a scene without trust writes none */
  const char *const *params; /* [params_count] "key=value": parameters of the scene; may be NULL if none */
  int64_t params_count;      /* number of params, 0 to 64 */
  double time;               /* > 0: stop time, replaces that of the scene [s] */
  int64_t steps;             /* > 0: stop step, replaces that of the scene */
  int64_t threads;           /* > 0: number of threads, replaces that of the scene */
  bool trust;                /* the scene may use io and os */
  size_t memory;             /* > 0: limit for Lua and the engine [bytes], for the process; 0: none */
  /* > 0: limit for one call of the scene [s of CPU time]. It uses a timer and the signal SIGRTMIN + 3 of the
   * process. 0: none, and no signal handler. */
  double callback_time;
  scree_scene_listener *listen; /* called for each event; NULL: none */
  void *context;                /* first argument of the listener */
} scree_scene_def;

/* Returns a def without path, limits, listener and overrides. */
scree_scene_def scree_scene_defaults(void);
/* Loads a scene, builds its world and calls its setup. Copies the data that def points to. Returns NULL with
 * an error: SCREE_E_ARGUMENT for wrong values and errors of the script, SCREE_E_IO for files. The caller
 * closes the scene. */
scree_scene *scree_scene_open(const scree_scene_def *def, scree_error *error);
/* Closes a scene and frees its world. NULL is allowed. */
void scree_scene_close(scree_scene *scene);
/* Returns the world of a scene, which owns it; NULL for NULL. */
scree_world *scree_scene_world(scree_scene *scene);
/* Runs a scene until it ends or the listener stops it. After a stop, the next call continues with the next
 * step. Returns SCREE_E_ARGUMENT with a text if a function of the scene fails, or the status of the step that
 * failed. A scene that failed cannot be continued. */
scree_status scree_scene_run(scree_scene *scene, scree_error *error);
/* Returns whether a scene has reached its end; false for NULL. */
bool scree_scene_is_over(const scree_scene *scene);
/* Calls the report of a scene and reads its figures. */
scree_status scree_scene_report(scree_scene *scene, scree_error *error);

/* A key figure of the report. The texts belong to the scene and are valid until the next report. */
typedef struct scree_scene_figure {
  const char *name, *unit; /* unit: "" for a pure number */
  const char *text;        /* value of a figure that is a text; NULL: the figure is a number */
  double value;            /* NaN for a text, and for a figure that the run did not reach */
} scree_scene_figure;

/* Returns the number of figures of the last report. */
int scree_scene_figures_count(const scree_scene *scene);
/* Reads a figure of the last report. Returns SCREE_E_ARGUMENT for an index that does not exist. */
scree_status scree_scene_get_figure(const scree_scene *scene, int index, scree_scene_figure *figure);

/* Returns the number of values that the scene adds to the series. The number is final once the first row is
 * due. */
int scree_scene_values_count(const scree_scene *scene);
/* Returns the name of value `index` of the series, in ascending order of names; NULL if out of range. */
const char *scree_scene_value_name(const scree_scene *scene, int index);
/* Returns value `index` of the last row of the series; NaN if index is out of range. */
double scree_scene_value(const scree_scene *scene, int index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
