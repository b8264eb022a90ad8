/* Exports: checks, the loop over the chosen frames, and the choice of drawn bodies. */
#include "io/export/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DECLARE(upper, name) extern const sc_exporter sc_export_##name;
SCREE_FORMAT_LIST(DECLARE, DECLARE)
#define ENTER(upper, name) [SCREE_##upper] = &sc_export_##name,
static const sc_exporter *const exporters[SCREE_FORMATS] = {SCREE_FORMAT_LIST(ENTER, ENTER)};

const char *scree_format_name(int format) {
  return format >= 0 && format < SCREE_FORMATS ? exporters[format]->name : NULL;
}

scree_export_def scree_export_defaults(void) {
  return (scree_export_def){.directory = ".",
      .basename = "frame",
      .first = 0,
      .last = -1,
      .stride = 1,
      .fields = SCREE_FIELD_DEFAULT};
}

scree_status sc_export_no_memory(scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "export: out of memory");
}

const char *sc_drawn_name(int type) {
  return type == SC_DRAWN_COMPOUND ? "compound" : scree_shape_kind_at(type)->name;
}

int64_t sc_frame_row(const scree_frame *frame, uint64_t id) {
  SC_ASSERT(frame);
  int64_t low = 0, high = frame->bodies;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (frame->id[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low < frame->bodies && frame->id[low] == id ? low : -1;
}

/* ---- names ---- */

scree_status sc_export_open(sc_export *ex, sc_out *out, const char *ending, bool gzip, scree_error *error) {
  SC_ASSERT(ex && out && ending);
  size_t room = strlen(ex->def->directory) + strlen(ex->def->basename) + strlen(ending) + 2;
  char *path = sc_alloc(room);
  if (!path) return sc_export_no_memory(error);
  snprintf(path, room, "%s/%s%s", ex->def->directory, ex->def->basename, ending);
  scree_status status = sc_out_open(out, path, gzip, error);
  sc_free(path);
  if (!status) ++*ex->files;
  return status;
}

scree_status sc_export_open_numbered(
    sc_export *ex, sc_out *out, const char *name, const char *ending, bool gzip, scree_error *error) {
  SC_ASSERT(ex && out && name && ending);
  char tail[96];
  snprintf(tail, sizeof tail, "%s_%06lld%s", name, (long long)ex->ordinal, ending);
  return sc_export_open(ex, out, tail, gzip, error);
}

/* ---- drawn bodies ---- */

static bool is_drawn(const scree_frame *frame, int64_t row, int type) {
  return isfinite(frame->radius[row]) && (frame->kind[row] == SCREE_DYNAMIC || type == SCREE_SPHERE);
}

static void widen(sc_drawn *drawn, const double *x, double radius) {
  for (int k = 0; k < 3; k++) {
    drawn->low[k] = fmin(drawn->low[k], x[k] - radius);
    drawn->high[k] = fmax(drawn->high[k], x[k] + radius);
  }
}

/* Walks bodies and shapes side by side, both in order of ids. */
static scree_status choose(sc_export *ex, scree_error *error) {
  const scree_frame *frame = ex->frame;
  sc_drawn *d = &ex->drawn;
  size_t n = (size_t)frame->bodies + 1;
  if (!SC_GROW(d->row, d->row_capacity, n) || !SC_GROW(d->shape, d->shape_capacity, n) ||
      !SC_GROW(d->type, d->type_capacity, n))
    return sc_export_no_memory(error);
  d->count = 0;
  for (int k = 0; k < 3; k++) {
    d->low[k] = INFINITY;
    d->high[k] = -INFINITY;
  }
  int64_t s = 0;
  for (int64_t r = 0; r < frame->bodies; r++) {
    int64_t first = s;
    while (s < frame->shapes && frame->shape[s].body == frame->id[r]) s++;
    int type = s - first > 1 ? SC_DRAWN_COMPOUND : s > first ? frame->shape[first].type : SCREE_SPHERE;
    if (!is_drawn(frame, r, type)) continue;
    d->row[d->count] = r;
    d->shape[d->count] = s > first ? frame->shape + first : NULL;
    d->type[d->count++] = type;
    widen(d, frame->position + 3 * r, frame->radius[r]);
  }
  for (int k = 0; k < 3 && !d->count; k++) d->low[k] = d->high[k] = 0;
  return SCREE_OK;
}

/* ---- the loop ---- */

static scree_status check(
    const scree_export_def *def, const scree_trajectory_info *info, int64_t *last, scree_error *error) {
  if (def->format < 0 || def->format >= SCREE_FORMATS)
    return sc_fail(error, SCREE_E_ARGUMENT, "export: unknown format %d", def->format);
  if (!def->directory || !def->basename || !*def->basename || strchr(def->basename, '/'))
    return sc_fail(error, SCREE_E_ARGUMENT, "export: directory and basename must be given");
  if (def->stride < 1)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: stride must be at least 1, not %lld", (long long)def->stride);
  *last = def->last < 0 ? info->frames + def->last : def->last;
  if (def->first < 0 || def->first > *last || *last >= info->frames)
    return sc_fail(error, SCREE_E_ARGUMENT, "export: frames %lld to %lld are not in 0 to %lld",
        (long long)def->first, (long long)*last, (long long)info->frames - 1);
  return SCREE_OK;
}

static scree_status one_frame(
    sc_export *ex, const sc_exporter *exporter, scree_reader *reader, int64_t number, scree_error *error) {
  ex->frame = scree_reader_frame(reader, number, error);
  if (!ex->frame) return error && error->status ? error->status : SCREE_E_FORMAT;
  int there = (ex->frame->position ? SCREE_FIELD_POSITION : 0) |
      (ex->frame->orientation ? SCREE_FIELD_ORIENTATION : 0) |
      (ex->frame->velocity ? SCREE_FIELD_VELOCITY : 0) | (ex->frame->spin ? SCREE_FIELD_SPIN : 0);
  ex->fields = ex->def->fields & there;
  if (exporter->points && ex->frame->bodies && !(there & SCREE_FIELD_POSITION))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: the trajectory keeps no positions, which %s needs", exporter->name);
  scree_status status = exporter->points ? choose(ex, error) : SCREE_OK;
  if (!status) status = exporter->frame(ex, error);
  ex->ordinal++;
  return status;
}

static void release(sc_export *ex, const sc_exporter *exporter) {
  if (exporter->forget) exporter->forget(ex);
  if (ex->out.file.fd >= 0) sc_out_abandon(&ex->out);
  sc_free(ex->drawn.row);
  sc_free(ex->drawn.shape);
  sc_free(ex->drawn.type);
  sc_bytes_free(&ex->list);
  sc_bytes_free(&ex->contact_list);
  sc_bytes_free(&ex->scratch);
  sc_bytes_free(&ex->last);
}

scree_status scree_export(
    scree_reader *reader, const scree_export_def *def, int64_t *files, scree_error *error) {
  int64_t last = -1, ignored;
  scree_error local;
  if (!error) error = &local;
  sc_export ex = {.def = def, .files = files ? files : &ignored};
  *ex.files = 0;
  ex.out.file.fd = -1;
  scree_status status = check(def, scree_reader_info(reader), &last, error);
  if (!status) status = sc_file_make_folder(def->directory, error);
  if (status) return status;
  const sc_exporter *exporter = exporters[def->format];
  if (exporter->begin) status = exporter->begin(&ex, error);
  for (int64_t i = def->first; i <= last && !status; i += def->stride)
    status = one_frame(&ex, exporter, reader, i, error);
  if (!status && exporter->end) status = exporter->end(&ex, error);
  release(&ex, exporter);
  return status;
}
