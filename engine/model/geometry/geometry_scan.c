/* Checks numbers in glTF and COLLADA files that the library assimp would use without a check.
 *
 * A glTF file describes where its data are by lengths and offsets. These must be whole numbers within the
 * range of the format. Lists of numbers must be complete, and required extensions must not encode points or
 * triangles. A COLLADA file refers to points by indices, which count from 0, and reads arrays through
 * accessors. This file checks these numbers in the text before assimp reads the file. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/base.h"
#include "model/geometry/geometry.h"

typedef struct text {
  const char *path, *begin, *end;
} text;

static const char *skip_blanks(const text *t, const char *at) {
  while (at < t->end && strchr(" \t\r\n", *at)) at++;
  return at;
}

static long count_lines(const text *t, const char *at) {
  long line = 1;
  for (const char *c = t->begin; c < at; c++) line += *c == '\n';
  return line;
}

/* Checks that the value of a glTF key is a whole number from 0 to `most`. at: position of the value in the
 * text. */
static scree_status check_value(
    const text *t, const char *key, double most, const char *at, scree_error *error) {
  size_t length = 0;
  double value = 0;
  bool is_whole = true;
  for (const char *c = at; c < t->end && !strchr(" \t\r\n,}]", *c); c++, length++) {
    is_whole = is_whole && *c >= '0' && *c <= '9';
    value = 10 * value + (*c - '0');
  }
  if (is_whole && length && value <= most) return SCREE_OK;
  return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: %s is %.*s: it must be a whole number from 0 to %.0f",
      t->path, count_lines(t, at), key, (int)(length < 40 ? length : 40), at, most);
}

/* Checks the length of the value of a glTF key. If the value is a list, it must have `wanted` entries. at:
 * position of the value in the text. */
static scree_status check_length(
    const text *t, const char *key, int wanted, const char *at, scree_error *error) {
  if (at == t->end || *at != '[') return SCREE_OK;
  int count = *skip_blanks(t, at + 1) != ']';
  for (const char *c = at + 1; c < t->end && *c != ']'; c++) count += *c == ',';
  if (count == wanted) return SCREE_OK;
  return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: %s has %d numbers: it must have %d", t->path,
      count_lines(t, at), key, count, wanted);
}

/* Checks that no extension in a list of required extensions encodes points or triangles. at: position of the
 * list in the text. */
static scree_status check_extensions(const text *t, const char *at, scree_error *error) {
  static const char *const harmless[] = {"KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp",
      "KHR_animation_", "EXT_texture_", "MSFT_texture_"};
  if (at == t->end || *at != '[') return SCREE_OK;
  for (const char *c = at + 1; c < t->end && *c != ']'; c++) {
    if (*c != '"') continue;
    const char *name = ++c;
    while (c < t->end && *c != '"') c++;
    const size_t length = (size_t)(c - name);
    bool fine = false;
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
      fine = fine || (length >= strlen(harmless[k]) && !memcmp(name, harmless[k], strlen(harmless[k])));
    if (!fine)
      return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: it requires the extension %.*s, which is not supported",
          t->path, count_lines(t, name), (int)(length < 60 ? length : 60), name);
  }
  return SCREE_OK;
}

static scree_status check_key(
    const text *t, const char *key, double most, const char *at, scree_error *error) {
  if (!strcmp(key, "extensionsRequired")) return check_extensions(t, at, error);
  return most < 0 ? check_length(t, key, (int)-most, at, error) : check_value(t, key, most, at, error);
}

/* Checks the values of all keys in the table `keys` in the whole glTF text. */
static scree_status scan_gltf(const text *t, scree_error *error) {
  static const struct {
    const char *key;
    double most; /* >= 0: largest value of the number; < 0: the value is a list of -most numbers */
  } keys[] = {{"byteStride", 252}, {"byteOffset", INT32_MAX}, {"byteLength", INT32_MAX}, {"count", INT32_MAX},
      {"bufferView", INT32_MAX}, {"buffer", INT32_MAX}, {"matrix", -16}, {"rotation", -4},
      {"translation", -3}, {"extensionsRequired", 0}};
  for (const char *c = t->begin; c < t->end; c++) {
    if (*c != '"' || (c > t->begin && c[-1] == '\\')) continue;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      const size_t n = strlen(keys[k].key);
      if ((size_t)(t->end - c) < n + 3 || memcmp(c + 1, keys[k].key, n) || c[n + 1] != '"') continue;
      const char *at = skip_blanks(t, c + n + 2);
      if (at == t->end || *at != ':') continue;
      scree_status status = check_key(t, keys[k].key, keys[k].most, skip_blanks(t, at + 1), error);
      if (status) return status;
    }
  }
  return SCREE_OK;
}

/* ---- COLLADA ---- */

/* The start tag of an element: the text between < and >. */
typedef struct tag {
  const char *begin, *end;
} tag;

