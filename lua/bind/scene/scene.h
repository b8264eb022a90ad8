/* A scene: the table a scene file returns, checked and taken apart. docs/scenes.md describes the keys.
 *
 * Everything is validated, the world is made and setup has run before the caller creates a single file. */
#ifndef SL_SCENE_H
#define SL_SCENE_H

#include "bind/bind.h"
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

/* Something that happens again and again: every `time` seconds of the world or every `steps` steps. done
 * counts; it is all the state. */
typedef struct sl_clock {
  double time;
  int64_t steps, done;
} sl_clock;
/* True once for every multiple that the world has reached. */
bool sl_clock_due(sl_clock *clock, const scree_world *world);

/* Bodies whose frames go into a file of their own, track.scree. The lists belong to the Lua state. */
typedef struct sl_track {
  sl_clock clock;    /* time 0 and steps 0: off */
  int64_t *id;       /* [ids] ascending */
  int64_t *group;    /* [groups] */
  const char **name; /* [names] */
  int64_t ids, groups, names;
  double precision, relative_precision; /* as those of the trajectory */
  int fields;                           /* SCREE_FIELD_... */
} sl_track;

enum { SL_EVERY_MOST = 64 };
typedef struct sl_scene {
  sl_runtime *runtime;
  const char *path;
  const char *title; /* belongs to the Lua state */
  /* references: source text, the scene table, resolved parameters, the world */
  int text, table, params, world_ref;
  int look;           /* of the table `view` as JSON, LUA_NOREF without one */
  int hook[SL_HOOKS]; /* references, LUA_NOREF without one */
  sl_world *world;    /* after sl_scene_build */
  struct {
    sl_clock clock;
    int call;
  } every[SL_EVERY_MOST];
  int every_count;
  sl_clock trajectory, series; /* time 0 and steps 0: off */
  sl_track track;
  double precision;          /* of positions [m]; 0 exact */
  double relative_precision; /* > 0: precision in mean diameters, instead */
  int fields;                /* SCREE_FIELD_... */
  double stop_time;
  int64_t stop_steps;     /* INFINITY, INT64_MAX where not given */
  sl_condition stop_when; /* no terms: none */
} sl_scene;

/* A parameter given on the command line; the value is read as the type of the scene's own. */
typedef struct sl_override {
  const char *key, *value;
} sl_override;

/* Loads and checks a scene file and resolves its parameters. On trouble the runtime has the message. */
sl_trouble sl_scene_load(
    sl_scene *scene, sl_runtime *runtime, const char *path, const sl_override *overrides, int count);
/* Makes the world and runs setup. threads > 0 replaces the scene's own. */
sl_trouble sl_scene_build(sl_scene *scene, int64_t threads);
/* Calls a hook with (w, p); results as lua_call. SL_FINE where the scene has none (then nothing is on
 * the stack). */
sl_trouble sl_scene_call(sl_scene *scene, sl_hook hook, int results);
/* Calls report with (w, p, out), out being on top of the stack; leaves its one result. */
sl_trouble sl_scene_report(sl_scene *scene);
/* Calls variants with (p); leaves its one result. */
sl_trouble sl_scene_variants(sl_scene *scene);
bool sl_scene_has(const sl_scene *scene, sl_hook hook);
/* Whether the series has columns beside the report's, and a table of them onto the stack: what the scene's
 * `values` returns, with the losses that the world keeps. */
bool sl_scene_has_values(const sl_scene *scene);
sl_trouble sl_scene_values(sl_scene *scene);
/* Sets the velocities of bodies that follow functions of time, for the coming step. */
sl_trouble sl_scene_move(sl_scene *scene);
/* Finds the largest velocities of bodies that follow functions of time, from now to `end` [s], and writes the
 * first `most` to out. Returns the number of such bodies; 0 if a function fails. */
int sl_scene_find_speeds(sl_scene *scene, double end, sl_motion_speed *out, int most);
/* Calls what is due in `every`. */
sl_trouble sl_scene_call_due(sl_scene *scene);
/* Calls each function of `every` that was never due once, to test it. */
sl_trouble sl_scene_call_undue(sl_scene *scene);
/* Name of a hook for messages. */
const char *sl_hook_name(sl_hook hook);
/* Pushes the resolved parameters. */
void sl_scene_push_params(const sl_scene *scene);
/* look.c: takes the key `view` of the scene table at stack index 1. */
void sl_scene_read_look(lua_State *L, sl_scene *scene);
/* The table `view` as JSON; NULL without one. */
const char *sl_scene_look(const sl_scene *scene);
/* Text of the scene file. */
const char *sl_scene_text(const sl_scene *scene);

#endif
