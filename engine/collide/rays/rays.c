/* Rays against shapes.
 *
 * Balls and half-spaces have closed forms, and hulls are clipped by their faces. For other convex kinds
 * the distance from the shape along the ray is a convex function of the ray parameter. Its slope is n . d,
 * with n the normal at the nearest point. Newton's method from outside approaches the entry from one side
 * only and never passes it. It ends at rounding, or if the slope shows that the ray moves away. Meshes have
 * their own file (ray_mesh.c). */
#include "collide/rays/rays.h"

#include <math.h>
#include "collide/collide.h"
#include "collide/rays/ray_mesh.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"

enum { MOST_ROUNDS = 200 };

/* A ray in the axes of a shape. */
typedef struct local_ray {
  double o[3], d[3], reach;
} local_ray;

static void start_inside(const local_ray *ray, sc_ray_hit *hit) {
  hit->distance = 0;
  sc_scale(-1, ray->d, hit->normal);
}

/* Computes the entry of a ray into the ball of radius r about c. *t < 0: the ray starts inside. Returns false
 * if the ray misses the ball. */
static bool enter_ball(const local_ray *ray, const double c[3], double r, double *t) {
  double off[3], foot[3];
  sc_sub(ray->o, c, off);
  double along = -sc_dot(off, ray->d);
  sc_axpy(along, ray->d, off, foot);
  double rest = r * r - sc_dot(foot, foot);
  if (rest < 0) return false;
  double half = sqrt(rest);
  *t = along - half;
  return along + half >= 0;
}

static bool hit_ball(const local_ray *ray, const double c[3], double r, sc_ray_hit *hit) {
  double t, point[3];
  if (!enter_ball(ray, c, r, &t) || t > ray->reach) return false;
  if (t <= 0) {
    start_inside(ray, hit);
    return true;
  }
  hit->distance = t;
  sc_axpy(t, ray->d, ray->o, point);
  sc_sub(point, c, hit->normal);
  sc_normalise(hit->normal, hit->normal);
  return true;
}

static bool hit_plane(const local_ray *ray, sc_ray_hit *hit) {
  double height = ray->o[2], fall = -ray->d[2];
  if (height <= 0) {
    start_inside(ray, hit);
    return true;
  }
  if (!(fall > 0) || height > fall * ray->reach) return false;
  hit->distance = height / fall;
  sc_set3(0, 0, 1, hit->normal);
  return true;
}

/* Clips the ray by all faces of a hull. Returns false if the ray misses the hull within its reach. */
static bool hit_hull(const scree_geometry *g, const local_ray *ray, sc_ray_hit *hit) {
  double in = -INFINITY, out = INFINITY;
  int32_t face = -1;
  for (int32_t f = 0; f < g->faces; f++) {
    double height = sc_dot(g->plane[f], ray->o) - g->plane[f][3], fall = -sc_dot(g->plane[f], ray->d);
    if (fall == 0 && height > 0) return false;
    if (fall == 0) continue;
    double t = height / fall;
    if (fall > 0 && t > in) in = t, face = f;
    if (fall < 0 && t < out) out = t;
  }
  if (in > out || out < 0 || in > ray->reach) return false;
  if (in <= 0) {
    start_inside(ray, hit);
    return true;
  }
  hit->distance = in;
  sc_copy3(g->plane[face], hit->normal);
  return true;
}

/* ---- convex kinds by their distance ---- */

/* Returns the distance of a point from a shape in the shape's axes. n: set to the outward normal at the
 * nearest point. */
static double distance_of(const sc_shape *s, const double x[3], double n[3]) {
  const sc_shape_kind *kind = sc_kind_of(s);
  if (s->type == SCREE_CAPSULE) {
    double z = fmax(-s->half, fmin(s->half, x[2]));
    sc_set3(x[0], x[1], x[2] - z, n);
    return sc_normalise(n, n) - s->radius;
  }
  if (kind->distance) return kind->distance(s, x, n);
  const double size = 1e-3 * s->bound;
  const sc_shape ball = {.type = SCREE_SPHERE, .radius = size, .bound = size, .orientation = {1, 0, 0, 0}};
  const sc_placed a = {&ball, {x[0], x[1], x[2]}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0},
                  b = {s, {0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 1};
  sc_touch touch[SC_MAX_TOUCHES];
  if (!sc_narrow(&a, &b, 8 * s->bound + 2 * sc_norm(x), touch)) return INFINITY;
  sc_copy3(touch->normal, n);
  return touch->gap + size;
}

static bool hit_convex(const sc_shape *s, const local_ray *ray, sc_ray_hit *hit) {
  static const double origin[3] = {0, 0, 0};
  double t, x[3], n[3], min = 1e-14 * s->bound;
  if (!enter_ball(ray, origin, s->bound * (1 + 1e-9), &t)) return false;
  t = fmax(t, 0);
  for (int round = 0; round < MOST_ROUNDS && t <= ray->reach; round++) {
    sc_axpy(t, ray->d, ray->o, x);
    double gap = distance_of(s, x, n), closing = -sc_dot(n, ray->d);
    if (gap <= 0 && t == 0) {
      start_inside(ray, hit);
      return true;
    }
    double next = t + gap / closing;
    if (gap <= min || (closing > 0 && next <= t)) {
      hit->distance = t;
      sc_copy3(n, hit->normal);
      return closing >= 0;
    }
    if (!(closing > 0)) return false;
    t = next;
  }
  return false;
}

bool sc_ray_shape(const sc_ray *ray, const sc_placed *placed, sc_ray_hit *hit) {
  static const double origin[3] = {0, 0, 0};
  const sc_shape *s = placed->shape;
  local_ray local = {.reach = ray->reach};
  double off[3], normal[3];
  bool met = false;
  sc_sub(ray->from, placed->position, off);
  sc_mat_tvec(placed->R, off, local.o);
  sc_mat_tvec(placed->R, ray->d, local.d);
  hit->triangle = -1;
  switch (s->type) {
  case SCREE_SPHERE: met = hit_ball(&local, origin, s->radius, hit); break;
  case SCREE_HALFSPACE: met = hit_plane(&local, hit); break;
  case SCREE_HULL: met = hit_hull(s->geometry, &local, hit); break;
  case SCREE_MESH: met = sc_ray_mesh(s->geometry, local.o, local.d, local.reach, hit); break;
  default: met = hit_convex(s, &local, hit);
  }
  if (!met) return false;
  sc_mat_vec(placed->R, hit->normal, normal);
  sc_copy3(normal, hit->normal);
  return true;
}
