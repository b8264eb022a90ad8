/* Convex hulls of points, and triangle meshes. Their data are in the geometry (model/geometry). */
#include <string.h>
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"

static const scree_param keys[] = {
    {"geometry", SCREE_OPAQUE, 0, "", 0, 0, 0, 0, NULL, "made by scree.geometry"}};

static sc_mass compute_hull_mass(const sc_shape *s, double density) {
  sc_mass mass = {0};
  if (!s->geometry || !s->geometry->closed) return mass;
  mass = s->geometry->solid;
  mass.mass *= density;
  for (int k = 0; k < 6; k++) mass.inertia[k] *= density;
  return mass;
}
static double bound_hull(const sc_shape *s) { return s->geometry ? s->geometry->bound : 0; }
static void box_of_hull(const sc_shape *s, double middle[3], double half[3]) {
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (s->geometry->min[k] + s->geometry->max[k]);
    half[k] = 0.5 * (s->geometry->max[k] - s->geometry->min[k]);
  }
}

/* Sets out to the support point. For a large hull, climbs from point to point along edges. For a small hull,
 * tests all points. */
static void support_hull(const sc_shape *s, const double d[3], double out[3]) {
  const scree_geometry *hull = s->geometry;
  int32_t best = 0;
  if (hull->points <= 24) {
    double high = sc_dot(hull->point[0], d);
    for (int32_t k = 1; k < hull->points; k++) {
      double height = sc_dot(hull->point[k], d);
      if (height > high) high = height, best = k;
    }
  } else {
    best = sc_hull_highest(hull, d, 0);
  }
  sc_copy3(hull->point[best], out);
}

/* Returns the face whose normal is nearest to the unit vector d. guess: face that is tested first. */
static int32_t face_along(const scree_geometry *hull, const double d[3], uint32_t guess) {
  int32_t best = (int32_t)guess;
  if (best < hull->faces && sc_dot(hull->plane[best], d) > hull->nearer[best]) return best;
  double most = -2;
  for (int32_t k = 0; k < hull->faces; k++) {
    double along = sc_dot(hull->plane[k], d);
    if (along > most) most = along, best = k;
  }
  return best;
}

static void face_hull(const sc_shape *s, const double d[3], sc_face *f) {
  const scree_geometry *hull = s->geometry;
  const int32_t best = face_along(hull, d, f->id);
  const int32_t first = hull->first[best], count = hull->first[best + 1] - first;
  f->id = (uint32_t)best;
  sc_copy3(hull->plane[best], f->normal);
  f->count = count < SC_MAX_CORNERS ? count : SC_MAX_CORNERS;
  /* a face with more than SC_MAX_CORNERS corners is represented by corners at equal intervals */
  for (int64_t k = 0; k < f->count; k++)
    sc_copy3(hull->point[hull->corner[first + k * count / f->count]], f->corner[k]);
}

static int32_t feature_of_hull(const sc_shape *s, const double d[3]) {
  int32_t best = 0;
  double high = sc_dot(s->geometry->point[0], d);
  for (int32_t k = 1; k < s->geometry->points; k++) {
    double height = sc_dot(s->geometry->point[k], d);
    if (height > high) high = height, best = k;
  }
  return best;
}
static void feature_point_of_hull(const sc_shape *s, int32_t id, const double d[3], double out[3]) {
  (void)d;
  sc_copy3(s->geometry->point[id], out);
}

static void corners_of_hull(const sc_shape *s, const sc_point_sink *sink) {
  for (int32_t k = 0; k < s->geometry->points; k++) sink->put(sink->to, s->geometry->point[k], (uint32_t)k);
}
static void drop_hull(const sc_shape *s, const double n[3], const sc_point_sink *sink) {
  (void)n;
  corners_of_hull(s, sink);
}
static void draw_hull(const sc_shape *s, const sc_triangle_sink *sink) {
  const double(*point)[3];
  const int32_t(*corner)[3];
  scree_geometry_points(s->geometry, &point);
  int64_t count = scree_geometry_triangles(s->geometry, &corner);
  for (int64_t i = 0; i < count; i++)
    sink->put(sink->to, point[corner[i][0]], point[corner[i][1]], point[corner[i][2]]);
}

static int find_hull_side_faces(const sc_shape *s, const double x[3], const double n[3], double cosine,
    double off, double plane[SC_MAX_SIDE_FACES][4]) {
  const scree_geometry *hull = s->geometry;
  int count = 0;
  for (int32_t k = 0; k < hull->faces && count < SC_MAX_SIDE_FACES; k++) {
    const double *face = hull->plane[k];
    if (fabs(sc_dot(face, n)) <= cosine && fabs(sc_dot(face, x) - face[3]) <= off)
      memcpy(plane[count++], face, sizeof *plane);
  }
  return count;
}

const sc_shape_kind sc_kind_hull = {
    SC_SHAPE_ABOUT("hull", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID | SCREE_SHAPE_GEOMETRY),
    .family = SC_FAMILY_SOLID, .mass = compute_hull_mass, .bound = bound_hull, .box = box_of_hull,
    .support = support_hull, .face = face_hull, .feature = feature_of_hull,
    .feature_point = feature_point_of_hull, .drop = drop_hull, .side_faces = find_hull_side_faces,
    .triangles = draw_hull, .corners = corners_of_hull};

const sc_shape_kind sc_kind_mesh = {SC_SHAPE_ABOUT("mesh", keys, SCREE_SHAPE_GEOMETRY),
    .family = SC_FAMILY_MESH, .mass = compute_hull_mass, .bound = bound_hull, .box = box_of_hull,
    .triangles = draw_hull, .corners = corners_of_hull};
