/* OBJ: vertices (v) and faces (f) of a Wavefront file; polygons are fanned, all else is passed over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

/* One line, cut off at its end or at a comment. */
typedef struct reader {
  const char *path;
  long line;
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
  /* counted from 1, or back from the last */
  long long found = index < 0 ? points + index : index - 1;
  if (index == 0 || found < 0 || found >= points)
    return sc_fail(r->error, SCREE_E_FORMAT, "%s:%ld: vertex %lld of %lld", r->path, r->line, index, points);
  *row = (int32_t)found;
  for (*at = end; **at && !strchr(" \t", **at);) ++*at;
  *at += strspn(*at, " \t");
  return SCREE_OK;
}

static scree_status read_face(reader *r, const char *at) {
  int32_t corner[3] = {0, 0, 0};
  int corners = 0;
  for (at += strspn(at, " \t"); *at; corners++) {
    int32_t row = 0;
    scree_status status = read_corner(r, &at, &row);
    if (status) return status;
    if (corners < 2) {
      corner[corners] = row;
      continue;
    }
    corner[2] = row;
    if (!SC_GROW(r->soup->triangle, r->soup->triangle_capacity, r->soup->triangles + 1))
      return sc_fail(r->error, SCREE_E_MEMORY, "%s: no memory for its faces", r->path);
    memcpy(r->soup->triangle[r->soup->triangles++], corner, sizeof corner);
    corner[1] = row;
  }
  if (corners < 3)
    return sc_fail(r->error, SCREE_E_FORMAT, "%s:%ld: a face with %d corners", r->path, r->line, corners);
  return SCREE_OK;
}

scree_status sc_soup_obj(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  reader r = {path, 0, soup, error};
  enum { LONGEST = 65536 };
  char *line = sc_alloc(LONGEST);
  scree_status status = line ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", path);
  for (size_t at = 0, end; at < count && !status; at = end + 1) {
    r.line++;
    for (end = at; end < count && bytes[end] != '\n';) end++;
    size_t length = end - at;
    if (length >= LONGEST) {
      status = sc_fail(error, SCREE_E_FORMAT, "%s:%ld: a line of %zu bytes", path, r.line, length);
      break;
    }
    memcpy(line, bytes + at, length);
    line[length] = 0;
    line[strcspn(line, "#\r")] = 0;
    const char *text = line + strspn(line, " \t");
    if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t')) status = read_vertex(&r, text + 1);
    else if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) status = read_face(&r, text + 1);
  }
  sc_free(line);
  if (!status && !soup->triangles) status = sc_fail(error, SCREE_E_FORMAT, "%s: holds no face", path);
  return status;
}
