/* Support points and faces of convex cores, by type. */
#include "collide/narrow/convex.h"

static double sign_of(double x) { return x < 0 ? -1 : 1; }

void sc_convex_of(const sc_placed *placed, const double origin[3], sc_convex *out) {
  const sc_shape *shape = placed->shape;
  *out = (sc_convex){.shape = shape, .size = shape->bound};
  sc_sub(placed->position, origin, out->position);
  memcpy(out->R, placed->R, sizeof out->R);
  if (shape->type == SCREE_SPHERE) out->radius = shape->radius, out->size = 0;
  if (shape->type == SCREE_CAPSULE) out->radius = shape->radius, out->size = shape->half;
}

/* Point of the rim furthest along (dx, dy), at height z; the middle of the disc where the direction is
 * along the axis. */
static void rim_point(double r, double dx, double dy, double z, double out[3]) {
  double across = sqrt(dx * dx + dy * dy), s = across > 0 ? r / across : 0;
  sc_set3(s * dx, s * dy, z, out);
}

static void cone_support(const sc_shape *s, const double d[3], double out[3]) {
  rim_point(s->radius, d[0], d[1], -s->half, out);
  if (d[2] * s->half > sc_dot(d, out)) sc_set3(0, 0, s->half, out);
}

/* Climbs from corner to corner along edges; a small hull is looked through. */
static void hull_support(const scree_geometry *hull, const double d[3], double out[3]) {
  int32_t best = 0;
  double high = sc_dot(hull->point[0], d);
  if (hull->points <= 24) {
    for (int32_t k = 1; k < hull->points; k++) {
      double height = sc_dot(hull->point[k], d);
      if (height > high) high = height, best = k;
    }
  } else {
    for (int32_t from = -1; from != best;) {
      from = best;
      for (int32_t k = hull->near_first[from]; k < hull->near_first[from + 1]; k++) {
        double height = sc_dot(hull->point[hull->near[k]], d);
        if (height > high) high = height, best = hull->near[k];
      }
    }
  }
  sc_copy3(hull->point[best], out);
}

static void triangle_support(const double (*corner)[3], const double d[3], double out[3]) {
  double x = sc_dot(corner[0], d), y = sc_dot(corner[1], d), z = sc_dot(corner[2], d);
  sc_copy3(corner[x >= y && x >= z ? 0 : y >= z ? 1 : 2], out);
}

static void local_support(const sc_convex *c, const double d[3], double out[3]) {
  const sc_shape *s = c->shape;
  if (!s) {
    triangle_support(c->triangle, d, out);
    return;
  }
  switch (s->type) {
  case SCREE_CAPSULE: sc_set3(0, 0, d[2] < 0 ? -s->half : s->half, out); return;
  case SCREE_BOX:
    for (int k = 0; k < 3; k++) out[k] = d[k] < 0 ? -s->extent[k] : s->extent[k];
    return;
  case SCREE_CYLINDER: rim_point(s->radius, d[0], d[1], d[2] < 0 ? -s->half : s->half, out); return;
  case SCREE_CONE: cone_support(s, d, out); return;
  case SCREE_ELLIPSOID: {
    double scaled[3] = {s->extent[0] * d[0], s->extent[1] * d[1], s->extent[2] * d[2]},
           width = sc_norm(scaled);
    for (int k = 0; k < 3; k++) out[k] = width > 0 ? s->extent[k] * scaled[k] / width : 0;
    return;
  }
  case SCREE_HULL: hull_support(s->geometry, d, out); return;
  default: sc_set3(0, 0, 0, out); return;
  }
}

void sc_convex_support(const sc_convex *c, const double direction[3], double out[3]) {
  double d[3], local[3];
  sc_mat_tvec(c->R, direction, d);
  local_support(c, d, local);
  sc_mat_vec(c->R, local, out);
  sc_add(out, c->position, out);
}

void sc_convex_corner(const sc_convex *a, const sc_convex *b, const double direction[3], sc_corner *out) {
  double back[3] = {-direction[0], -direction[1], -direction[2]};
  sc_convex_support(a, direction, out->a);
  sc_convex_support(b, back, out->b);
  sc_sub(out->a, out->b, out->w);
}

/* ---- faces, in the core's own frame ---- */

