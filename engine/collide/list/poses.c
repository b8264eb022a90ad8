/* Poses of all shapes for a step: centres, bounding radii, largest motions, and placed shapes for all that
 * are not spheres. */
#include "collide/poses.h"
#include "collide/collide.h"
#include "model/relative.h"

double sc_poses_lever(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  if (!form) return 0;
  double offset = sc_norm(form->position);
  return form->type == SCREE_SPHERE && !(offset > 0) ? 0 : offset + form->bound;
}

const sc_placed *sc_poses_placed(const sc_poses *poses, int32_t row, sc_placed_room *room) {
  const sc_shape_cache *cache = poses->cache + row;
  if (cache->placed >= 0) return poses->placed + cache->placed;
  sc_shapes_get(poses->shapes, row, &room->shape);
  room->placed = (sc_placed){.shape = &room->shape, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  sc_copy3(cache->centre, room->placed.position);
  return &room->placed;
}

double sc_poses_speed(const sc_bodies *bodies, int32_t body, const double drift[3], double lever) {
  double v[3], spin = lever > 0 ? sc_norm(bodies->spin[body]) : 0;
  sc_sub(bodies->velocity[body], drift, v);
  if (bodies->cell && bodies->cell->moves && isfinite(bodies->radius[body])) {
    double flow[3];
    sc_cell_flow(bodies->cell, bodies->position[body], flow);
    sc_sub(v, flow, v);
  }
  return spin > 0 ? sc_norm(v) + spin * lever : sc_norm(v);
}

double sc_poses_sweep(const sc_poses *poses, const sc_bodies *bodies, const double from[3]) {
  double far = 0, d[3];
  for (int32_t row = 0; row < poses->count; row++) {
    const sc_shape_cache *cache = poses->cache + row;
    if (!isfinite(cache->radius) || !(bodies->inv_mass[cache->body] > 0)) continue;
    sc_sub(cache->centre, from, d);
    far = fmax(far, sc_norm(d) + 2 * cache->radius + cache->travel);
  }
  return 2 * far;
}

double sc_poses_mean_radius(const sc_poses *poses, const sc_bodies *bodies) {
  double sum[2] = {0, 0};
  int64_t count[2] = {0, 0};
  for (int32_t row = 0; row < poses->count; row++) {
    const sc_shape_cache *cache = poses->cache + row;
    if (!isfinite(cache->radius)) continue;
    int immovable = !(bodies->inv_mass[cache->body] > 0);
    sum[immovable] += cache->radius, count[immovable]++;
  }
  return count[0] ? sum[0] / (double)count[0] : count[1] ? sum[1] / (double)count[1] : 0;
}

typedef struct refresh {
  sc_poses *poses;
  const sc_bodies *bodies;
  const sc_shapes *shapes;
  double dt;
  int32_t *placed; /* [ranges + 1] number of placed shapes of a range, later its first row in poses->placed */
  bool flows;      /* true if the world has a deforming cell */
} refresh;

static const double no_drift[3] = {0, 0, 0};

/* Subtracts the flow of a deforming cell from the velocity v of a shape at x. Enlarges cache->travel by the
 * relative motion that the flow gives to two shapes that are about to touch. */
static void subtract_flow(const refresh *r, const double x[3], sc_shape_cache *cache, double v[3]) {
  double flow[3], square = 0;
  const double *L = r->bodies->cell->gradient;
  sc_cell_flow(r->bodies->cell, x, flow);
  sc_sub(v, flow, v);
  for (int k = 0; k < 9; k++) square += L[k] * L[k];
  double strain = r->dt * sqrt(square);
  cache->travel += strain * (3 * cache->radius + cache->travel) / (1 - fmin(strain, 0.5));
}

static void refresh_one(const refresh *r, int32_t row) {
  const sc_shape_row *shape = r->shapes->row + row;
  const sc_bodies *bodies = r->bodies;
  sc_shape_cache *cache = r->poses->cache + row;
  int32_t body = shape->body;
  *cache = (sc_shape_cache){.radius = shape->bound, .body = body, .placed = -1};
  double lever = isfinite(shape->bound) ? sc_poses_lever(r->shapes, row) : 0;
  double turned[3] = {0, 0, 0}, v[3];
  sc_copy3(bodies->position[body], cache->centre);
  if (lever > 0 && sc_shapes_type(r->shapes, row) == SCREE_SPHERE) {
    sc_quat_rotate(bodies->orientation[body], sc_shapes_form(r->shapes, row)->position, turned);
    sc_add(cache->centre, turned, cache->centre);
  }
  if (bodies->kind[body] == SCREE_FIXED && !r->flows) return; /* a moving surface does not move the body */
  cache->travel = r->dt * sc_poses_speed(bodies, body, no_drift, lever);
  sc_rigid_velocity(bodies->velocity[body], bodies->spin[body], turned, v);
  if (r->flows && isfinite(shape->bound)) subtract_flow(r, bodies->position[body], cache, v);
  for (int k = 0; k < 3; k++) cache->velocity[k] = sc_short(v[k]);
}

/* Refreshes a range of shapes, and counts those that are not spheres. */
static void refresh_range(void *context, int64_t first, int64_t end) {
  const refresh *r = context;
  int32_t poses = 0;
  for (int64_t row = first; row < end; row++) {
    refresh_one(r, (int32_t)row);
    poses += sc_shapes_type(r->shapes, (int32_t)row) != SCREE_SPHERE;
  }
  r->placed[first / SC_SHORT_RANGE] = poses;
}

/* Places the shapes of a range that are not spheres. */
static void place_range(void *context, int64_t first, int64_t end) {
  const refresh *r = context;
  int32_t at = r->placed[first / SC_SHORT_RANGE], stop = r->placed[first / SC_SHORT_RANGE + 1];
  for (int64_t row = first; row < end && at < stop; row++) {
    sc_shape_cache *cache = r->poses->cache + row;
    if (sc_shapes_type(r->shapes, (int32_t)row) == SCREE_SPHERE) continue;
    sc_placed *placed = r->poses->placed + at;
    cache->placed = at++;
    sc_place(sc_shapes_form(r->shapes, (int32_t)row), r->bodies->position[cache->body],
        r->bodies->orientation[cache->body], placed);
    placed->row = (int32_t)row;
    sc_copy3(placed->position, cache->centre);
  }
}

/* Sets the travel of rotating half-spaces from the present bodies, because results must not depend on the
 * bodies that existed when the list was built. */
static void turn_walls(sc_poses *poses, const sc_bodies *bodies, double dt) {
  for (int32_t p = 0; p < poses->placed_count; p++) {
    const sc_placed *placed = poses->placed + p;
    sc_shape_cache *cache = poses->cache + placed->row;
    if (placed->shape->type != SCREE_HALFSPACE || bodies->kind[cache->body] == SCREE_FIXED ||
        !(sc_norm(bodies->spin[cache->body]) > 0))
      continue;
    cache->travel = dt *
        sc_poses_speed(
            bodies, cache->body, no_drift, sc_poses_sweep(poses, bodies, bodies->position[cache->body]));
  }
}

static bool allocate_placed(sc_poses *poses, int32_t count, sc_arena *scratch) {
  if (!poses->plain && !poses->keeps) return (poses->placed = SC_TAKE(scratch, sc_placed, count)) != NULL;
  if (!SC_GROW_LEAN(poses->kept, poses->kept_capacity, (size_t)count)) return false;
  poses->placed = poses->kept;
  return true;
}

scree_status sc_poses_refresh(sc_poses *poses, const sc_bodies *bodies, const sc_shapes *shapes, double dt,
    sc_pool *pool, sc_arena *scratch, scree_error *error) {
  int32_t ranges = (shapes->count + SC_SHORT_RANGE - 1) / SC_SHORT_RANGE, total = 0;
  poses->count = 0;
  refresh r = {
      poses, bodies, shapes, dt, SC_TAKE(scratch, int32_t, ranges + 1), bodies->cell && bodies->cell->moves};
  if (!r.placed || !SC_GROW_LEAN(poses->cache, poses->cache_capacity, (size_t)shapes->count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to place %d shapes", (int)shapes->count);
  sc_pool_ranges(pool, shapes->count, SC_SHORT_RANGE, refresh_range, &r);
  for (int32_t c = 0; c < ranges; c++) {
    int32_t count = r.placed[c];
    r.placed[c] = total;
    total += count;
  }
  r.placed[ranges] = total;
  poses->plain = sc_shapes_plain(shapes), poses->closed = sc_shapes_closed(shapes);
  if (!allocate_placed(poses, total, scratch))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to place %d shapes", (int)shapes->count);
  poses->placed_count = total, poses->count = shapes->count;
  poses->shapes = shapes;
  if (bodies->cell) poses->cell = *bodies->cell;
  sc_pool_ranges(pool, total ? shapes->count : 0, SC_SHORT_RANGE, place_range, &r);
  turn_walls(poses, bodies, dt);
  return SCREE_OK;
}

void sc_poses_free(sc_poses *poses) {
  sc_free(poses->cache);
  sc_free(poses->kept);
}

size_t sc_poses_bytes(const sc_poses *poses) {
  return poses->cache_capacity * sizeof *poses->cache + poses->kept_capacity * sizeof *poses->kept;
}