static bool is_element(const tag *g, const char *name) {
  const size_t n = strlen(name);
  return (size_t)(g->end - g->begin) >= n && !memcmp(g->begin, name, n) &&
      (g->begin + n == g->end || strchr("/ \t\r\n", g->begin[n]));
}

/* Sets *g to the next start or end tag after *at and moves *at to its end. Skips comments. Returns false if
 * there is no further tag. */
static bool next_tag(const text *t, const char **at, tag *g) {
  static const char comment[] = "!--", closing[] = "-->";
  const char *c = *at;
  for (;;) {
    while (c < t->end && *c != '<') c++;
    if (c == t->end) return false;
    if (t->end - c < 4 || memcmp(c + 1, comment, 3) != 0) break;
    while (t->end - c >= 3 && memcmp(c, closing, 3) != 0) c++;
    if (t->end - c < 3) return false;
  }
  g->begin = g->end = c + 1;
  while (g->end < t->end && *g->end != '>') g->end++;
  *at = g->end < t->end ? g->end + 1 : t->end;
  return true;
}

/* Sets *value to the value of an attribute, without its quotes. Returns false if the tag does not have the
 * attribute. */
static bool find_attribute(const tag *g, const char *name, tag *value) {
  const size_t n = strlen(name);
  for (const char *c = g->begin; g->end - c > (ptrdiff_t)n; c++) {
    if (*c == '"' || *c == '\'') { /* skips the value of another attribute */
      const char *close = memchr(c + 1, *c, (size_t)(g->end - c - 1));
      if (!close) return false;
      c = close;
    } else if (strchr(" \t\r\n", *c) && !memcmp(c + 1, name, n)) {
      const char *at = c + 1 + n;
      while (at < g->end && strchr(" \t\r\n=", *at)) at++;
      if (at == c + 1 + n || at == g->end || (*at != '"' && *at != '\'')) continue;
      value->begin = at + 1;
      value->end = memchr(at + 1, *at, (size_t)(g->end - at - 1));
      return value->end != NULL;
    }
  }
  return false;
}

enum { NUMBER_MOST = 64 };

/* Reads at most `count` numbers from the start of a text to out. Returns the number of numbers that were
 * read. */
static int read_numbers(const char *begin, const char *end, int count, double *out) {
  int got = 0;
  for (const char *c = begin; got < count;) {
    char copy[NUMBER_MOST], *rest;
    while (c < end && strchr(" \t\r\n", *c)) c++;
    const size_t left = (size_t)(end - c), most = left < NUMBER_MOST - 1 ? left : NUMBER_MOST - 1;
    memcpy(copy, c, most), copy[most] = 0;
    out[got] = strtod(copy, &rest);
    if (rest == copy) break;
    c += rest - copy;
    got++;
  }
  return got;
}

/* Reads an attribute whose value is a whole number. Sets *out to `missing` if the tag does not have the
 * attribute. */
static scree_status read_whole(
    const text *t, const tag *g, const char *name, int64_t missing, int64_t *out, scree_error *error) {
  tag value;
  *out = missing;
  if (!find_attribute(g, name, &value)) return SCREE_OK;
  *out = 0;
  for (const char *c = value.begin; c < value.end; c++) {
    if (*c < '0' || *c > '9' || *out > INT32_MAX / 10) {
      const long length = (long)(value.end - value.begin);
      return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: %s is \"%.*s\": it must be a whole number from 0 to %d",
          t->path, count_lines(t, g->begin), name, (int)(length < 40 ? length : 40), value.begin, INT32_MAX);
    }
    *out = 10 * *out + (*c - '0');
  }
  return SCREE_OK;
}

/* Fails if an element p, h or vcount (lists of indices or counts) contains a negative number. name: name of
 * the element; at: end of its start tag. */
static scree_status check_indices(const text *t, const char *name, const char *at, scree_error *error) {
  for (; at < t->end && *at != '<'; at++)
    if (*at == '-')
      return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: <%s> has a negative number; points are counted from 0",
          t->path, count_lines(t, at), name);
  return SCREE_OK;
}

/* Checks that the unit of length is a positive number of metres. g: tag of the element unit. */
static scree_status check_unit(const text *t, const tag *g, scree_error *error) {
  tag value;
  double metres[2];
  if (!find_attribute(g, "meter", &value)) return SCREE_OK;
  if (read_numbers(value.begin, value.end, 2, metres) == 1 && metres[0] > 0 && isfinite(metres[0]))
    return SCREE_OK;
  const long length = (long)(value.end - value.begin);
  return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: <unit> has meter=\"%.*s\": it must be a positive number",
      t->path, count_lines(t, g->begin), (int)(length < 40 ? length : 40), value.begin);
}

