#include "view/source.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "files.h"
#include "run/run.h"
#include "view/sample.h"

static int refuse_request(view_bytes *out, int status, const char *text) {
  view_bytes_text(out, text);
  return status;
}

/* ---- the file ---- */

static void note_size(view_source *source) {
  struct stat info;
  if (stat(source->file, &info)) return;
  source->size = info.st_size, source->inode = (int64_t)info.st_ino;
}

int view_source_open(view_source *source, const char *command, const char *path) {
  struct stat info;
  *source = (view_source){0};
  int folder = !stat(path, &info) && S_ISDIR(info.st_mode);
  if (strlen(path) > 4096) return cli_fail(CLI_USAGE, command, "the name is too long");
  snprintf(source->file, sizeof source->file, "%.4096s%s", path, folder ? "/trajectory.scree" : "");
  if (folder) snprintf(source->folder, sizeof source->folder, "%.4096s", path);
  note_size(source);
  return (source->reader = cli_open(command, path)) ? CLI_OK : CLI_IO;
}

/* Reads what was appended to the file, or the whole file if it was replaced. Keeps the old frames if the
 * file cannot be read. */
static void refresh_source(view_source *source) {
  struct stat info;
  if (stat(source->file, &info)) return;
  if (info.st_size == source->size && (int64_t)info.st_ino == source->inode) return;
  scree_error error;
  if ((int64_t)info.st_ino == source->inode && info.st_size > source->size &&
      !scree_reader_update(source->reader, &error)) {
    source->size = info.st_size;
    return;
  }
  scree_reader *again = scree_reader_open(source->file, &error);
  if (!again) return;
  scree_reader_close(source->reader);
  source->reader = again;
  source->size = info.st_size, source->inode = (int64_t)info.st_ino;
}

void view_source_close(view_source *source) {
  scree_reader_close(source->reader);
  view_shelf_free(&source->shelf);
  source->reader = NULL;
}

/* ---- about ---- */

static int is_table(const char *name) {
  size_t length = strlen(name);
  if (length < 5 || length > 128 || strcmp(name + length - 4, ".csv") || name[0] == '.') return 0;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && !strchr("._-", *name)) return 0;
  return 1;
}

