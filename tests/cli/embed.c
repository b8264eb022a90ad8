/* Runs scenes by the functions of scree/scene.h alone: stops and continues, refuses, prints nothing.
 * Arguments: folder of Lua modules, folder with the scenes of embed.sh. */
#include <scree/scene.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(truth) \
  do \
    if (!(truth)) failures++, fprintf(stderr, "line %d: %s\n", __LINE__, #truth); \
  while (0)

static const char *library, *folder;

typedef struct counts {
  int steps, rows, stop_every; /* stop_every > 0: stops at every such step */
  double last_value;
} counts;

static int count_events(void *context, scree_scene *scene, int event) {
  counts *c = context;
  if (event == SCREE_SCENE_ROW) {
    c->rows++;
    c->last_value = scree_scene_value(scene, 0);
    return 0;
  }
  c->steps++;
  return c->stop_every && c->steps % c->stop_every == 0;
}

static scree_scene *open_scene(const char *name, counts *c, scree_scene_def def, scree_error *error) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  def.path = path;
  def.library = library;
  if (c) def.listen = count_events, def.context = c;
  return scree_scene_open(&def, error);
}

/* A run in pieces ends in the state of a run without a stop. */
static void check_pieces(void) {
  scree_error error = {0};
  counts whole = {0}, pieces = {.stop_every = 7};
  scree_scene *a = open_scene("ball.lua", &whole, scree_scene_defaults(), &error);
  CHECK(a && scree_scene_run(a, &error) == SCREE_OK && scree_scene_is_over(a));
  scree_scene *b = open_scene("ball.lua", &pieces, scree_scene_defaults(), &error);
  int runs = 0;
  CHECK(b && !scree_scene_is_over(b));
  while (b && !scree_scene_is_over(b) && runs++ < 1000) CHECK(scree_scene_run(b, &error) == SCREE_OK);
  if (!a || !b) return;
  CHECK(runs == 100 / 7 + 1);
  CHECK(whole.steps == 100 && pieces.steps == 100);
  CHECK(whole.rows == 11 && pieces.rows == 11); /* every tenth step and the first state */
  CHECK(scree_world_hash(scree_scene_world(a)) == scree_world_hash(scree_scene_world(b)));
  CHECK(scree_scene_values_count(a) == 1 && !strcmp(scree_scene_value_name(a, 0), "height"));
  CHECK(whole.last_value == pieces.last_value && whole.last_value < 0.5);
  CHECK(scree_scene_run(a, &error) == SCREE_OK && scree_world_steps(scree_scene_world(a)) == 100);
  scree_scene_figure figure;
  CHECK(scree_scene_report(a, &error) == SCREE_OK && scree_scene_figures_count(a) == 2);
  CHECK(!scree_scene_get_figure(a, 0, &figure) && !strcmp(figure.name, "calls") && figure.value == 100);
  CHECK(!scree_scene_get_figure(a, 1, &figure) && figure.text && !strcmp(figure.text, "done"));
  CHECK(scree_scene_get_figure(a, 2, &figure) == SCREE_E_ARGUMENT);
  scree_scene_close(a);
  scree_scene_close(b);
}

/* Overrides replace the scene's own end and parameters; a condition ends a run. */
static void check_ends(void) {
  scree_error error = {0};
  const char *params[] = {"height=0.25"};
  scree_scene_def def = scree_scene_defaults();
  def.steps = 5;
  def.params = params, def.params_count = 1;
  scree_scene *s = open_scene("ball.lua", NULL, def, &error);
  CHECK(s && scree_scene_run(s, &error) == SCREE_OK && scree_world_steps(scree_scene_world(s)) == 5);
  CHECK(s && scree_scene_value(s, 0) < 0.25 && scree_scene_value(s, 0) > 0.24);
  scree_scene_close(s);
  def = scree_scene_defaults();
  def.time = 0.02;
  s = open_scene("ball.lua", NULL, def, &error);
  CHECK(s && scree_scene_run(s, &error) == SCREE_OK && scree_world_steps(scree_scene_world(s)) == 20);
  scree_scene_close(s);
  /* free fall: g t passes 0.5 m/s in step 51 */
  s = open_scene("condition.lua", NULL, scree_scene_defaults(), &error);
  CHECK(s && scree_scene_run(s, &error) == SCREE_OK && scree_world_steps(scree_scene_world(s)) == 51);
  scree_scene_close(s);
}