/* Checks that the axis of an element rotate does not have length 0. at: end of the element's start tag. */
static scree_status check_rotation(const text *t, const char *at, scree_error *error) {
  double x[4];
  const char *end = memchr(at, '<', (size_t)(t->end - at));
  if (read_numbers(at, end ? end : t->end, 4, x) < 4 || x[0] != 0 || x[1] != 0 || x[2] != 0) return SCREE_OK;
  return sc_fail(
      error, SCREE_E_FORMAT, "%s:%ld: <rotate> has an axis of length 0", t->path, count_lines(t, at));
}

/* An array of numbers or names in a COLLADA file. id: its identifier; count: number of its values as stated
 * in the file. */
typedef struct values {
  tag id;
  int64_t count;
} values;

typedef struct arrays {
  values *row;
  size_t count, capacity, last; /* last: index of the array that find_array found in its last call */
} arrays;

static scree_status note_array(const text *t, const tag *g, arrays *all, scree_error *error) {
  values v;
  if (!find_attribute(g, "id", &v.id)) return SCREE_OK;
  scree_status status = read_whole(t, g, "count", 0, &v.count, error);
  if (status) return status;
  if (!SC_GROW(all->row, all->capacity, all->count + 1))
    return sc_fail(error, SCREE_E_MEMORY, "%s: no memory for its arrays", t->path);
  all->row[all->count++] = v;
  return SCREE_OK;
}

static const values *find_array(arrays *all, const tag *id) {
  const size_t length = (size_t)(id->end - id->begin);
  for (size_t k = 0; k < all->count; k++) {
    const size_t at = (all->last + k) % all->count;
    const tag *other = &all->row[at].id;
    if ((size_t)(other->end - other->begin) != length || memcmp(other->begin, id->begin, length)) continue;
    all->last = at;
    return all->row + at;
  }
  return NULL;
}

/* Checks that an accessor (rule by which values of an array are read) reads no value after the end of its
 * array. g: start tag of the accessor; at: end of this tag. */
static scree_status check_accessor(
    const text *t, const tag *g, const char *at, arrays *all, scree_error *error) {
  int64_t count, stride, offset, params = 0;
  tag source, inner;
  scree_status status = read_whole(t, g, "count", 0, &count, error);
  if (!status) status = read_whole(t, g, "stride", 1, &stride, error);
  if (!status) status = read_whole(t, g, "offset", 0, &offset, error);
  if (status || !count || !find_attribute(g, "source", &source) || *source.begin != '#') return status;
  source.begin++;
  const values *array = find_array(all, &source);
  while (next_tag(t, &at, &inner) && !is_element(&inner, "/accessor"))
    if (is_element(&inner, "param")) params++;
  /* counts are below 2^31, so the product does not overflow */
  const int64_t reach = stride > params || count == 1 ? stride : params;
  if (!array || offset + (count - 1) * stride + reach <= array->count) return SCREE_OK;
  return sc_fail(error, SCREE_E_FORMAT,
      "%s:%ld: <accessor> reads %lld values of an array that has %lld (count %lld, stride %lld)", t->path,
      count_lines(t, g->begin), (long long)(offset + (count - 1) * stride + reach), (long long)array->count,
      (long long)count, (long long)stride);
}

static bool is_array(const tag *g) {
  return is_element(g, "float_array") || is_element(g, "int_array") || is_element(g, "Name_array") ||
      is_element(g, "IDREF_array");
}

static scree_status note_arrays(const text *t, arrays *all, scree_error *error) {
  scree_status status = SCREE_OK;
  const char *at = t->begin;
  for (tag g; !status && next_tag(t, &at, &g);)
    if (is_array(&g)) status = note_array(t, &g, all, error);
  return status;
}

static scree_status scan_collada(const text *t, scree_error *error) {
  static const char *const names[] = {"p", "h", "vcount"};
  arrays all = {0};
  const char *at = t->begin;
  scree_status status = note_arrays(t, &all, error);
  for (tag g; !status && next_tag(t, &at, &g);) {
    for (int k = 0; k < 3 && !status; k++)
      if (is_element(&g, names[k])) status = check_indices(t, names[k], at, error);
    if (!status && is_element(&g, "unit")) status = check_unit(t, &g, error);
    if (!status && is_element(&g, "rotate")) status = check_rotation(t, at, error);
    if (!status && is_element(&g, "accessor")) status = check_accessor(t, &g, at, &all, error);
  }
  sc_free(all.row);
  return status;
}

static bool is_named(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcasecmp(path + n - m, ending);
}

scree_status sc_soup_scan(const char *path, const unsigned char *bytes, size_t count, scree_error *error) {
  text t = {path, (const char *)bytes, (const char *)bytes + count};
  if (is_named(path, ".dae")) return scan_collada(&t, error);
  if (is_named(path, ".glb") && count >= 20) { /* the first chunk contains the JSON text */
    size_t length = (size_t)bytes[12] | (size_t)bytes[13] << 8 | (size_t)bytes[14] << 16 |
        (size_t)bytes[15] << 24;
    t.begin += 20;
    if (length < count - 20) t.end = t.begin + length;
  }
  return scan_gltf(&t, error);
}
