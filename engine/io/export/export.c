/* Exports: the list of formats, checks of the caller's options, and the loop over the exported frames. */
#include "io/export/export.h"

#include <string.h>

#define DECLARE(upper, name, word) extern const sc_exporter sc_export_##name;
SCREE_FORMAT_LIST(DECLARE, DECLARE)
#define ENTER(upper, name, word) [SCREE_##upper] = &sc_export_##name,
static const sc_exporter *const exporters[SCREE_FORMATS] = {SCREE_FORMAT_LIST(ENTER, ENTER)};

const char *scree_format_name(int format) {
  return format >= 0 && format < SCREE_FORMATS ? exporters[format]->name : NULL;
}

int scree_format_has_contacts(int format) {
  return format >= 0 && format < SCREE_FORMATS && exporters[format]->contacts;
}

#define AT(member) offsetof(scree_export_def, member)
const scree_param scree_export_params[] = {
    {"format", SCREE_CHOICE, SCREE_REQUIRED, "", 0, 0, 0, AT(format), SCREE_FORMAT_CHOICES,
        "format of the files"},
    SCREE_ROW_STRING(
        "directory", AT(directory), "folder to write to, created where missing; in the sandbox a plain name"),
    SCREE_ROW_STRING("name", AT(basename), "what the files' names begin with; without it frame"),
    {"stride", SCREE_INTEGER, SCREE_POSITIVE, "", 1, 0, 0, AT(stride), NULL,
        "number of frames from one exported frame to the next"},
    SCREE_ROW_BOOLEAN("contacts", AT(contacts),
        "contacts too (vtp: lines; npz, csv: columns), where the trajectory keeps them"),
    SCREE_ROW_BOOLEAN("single", AT(single), "npz: all frames in one file, with the rows where each begins"),
    SCREE_ROW_INTEGER("detail", AT(detail), 0, 0, 0,
        "ply, stl: sides of round shapes, 8, 12, ... 48; 0: fewer for many grains"),
    SCREE_ROW_BOOLEAN("loads", AT(loads),
        "force, torque and number of contacts of each body, where the trajectory keeps contacts"),
    SCREE_ROW_BOOLEAN("grains", AT(grains), "stl: also a file of the grains for each frame"),
    SCREE_ROW_BOOLEAN("parts", AT(parts), "a row for each ball of a clump, with the body's id as clump"),
};
const int scree_export_params_count = sizeof scree_export_params / sizeof *scree_export_params;

scree_export_def scree_export_defaults(void) {
  return (scree_export_def){.directory = ".",
      .basename = "frame",
      .first = 0,
      .last = -1,
      .stride = 1,
      .fields = SCREE_FIELD_DEFAULT};
}

/* ---- the loop ---- */

static scree_status check_export_names(const scree_export_def *def, scree_error *error) {
  if (!def->directory || !def->basename || !*def->basename)
    return sc_fail(error, SCREE_E_ARGUMENT, "export: directory and name must not be empty");
  const char *slash = strrchr(def->basename, '/');
  if (!slash) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "export: name '%s' has a slash; name the folder by --output (Lua: directory), and the files '%s'",
      def->basename, slash[1] ? slash + 1 : "frame");
}

/* Refuses the options parts, loads and contacts if the format cannot write them, or if the trajectory has no
 * contacts to compute them from. */
static scree_status check_export_contents(
    const scree_export_def *def, const scree_trajectory_info *info, scree_error *error) {
  const sc_exporter *to = exporters[def->format];
  if (def->parts && to->triangles)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: %s draws every shape and has no parts; leave parts out", to->name);
  if (def->loads && !to->columns)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: %s has no further values of bodies; leave loads out", to->name);
  if (def->contacts && !to->contacts)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: %s has no contacts; csv, npz and vtp do; leave contacts out", to->name);
  if (def->single && def->format != SCREE_NPZ)
    return sc_fail(error, SCREE_E_ARGUMENT, "export: single is for npz, not for %s; leave it out", to->name);
  if (def->grains && def->format != SCREE_STL)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: grains is for stl, not for %s, which always has the grains; leave it out", to->name);
  if ((def->loads || def->contacts) && !(info->fields & SCREE_FIELD_CONTACTS))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: the trajectory keeps no contacts%s: name them in the scene, output = { trajectory = { "
        "fields = { \"position\", \"contacts\" } } }, and run it again, or leave %s out",
        def->loads ? ", which loads need" : "", def->loads ? "loads" : "contacts");
  return SCREE_OK;
}

/* Returns the multiple of 4 from 8 to 48 that is nearest to a number of sides. */
static int nearest_detail(int64_t detail) {
  return detail < 8 ? 8 : detail > 46 ? 48 : (int)(detail + 2) / 4 * 4;
}

static scree_status check_detail(const scree_export_def *def, scree_error *error) {
  const sc_exporter *to = exporters[def->format];
  if (!def->detail) return SCREE_OK;
  if (def->detail != nearest_detail(def->detail))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: detail must be a multiple of 4 from 8 to 48 (sides of round shapes), not %lld; the nearest "
        "is "
        "%d",
        (long long)def->detail, nearest_detail(def->detail));
  if (!to->triangles)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: %s has no triangles, ply and stl do; leave detail out", to->name);
  return SCREE_OK;
}

/* Checks the stride and the range of frames. Sets *last to the index of the last exported frame, from 0. A
 * negative def->last counts from the end: -1 is the last frame of the trajectory. */
