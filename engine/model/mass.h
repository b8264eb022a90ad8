/* Mass and size of shapes. */
#ifndef SC_MODEL_MASS_H
#define SC_MODEL_MASS_H

#include "math/mass.h"
#include "model/shapes.h"

/* Computes the mass [kg], centre of mass [m] and inertia [kg m2] of a shape with uniform density [kg/m3], in
 * the body's frame. The inertia (xx,xy,xz,yy,yz,zz) is about the shape's own centre of mass, in the axes of
 * the body. Returns 0 and sets all outputs to 0 for a shape without a finite solid (half-space, open mesh).
 * sc_mass_add combines the shapes of a body. */
int sc_shape_mass(const sc_shape *shape, double density, double *mass, double centre[3], double inertia[6]);

/* Returns the radius of a sphere about the shape's position that contains the shape [m]; INFINITY for a
 * half-space. */
double sc_shape_bound(const sc_shape *shape);

/* Computes the axis-aligned box of a shape in its own frame: its middle and half edges [m]. Half edges of a
 * half-space are infinite. */
void sc_shape_box(const sc_shape *shape, double middle[3], double half[3]);

#endif
