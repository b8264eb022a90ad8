/* Bodies as a structure of arrays, rows dense (0..count-1), with ids that survive reordering.
 *
 * A row moves when a body is removed (the last row fills the hole) or when rows are permuted into Morton order; ids stay.
 * id = generation << 32 | slot + 1, so 0 is no body and a slot's next tenant has another id. */
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
  /* slots */
  size_t slots_capacity; uint32_t slots_count, free_slot; /* free list, UINT32_MAX ends it */
  uint32_t *slot_row;       /* slot -> row, or next free slot */
  uint32_t *slot_generation;
} sc_bodies;

void sc_bodies_free(sc_bodies *bodies);
/* New row with zeroed members and a fresh id; -1 without memory. */
int32_t sc_bodies_add(sc_bodies *bodies);
/* Removes a row; the last row moves into its place. */
void sc_bodies_remove(sc_bodies *bodies, int32_t row);
/* Heap bytes held by all columns and slots. */
size_t sc_bodies_bytes(const sc_bodies *bodies);
scree_id sc_bodies_id(const sc_bodies *bodies, int32_t row);
/* Row of an id, or -1 if it is stale or never was. */
int32_t sc_bodies_row(const sc_bodies *bodies, scree_id id);
/* Rearranges rows so that new row i is old row order[i]. scratch holds at least count * 64 bytes. */
void sc_bodies_permute(sc_bodies *bodies, const int32_t *order, void *scratch);

#endif
