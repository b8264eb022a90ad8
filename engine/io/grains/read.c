/* Reads files of grains: decompresses the whole file, detects its format, and calls the reader of the
 * format. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "io/grains/grains.h"
#include "scree/geometry.h"
#include "scree/param.h"

static const size_t FILE_MOST = (size_t)4 << 30; /* maximum size of a file after decompression [bytes] */

/* The formats, in the order in which files are tested for them. A file that has no other format is read as a
 * text table. */
static const sc_grain_format *const formats[] = {&sc_grain_gsd, &sc_grain_npy, &sc_grain_npz, &sc_grain_vtk,
    &sc_grain_vtk_xml, &sc_grain_lammps_dump, &sc_grain_mercury_restart, &sc_grain_xyz, &sc_grain_lammps_data,
    &sc_grain_mercury_data, &sc_grain_text};
enum { FORMATS = sizeof formats / sizeof *formats };

const sc_grain_format *sc_grain_format_at(int index) {
  return index >= 0 && index < FORMATS ? formats[index] : NULL;
}
const char *scree_grains_format(int format) {
  const sc_grain_format *f = sc_grain_format_at(format);
  return f ? f->name : NULL;
}

#define AT(member) offsetof(scree_grains_def, member)
const scree_param scree_grains_params[] = {
    {"file", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, AT(path), NULL, "file of grains; gzip is unpacked"},
    SCREE_ROW_STRING("format", AT(format),
        "text, lammps-data, lammps-dump, vtk, vtk-xml, xyz, npy, npz, mercury-data, mercury-restart, gsd; by "
        "content without it"),
    SCREE_ROW_INTEGER("frame", AT(frame), -1, 0, 0, "of files with several: 1 the first, -1 the last"),
    SCREE_ROW_VALUE("columns", "",
        "{ FIELD = NAME or NUMBER or { NAME, unit = UNIT } or false }; usual names are found without it"),
    SCREE_ROW_VALUE("values", "", "{ NAME = COLUMN }: columns of the file that become columns of the world"),
    SCREE_ROW_CHOICE("unit", AT(unit), 0, SCREE_LENGTH_UNITS, "unit of lengths in the file"),
    SCREE_ROW_STRING(
        "mass_unit", AT(mass_unit), "unit of masses; densities are then in it per cube of `unit`"),
    SCREE_ROW_STRING("time_unit", AT(time_unit), "unit of times"),
    SCREE_ROW_STRING("separator", AT(separator), "of tables of text: \",\", \";\", \"|\", \"\\t\" or \" \""),
    SCREE_ROW_POSITIVE("radius", AT(radius), "m", 0, "of all grains, instead of the file's sizes"),
};
const int scree_grains_params_count = sizeof scree_grains_params / sizeof *scree_grains_params;

scree_grains_def scree_grains_defaults(void) { return (scree_grains_def){.frame = -1}; }

scree_status sc_grain_check_separator(const char *separator, const char *path, scree_error *error) {
  if (!separator || (strlen(separator) == 1 && strchr(",;|\t ", *separator))) return SCREE_OK;
  return sc_fail(error, SCREE_E_ARGUMENT, "%s.separator must be \",\", \";\", \"|\", \"\\t\" or \" \"", path);
}

static const char *format_name(const void *context, int i) {
  (void)context;
  return formats[i]->name;
}

