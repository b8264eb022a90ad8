/* Bonds in bundles (slots.h): copies of the problem's bond rows for sweeps. */
#ifndef SC_SWEEP_BONDS_H
#define SC_SWEEP_BONDS_H

#include "problem/contacts/store.h"

/* Eight bonds; members as in sc_bond_row. hard: 1/soft. Products in elastic.h use only the members up to
 * `hard`. */
typedef struct sc_bond_bundle {
  int32_t i[SC_LANES], j[SC_LANES]; /* rows of bodies; ~row: the body cannot move */
  double d[3][SC_LANES], arm1[SC_LANES], arm2[SC_LANES], ratio[SC_LANES], hard[4][SC_LANES];
  double soft[4][SC_LANES];
  double p[3][SC_LANES], m[3][SC_LANES], push[3][SC_LANES], turn[3][SC_LANES];
} sc_bond_bundle;
_Static_assert(sizeof(sc_bond_bundle) == 216 * SC_LANES, "216 bytes a bond");

/* All bonds of a problem. */
typedef struct sc_bond_lanes {
  sc_slots slots;
  sc_bond_bundle *bundle;             /* [slots.count] bundles of eight bonds */
  sc_bundle_past *past, *couple_past; /* [slots.count] p and m before the last sweep; NULL without momentum */
} sc_bond_lanes;

/* Copies the bonds of the problem into bundles, planned for the threads of the pool. past: true if sweeps
 * have momentum, so the impulses before the last sweep are stored, too. Returns false if out of memory. */
bool sc_bond_lanes_fill(
    const sc_problem *problem, bool past, sc_pool *pool, sc_arena *arena, sc_bond_lanes *lanes);
/* Copies the impulses of the bundles back to the problem's rows. */
void sc_bond_lanes_unpack(const sc_bond_lanes *lanes, const sc_problem *problem);

#endif
