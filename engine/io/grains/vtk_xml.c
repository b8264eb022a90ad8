/* VTK's XML files of points: VTP and VTU. Arrays are text, base64, or appended bytes, and may be compressed
 * with zlib.
 *
 * The appended section of a file may contain any bytes, which an XML library would reject. Therefore this
 * file parses the tags up to that section itself. The points of all pieces are concatenated. */
#define _GNU_SOURCE /* for memmem */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "io/grains/grains.h"

static bool is_vtk_xml(const sc_grain_table *t) {
  const size_t length = (size_t)(t->end - t->bytes);
  return *t->bytes == '<' && memmem(t->bytes, length < 1000 ? length : 1000, "<VTKFile", 8) != NULL;
}

/* The text of a tag without < and >. */
typedef struct tag {
  const char *begin, *end;
} tag;

typedef struct reader {
  sc_grain_table *t;
  const char *at;   /* position after the last tag that was read */
  const char *last; /* end of the XML tags: start of the appended section, or end of the file */
  const char *data; /* first byte of the appended section, after its _; NULL: there is no such section */
  bool is_raw;      /* the appended section contains raw bytes; false: base64 */
  bool is_big, is_packed;
  int word;                /* size of the integers in front of binary arrays [bytes]: 4 or 8 */
  int64_t points, before;  /* number of points of the present piece; of all pieces before it */
  bool in_points, in_data; /* the reader is inside <Points>; inside <PointData> */
  int pieces;
} reader;

static bool find_attribute(const tag *g, const char *name, sc_grain_cell *out) {
  const size_t n = strlen(name);
  for (const char *c = g->begin; c + n + 2 < g->end; c++) {
    if (*c == '"' || *c == '\'') {
      c = memchr(c + 1, *c, (size_t)(g->end - c - 1));
      if (!c) return false;
    } else if (strchr(" \t\r\n", *c) && !memcmp(c + 1, name, n) && c[1 + n] == '=' &&
        (c[2 + n] == '"' || c[2 + n] == '\'')) {
      const char *begin = c + n + 3,
                 *close = begin < g->end ? memchr(begin, c[n + 2], (size_t)(g->end - begin)) : NULL;
      if (!close) return false;
      *out = (sc_grain_cell){begin, (size_t)(close - begin)};
      return true;
    }
  }
  return false;
}

static bool has_value(const tag *g, const char *name, const char *value) {
  sc_grain_cell cell;
  return find_attribute(g, name, &cell) && sc_grain_is(cell, value);
}

static bool is_element(const tag *g, const char *name) {
  const size_t n = strlen(name);
  return (size_t)(g->end - g->begin) >= n && !memcmp(g->begin, name, n) &&
      (g->begin + n == g->end || strchr("/ \t\r\n", g->begin[n]));
}

static bool next_tag(reader *r, tag *g) {
  const char *c = memchr(r->at, '<', (size_t)(r->last - r->at));
  const char *close = c ? memchr(c, '>', (size_t)(r->last - c)) : NULL;
  if (!close) return false;
  *g = (tag){c + 1, close};
  r->at = close + 1;
  return true;
}

/* ---- base64 ---- */

static int find_digit(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A'
      : c >= 'a' && c <= 'z'  ? c - 'a' + 26
      : c >= '0' && c <= '9'  ? c - '0' + 52
      : c == '+'              ? 62
      : c == '/'              ? 63
                              : -1;
}

/* Decodes base64 text at *at into `size` bytes. Moves *at past the last group of four characters. Returns
 * false if the text is cut off or not base64. */
static bool decode_base64(const char **at, const char *end, unsigned char *to, size_t size) {
  size_t done = 0;
  while (done < size) {
    int digit[4], count = 0;
    while (count < 4) {
      while (*at < end && strchr(" \t\r\n", **at) && **at) (*at)++;
      if (*at == end) return false;
      digit[count] = **at == '=' ? 0 : find_digit(**at);
      if (digit[count++] < 0) return false;
      (*at)++;
    }
    const unsigned char out[3] = {(unsigned char)(digit[0] << 2 | digit[1] >> 4),
        (unsigned char)(digit[1] << 4 | digit[2] >> 2), (unsigned char)(digit[2] << 6 | digit[3])};
    for (int k = 0; k < 3 && done < size; k++) to[done++] = out[k];
  }
  return true;
}

