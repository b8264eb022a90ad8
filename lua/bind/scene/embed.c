/* Scenes for programs that embed scree: the public functions of scree/scene.h, based on scene/loop.h. */
#include "scree/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/scene/columns.h"
#include "bind/read.h"
#include "bind/scene/embed.h"
#include "bind/scene/figures.h"
#include "bind/scene/loop.h"

enum { PARAMS_MOST = 64 };

struct scree_scene {
  sl_runtime *runtime;
  sl_scene scene;
  sl_loop loop;
  sl_columns columns;
  sl_figures figures;
  double value[SL_COLUMNS];         /* [columns.count] values of the last row */
  double last_row;                  /* time of the last row [s]; -1 before the first */
  char *path, *directory, *library; /* copies of the texts in the def */
  scree_scene_listener *listen;
  void *context;
  scree_error *error; /* error of the running call */
  bool started, over, failed;
};

scree_scene_def scree_scene_defaults(void) { return (scree_scene_def){0}; }

scree_status sl_set_error(scree_error *error, scree_status status, const char *text) {
  if (!error) return status;
  error->status = status;
  snprintf(error->text, sizeof error->text, "%s", text);
  return status;
}

/* Sets the error of the last call of the script and returns its status. doing: name of the function that
 * failed; NULL: the scene file failed. */
static scree_status refuse_call(
    const scree_scene *s, sl_trouble trouble, const char *doing, scree_error *error) {
  char text[SCREE_ERROR_TEXT];
  snprintf(text, sizeof text, "%s%s%.480s", doing ? doing : "", doing ? ": " : "", sl_message(s->runtime));
  return sl_set_error(error, sl_trouble_status(trouble), text);
}

/* ---- rows of the series ---- */

static bool writes_rows(const scree_scene *s) {
  return s->scene.series.time > 0 || s->scene.series.steps > 0;
}

typedef struct scene_row {
  scree_scene *scene;
  scree_report report;
  bool own, good;            /* own: the scene returns values; good: every value was accepted */
  char text[SL_COLUMN_TEXT]; /* reason why a value was refused */
} scene_row;

/* Reads the scene's values from the table on top of the stack. Returns false with a text on failure. */
static bool read_values(lua_State *L, scree_scene *s, char text[SL_COLUMN_TEXT]) {
  if (!lua_istable(L, -1)) return snprintf(text, SL_COLUMN_TEXT, "must return a table"), false;
  if (s->last_row < 0 && !sl_columns_take(L, &s->columns, text)) return false;
  for (int i = 0; i < s->columns.count; i++)
    if (!sl_columns_read(L, &s->columns, i, s->value + i, text)) return false;
  return sl_columns_check_units(L, &s->columns, text) && sl_columns_check_names(L, &s->columns, text);
}

/* Lua function (values, scene_row): reads the values and judges the stop condition. It is called through Lua,
 * because reading may run out of memory. */
static int read_row(lua_State *L) {
  scene_row *r = lua_touserdata(L, 2);
  scree_scene *s = r->scene;
  char text[SL_COLUMN_TEXT];
  lua_settop(L, 1);
  r->good = !r->own || read_values(L, s, text);
  char place[SL_PLACE];
  if (!r->good) {
    snprintf(r->text, sizeof r->text, "%.120s: output.series.values %.360s",
        sl_scene_place(&s->scene, SL_SERIES_VALUES, place), text);
    return 0;
  }
  r->good = sl_scene_judge(&s->scene, &s->columns, &r->report, r->own, r->text);
  return 0;
}

/* Computes a row of the series. On failure sets *s->error and returns false. */
static bool take_row(scree_scene *s) {
  lua_State *L = sl_runtime_lua(s->runtime);
  scene_row r = {.scene = s, .own = sl_scene_has_values(&s->scene)};
  sl_trouble trouble = sl_scene_values(&s->scene);
  if (!trouble) {
    scree_world_report(s->scene.world->world, &r.report);
    scree_world_note_report(s->scene.world->world, &r.report);
    if (!r.own) lua_pushnil(L);
    lua_pushcfunction(L, read_row);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, &r);
    trouble = sl_call(s->runtime, 2, 0);
  }
  if (trouble) return refuse_call(s, trouble, "output.series.values", s->error), false;
  if (!r.good) return sl_set_error(s->error, SCREE_E_ARGUMENT, r.text), false;
  s->last_row = r.report.time;
  return true;
}