static scree_status check_export_frames(
    const scree_export_def *def, int64_t frames, int64_t *last, scree_error *error) {
  if (!frames) return sc_fail(error, SCREE_E_ARGUMENT, "export: the trajectory has no frames");
  *last = def->last < 0 ? frames + def->last : def->last;
  if (def->first >= 0 && def->first <= *last && *last < frames) return SCREE_OK;
  const int64_t most = frames - 1,
                from = def->first < 0 ? 0
      : def->first > most             ? most
                                      : def->first,
                to = *last < from ? from
      : *last > most              ? most
                                  : *last;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "export: frames %lld to %lld are not in 0 to %lld; the nearest are %lld to %lld", (long long)def->first,
      (long long)*last, (long long)most, (long long)from, (long long)to);
}

static scree_status check_export(
    const scree_export_def *def, const scree_trajectory_info *info, int64_t *last, scree_error *error) {
  scree_status status = scree_param_check_all(
      scree_export_params, scree_export_params_count, def, "export", error);
  if (!status) status = check_export_names(def, error);
  if (!status) status = check_export_contents(def, info, error);
  if (!status) status = check_detail(def, error);
  return status ? status : check_export_frames(def, info->frames, last, error);
}

/* Stores the columns of the first exported frame. Fails if a later frame has columns with other names,
 * because a file names its columns only once. */
static scree_status check_columns(sc_export *ex, int64_t number, scree_error *error) {
  const scree_frame *f = ex->frame;
  if (!ex->ordinal) {
    ex->columns = f->columns;
    if (f->columns) memcpy(ex->column, f->column, (size_t)f->columns * sizeof *f->column);
  }
  bool alike = f->columns == ex->columns;
  for (int32_t k = 0; k < f->columns && alike; k++) alike = !strcmp(f->column[k].name, ex->column[k].name);
  if (alike) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT,
      "export: frame %lld has other columns of the script than frame %lld; export them apart",
      (long long)number, (long long)ex->def->first);
}

static scree_status export_frame(
    sc_export *ex, const sc_exporter *exporter, scree_reader *reader, int64_t number, scree_error *error) {
  ex->frame = scree_reader_frame(reader, number, error);
  if (!ex->frame) return error && error->status ? error->status : SCREE_E_FORMAT;
  scree_status status = ex->def->chosen ? sc_export_choose(ex, error) : SCREE_OK;
  if (!status && ex->def->loads) status = sc_export_loads(ex, error);
  ex->unwrapped = ex->frame;
  if (!status && ex->def->parts) status = sc_export_parts(ex, error);
  if (!status) status = check_columns(ex, number, error);
  if (status) return status;
  const int there = sc_frame_fields(ex->frame);
  ex->fields = ex->def->fields & there;
  if (exporter->points && ex->frame->bodies && !(there & SCREE_FIELD_POSITION))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "export: the trajectory keeps no positions, which %s needs", exporter->name);
  if (exporter->points) status = sc_export_wrap(ex, error);
  if (!status && exporter->points) status = sc_drawn_choose(ex, error);
  if (!status) status = exporter->frame(ex, error);
  ex->ordinal++;
  return status;
}

static void free_export(sc_export *ex, const sc_exporter *exporter) {
  if (exporter->forget) exporter->forget(ex);
  if (ex->out.file.fd >= 0) sc_out_abandon(&ex->out);
  sc_frame_store_free(&ex->chosen);
  sc_frame_store_free(&ex->parts);
  sc_free(ex->clumps);
  sc_free(ex->loaded.load);
  sc_free(ex->loaded.value);
  sc_free(ex->wrapped.position);
  sc_free(ex->wrapped.velocity);
  sc_free(ex->wrapped.image);
  sc_free(ex->drawn.row);
  sc_free(ex->drawn.shape);
  sc_free(ex->drawn.type);
  sc_bytes_free(&ex->list);
  sc_bytes_free(&ex->contact_list);
  sc_bytes_free(&ex->scratch);
  sc_bytes_free(&ex->column_values);
  sc_bytes_free(&ex->last);
}

scree_status scree_export(
    scree_reader *reader, const scree_export_def *def, int64_t *files, scree_error *error) {
  SC_DEMAND(reader && def, error, SCREE_E_ARGUMENT);
  int64_t last = -1, ignored;
  scree_error local;
  if (!error) error = &local;
  sc_export ex = {.def = def, .files = files ? files : &ignored};
  *ex.files = 0;
  ex.out.file.fd = -1;
  scree_status status = check_export(def, scree_reader_info(reader), &last, error);
  if (!status) status = sc_file_make_folder(def->directory, error);
  if (status) return status;
  const sc_exporter *exporter = exporters[def->format];
  if (exporter->lists && !def->parts)
    scree_reader_want(reader,
        def->fields | (def->contacts ? SCREE_FIELD_CONTACTS : 0) |
            (def->loads ? SCREE_FIELD_CONTACTS | SCREE_FIELD_POSITION : 0));
  if (exporter->begin) status = exporter->begin(&ex, error);
  for (int64_t i = def->first; i <= last && !status; i += def->stride)
    status = export_frame(&ex, exporter, reader, i, error);
  if (!status && exporter->end) status = exporter->end(&ex, error);
  free_export(&ex, exporter);
  if (exporter->lists) scree_reader_want(reader, 0);
  return status;
}