static void check_refusals(void) {
  scree_error error = {0};
  scree_scene_def def = scree_scene_defaults();
  CHECK(!scree_scene_open(NULL, &error) && error.status == SCREE_E_ARGUMENT);
  CHECK(!scree_scene_open(&def, &error) && error.status == SCREE_E_ARGUMENT);
  CHECK(!open_scene("none.lua", NULL, def, &error) && error.status == SCREE_E_IO);
  CHECK(strstr(error.text, "none.lua") != NULL);
  const char *wrong[] = {"height"}, *unknown[] = {"hight=1"};
  def.params = wrong, def.params_count = 1;
  CHECK(!open_scene("ball.lua", NULL, def, &error) && strstr(error.text, "key=value"));
  def.params = unknown;
  CHECK(!open_scene("ball.lua", NULL, def, &error) && strstr(error.text, "hight"));
  def = scree_scene_defaults();
  scree_scene *s = open_scene("broken.lua", NULL, def, &error);
  CHECK(s && scree_scene_run(s, &error) == SCREE_E_ARGUMENT);
  CHECK(strstr(error.text, "after_step") && strstr(error.text, "broken.lua:8") && strstr(error.text, "oh"));
  CHECK(s && scree_scene_run(s, NULL) == SCREE_E_ARGUMENT && !scree_scene_is_over(s));
  scree_scene_close(s);
  s = open_scene("column.lua", NULL, def, &error);
  CHECK(s && scree_scene_run(s, &error) == SCREE_E_ARGUMENT && strstr(error.text, "max_speed"));
  scree_scene_close(s);
}

/* Values that are no row of a series end the run in the row where they occur. */
static void check_values(void) {
  static const char *const words[] = {
      "must return a table", "the series has a column with this name", "must return a number as 'a'"};
  for (int i = 0; i < 3; i++) {
    scree_error error = {0};
    char name[32];
    snprintf(name, sizeof name, "values%d.lua", i + 1);
    scree_scene *s = open_scene(name, NULL, scree_scene_defaults(), &error);
    CHECK(s && scree_scene_run(s, &error) == SCREE_E_ARGUMENT && strstr(error.text, words[i]));
    CHECK(s && scree_world_steps(scree_scene_world(s)) == (i < 2 ? 0 : 20));
    scree_scene_close(s);
  }
}

static void check_null(void) {
  scree_scene_figure figure;
  CHECK(!scree_scene_world(NULL) && !scree_scene_is_over(NULL) && !scree_scene_figures_count(NULL));
  CHECK(
      scree_scene_run(NULL, NULL) == SCREE_E_ARGUMENT && scree_scene_report(NULL, NULL) == SCREE_E_ARGUMENT);
  CHECK(scree_scene_get_figure(NULL, 0, &figure) == SCREE_E_ARGUMENT && !scree_scene_values_count(NULL));
  CHECK(!scree_scene_value_name(NULL, 0) && isnan(scree_scene_value(NULL, 0)));
  scree_scene_close(NULL);
}

/* No signal has a handler unless the time of callbacks is limited. */
static int count_handlers(void) {
  int count = 0;
  for (int signal = 1; signal <= SIGRTMAX; signal++) {
    struct sigaction action;
    if (!sigaction(signal, NULL, &action) && ((action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL))
      count++;
  }
  return count;
}

static void check_handlers(void) {
  scree_error error = {0};
  scree_scene_def def = scree_scene_defaults();
  const int before = count_handlers();
  scree_scene *s = open_scene("ball.lua", NULL, def, &error);
  CHECK(s && scree_scene_run(s, &error) == SCREE_OK && count_handlers() == before);
  scree_scene_close(s);
  def.callback_time = 0.2;
  s = open_scene("endless.lua", NULL, def, &error);
  CHECK(s && count_handlers() == before + 1);
  CHECK(s && scree_scene_run(s, &error) == SCREE_E_MEMORY && strstr(error.text, "CPU time"));
  scree_scene_close(s);
}

int main(int count, char **argument) {
  if (count < 3) return 2;
  library = argument[1], folder = argument[2];
  check_pieces();
  check_ends();
  check_refusals();
  check_values();
  check_null();
  check_handlers();
  return failures != 0;
}
