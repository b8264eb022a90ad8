/* A scene: the checked contents of the table that a scene file returns. docs/scenes.md describes the keys.
 *
 * All keys are checked, the world is made and setup has run before the caller creates a file. */
#ifndef SL_SCENE_H
#define SL_SCENE_H

#include "bind/object.h"
#include "bind/objects/bodies/motion.h"
#include "bind/experiment/condition.h"

/* Functions of a scene; each is called with (w, p). */
typedef enum sl_hook {
  SL_SETUP,
  SL_BEFORE_STEP,
  SL_AFTER_STEP,
  SL_STOP,
  SL_SERIES_VALUES,
  SL_REPORT,
  SL_VARIANTS,
  SL_WORLD_OF,
  SL_HOOKS
} sl_hook;

/* A periodic event: every `time` seconds of the world or every `steps` steps. done: number of events so
 * far. */
typedef struct sl_clock {
  double time;
  int64_t steps, done;
} sl_clock;
/* Returns true if the world has completed another interval of the clock, and updates clock->done. */
bool sl_clock_due(sl_clock *clock, const scree_world *world);

/* Bodies whose frames the run writes to the file track.scree. The lists belong to the Lua state. */
typedef struct sl_track {
  sl_clock clock;    /* time 0 and steps 0: off */
  int64_t *id;       /* [ids] ids of bodies, ascending */
  int64_t *group;    /* [groups] numbers of groups */
  const char **name; /* [names] names of bodies */
  int64_t ids, groups, names;
  /* precision of positions [m]; precision in mean diameters, used instead if > 0 */
  double precision, relative_precision;
  int fields; /* bits SCREE_FIELD_... of the fields to write */
} sl_track;

enum { SL_EVERY_MOST = 64 };
typedef struct sl_scene {
  sl_runtime *runtime;
  const char *path;
  const char *title; /* belongs to the Lua state */
  /* registry references: source text, scene table, resolved parameters, world */
  int text, table, params, world_ref;
  int look;           /* registry reference of the table `view` as JSON; LUA_NOREF: none */
  int hook[SL_HOOKS]; /* registry references of the functions; LUA_NOREF: none */
  sl_world *world;    /* world of the scene; NULL before sl_scene_build */
  struct {
    sl_clock clock;
    int call;
  } every[SL_EVERY_MOST];
  int every_count;
  sl_clock trajectory, series; /* intervals of frames and of rows of the series; time 0 and steps 0: off */
  sl_track track;
  double precision;          /* precision of positions [m]; 0: exact */
  double relative_precision; /* > 0: precision in mean diameters, instead of `precision` */
  int fields;                /* bits SCREE_FIELD_... of the trajectory's fields */
  /* simulated time at which the run ends [s]; INFINITY: none */
  double stop_time;
  int64_t stop_steps;     /* number of steps after which the run ends; INT64_MAX: none */
  sl_condition stop_when; /* condition that ends the run; no terms: none */
  /* factors on friction and cohesion of all pairs of materials; multiplied with the factors in the world's
   * table. 0: no factor */
  double friction_factor, cohesion_factor;
} sl_scene;

/* A parameter from the command line. Its value is read as the type of the scene's default. */
typedef struct sl_override {
  const char *key, *value;
} sl_override;

/* Loads and checks a scene file and resolves its parameters. After a failure sl_message has the text. */
sl_trouble sl_scene_load(
    sl_scene *scene, sl_runtime *runtime, const char *path, const sl_override *overrides, int count);
/* Makes the world and runs setup. threads > 0 replaces the number of threads in the scene. */
sl_trouble sl_scene_build(sl_scene *scene, int64_t threads);
/* Calls a hook with (w, p) and pushes `results` results. Returns SL_FINE, and pushes nothing, if the scene
 * does not have the hook. */
sl_trouble sl_scene_call(sl_scene *scene, sl_hook hook, int results);
/* Pops the table `out` (figures.c) and calls the scene's function report with (w, p, out). Pushes its
 * result. */
sl_trouble sl_scene_report(sl_scene *scene);
/* Calls the scene's function variants with (p) and pushes its result. */
sl_trouble sl_scene_variants(sl_scene *scene);
/* Returns whether the scene has a hook. */
bool sl_scene_has(const sl_scene *scene, sl_hook hook);
/* Size of the text of a place in a scene [bytes]. */
enum { SL_PLACE = 512 };
/* Writes "FILE:LINE" of the definition of a hook to `out`, for messages about wrong results. If the hook is
 * not a function of the scene's file, writes the path of the scene. Returns out. */
const char *sl_scene_place(const sl_scene *scene, sl_hook hook, char out[SL_PLACE]);
/* Returns whether the series has columns in addition to those of the report. */
bool sl_scene_has_values(const sl_scene *scene);
/* Pushes the table of the columns beyond those of the report: the result of the scene's `values`, and the
 * losses if the world records them. */
sl_trouble sl_scene_values(sl_scene *scene);
/* Sets the velocities of bodies with prescribed motions for the coming step. */
sl_trouble sl_scene_move(sl_scene *scene);
/* Computes the largest velocities of bodies with prescribed motions from now to `end` [s] and writes the
 * first `most` of them to out. Returns the number of these bodies; 0 if a function fails. */
int sl_scene_find_speeds(sl_scene *scene, double end, sl_motion_speed *out, int most);
/* Calls the functions of `every` that are due. */
sl_trouble sl_scene_call_due(sl_scene *scene);
/* Calls once each function of `every` that has never been due, to test it. */
sl_trouble sl_scene_call_undue(sl_scene *scene);
/* Returns the name of a hook for messages. */
const char *sl_hook_name(sl_hook hook);
/* Pushes the resolved parameters. */
void sl_scene_push_params(const sl_scene *scene);
/* Reads the key `view` of the scene table at stack index 1 (look.c). */
void sl_scene_read_look(lua_State *L, sl_scene *scene);
/* Returns the table `view` as JSON, NULL without one. */
const char *sl_scene_look(const sl_scene *scene);
/* Returns the text of the scene file. */
const char *sl_scene_text(const sl_scene *scene);

#endif
