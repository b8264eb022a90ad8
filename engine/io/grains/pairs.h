/* Pairs of balls of a file that are near each other. */
#ifndef SC_IO_GRAINS_PAIRS_H
#define SC_IO_GRAINS_PAIRS_H

#include "io/grains/grains.h"

/* Callback for a pair of rows of different bodies. d: vector from the centre of j to the centre of i or of an
 * image of i [m]. shift: vector from this image to the wrapped position of i [m]; 0 for i itself. Returns
 * false if out of memory; the search then stops and fails. */
typedef bool sc_grain_pair(void *context, int64_t i, int64_t j, const double d[3], const double shift[3]);
/* Calls `visit` for each pair of balls whose surfaces are nearer than `extra` [m], also across the periodic
 * edges of a cell (NULL: no cell). The order of calls is the same in every run. */
scree_status sc_grain_visit_pairs(const scree_grains *grains, const scree_cell *cell, double extra,
    sc_grain_pair *visit, void *context, scree_error *error);

#endif
