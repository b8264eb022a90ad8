/* What shapes of one body have in common, so that their mass is that of their union. */
#ifndef SC_OVERLAP_H
#define SC_OVERLAP_H

#include "math/mass.h"
#include "model/shapes.h"

/* A shape within its body, and the density of its matter [kg/m3]. */
typedef struct sc_matter {
  const sc_shape *shape;
  double density;
} sc_matter;

/* Two shapes that share some volume; i < j. */
typedef struct sc_overlap_pair {
  int i, j;
} sc_overlap_pair;

/* Matter that a sum over the parts counts too often, in the body's frame: where several shapes lie, that of
 * the first counts. Exact where all are spheres no three of which overlap each other; else by quadrature
 * along lines in the three directions of the axes, whose relative error is about 1e-3 of the common mass for
 * spheres. False without memory. */
bool sc_overlap_mass(const sc_matter *part, int parts, const sc_overlap_pair *pair, int pairs, sc_mass *out);

#endif
