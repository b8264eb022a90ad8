/* Finds bodies that are too fast for the thinnest wall.
 *
 * The contact search reaches as far as a body moves in a step, so a wall stops a body of any speed. A body
 * that is struck gets a velocity that the contact search did not know. The struck body can pass through a
 * wall if it then moves further in a step than half its width plus the wall's thickness. */
#include <math.h>
#include "math/vec.h"
#include "world/step/effort.h"
#include "world/step/track.h"

/* Returns the thickness of a shape as a wall [m]: 0 for a mesh, INFINITY for a shape that is not a wall. */
static double thickness_of(const scree_world *world, int32_t shape) {
  const int type = sc_shapes_type(&world->shapes, shape);
  if (type == SCREE_HALFSPACE || world->bodies.kind[world->shapes.row[shape].body] == SCREE_DYNAMIC)
    return INFINITY;
  return type == SCREE_MESH ? 0 : 2 * sc_world_half_width(&world->shapes, shape);
}

static double half_width_of(const scree_world *world, int32_t row) {
  double least = INFINITY;
  for (int32_t s = world->bodies.first_shape[row]; s >= 0; s = world->shapes.row[s].next)
    least = fmin(least, sc_world_half_width(&world->shapes, s));
  return least;
}

static bool is_guarded(const scree_world *world, scree_id id) {
  for (int32_t k = 0; k < world->tracks.fasts; k++)
    if (world->tracks.fast[k].id == id) return true;
  return false;
}

/* Inserts a body into the list, sorted by displacement over limit, largest first. Returns the new number of
 * entries. */
static int put_body(const scree_too_fast *body, scree_too_fast *out, int count, int most) {
  int at = count < most ? count : most;
  while (at > 0 && body->way * out[at - 1].may > out[at - 1].way * body->may) at--;
  if (at == most) return count;
  for (int k = count < most ? count : most - 1; k > at; k--) out[k] = out[k - 1];
  out[at] = *body;
  return count < most ? count + 1 : most;
}

int64_t scree_world_too_fast(
    const scree_world *world, scree_too_fast *out, int most, double *wall, scree_id *wall_body) {
  SC_DEMAND(world && wall && wall_body && (out || most <= 0), NULL, 0);
  const sc_bodies *bodies = &world->bodies;
  const double dt = sc_world_dt(world);
  int64_t count = 0;
  int listed = 0;
  *wall = INFINITY, *wall_body = 0;
  for (int32_t s = 0; s < world->shapes.count; s++) {
    const double thickness = thickness_of(world, s);
    if (thickness < *wall) *wall = thickness, *wall_body = sc_bodies_id(bodies, world->shapes.row[s].body);
  }
  for (int32_t row = 0; row < bodies->count && *wall < INFINITY; row++) {
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    const scree_too_fast body = {.body = sc_bodies_id(bodies, row),
        .way = dt * sc_norm(bodies->velocity[row]),
        .may = *wall + half_width_of(world, row)};
    if (!(body.way > body.may) || is_guarded(world, body.body)) continue;
    count++;
    listed = put_body(&body, out, listed, most);
  }
  return count;
}
