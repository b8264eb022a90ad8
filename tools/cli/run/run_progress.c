/* Progress on stderr: on a terminal one line that is rewritten in place, elsewhere a line every 10 s. */
#include "run/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double FANCY_SECONDS = 0.2, PLAIN_SECONDS = 10; /* least wall time between two lines [s] */

int run_progress_check(const run_options *options, const char *verb) {
  static const char *const how[] = {"auto", "fancy", "plain", "none"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(options->progress, how[i])) return CLI_OK;
  return cli_fail(CLI_USAGE, verb, "--progress is auto, fancy, plain or none, not '%s'", options->progress);
}

void run_progress_start(run *r) {
  run_progress *p = &r->progress;
  const char *how = r->options->progress, *terminal = getenv("TERM");
  int screen = isatty(STDERR_FILENO) && !(terminal && !strcmp(terminal, "dumb"));
  p->silent = r->options->quiet || !strcmp(how, "none");
  p->fancy = !strcmp(how, "fancy") || (!strcmp(how, "auto") && screen);
  p->started = p->last = run_clock();
  p->first_time = scree_world_time(r->scene.world->world);
  p->first_step = p->last_step = scree_world_steps(r->scene.world->world);
  if (p->silent) return;
  scree_report s;
  scree_world_report(r->scene.world->world, &s);
  fprintf(stderr, "%s: %lld bodies, dt %g s, seed %llu, %lld thread%s\n",
      r->scene.title ? r->scene.title : r->options->scene, (long long)s.bodies,
      scree_world_get_def(r->scene.world->world)->dt, (unsigned long long)sl_runtime_get_seed(r->runtime),
      (long long)scree_world_get_def(r->scene.world->world)->threads,
      scree_world_get_def(r->scene.world->world)->threads == 1 ? "" : "s");
}

/* Writes seconds as 12s, 3m05s or 2h07m. */
static void put_duration(char *out, size_t size, double seconds) {
  if (!(seconds >= 0) || seconds > 1e8) snprintf(out, size, "?");
  else if (seconds < 100) snprintf(out, size, "%.0fs", seconds);
  else if (seconds < 6000) snprintf(out, size, "%dm%02ds", (int)seconds / 60, (int)seconds % 60);
  else snprintf(out, size, "%dh%02dm", (int)(seconds / 3600), (int)(seconds / 60) % 60);
}

/* Returns the completed fraction of the range from first to end; 0 if there is no end. */
static double share_done(double first, double now, double end) {
  return end < INFINITY && end > first ? (now - first) / (end - first) : 0;
}

/* Estimates the wall time left [s] from the completed fraction of the stop time or the steps, whichever
 * ends first. */
static double estimate_remaining(const run *r, const scree_report *s, double now) {
  const run_progress *p = &r->progress;
  double steps = r->scene.stop_steps == INT64_MAX ? INFINITY : (double)r->scene.stop_steps;
  double done = fmax(share_done(p->first_time, s->time, r->scene.stop_time),
      share_done((double)p->first_step, (double)s->step, steps));
  return done > 0 ? (now - p->started) * (1 - done) / done : INFINITY;
}

static void put_progress(const run *r, double now) {
  scree_report s;
  char left[32];
  const run_progress *p = &r->progress;
  scree_world_report(r->scene.world->world, &s);
  put_duration(left, sizeof left, estimate_remaining(r, &s, now));
  double rate = (double)(s.step - p->last_step) / (now - p->last);
  fprintf(stderr,
      "%st %.6g s  step %lld  %.4g steps/s  grains %lld  contacts %lld  residual %.2g m/s  ETA %s%s",
      p->fancy ? "\r\033[K" : "", s.time, (long long)s.step, rate, (long long)s.dynamic,
      (long long)s.contacts, s.residual, left, p->fancy ? "" : "\n");
  fflush(stderr);
}

void run_progress_update(run *r) {
  run_progress *p = &r->progress;
  if (p->silent) return;
  double now = run_clock(),
         due = run_writes(r) && now - p->last >= (p->fancy ? FANCY_SECONDS : PLAIN_SECONDS);
  if (!run_agree(r, &due, 1)) return;
  put_progress(r, now);
  p->shown = p->fancy;
  p->last = now;
  p->last_step = scree_world_steps(r->scene.world->world);
}

void run_progress_end(run *r) {
  if (r->progress.shown) fputc('\n', stderr);
  r->progress.shown = 0;
}

int run_fail(run *r, int code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->trouble, sizeof r->trouble, format, args);
  va_end(args);
  run_progress_end(r);
  return cli_fail(code, "run", "%s", r->trouble);
}

void run_print_place(const run *r, int code) {
  static const double least = 2,
                      share = 0.1; /* times above both limits are printed [s], [of the wall time] */
  const double wall = run_clock() - r->started;
  printf("%s %s", !run_is_finished(code) ? "what there is lies in" : "written to", r->directory);
  if (r->output_seconds > least && r->output_seconds > share * wall)
    printf(" (output took %.0f s of %.0f s: a slow disk, or much output)", r->output_seconds, wall);
  putchar('\n');
}

void run_print_profile(const run *r) {
  scree_report s;
  scree_world_report(r->scene.world->world, &s);
  double total = r->loop.lua_seconds + r->output_seconds;
  for (int i = 0; i < SCREE_STAGES; i++) total += s.seconds[i];
  double share = total > 0 ? 100 / total : 0, steps = s.step > 0 ? (double)s.step : 1;
  printf("%-12s %12s %12s %7s\n", "stage", "seconds", "ms/step", "share");
  for (int i = 0; i < SCREE_STAGES; i++)
    printf("%-12s %12.4f %12.5f %6.1f%%\n", scree_stage_name(i), s.seconds[i], 1e3 * s.seconds[i] / steps,
        share * s.seconds[i]);
  printf("%-12s %12.4f %12.5f %6.1f%%\n", "lua", r->loop.lua_seconds, 1e3 * r->loop.lua_seconds / steps,
      share * r->loop.lua_seconds);
  printf("%-12s %12.4f %12.5f %6.1f%%\n", "output", r->output_seconds, 1e3 * r->output_seconds / steps,
      share * r->output_seconds);
  printf("%-12s %12.4f %12.5f\n", "total", total, 1e3 * total / steps);
  printf("neighbour lists built %lld, bundle fill %.1f %%, bytes per body %.0f, bytes per contact %.0f\n",
      (long long)s.rebuilds, 100 * s.bundle_fill,
      (double)s.bytes_bodies / (s.bodies > 0 ? (double)s.bodies : 1),
      (double)s.bytes_contacts / (s.contacts > 0 ? (double)s.contacts : 1));
}
