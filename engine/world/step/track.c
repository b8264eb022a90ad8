/* Records the poses of bodies at the start of a substep, for crossing.c and sweep.c. */
#include <string.h>
#include "math/turn/turn.h"
#include "math/vec.h"
#include "world/world.h"
#include "world/step/track.h"

/* Returns true if the world has shapes other than balls and half-spaces. */
static bool has_walls(const scree_world *world) { return !sc_shapes_plain(&world->shapes); }

scree_status sc_world_track(scree_world *world, scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  sc_tracks *tracks = &world->tracks;
  const size_t rows = (size_t)bodies->count;
  tracks->count = 0;
  for (int32_t k = 0; k < tracks->fasts; k++) {
    sc_fast_body *fast = tracks->fast + k;
    const int32_t row = sc_bodies_row(bodies, fast->id);
    if (row < 0) continue;
    sc_copy3(bodies->position[row], fast->position);
    memcpy(fast->orientation, bodies->orientation[row], sizeof fast->orientation);
  }
  if (!has_walls(world) && !tracks->fasts) return SCREE_OK;
  tracks->has_turns = tracks->fasts > 0;
  if (!SC_GROW_LEAN(tracks->position, tracks->positions, rows) ||
      !SC_GROW_LEAN(tracks->slot, tracks->slots, rows) ||
      (tracks->has_turns && !SC_GROW_LEAN(tracks->orientation, tracks->orientations, rows)))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the positions of %d bodies", bodies->count);
  tracks->count = bodies->count;
  if (!rows) return SCREE_OK;
  memcpy(tracks->position, bodies->position, rows * sizeof *tracks->position);
  memcpy(tracks->slot, bodies->slot, rows * sizeof *tracks->slot);
  if (tracks->has_turns) memcpy(tracks->orientation, bodies->orientation, rows * sizeof *tracks->orientation);
  return SCREE_OK;
}

scree_status sc_world_permute_tracks(scree_world *world, const int32_t *order, scree_error *error) {
  sc_tracks *tracks = &world->tracks;
  const size_t rows = (size_t)tracks->count;
  if (tracks->count != world->bodies.count) tracks->count = 0;
  if (!tracks->count) return SCREE_OK;
  sc_arena_mark mark = sc_arena_here(&world->arena);
  double(*position)[3] = sc_arena_take(&world->arena, rows * sizeof *position);
  uint32_t *slot = SC_TAKE(&world->arena, uint32_t, rows);
  double(*turn)[4] = tracks->has_turns ? sc_arena_take(&world->arena, rows * sizeof *turn) : NULL;
  if (!position || !slot || (tracks->has_turns && !turn))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to order %d bodies", tracks->count);
  memcpy(position, tracks->position, rows * sizeof *position);
  memcpy(slot, tracks->slot, rows * sizeof *slot);
  if (turn) memcpy(turn, tracks->orientation, rows * sizeof *turn);
  for (int32_t row = 0; row < tracks->count; row++) {
    sc_copy3(position[order[row]], tracks->position[row]);
    tracks->slot[row] = slot[order[row]];
    if (turn) memcpy(tracks->orientation[row], turn[order[row]], sizeof *turn);
  }
  sc_arena_back(&world->arena, mark);
  return SCREE_OK;
}

/* Returns true if the record in a row belongs to the body that is now in this row. */
static bool is_recorded(const scree_world *world, int32_t row) {
  const sc_tracks *tracks = &world->tracks;
  return row < tracks->count && tracks->slot[row] == world->bodies.slot[row];
}

void sc_world_track_start(const scree_world *world, int32_t row, double dt, double position[3]) {
  const sc_bodies *bodies = &world->bodies;
  if (bodies->kind[row] == SCREE_FIXED) sc_copy3(bodies->position[row], position);
  else if (is_recorded(world, row)) sc_copy3(world->tracks.position[row], position);
  else sc_axpy(-dt, bodies->velocity[row], bodies->position[row], position);
}

void sc_world_track_pose(
    const scree_world *world, int32_t row, double dt, double position[3], double orientation[4]) {
  const sc_bodies *bodies = &world->bodies;
  const double *w = bodies->spin[row];
  sc_world_track_start(world, row, dt, position);
  memcpy(orientation, bodies->orientation[row], 4 * sizeof *orientation);
  if (bodies->kind[row] == SCREE_FIXED) return;
  if (world->tracks.has_turns && is_recorded(world, row))
    memcpy(orientation, world->tracks.orientation[row], 4 * sizeof *orientation);
  else if (sc_dot(w, w) > 0) sc_turn(bodies->orientation[row], w, -dt, orientation);
}

void sc_world_place_shape(const scree_world *world, int32_t shape, const double position[3],
    const double orientation[4], sc_shape *form, sc_placed *out) {
  sc_shapes_get(&world->shapes, shape, form);
  sc_place(form, position, orientation, out);
}

bool sc_world_can_touch(
    const scree_world *world, int32_t row, int32_t other, const sc_shape *a, const sc_shape *b) {
  if (row == other || !sc_shape_meets(a, b)) return false;
  return !sc_joints_any(&world->joints) || !sc_world_joined(world, row, other, (sc_image){{0}});
}

void sc_world_note_body(sc_noted *noted, scree_id body) {
  noted->times++;
  for (int k = 0; k < SC_NOTED_MOST; k++) {
    if (noted->body[k] == body) return;
    if (noted->body[k]) continue;
    noted->body[k] = body;
    return;
  }
}
