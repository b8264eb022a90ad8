/* Shapes put into the world once per step: centres, bounding radii, ways they can go, poses of all that
 * is not a sphere. */
#include "collide/narrow/convex.h"
#include "collide/list/list.h"
#include "math/vec.h"
#include "model/mass.h"

double sc_collide_lever(const sc_shapes *shapes, int32_t row) {
  if (shapes->row[row].form < 0) return 0;
  const sc_shape *form = shapes->form + shapes->row[row].form;
  double offset = sc_norm(form->position);
  return form->type == SCREE_SPHERE && !(offset > 0) ? 0 : offset + form->bound;
}

double sc_collide_speed_from(const sc_bodies *bodies, int32_t body, const double drift[3], double lever) {
  double v[3], spin = lever > 0 ? sc_norm(bodies->spin[body]) : 0;
  sc_sub(bodies->velocity[body], drift, v);
  return spin > 0 ? sc_norm(v) + spin * lever : sc_norm(v);
}

double sc_collide_speed(const sc_bodies *bodies, int32_t body, double lever) {
  double speed = sc_norm(bodies->velocity[body]), spin = lever > 0 ? sc_norm(bodies->spin[body]) : 0;
  return spin > 0 ? speed + spin * lever : speed;
}

typedef struct refresh {
  sc_collide *collide;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  double dt;
  int32_t *placed;
} refresh;

static void refresh_one(const refresh *r, int32_t row) {
  const sc_shape_row *shape = r->shapes->row + row;
  const sc_bodies *bodies = r->bodies;
  sc_shape_cache *cache = r->collide->cache + row;
  int32_t body = shape->body, form = shape->form;
  *cache = (sc_shape_cache){.radius = shape->bound, .body = body, .placed = -1};
  double lever = form < 0       ? 0
      : row < r->collide->known ? r->collide->turned[form].lever
                                : sc_collide_lever(r->shapes, row);
  cache->travel = r->dt * sc_collide_speed(bodies, body, lever);
  sc_copy3(bodies->position[body], cache->centre);
  for (int k = 0; k < 3; k++) cache->velocity[k] = sc_short(bodies->velocity[body][k]);
  if (!(lever > 0) || r->shapes->form[form].type != SCREE_SPHERE) return;
  double turned[3], about[3];
  sc_quat_rotate(bodies->orientation[body], r->shapes->form[form].position, turned);
  sc_cross(bodies->spin[body], turned, about);
  for (int k = 0; k < 3; k++) cache->velocity[k] = sc_short(bodies->velocity[body][k] + about[k]);
  sc_add(cache->centre, turned, cache->centre);
}

/* A range of shapes, and how many of them need a pose. */
static void refresh_range(void *context, int64_t first, int64_t end) {
  const refresh *r = context;
  int32_t poses = 0;
  for (int64_t row = first; row < end; row++) {
    refresh_one(r, (int32_t)row);
    poses += sc_shapes_type(r->shapes, (int32_t)row) != SCREE_SPHERE;
  }
  r->placed[first / SC_RANGE] = poses;
}

static void place_one(const refresh *r, int32_t row) {
  sc_shape_cache *cache = r->collide->cache + row;
  sc_placed *placed = r->collide->placed + cache->placed;
  sc_place(r->shapes->form + r->shapes->row[row].form, r->bodies->position[cache->body],
      r->bodies->orientation[cache->body], placed);
  placed->row = row;
  sc_copy3(placed->position, cache->centre);
}

/* Poses of a range of shapes, from the row of placed that falls to it. */
static void place_range(void *context, int64_t first, int64_t end) {
  const refresh *r = context;
  int32_t at = r->placed[first / SC_RANGE], stop = r->placed[first / SC_RANGE + 1];
  for (int64_t row = first; row < end && at < stop; row++) {
    sc_shape_cache *cache = r->collide->cache + row;
    if (sc_shapes_type(r->shapes, (int32_t)row) == SCREE_SPHERE) continue;
    cache->placed = at++;
    place_one(r, (int32_t)row);
  }
}

/* Half-spaces that turn sweep over whatever there is now; what there was when the list was built must
 * not matter. */
static void turn_walls(sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  for (int32_t p = 0; p < collide->placed_count; p++) {
    const sc_placed *placed = collide->placed + p;
    sc_shape_cache *cache = collide->cache + placed->row;
    if (placed->shape->type != SCREE_HALFSPACE || !(sc_norm(bodies->spin[cache->body]) > 0)) continue;
    cache->travel = dt *
        sc_collide_speed(bodies, cache->body,
            sc_collide_sweep(collide, bodies, shapes->count, bodies->position[cache->body]));
  }
}

