/* Rays against shapes.
 *
 * Balls, capsules and half-spaces have closed forms, hulls are cut by their faces. For other convex kinds
 * the distance along the ray is a convex function, whose slope is -(n . d) with n the normal at the nearest
 * point: Newton's method from outside comes nearer from one side only, never passes through, and ends at
 * rounding or where the slope says that the ray moves away. Meshes are searched by their trees; an edge
 * that two triangles share has the same three products in both, of opposite sign, so that no ray slips
 * through between them (Woop, Benthin & Wald 2013). */
#include "collide/rays.h"

#include <math.h>
#include "collide/collide.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"
#include "model/shape/kind.h"

enum { MOST_ROUNDS = 200 };

/* A ray in a shape's frame. */
typedef struct local_ray {
  double o[3], d[3], reach;
} local_ray;

static void start_inside(const local_ray *ray, sc_ray_hit *hit) {
  hit->distance = 0;
  sc_scale(-1, ray->d, hit->normal);
}

/* Entry into the ball of radius r about c; *t < 0 where the ray starts inside. */
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

static bool meet_ball(const local_ray *ray, const double c[3], double r, sc_ray_hit *hit) {
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

static bool meet_plane(const local_ray *ray, sc_ray_hit *hit) {
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

/* The part of the ray behind all faces. */
static bool meet_hull(const scree_geometry *g, const local_ray *ray, sc_ray_hit *hit) {
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

/* Distance of a point from a shape about the origin, and the outward normal at the nearest point. */
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

static bool meet_convex(const sc_shape *s, const local_ray *ray, sc_ray_hit *hit) {
  static const double origin[3] = {0, 0, 0};
  double t, x[3], n[3], least = 1e-14 * s->bound;
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
    if (gap <= least || (closing > 0 && next <= t)) {
      hit->distance = t;
      sc_copy3(n, hit->normal);
      return closing >= 0;
    }
    if (!(closing > 0)) return false;
    t = next;
  }
  return false;
}

/* ---- meshes ---- */

typedef struct mesh_walk {
  const scree_geometry *g;
  const local_ray *ray;
  double inverse[3], shear[3], origin[3]; /* the latter by kx, ky, kz */
  int kx, ky, kz;
  sc_ray_hit *hit;
  bool found;
} mesh_walk;

static void aim(mesh_walk *w) {
  const double *d = w->ray->d;
  w->kz = fabs(d[0]) > fabs(d[1]) ? fabs(d[0]) > fabs(d[2]) ? 0 : 2 : fabs(d[1]) > fabs(d[2]) ? 1 : 2;
  w->kx = (w->kz + 1) % 3;
  w->ky = (w->kz + 2) % 3;
  w->shear[0] = d[w->kx] / d[w->kz];
  w->shear[1] = d[w->ky] / d[w->kz];
  w->shear[2] = 1 / d[w->kz];
  for (int k = 0; k < 3; k++) w->inverse[k] = 1 / d[k];
  sc_set3(w->ray->o[w->kx], w->ray->o[w->ky], w->ray->o[w->kz], w->origin);
}

/* A corner in the plane across the ray: x, y and the height along it. */
static inline void shear(const mesh_walk *w, const double p[3], double out[3]) {
  const double up = p[w->kz] - w->origin[2];
  out[2] = w->shear[2] * up;
  out[0] = p[w->kx] - w->origin[0] - w->shear[0] * up;
  out[1] = p[w->ky] - w->origin[1] - w->shear[1] * up;
}

static void meet_triangle(mesh_walk *w, int32_t index) {
  const scree_geometry *g = w->g;
  const int32_t *corner = g->triangle[index];
  double a[3], b[3], c[3];
  shear(w, g->point[corner[0]], a);
  shear(w, g->point[corner[1]], b);
  shear(w, g->point[corner[2]], c);
  double u = c[0] * b[1] - c[1] * b[0], v = a[0] * c[1] - a[1] * c[0], s = b[0] * a[1] - b[1] * a[0];
  if ((u < 0 || v < 0 || s < 0) && (u > 0 || v > 0 || s > 0)) return;
  double det = u + v + s;
  if (det == 0) return;
  double t = (u * a[2] + v * b[2] + s * c[2]) / det;
  if (!(t >= 0) || t > w->ray->reach || t > w->hit->distance) return;
  if (t == w->hit->distance && w->found && index > w->hit->triangle) return;
  w->hit->distance = t;
  w->hit->triangle = index;
  w->found = true;
}

/* A node that the ray enters at t. */
typedef struct entry {
  int32_t node;
  double t;
} entry;

static void push_node(entry *stack, int32_t *depth, int32_t node, double t) {
  if (t < INFINITY) stack[(*depth)++] = (entry){node, t};
}

static bool meet_mesh(const scree_geometry *g, const local_ray *ray, sc_ray_hit *hit) {
  mesh_walk w = {.g = g, .ray = ray, .hit = hit};
  entry stack[96];
  int32_t depth = 0;
  aim(&w);
  hit->distance = INFINITY;
  push_node(stack, &depth, 0, sc_ray_enter(ray->o, w.inverse, g->node->min, g->node->max, ray->reach));
  while (depth) {
    entry top = stack[--depth];
    const sc_tree_node *node = g->node + top.node, *one = g->node + node->left;
    if (top.t > hit->distance) continue;
    if (node->left < 0) {
      for (int32_t k = node->first; k < node->first + node->count; k++)
        meet_triangle(&w, g->tree_triangle[k]);
      continue;
    }
    double most = hit->distance < ray->reach ? hit->distance : ray->reach;
    double near = sc_ray_enter(ray->o, w.inverse, one[0].min, one[0].max, most),
           far = sc_ray_enter(ray->o, w.inverse, one[1].min, one[1].max, most);
    bool swap = far < near;
    push_node(stack, &depth, node->left + !swap, swap ? near : far);
    push_node(stack, &depth, node->left + swap, swap ? far : near);
  }
  if (!w.found) return false;
  const double *n = g->normal[hit->triangle];
  sc_scale(sc_dot(n, ray->d) > 0 ? -1 : 1, n, hit->normal);
  return true;
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
  case SCREE_SPHERE: met = meet_ball(&local, origin, s->radius, hit); break;
  case SCREE_HALFSPACE: met = meet_plane(&local, hit); break;
  case SCREE_HULL: met = meet_hull(s->geometry, &local, hit); break;
  case SCREE_MESH: met = meet_mesh(s->geometry, &local, hit); break;
  default: met = meet_convex(s, &local, hit);
  }
  if (!met) return false;
  sc_mat_vec(placed->R, hit->normal, normal);
  sc_copy3(normal, hit->normal);
  return true;
}