static scree_status find_format(
    const sc_grain_table *t, const char *name, const sc_grain_format **out, scree_error *error) {
  for (int k = 0; k < FORMATS; k++)
    if (name ? !strcmp(name, formats[k]->name) : formats[k]->is(t)) return *out = formats[k], SCREE_OK;
  const char *near = scree_nearest_name(name, FORMATS, format_name, NULL);
  return sc_fail(error, SCREE_E_ARGUMENT, "format: there is no '%.40s'%s%s%s", name,
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Reads the grains of a file into g. bytes: its contents, decompressed and followed by a zero byte. */
static scree_status parse_bytes(
    scree_grains *g, const scree_grains_def *def, const char *bytes, size_t count, scree_error *error) {
  sc_grain_table t = {
      .path = def->path, .bytes = bytes, .end = bytes + count, .time = NAN, .split = {' ', '.'}};
  const sc_grain_format *format = NULL;
  scree_status status = SCREE_OK;
  if (!count) status = sc_fail(error, SCREE_E_FORMAT, "%s: the file is empty", def->path);
  if (!status) status = find_format(&t, def->format, &format, error);
  /* a format that the caller names must also recognise the file, because its reader relies on the first
   * bytes */
  if (!status && def->format && format != &sc_grain_text && !format->is(&t))
    status = sc_fail(error, SCREE_E_FORMAT, "%s: it is no %s", def->path, format->name);
  if (!status) status = format->read(&t, def, error);
  if (!status) {
    g->info.format = format->name;
    status = sc_grains_choose(g, &t, def, error);
  }
  sc_grain_clear(&t);
  return status;
}

scree_grains *sc_grains_parse(
    const scree_grains_def *def, const char *bytes, size_t count, scree_error *error) {
  scree_grains *g = sc_alloc(sizeof *g);
  if (!g) return sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", def->path), NULL;
  if (parse_bytes(g, def, bytes, count, error) == SCREE_OK) return g;
  return scree_grains_destroy(g), NULL;
}

/* Opens a regular file with zlib, which also reads uncompressed files. Returns NULL with an error on
 * failure. */
static gzFile open_grain_file(const char *path, scree_error *error) {
  struct stat info;
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno)), NULL;
  gzFile file = !fstat(descriptor, &info) && S_ISREG(info.st_mode) ? gzdopen(descriptor, "rb") : NULL;
  if (file) return file;
  close(descriptor);
  return sc_fail(error, SCREE_E_IO, "%s: not a regular file", path), NULL;
}

scree_status sc_grain_slurp(const char *path, char **bytes, size_t *count, scree_error *error) {
  size_t capacity = 0;
  gzFile file = open_grain_file(path, error);
  if (!file) return SCREE_E_IO;
  scree_status status = SCREE_OK;
  gzbuffer(file, 1 << 18);
  for (int got = 1; got > 0 && !status;) {
    if (*count > FILE_MOST) status = sc_fail(error, SCREE_E_FORMAT, "%s: larger than 4 GiB", path);
    else if (!SC_GROW(*bytes, capacity, *count + (1 << 20)))
      status = sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", path);
    else if ((got = gzread(file, *bytes + *count, (1 << 20) - 1)) < 0)
      status = sc_fail(error, SCREE_E_IO, "%s: it is damaged or cannot be read", path);
    else *count += (size_t)got;
  }
  if (gzclose(file) == Z_BUF_ERROR && !status)
    status = sc_fail(error, SCREE_E_FORMAT, "%s: the packed file is cut off", path);
  if (!status) (*bytes)[*count] = 0;
  return status;
}

scree_grains *scree_grains_read(const scree_grains_def *def, scree_error *error) {
  SC_DEMAND(def && def->path, error, NULL);
  if (scree_param_check_all(scree_grains_params, scree_grains_params_count, def, "read_grains", error) ||
      sc_grain_check_separator(def->separator, "read_grains", error))
    return NULL;
  char *bytes = NULL;
  size_t count = 0;
  scree_grains *g = NULL;
  if (sc_grain_slurp(def->path, &bytes, &count, error) == SCREE_OK)
    g = sc_grains_parse(def, bytes, count, error);
  sc_free(bytes);
  return g;
}

void scree_grains_destroy(scree_grains *grains) {
  if (!grains) return;
  for (int k = 0; k < grains->extra_count; k++) sc_free(grains->extra[k]);
  sc_free(grains->extra);
  sc_free(grains->row);
  sc_free(grains->column);
  sc_free(grains->kind);
  sc_free(grains);
}

void scree_grains_get_info(const scree_grains *grains, scree_grains_info *info) {
  SC_DEMAND(grains && info, NULL, );
  *info = grains->info;
}

scree_grain *scree_grains_rows(scree_grains *grains) {
  SC_DEMAND(grains, NULL, NULL);
  return grains->row;
}

const double *scree_grains_values(const scree_grains *grains, int extra) {
  SC_DEMAND(grains && extra >= 0 && extra < grains->extra_count, NULL, NULL);
  return grains->extra[extra];
}

const char *scree_grains_column(const scree_grains *grains, int column) {
  SC_DEMAND(grains && column >= 0 && column < grains->info.columns, NULL, NULL);
  return grains->column[column];
}

const char *scree_grains_kind(const scree_grains *grains, int kind) {
  SC_DEMAND(grains && kind >= 0 && kind < grains->info.kinds, NULL, NULL);
  return grains->kind[kind];
}