static void box_face(const sc_shape *s, const double d[3], sc_face *f) {
  const double *h = s->extent;
  int k = fabs(d[0]) >= fabs(d[1]) && fabs(d[0]) >= fabs(d[2]) ? 0
      : fabs(d[1]) >= fabs(d[2])                               ? 1
                                                               : 2,
      i = (k + 1) % 3, j = (k + 2) % 3;
  double side = sign_of(d[k]);
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

/* A disc as an octagon on its rim, fixed to the body. */
static void disc_face(double r, double z, double side, sc_face *f) {
  static const double turn[8][2] = {{1, 0}, {0.70710678118654752, 0.70710678118654752}, {0, 1},
      {-0.70710678118654752, 0.70710678118654752}, {-1, 0}, {-0.70710678118654752, -0.70710678118654752},
      {0, -1}, {0.70710678118654752, -0.70710678118654752}};
  f->count = 8;
  f->id = side > 0;
  sc_set3(0, 0, side, f->normal);
  for (int k = 0; k < 8; k++) sc_set3(r * turn[k][0], side * r * turn[k][1], z, f->corner[k]);
}

/* A line of the side, from (r0, z0) to (r1, z1) in the half-plane of the direction. */
static void side_line(const double d[3], double r0, double z0, double r1, double z1, sc_face *f) {
  double across = sqrt(d[0] * d[0] + d[1] * d[1]), c = across > 0 ? d[0] / across : 1,
         s = across > 0 ? d[1] / across : 0;
  f->count = 2;
  f->id = 2;
  sc_set3(r0 * c, r0 * s, z0, f->corner[0]);
  sc_set3(r1 * c, r1 * s, z1, f->corner[1]);
}

static void hull_face(const scree_geometry *hull, const double d[3], sc_face *f) {
  int32_t best = 0;
  double most = -2;
  for (int32_t k = 0; k < hull->faces; k++) {
    double along = sc_dot(hull->plane[k], d);
    if (along > most) most = along, best = k;
  }
  int32_t first = hull->first[best], count = hull->first[best + 1] - first,
          step = 1 + (count - 1) / SC_MAX_CORNERS;
  f->id = (uint32_t)best;
  sc_copy3(hull->plane[best], f->normal);
  /* a face of very many corners is thinned out evenly */
  for (int32_t k = 0; k < count; k += step)
    sc_copy3(hull->point[hull->corner[first + k]], f->corner[f->count++]);
}

static void triangle_face(const double (*corner)[3], const double d[3], sc_face *f) {
  double e[3], g[3];
  f->count = 3;
  sc_sub(corner[1], corner[0], e);
  sc_sub(corner[2], corner[0], g);
  sc_cross(e, g, f->normal);
  sc_normalise(f->normal, f->normal);
  if (sc_dot(f->normal, d) < 0) sc_scale(-1, f->normal, f->normal);
  for (int k = 0; k < 3; k++) sc_copy3(corner[k], f->corner[k]);
}

static void local_face(const sc_convex *c, const double d[3], sc_face *f) {
  const sc_shape *s = c->shape;
  if (!s) {
    triangle_face(c->triangle, d, f);
    return;
  }
  switch (s->type) {
  case SCREE_CAPSULE:
    f->count = 2;
    sc_set3(0, 0, -s->half, f->corner[0]);
    sc_set3(0, 0, s->half, f->corner[1]);
    return;
  case SCREE_BOX: box_face(s, d, f); return;
  case SCREE_CYLINDER:
    if (fabs(d[2]) > 0.7) disc_face(s->radius, sign_of(d[2]) * s->half, sign_of(d[2]), f);
    else side_line(d, s->radius, -s->half, s->radius, s->half, f);
    return;
  case SCREE_CONE:
    if (d[2] < -0.7) disc_face(s->radius, -s->half, -1, f);
    else side_line(d, s->radius, -s->half, 0, s->half, f);
    return;
  case SCREE_HULL: hull_face(s->geometry, d, f); return;
  default:
    f->count = 1;
    local_support(c, d, f->corner[0]);
    return;
  }
}

void sc_convex_face(const sc_convex *c, const double direction[3], sc_face *out) {
  double d[3];
  out->count = 0, out->id = 0;
  sc_mat_tvec(c->R, direction, d);
  local_face(c, d, out);
  for (int k = 0; k < out->count; k++) {
    sc_mat_vec(c->R, out->corner[k], out->corner[k]);
    sc_add(out->corner[k], c->position, out->corner[k]);
  }
  if (out->count > 2) sc_mat_vec(c->R, out->normal, out->normal);
}