static int compare_tables(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

enum { TABLES = 64 };
void view_source_tables(
    const view_source *source, void (*each)(void *context, const char *name, int first), void *context) {
  DIR *folder = *source->folder ? opendir(source->folder) : NULL;
  struct dirent *entry;
  char *name[TABLES];
  int count = 0;
  while (folder && count < TABLES && (entry = readdir(folder)))
    if (is_table(entry->d_name) && (name[count] = strdup(entry->d_name))) count++;
  if (folder) closedir(folder);
  qsort(name, (size_t)count, sizeof *name, compare_tables);
  for (int i = 0; i < count; i++) {
    each(context, name[i], i == 0);
    free(name[i]);
  }
}

static void put_name(void *context, const char *name, int first) {
  view_bytes_text(context, first ? "" : ", ");
  view_bytes_json(context, name);
}

/* Returns the name of the run's folder, or of the file. */
static const char *name_source(const view_source *source) {
  const char *path = *source->folder ? source->folder : source->file, *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

int view_source_about(view_source *source, int can_stop, view_bytes *out) {
  refresh_source(source);
  const scree_trajectory_info *info = scree_reader_info(source->reader);
  view_bytes_text(out, "{\"scree\": ");
  view_bytes_json(out, SCREE_VERSION);
  view_bytes_text(out, ", \"name\": ");
  view_bytes_json(out, name_source(source));
  view_bytes_print(out,
      ", \"frames\": %lld, \"complete\": %s, \"bytes\": %lld, \"lost_bytes\": %lld, \"most_bodies\": %lld, "
      "\"fields\": %d, \"can_stop\": %s, ",
      (long long)info->frames, info->complete ? "true" : "false", (long long)info->bytes,
      (long long)info->lost_bytes, (long long)info->most_bodies, info->fields, can_stop ? "true" : "false");
  view_bytes_text(out, "\"tables\": [");
  view_source_tables(source, put_name, out);
  view_bytes_text(out, "], \"report\": [");
  for (int i = 0; i < SL_REPORT_COLUMNS; i++) put_name(out, sl_report_column(i)->name, !i);
  view_bytes_text(out, "], \"units\": [");
  for (int i = 0; i < SL_REPORT_COLUMNS; i++) put_name(out, sl_report_column(i)->unit, !i);
  view_bytes_text(out, "], \"shapes\": [");
  for (int type = 0; scree_shape_kind_at(type); type++) put_name(out, scree_shape_kind_at(type)->name, !type);
  view_bytes_text(out, "], \"meta\": ");
  view_bytes_json(out, scree_reader_meta(source->reader));
  view_bytes_text(out, "}");
  return 0;
}

int view_source_times(view_source *source, int64_t from, view_bytes *out) {
  int64_t frames = scree_reader_info(source->reader)->frames;
  for (int64_t i = from < 0 ? 0 : from; i < frames; i++) {
    double time = scree_reader_time(source->reader, i);
    view_bytes_add(out, &time, sizeof time);
  }
  return 0;
}

/* ---- frames ---- */

void view_source_place(view_source *source, const scree_frame *f) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  if (source->placed || !f->bodies || !f->position) return;
  for (int64_t i = 0; i < 3 * f->bodies; i++)
    low[i % 3] = fmin(low[i % 3], f->position[i]), high[i % 3] = fmax(high[i % 3], f->position[i]);
  for (int c = 0; c < 3; c++)
    source->origin[c] = fabs(low[c] + high[c]) > 10 * (high[c] - low[c]) ? (low[c] + high[c]) / 2 : 0;
  source->placed = 1;
}

static const scree_frame *read_frame(
    view_source *source, int64_t number, int fields, view_bytes *out, int *status) {
  scree_error error = {SCREE_OK, ""};
  fields |= SCREE_FIELD_POSITION | (source->turns ? SCREE_FIELD_ORIENTATION : 0);
  if (number >= scree_reader_info(source->reader)->frames) refresh_source(source);
  if (number < 0 || number >= scree_reader_info(source->reader)->frames)
    return *status = refuse_request(out, 404, "there is no such frame"), NULL;
  scree_reader_want(source->reader, fields);
  const scree_frame *f = scree_reader_frame(source->reader, number, &error);
  if (f && !source->turns && view_wire_has_shapes(f)) {
    source->turns = 1;
    scree_reader_want(source->reader, fields | SCREE_FIELD_ORIENTATION);
    f = scree_reader_frame(source->reader, number, &error);
  }
  if (!f) return *status = refuse_request(out, 500, error.text), NULL;
  if (!f->position) return *status = refuse_request(out, 404, "the trajectory keeps no positions"), NULL;
  view_source_place(source, f);
  return f;
}

static void put_frame(
    view_source *source, const scree_frame *f, int64_t number, int fields, uint64_t roster, view_bytes *out) {
  view_wire wire = {.shelf = &source->shelf, .fields = fields, .roster = roster};
  memcpy(wire.origin, source->origin, sizeof wire.origin);
  view_wire_frame(&wire, f, number, out);
  view_wire_free(&wire);
}

int view_source_frame(view_source *source, int64_t number, int fields, uint64_t roster, view_bytes *out) {
  int status = 0;
  const scree_frame *f = read_frame(source, number, fields, out, &status);
  if (!f) return status;
  put_frame(source, f, number, fields, roster, out);
  return 0;
}

int view_source_sample(view_source *source, int64_t number, int fields, int64_t most, view_bytes *out) {
  int64_t last = scree_reader_info(source->reader)->frames - 1;
  int64_t at = number == last ? last : scree_reader_key(source->reader, number);
  int status = 0;
  view_sample sample;
  if (most < 1) return refuse_request(out, 400, "most must be at least 1");
  fields &= SCREE_FIELD_DEFAULT;
  const scree_frame *f = read_frame(source, at, fields, out, &status);
  if (!f) return status;
  if (!view_sample_make(&sample, f, most)) return refuse_request(out, 500, "no memory");
  put_frame(source, &sample.frame, at, fields, 0, out);
  view_sample_free(&sample);
  return 0;
}

int view_source_geometry(view_source *source, int64_t number, view_bytes *out) {
  if (number < 0 || number >= source->shelf.count)
    return refuse_request(out, 404, "there is no such geometry");
  view_wire_geometry(out, source->shelf.entry[number].geometry);
  return 0;
}

enum { HISTORY_ROW = 12, HISTORY_MOST = 256 };
static void put_history(view_bytes *out, const scree_frame *f, int64_t number, uint64_t body) {
  double *row = view_bytes_take(out, HISTORY_ROW * sizeof *row);
  if (!row) return;
  row[0] = (double)number, row[1] = f->time;
  for (int c = 2; c < HISTORY_ROW - 1; c++) row[c] = NAN;
  const int64_t at = scree_frame_row(f, body);
  if (at < 0) return;
  memcpy(row + 2, f->position + 3 * at, 3 * sizeof *row);
  if (f->velocity) memcpy(row + 5, f->velocity + 3 * at, 3 * sizeof *row);
  if (f->spin) memcpy(row + 8, f->spin + 3 * at, 3 * sizeof *row);
  row[HISTORY_ROW - 1] = 1;
}

int view_source_history(
    view_source *source, uint64_t body, int64_t from, int64_t count, int64_t step, view_bytes *out) {
  int64_t frames = scree_reader_info(source->reader)->frames;
  int status = 0;
  if (step < 1 || from < 0 || count < 1 || count > HISTORY_MOST)
    return refuse_request(out, 400, "from must be at least 0, step at least 1, count 1 to 256");
  for (int64_t i = 0; i < count && from < frames && i <= (frames - 1 - from) / step; i++) {
    const scree_frame *f = read_frame(source, from + i * step, SCREE_FIELD_DEFAULT, out, &status);
    if (!f) return status;
    put_history(out, f, from + i * step, body);
  }
  return 0;
}

/* ---- tables ---- */

/* Appends the head, every `stride`th row and the last complete row of the table, after a comment with the
 * stride. Returns 0 on a read error. */
static int put_thinned(FILE *table, size_t stride, view_bytes *out) {
  char *line = NULL;
  size_t room = 0, row = 0, put = 0;
  ssize_t length;
  view_bytes last = {0};
  view_bytes_print(out, "# every %zu\n", stride);
  while ((length = getline(&line, &room, table)) > 0 && line[length - 1] == '\n') {
    int is_row = line[0] != '#' && row++ > 0;
    if (!is_row || (row - 2) % stride == 0) view_bytes_add(out, line, (size_t)length), put = row;
    last.count = 0;
    view_bytes_add(&last, line, (size_t)length);
  }
  if (put < row && !last.failed) view_bytes_add(out, last.at, last.count);
  out->failed |= last.failed;
  view_bytes_free(&last);
  free(line);
  return !ferror(table);
}

int view_source_table(view_source *source, const char *name, size_t most, view_bytes *out) {
  char path[VIEW_PATH + 160];
  if (!is_table(name) || !*source->folder)
    return refuse_request(out, 403, "only tables (.csv) of the run are shown");
  snprintf(path, sizeof path, "%s/%s", source->folder, name);
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  if (file < 0)
    return errno == ELOOP ? refuse_request(out, 403, "a link")
                          : refuse_request(out, 404, "there is no such table");
  if (fstat(file, &info) || !S_ISREG(info.st_mode))
    return close(file), refuse_request(out, 403, "not a plain file");
  size_t left = (size_t)info.st_size, start = out->count;
  if (left > most) {
    FILE *table = fdopen(file, "r");
    int is_read = table && put_thinned(table, (left + most - 1) / most, out);
    table ? (void)fclose(table) : (void)close(file);
    return is_read ? 0 : (out->count = start, refuse_request(out, 500, "the table cannot be read"));
  }
  char *at = view_bytes_take(out, left);
  ssize_t got = 0;
  while (at && left && (got = read(file, at, left)) > 0) at += got, left -= (size_t)got;
  close(file);
  out->count -= out->failed ? 0 : left;
  return got < 0 ? (out->count = start, refuse_request(out, 500, "the table cannot be read")) : 0;
}
