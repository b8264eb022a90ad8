/* What goes into the hash of a world. */
#ifndef SC_WORLD_HASH_H
#define SC_WORLD_HASH_H

#include "model/bodies.h"
#include "scree/world.h"

/* A body's part, behind its slot; the members leave no gaps. */
typedef struct sc_hashed {
  uint64_t slot, id;
  double position[3], orientation[4], velocity[3], spin[3];
} sc_hashed;

sc_hashed sc_hashed_of(const sc_bodies *bodies, int32_t row);
uint64_t sc_hash_add(uint64_t hash, const sc_hashed *h);
/* All bodies of a whole world. */
uint64_t sc_hash_whole(const scree_world *world, uint64_t hash);

#endif
