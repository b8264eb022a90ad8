/* The hash of a world's state: a hash of time and number of steps plus the sum over a hash of each body.
 *
 * The sum depends neither on the order in which the world stores its bodies nor on their distribution over
 * ranks. */
#include "world/world.h"

static uint64_t hash_body(const sc_bodies *bodies, int32_t row) {
  const scree_id id = sc_bodies_id(bodies, row);
  uint64_t hash = sc_hash_words(SC_HASH_START, &id, 1);
  hash = sc_hash_words(hash, bodies->position[row], 3);
  hash = sc_hash_words(hash, bodies->orientation[row], 4);
  hash = sc_hash_words(hash, bodies->velocity[row], 3);
  return sc_hash_words(hash, bodies->spin[row], 3);
}

uint64_t scree_world_hash(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  uint64_t hash = sc_hash_words(SC_HASH_START, &world->time, 1), sum = 0;
  for (int32_t row = 0; row < world->bodies.count; row++)
    if (sc_bodies_own(&world->bodies, row)) sum += hash_body(&world->bodies, row);
  /* The lower and upper 32 bits of the sums are added separately, because a double represents these sums
   * exactly. */
  double half[2] = {(double)(sum & UINT32_MAX), (double)(sum >> 32)};
  sc_ranks_sum(world->ranks, half, 2);
  return sc_hash_words(hash, &world->step, 1) + (uint64_t)half[0] + ((uint64_t)half[1] << 32);
}
