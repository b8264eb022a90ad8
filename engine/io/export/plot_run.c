/* Runs gnuplot on a script and reads its output. Uses no shell and no named files: script, picture and
 * messages pass through unlinked temporary files, so neither side can block on a full pipe. */
#define _GNU_SOURCE
#include "io/export/plot.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void sc_text_put(sc_text *text, const char *format, ...) {
  SC_ASSERT(text && format);
  va_list list;
  va_start(list, format);
  int need = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (text->failed || need < 0 || !SC_GROW(text->data, text->capacity, text->used + (size_t)need + 1)) {
    text->failed = true;
    return;
  }
  va_start(list, format);
  vsnprintf(text->data + text->used, (size_t)need + 1, format, list);
  va_end(list);
  text->used += (size_t)need;
}

void sc_text_quote(sc_text *text, const char *string) {
  SC_ASSERT(text && string);
  sc_text_put(text, "'");
  for (const char *c = string ? string : ""; *c; c++) {
    if (*c == '\'') sc_text_put(text, "''");
    else sc_text_put(text, "%c", (unsigned char)*c < 32 || *c == 127 ? ' ' : *c);
  }
  sc_text_put(text, "'");
}

void sc_text_free(sc_text *text) {
  sc_free(text->data);
  *text = (sc_text){0};
}

/* Appends the whole contents of a temporary file to out. Returns false if reading fails or memory runs
 * out. */
static bool read_stream(FILE *file, sc_text *out) {
  rewind(file);
  char block[16384];
  size_t got;
  while ((got = fread(block, 1, sizeof block, file)) > 0) {
    if (!SC_GROW(out->data, out->capacity, out->used + got + 1)) return false;
    memcpy(out->data + out->used, block, got);
    out->used += got;
    out->data[out->used] = 0;
  }
  return !ferror(file);
}

/* Runs the program with three files as its standard streams and waits for its end. Sets *code to its exit
 * code. */
static scree_status run_program(const char *program, FILE *streams[3], int *code, scree_error *error) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to start %s", program);
  for (int i = 0; i < 3; i++) posix_spawn_file_actions_adddup2(&actions, fileno(streams[i]), i);
  char name[] = "gnuplot", defaults[] = "-d", input[] = "-";
  char *arguments[] = {name, defaults, input, NULL};
  pid_t child = 0;
  int failure = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT || failure == EACCES)
    return sc_fail(error, SCREE_E_MISSING,
        "figures are drawn by gnuplot, which is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
  if (failure) return sc_fail(error, SCREE_E_IO, "cannot start %s: %s", program, strerror(failure));
  int state = 0;
  while (waitpid(child, &state, 0) < 0)
    if (errno != EINTR) return sc_fail(error, SCREE_E_IO, "lost %s: %s", program, strerror(errno));
  *code = WIFEXITED(state) ? WEXITSTATUS(state) : 128;
  return SCREE_OK;
}

/* Reads the picture from streams[1]. Fails with gnuplot's messages (streams[2]) if the exit code is not 0 or
 * the picture is empty. */
static scree_status read_results(FILE *streams[3], int code, sc_text *output, scree_error *error) {
  sc_text words = {0};
  bool fine = read_stream(streams[1], output) && read_stream(streams[2], &words);
  scree_status status = SCREE_OK;
  if (!fine) status = sc_fail(error, SCREE_E_IO, "cannot read the figure back from gnuplot");
  else if (code == 127)
    status = sc_fail(
        error, SCREE_E_MISSING, "gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
  else if (code || !output->used)
    status = sc_fail(error, SCREE_E_IO, "gnuplot failed (exit code %d): %.300s", code,
        words.data ? words.data : "no output");
  sc_text_free(&words);
  return status;
}

scree_status sc_plot_run(const char *program, const sc_text *script, sc_text *output, scree_error *error) {
  SC_ASSERT(program && script);
  FILE *streams[3] = {tmpfile(), tmpfile(), tmpfile()};
  scree_status status = SCREE_OK;
  int code = 0;
  if (!streams[0] || !streams[1] || !streams[2])
    status = sc_fail(error, SCREE_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
  if (!status && (fwrite(script->data, 1, script->used, streams[0]) != script->used || fflush(streams[0])))
    status = sc_fail(error, SCREE_E_IO, "cannot hand the figure to gnuplot: %s", strerror(errno));
  if (!status) {
    rewind(streams[0]);
    status = run_program(program, streams, &code, error);
  }
  if (!status) status = read_results(streams, code, output, error);
  for (int i = 0; i < 3; i++)
    if (streams[i]) fclose(streams[i]);
  return status;
}