/* Computes a row and calls the listener. Returns 1 if the listener ends the run, 0 if not. On failure sets
 * *s->error and returns -1. */
static int add_row(scree_scene *s) {
  const bool good = take_row(s);
  lua_settop(sl_runtime_lua(s->runtime), 0);
  if (!good) return s->failed = true, -1;
  return s->listen ? s->listen(s->context, s, SCREE_SCENE_ROW) != 0 : 0;
}

/* Evaluates the stop condition after a step of a scene without a series. On failure sets *s->error and
 * returns false. */
static bool judge_step(scree_scene *s) {
  scree_report report;
  char text[SL_COLUMN_TEXT];
  if (!s->scene.stop_when.terms) return true;
  scree_world_report(s->scene.world->world, &report);
  return sl_scene_judge(&s->scene, &s->columns, &report, false, text) ||
      (sl_set_error(s->error, SCREE_E_ARGUMENT, text), false);
}

enum { STOPPED = 1, FAILED = 2 }; /* codes of the listener of the loop */

static int hear_loop(void *context, sl_event event) {
  scree_scene *s = context;
  if (event != SL_CALLED) return 0;
  int row = 0;
  if (writes_rows(s)) {
    if (sl_clock_due(&s->scene.series, s->scene.world->world)) row = add_row(s);
  } else if (!judge_step(s)) return FAILED;
  if (row < 0) return FAILED;
  const int step = s->listen ? s->listen(s->context, s, SCREE_SCENE_STEP) : 0;
  return row || step ? STOPPED : 0;
}

/* ---- opening and closing ---- */

/* Splits each text "key=value" of def into key and value, in the copies `copy`. Returns false if a text has
 * no '=' or no key, or if memory runs out. */
static bool split_params(const scree_scene_def *def, char *copy[], sl_override *out) {
  for (int64_t i = 0; i < def->params_count; i++) {
    char *sign = def->params[i] ? strchr(def->params[i], '=') : NULL;
    if (!sign || sign == def->params[i] || !(copy[i] = strdup(def->params[i]))) return false;
    sign = copy[i] + (sign - def->params[i]);
    *sign = 0;
    out[i] = (sl_override){copy[i], sign + 1};
  }
  return true;
}

static scree_status load_scene(scree_scene *s, const scree_scene_def *def, scree_error *error) {
  char *copy[PARAMS_MOST] = {NULL};
  sl_override override[PARAMS_MOST];
  scree_status status = SCREE_OK;
  if (!split_params(def, copy, override)) {
    status = sl_set_error(error, SCREE_E_ARGUMENT, "a parameter of a scene is a text \"key=value\"");
  } else {
    const sl_trouble trouble = sl_scene_load(
        &s->scene, s->runtime, s->path, override, (int)def->params_count);
    if (trouble) status = refuse_call(s, trouble, NULL, error);
  }
  for (int i = 0; i < PARAMS_MOST; i++) free(copy[i]);
  return status;
}

static scree_status build_scene(scree_scene *s, const scree_scene_def *def, scree_error *error) {
  const sl_trouble trouble = sl_scene_build(&s->scene, def->threads);
  if (trouble) return refuse_call(s, trouble, s->scene.world ? "setup" : "world", error);
  if (def->time > 0) s->scene.stop_time = def->time;
  if (def->steps > 0) s->scene.stop_steps = def->steps;
  s->loop = (sl_loop){.scene = &s->scene, .listen = hear_loop, .context = s};
  return SCREE_OK;
}

static scree_status open_scene(scree_scene *s, const scree_scene_def *def, scree_error *error) {
  sl_runtime_def runtime = sl_runtime_defaults();
  runtime.trust = def->trust;
  runtime.memory = runtime.total = def->memory;
  runtime.seconds = def->callback_time;
  s->path = strdup(def->path);
  s->directory = def->directory ? strdup(def->directory) : NULL;
  s->library = def->library ? strdup(def->library) : NULL;
  if (!s->path || (def->directory && !s->directory) || (def->library && !s->library))
    return sl_set_error(error, SCREE_E_MEMORY, "no memory for a scene");
  runtime.script = s->path;
  runtime.library = s->library;
  s->runtime = sl_runtime_open(&runtime, error);
  if (!s->runtime) return error->status;
  sl_runtime_set_end(s->runtime, def->time, def->steps);
  sl_runtime_set_directory(s->runtime, s->directory, -1);
  const scree_status status = load_scene(s, def, error);
  return status ? status : build_scene(s, def, error);
}

