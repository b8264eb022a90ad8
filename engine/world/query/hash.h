/* The bodies' part of the hash of a world. */
#ifndef SC_WORLD_HASH_H
#define SC_WORLD_HASH_H

#include "model/bodies.h"
#include "scree/world.h"

/* Numbers of a body. The hash includes all members from `id` on, which have no padding. */
typedef struct sc_hashed {
  uint64_t slot, id;
  double position[3], orientation[4], velocity[3], spin[3];
} sc_hashed;

/* Returns the numbers of a row. */
sc_hashed sc_hashed_of(const sc_bodies *bodies, int32_t row);

/* Returns `hash` continued over one body. */
uint64_t sc_hash_add(uint64_t hash, const sc_hashed *h);

/* Returns `hash` continued over all bodies of this rank in the order of slots, for a world on one rank. */
uint64_t sc_hash_whole(const scree_world *world, uint64_t hash);

#endif
