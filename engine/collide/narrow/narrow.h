/* Inside of the narrow phase: one function per pair of families. The matrix in narrow.c holds one triangle
 * of (family, family); the other triangle is the same function with the result turned round. */
#ifndef SC_NARROW_H
#define SC_NARROW_H

#include "collide/narrow/touch.h"

sc_narrow_function sc_narrow_sphere_sphere, sc_narrow_sphere_capsule, sc_narrow_capsule_capsule,
    sc_narrow_sphere_halfspace, sc_narrow_capsule_halfspace, sc_narrow_sphere_solid,
    sc_narrow_solid_halfspace;

#endif