scree_scene *scree_scene_open(const scree_scene_def *def, scree_error *error) {
  scree_error own = {SCREE_OK, ""};
  if (!error) error = &own;
  if (!def || !def->path || def->params_count < 0 || def->params_count > PARAMS_MOST ||
      (def->params_count && !def->params)) {
    sl_set_error(error, SCREE_E_ARGUMENT, "a scene needs a path and at most 64 parameters");
    return NULL;
  }
  scree_scene *s = calloc(1, sizeof *s);
  if (!s) return sl_set_error(error, SCREE_E_MEMORY, "no memory for a scene"), NULL;
  s->listen = def->listen;
  s->context = def->context;
  s->last_row = -1;
  if (open_scene(s, def, error) == SCREE_OK) return s;
  return scree_scene_close(s), NULL;
}

void scree_scene_close(scree_scene *s) {
  if (!s) return;
  sl_runtime_close(s->runtime);
  free(s->path);
  free(s->directory);
  free(s->library);
  free(s);
}

scree_world *scree_scene_world(scree_scene *s) { return s ? s->scene.world->world : NULL; }
sl_scene *sl_embedded_scene(scree_scene *s) { return &s->scene; }
bool scree_scene_is_over(const scree_scene *s) { return s && s->over; }

/* ---- running ---- */

/* Returns the status of a loop that ended with a failure. */
static scree_status explain_failure(scree_scene *s, int code) {
  const sl_loop *loop = &s->loop;
  s->failed = true;
  if (code == SL_CALL_FAILED) return refuse_call(s, loop->trouble, loop->doing, s->error);
  if (code == SL_STEP_FAILED) return sl_set_error(s->error, loop->error.status, loop->error.text);
  return s->error->status;
}

scree_status scree_scene_run(scree_scene *s, scree_error *error) {
  scree_error own = {SCREE_OK, ""};
  if (!s) return sl_set_error(error, SCREE_E_ARGUMENT, "the scene is NULL");
  s->error = error ? error : &own;
  if (s->failed) return sl_set_error(s->error, SCREE_E_ARGUMENT, "a scene that failed cannot go on");
  if (s->over) return SCREE_OK;
  int code = 0;
  if (!s->started && writes_rows(s)) code = add_row(s);
  s->started = true;
  if (code) return code < 0 ? s->error->status : SCREE_OK;
  code = sl_loop_run(&s->loop);
  if (code == STOPPED) return SCREE_OK;
  if (code) return explain_failure(s, code);
  s->over = true;
  const bool last = writes_rows(s) && scree_world_time(s->scene.world->world) != s->last_row;
  return last && add_row(s) < 0 ? s->error->status : SCREE_OK;
}

/* ---- the report ---- */

scree_status scree_scene_report(scree_scene *s, scree_error *error) {
  char text[SL_FIGURE_TEXT] = "";
  if (!s) return sl_set_error(error, SCREE_E_ARGUMENT, "the scene is NULL");
  s->figures.count = 0;
  const sl_trouble trouble = sl_scene_take_figures(
      &s->scene, s->directory ? s->directory : "", &s->figures, NULL, NULL, text);
  if (*text) return sl_set_error(error, SCREE_E_ARGUMENT, text);
  return trouble ? refuse_call(s, trouble, "report", error) : SCREE_OK;
}

int scree_scene_figures_count(const scree_scene *s) { return s ? s->figures.count : 0; }

scree_status scree_scene_get_figure(const scree_scene *s, int index, scree_scene_figure *figure) {
  if (!s || !figure || index < 0 || index >= s->figures.count) return SCREE_E_ARGUMENT;
  const sl_figure *f = s->figures.figure + index;
  *figure = (scree_scene_figure){f->name, f->unit, f->is_text ? f->text : NULL, f->is_text ? NAN : f->value};
  return SCREE_OK;
}

int scree_scene_values_count(const scree_scene *s) { return s ? s->columns.count : 0; }

const char *scree_scene_value_name(const scree_scene *s, int index) {
  return s && index >= 0 && index < s->columns.count ? s->columns.name[index] : NULL;
}

double scree_scene_value(const scree_scene *s, int index) {
  return s && index >= 0 && index < s->columns.count ? s->value[index] : NAN;
}
