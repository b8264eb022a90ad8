/* The directory of a run: trajectory.scree, series.csv, run.json. */
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/lock.h"
#include "run/run_kept.h"

static const char *const own_files[] = {"trajectory.scree", "track.scree", "series.csv", "run.json",
    "experiment.yaml", "checkpoint.scree", "checkpoint.scree.previous"};
enum { OWN_FILES = sizeof own_files / sizeof *own_files };

/* ---- the directory ---- */

/* Writes runs/NAME-20260131-120000; NAME is the scene's file name without its ending. */
static void default_directory(const char *scene, char *out, size_t size) {
  const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene, *dot = strrchr(name, '.');
  char when[32];
  time_t now = time(NULL);
  strftime(when, sizeof when, "%Y%m%d-%H%M%S", gmtime(&now));
  snprintf(out, size, "runs/%.*s-%s", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name, when);
}

/* Appends a number if the directory exists, because two runs may start in the same second. */
static void make_unique(char *directory, size_t size) {
  struct stat info;
  size_t length = strlen(directory);
  for (int k = 2; k < 1000 && !stat(directory, &info); k++)
    snprintf(directory + length, size - length, "-%d", k);
}

static int choose_own_directory(run *r) {
  char path[RUN_PATH + 64];
  if (r->options->directory) snprintf(r->directory, sizeof r->directory, "%s", r->options->directory);
  else
    default_directory(r->options->scene, r->directory, sizeof r->directory),
        make_unique(r->directory, sizeof r->directory);
  if (r->options->directory && strlen(r->options->directory) >= sizeof r->directory)
    return cli_fail(CLI_USAGE, "run", "the name of the directory is too long");
  struct stat info;
  if (!stat(r->directory, &info) && !S_ISDIR(info.st_mode))
    return cli_fail(CLI_USAGE, "run", "%s is not a directory", r->directory);
  int used = lock_check(r->directory, "run");
  if (used) return used;
  for (int i = 0; i < OWN_FILES && !r->options->force; i++)
    if (!access(run_path(r, own_files[i], path, sizeof path), F_OK))
      return cli_fail(CLI_USAGE, "run", "%s exists already; --force overwrites it", path);
  return CLI_OK;
}

/* Rank 0 chooses the directory and sends it to the others. */
int run_choose_directory(run *r) {
  struct {
    int code;
    char name[RUN_PATH];
  } chosen = {0};
  if (run_writes(r)) {
    chosen.code = choose_own_directory(r);
    memcpy(chosen.name, r->directory, sizeof chosen.name);
  }
  if (r->options->ranks > 1) scree_dist_send_all(&chosen, sizeof chosen);
  memcpy(r->directory, chosen.name, sizeof r->directory);
  return chosen.code;
}

int run_make_directory(const char *path) {
  char part[RUN_PATH];
  snprintf(part, sizeof part, "%s", path);
  for (char *at = part + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    if (mkdir(part, 0777) && errno != EEXIST) return -1;
    *at = '/';
  }
  return mkdir(part, 0777) && errno != EEXIST ? -1 : 0;
}

/* ---- files ---- */

