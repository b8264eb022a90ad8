/* The list of fast bodies. A fast body must not pass through other bodies, however far it moves in a step. */
#ifndef SC_WORLD_FAST_H
#define SC_WORLD_FAST_H

#include "model/cell.h"
#include "world/parts/motion.h"

/* A fast body and its pose at the start of the substep. */
typedef struct sc_fast_body {
  scree_id id;
  double position[3], orientation[4];
} sc_fast_body;

/* Allocates an entry for one more fast body. Fails in a periodic cell and without memory. cell: NULL if the
 * world is not periodic. */
scree_status sc_tracks_reserve_fast(sc_tracks *tracks, const sc_cell *cell, scree_error *error);
/* Adds a body to the list. sc_tracks_reserve_fast must have allocated the entry. */
void sc_tracks_add_fast(sc_tracks *tracks, scree_id body);
/* Removes a body from the list, if the list contains it. */
void sc_tracks_forget_fast(sc_tracks *tracks, scree_id body);

#endif
