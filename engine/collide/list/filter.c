/* The filter of the list: decides which pairs of near shapes belong on it. The list leaves out pairs of
 * immovable bodies, shapes of one body, and pairs that another rank solves. It also leaves out pairs of which
 * one shape avoids a layer of the other. Shapes that are not spheres are also tested by their bounding
 * boxes. */
#include "collide/narrow/mesh/mesh.h"
#include "collide/state.h"
#include "math/vec.h"
#include "model/mass.h"

/* Returns true if a point is further than reach from the bounding box of a placed shape. */
static bool is_off_box(const sc_placed *placed, const double point[3], double reach) {
  double middle[3], half[3], d[3], local[3], square = 0;
  sc_shape_box(placed->shape, middle, half);
  sc_sub(point, placed->position, d);
  sc_mat_tvec(placed->R, d, local);
  for (int k = 0; k < 3; k++) {
    const double out = fabs(local[k] - middle[k]) - half[k];
    square += out > 0 ? out * out : 0;
  }
  return square > reach * reach;
}

/* Returns half the width of a placed shape's bounding box along a unit vector n [m]. centre: set to the
 * box's centre. */
static double box_reach(const sc_placed *placed, const double n[3], double centre[3]) {
  double middle[3], half[3], local[3];
  sc_shape_box(placed->shape, middle, half);
  sc_mat_vec(placed->R, middle, centre);
  sc_add(centre, placed->position, centre);
  sc_mat_tvec(placed->R, n, local);
  return fabs(local[0]) * half[0] + fabs(local[1]) * half[1] + fabs(local[2]) * half[2];
}

/* Returns the gap between the bounding sphere of a shape and a half-space [m]. Images need no shift, because
 * the half-space is parallel to all periodic edges. */
static double ball_gap(const sc_poses *poses, int32_t one, int32_t plane) {
  const sc_placed *wall = poses->placed + poses->cache[plane].placed;
  const double n[3] = {wall->R[2], wall->R[5], wall->R[8]};
  double d[3];
  sc_sub(poses->cache[one].centre, wall->position, d);
  return sc_dot(d, n) - poses->cache[one].radius;
}

/* Returns a lower bound of the gap between a shape and a half-space, from the shape's bounding box [m]. */
static double plane_gap(const sc_poses *poses, int32_t one, int32_t plane) {
  const int32_t placed = poses->cache[one].placed;
  const sc_placed *wall = poses->placed + poses->cache[plane].placed;
  const double n[3] = {wall->R[2], wall->R[5], wall->R[8]};
  double d[3], centre[3];
  if (placed < 0) return ball_gap(poses, one, plane);
  const double reach = box_reach(poses->placed + placed, n, centre);
  sc_sub(centre, wall->position, d);
  return sc_dot(d, n) - reach;
}

static int type_of(const sc_poses *poses, const sc_shape_cache *cache) {
  return cache->placed < 0 ? SCREE_SPHERE : poses->placed[cache->placed].shape->type;
}

/* Returns whether a triangle of a mesh comes within `radius` of the point x, or whether x lies inside a solid
 * mesh. */
static bool meets_mesh(const sc_placed *mesh, const double x[3], double radius) {
  double local[3];
  if (sc_mesh_near(mesh, x, radius)) return true;
  if (!mesh->shape->geometry->is_solid) return false;
  sc_to_local(mesh, x, local);
  return sc_geometry_holds(mesh->shape->geometry, local);
}

/* Returns true if bounding boxes and spheres prove that two shapes are further apart than reach. shift: from
 * the second shape to its image. */
static bool are_apart(const sc_poses *poses, int32_t one, int32_t two, const double shift[3], double reach) {
  const sc_shape_cache *a = poses->cache + one, *b = poses->cache + two;
  const int of_a = type_of(poses, a), of_b = type_of(poses, b);
  const double far = a->radius + b->radius + reach;
  double at_a[3], at_b[3], d[3];
  if (of_a == SCREE_HALFSPACE && of_b == SCREE_HALFSPACE) return true;
  if (of_b == SCREE_HALFSPACE) return !(plane_gap(poses, one, two) <= reach);
  if (of_a == SCREE_HALFSPACE) return !(plane_gap(poses, two, one) <= reach);
  sc_sub(a->centre, shift, at_a), sc_add(b->centre, shift, at_b);
  sc_sub(a->centre, at_b, d);
  if (sc_dot(d, d) > far * far) return true;
  if (a->placed >= 0 && is_off_box(poses->placed + a->placed, at_b, b->radius + reach)) return true;
  if (b->placed >= 0 && is_off_box(poses->placed + b->placed, at_a, a->radius + reach)) return true;
  if (of_a == SCREE_MESH) return !meets_mesh(poses->placed + a->placed, at_b, b->radius + reach);
  return of_b == SCREE_MESH && !meets_mesh(poses->placed + b->placed, at_a, a->radius + reach);
}

