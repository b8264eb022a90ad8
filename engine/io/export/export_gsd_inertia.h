/* Rotational quantities of GSD files. HOOMD's orientation is that of the principal axes of inertia. */
#ifndef SC_EXPORT_GSD_INERTIA_H
#define SC_EXPORT_GSD_INERTIA_H

#include "io/export/export.h"

typedef struct sc_gsd_inertia {
  double *moment;      /* [bodies x 3] principal moments of inertia [kg m2] */
  double *axes;        /* [bodies x 4] rotation from the principal axes to the body's axes (w,x,y,z) */
  double *orientation; /* [bodies x 4] orientation of the principal axes in the world (w,x,y,z) */
  /* [bodies x 4] HOOMD's angular momentum: the quaternion 2 L q, L: angular momentum in the world [kg
   * m2/s], q: orientation */
  double *angular;
  size_t capacity; /* number of bodies for which the arrays have room */
} sc_gsd_inertia;

/* Computes the quantities of all bodies of a frame. Angular momenta are 0 if the frame has no spins. Returns
 * false if out of memory. */
bool sc_gsd_find_inertia(sc_gsd_inertia *g, const scree_frame *frame);
/* Frees the arrays. */
void sc_gsd_free_inertia(sc_gsd_inertia *g);

#endif
