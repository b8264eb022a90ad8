/* The hash of a world's state: of time, number of steps, and the bodies in the order of their slots. */
#include "world/world.h"
#include "world/query/hash.h"
#include "math/vec.h"

#include <string.h>

sc_hashed sc_hashed_of(const sc_bodies *bodies, int32_t row) {
  sc_hashed h = {.slot = bodies->slot[row], .id = sc_bodies_id(bodies, row)};
  sc_copy3(bodies->position[row], h.position);
  memcpy(h.orientation, bodies->orientation[row], sizeof h.orientation);
  sc_copy3(bodies->velocity[row], h.velocity);
  sc_copy3(bodies->spin[row], h.spin);
  return h;
}

uint64_t sc_hash_add(uint64_t hash, const sc_hashed *h) {
  return sc_hash(hash, &h->id, sizeof *h - offsetof(sc_hashed, id));
}

uint64_t sc_hash_whole(const scree_world *world, uint64_t hash) {
  const sc_bodies *bodies = &world->bodies;
  for (uint32_t slot = 0; slot < bodies->slots_count; slot++) {
    uint32_t row = bodies->slot_row[slot];
    if (row >= (uint32_t)bodies->count || bodies->slot[row] != slot) continue;
    sc_hashed h = sc_hashed_of(bodies, (int32_t)row);
    hash = sc_hash_add(hash, &h);
  }
  return hash;
}

uint64_t scree_world_hash(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  uint64_t hash = sc_hash(SC_HASH_START, &world->time, sizeof world->time);
  hash = sc_hash(hash, &world->step, sizeof world->step);
  return world->ranks->hash(world->ranks->context, world, hash);
}
