/* Makes shapes from definitions and computes their mass, for new bodies and clumps. */
#ifndef SC_WEIGH_H
#define SC_WEIGH_H

#include "math/mass.h"
#include "model/shapes.h"
#include "scree/world.h"

/* Returns true if at least one of six numbers is not 0. */
static inline bool sc_any6(const double v[6]) {
  for (int k = 0; k < 6; k++)
    if (v[k] != 0) return true;
  return false;
}

/* Returns the mass of a body with one shape [kg]; 0: the shape has no mass. *reach: radius of a sphere
 * about the origin of the body's frame that contains the shape [m]. */
double sc_world_weigh(const scree_world *world, const scree_shape_def *def, double *reach);
/* Sets *shape to the shape of a definition. serial: index of the shape in its body. */
void sc_world_make_shape(const scree_shape_def *def, uint32_t serial, sc_shape *shape);
/* Returns the radius of a sphere about the origin of the body's frame that contains all shapes [m]. */
double sc_world_reach(const sc_shape *shapes, int count);
/* Sets *sum to mass, centre and inertia of the union of a definition's shapes, in the body's frame. In an
 * overlap the density of the first shape counts. If the definition sets mass, centre and inertia, overlaps do
 * not matter. *sum is then the sum over the shapes. */
scree_status sc_world_sum_mass(const scree_world *world, const scree_body_def *def, const sc_shape *shapes,
    sc_mass *sum, scree_error *error);
/* Sets *volume to the volume of the union of the shapes [m3]. */
scree_status sc_world_sum_volume(const sc_shape *shapes, int count, double *volume, scree_error *error);
/* Returns SCREE_OK if the definition of a body is valid, else an error (bodies.c). */
scree_status sc_world_check_body(const scree_world *world, const scree_body_def *def, scree_error *error);

#endif
