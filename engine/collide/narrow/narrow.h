/* The functions of the narrow phase, one per pair of families. The matrix in narrow.c has a function for one
 * order of two families. For the other order the shapes are exchanged and the normals are reversed. */
#ifndef SC_NARROW_H
#define SC_NARROW_H

#include "collide/narrow/box/box_lanes.h"

sc_narrow_function sc_narrow_sphere_sphere, sc_narrow_sphere_capsule, sc_narrow_capsule_capsule,
    sc_narrow_sphere_halfspace, sc_narrow_capsule_halfspace, sc_narrow_sphere_solid,
    sc_narrow_solid_halfspace, sc_narrow_convex;

/* Computes the touches of two convex shapes with gap <= reach by the method that suits their types. Returns
 * their number. cache: pair cache, may be NULL. */
int sc_convex_touches(
    const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache, sc_touch *out);
/* Computes the touches of two boxes from a lane of a box batch, or by the general search if the lane leaves
 * doubt. Returns their number. cache: pair cache, may be NULL. */
int sc_narrow_boxes(const sc_box_lanes *lanes, int lane, const sc_placed *a, const sc_placed *b, double reach,
    sc_pair_cache *cache, sc_touch *out);

#endif
