/* The figures of the scene's report, the accuracy of the solver, and whether the run is valid. */
#include "remedies.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

/* Returns whether results.csv of a sweep has a column of this name besides the figures. */
static bool is_result_column(const run_options *o, const char *name) {
  static const char *const columns[] = {"run", "state", "wall_seconds", "hash"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    if (!strcmp(name, columns[i])) return true;
  for (int i = 0; i < RUN_ACCURACY_COLUMNS; i++)
    if (!strcmp(name, run_accuracy_columns[i].name)) return true;
  for (int v = 0; o->point && v < o->point->count; v++)
    if (!strcmp(name, o->point->value[v].path)) return true;
  return false;
}

/* Returns what is wrong with the name of figure i, or NULL: results.csv has one column for each name. */
static const char *judge_name(const void *context, const sl_figures *figures, int i) {
  const run_options *options = context;
  const char *name = figures->figure[i].name;
  if (is_result_column(options, name)) return "has the name of another column of results.csv";
  for (int k = 0; k < i; k++)
    if (!strcmp(name, figures->figure[k].name)) return "has the name of an entry before it";
  return NULL;
}

int run_report(run *r) {
  char text[SL_FIGURE_TEXT] = "";
  if (!sl_scene_has(&r->scene, SL_REPORT)) return CLI_OK;
  run_follow_folder(r);
  const sl_trouble trouble = sl_scene_take_figures(
      &r->scene, r->directory, &r->figures, judge_name, r->options, text);
  if (*text) return run_fail(r, CLI_SCRIPT, "%s", text);
  if (!trouble) return CLI_OK;
  const int code = cli_report_trouble(r->runtime, trouble, "report", 0);
  snprintf(r->trouble, sizeof r->trouble, "%s", sl_message(r->runtime));
  return code;
}

/* Figures are matched by their index: the variants of a scene report the same figures. */
void run_print_figures(run *const *runs, int count) {
  size_t wide = 0;
  const run *first = runs[0];
  for (int i = 0; i < first->figures.count; i++) {
    size_t length = strlen(first->figures.figure[i].name) + strlen(first->figures.figure[i].unit) +
        (*first->figures.figure[i].unit ? 3 : 0);
    if (length > wide) wide = length;
  }
  for (int i = 0; i < first->figures.count; i++) {
    const sl_figure *label = first->figures.figure + i;
    char text[160];
    snprintf(text, sizeof text, "%s%s%s%s", label->name, *label->unit ? " [" : "", label->unit,
        *label->unit ? "]" : "");
    printf("%-*s", (int)wide + 2, text);
    for (int k = 0; k < count; k++) {
      const sl_figure *f = runs[k]->figures.figure + i;
      if (i >= runs[k]->figures.count) printf(" %16s", "");
      else if (f->is_text) printf(" %16s", f->text);
      else if (isnan(f->value)) printf(" %16s", "-");
      else printf(" %16.6g", f->value);
    }
    putchar('\n');
  }
}

/* ---- accuracy of the solver ---- */

void run_note_accuracy(run *r) {
  double residual, scale, tolerance = scree_world_get_def(r->scene.world->world)->solver.tolerance;
  run_accuracy *a = &r->accuracy;
  scree_world_solved(r->scene.world->world, &residual, &scale);
  double relative = scale > 0 ? residual / scale : 0;
  a->steps++;
  a->unmet += relative > tolerance;
  a->sum += relative;
  a->most = fmax(a->most, relative);
}

/* unbalanced share of the load above which a run prints how often the cap on sweeps was reached */
static const double CAP_MATTERS = 0.001;
/* unbalanced share of the load above which the worst step is printed */
static const double WORST = 0.01;

/* number of steps after which forces of contacts that became springs should balance: about the number of
 * steps in unbalanced_mean */
enum { SETTLED = 512 };

/* Returns true if most islands above the tolerance were in motion (scree_report.islands_moving). */
static bool is_moving(const scree_report *last) {
  return last->islands_moving > last->islands_unfit + last->islands_dear;
}

/* Prints the reason why forces do not balance. The list of settings that help follows this text. */
static void print_reason(const run *r) {
  const scree_report *last = &r->last;
  const scree_solver_def *solver = &scree_world_get_def(r->scene.world->world)->solver;
  if (strcmp(solver->name, "auto"))
    fprintf(stderr, "       solver = { name = \"auto\" } finds the exact solution where it can%s",
        cli_could_soften(r->scene.world->world, last) ? ", or makes springs of rigid contacts" : "");
  else if (last->softened > 0 && last->step - last->softened < SETTLED)
    fprintf(stderr,
        "       contacts became springs %lld steps before the end, and their forces do not balance yet:\n"
        "       a longer run, solver = { softness = 0.01 } or ",
        (long long)(last->step - last->softened));
  else
    fprintf(stderr, "       %s%s:\n       ",
        is_moving(last)
            ? "newton was not worthwhile for bodies in motion, so sweeps only came near the solution"
            : last->islands_unfit > last->islands_dear
            ? "newton does not support a law or the ranks of this run, so sweeps only came near the solution"
            : "the contacts are too many for the exact solver newton, so sweeps only came near the solution",
        last->rigid > 0 && !solver->soften ? ";\n       soften = false keeps contacts rigid" : "");
}

/* Prints the start of a warning. variant: directory of a variant; "": a single run. */
static void print_warning_head(const char *variant) {
  fprintf(stderr, "scree: warning: %s%s", variant, *variant ? ": " : "");
}

/* Warns that forces do not balance, and names settings that help. */
static void warn_unbalanced(const run *r, const char *variant) {
  const scree_report *last = &r->last;
  const bool is_auto = !strcmp(scree_world_get_def(r->scene.world->world)->solver.name, "auto");
  char remedies[CLI_REMEDIES];
  print_warning_head(variant);
  fprintf(stderr,
      "forces are off by %.2g %% of the load that they carry, and bodies that should rest creep;\n",
      100 * last->unbalanced_mean);
  print_reason(r);
  cli_list_remedies(r->scene.world->world, last, is_moving(last) ? "a smaller dt" : NULL, remedies);
  if (*remedies) fprintf(stderr, "%s%s improve the balance", is_auto ? "" : ";\n       ", remedies);
  fputs(" (docs/solvers.md)\n", stderr);
}

/* Writes the names of up to 5 bodies, or their ids: ": "a", "b"". */
static void name_bodies(
    const run *r, int (*list)(const scree_world *, scree_id *, int), char *out, size_t size) {
  const scree_world *world = r->scene.world->world;
  scree_id body[5];
  const int count = list(world, body, 5);
  size_t used = 0;
  *out = 0;
  for (int k = 0; k < count && used < size; k++) {
    char label[RUN_LABEL];
    run_label_body(world, body[k], label);
    used += (size_t)snprintf(out + used, size - used, "%s%s", k ? ", " : ": ", label);
  }
}

/* Prints the names of bodies that passed walls, and warns of fast bodies whose motion was cut short. */
static void print_passages(const run *r, const char *variant) {
  const scree_report *last = &r->last;
  char names[512];
  if (last->crossed > 0) {
    name_bodies(r, scree_world_crossed_bodies, names, sizeof names);
    if (*names) {
      print_warning_head(variant);
      fprintf(stderr, "passed walls%s; fast = true holds them (docs/fast.md)\n", names);
    }
  }
  if (last->held_back > 0) {
    name_bodies(r, scree_world_held_back_bodies, names, sizeof names);
    print_warning_head(variant);
    fprintf(stderr,
        "fast bodies lost a part of their way %lld times, because the search for what they "
        "strike\n       took too many steps%s; a smaller dt helps (docs/fast.md)\n",
        (long long)last->held_back, names);
  }
}

/* Prints how well forces balance. unbalanced_mean counts from the step after which contacts became springs.
 * This step is therefore printed first. */
static void print_shares(const scree_report *last) {
  if (last->softened > 0)
    printf("rigid contacts became springs of softness 0.01 after step %lld, because forces were off by more "
           "than 1 %%\n(solver.soften, docs/solvers.md)\n",
        (long long)last->softened);
  if (last->unbalanced_mean > 0)
    printf("forces balance to %.2g %% of the load that they carry\n", 100 * last->unbalanced_mean);
  if (last->unbalanced_most > fmax(WORST, last->unbalanced_mean))
    printf("in the worst step they were off by %.2g %%\n", 100 * last->unbalanced_most);
  if (last->unbalanced_mean > CAP_MATTERS && last->steps_capped > 0)
    printf("%.3g %% of the steps used up all sweeps allowed (solver.iterations)\n",
        100 * (double)last->steps_capped / (double)last->steps_solved);
  if (last->steps_again > 0)
    printf("%lld steps were solved again because their first answer brought energy\n",
        (long long)last->steps_again);
}

void run_print_accuracy(const run *r, const char *variant) {
  const scree_report *last = &r->last;
  char head[RUN_PATH + 32];
  if (!run_writes(r)) return;
  if (!r->options->quiet && *variant) printf("%s:\n", variant);
  if (!r->options->quiet) print_shares(last);
  if (last->unbalanced_mean > cli_unbalanced_limit) warn_unbalanced(r, variant);
  if (last->steps_gaining > 0) {
    print_warning_head(variant);
    fprintf(stderr,
        "%lld steps added energy that no load, motor or driven body supplied, and a second solution did not\n"
        "       correct this: more iterations or a smaller dt help (docs/solvers.md)\n",
        (long long)last->steps_gaining);
  }
  if (last->bodies_lost > 0)
    printf("%lld %s the domain (world.domain)\n", (long long)last->bodies_lost,
        last->bodies_lost == 1 ? "body left" : "bodies left");
  print_passages(r, variant);
  snprintf(head, sizeof head, "error: the run %s%sis invalid", variant, *variant ? " " : "");
  cli_print_verdict(&r->verdict, head);
}

/* ---- whether the run is valid ---- */

/* Lua function (world): returns the number of grains that have left servo boxes; 0 if the world has none. */
static int count_lost(lua_State *L) {
  lua_getfield(L, 1, "state");
  if (lua_getfield(L, -1, "servo_boxes") != LUA_TTABLE) return lua_pushinteger(L, 0), 1;
  lua_getglobal(L, "require");
  lua_pushliteral(L, "scree.servo");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "count_lost");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int run_find_faults(run *r) {
  lua_State *L = sl_runtime_lua(r->runtime);
  lua_pushcfunction(L, count_lost);
  lua_rawgeti(L, LUA_REGISTRYINDEX, r->scene.world_ref);
  sl_trouble trouble = sl_call(r->runtime, 1, 1);
  if (trouble) return cli_report_trouble(r->runtime, trouble, "servo.count_lost", 0);
  const int64_t lost = (int64_t)lua_tointeger(L, -1);
  lua_pop(L, 1);
  scree_world_report(r->scene.world->world, &r->last);
  cli_judge(r->scene.world->world, &r->last, lost, r->misplaced, &r->verdict);
  return r->verdict.count ? CLI_INVALID : CLI_OK;
}