scree_status sc_collide_refresh(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt, scree_error *error) {
  int32_t chunks = (shapes->count + SC_RANGE - 1) / SC_RANGE;
  collide->cached = 0;
  refresh r = {collide, bodies, shapes, dt, SC_TAKE(collide->scratch, int32_t, chunks + 1)};
  if (!r.placed || !SC_GROW_LEAN(collide->cache, collide->cache_capacity, (size_t)shapes->count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to place %d shapes", (int)shapes->count);
  sc_pool_ranges(collide->pool, shapes->count, SC_RANGE, refresh_range, &r);
  int32_t total = 0;
  for (int32_t c = 0; c < chunks; c++) {
    int32_t poses = r.placed[c];
    r.placed[c] = total;
    total += poses;
  }
  r.placed[chunks] = total;
  if (!SC_GROW_LEAN(collide->placed, collide->placed_capacity, (size_t)total))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to place %d shapes", (int)shapes->count);
  collide->placed_count = total, collide->cached = shapes->count;
  sc_pool_ranges(collide->pool, total ? shapes->count : 0, SC_RANGE, place_range, &r);
  turn_walls(collide, bodies, shapes, dt);
  return SCREE_OK;
}

/* Shapes of a range that wait for others, in the rows they have. */
static void refresh_late_range(void *context, int64_t first, int64_t end) {
  const refresh *r = context;
  for (int64_t row = first; row < end; row++) {
    if (!sc_collide_waits_for(r->bodies, r->shapes->row[row].body)) continue;
    int32_t placed = r->collide->cache[row].placed;
    refresh_one(r, (int32_t)row);
    r->collide->cache[row].placed = placed;
    if (placed >= 0) place_one(r, (int32_t)row);
  }
}

void sc_collide_refresh_late(
    sc_collide *collide, const sc_bodies *bodies, const sc_shapes *shapes, double dt) {
  refresh r = {collide, bodies, shapes, dt, NULL};
  sc_pool_ranges(collide->pool, shapes->count, SC_RANGE, refresh_late_range, &r);
  turn_walls(collide, bodies, shapes, dt);
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
  const sc_shape_cache *cache = collide->cache;
  const sc_placed *wall = collide->placed + cache[plane].placed;
  double n[3] = {wall->R[2], wall->R[5], wall->R[8]}, d[3], centre[3];
  if (cache[one].placed < 0) {
    sc_sub(cache[one].centre, wall->position, d);
    return sc_dot(d, n) - cache[one].radius;
  }
  double reach = box_reach(collide->placed + cache[one].placed, n, centre);
  sc_sub(centre, wall->position, d);
  return sc_dot(d, n) - reach;
}

static int type_of(const sc_collide *collide, const sc_shape_cache *cache) {
  return cache->placed < 0 ? SCREE_SPHERE : collide->placed[cache->placed].shape->type;
}

/* Lower bound of the distance between two placed shapes from their boxes (exact for spheres). */
static double bound_gap(const sc_collide *collide, int32_t one, int32_t two) {
  const sc_shape_cache *a = collide->cache + one, *b = collide->cache + two;
  if (type_of(collide, b) == SCREE_HALFSPACE)
    return type_of(collide, a) == SCREE_HALFSPACE ? INFINITY : plane_gap(collide, one, two);
  if (type_of(collide, a) == SCREE_HALFSPACE) return plane_gap(collide, two, one);
  double d[3];
  sc_sub(a->centre, b->centre, d);
  double gap = sc_norm(d) - a->radius - b->radius;
  if (a->placed >= 0) gap = fmax(gap, box_distance(collide->placed + a->placed, b->centre) - b->radius);
  if (b->placed >= 0) gap = fmax(gap, box_distance(collide->placed + b->placed, a->centre) - a->radius);
  return gap;
}

bool sc_collide_apart(const sc_collide *collide, int32_t one, int32_t two, double reach) {
  const sc_shape_cache *a = collide->cache + one, *b = collide->cache + two;
  if (!(bound_gap(collide, one, two) <= reach)) return true;
  if (type_of(collide, a) == SCREE_MESH)
    return !sc_mesh_near(collide->placed + a->placed, b->centre, b->radius + reach);
  if (type_of(collide, b) == SCREE_MESH)
    return !sc_mesh_near(collide->placed + b->placed, a->centre, a->radius + reach);
  return false;
}
