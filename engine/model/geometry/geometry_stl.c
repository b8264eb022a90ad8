/* STL: a list of triangles, binary (84 bytes of head, 50 bytes each) or text (solid, facet, loop, vertex). */
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { HEAD = 84, RECORD = 50 };

static uint32_t little32(const unsigned char *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const unsigned char *b) {
  uint32_t bits = little32(b);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool add_triangle(sc_soup *soup, double corner[3][3]) {
  if (!SC_GROW(soup->point, soup->point_capacity, soup->points + 3) ||
      !SC_GROW(soup->triangle, soup->triangle_capacity, soup->triangles + 1))
    return false;
  for (int c = 0; c < 3; c++) {
    soup->triangle[soup->triangles][c] = (int32_t)soup->points;
    sc_copy3(corner[c], soup->point[soup->points++]);
  }
  soup->triangles++;
  return true;
}

static scree_status read_binary(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  uint32_t triangles = little32(bytes + 80);
  size_t whole = (count - HEAD) / RECORD;
  if (whole < triangles)
    return sc_fail(error, SCREE_E_FORMAT,
        "%s: truncated: %u triangles announced, the file ends within triangle %zu (byte %zu)", path,
        (unsigned)triangles, whole + 1, count);
  if (!triangles) return sc_fail(error, SCREE_E_FORMAT, "%s: holds no triangle", path);
  for (uint32_t t = 0; t < triangles; t++) {
    double corner[3][3];
    for (int k = 0; k < 9; k++) {
      corner[k / 3][k % 3] = little_float(bytes + HEAD + (size_t)t * RECORD + 12 + 4 * (size_t)k);
      if (!isfinite(corner[k / 3][k % 3]))
        return sc_fail(error, SCREE_E_FORMAT, "%s: triangle %u has a coordinate that is not finite", path,
            (unsigned)t + 1);
    }
    if (!add_triangle(soup, corner))
      return sc_fail(error, SCREE_E_MEMORY, "%s: no memory for %u triangles", path, (unsigned)triangles);
  }
  return SCREE_OK;
}

/* Words of a text with the line they stand in. */
typedef struct words {
  const char *at, *end;
  long line;
  char word[64];
} words;

static bool next_word(words *w) {
  for (; w->at < w->end && strchr(" \t\r\n", *w->at); w->at++) w->line += *w->at == '\n';
  size_t n = 0;
  for (; w->at < w->end && !strchr(" \t\r\n", *w->at); w->at++)
    if (n + 1 < sizeof w->word) w->word[n++] = *w->at;
  w->word[n] = 0;
  return n > 0;
}

static bool next_number(words *w, double *value) {
  char *end;
  if (!next_word(w)) return false;
  *value = strtod(w->word, &end);
  return end != w->word && !*end && isfinite(*value);
}

/* Three vertices up to the end of the facet. */
static scree_status read_facet(const char *path, words *w, sc_soup *soup, scree_error *error) {
  double corner[3][3];
  int corners = 0;
  while (next_word(w) && strcmp(w->word, "endfacet")) {
    if (strcmp(w->word, "vertex")) continue;
    if (corners == 3)
      return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: a facet with more than three vertices", path, w->line);
    for (int k = 0; k < 3; k++)
      if (!next_number(w, &corner[corners][k]))
        return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: \"%s\" is not a coordinate", path, w->line, w->word);
    corners++;
  }
  if (strcmp(w->word, "endfacet"))
    return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: truncated: the file ends within a facet", path, w->line);
  if (corners != 3)
    return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: a facet with %d vertices", path, w->line, corners);
  return add_triangle(soup, corner) ? SCREE_OK
                                    : sc_fail(error, SCREE_E_MEMORY, "%s: no memory for its triangles", path);
}

static scree_status read_text(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  words w = {.at = (const char *)bytes, .end = (const char *)bytes + count, .line = 1};
  bool ended = false;
  while (next_word(&w)) {
    ended = !strcmp(w.word, "endsolid") || (ended && strcmp(w.word, "facet"));
    if (strcmp(w.word, "facet")) continue;
    scree_status status = read_facet(path, &w, soup, error);
    if (status) return status;
  }
  if (!ended) return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: truncated: no endsolid", path, w.line);
  if (!soup->triangles) return sc_fail(error, SCREE_E_FORMAT, "%s: holds no facet", path);
  return SCREE_OK;
}

/* Text starts with "solid", but so do some binary files: those have exactly the length that their count
 * announces. */
scree_status sc_soup_stl(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  bool says_solid = count >= 5 && !memcmp(bytes, "solid", 5);
  bool fits = count >= HEAD && count == HEAD + (size_t)RECORD * little32(bytes + 80);
  if (says_solid && !fits) return read_text(path, bytes, count, soup, error);
  if (count < HEAD)
    return sc_fail(
        error, SCREE_E_FORMAT, "%s: truncated: %zu bytes are too few for an STL file", path, count);
  return read_binary(path, bytes, count, soup, error);
}