/* Returns true if the layers of two shapes allow contacts between them. A shape without explicit layers is in
 * the first layer and avoids no layer. */
static bool layers_allow_contact(const sc_shapes *shapes, int32_t row, int32_t other) {
  static const sc_shape plain = {.layers = 1};
  const sc_shape *a = sc_shapes_form(shapes, row), *b = sc_shapes_form(shapes, other);
  if (!a && !b) return true;
  return sc_shape_meets(a ? a : &plain, b ? b : &plain);
}

static bool is_movable(const sc_bodies *bodies, const sc_shape_cache *cache) {
  return bodies->inv_mass[cache->body] > 0;
}

/* Returns the largest distance by which the drifts of two anchors bring them closer in `time` [m]. The
 * distance is measured along the normal if one shape is a half-space, otherwise in any direction. */
static double max_approach(const sc_collide *c, int32_t row, int32_t other, double time) {
  double w[3], n[3];
  const double *u = sc_drift(&c->list, row), *v = sc_drift(&c->list, other);
  if (u == v) return 0;
  sc_sub(u, v, w);
  int32_t plane = !isfinite(c->poses.cache[other].radius) ? other
      : !isfinite(c->poses.cache[row].radius)             ? row
                                                          : -1;
  if (plane < 0) return time * sc_norm(w);
  const double *R = c->poses.placed[c->poses.cache[plane].placed].R;
  sc_set3(R[2], R[5], R[8], n);
  double away = plane == other ? sc_dot(w, n) : -sc_dot(w, n);
  return away < 0 ? -time * away : 0;
}

/* Returns the largest gap of two shapes, measured at their anchors, at which the shapes may touch while the
 * list is valid [m]. */
static double max_closing_gap(const sc_collide *c, int32_t row, int32_t other, double slacks, double time) {
  const double one = c->poses.cache[row].radius, two = c->poses.cache[other].radius;
  return slacks + sc_reach(c, one < two ? one : two) + max_approach(c, row, other, time);
}

bool sc_list_off_plane(const sc_collide *c, int32_t row, int32_t plane, double slacks, double time) {
  return ball_gap(&c->poses, row, plane) > max_closing_gap(c, row, plane, slacks, time) * (1 + 1e-12);
}

bool sc_list_admits(const sc_collide *collide, const sc_bodies *bodies, int32_t row, int32_t other,
    const sc_image *image, double slacks, double time) {
  const sc_shape_cache *a = collide->poses.cache + row, *b = collide->poses.cache + other;
  if ((a->body == b->body && sc_image_is_body(image)) || (!is_movable(bodies, a) && !is_movable(bodies, b)))
    return false;
  /* another rank solves the pair */
  if (bodies->distributed && sc_bodies_solver(bodies, a->body, b->body) != bodies->rank) return false;
  if (!layers_allow_contact(collide->poses.shapes, row, other)) return false;
  if (a->placed < 0 && b->placed < 0) return true;
  double reach = max_closing_gap(collide, row, other, slacks, time);
  double shift[3] = {0, 0, 0}, strain = collide->list.strain;
  if (strain > 0 && isfinite(a->radius + b->radius))
    reach += strain * sc_strain_factor(&collide->list) * (a->radius + b->radius + reach);
  if (!sc_image_is_body(image)) sc_cell_shift(bodies->cell, image, shift);
  return !are_apart(&collide->poses, row, other, shift, reach * (1 + 1e-12));
}

bool sc_list_orient(const sc_collide *collide, const sc_bodies *bodies, sc_pair *pair) {
  const sc_shape_cache *a = collide->poses.cache + pair->one, *b = collide->poses.cache + pair->two;
  bool swap = is_movable(bodies, a) != is_movable(bodies, b) ? is_movable(bodies, b)
                                                             : bodies->slot[a->body] > bodies->slot[b->body];
  if (swap) *pair = (sc_pair){pair->two, pair->one};
  return swap;
}
