/* run.json: the scene and its parameters, the program, the machine, and how the run ended. */
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bind/sandbox/sha256.h"
#include "bind/tables/text.h"
#include "files.h"

static const char file_name[] = "run.json", temporary_name[] = ".run.json";

/* ---- JSON ---- */

/* Writes a number with a point or an exponent, so that readers take it as a real number. */
static void put_real(FILE *out, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  if (!isfinite(value)) fputs("null", out);
  else fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_json_value(FILE *out, lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    if (lua_isinteger(L, index)) fprintf(out, "%lld", (long long)lua_tointeger(L, index));
    else put_real(out, lua_tonumber(L, index));
    break;
  case LUA_TBOOLEAN: fputs(lua_toboolean(L, index) ? "true" : "false", out); break;
  case LUA_TTABLE:
    fputc('[', out);
    for (int i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
      if (i > 1) fputs(", ", out);
      put_json_value(out, L, lua_gettop(L));
    }
    lua_pop(L, 1);
    fputc(']', out);
    break;
  default: cli_json_text(out, lua_tostring(L, index));
  }
}

/* Lua function (stream, run): writes the resolved parameters, sorted by name. */
static int put_params(lua_State *L) {
  FILE *out = lua_touserdata(L, 1);
  const run *r = lua_touserdata(L, 2);
  const char *name[CLI_NAMES];
  sl_scene_push_params(&r->scene);
  const int count = cli_sort_names(L, name);
  fputc('{', out);
  for (int i = 0; i < count; i++) {
    fputs(i ? ", " : "", out);
    cli_json_text(out, name[i]);
    fputs(": ", out);
    lua_pushstring(L, name[i]);
    lua_rawget(L, -2);
    put_json_value(out, L, lua_gettop(L));
    lua_pop(L, 1);
  }
  fputc('}', out);
  return 0;
}

int run_keep_params(run *r) {
  sl_text text;
  FILE *out = sl_text_open(&text);
  lua_State *L = sl_runtime_lua(r->runtime);
  lua_pushcfunction(L, put_params);
  lua_pushlightuserdata(L, out);
  lua_pushlightuserdata(L, r);
  sl_trouble trouble = out ? sl_call(r->runtime, 2, 0) : (lua_pop(L, 3), SL_FINE);
  r->params = sl_text_close(out, &text);
  if (!r->params) return cli_fail(CLI_FAILED, "run", "no memory");
  return trouble ? cli_report_trouble(r->runtime, trouble, "params", 0) : CLI_OK;
}

/* ---- parts ---- */

static void put_member(FILE *out, const char *name, const char *text) {
  fprintf(out, "  \"%s\": ", name);
  cli_json_text(out, text);
  fputs(",\n", out);
}

static void put_sources(FILE *out, const run *r) {
  fputs("  \"sources\": [", out);
  const sl_source *source;
  for (int i = 0; (source = sl_runtime_source(r->runtime, i)); i++) {
    fputs(i ? ",\n    {\"path\": " : "\n    {\"path\": ", out);
    cli_json_text(out, source->path);
    fprintf(out, ", \"bytes\": %zu, \"sha256\": \"%s\"}", source->bytes, source->sha256);
  }
  fputs("],\n", out);
}

/* Writes the solver's name and the counts of the methods that `auto` chose. */
static void put_solver(FILE *out, const run *r, const scree_report *s) {
  const char *name = scree_world_get_def(r->scene.world->world)->solver.name;
  fputs(", \"solver\": {\"name\": ", out);
  cli_json_text(out, name);
  fprintf(out,
      ", \"untouched\": %lld, \"sweeps\": %lld, \"momentum\": %lld, \"newton\": %lld, \"unfit\": %lld, "
      "\"dear\": %lld, \"moving\": %lld, \"again\": %lld, \"gaining\": %lld, \"steps\": %lld, \"capped\": "
      "%lld, \"softened\": %lld}",
      (long long)s->steps_untouched, (long long)s->steps_swept, (long long)s->steps_momentum,
      (long long)s->islands_newton, (long long)s->islands_unfit, (long long)s->islands_dear,
      (long long)s->islands_moving, (long long)s->steps_again, (long long)s->steps_gaining,
      (long long)s->steps_solved, (long long)s->steps_capped, (long long)s->softened);
}

