/* From definitions to shapes and their mass: what adding a body and making a clump share. */
#ifndef SC_WEIGH_H
#define SC_WEIGH_H

#include "math/mass.h"
#include "model/shapes.h"
#include "scree/world.h"

static inline bool sc_any6(const double v[6]) {
  for (int k = 0; k < 6; k++)
    if (v[k] != 0) return true;
  return false;
}

/* Returns the mass of a shape that is to become a body by itself; 0: it has no mass. *reach: radius of a
 * sphere about the place of the body that contains the shape. */
double sc_world_weigh(const scree_world *world, const scree_shape_def *def, double *reach);
void sc_world_make_shape(const scree_shape_def *def, uint32_t serial, sc_shape *shape);
/* Radius of a sphere about the origin that holds the shapes. */
double sc_world_reach(const sc_shape *shapes, int count);
/* Mass, centre and inertia of the union of the shapes of a definition, in the body's frame. Where shapes lie
 * over each other the matter of the first counts. */
scree_status sc_world_sum_mass(const scree_world *world, const scree_body_def *def, const sc_shape *shapes,
    sc_mass *sum, scree_error *error);
/* Volume of the union. */
scree_status sc_world_sum_volume(const sc_shape *shapes, int count, double *volume, scree_error *error);
/* What is wrong with a definition (bodies.c). */
scree_status sc_world_check_body(const scree_world *world, const scree_body_def *def, scree_error *error);

#endif
