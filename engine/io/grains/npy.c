/* NumPy arrays: .npy files and .npz archives.
 *
 * An array with one row per grain becomes a column per component. The fields of a structured array become
 * columns with their names. In an archive, every array with as many rows as the array of positions is read.
 * If an array has the shape (frames, grains, components), one frame is read. */
#define _GNU_SOURCE /* for memmem */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "io/grains/grains.h"

enum { FIELDS_MOST = 64, AXES_MOST = 3 };

typedef struct npy {
  sc_grain_cell name; /* name of the array in an archive; empty in a .npy file */
  const unsigned char *data;
  size_t size; /* number of bytes from `data` to the end of the array's file */
  bool is_fortran;
  int axes; /* number of axes; -1: more than AXES_MOST */
  int64_t shape[AXES_MOST];
  int fields; /* number of fields of a structured array; 0: not structured, all numbers have type kind[0] */
  sc_grain_cell field[FIELDS_MOST];
  sc_grain_kind kind[FIELDS_MOST ? FIELDS_MOST : 1];
  int64_t item; /* size of one element of the array with all its fields [bytes] */
} npy;

static const char magic[] = "\x93NUMPY";

static bool is_npy(const sc_grain_table *t) { return t->end - t->bytes > 10 && !memcmp(t->bytes, magic, 6); }

/* Parses NumPy's name of a type, such as "<f8". Returns false if the type is not a number of a supported
 * size. */
