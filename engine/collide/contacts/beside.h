/* Shapes that lie beside each other. */
#ifndef SC_BESIDE_H
#define SC_BESIDE_H

#include "collide/collide.h"
#include "model/shape/kind.h"

/* A flat face of a placed shape at a touch: unit normal in world axes, a point of its plane. */
typedef struct sc_flank {
  double normal[3], point[3];
  int32_t triangle; /* of a mesh */
} sc_flank;

/* Flanks of one shape of a touch, their normals no nearer to its normal than a cosine; their number. slack
 * [m]: by how much shapes may overlap. */
int sc_flanks_at(const sc_placed *holder, const sc_touch *touch, double cosine, double slack,
    sc_flank flank[SC_MAX_FLANKS]);
/* How far a convex shape reaches along a unit direction from a point [m]. */
double sc_reach_along(const sc_placed *p, const double d[3], const double from[3]);

/* Takes out touches of two shapes that meet in edges or corners alone; how many are left. */
int sc_drop_beside(const sc_placed *a, const sc_placed *b, double slack, sc_touch *touch, int count);

#endif