/* ---- arrays of bytes ---- */

/* The part of the file from which the bytes of an array are read; `at` moves forward. */
typedef struct source {
  const char *at, *end;
  bool is_base64;
} source;

static bool take_bytes(source *s, unsigned char *to, size_t size) {
  if (s->is_base64) return decode_base64(&s->at, s->end, to, size);
  if ((size_t)(s->end - s->at) < size) return false;
  memcpy(to, s->at, size);
  s->at += size;
  return true;
}

static uint64_t read_xml_word(const reader *r, const unsigned char *at) {
  uint64_t value = 0;
  for (int k = 0; k < r->word; k++) value |= (uint64_t)at[r->is_big ? r->word - 1 - k : k] << (8 * k);
  return value;
}

/* Reads a compressed array of `size` bytes: number of blocks, block size, size of a partial last block,
 * compressed sizes, and the blocks. Returns false if the array is damaged or memory runs out. */
static bool take_packed(const reader *r, source *s, unsigned char *to, size_t size) {
  unsigned char first[8];
  source look = *s;
  const size_t word = (size_t)r->word, most = (size_t)(s->end - s->at);
  if (!take_bytes(&look, first, word)) return false;
  const uint64_t blocks = read_xml_word(r, first);
  if (!blocks) return size == 0;
  if (blocks > most / word) return false;
  const size_t head = (3 + (size_t)blocks) * word;
  unsigned char *list = sc_alloc(head + 1), *all = NULL;
  bool fine = list && take_bytes(s, list, head);
  size_t packed = 0, done = 0;
  for (uint64_t k = 0; k < blocks && fine; k++) {
    const uint64_t one = read_xml_word(r, list + (3 + k) * word);
    fine = one <= most && (packed += (size_t)one) <= most;
  }
  fine = fine && (all = sc_alloc(packed + 1)) && take_bytes(s, all, packed);
  const uint64_t whole = fine ? read_xml_word(r, list + word) : 0,
                 last = fine ? read_xml_word(r, list + 2 * word) : 0;
  packed = 0;
  for (uint64_t k = 0; k < blocks && fine; k++) {
    const size_t one = (size_t)read_xml_word(r, list + (3 + k) * word);
    const uint64_t raw = k + 1 == blocks && last ? last : whole;
    fine = raw <= size - done && sc_grain_inflate(all + packed, one, false, to + done, (size_t)raw);
    packed += one, done += fine ? (size_t)raw : 0;
  }
  sc_free(list);
  sc_free(all);
  return fine && done == size;
}

static bool take_array(const reader *r, source *s, unsigned char *to, size_t size) {
  unsigned char head[8];
  if (r->is_packed) return take_packed(r, s, to, size);
  if (s->is_base64) { /* length and bytes are one base64 stream, so they are decoded together */
    const size_t word = (size_t)r->word;
    unsigned char *all = sc_alloc(size + word);
    const bool fine = all && take_bytes(s, all, size + word) && read_xml_word(r, all) == size;
    if (fine) memcpy(to, all + word, size);
    sc_free(all);
    return fine;
  }
  return take_bytes(s, head, (size_t)r->word) && read_xml_word(r, head) == size && take_bytes(s, to, size);
}

