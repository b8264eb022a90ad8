/* Finds bodies that are too fast for the thinnest wall.
 *
 * Contact detection reaches as far as a body moves in a step. A wall therefore stops a body of any speed. But
 * an impact of another body can change the velocity after contact detection. The struck body can then pass
 * through a wall if it moves in a step by more than half its width plus the wall's thickness. Only bodies
 * marked as fast cannot pass. The limit is therefore half the width of the narrowest body that is not fast,
 * plus the wall's thickness. A body is too fast if it moves in a step by more than the limit for the bodies
 * that it can strike. The striking body itself may be fast or kinematic. */
#include <math.h>
#include "math/vec.h"
#include "world/world.h"
#include "world/effort.h"
#include "world/step/track.h"

/* A dynamic shape counts as a wall if half its smallest width divided by its bounding radius is below this
 * ratio. */
static const double thin = 0.25;

/* Returns the thickness of a shape as a wall [m]: 0 for a mesh. Returns INFINITY for a half-space and for a
 * shape that does not count as a wall. */
static double thickness_of(const scree_world *world, int32_t shape) {
  const int type = sc_shapes_type(&world->shapes, shape);
  if (type == SCREE_HALFSPACE) return INFINITY;
  if (type == SCREE_MESH) return 0;
  const double half = sc_world_half_width(&world->shapes, shape);
  if (world->bodies.kind[world->shapes.row[shape].body] == SCREE_DYNAMIC &&
      !(half < thin * world->shapes.row[shape].bound))
    return INFINITY;
  return 2 * half;
}

static bool is_guarded(const scree_world *world, scree_id id) {
  for (int32_t k = 0; k < world->tracks.fasts; k++)
    if (world->tracks.fast[k].id == id) return true;
  return false;
}

/* Inserts a body into the list out[count], which is sorted by displacement divided by limit, largest first.
 * most: capacity of the list. Returns the new number of entries. */
static int put_body(const scree_too_fast *body, scree_too_fast *out, int count, int most) {
  int at = count < most ? count : most;
  while (at > 0 && body->way * out[at - 1].may > out[at - 1].way * body->may) at--;
  if (at == most) return count;
  for (int k = count < most ? count : most - 1; k > at; k--) out[k] = out[k - 1];
  out[at] = *body;
  return count < most ? count + 1 : most;
}

/* The two narrowest bodies that are not fast, or the two thinnest walls. The two entries belong to different
 * bodies. */
typedef struct narrowest {
  int32_t row[2]; /* rows of the bodies, by size; -1: none */
  double size[2]; /* half widths of bodies or thicknesses of walls, smaller one first [m] */
} narrowest;

static void put_narrowest(narrowest *n, int32_t row, double size) {
  if (row == n->row[0]) {
    n->size[0] = fmin(n->size[0], size);
  } else if (size < n->size[0]) {
    n->row[1] = n->row[0], n->size[1] = n->size[0];
    n->row[0] = row, n->size[0] = size;
  } else if (size < n->size[1]) n->row[1] = row, n->size[1] = size;
}

/* Returns the index, 0 or 1, of the first entry that belongs to a body other than `row`. */
static int other_than(const narrowest *n, int32_t row) { return n->row[0] == row; }

int64_t scree_world_too_fast(
    const scree_world *world, scree_too_fast *out, int most, double *wall, scree_id *wall_body) {
  SC_DEMAND(world && wall && wall_body && (out || most <= 0), NULL, 0);
  const sc_bodies *bodies = &world->bodies;
  const double dt = sc_world_dt(world);
  narrowest walls = {{-1, -1}, {INFINITY, INFINITY}}, free = walls;
  int64_t count = 0;
  int listed = 0;
  *wall = INFINITY, *wall_body = 0;
  for (int32_t s = 0; s < world->shapes.count; s++)
    put_narrowest(&walls, world->shapes.row[s].body, thickness_of(world, s));
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && !is_guarded(world, sc_bodies_id(bodies, row)))
      put_narrowest(&free, row, sc_world_inner_radius(world, row));
  for (int32_t row = 0; row < bodies->count; row++) {
    if (bodies->kind[row] == SCREE_FIXED) continue;
    const int struck = other_than(&free, row);
    const int32_t passes = free.row[struck];
    const bool alone = bodies->kind[row] == SCREE_DYNAMIC && !is_guarded(world, sc_bodies_id(bodies, row));
    scree_too_fast body = {
        .body = sc_bodies_id(bodies, row), .way = dt * sc_norm(bodies->velocity[row]), .may = INFINITY};
    int in = 0;
    if (passes >= 0) {
      in = other_than(&walls, passes);
      body.may = walls.size[in] + free.size[struck];
      body.struck = sc_bodies_id(bodies, passes);
    }
    const double own = alone ? walls.size[other_than(&walls, row)] + sc_world_inner_radius(world, row)
                             : INFINITY;
    if (own < body.may) body.may = own, body.struck = body.body, in = other_than(&walls, row);
    if (!(body.way > body.may)) continue;
    if (walls.size[in] < *wall) *wall = walls.size[in], *wall_body = sc_bodies_id(bodies, walls.row[in]);
    count++;
    listed = put_body(&body, out, listed, most);
  }
  return count;
}

int64_t scree_world_fast_joined(const scree_world *world, scree_id *out, int most) {
  SC_DEMAND(world && (out || most <= 0), NULL, 0);
  int64_t count = 0;
  for (int32_t k = 0; k < world->tracks.fasts; k++) {
    const scree_id id = world->tracks.fast[k].id;
    if (sc_bodies_row(&world->bodies, id) < 0 || sc_ties_count(&world->joints.ties, id, 0) <= 0) continue;
    if (count < most) out[count] = id;
    count++;
  }
  return count;
}