static void put_report(FILE *out, const run *r) {
  scree_report s;
  /* a report is collective, but ranks fail one by one */
  if (!strcmp(r->status, "failed") && r->options->ranks > 1) return;
  scree_world_report(r->scene.world->world, &s);
  fprintf(out,
      "  \"report\": {\"time\": %.17g, \"step\": %lld, \"bodies\": %lld, \"contacts\": %lld, \"iterations\": "
      "%lld",
      s.time, (long long)s.step, (long long)s.bodies, (long long)s.contacts, (long long)s.iterations);
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"residual", s.residual}, {"kinetic", s.kinetic}, {"potential", s.potential},
      {"dissipated", s.dissipated}, {"penetration", s.penetration}, {"mean_penetration", s.mean_penetration},
      {"max_speed", s.max_speed}, {"unbalanced", s.unbalanced}, {"unbalanced_mean", s.unbalanced_mean},
      {"unbalanced_most", s.unbalanced_most}, {"overlap", s.overlap}, {"overlap_max", s.overlap_max},
      {"overlap_most", s.overlap_max}}; /* overlap_most: former name, kept until the next release */
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    cli_json_member(out, numbers[i].name, numbers[i].value);
  const run_accuracy *a = &r->accuracy;
  fprintf(out, ", \"crossed\": %lld, \"bodies_lost\": %lld", (long long)s.crossed, (long long)s.bodies_lost);
  fprintf(out,
      ", \"steps_unmet\": %lld, \"mean_relative_residual\": %.6g, \"largest_relative_residual\": %.6g",
      (long long)a->unmet, a->steps ? a->sum / (double)a->steps : 0, a->most);
  if (s.ranks > 1) fprintf(out, ", \"imbalance\": %.6g", s.imbalance);
  put_solver(out, r, &s);
  fputs("},\n  \"stage_seconds\": {", out);
  for (int i = 0; i < SCREE_STAGES; i++) fprintf(out, "\"%s\": %.6f, ", scree_stage_name(i), s.seconds[i]);
  if (s.ranks > 1) fprintf(out, "\"waiting\": %.6f, ", s.waiting);
  fprintf(out, "\"lua\": %.6f, \"output\": %.6f},\n", r->loop.lua_seconds, r->output_seconds);
  fprintf(out, "  \"hash\": \"%016llx\",\n", (unsigned long long)scree_world_hash(r->scene.world->world));
}

static void put_vector(FILE *out, const char *name, const double v[3]) {
  fprintf(out, "\"%s\": [%.9g, %.9g, %.9g]", name, v[0], v[1], v[2]);
}

enum { JOINTS_MOST = 20000 }; /* further joints are left out */
/* Writes gravity and the present joints, for programs that draw the run. */
static void put_scene(FILE *out, const run *r) {
  const scree_world *world = r->scene.world->world;
  int64_t count = scree_world_joints_count(world);
  fputs("  ", out);
  put_vector(out, "gravity", scree_world_get_def(world)->gravity);
  fputs(",\n  \"joints\": [", out);
  for (int64_t i = 0, written = 0; i < count && written < JOINTS_MOST; i++) {
    scree_joint_state s;
    scree_error error;
    if (scree_world_get_joint(world, scree_world_joint_at(world, i), &s, &error)) continue;
    fprintf(out, "%s{\"type\": \"%s\", \"a\": %llu, \"b\": %llu, ", written++ ? ",\n    " : "\n    ",
        scree_joint_type_name(s.type), (unsigned long long)s.a, (unsigned long long)s.b);
    put_vector(out, "at", s.at), fputs(", ", out);
    put_vector(out, "axis", s.axis), fputs(", ", out);
    put_vector(out, "at_b", s.at_b), fputc('}', out);
  }
  fputs("],\n", out);
}

