/* Mass and size of shapes. */
#ifndef SC_MODEL_MASS_H
#define SC_MODEL_MASS_H

#include "math/mass.h"
#include "model/shapes.h"

/* Computes the mass [kg], centre of mass (body frame) and inertia of a shape with uniform density [kg/m3].
 * Inertia (xx,xy,xz,yy,yz,zz) is about the shape's own centre of mass, in the axes of the body. Returns 0 and
 * sets all outputs to 0 for a shape without a finite solid (half-space, open mesh). Combine the shapes of a
 * body with sc_mass_add. */
int sc_shape_mass(const sc_shape *shape, double density, double *mass, double centre[3], double inertia[6]);

/* Returns the radius of a sphere about the shape's position that contains the shape; INFINITY for a
 * half-space. */
double sc_shape_bound(const sc_shape *shape);

/* Computes the axis-aligned box of the shape in its own frame: middle and half edges; infinite half edges for
 * a half-space. */
void sc_shape_box(const sc_shape *shape, double middle[3], double half[3]);

#endif