__attribute__((format(printf, 2, 3))) static int io_trouble(run *r, const char *format, ...) {
  const char *limit = sl_memory_words(r->runtime);
  char text[RUN_PATH + 256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  run_progress_end(r);
  snprintf(r->trouble, sizeof r->trouble, "%.800s%s", text, limit);
  return cli_fail(*limit ? CLI_SCRIPT : CLI_IO, "run", "%s%s", text, limit);
}

/* Returns the precision of positions [m]: the scene's length, or its fraction of the mean diameter of the
 * dynamic bodies; negative if out of memory. */
static double find_precision(const run *r, double absolute, double relative) {
  if (!(relative > 0)) return absolute;
  void *kind, *radius;
  int64_t rows, count = 0;
  double sum = 0;
  scree_world *world = r->scene.world->world;
  if (!scree_world_view(world, SCREE_VIEW_KIND, &kind, &rows)) return -1;
  scree_world_view(world, SCREE_VIEW_RADIUS, &radius, &rows);
  for (int64_t i = 0; i < rows; i++)
    if (((int64_t *)kind)[i] == SCREE_DYNAMIC) sum += 2 * ((double *)radius)[i], count++;
  return count ? relative * sum / (double)count : 0;
}

double run_precision(const run *r) {
  return find_precision(r, r->scene.precision, r->scene.relative_precision);
}

/* Creates the buffer of frames and, on several ranks, the packer. */
static scree_status prepare_frames(
    run *r, const scree_trajectory_def *def, int64_t frames, scree_error *error) {
  r->frame_number = frames;
  if (!(r->frame = scree_frame_buffer_create()))
    return snprintf(error->text, sizeof error->text, "no memory for frames"), SCREE_E_MEMORY;
  if (r->options->ranks > 1 && !(r->packer = scree_packer_create(def, error))) return error->status;
  return SCREE_OK;
}

static int open_trajectory(run *r) {
  char path[RUN_PATH + 64];
  scree_error error = {SCREE_OK, ""};
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields = r->scene.fields;
  def.precision = r->precision;
  def.meta = run_provenance(r); /* run_provenance is collective, so all ranks call it */
  def.source = sl_scene_text(&r->scene);
  if (!def.meta) return io_trouble(r, "no memory for what the trajectory says of the run");
  if (run_writes(r))
    r->trajectory = scree_writer_open(run_path(r, "trajectory.scree", path, sizeof path), &def, &error);
  free((char *)def.meta);
  if (run_writes(r) && !r->trajectory) return io_trouble(r, "%s", error.text);
  return prepare_frames(r, &def, 0, &error) == SCREE_OK ? CLI_OK : io_trouble(r, "%s", error.text);
}

static int open_track(run *r) {
  char *meta = run_wants(&r->scene.track.clock) ? run_provenance(r) : NULL; /* collective */
  const double precision = meta
      ? find_precision(r, r->scene.track.precision, r->scene.track.relative_precision)
      : 0;
  const int code = run_track_create(r, meta, precision);
  free(meta);
  if (meta && !code) r->started_files = 1;
  return code;
}

scree_status run_reopen_trajectory(run *r, int64_t frames, scree_error *error) {
  char path[RUN_PATH + 64];
  if (!run_wants(&r->scene.trajectory)) return SCREE_OK;
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields = r->scene.fields;
  def.precision = r->precision;
  if (run_writes(r) &&
      !(r->trajectory = scree_writer_append(
            run_path(r, "trajectory.scree", path, sizeof path), frames, &def, error)))
    return error->status;
  return prepare_frames(r, &def, frames, error);
}

/* Reports a failed write with the reason in errno. A stream that failed earlier no longer has its reason. */
static int series_trouble(run *r) {
  char path[RUN_PATH + 64];
  int reason = errno;
  return io_trouble(r, "cannot write %s: %s", run_path(r, "series.csv", path, sizeof path),
      reason ? strerror(reason) : "the rows before are lost");
}

/* Creates the directory, locks it and removes the files of an earlier run. */
static int prepare_directory(run *r) {
  char path[RUN_PATH + 64];
  if (run_make_directory(r->directory))
    return io_trouble(r, "cannot create %s: %s", r->directory, strerror(errno));
  int taken = run_take_folder(r, "run");
  if (taken) return taken;
  for (int i = 0; i < OWN_FILES; i++)
    if (unlinkat(r->folder, own_files[i], 0) && errno != ENOENT)
      return io_trouble(
          r, "cannot replace %s: %s", run_path(r, own_files[i], path, sizeof path), strerror(errno));
  if (r->options->experiment && run_write_experiment(r)) return io_trouble(r, "cannot write experiment.yaml");
  return CLI_OK;
}

int run_create_files(run *r) {
  char path[RUN_PATH + 64];
  int prepared = run_writes(r) ? prepare_directory(r) : CLI_OK;
  if (prepared) return prepared;
  run_enter_directory(r);
  if (run_wants(&r->scene.trajectory)) {
    int code = open_trajectory(r);
    if (code) return code;
    r->started_files = 1;
  }
  int tracked = open_track(r);
  if (tracked) return tracked;
  bool series = run_wants(&r->scene.series) && run_writes(r);
  if (series) r->series = run_create_at(r->folder, "series.csv");
  if (!series || r->series) return r->started_files = 1, CLI_OK;
  return io_trouble(r, "cannot create %s: %s", run_path(r, "series.csv", path, sizeof path), strerror(errno));
}

int run_flush(run *r) {
  scree_error error = {SCREE_OK, ""};
  const double before = run_clock();
  const scree_status status = r->trajectory ? scree_writer_flush(r->trajectory, 0, &error) : SCREE_OK;
  const int code = status ? io_trouble(r, "%s", error.text) : run_track_flush(r);
  r->output_seconds += run_clock() - before;
  return code;
}

int run_close_files(run *r) {
  scree_error error = {SCREE_OK, ""};
  const double before = run_clock();
  int code = CLI_OK;
  if (r->trajectory && scree_writer_close(r->trajectory, &error) != SCREE_OK)
    code = io_trouble(r, "%s", error.text);
  const int tracked = run_track_close(r);
  if (!code) code = tracked;
  r->output_seconds += run_clock() - before;
  r->trajectory = NULL;
  if (!r->series) return code;
  errno = 0;
  int failed = ferror(r->series);
  /* the reason may have been printed before */
  if ((fclose(r->series) || failed) && !code) code = *r->trouble ? CLI_IO : series_trouble(r);
  r->series = NULL;
  return code;
}

/* ---- frames ---- */

/* Assigns places in the file to the hulls and meshes that are new since the last frame, on all ranks. */
static scree_status name_geometries(run *r, scree_error *error) {
  scree_world *world = r->scene.world->world;
  const scree_geometry *geometry;
  for (; (geometry = scree_world_geometry(world, r->geometries + 1)); r->geometries++) {
    double place = r->trajectory ? (double)scree_writer_place(r->trajectory, geometry, error) : -1;
    scree_world_combine(world, 1, &place, 1);
    scree_status status = place < 0 ? error->status
                                    : scree_packer_name(r->packer, geometry, (int64_t)place, error);
    if (status != SCREE_OK) return status;
  }
  return SCREE_OK;
}

/* Packs this rank's part of the frame; rank 0 writes the parts of all ranks. */
static scree_status write_parts(run *r, const scree_frame *part, scree_error *error) {
  scree_world *world = r->scene.world->world;
  const void *bytes, *all;
  size_t count, total;
  double largest[SCREE_FRAME_LARGEST];
  scree_frame_largest(part, largest);
  scree_world_combine(world, 1, largest, SCREE_FRAME_LARGEST);
  scree_status status = name_geometries(r, error);
  if (status == SCREE_OK)
    status = scree_packer_frame(r->packer, part, r->frame_number++, largest, &bytes, &count, error);
  if (status == SCREE_OK) status = scree_world_gather(world, bytes, count, &all, &total, error);
  return status == SCREE_OK && r->trajectory ? scree_writer_parts(r->trajectory, all, total, error) : status;
}

static int write_frame(run *r) {
  scree_error error = {SCREE_OK, ""};
  const scree_world *world = r->scene.world->world;
  const scree_frame *frame = scree_frame_capture(r->frame, world,
      ((r->scene.fields & SCREE_FIELD_CONTACTS) ? SCREE_FRAME_CONTACTS : 0) | SCREE_FRAME_PART, &error);
  if (!frame) return io_trouble(r, "%s", error.text);
  scree_status status = r->packer ? write_parts(r, frame, &error)
      : r->trajectory             ? scree_writer_frame(r->trajectory, frame, &error)
                                  : SCREE_OK;
  if (status != SCREE_OK) return io_trouble(r, "%s", error.text);
  r->last_frame = scree_world_time(world);
  return CLI_OK;
}

/* ---- rows ---- */

static void write_header(run *r) {
  for (int i = 0; i < SL_REPORT_COLUMNS; i++)
    fprintf(r->series, "%s%s", i ? "," : "", sl_report_column(i)->name);
  for (int i = 0; i < r->columns.count; i++)
    fprintf(r->series, *r->columns.unit[i] ? ",%s [%s]" : ",%s", r->columns.name[i], r->columns.unit[i]);
  fputc('\n', r->series);
}

/* Writes the values of the table on the stack in the order of the columns. Every value must be a number, with
 * or without a unit. */
static int write_values(run *r) {
  char text[SL_COLUMN_TEXT];
  for (int i = 0; i < r->columns.count; i++) {
    double value;
    const bool good = sl_columns_read(sl_runtime_lua(r->runtime), &r->columns, i, &value, text);
    fprintf(r->series, ",%.10g", value);
    if (!good) return run_values_trouble(r, text);
  }
  return CLI_OK;
}

/* Writes the values of the table on the stack and compares names and units with those of the first row. */
static int write_own_values(run *r) {
  lua_State *L = sl_runtime_lua(r->runtime);
  char text[SL_COLUMN_TEXT];
  const int code = write_values(r);
  if (code) return code;
  if (!sl_columns_check_units(L, &r->columns, text) || !sl_columns_check_names(L, &r->columns, text))
    return run_values_trouble(r, text);
  return CLI_OK;
}

static void write_report_row(FILE *out, const scree_report *s) {
  for (int i = 0; i < SL_REPORT_COLUMNS; i++) {
    const sl_column *column = sl_report_column(i);
    if (i) fputc(',', out);
    if (column->whole) fprintf(out, "%lld", (long long)*(const int64_t *)((const char *)s + column->offset));
    else fprintf(out, "%.10g", sl_column_value(column, s));
  }
}

static int write_row(run *r) {
  lua_State *L = sl_runtime_lua(r->runtime);
  bool own = sl_scene_has_values(&r->scene);
  scree_report report;
  sl_trouble trouble = sl_scene_values(&r->scene);
  if (trouble) return run_progress_end(r), cli_report_trouble(r->runtime, trouble, "output.series.values", 0);
  if (own && !lua_istable(L, -1)) return run_values_trouble(r, "must return a table");
  scree_world_report(r->scene.world->world, &report);
  scree_world_note_report(r->scene.world->world, &report);
  if (!r->series) { /* another rank writes the series */
    int code = run_judge(r, &report, own);
    return lua_settop(L, 0), code;
  }
  errno = 0;
  if (!ftell(r->series)) {
    char text[SL_COLUMN_TEXT];
    if (own && !sl_columns_take(L, &r->columns, text)) return run_values_trouble(r, text);
    if (own) sl_columns_check_units(L, &r->columns, text); /* reads the units for the header */
    write_header(r);
  }
  write_report_row(r->series, &report);
  int code = own ? write_own_values(r) : CLI_OK;
  fputc('\n', r->series);
  if (!code) code = run_judge(r, &report, own);
  if (own) lua_pop(L, 1);
  return ferror(r->series) || fflush(r->series) ? series_trouble(r) : code;
}

int run_write(run *r, int last) {
  const scree_world *world = r->scene.world->world;
  double before = run_clock();
  bool again = scree_world_time(world) == r->last_frame;
  int code = CLI_OK;
  bool frame = sl_clock_due(&r->scene.trajectory, world), row = sl_clock_due(&r->scene.series, world);
  if (frame || row || last) run_follow_folder(r);
  if (r->frame && (frame || last) && !again) code = write_frame(r);
  r->frame_failed = frame && code;
  const int tracked = run_track_write(r, last); /* even if the frame was not written */
  if (!code) code = tracked;
  /* writes the row even if the frame failed, because run_rescue_state then saves a state whose earlier rows
   * must all be in the file */
  if (run_wants(&r->scene.series) && (row || (last && scree_world_time(world) != r->last_row))) {
    const int row_code = write_row(r);
    r->row_failed = row_code != CLI_OK;
    if (!row_code) r->last_row = scree_world_time(world);
    if (!code) code = row_code;
  }
  r->output_seconds += run_clock() - before;
  return code;
}
