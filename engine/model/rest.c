/* Puts bodies to sleep and wakes them (sc_rest in bodies.h). */
#include "math/vec.h"
#include "model/rest.h"

void sc_bodies_wake(sc_bodies *bodies, uint32_t island) {
  SC_ASSERT(island > 0);
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->rest[row].island == island) bodies->rest[row].island = 0, bodies->rest[row].calm = 0;
}

void sc_bodies_wake_all(sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count && bodies->rest; row++)
    bodies->rest[row].island = 0, bodies->rest[row].calm = 0;
}

void sc_bodies_wake_with(sc_bodies *bodies, scree_id id) {
  int32_t row = sc_bodies_row(bodies, id);
  if (row >= 0 && sc_bodies_asleep(bodies, row)) sc_bodies_wake(bodies, bodies->rest[row].island);
}

static bool is_zero(const double *v, int n) {
  for (int k = 0; k < n; k++)
    if (v[k] != 0) return false;
  return true;
}

static bool same_place(const sc_bodies *bodies, int32_t row, const sc_rest *rest) {
  for (int k = 0; k < 3; k++)
    if (bodies->position[row][k] != rest->position[k]) return false;
  for (int k = 0; k < 4; k++)
    if (bodies->orientation[row][k] != rest->orientation[k]) return false;
  return bodies->kind[row] == rest->kind;
}

static void note_place(sc_bodies *bodies, int32_t row) {
  sc_rest *rest = bodies->rest + row;
  sc_copy3(bodies->position[row], rest->position);
  memcpy(rest->orientation, bodies->orientation[row], sizeof rest->orientation);
  rest->kind = bodies->kind[row];
}

bool sc_bodies_changed(sc_bodies *bodies, int32_t row) {
  sc_rest *rest = bodies->rest + row;
  bool dynamic = bodies->kind[row] == SCREE_DYNAMIC, loaded = !is_zero(sc_bodies_load(bodies, row), 6);
  if (loaded) rest->calm = 0;
  if (dynamic && !rest->island) return false;
  bool moves = !is_zero(bodies->velocity[row], 3) || !is_zero(bodies->spin[row], 3),
       changed = moves || loaded || !same_place(bodies, row, rest);
  rest->moved = !dynamic && changed;
  if (!dynamic) note_place(bodies, row);
  return changed;
}

void sc_bodies_sleep(sc_bodies *bodies, int32_t row, uint32_t island) {
  sc_set3(0, 0, 0, bodies->velocity[row]);
  sc_set3(0, 0, 0, bodies->spin[row]);
  note_place(bodies, row);
  bodies->rest[row].island = island;
}
