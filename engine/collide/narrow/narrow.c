/* The narrow-phase matrix: which function finds the touches of which pair of types. */
#include "collide/narrow/narrow.h"
#include "collide/narrow/convex.h"

void sc_place(const sc_shape *shape, const double position[3], const double orientation[4], sc_placed *out) {
  double q[4], turned[3];
  sc_quat_mul(orientation, shape->orientation, q);
  sc_quat_matrix(q, out->R);
  sc_quat_rotate(orientation, shape->position, turned);
  sc_add(position, turned, out->position);
  out->shape = shape;
}

/* Rows a, columns b; NULL: look at (b, a), and where that is NULL too the pair never touches. */
// clang-format off
#define X sc_narrow_convex
static sc_narrow_function *const matrix[SCREE_SHAPE_TYPES][SCREE_SHAPE_TYPES] = {
[SCREE_SPHERE]    = {[SCREE_SPHERE] = sc_narrow_sphere_sphere,       [SCREE_CAPSULE] = sc_narrow_sphere_capsule,
                     [SCREE_HALFSPACE] = sc_narrow_sphere_halfspace, [SCREE_BOX] = sc_narrow_sphere_box,
                     [SCREE_CYLINDER] = sc_narrow_sphere_cylinder,   [SCREE_CONE] = sc_narrow_sphere_cone,
                     [SCREE_ELLIPSOID] = sc_narrow_sphere_ellipsoid, [SCREE_HULL] = sc_narrow_sphere_hull,
                     [SCREE_MESH] = sc_narrow_sphere_mesh},
[SCREE_CAPSULE]   = {[SCREE_CAPSULE] = sc_narrow_capsule_capsule, [SCREE_HALFSPACE] = sc_narrow_capsule_halfspace,
                     [SCREE_BOX] = X, [SCREE_CYLINDER] = X, [SCREE_CONE] = X, [SCREE_ELLIPSOID] = X, [SCREE_HULL] = X,
                     [SCREE_MESH] = sc_narrow_convex_mesh},
[SCREE_BOX]       = {[SCREE_HALFSPACE] = sc_narrow_solid_halfspace, [SCREE_BOX] = X, [SCREE_CYLINDER] = X, [SCREE_CONE] = X,
                     [SCREE_ELLIPSOID] = X, [SCREE_HULL] = X, [SCREE_MESH] = sc_narrow_convex_mesh},
[SCREE_CYLINDER]  = {[SCREE_HALFSPACE] = sc_narrow_solid_halfspace, [SCREE_CYLINDER] = X, [SCREE_CONE] = X,
                     [SCREE_ELLIPSOID] = X, [SCREE_HULL] = X, [SCREE_MESH] = sc_narrow_convex_mesh},
[SCREE_CONE]      = {[SCREE_HALFSPACE] = sc_narrow_solid_halfspace, [SCREE_CONE] = X, [SCREE_ELLIPSOID] = X,
                     [SCREE_HULL] = X, [SCREE_MESH] = sc_narrow_convex_mesh},
[SCREE_ELLIPSOID] = {[SCREE_HALFSPACE] = sc_narrow_solid_halfspace, [SCREE_ELLIPSOID] = X, [SCREE_HULL] = X,
                     [SCREE_MESH] = sc_narrow_convex_mesh},
[SCREE_HULL]      = {[SCREE_HALFSPACE] = sc_narrow_solid_halfspace, [SCREE_HULL] = X,
                     [SCREE_MESH] = sc_narrow_convex_mesh},
};
#undef X
// clang-format on

int sc_narrow(const sc_placed *a, const sc_placed *b, double reach, sc_touch out[SC_MAX_TOUCHES]) {
  sc_narrow_function *direct = matrix[a->shape->type][b->shape->type],
                     *swapped = matrix[b->shape->type][a->shape->type];
  if (direct) return direct(a, b, reach, out);
  if (!swapped) return 0;
  int count = swapped(b, a, reach, out);
  for (int k = 0; k < count; k++) sc_scale(-1, out[k].normal, out[k].normal);
  return count;
}
