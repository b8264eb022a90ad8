/* Legacy VTK files, ASCII and BINARY: reads points, and the arrays of POINT_DATA. Binary numbers have the
 * most significant byte first. Skips cells. */
#include <math.h>
#include <string.h>
#include "io/grains/grains.h"

static bool is_vtk(const sc_grain_table *t) { return sc_grain_begins(t->bytes, t->end, "# vtk DataFile"); }

typedef struct reader {
  sc_grain_table *t;
  const char *at;
  bool is_binary, is_point_data, has_points;
} reader;

/* Sets *out to the binary form of numbers of the type `word`. Returns false for other types, such as bit and
 * string. */
static bool find_vtk_kind(sc_grain_cell word, sc_grain_kind *out) {
  static const struct {
    const char *name;
    sc_grain_kind kind;
  } kinds[] = {{"float", {'f', 4, true}}, {"double", {'f', 8, true}}, {"int", {'i', 4, true}},
      {"unsigned_int", {'u', 4, true}}, {"long", {'i', 8, true}}, {"unsigned_long", {'u', 8, true}},
      {"vtkIdType", {'i', 4, true}}, {"vtktypeint64", {'i', 8, true}}, {"vtktypeuint64", {'u', 8, true}},
      {"vtktypeint32", {'i', 4, true}}, {"short", {'i', 2, true}}, {"unsigned_short", {'u', 2, true}},
      {"char", {'i', 1, true}}, {"unsigned_char", {'u', 1, true}}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (sc_grain_is(word, kinds[k].name)) return *out = kinds[k].kind, true;
  return false;
}

/* Moves r->at past the end of the line. */
static void skip_line(reader *r) {
  r->at = sc_grain_next_line(sc_grain_line_end(r->at, r->t->end), r->t->end);
}

/* Skips a METADATA block up to an empty line. The word METADATA has already been read. */
static void skip_metadata(reader *r) {
  skip_line(r);
  while (r->at < r->t->end && sc_grain_line_end(r->at, r->t->end) > r->at) skip_line(r);
}

/* Reads an array of tuples at r->at into the columns from `first` on. first < 0: skips the array. */
static scree_status read_tuples(
    reader *r, sc_grain_cell type, int64_t tuples, int64_t components, int first, scree_error *error) {
  const sc_grain_table *t = r->t;
  sc_grain_kind kind;
  if (!find_vtk_kind(type, &kind))
    return sc_grain_fail(t, type.at, error, "numbers of type '%.*s' are not read",
        (int)(type.length < 40 ? type.length : 40), type.at);
  if (components < 1 || tuples < 0 || tuples > (t->end - t->bytes) / components)
    return sc_grain_fail(t, type.at, error, "the file cannot contain %lld tuples of %lld numbers",
        (long long)tuples, (long long)components);
  if (r->is_binary) {
    const int64_t size = tuples * components * kind.bytes;
    if (size > t->end - r->at) return sc_grain_fail(t, type.at, error, "the file ends within the array");
    for (int64_t k = 0; k < components && first >= 0; k++)
      sc_grain_take(kind, (const unsigned char *)r->at + k * kind.bytes, tuples, components * kind.bytes,
          t->column[first + k].value, 1);
    r->at += size;
    return SCREE_OK;
  }
  for (int64_t i = 0; i < tuples; i++)
    for (int64_t k = 0; k < components; k++) {
      double value;
      const scree_status status = sc_grain_read_numbers(t, &r->at, t->end, 1, &value, 1, error);
      if (status) return status;
      if (first >= 0) t->column[first + k].value[i] = value;
    }
  return SCREE_OK;
}

/* Reads an array into new columns if it belongs to the points. Skips other arrays. */
static scree_status read_vtk_array(reader *r, sc_grain_cell name, sc_grain_cell type, int64_t tuples,
    int64_t components, scree_error *error) {
  sc_grain_table *t = r->t;
  const bool of_points = r->is_point_data && r->has_points && tuples == t->rows && components <= 16;
  int first = -1;
  if (of_points) {
    first = sc_grain_add_vector(t, name.at, name.length, components);
    if (first < 0 || !sc_grain_reserve(t, t->rows)) return sc_grain_no_memory(t, error);
  }
  return read_tuples(r, type, tuples, components, first, error);
}

static bool take_whole(reader *r, const char *stop, int64_t *out) {
  sc_grain_cell word;
  return sc_grain_word(&r->at, stop, &word) && sc_grain_whole(word.at, word.length, out);
}

static scree_status read_points(reader *r, const char *stop, scree_error *error) {
  sc_grain_table *t = r->t;
  int64_t count;
  sc_grain_cell type;
  const char *line = r->at;
  if (!take_whole(r, stop, &count) || !sc_grain_word(&r->at, stop, &type))
    return sc_grain_fail(t, line, error, "POINTS must have a number and a type");
  if (r->has_points) return sc_grain_fail(t, line, error, "POINTS comes twice");
  const int first = sc_grain_add_vector(t, "points", 6, 3);
  if (count > t->end - t->bytes)
    return sc_grain_fail(t, line, error, "the file cannot contain %lld points", (long long)count);
  if (first < 0 || !sc_grain_reserve(t, count)) return sc_grain_no_memory(t, error);
  skip_line(r);
  t->rows = count, r->has_points = true;
  return read_tuples(r, type, count, 3, first, error);
}

/* Skips a list of cells: the numbers after "CELLS n size", or the lists OFFSETS and CONNECTIVITY of VTK
 * 5.1. */
static scree_status skip_cells(reader *r, const char *stop, scree_error *error) {
  static const sc_grain_cell integer = {"int", 3};
  int64_t count, size = 0;
  const char *line = r->at;
  sc_grain_cell word, type;
  if (!take_whole(r, stop, &count))
    return sc_grain_fail(r->t, line, error, "a list of cells without a number");
  const bool has_size = take_whole(r, stop, &size);
  skip_line(r);
  if (!has_size) size = count; /* in the section CELL_TYPES the first number is also the size */
  const char *at = r->at;
  if (!sc_grain_word(&at, r->t->end, &word) || !sc_grain_is(word, "OFFSETS"))
    return read_tuples(r, integer, size, 1, -1, error);
  for (int k = 0; k < 2; k++) {
    if (!sc_grain_word(&r->at, r->t->end, &word) || !sc_grain_word(&r->at, r->t->end, &type))
      return sc_grain_fail(r->t, line, error, "the list of cells is cut off");
    skip_line(r);
    const scree_status status = read_tuples(r, type, k ? size : count, 1, -1, error);
    if (status) return status;
  }
  return SCREE_OK;
}

/* Reads the arrays after "FIELD name arrays". Each begins with the line "name components tuples type". */
static scree_status read_vtk_field(reader *r, const char *stop, scree_error *error) {
  int64_t arrays, components, tuples;
  sc_grain_cell name, type;
  const char *line = r->at;
  if (!sc_grain_word(&r->at, stop, &name) || !take_whole(r, stop, &arrays))
    return sc_grain_fail(r->t, line, error, "FIELD must have a name and a number");
  skip_line(r);
  for (int64_t k = 0; k < arrays; k++) {
    const char *begin = r->at;
    bool has_name = sc_grain_word(&r->at, r->t->end, &name);
    if (has_name && sc_grain_is(name, "METADATA")) {
      skip_metadata(r);
      has_name = sc_grain_word(&r->at, r->t->end, &name);
    }
    if (!has_name || !take_whole(r, r->t->end, &components) || !take_whole(r, r->t->end, &tuples) ||
        !sc_grain_word(&r->at, r->t->end, &type))
      return sc_grain_fail(
          r->t, begin, error, "an array of FIELD must say name, components, tuples and type");
    skip_line(r);
    const scree_status status = read_vtk_array(r, name, type, tuples, components, error);
    if (status) return status;
  }
  return SCREE_OK;
}

/* Reads the array after "SCALARS name type components" or "VECTORS name type". components 0: the line gives
 * the number, or else it is 1. */
static scree_status read_attribute(reader *r, const char *stop, int64_t components, scree_error *error) {
  sc_grain_cell name, type, word;
  const char *line = r->at;
  if (!sc_grain_word(&r->at, stop, &name) || !sc_grain_word(&r->at, stop, &type))
    return sc_grain_fail(r->t, line, error, "an array must have a name and a type");
  if (!components && !take_whole(r, stop, &components)) components = 1;
  skip_line(r);
  const char *at = r->at;
  if (sc_grain_word(&at, r->t->end, &word) && sc_grain_is(word, "LOOKUP_TABLE")) skip_line(r);
  return read_vtk_array(r, name, type, r->t->rows, components, error);
}

/* Reads the section that begins with `word`. Skips the line if the word is another. */
static scree_status read_vtk_section(reader *r, sc_grain_cell word, const char *stop, scree_error *error) {
  static const struct {
    const char *name;
    int components; /* 0: the line may give the number */
  } attributes[] = {{"SCALARS", 0}, {"VECTORS", 3}, {"NORMALS", 3}, {"TENSORS", 9}};
  static const char *const cells[] = {
      "CELLS", "CELL_TYPES", "VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS"};
  if (sc_grain_is(word, "POINTS")) return read_points(r, stop, error);
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
    if (sc_grain_is(word, cells[k])) return skip_cells(r, stop, error);
  if (sc_grain_is(word, "FIELD")) return read_vtk_field(r, stop, error);
  for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
    if (sc_grain_is(word, attributes[k].name) && r->is_point_data)
      return read_attribute(r, stop, attributes[k].components, error);
  if (sc_grain_is(word, "POINT_DATA")) r->is_point_data = true;
  if (sc_grain_is(word, "METADATA")) return skip_metadata(r), SCREE_OK;
  skip_line(r);
  return SCREE_OK;
}

static scree_status read_vtk(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  reader r = {.t = t, .at = t->bytes};
  sc_grain_cell word;
  scree_status status = sc_grain_choose_frame(t, def->frame, 1, error);
  skip_line(&r);
  skip_line(&r); /* the second line is the title */
  if (!status &&
      (!sc_grain_word(&r.at, t->end, &word) || !(sc_grain_is(word, "ASCII") || sc_grain_is(word, "BINARY"))))
    status = sc_fail(error, SCREE_E_FORMAT, "%s:3: ASCII or BINARY is missing", t->path);
  r.is_binary = !status && sc_grain_is(word, "BINARY");
  while (!status && sc_grain_word(&r.at, t->end, &word)) {
    if (sc_grain_is(word, "CELL_DATA")) break; /* all writers write arrays of points before arrays of cells */
    status = read_vtk_section(&r, word, sc_grain_line_end(r.at, t->end), error);
  }
  if (!status && !r.has_points) status = sc_fail(error, SCREE_E_FORMAT, "%s: there are no POINTS", t->path);
  return status;
}

const sc_grain_format sc_grain_vtk = {"vtk", is_vtk, read_vtk};
