/* Mass and size of shapes. */
#ifndef SC_MODEL_MASS_H
#define SC_MODEL_MASS_H

#include "math/mass.h"
#include "model/shapes.h"

/* Mass, centre of mass (body frame) and inertia (axes of the body frame, about the shape's own centre of
 * mass, (xx,xy,xz,yy,yz,zz)) of a shape with uniform density [kg/m3]. 0 for a shape without a finite
 * solid (half-space, open mesh): outputs are then zero. Combine the shapes of a body with sc_mass_add. */
int sc_shape_mass(const sc_shape *shape, double density, double *mass, double centre[3], double inertia[6]);

/* Radius of the smallest sphere about the shape's position that holds it; INFINITY for a half-space. */
double sc_shape_bound(const sc_shape *shape);

/* Axis-aligned box of the shape in its own frame: middle and half edges; infinite half edges for a
 * half-space. */
void sc_shape_box(const sc_shape *shape, double middle[3], double half[3]);

#endif
