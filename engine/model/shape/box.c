/* Boxes. sc_shape.extent: half the lengths of the edges. */
#include "model/shape/kind.h"

static const scree_param keys[] = {SC_SHAPE_SIZE("full edge lengths, twice the half extents")};

static sc_mass compute_box_mass(const sc_shape *s, double density) { return sc_mass_box(s->extent, density); }
static double bound_box(const sc_shape *s) { return sc_norm(s->extent); }
static void box_of_box(const sc_shape *s, double middle[3], double half[3]) {
  (void)middle;
  sc_copy3(s->extent, half);
}

static void support_box(const sc_shape *s, const double d[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = d[k] < 0 ? -s->extent[k] : s->extent[k];
}

static void face_box(const sc_shape *s, const double d[3], sc_face *f) {
  const double *h = s->extent;
  int k = fabs(d[0]) >= fabs(d[1]) && fabs(d[0]) >= fabs(d[2]) ? 0
      : fabs(d[1]) >= fabs(d[2])                               ? 1
                                                               : 2,
      i = (k + 1) % 3, j = (k + 2) % 3;
  double side = sc_sign_of(d[k]);
  f->count = 4;
  f->id = (uint32_t)(2 * k + (side > 0));
  sc_set3(0, 0, 0, f->normal);
  f->normal[k] = side;
  for (int c = 0; c < 4; c++) {
    f->corner[c][k] = side * h[k];
    f->corner[c][i] = (c == 1 || c == 2 ? 1 : -1) * h[i];
    f->corner[c][j] = side * (c >= 2 ? 1 : -1) * h[j];
  }
}

/* Sets out to the corner with a feature id. Bit k of the id is 1 if coordinate k of the corner is
 * positive. */
static void box_corner(const sc_shape *s, int32_t id, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = id >> k & 1 ? s->extent[k] : -s->extent[k];
}
static int32_t feature_of_box(const sc_shape *s, const double d[3]) {
  (void)s;
  return (d[0] > 0) | (d[1] > 0) << 1 | (d[2] > 0) << 2;
}
static void feature_point_of_box(const sc_shape *s, int32_t id, const double d[3], double out[3]) {
  (void)d;
  box_corner(s, id, out);
}

static void corners_of_box(const sc_shape *s, const sc_point_sink *sink) {
  for (int32_t k = 0; k < 8; k++) {
    double point[3];
    box_corner(s, k, point);
    sink->put(sink->to, point, (uint32_t)k);
  }
}
static void drop_box(const sc_shape *s, const double n[3], const sc_point_sink *sink) {
  (void)n;
  corners_of_box(s, sink);
}

static int find_box_side_faces(const sc_shape *s, const double x[3], const double n[3], double cosine,
    double off, double plane[SC_MAX_SIDE_FACES][4]) {
  int count = 0;
  for (int k = 0; k < 3; k++) {
    const bool square = fabs(n[k]) <= cosine, there = fabs(fabs(x[k]) - s->extent[k]) <= off;
    if (!(square & there)) continue;
    sc_set3(0, 0, 0, plane[count]);
    plane[count][k] = sc_sign_of(x[k]);
    plane[count++][3] = s->extent[k];
  }
  return count;
}

static double distance_to_box(const sc_shape *s, const double x[3], double n[3]) {
  const double *h = s->extent;
  double out[3], square = 0, best = -INFINITY;
  int axis = 0;
  for (int k = 0; k < 3; k++) {
    double depth = fabs(x[k]) - h[k];
    out[k] = depth > 0 ? (x[k] < 0 ? -depth : depth) : 0;
    square += out[k] * out[k];
    if (depth > best) best = depth, axis = k;
  }
  if (square > 0) return sc_normalise(out, n);
  sc_set3(0, 0, 0, n);
  n[axis] = x[axis] < 0 ? -1 : 1;
  return best;
}

static void axes_of_box(const sc_shape *s, double out[3]) { sc_copy3(s->extent, out); }
static void draw_box(const sc_shape *s, const sc_triangle_sink *sink) {
  static const int side[6][4] = {
      {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  double p[8][3];
  for (int32_t k = 0; k < 8; k++) box_corner(s, k, p[k]);
  for (int f = 0; f < 6; f++) {
    sink->put(sink->to, p[side[f][0]], p[side[f][1]], p[side[f][2]]);
    sink->put(sink->to, p[side[f][0]], p[side[f][2]], p[side[f][3]]);
  }
}

const sc_shape_kind sc_kind_box = {SC_SHAPE_ABOUT("box", keys, SCREE_SHAPE_CONVEX | SCREE_SHAPE_SOLID),
    .family = SC_FAMILY_SOLID, .mass = compute_box_mass, .bound = bound_box, .box = box_of_box,
    .support = support_box, .face = face_box, .feature = feature_of_box,
    .feature_point = feature_point_of_box, .drop = drop_box, .side_faces = find_box_side_faces,
    .distance = distance_to_box, .axes = axes_of_box, .triangles = draw_box, .corners = corners_of_box};