static void put_json_figures(FILE *out, const run *r) {
  fputs("  \"figures\": [", out);
  for (int i = 0; i < r->figures.count; i++) {
    const sl_figure *f = r->figures.figure + i;
    fputs(i ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
    cli_json_text(out, f->name);
    fputs(", \"value\": ", out);
    if (f->is_text) cli_json_text(out, f->text);
    else cli_json_number(out, f->value);
    fputs(", \"unit\": ", out);
    cli_json_text(out, f->unit);
    fputc('}', out);
  }
  fputs("]\n", out);
}

static void put_host(FILE *out, const run *r) {
  char host[256] = "", folder[RUN_PATH] = "", now_text[32];
  time_t now = time(NULL);
  gethostname(host, sizeof host - 1);
  strftime(now_text, sizeof now_text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  put_member(out, "host", host);
  put_member(out, "folder", getcwd(folder, sizeof folder) ? folder : "");
  put_member(out, "command", r->options->command);
  put_member(out, "compiler", CLI_COMPILER);
  put_member(out, "started", r->started_at);
  put_member(out, "written", now_text);
  fprintf(out, "  \"ranks\": %d,\n", r->options->ranks > 1 ? r->options->ranks : 1);
  fprintf(out, "  \"threads\": %lld,\n", (long long)scree_world_get_def(r->scene.world->world)->threads);
}

/* Writes why the run is invalid. */
static void put_faults(FILE *out, const cli_verdict *verdict) {
  char words[CLI_FAULT_TEXT];
  fputs("  \"invalid\": [", out);
  for (int i = 0; i < verdict->count; i++) {
    const scree_fault *f = verdict->fault + i;
    fprintf(out, "%s{\"name\": \"%s\", \"value\": ", i ? ",\n    " : "\n    ", f->name);
    cli_json_number(out, f->value);
    fprintf(out, ", \"limit\": %.6g, \"text\": ", f->limit);
    cli_json_text(out, cli_fault_words(f, words));
    fputs(", \"cause\": ", out);
    cli_json_text(out, verdict->cause);
    fputc('}', out);
  }
  fputs("],\n", out);
}

/* Returns the text of run.json. present: with the report and the wall time of this moment. */
static char *write_record(const run *r, bool present) {
  sl_text text;
  FILE *out = sl_text_open(&text);
  if (!out) return NULL;
  fputs("{\n", out);
  put_member(out, "scree", SCREE_VERSION);
  put_member(out, "status", r->status);
  if (*r->trouble) put_member(out, "trouble", r->trouble);
  if (r->verdict.count) put_faults(out, &r->verdict);
  put_member(out, "title", r->scene.title);
  put_member(out, "scene", r->options->scene);
  put_sources(out, r);
  fputs("  \"parameters\": ", out);
  fputs(r->params, out);
  if (sl_scene_look(&r->scene)) fprintf(out, ",\n  \"view\": %s", sl_scene_look(&r->scene));
  fprintf(out, ",\n  \"seed\": %llu,\n", (unsigned long long)sl_runtime_get_seed(r->runtime));
  put_host(out, r);
  if (present)
    fprintf(out, "  \"wall_seconds\": %.3f,\n", r->spent + run_clock() - r->started), put_scene(out, r),
        put_report(out, r);
  put_json_figures(out, r);
  fputs("}\n", out);
  return sl_text_close(out, &text);
}

char *run_provenance(const run *r) { return write_record(r, true); }

/* Writes a temporary file and renames it, so that readers never see an incomplete file. */
int run_write_provenance(const run *r) {
  char path[RUN_PATH + 64];
  char *text = run_provenance(r); /* collective */
  if (!run_writes(r)) return free(text), CLI_OK;
  FILE *out = text ? run_create_at(r->folder, temporary_name) : NULL;
  int good = out && fputs(text, out) >= 0;
  if (out) good = !fclose(out) && good;
  free(text);
  if (good && !run_rename(r, temporary_name, file_name)) return CLI_OK;
  int reason = errno;
  unlinkat(r->folder, temporary_name, 0);
  return cli_fail(
      CLI_IO, "run", "cannot write %s: %s", run_path(r, file_name, path, sizeof path), strerror(reason));
}

/* ---- run.json of a process that its watchdog ends ---- */

static char *last_words[2]; /* text if a call of the script, or a step, does not return; NULL: none */
static int last_folder = -1;

/* Writes the prepared run.json. Runs in a signal handler, so it calls only functions that are safe there. */
static void say_last_words(bool in_step) {
  const char *words = last_words[in_step];
  if (!words) return;
  const size_t size = strlen(words);
  unlinkat(last_folder, temporary_name, 0);
  int file = openat(last_folder, temporary_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  if (file >= 0 && write(file, words, size) == (ssize_t)size)
    renameat(last_folder, temporary_name, last_folder, file_name);
}

void run_forget_last_words(void) {
  cli_before_end(NULL);
  for (int k = 0; k < 2; k++) free(last_words[k]), last_words[k] = NULL;
}

void run_prepare_last_words(run *r) {
  run words = *r;
  if (!run_writes(r) || r->folder < 0) return;
  run_forget_last_words();
  words.status = "failed";
  static const char *const what[2] = {CLI_STUCK, CLI_STUCK_STEP};
  for (int k = 0; k < 2; k++) {
    snprintf(words.trouble, sizeof words.trouble, what[k], sl_runtime_seconds(r->runtime));
    last_words[k] = write_record(&words, false); /* NULL if memory runs out */
  }
  last_folder = r->folder;
  cli_before_end(say_last_words);
}
