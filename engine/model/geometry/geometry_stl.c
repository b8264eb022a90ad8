/* Reads STL files: lists of triangles, in binary (a head of 84 bytes, then 50 bytes per triangle) or as text
 * (solid, facet, loop, vertex). */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { HEAD = 84, RECORD = 50, LOOKED_AT = 1000 };

static uint32_t read_uint32(const unsigned char *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const unsigned char *b) {
  uint32_t bits = read_uint32(b);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool add_stl_triangle(sc_soup *soup, double corner[3][3]) {
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

/* Returns true if one of the first LOOKED_AT bytes of the file is 0. This is so in binary files, but never in
 * text files. */
static bool has_zero(const unsigned char *bytes, size_t count) {
  return memchr(bytes, 0, count < LOOKED_AT ? count : LOOKED_AT);
}

static scree_status read_binary(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  uint32_t triangles = read_uint32(bytes + 80);
  size_t whole = (count - HEAD) / RECORD;
  if (whole < triangles && !has_zero(bytes, count))
    return sc_fail(error, SCREE_E_FORMAT, "%s:1: text that begins neither with solid nor with facet", path);
  if (whole < triangles)
    return sc_fail(error, SCREE_E_FORMAT,
        "%s: truncated: %u triangles announced, the file ends within triangle %zu (byte %zu)", path,
        (unsigned)triangles, whole + 1, count);
  if (!triangles) return sc_fail(error, SCREE_E_FORMAT, "%s: holds no triangle", path);
  for (uint32_t t = 0; t < triangles; t++) {
    double corner[3][3];
    for (int k = 0; k < 9; k++) {
      corner[k / 3][k % 3] = read_float(bytes + HEAD + (size_t)t * RECORD + 12 + 4 * (size_t)k);
      if (!isfinite(corner[k / 3][k % 3]))
        return sc_fail(error, SCREE_E_FORMAT,
            "%s: triangle %u has a coordinate that is not finite (byte %zu)", path, (unsigned)t + 1,
            HEAD + (size_t)t * RECORD);
    }
    if (!add_stl_triangle(soup, corner))
      return sc_fail(error, SCREE_E_MEMORY, "%s: no memory for %u triangles", path, (unsigned)triangles);
  }
  return SCREE_OK;
}

/* Reader of the words of a text. word: the last word read; line: number of its line. */
typedef struct words {
  const char *at, *end;
  long line;
  bool is_first; /* true: `word` is the first word of its line */
  char word[64];
} words;

static bool next_word(words *w) {
  const long line = w->line;
  for (; w->at < w->end && strchr(" \t\r\n", *w->at); w->at++) w->line += *w->at == '\n';
  w->is_first = w->line > line;
  size_t n = 0;
  for (; w->at < w->end && !strchr(" \t\r\n", *w->at); w->at++)
    if (n + 1 < sizeof w->word) w->word[n++] = *w->at;
  w->word[n] = 0;
  return n > 0;
}

static bool word_is(const words *w, const char *word) { return !strcasecmp(w->word, word); }

/* Reads a number. An exponent may begin with d or D, as Fortran writes it. */
static bool next_stl_number(words *w, double *value) {
  char *end;
  if (!next_word(w)) return false;
  char *exponent = strpbrk(w->word, "dD");
  if (exponent) *exponent = 'e';
  *value = strtod(w->word, &end);
  return end != w->word && !*end && isfinite(*value);
}

/* Reads the three vertices of a facet, up to the word endfacet, and adds the triangle to the soup. */
static scree_status read_facet(const char *path, words *w, sc_soup *soup, scree_error *error) {
  double corner[3][3];
  int corners = 0;
  while (next_word(w) && !word_is(w, "endfacet")) {
    if (!word_is(w, "vertex")) continue;
    if (corners == 3)
      return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: a facet with more than three vertices", path, w->line);
    for (int k = 0; k < 3; k++)
      if (!next_stl_number(w, &corner[corners][k]))
        return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: \"%s\" is not a coordinate", path, w->line, w->word);
    corners++;
  }
  if (!word_is(w, "endfacet"))
    return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: truncated: the file ends within a facet", path, w->line);
  if (corners != 3)
    return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: a facet with %d vertices", path, w->line, corners);
  return add_stl_triangle(soup, corner)
      ? SCREE_OK
      : sc_fail(error, SCREE_E_MEMORY, "%s: no memory for its triangles", path);
}

/* Returns true if the present word begins a facet. A normal or loop must follow "facet", because the name of
 * a solid may contain this word, too. */
static bool begins_facet(const words *w) {
  words ahead = *w;
  if (!word_is(w, "facet") || !next_word(&ahead)) return false;
  return word_is(&ahead, "normal") || word_is(&ahead, "outer") || (w->is_first && word_is(&ahead, "vertex"));
}

static scree_status read_text(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  words w = {.at = (const char *)bytes, .end = (const char *)bytes + count, .line = 1};
  bool ended = false;
  while (next_word(&w)) {
    const bool begins = begins_facet(&w);
    ended = word_is(&w, "endsolid") || (ended && !begins);
    if (!begins) continue;
    scree_status status = read_facet(path, &w, soup, error);
    if (status) return status;
  }
  if (!ended) return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: truncated: no endsolid", path, w.line);
  if (!soup->triangles) return sc_fail(error, SCREE_E_FORMAT, "%s:%ld: holds no facet", path, w.line);
  return SCREE_OK;
}

/* Returns true if the first word is solid or facet, in any case. A byte order mark, blank lines and lines of
 * comment (#, //, ;) may precede it. */
static bool begins_as_text(const unsigned char *bytes, size_t count) {
  words w = {.at = (const char *)bytes, .end = (const char *)bytes + count};
  if (count >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) w.at += 3;
  while (next_word(&w) && (*w.word == '#' || *w.word == ';' || !strncmp(w.word, "//", 2)))
    while (w.at < w.end && *w.at != '\n') w.at++;
  return !strncasecmp(w.word, "solid", 5) || word_is(&w, "facet");
}

/* A text file begins with "solid", but some binary files do, too. A file is read as binary if its length
 * matches the number of triangles in its head, or if it has zero bytes near the beginning. */
scree_status sc_soup_stl(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  bool fits = count >= HEAD && count == HEAD + (size_t)RECORD * read_uint32(bytes + 80);
  if (!count) return sc_fail(error, SCREE_E_FORMAT, "%s: the file is empty", path);
  if (count >= 2 && (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2)) && !fits)
    return sc_fail(error, SCREE_E_FORMAT, "%s: text in UTF-16; write it as ASCII or UTF-8", path);
  if (!fits && !has_zero(bytes, count) && begins_as_text(bytes, count))
    return read_text(path, bytes, count, soup, error);
  if (count < HEAD)
    return sc_fail(
        error, SCREE_E_FORMAT, "%s: truncated: %zu bytes are too few for an STL file", path, count);
  return read_binary(path, bytes, count, soup, error);
}
