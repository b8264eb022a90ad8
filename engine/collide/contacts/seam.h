/* Edges over which a surface goes on. */
#ifndef SC_SEAM_H
#define SC_SEAM_H

#include "collide/contacts/held.h"
#include "model/shape/kind.h"

/* Kind of a touch with an edge or corner.
 * SC_NO_SEAM: the touch is real. SC_LEVEL: the surface goes on level beyond the edge.
 * SC_HOLLOW: the edge lies in a hollow fold, so the surface rises beyond the edge. */
typedef enum sc_seam { SC_NO_SEAM, SC_LEVEL, SC_HOLLOW } sc_seam;

/* The faces at an edge, and touches with the faces of a hollow fold. */
typedef struct sc_fold {
  sc_touch touch[SC_MAX_FLANKS];
  int count;
  bool above; /* whether the other shape lies above a face whose normal is not the touch's */
} sc_fold;

/* Returns the kind of a touch of shapes a and b. a is the first shape of the pair.
 * held: the pair in its list, or NULL if the pair has no list.
 * size [m]: the radius of the bounding ball of the smaller shape.
 * slack [m]: the step up or down that counts as flat. If the larger shape is large, up to 10 slack counts.
 * fold: returns `above`, and the touches with the faces of the fold if the kind is SC_HOLLOW. */
sc_seam sc_find_seam(const sc_held *held, const sc_placed *a, const sc_placed *b, double size, double slack,
    const sc_touch *touch, sc_fold *fold);

#endif
