/* Mass of the overlaps of the shapes of a body. The mass of the body is the sum over its shapes minus this
 * mass, so that the union of the shapes counts once. */
#ifndef SC_OVERLAP_H
#define SC_OVERLAP_H

#include "math/mass.h"
#include "model/shapes.h"

/* A shape of a body and its density [kg/m3]. */
typedef struct sc_matter {
  const sc_shape *shape;
  double density;
} sc_matter;

/* Indices of two shapes that overlap; i < j. */
typedef struct sc_overlap_pair {
  int i, j;
} sc_overlap_pair;

/* Computes the mass properties that a sum over the parts (shapes of a body) counts too often, in the body's
 * frame. pair: all pairs of parts that overlap. Where several shapes overlap, the density of the first shape
 * counts. The result is exact if all overlapping shapes are spheres and no three of them overlap each other.
 * Otherwise it is a quadrature along lines in three directions. Its relative error for spheres is about 1e-3
 * of the common mass. Returns false if out of memory. */
bool sc_overlap_mass(const sc_matter *part, int parts, const sc_overlap_pair *pair, int pairs, sc_mass *out);

#endif
