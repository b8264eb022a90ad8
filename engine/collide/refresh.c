/* Shapes put into the world once per step: centres, bounding radii, ways they can go, poses of all that is not a sphere. */
#include "collide/convex.h"
#include "collide/list.h"
#include "math/vec.h"
#include "model/mass.h"

double sc_collide_lever(const sc_shape *shape) {
  double offset = sc_norm(shape->position);
  return shape->type == SCREE_SPHERE && !(offset > 0) ? 0 : offset + shape->bound;
}

double sc_collide_speed(const sc_bodies *bodies, int32_t body, double lever) {
  double speed = sc_norm(bodies->velocity[body]), spin = lever > 0 ? sc_norm(bodies->spin[body]) : 0;
  return spin > 0 ? speed + spin * lever : speed;
}

/* Row in placed for one more shape, -1 without memory. */
static int32_t add_placed(sc_collide *collide) {
  if (!SC_GROW(collide->placed, collide->placed_capacity, (size_t)collide->placed_count + 1)) return -1;
  return collide->placed_count++;
}

static bool refresh_one(sc_collide *collide, const sc_bodies *bodies, const sc_shape *shape, int32_t row, double dt) {
  sc_hot *hot = collide->hot + row;
  int32_t body = shape->body;
  *hot = (sc_hot){.radius = shape->bound, .body = body, .material = shape->material, .type = shape->type, .placed = -1,
                  .immovable = !(bodies->inv_mass[body] > 0)};
  double lever = row < collide->known ? collide->anchor[row].lever : sc_collide_lever(shape);
  hot->travel = dt * sc_collide_speed(bodies, body, lever);
  sc_copy3(bodies->position[body], hot->centre);
  if (shape->type == SCREE_SPHERE && !(lever > 0)) return true;
  if (shape->type == SCREE_SPHERE) {
    double turned[3];
    sc_quat_rotate(bodies->orientation[body], shape->position, turned);
    sc_add(hot->centre, turned, hot->centre);
    return true;
  }
  hot->placed = add_placed(collide);
  if (hot->placed < 0) return false;
  sc_placed *placed = collide->placed + hot->placed;
  sc_place(shape, bodies->position[body], bodies->orientation[body], placed);
  sc_copy3(placed->position, hot->centre);
  return true;
}

/* Half-spaces that turn sweep over whatever there is now; what there was when the list was built must not matter. */
static void turn_walls(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  for (int32_t row = 0; row < shapes->count; row++) {
    sc_hot *hot = collide->hot + row;
    if (hot->type != SCREE_HALFSPACE || !(sc_norm(bodies->spin[hot->body]) > 0)) continue;
    hot->travel = dt * sc_collide_speed(bodies, hot->body, sc_collide_sweep(collide, shapes->count, bodies->position[hot->body]));
  }
}

scree_status sc_collide_refresh(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error) {
  bool room = SC_GROW(collide->hot, collide->hot_capacity, (size_t)shapes->count);
  collide->placed_count = 0;
  for (int32_t row = 0; row < shapes->count && room; row++) room = refresh_one(collide, bodies, shapes->row + row, row, dt);
  if (room) turn_walls(collide, bodies, shapes, dt);
  return room ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "no memory to place %d shapes", (int)shapes->count);
}

/* Distance of a point from the box of a placed shape, from below. */
static double box_distance(const sc_placed *placed, const double point[3]) {
  double middle[3], half[3], d[3], local[3], square = 0;
  sc_shape_box(placed->shape, middle, half);
  sc_sub(point, placed->position, d);
  sc_mat_tvec(placed->R, d, local);
  for (int k = 0; k < 3; k++) {
    double out = fabs(local[k] - middle[k]) - half[k];
    if (out > 0) square += out * out;
  }
  return sqrt(square);
}

/* Half the width of a placed shape's box along a unit direction, and the box's middle. */
static double box_reach(const sc_placed *placed, const double n[3], double centre[3]) {
  double middle[3], half[3], local[3];
  sc_shape_box(placed->shape, middle, half);
  sc_mat_vec(placed->R, middle, centre);
  sc_add(centre, placed->position, centre);
  sc_mat_tvec(placed->R, n, local);
  return fabs(local[0]) * half[0] + fabs(local[1]) * half[1] + fabs(local[2]) * half[2];
}

/* Gap between a bounded shape and a half-space, from below. */
static double plane_gap(const sc_collide *collide, int32_t one, int32_t plane) {
  const sc_hot *hot = collide->hot;
  const sc_placed *wall = collide->placed + hot[plane].placed;
  double n[3] = {wall->R[2], wall->R[5], wall->R[8]}, d[3], centre[3];
  if (hot[one].placed < 0) {
    sc_sub(hot[one].centre, wall->position, d);
    return sc_dot(d, n) - hot[one].radius;
  }
  double reach = box_reach(collide->placed + hot[one].placed, n, centre);
  sc_sub(centre, wall->position, d);
  return sc_dot(d, n) - reach;
}

/* Lower bound of the distance between two placed shapes from their boxes (exact for spheres). */
static double bound_gap(const sc_collide *collide, int32_t one, int32_t two) {
  const sc_hot *a = collide->hot + one, *b = collide->hot + two;
  if (b->type == SCREE_HALFSPACE) return a->type == SCREE_HALFSPACE ? INFINITY : plane_gap(collide, one, two);
  if (a->type == SCREE_HALFSPACE) return plane_gap(collide, two, one);
  double d[3];
  sc_sub(a->centre, b->centre, d);
  double gap = sc_norm(d) - a->radius - b->radius;
  if (a->placed >= 0) gap = fmax(gap, box_distance(collide->placed + a->placed, b->centre) - b->radius);
  if (b->placed >= 0) gap = fmax(gap, box_distance(collide->placed + b->placed, a->centre) - a->radius);
  return gap;
}

bool sc_collide_apart(const sc_collide *collide, int32_t one, int32_t two, double reach) {
  const sc_hot *a = collide->hot + one, *b = collide->hot + two;
  if (!(bound_gap(collide, one, two) <= reach)) return true;
  if (a->type == SCREE_MESH) return !sc_mesh_near(collide->placed + a->placed, b->centre, b->radius + reach);
  if (b->type == SCREE_MESH) return !sc_mesh_near(collide->placed + b->placed, a->centre, a->radius + reach);
  return false;
}
