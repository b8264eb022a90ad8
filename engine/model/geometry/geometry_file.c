/* Geometry from files: reading, joining equal points, hull or mesh of what was read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { MAX_FILE = 1 << 30 };

void sc_soup_free(sc_soup *soup) {
  sc_free(soup->point);
  sc_free(soup->triangle);
  *soup = (sc_soup){0};
}

/* Whole file; the caller frees *bytes. */
static scree_status slurp(const char *path, unsigned char **bytes, size_t *count, scree_error *error) {
  struct stat info;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bool regular = descriptor >= 0 && !fstat(descriptor, &info) && S_ISREG(info.st_mode);
  FILE *file = regular ? fdopen(descriptor, "rb") : NULL;
  if (!file && descriptor >= 0) close(descriptor);
  if (!file && descriptor >= 0) return sc_fail(error, SCREE_E_IO, "%s: not a regular file", path);
  if (!file) return sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno));
  size_t capacity = 0;
  *bytes = NULL, *count = 0;
  scree_status status = SCREE_OK;
  for (size_t got = 1; got && !status;) {
    if (*count > MAX_FILE) status = sc_fail(error, SCREE_E_FORMAT, "%s: larger than 1 GiB", path);
    else if (!SC_GROW(*bytes, capacity, *count + 65536))
      status = sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", path);
    else *count += got = fread(*bytes + *count, 1, 65536, file);
  }
  if (!status && ferror(file))
    status = sc_fail(error, SCREE_E_IO, "%s: %s", path, strerror(errno ? errno : EIO));
  fclose(file);
  return status;
}

static bool ends_with(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcasecmp(path + n - m, ending);
}

/* Reads a file as its name and content say. */
static scree_status read_soup(const char *path, sc_soup *soup, scree_error *error) {
  SC_ASSERT(path && soup);
  unsigned char *bytes = NULL;
  size_t count = 0;
  *soup = (sc_soup){0};
  scree_status status = slurp(path, &bytes, &count, error);
  if (!status && ends_with(path, ".obj")) status = sc_soup_obj(path, bytes, count, soup, error);
  else if (!status && ends_with(path, ".stl")) status = sc_soup_stl(path, bytes, count, soup, error);
  else if (!status) status = sc_fail(error, SCREE_E_ARGUMENT, "%s: the name must end in .stl or .obj", path);
  sc_free(bytes);
  if (!status && !sc_soup_weld(soup))
    status = sc_fail(error, SCREE_E_MEMORY, "%s: no memory to join its points", path);
  if (status) sc_soup_free(soup);
  return status;
}

/* ---- joining points ---- */

typedef struct named {
  double x[3];
  int32_t row;
} named;

static int by_place(const void *a, const void *b) {
  const named *p = a, *q = b;
  for (int k = 0; k < 3; k++)
    if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
  return (p->row > q->row) - (p->row < q->row);
}

bool sc_soup_weld(sc_soup *soup) {
  named *sorted = sc_alloc((soup->points + 1) * sizeof *sorted);
  int32_t *name = sc_alloc((soup->points + 1) * sizeof *name);
  if (!sorted || !name) {
    sc_free(sorted);
    sc_free(name);
    return false;
  }
  for (size_t p = 0; p < soup->points; p++) {
    sorted[p].row = (int32_t)p;
    for (int k = 0; k < 3; k++) sorted[p].x[k] = soup->point[p][k] + 0.0; /* -0 becomes 0 */
  }
  qsort(sorted, soup->points, sizeof *sorted, by_place);
  /* every point takes the first of its equals, then the first ones move up */
  for (size_t p = 0, first = 0; p < soup->points; p++) {
    if (memcmp(sorted[p].x, sorted[first].x, sizeof sorted[p].x)) first = p;
    name[sorted[p].row] = sorted[first].row;
  }
  int32_t kept = 0;
  for (size_t p = 0; p < soup->points; p++) {
    if (name[p] != (int32_t)p) {
      name[p] = name[name[p]];
      continue;
    }
    sc_copy3(soup->point[p], soup->point[kept]);
    name[p] = kept++;
  }
  for (size_t t = 0; t < soup->triangles; t++)
    for (int c = 0; c < 3; c++) soup->triangle[t][c] = name[soup->triangle[t][c]];
  soup->points = (size_t)kept;
  sc_free(sorted);
  sc_free(name);
  return true;
}

/* ---- what users call ---- */

/* Puts the file's name before the text of an error. */
static void name_file(const char *path, scree_error *error) {
  if (!error) return;
  scree_error inner = *error;
  sc_fail(error, inner.status, "%s: %.400s", path, inner.text);
}

scree_geometry *scree_geometry_mesh_file(const char *path, double scale, int closed, scree_error *error) {
  sc_soup soup;
  if (read_soup(path, &soup, error)) return NULL;
  scree_mesh_def def = {.points = (const double(*)[3])soup.point,
      .points_count = (int64_t)soup.points,
      .triangles = (const int32_t(*)[3])soup.triangle,
      .triangles_count = (int64_t)soup.triangles,
      .scale = scale,
      .closed = closed};
  scree_geometry *g = scree_geometry_mesh(&def, error);
  if (!g) name_file(path, error);
  sc_soup_free(&soup);
  return g;
}

scree_geometry *scree_geometry_hull_file(const char *path, double scale, scree_error *error) {
  sc_soup soup;
  if (read_soup(path, &soup, error)) return NULL;
  for (size_t p = 0; p < soup.points; p++) sc_scale(scale > 0 ? scale : 1, soup.point[p], soup.point[p]);
  scree_geometry *g = scree_geometry_hull((const double(*)[3])soup.point, (int64_t)soup.points, error);
  if (!g) name_file(path, error);
  sc_soup_free(&soup);
  return g;
}
