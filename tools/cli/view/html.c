/* Writes the page with its data. Frames are quantised, stored as differences from the frame before,
 * compressed by zlib, and written as base64 into the JSON of the element #data. */
#include "view/html.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cli.h"
#include "view/page.h"
#include "view/source.h"

enum { FRESH_EVERY = 16, TABLE_MOST = 8 << 20 };

/* Largest page [bytes]; browsers refuse strings longer than half of it. */
static const size_t page_most = (size_t)1 << 30;

/* Appends a comma, unless `first`, and the base64 of the compressed bytes. */
static void put_packed(view_bytes *out, int first, const view_bytes *from) {
  uLongf size = compressBound((uLong)from->count);
  unsigned char *packed = from->failed ? NULL : malloc(size + 1);
  if (!packed || compress2(packed, &size, from->at, (uLong)from->count, 9) != Z_OK) out->failed = 1;
  view_bytes_text(out, first ? "\"" : ",\n\"");
  if (!out->failed) view_bytes_base64(out, packed, size);
  view_bytes_text(out, "\"");
  free(packed);
}

/* ---- precision ---- */

typedef struct extremes {
  double speed, spin, radius_sum, radius_most;
  int64_t radii;
} extremes;

static void note_extremes(extremes *e, const scree_frame *f) {
  for (int64_t i = 0; i < f->bodies; i++) {
    if (f->kind[i] != SCREE_DYNAMIC || !isfinite(f->radius[i])) continue;
    e->radius_sum += f->radius[i], e->radii++;
    e->radius_most = fmax(e->radius_most, f->radius[i]);
    for (int c = 0; c < 3; c++) {
      if (f->velocity) e->speed = fmax(e->speed, fabs(f->velocity[3 * i + c]));
      if (f->spin) e->spin = fmax(e->spin, fabs(f->spin[3 * i + c]));
    }
  }
}

/* Chooses the quanta: twice the precision. Rotations keep points of the largest body within the precision;
 * speeds and spins have three digits of the largest value. */
static view_packing choose_packing(const extremes *e, double precision) {
  double usual = e->radii ? e->radius_sum / (double)e->radii : 0;
  if (!(precision > 0)) precision = usual > 0 ? usual / 50 : 1e-6;
  double turn = e->radius_most > 0 ? precision / e->radius_most : 1e-3;
  return (view_packing){.position = 2 * precision,
      .turn = fmin(fmax(turn, 1e-5), 0.02),
      .speed = e->speed > 0 ? e->speed / 500 : 1,
      .spin = e->spin > 0 ? e->spin / 500 : 1};
}

/* ---- the data ---- */

typedef struct writing {
  const view_html_def *def;
  view_source source;
  int64_t first, last, frames;
  view_bytes data;
} writing;

static int64_t frame_at(const writing *w, int64_t k) { return w->first + k * w->def->every; }

static int choose_frames(writing *w) {
  int64_t count = scree_reader_info(w->source.reader)->frames;
  w->first = w->def->first < 0 ? w->def->first + count : w->def->first;
  w->last = w->def->last < 0 ? w->def->last + count : w->def->last;
  if (w->last >= count) w->last = count - 1;
  if (!count) return cli_fail(CLI_USAGE, "export", "%s has no frame", w->source.file);
  if (w->first < 0 || w->first > w->last || w->def->every < 1)
    return cli_fail(CLI_USAGE, "export", "no frame of 0 to %lld is chosen", (long long)count - 1);
  w->frames = (w->last - w->first) / w->def->every + 1;
  return CLI_OK;
}

