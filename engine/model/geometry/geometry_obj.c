/* Reads OBJ files (Wavefront): vertices (v), faces (f, and fo in old files), and the beginnings of groups (g)
 * and objects (o). Polygons are cut into triangles. A line that ends in a backslash continues in the next
 * line. All other statements are skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { LONGEST = 65536 };

typedef struct reader {
  const char *path;
  long line;       /* number of the first line of the statement, counted from 1 */
  long next;       /* number of the line after the statement, counted from 1 */
  char *text;      /* [LONGEST] text of the statement without comments */
  int32_t *corner; /* [LONGEST / 2] corners of the face in the statement: indices of points in `soup` */
  sc_soup *soup;
  scree_error *error;
} reader;

static scree_status read_vertex(reader *r, const char *at) {
  double x[3];
  for (int k = 0; k < 3; k++) {
    char *end;
    x[k] = strtod(at, &end);
    if (end == at || !isfinite(x[k]))
      return sc_fail(r->error, SCREE_E_FORMAT, "%s:%ld: coordinate %d of the vertex is not a number", r->path,
          r->line, k + 1);
    at = end;
  }
  if (!SC_GROW(r->soup->point, r->soup->point_capacity, r->soup->points + 1))
    return sc_fail(r->error, SCREE_E_MEMORY, "%s: no memory for its vertices", r->path);
  sc_copy3(x, r->soup->point[r->soup->points++]);
  return SCREE_OK;
}

static scree_status read_corner(reader *r, const char **at, int32_t *row) {
  char *end;
  long long index = strtoll(*at, &end, 10), points = (long long)r->soup->points;
  if (end == *at)
    return sc_fail(
        r->error, SCREE_E_FORMAT, "%s:%ld: \"%.20s\" is not a vertex number", r->path, r->line, *at);
  /* vertices are counted from 1; a negative index counts backwards from the last vertex, which is -1 */
  long long found = index < 0 ? points + index : index - 1;
  if (index == 0 || found < 0 || found >= points)
    return sc_fail(r->error, SCREE_E_FORMAT, "%s:%ld: vertex %lld of %lld; a face names vertices above it",
        r->path, r->line, index, points);
  *row = (int32_t)found;
  for (*at = end; **at && !strchr(" \t", **at);) ++*at;
  *at += strspn(*at, " \t");
  return SCREE_OK;
}

static scree_status read_face(reader *r, const char *at) {
  int32_t corners = 0;
  for (at += strspn(at, " \t"); *at; corners++) {
    scree_status status = read_corner(r, &at, r->corner + corners);
    if (status) return status;
  }
  if (corners < 3)
    return sc_fail(
        r->error, SCREE_E_FORMAT, "%s:%ld: a face with %d corners", r->path, r->line, (int)corners);
  if (!sc_soup_add_polygon(r->soup, r->corner, corners))
    return sc_fail(r->error, SCREE_E_MEMORY, "%s: no memory for its faces", r->path);
  return SCREE_OK;
}

/* Reads the next statement into r->text: one line, and a further line after each line that ends in a
 * backslash. *at: position in `bytes`, moved to the end of the statement. */
static scree_status read_statement(reader *r, const unsigned char *bytes, size_t count, size_t *at) {
  size_t length = 0;
  for (bool goes_on = true; goes_on && *at < count; r->next++) {
    size_t end = *at;
    while (end < count && bytes[end] != '\n') end++;
    if (length + (end - *at) + 1 >= LONGEST)
      return sc_fail(r->error, SCREE_E_FORMAT, "%s:%ld: a line of %zu bytes; at most %d are read", r->path,
          r->next, end - *at, LONGEST);
    memcpy(r->text + length, bytes + *at, end - *at);
    r->text[length + (end - *at)] = 0;
    length += strcspn(r->text + length, "#");
    while (length && strchr(" \t\r", r->text[length - 1])) length--;
    goes_on = length && r->text[length - 1] == '\\';
    if (goes_on) r->text[length - 1] = ' ';
    r->text[length] = 0;
    *at = end + 1;
  }
  return SCREE_OK;
}

/* Returns the rest of a statement after its first word if this word is `word`, else NULL. */
static const char *find_rest(const char *text, const char *word) {
  const size_t n = strlen(word);
  return !strncmp(text, word, n) && (text[n] == ' ' || text[n] == '\t') ? text + n : NULL;
}

static scree_status read_group(reader *r, const char *at, bool is_object) {
  sc_soup *soup = r->soup;
  if (!SC_GROW(soup->group, soup->group_capacity, soup->groups + 1))
    return sc_fail(r->error, SCREE_E_MEMORY, "%s: no memory for its groups", r->path);
  sc_soup_group *g = soup->group + soup->groups++;
  *g = (sc_soup_group){.is_object = is_object, .first = soup->triangles};
  snprintf(g->name, sizeof g->name, "%s", at + strspn(at, " \t"));
  return SCREE_OK;
}

static scree_status read_statements(reader *r, const unsigned char *bytes, size_t count) {
  size_t at = count >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
  for (scree_status status = SCREE_OK; at < count;) {
    r->line = r->next;
    status = read_statement(r, bytes, count, &at);
    const char *text = r->text + strspn(r->text, " \t"), *rest;
    if (status) return status;
    if ((rest = find_rest(text, "v"))) status = read_vertex(r, rest);
    else if ((rest = find_rest(text, "f")) || (rest = find_rest(text, "fo"))) status = read_face(r, rest);
    else if ((rest = find_rest(text, "g"))) status = read_group(r, rest, false);
    else if ((rest = find_rest(text, "o"))) status = read_group(r, rest, true);
    if (status) return status;
  }
  return SCREE_OK;
}

scree_status sc_soup_obj(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  reader r = {.path = path, .next = 1, .soup = soup, .error = error};
  r.text = sc_alloc(LONGEST), r.corner = sc_alloc(LONGEST / 2 * sizeof *r.corner);
  scree_status status = r.text && r.corner ? read_statements(&r, bytes, count)
                                           : sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", path);
  sc_free(r.text);
  sc_free(r.corner);
  if (!status && !soup->points) status = sc_fail(error, SCREE_E_FORMAT, "%s: holds no point", path);
  return status;
}
