/* Edges over which a surface goes on. */
#ifndef SC_SEAM_H
#define SC_SEAM_H

#include "collide/contacts/held.h"
#include "model/shape/kind.h"

/* What a touch with an edge or corner is: real, one in a surface that goes on level beyond the edge, or
 * one in a hollow fold, beyond which the surface rises. */
typedef enum sc_seam { SC_NO_SEAM, SC_LEVEL, SC_HOLLOW } sc_seam;

/* Touches with the faces of a hollow fold. */
typedef struct sc_fold {
  sc_touch touch[SC_MAX_FLANKS];
  int count;
} sc_fold;

/* Tells what a touch of a pair, a first, is; fold: of a hollow one; held: NULL if nothing else is there.
 * size [m]: the radius of the ball about the smaller shape. slack [m]: the step up or down that counts
 * as flat; up to ten times that where the larger shape is large. */
sc_seam sc_find_seam(const sc_held *held, const sc_placed *a, const sc_placed *b, double size, double slack,
    const sc_touch *touch, sc_fold *fold);

#endif