static int put_frames(writing *w) {
  scree_error error = {SCREE_OK, ""};
  extremes e = {0};
  view_wire wire = {.shelf = &w->source.shelf, .fields = w->def->fields};
  for (int64_t k = 0; k < w->frames; k++) {
    const scree_frame *f = scree_reader_frame(w->source.reader, frame_at(w, k), &error);
    if (!f) return cli_fail(CLI_IO, "export", "%s", error.text);
    if (!f->position) return cli_fail(CLI_USAGE, "export", "the trajectory keeps no positions");
    if (k == 0) view_source_place(&w->source, f);
    note_extremes(&e, f);
  }
  wire.packing = choose_packing(&e, w->def->precision);
  memcpy(wire.origin, w->source.origin, sizeof wire.origin);
  view_bytes_text(&w->data, ",\n\"frames\": [");
  for (int64_t k = 0; k < w->frames && !w->data.failed; k++) {
    view_bytes bytes = {0};
    const scree_frame *f = scree_reader_frame(w->source.reader, frame_at(w, k), &error);
    wire.fresh = k % FRESH_EVERY == 0;
    if (f) view_wire_frame(&wire, f, k, &bytes);
    put_packed(&w->data, k == 0, &bytes);
    view_bytes_free(&bytes);
    if (!f || w->data.count > page_most) {
      view_wire_free(&wire);
      return f
          ? cli_fail(CLI_USAGE, "export", "the page would exceed 1 GB: choose fewer frames or less precision")
          : cli_fail(CLI_IO, "export", "%s", error.text);
    }
  }
  view_wire_free(&wire);
  view_bytes_text(&w->data, "]");
  return CLI_OK;
}

static void put_times(writing *w) {
  view_bytes_text(&w->data, ",\n\"times\": [");
  for (int64_t k = 0; k < w->frames; k++)
    view_bytes_print(&w->data, "%s%.9g", k ? ", " : "", scree_reader_time(w->source.reader, frame_at(w, k)));
  view_bytes_text(&w->data, "]");
}

static void put_geometries(writing *w) {
  view_bytes_text(&w->data, ",\n\"geometries\": [");
  for (int32_t i = 0; i < w->source.shelf.count; i++) {
    view_bytes bytes = {0};
    view_wire_geometry(&bytes, w->source.shelf.entry[i].geometry);
    put_packed(&w->data, i == 0, &bytes);
    view_bytes_free(&bytes);
  }
  view_bytes_text(&w->data, "]");
}

static void put_table(void *context, const char *name, int first) {
  writing *w = context;
  view_bytes bytes = {0};
  int refused = view_source_table(&w->source, name, TABLE_MOST, &bytes);
  if (refused) bytes.count = 0;
  view_bytes_text(&w->data, first ? "" : ",\n");
  view_bytes_json(&w->data, name);
  view_bytes_text(&w->data, ": ");
  put_packed(&w->data, 1, &bytes);
  view_bytes_free(&bytes);
}

static int put_data(writing *w) {
  view_bytes_print(&w->data, "{\"fresh_every\": %d,\n\"about\": ", FRESH_EVERY);
  view_source_about(&w->source, 0, &w->data);
  put_times(w);
  int code = put_frames(w);
  if (code) return code;
  put_geometries(w);
  view_bytes_text(&w->data, ",\n\"tables\": {");
  view_source_tables(&w->source, put_table, w);
  view_bytes_text(&w->data, "}}");
  return w->data.failed ? cli_fail(CLI_FAILED, "export", "no memory") : CLI_OK;
}

/* ---- the file ---- */

static int write_file(const char *path, const view_bytes *page) {
  struct stat info;
  FILE *file = fopen(path, "wb");
  int fine = file && fwrite(page->at, 1, page->count, file) == page->count;
  if (file) fine = !fclose(file) && fine;
  if (!fine && file && !lstat(path, &info) && S_ISREG(info.st_mode)) unlink(path); // no device
  return fine ? CLI_OK : cli_fail(CLI_IO, "export", "cannot write %s", path);
}

int view_html_write(const view_html_def *def, int64_t *bytes) {
  writing w = {.def = def};
  view_bytes page = {0};
  const char *three = view_page_three("export");
  if (!three) return CLI_FAILED;
  int code = view_source_open(&w.source, "export", def->run);
  if (!code) code = choose_frames(&w);
  if (!code) code = put_data(&w);
  if (!code && !view_page(three, (const char *)w.data.at, w.data.count, &page))
    code = cli_fail(CLI_FAILED, "export", "%s cannot be read, or there is no memory", three);
  if (!code) code = write_file(def->file, &page);
  *bytes = (int64_t)page.count;
  view_bytes_free(&page), view_bytes_free(&w.data);
  if (w.source.reader) view_source_close(&w.source);
  return code;
}
