/* Bodies as a structure of arrays, rows dense (0..count-1), with ids that survive reordering.
 *
 * A row moves when a body is removed (the last row fills the hole) or when rows are permuted into Morton order; ids stay.
 * id = generation << 32 | slot + 1, so 0 is no body and a slot's next tenant has another id.
 *
 * Where a world is spread over several ranks (engine/dist), each holds a part of the bodies: its own, copies of those of its
 * neighbours (shadows), and those that are known everywhere. Slots are then numbered through by creation, the same on every rank,
 * and never used again; a hash table finds the rows (lookup.c). */
#ifndef SC_BODIES_H
#define SC_BODIES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/base.h"
#include "scree/world.h"

typedef struct sc_bodies {
  bool planar;              /* dynamic bodies keep to planes at right angles to `plane` and turn about it alone */
  double plane[3];          /* unit normal, 0 unless planar */
  int32_t count;
  size_t capacity;
  double (*position)[3];    /* centre of mass [m] */
  double (*orientation)[4]; /* body frame to world */
  double (*velocity)[3];
  double (*spin)[3];        /* world frame [rad/s] */
  double (*force)[3], (*torque)[3]; /* applied for the coming step */
  double *inv_mass;         /* 0 unless dynamic */
  double *mass;             /* kept while kinematic or fixed, so that a body can become dynamic again */
  double (*inertia)[6];     /* body frame (xx,xy,xz,yy,yz,zz) [kg m2] */
  double (*inv_inertia)[6]; /* body frame, 0 unless dynamic */
  double *radius;           /* bounding sphere about position, INFINITY with a half-space */
  double *ball;             /* radius if the body is one sphere about its centre of mass, else 0 */
  uint8_t *kind;
  int64_t *group;
  int32_t *first_shape, *shapes_count; /* rows in sc_shapes are linked by next */
  uint32_t *slot;           /* row -> slot */
  uint32_t *generation;     /* of the slot; only where sparse is set */
  int32_t *owner;           /* rank the body belongs to; 0 in a world of one rank */
  uint8_t *everywhere;      /* 1: every rank holds a row of it */
  int32_t rank;             /* this rank */
  bool sparse;              /* a part of the bodies: rows are found by hash */
  int32_t *found; size_t found_size; /* hash table: found_size places (a power of two) of row + 1 (0: empty) and slot */
  /* slots */
  size_t slots_capacity; uint32_t slots_count, free_slot; /* free list, UINT32_MAX ends it */
  uint32_t *slot_row;       /* slot -> row, or next free slot */
  uint32_t *slot_generation;
} sc_bodies;

void sc_bodies_free(sc_bodies *bodies);
/* New row with zeroed members and a fresh id; -1 without memory. */
int32_t sc_bodies_add(sc_bodies *bodies);
/* New row for a body with a slot of its own that another rank numbered; sparse only. */
int32_t sc_bodies_adopt(sc_bodies *bodies, uint32_t slot, uint32_t generation);
/* From now on rows are found by hash; false without memory. */
bool sc_bodies_scatter(sc_bodies *bodies, int32_t rank);
/* Whether the row is this rank's own. */
static inline bool sc_bodies_own(const sc_bodies *bodies, int32_t row) { return bodies->owner[row] == bodies->rank; }
/* Rank that solves contacts between two bodies, as every rank that holds both sees it: the owner of one that is not known
 * everywhere, or else of the one in the lower or higher slot, by the parity of their sum, so that both sides of a border get
 * half. */
int32_t sc_bodies_solver(const sc_bodies *bodies, int32_t one, int32_t two);
/* Removes a row; the last row moves into its place. */
void sc_bodies_remove(sc_bodies *bodies, int32_t row);
/* Heap bytes held by all columns and slots. */
size_t sc_bodies_bytes(const sc_bodies *bodies);
scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row);
/* Row of an id, or -1 if it is stale or never was. */
int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id);
/* Rearranges rows so that new row i is old row order[i]. scratch holds at least count * 64 bytes. */
void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch);

/* ---- lookup.c: the hash table of a sparse set ---- */
int32_t sc_lookup_find(const sc_bodies *bodies, uint32_t slot); /* row, or -1 */
/* Enters bodies->slot[row] of all rows anew; room for at least `rows` rows. False without memory. */
bool sc_lookup_build(sc_bodies *bodies, size_t rows);
void sc_lookup_put(sc_bodies *bodies, uint32_t slot, int32_t row); /* room must be there */
void sc_lookup_drop(sc_bodies *bodies, uint32_t slot);

#endif
