#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library.h"
#include "verdict.h"

/* Called by Lua if memory runs out outside of any protected call. Prints a message and exits with the code of
 * scripts. Frames that are written are complete. */
static int out_of_memory(lua_State *L) {
  (void)L;
  fputs("scree: no memory left for the script\n", stderr);
  _exit(CLI_SCRIPT);
}

const char *cli_sandbox_words(const cli_sandbox *s, char out[128]) {
  int used = snprintf(out, 128, "%s", s->trust ? "--trust " : "");
  if (s->memory > 0) used += snprintf(out + used, 128 - (size_t)used, "--memory %lld ", (long long)s->memory);
  if (s->callback_time > 0) snprintf(out + used, 128 - (size_t)used, "--callback-time %g ", s->callback_time);
  return out;
}

/* ---- a script that does not return ---- */

static char stuck_text[2][4400]; /* message if a call, or a step, does not return */
static void (*last_words)(bool in_step);

void cli_before_end(void (*words)(bool in_step)) { last_words = words; }

/* Ends the process. Runs in a signal handler, so it calls only functions that are safe there. */
static void end_stuck(bool in_step) {
  ssize_t written = write(STDERR_FILENO, stuck_text[in_step], strlen(stuck_text[in_step]));
  (void)written;
  if (last_words) last_words(in_step);
  _exit(CLI_SCRIPT);
}

static void prepare_stuck(const char *path, double seconds) {
  static const char *const what[2] = {CLI_STUCK, CLI_STUCK_STEP};
  char text[256];
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, what[k], seconds);
    snprintf(stuck_text[k], sizeof *stuck_text,
        "\nscree: limit reached in %.4000s: %s (--callback-time raises the cap)\n", path, text);
  }
}

/* ---- warnings ---- */

enum { WARNINGS = 16 }; /* different warnings that are remembered */
/* Prints a warning of Lua once. A warning may come in several parts; texts that begin with @ are commands. */
static void say_warning(void *context, const char *text, int continues) {
  static char said[WARNINGS][256];
  static int count;
  (void)context;
  if (*text == '@' && !continues) return;
  for (int i = 0; i < count; i++)
    if (!strncmp(said[i], text, sizeof *said - 1)) return;
  if (count < WARNINGS) snprintf(said[count++], sizeof *said, "%s", text);
  fprintf(stderr, "scree: warning: %s\n", text);
}

/* Warns if a world of a plain script is invalid. */
static void say_invalid(const scree_world *world) {
  enum { MOST = 5 };
  static int said;
  char head[80];
  scree_report report;
  cli_verdict verdict;
  scree_world_report(world, &report);
  cli_judge(world, &report, 0, "", &verdict);
  if (!verdict.count || said++ >= MOST) return;
  snprintf(head, sizeof head, "warning: a world is invalid after %lld steps", (long long)report.step);
  cli_print_verdict(&verdict, head);
}

sl_runtime *cli_open_runtime(
    const char *command, const char *path, const cli_sandbox *sandbox, uint64_t seed) {
  static char library[2048];
  scree_error error = {SCREE_OK, ""};
  sl_runtime_def def = sl_runtime_defaults();
  if (sandbox->trust) def.memory = def.total = 0, def.seconds = 0;
  if (sandbox->is_own) def.seconds = 0;
  if (sandbox->memory > 0) def.memory = def.total = (size_t)sandbox->memory << 20;
  if (sandbox->callback_time > 0) def.seconds = sandbox->callback_time;
  def.trust = sandbox->trust;
  def.stuck = end_stuck;
  prepare_stuck(path, def.seconds);
  def.world_ends = strcmp(command, "lua") ? NULL : say_invalid;
  def.script = path;
  def.seed = seed;
  def.library = cli_library("lua", library, sizeof library);
  sl_runtime *runtime = sl_runtime_open(&def, &error);
  if (!runtime) cli_fail(CLI_FAILED, command, "%s", error.text);
  else
    lua_atpanic(sl_runtime_lua(runtime), out_of_memory),
        lua_setwarnf(sl_runtime_lua(runtime), say_warning, NULL);
  return runtime;
}

/* Prints a traceback without frames of C functions; prints nothing if no frames are left. */
static void print_traceback(const char *text) {
  size_t headline = strcspn(text, "\n");
  int frames = 0;
  for (const char *line = text + headline + (text[headline] == '\n'); *line;) {
    size_t length = strcspn(line, "\n");
    const char *silent = strstr(line, "[C]: in ?");
    if (!silent || silent > line + length) {
      if (!frames++) fprintf(stderr, "%.*s\n", (int)headline, text);
      fprintf(stderr, "%.*s\n", (int)length, line);
    }
    line += length + (line[length] == '\n');
  }
}

int cli_report_trouble(sl_runtime *runtime, sl_trouble trouble, const char *doing, int starting) {
  static const char *const what[] = {
      "", "wrong value", "script error", "law error", "limit reached", "diverged", "input/output error"};
  if (starting && trouble == SL_CONFIG) return fprintf(stderr, "scree: %s\n", sl_message(runtime)), CLI_USAGE;
  /* the message names the file */
  if (starting && trouble == SL_IO) return fprintf(stderr, "scree: %s\n", sl_message(runtime)), CLI_IO;
  fprintf(stderr, "scree: %s in %s: %s\n", what[trouble], doing, sl_message(runtime));
  if (trouble != SL_IO) print_traceback(sl_traceback(runtime));
  return trouble == SL_NUMERIC ? CLI_FAILED : trouble == SL_IO ? CLI_IO : CLI_SCRIPT;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int cli_sort_names(lua_State *L, const char *name[CLI_NAMES]) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    if (count < CLI_NAMES && lua_type(L, -2) == LUA_TSTRING) name[count++] = lua_tostring(L, -2);
  qsort(name, (size_t)count, sizeof *name, compare_names);
  return count;
}
