/* Pairs of balls of a file that are near each other. */
#ifndef SC_IO_GRAINS_PAIRS_H
#define SC_IO_GRAINS_PAIRS_H

#include "io/grains/grains.h"

/* Takes a pair of rows of different bodies. d: from the centre of j to that of i, or its image [m]. shift:
 * what takes that image to the wrapped position of i, 0 for i itself [m]. Returns false to stop, for want
 * of memory. */
typedef bool sc_grain_pair(void *context, int64_t i, int64_t j, const double d[3], const double shift[3]);
/* Visits each pair of balls whose surfaces are nearer than `extra` [m], across the periodic edges of a
 * cell too (NULL: none). The order is the same in every run. */
scree_status sc_grain_visit_pairs(const scree_grains *grains, const scree_cell *cell, double extra,
    sc_grain_pair *visit, void *context, scree_error *error);

#endif