static bool find_npy_kind(sc_grain_cell text, sc_grain_kind *out) {
  if (text.length < 3 || !strchr("<>|=", text.at[0]) || !strchr("fiub", text.at[1])) return false;
  int64_t bytes;
  if (!sc_grain_whole(text.at + 2, text.length - 2, &bytes)) return false;
  *out = (sc_grain_kind){text.at[1], (int)bytes, text.at[0] == '>'};
  return text.at[1] == 'f' ? bytes == 4 || bytes == 8 : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Returns the position of the value of a key in the header; NULL: there is no such key. */
static const char *find_npy_key(const char *at, const char *end, const char *key) {
  const char *found = memmem(at, (size_t)(end - at), key, strlen(key));
  if (!found) return NULL;
  for (found += strlen(key); found < end && strchr(" :", *found);) found++;
  return found;
}

/* Sets *out to the next text between quotes, without the quotes, and moves *at past it. Returns false if
 * there is none. */
static bool take_quoted(const char **at, const char *end, sc_grain_cell *out) {
  const char *c = *at;
  while (c < end && *c != '\'' && *c != '"') c++;
  const char *close = c < end ? memchr(c + 1, *c, (size_t)(end - c - 1)) : NULL;
  if (!close) return false;
  *out = (sc_grain_cell){c + 1, (size_t)(close - c - 1)};
  *at = close + 1;
  return true;
}

/* Reads the fields of a structured array from the list [('x', '<f8'), ...] at `at`. Returns false if a field
 * is not one number. */
static bool read_npy_fields(const char *at, const char *end, npy *a) {
  const char *close = memchr(at, ']', (size_t)(end - at));
  sc_grain_cell kind;
  if (!close) return false;
  while (a->fields < FIELDS_MOST && take_quoted(&at, close, &a->field[a->fields])) {
    if (!take_quoted(&at, close, &kind) || !find_npy_kind(kind, &a->kind[a->fields])) return false;
    a->item += a->kind[a->fields++].bytes;
  }
  return a->fields > 0 && !memchr(at, '(', (size_t)(close - at));
}

static bool read_shape(const char *at, const char *end, npy *a) {
  const char *close = memchr(at, ')', (size_t)(end - at));
  if (!close || *at != '(') return false;
  for (at++; at < close;) {
    const char *begin = at;
    int64_t length;
    while (at < close && *at != ',') at++;
    while (begin < at && *begin == ' ') begin++;
    if (begin < at) {
      if (!sc_grain_whole(begin, (size_t)(at - begin), &length)) return false;
      if (a->axes == AXES_MOST) return a->axes = -1, true;
      a->shape[a->axes++] = length;
    }
    at++;
  }
  return true;
}

/* Reads the header of a .npy array into a. Returns NULL, or a text that says what is wrong with the
 * header. */
static const char *read_npy_header(const unsigned char *bytes, size_t size, npy *a) {
  if (size < 12 || memcmp(bytes, magic, 6) != 0) return "no array of NumPy";
  const size_t begin = bytes[6] == 1 ? 10 : 12;
  const size_t length = (size_t)bytes[8] | (size_t)bytes[9] << 8 |
      (begin == 12 ? (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24 : 0);
  if (length > size - begin) return "its header is cut off";
  const char *at = (const char *)bytes + begin, *end = at + length;
  const char *descr = find_npy_key(at, end, "'descr'"), *order = find_npy_key(at, end, "'fortran_order'"),
             *shape = find_npy_key(at, end, "'shape'");
  sc_grain_cell kind;
  if (!descr || !order || !shape || !read_shape(shape, end, a))
    return "its header has no descr, order or shape";
  if (descr < end && *descr == '[') {
    if (!read_npy_fields(descr, end, a)) return "a field is no number";
  } else {
    if (!take_quoted(&descr, end, &kind) || !find_npy_kind(kind, a->kind)) return "it holds no numbers";
    a->item = a->kind->bytes;
  }
  a->is_fortran = order < end && *order == 'T';
  a->data = (const unsigned char *)end;
  a->size = size - begin - length;
  int64_t most = (int64_t)(a->size / (size_t)a->item);
  bool is_empty = false;
  for (int k = 0; k < a->axes; k++) is_empty |= !a->shape[k];
  for (int k = 0; k < a->axes && !is_empty; k++)
    if ((most /= a->shape[k]) < 1) return "it is cut off";
  return NULL;
}

/* ---- columns ---- */

/* Returns the number of columns that an array without fields makes. */
static int64_t count_components(const npy *a) { return a->axes > 1 ? a->shape[a->axes - 1] : 1; }

/* Adds the columns of an array with the shape (rows), (rows, components) or (frames, rows, components). If
 * the array has frames, reads only the frame with the number `frame`, counted from 1. */
static scree_status add_npy_array(sc_grain_table *t, const npy *a, int64_t frame, scree_error *error) {
  const int axis = a->axes == 3 ? 1 : 0;
  const int64_t rows = a->shape[axis], components = count_components(a);
  if (!components)
    return sc_fail(error, SCREE_E_FORMAT, "%s: the array is empty: it has no columns", t->path);
  if (a->fields) {
    const unsigned char *at = a->data;
    for (int k = 0; k < a->fields; at += a->kind[k++].bytes) {
      const int c = sc_grain_add_column(t, a->field[k].at, a->field[k].length);
      if (c < 0 || !sc_grain_reserve(t, rows)) return sc_grain_no_memory(t, error);
      sc_grain_take(a->kind[k], at, rows, a->item, t->column[c].value, 1);
    }
    return SCREE_OK;
  }
  int first = -1;
  if (a->name.length) first = sc_grain_add_vector(t, a->name.at, a->name.length, components);
  for (int64_t k = 0; k < components && !a->name.length; k++) {
    const int c = sc_grain_add_column(t, "", 0);
    if (c < 0) return sc_grain_no_memory(t, error);
    if (!k) first = c;
  }
  if (first < 0 || !sc_grain_reserve(t, rows)) return sc_grain_no_memory(t, error);
  const int64_t frames = a->axes == 3 ? a->shape[0] : 1, begin = a->axes == 3 ? frame - 1 : 0;
  for (int64_t k = 0; k < components && rows; k++) {
    const int64_t offset = a->is_fortran ? begin + k * frames * rows : (begin * rows) * components + k,
                  step = a->is_fortran ? frames : components;
    sc_grain_take(
        a->kind[0], a->data + offset * a->item, rows, step * a->item, t->column[first + k].value, 1);
  }
  return SCREE_OK;
}

static scree_status read_npy(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  npy a = {0};
  const char *wrong = read_npy_header((const unsigned char *)t->bytes, (size_t)(t->end - t->bytes), &a);
  if (wrong) return sc_fail(error, SCREE_E_FORMAT, "%s: %s", t->path, wrong);
  if (a.axes < 1 || (a.fields ? a.axes != 1 : a.axes < 2))
    return sc_fail(error, SCREE_E_FORMAT,
        "%s: an array of grains has two axes, rows and columns, or is structured; this one has %d", t->path,
        a.axes);
  const scree_status status = sc_grain_choose_frame(t, def->frame, a.axes == 3 ? a.shape[0] : 1, error);
  if (status) return status;
  t->rows = a.shape[a.axes == 3];
  return add_npy_array(t, &a, t->frame, error);
}

const sc_grain_format sc_grain_npy = {"npy", is_npy, read_npy};

/* ---- archives ---- */

static bool is_npz(const sc_grain_table *t) {
  return t->end - t->bytes > 22 && !memcmp(t->bytes, "PK\3\4", 4);
}

static uint32_t read_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static uint32_t read_u16(const unsigned char *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }
static uint64_t read_u64(const unsigned char *at) { return read_u32(at) | (uint64_t)read_u32(at + 4) << 32; }

typedef struct member {
  sc_grain_cell name;
  /* size in the file and size after decompression [bytes]; offset of the member's local header in the file */
  uint64_t packed, size, place;
  uint32_t method; /* compression method: 0 none, 8 deflate */
} member;

/* Finds the central directory of the zip file. Returns its first entry, or NULL if the file has no
 * directory. */
static const unsigned char *find_directory(const sc_grain_table *t, uint32_t *entries) {
  const unsigned char *begin = (const unsigned char *)t->bytes, *end = (const unsigned char *)t->end;
  for (const unsigned char *at = end - 22; at >= begin && end - at < 66000; at--) {
    if (read_u32(at) != 0x06054b50) continue;
    *entries = read_u16(at + 10);
    uint64_t place = read_u32(at + 16);
    if ((place == UINT32_MAX || *entries == 0xffff) && at - begin >= 20 && read_u32(at - 20) == 0x07064b50) {
      const uint64_t big = read_u64(at - 12);
      if (end - begin < 56 || big > (uint64_t)(end - begin) - 56 || read_u32(begin + big) != 0x06064b50)
        return NULL;
      *entries = (uint32_t)read_u64(begin + big + 32), place = read_u64(begin + big + 48);
    }
    return place <= (uint64_t)(end - begin) ? begin + place : NULL;
  }
  return NULL;
}

/* Replaces each 32-bit number of m that is 0xffffffff by its 64-bit value (zip64). at, end: extra field of
 * the directory entry. */
static void read_wide(const unsigned char *at, const unsigned char *end, member *m) {
  while (end - at >= 4) {
    const uint32_t id = read_u16(at), length = read_u16(at + 2);
    if (length > end - at - 4) return;
    const unsigned char *v = at + 4, *stop = v + length;
    if (id == 1) {
      uint64_t *fields[] = {&m->size, &m->packed, &m->place};
      for (int k = 0; k < 3; k++)
        if (*fields[k] == UINT32_MAX && stop - v >= 8) *fields[k] = read_u64(v), v += 8;
      return;
    }
    at = stop;
  }
}

/* Reads the directory entry at *at and moves *at to the next entry. Returns false if the entry is invalid. */
static bool next_member(const sc_grain_table *t, const unsigned char **at, member *m) {
  const unsigned char *c = *at, *end = (const unsigned char *)t->end;
  if (end - c < 46 || read_u32(c) != 0x02014b50) return false;
  const size_t name = read_u16(c + 28), extra = read_u16(c + 30), comment = read_u16(c + 32);
  if ((size_t)(end - c) < 46 + name + extra + comment) return false;
  *m = (member){
      {(const char *)c + 46, name}, read_u32(c + 20), read_u32(c + 24), read_u32(c + 42), read_u16(c + 10)};
  read_wide(c + 46 + name, c + 46 + name + extra, m);
  *at = c + 46 + name + extra + comment;
  return true;
}

/* Returns the decompressed bytes of a member, which the caller frees. Returns NULL with an error if memory
 * runs out or the member is damaged. */
static unsigned char *unpack_member(const sc_grain_table *t, const member *m, scree_error *error) {
  const unsigned char *begin = (const unsigned char *)t->bytes;
  const uint64_t whole = (uint64_t)(t->end - t->bytes);
  const int length = (int)(m->name.length < 60 ? m->name.length : 60);
  bool fine = whole >= 30 && m->place <= whole - 30 && read_u32(begin + m->place) == 0x04034b50;
  const uint64_t data = fine
      ? m->place + 30 + read_u16(begin + m->place + 26) + read_u16(begin + m->place + 28)
      : 0;
  fine = fine && data <= whole && m->packed <= whole - data && m->size / 1100 <= m->packed + 1;
  unsigned char *bytes = fine ? sc_alloc((size_t)m->size + 1) : NULL;
  if (fine && !bytes) return sc_grain_no_memory(t, error), NULL;
  if (fine && m->method == 0) {
    fine = m->size == m->packed;
    if (fine) memcpy(bytes, begin + data, (size_t)m->size);
  } else if (fine)
    fine = m->method == 8 && sc_grain_inflate(begin + data, (size_t)m->packed, true, bytes, (size_t)m->size);
  if (fine) return bytes;
  sc_free(bytes);
  sc_fail(error, SCREE_E_FORMAT, "%s: the array %.*s is damaged", t->path, length, m->name.at);
  return NULL;
}

/* Returns whether a name is a usual name of an array of positions. */
static bool is_position(sc_grain_cell name) {
  static const char *const names[] = {
      "position", "positions", "pos", "points", "x", "xyz", "coordinates", "r"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (sc_grain_is(name, names[k])) return true;
  return false;
}

/* Decompresses a member and reads the header of its array. Returns the bytes, which the caller frees. Returns
 * NULL without an error if the member is not an array of numbers, and with an error on failure. */
static unsigned char *open_member(const sc_grain_table *t, const member *m, npy *a, scree_error *error) {
  *a = (npy){.name = m->name};
  if (a->name.length < 4 || strncasecmp(a->name.at + a->name.length - 4, ".npy", 4)) return NULL;
  a->name.length -= 4;
  unsigned char *bytes = unpack_member(t, m, error);
  if (!bytes) return NULL;
  if (!read_npy_header(bytes, (size_t)m->size, a) && a->axes >= 1) return bytes;
  sc_free(bytes); /* arrays of texts and objects have no columns */
  return NULL;
}

/* The decompressed array of positions. Its header tells how many rows and frames the archive has. */
typedef struct positions {
  unsigned char *bytes; /* NULL: not found */
  uint64_t place;       /* offset of the member's local header in the file */
  npy array;
} positions;

/* Decompresses the array of positions and sets the rows, frame and frames of t by its shape. at, entries:
 * first entry and number of entries of the directory. The caller frees found->bytes. */
static scree_status find_npy_positions(sc_grain_table *t, const scree_grains_def *def,
    const unsigned char *at, uint32_t entries, positions *found, scree_error *error) {
  member m;
  *found = (positions){0};
  for (uint32_t k = 0; k < entries && !found->bytes && next_member(t, &at, &m); k++) {
    scree_error own = {SCREE_OK, ""};
    const sc_grain_cell name = {m.name.at, m.name.length > 4 ? m.name.length - 4 : 0};
    if (!is_position(name)) continue;
    found->bytes = open_member(t, &m, &found->array, &own);
    found->place = m.place;
    if (own.status) return sc_fail(error, own.status, "%s", own.text);
  }
  if (!found->bytes)
    return sc_fail(error, SCREE_E_FORMAT,
        "%s: the archive has no array of positions: position, x, pos or points", t->path);
  const bool frames = found->array.axes == 3;
  t->rows = found->array.shape[frames];
  return sc_grain_choose_frame(t, def->frame, frames ? found->array.shape[0] : 1, error);
}

static scree_status read_npz(sc_grain_table *t, const scree_grains_def *def, scree_error *error) {
  uint32_t entries = 0;
  const unsigned char *at = find_directory(t, &entries);
  member m;
  positions found;
  if (!at) return sc_fail(error, SCREE_E_FORMAT, "%s: the archive has no directory", t->path);
  scree_status status = find_npy_positions(t, def, at, entries, &found, error);
  for (uint32_t k = 0; k < entries && !status && next_member(t, &at, &m); k++) {
    npy a;
    scree_error own = {SCREE_OK, ""};
    const bool is_found = m.place == found.place;
    unsigned char *bytes = is_found ? NULL : open_member(t, &m, &a, &own);
    if (own.status) status = sc_fail(error, own.status, "%s", own.text);
    if (is_found) a = found.array;
    const bool framed = a.axes == 3 && a.shape[0] == t->frames;
    if ((bytes || is_found) && !a.fields && (framed || a.axes < 3) && a.shape[framed] == t->rows &&
        (is_found || count_components(&a) > 0) && count_components(&a) <= 16)
      status = add_npy_array(t, &a, t->frame, error);
    sc_free(bytes);
  }
  sc_free(found.bytes);
  return status;
}

const sc_grain_format sc_grain_npz = {"npz", is_npz, read_npz};
