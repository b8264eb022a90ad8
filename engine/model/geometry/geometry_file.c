/* Geometry from files: the keys, reading a file, merging equal points, and making a hull or mesh. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

#define AT(member) offsetof(scree_file_def, member)
#define FORMATS "STL, OBJ, PLY, glTF or COLLADA"
/* Rows that hulls, meshes and groups share. */
#define PLACING \
  SCREE_ROW_POSITIVE("scale", AT(scale), "", 1, "multiplies the coordinates"), \
      SCREE_ROW_CHOICE( \
          "up", AT(up), 0, "file|x|y|z", "axis that becomes z; file: as the file says, z for points"), \
      SCREE_ROW_CHOICE("unit", AT(unit), 0, SCREE_LENGTH_UNITS, "unit of the coordinates"), \
      SCREE_ROW_VALUE("place", "", \
          "steps {\"scale\", factor}, {\"rotate\", axis, angle} [rad], {\"move\", offset} [m], " \
          "done in this order after unit and scale")
const scree_param scree_hull_params[] = {
    SCREE_ROW_VALUE("points", "m", "list of at least four points"),
    SCREE_ROW_STRING("file", AT(path), "file whose points to take: " FORMATS),
    PLACING,
};
const int scree_hull_params_count = sizeof scree_hull_params / sizeof *scree_hull_params;
const scree_param scree_mesh_params[] = {
    SCREE_ROW_VALUE("points", "m", "list of points"),
    SCREE_ROW_VALUE("triangles", "", "list of {i, j, k}, counted from 1"),
    SCREE_ROW_STRING("file", AT(path), FORMATS " file"),
    PLACING,
    SCREE_ROW_REAL("weld", AT(weld), "m", SCREE_WELD_AUTO, 0, INFINITY,
        "corners whose coordinates differ by no more are merged; without it 4e-6 of the largest extent; "
        "0: none"),
    SCREE_ROW_BOOLEAN("closed", AT(closed), "refuse a mesh that does not bound a volume"),
    SCREE_ROW_BOOLEAN("solid", AT(solid),
        "push out bodies inside; without it a mesh is a wall that acts on both sides, closed or open"),
};
const int scree_mesh_params_count = sizeof scree_mesh_params / sizeof *scree_mesh_params;
const scree_param scree_groups_params[] = {
    {"file", SCREE_STRING, SCREE_REQUIRED, "", 0, 0, 0, AT(path), NULL, "OBJ or PLY file"},
    PLACING,
};
const int scree_groups_params_count = sizeof scree_groups_params / sizeof *scree_groups_params;

const scree_param *scree_geometry_params(int type, int *count) {
  const bool is_hull = type == SCREE_HULL;
  if (count) *count = is_hull ? scree_hull_params_count : type == SCREE_MESH ? scree_mesh_params_count : 0;
  return is_hull ? scree_hull_params : type == SCREE_MESH ? scree_mesh_params : NULL;
}

scree_file_def scree_file_defaults(void) { return (scree_file_def){.scale = 1, .weld = SCREE_WELD_AUTO}; }

double scree_length_unit(int unit) {
  static const double sizes[] = {1, 1e-3, 1e-2, 1e-6, 1e3, 0.0254, 0.3048};
  return unit >= 0 && unit < (int)(sizeof sizes / sizeof *sizes) ? sizes[unit] : 0;
}

void sc_soup_free(sc_soup *soup) {
  sc_free(soup->point);
  sc_free(soup->triangle);
  sc_free(soup->group);
  *soup = (sc_soup){0};
}

static bool has_ending(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcasecmp(path + n - m, ending);
}

typedef scree_status reader(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error);

/* Returns the function that reads a file with this name. NULL: scree has no function for the format. *known:
 * true if scree or the library assimp reads the format. */
static reader *reader_of(const char *path, bool *known) {
  static const struct {
    const char *ending;
    reader *read;
  } kinds[] = {{".obj", sc_soup_obj}, {".stl", sc_soup_stl}, {".ply", sc_soup_ply}, {".glb", NULL},
      {".gltf", NULL}, {".dae", NULL}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if ((*known = has_ending(path, kinds[k].ending))) return kinds[k].read;
  return NULL;
}

int scree_file_has_unit(const char *path) {
  SC_DEMAND(path, NULL, 0);
  bool known;
  const bool is_scene = !reader_of(path, &known);
  return is_scene && known;
}

static scree_status read_named(const scree_file_def *def, sc_soup *soup, scree_error *error) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  bool known;
  reader *read = reader_of(def->path, &known);
  if (!known)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s: the name must end in .stl, .obj, .ply, .glb, .gltf or .dae", def->path);
  if (def->unit && !read)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "%s says its unit itself and is read in metres; take scale to change its size", def->path);
  scree_status status = sc_soup_slurp(def->path, &bytes, &count, error);
  if (!status && !read) status = sc_soup_scan(def->path, bytes, count, error);
  if (!status)
    status = read ? read(def->path, bytes, count, soup, error)
                  : sc_soup_scene(def->path, bytes, count, def->up, soup, error);
  sc_free(bytes);
  return status;
}