static bool find_array_kind(const tag *g, bool is_big, sc_grain_kind *out) {
  sc_grain_cell type;
  if (!find_attribute(g, "type", &type) || !type.length) return false;
  static const char *const names[] = {
      "Float32", "Float64", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"};
  static const sc_grain_kind kinds[] = {{'f', 4, 0}, {'f', 8, 0}, {'i', 1, 0}, {'i', 2, 0}, {'i', 4, 0},
      {'i', 8, 0}, {'u', 1, 0}, {'u', 2, 0}, {'u', 4, 0}, {'u', 8, 0}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (sc_grain_is(type, names[k])) {
      *out = kinds[k];
      out->is_big = is_big;
      return true;
    }
  return false;
}

/* Reads an array of the present piece, in base64 or in the appended section, into the columns from `first`
 * on. */
static scree_status read_binary(reader *r, const tag *g, int64_t components, int first, scree_error *error) {
  sc_grain_table *t = r->t;
  sc_grain_kind kind;
  sc_grain_cell offset = {"", 0};
  int64_t skip = 0;
  if (!find_array_kind(g, r->is_big, &kind))
    return sc_grain_fail(t, g->begin, error, "the array has no known type");
  source s = {r->at, r->last, true};
  if (has_value(g, "format", "appended")) {
    if (!find_attribute(g, "offset", &offset) || !sc_grain_whole(offset.at, offset.length, &skip))
      return sc_grain_fail(t, g->begin, error, "the array has no offset");
    if (!r->data || skip > t->end - r->data)
      return sc_grain_fail(
          t, g->begin, error, "its offset %lld lies behind the end of the file", (long long)skip);
    s = (source){r->data + skip, t->end, !r->is_raw};
  }
  const size_t size = (size_t)r->points * (size_t)components * (size_t)kind.bytes;
  unsigned char *bytes = sc_alloc(size + 1);
  if (!bytes) return sc_grain_no_memory(t, error);
  const bool fine = take_array(r, &s, bytes, size);
  for (int64_t k = 0; k < components && fine; k++)
    sc_grain_take(kind, bytes + k * kind.bytes, r->points, components * kind.bytes,
        t->column[first + k].value + r->before, 1);
  sc_free(bytes);
  return fine ? SCREE_OK
              : sc_grain_fail(t, g->begin, error, "the array is cut off, damaged or not of %lld points",
                    (long long)r->points);
}

static scree_status read_xml_text(reader *r, int64_t components, int first, scree_error *error) {
  const char *end = memchr(r->at, '<', (size_t)(r->last - r->at));
  for (int64_t i = 0; i < r->points; i++)
    for (int64_t k = 0; k < components; k++) {
      const scree_status status = sc_grain_read_numbers(
          r->t, &r->at, end ? end : r->last, 1, r->t->column[first + k].value + r->before + i, 1, error);
      if (status) return status;
    }
  return SCREE_OK;
}

/* Returns the first column of the array `name`; -1 on failure. Adds its columns in the first piece; later
 * pieces must have the same arrays. */
static int find_array_columns(reader *r, sc_grain_cell name, int64_t components) {
  sc_grain_table *t = r->t;
  if (r->pieces == 1) return sc_grain_add_vector(t, name.at, name.length, components);
  sc_grain_table probe = {.path = t->path};
  const int made = sc_grain_add_vector(&probe, name.at, name.length, components);
  const int first = made < 0 ? -1 : sc_grain_find_column(t, probe.column[0].name);
  sc_grain_clear(&probe);
  return first >= 0 && first + components <= t->columns ? first : -1;
}

/* Reads a DataArray of <Points> or <PointData>. Skips arrays of texts and arrays with more than 16
 * components. */
static scree_status read_xml_array(reader *r, const tag *g, scree_error *error) {
  sc_grain_table *t = r->t;
  sc_grain_cell name = {"points", 6}, count;
  int64_t components = r->in_points ? 3 : 1;
  if (!r->in_points && !find_attribute(g, "Name", &name)) return SCREE_OK;
  if (find_attribute(g, "NumberOfComponents", &count) && !sc_grain_whole(count.at, count.length, &components))
    return sc_grain_fail(t, g->begin, error, "NumberOfComponents must be a whole number");
  if (has_value(g, "type", "String") || components > 16) return SCREE_OK;
  if (components < 1 || (r->in_points && components != 3))
    return sc_grain_fail(t, g->begin, error, "points must have 3 components");
  const int first = find_array_columns(r, name, components);
  if (first < 0 && r->pieces > 1)
    return sc_grain_fail(t, g->begin, error, "an array that the first piece does not have");
  if (first < 0 || !sc_grain_reserve(t, t->rows)) return sc_grain_no_memory(t, error);
  return has_value(g, "format", "binary") || has_value(g, "format", "appended")
      ? read_binary(r, g, components, first, error)
      : read_xml_text(r, components, first, error);
}

static scree_status begin_piece(reader *r, const tag *g, scree_error *error) {
  sc_grain_table *t = r->t;
  sc_grain_cell count;
  r->before = t->rows;
  if (!find_attribute(g, "NumberOfPoints", &count) || !sc_grain_whole(count.at, count.length, &r->points) ||
      r->points > 64 * (t->end - t->bytes))
    return sc_grain_fail(t, g->begin, error, "a piece with a wrong NumberOfPoints");
  t->rows += r->points, r->pieces++;
  if (!sc_grain_reserve(t, t->rows)) return sc_grain_no_memory(t, error);
  for (int c = 0; c < t->columns; c++)
    for (int64_t i = r->before; i < t->rows; i++) t->column[c].value[i] = NAN;
  return SCREE_OK;
}

static scree_status read_element(reader *r, const tag *g, scree_error *error) {
  if (is_element(g, "VTKFile")) {
    r->is_big = has_value(g, "byte_order", "BigEndian");
    r->word = has_value(g, "header_type", "UInt64") ? 8 : 4;
    sc_grain_cell packer;
    r->is_packed = find_attribute(g, "compressor", &packer);
    if (r->is_packed && !sc_grain_is(packer, "vtkZLibDataCompressor"))
      return sc_grain_fail(r->t, g->begin, error, "packed by %.*s; only vtkZLibDataCompressor is read",
          (int)(packer.length < 60 ? packer.length : 60), packer.at);
    if (!has_value(g, "type", "PolyData") && !has_value(g, "type", "UnstructuredGrid"))
      return sc_grain_fail(
          r->t, g->begin, error, "only files of type PolyData and UnstructuredGrid have grains");
  }
  if (is_element(g, "Piece")) return begin_piece(r, g, error);
  if (is_element(g, "Points")) r->in_points = true;
  if (is_element(g, "/Points")) r->in_points = false;
  if (is_element(g, "PointData") && g->end[-1] != '/') r->in_data = true;
  if (is_element(g, "/PointData")) r->in_data = false;
  if (is_element(g, "DataArray") && (r->in_points || r->in_data) && r->pieces)
    return read_xml_array(r, g, error);
  return SCREE_OK;
}

/* Finds the appended section, and sets r->last, r->data and r->is_raw. */
static void find_appended(reader *r) {
  static const char open[] = "<AppendedData";
  const sc_grain_table *t = r->t;
  r->last = t->end;
  const char *at = memmem(t->bytes, (size_t)(t->end - t->bytes), open, strlen(open));
  const char *close = at ? memchr(at, '>', (size_t)(t->end - at)) : NULL;
  const char *mark = close ? memchr(close, '_', (size_t)(t->end - close)) : NULL;
  if (!mark) return;
  r->last = at;
  r->data = mark + 1;
  r->is_raw = has_value(&(tag){at, close}, "encoding", "raw");
}

static scree_status read_vtk_xml(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  reader r = {.t = t, .at = t->bytes, .word = 4};
  scree_status status = sc_grain_choose_frame(t, def->frame, 1, error);
  find_appended(&r);
  for (tag g; !status && next_tag(&r, &g);) status = read_element(&r, &g, error);
  if (!status && sc_grain_find_column(t, "points_x") < 0)
    status = sc_fail(error, SCREE_E_FORMAT, "%s: there are no points", t->path);
  return status;
}

const sc_grain_format sc_grain_vtk_xml = {"vtk-xml", is_vtk_xml, read_vtk_xml};
