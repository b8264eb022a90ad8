/* Checks numbers of glTF and COLLADA files that the library assimp would use without a check.
 *
 * A glTF file places its data by lengths and offsets. These must be whole numbers within the range of the
 * format. A COLLADA file names points by indices, which count from 0. This file checks both kinds of
 * numbers in the text before assimp reads the file. */
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

/* Checks that the value at `at` of a glTF key is a whole number from 0 to `most`. */
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

/* Checks the values of the listed glTF keys in the whole text. */
static scree_status scan_gltf(const text *t, scree_error *error) {
  static const struct {
    const char *key;
    double most;
  } keys[] = {{"byteStride", 252}, {"byteOffset", INT32_MAX}, {"byteLength", INT32_MAX}, {"count", INT32_MAX},
      {"bufferView", INT32_MAX}, {"buffer", INT32_MAX}};
  for (const char *c = t->begin; c < t->end; c++) {
    if (*c != '"' || (c > t->begin && c[-1] == '\\')) continue;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      const size_t n = strlen(keys[k].key);
      if ((size_t)(t->end - c) < n + 3 || memcmp(c + 1, keys[k].key, n) || c[n + 1] != '"') continue;
      const char *at = skip_blanks(t, c + n + 2);
      if (at == t->end || *at != ':') continue;
      scree_status status = check_value(t, keys[k].key, keys[k].most, skip_blanks(t, at + 1), error);
      if (status) return status;
    }
  }
  return SCREE_OK;
}

/* Rejects negative numbers in the elements p, h and vcount of COLLADA. */
static scree_status scan_collada(const text *t, scree_error *error) {
  static const char *const names[] = {"p", "h", "vcount"};
  const char *element = NULL;
  for (const char *c = t->begin; c < t->end; c++) {
    if (*c == '<') {
      element = NULL;
      for (int k = 0; k < 3; k++) {
        const size_t n = strlen(names[k]);
        if ((size_t)(t->end - c) > n + 1 && !memcmp(c + 1, names[k], n) && strchr("> \t\r\n", c[n + 1]))
          element = names[k];
      }
      while (c < t->end && *c != '>') c++;
    } else if (element && *c == '-') {
      return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: <%s> has a negative number; points are counted from 0",
          t->path, count_lines(t, c), element);
    }
  }
  return SCREE_OK;
}

static bool ends_with(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcasecmp(path + n - m, ending);
}

scree_status sc_soup_scan(const char *path, const unsigned char *bytes, size_t count, scree_error *error) {
  text t = {path, (const char *)bytes, (const char *)bytes + count};
  if (ends_with(path, ".dae")) return scan_collada(&t, error);
  if (ends_with(path, ".glb") && count >= 20) { /* the first chunk is the JSON text */
    size_t length = (size_t)bytes[12] | (size_t)bytes[13] << 8 | (size_t)bytes[14] << 16 |
        (size_t)bytes[15] << 24;
    t.begin += 20;
    if (length < count - 20) t.end = t.begin + length;
  }
  return scan_gltf(&t, error);
}