/* Rotates the point x so that an axis of the file becomes the z axis. up: 1: the x axis, 2: the y axis; any
 * other value: does not rotate. */
static void turn_up(int up, double x[3]) {
  if (up == 1) sc_set3(-x[1], -x[2], x[0], x);
  if (up == 2) sc_set3(x[0], -x[2], x[1], x);
}

static void place_point(const double place[3][4], double x[3]) {
  double y[3];
  for (int k = 0; k < 3; k++) y[k] = sc_dot(place[k], x) + place[k][3];
  sc_copy3(y, x);
}

/* Checks the members of *def that are indices of choices. */
static scree_status check_choices(const scree_file_def *def, scree_error *error) {
  scree_status status = SCREE_OK;
  for (int k = 0; k < scree_groups_params_count && !status; k++)
    if (scree_groups_params[k].type == SCREE_CHOICE)
      status = scree_param_check(scree_groups_params + k, def, scree_groups_params[k].name, error);
  return status;
}

scree_status scree_file_place(
    const scree_file_def *def, double (*points)[3], int64_t count, scree_error *error) {
  SC_DEMAND(def && (points || !count), error, SCREE_E_ARGUMENT);
  scree_status status = check_choices(def, error);
  if (status) return status;
  const double scale = (def->scale > 0 ? def->scale : 1) * scree_length_unit(def->unit);
  for (int64_t p = 0; p < count; p++) {
    turn_up(def->up, points[p]);
    sc_scale(scale, points[p], points[p]);
    if (def->is_placed) place_point(def->place, points[p]);
  }
  return SCREE_OK;
}

scree_status sc_soup_read(const scree_file_def *def, bool weld, sc_soup *soup, scree_error *error) {
  SC_ASSERT(def->path && soup);
  *soup = (sc_soup){0};
  scree_status status = read_named(def, soup, error);
  if (!status && weld && !sc_soup_weld(soup))
    status = sc_fail(error, SCREE_E_MEMORY, "%s: no memory to join its points", def->path);
  if (!status) status = scree_file_place(def, soup->point, (int64_t)soup->points, error);
  if (status) sc_soup_free(soup);
  return status;
}

bool sc_soup_weld(sc_soup *soup) {
  int32_t points = (int32_t)soup->points, welded;
  if (soup->points > INT32_MAX - 1 ||
      !sc_weld_points(soup->point, &points, soup->triangle, soup->triangles, 0, &welded))
    return false;
  soup->points = (size_t)points;
  return true;
}

/* ---- public functions ---- */

/* Puts the name of the file before the text of an error. */
static void name_file(const char *path, scree_error *error) {
  if (!error) return;
  scree_error inner = *error;
  sc_fail(error, inner.status, "%s: %.400s", path, inner.text);
}

scree_geometry *scree_geometry_mesh_file(const scree_file_def *def, scree_error *error) {
  SC_DEMAND(def && def->path, error, NULL);
  sc_soup soup;
  if (sc_soup_read(def, true, &soup, error)) return NULL;
  if (!soup.triangles) { // an OBJ file that has only points can make a hull, but no mesh
    sc_soup_free(&soup);
    return sc_fail(error, SCREE_E_FORMAT, "%s: holds no face", def->path), NULL;
  }
  scree_mesh_def mesh = {.points = (const double(*)[3])soup.point,
      .points_count = (int64_t)soup.points,
      .triangles = (const int32_t(*)[3])soup.triangle,
      .triangles_count = (int64_t)soup.triangles,
      .weld = def->weld,
      .closed = def->closed,
      .solid = def->solid};
  scree_geometry *g = scree_geometry_mesh(&mesh, error);
  if (!g) name_file(def->path, error);
  sc_soup_free(&soup);
  return g;
}

scree_geometry *scree_geometry_hull_file(const scree_file_def *def, scree_error *error) {
  SC_DEMAND(def && def->path, error, NULL);
  sc_soup soup;
  if (sc_soup_read(def, true, &soup, error)) return NULL;
  const int64_t points = (int64_t)soup.points;
  scree_geometry *g = NULL;
  if (def->most && points > def->most)
    sc_fail(error, SCREE_E_MEMORY, "%lld points: at most %lld make a hull here", (long long)points,
        (long long)def->most);
  else g = scree_geometry_hull((const double(*)[3])soup.point, points, error);
  if (!g) name_file(def->path, error);
  sc_soup_free(&soup);
  return g;
}
