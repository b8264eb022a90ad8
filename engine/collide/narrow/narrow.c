/* The narrow-phase matrix: the function that finds the touches of each pair of families. */
#include "collide/narrow/narrow.h"
#include "collide/narrow/mesh/mesh.h"

void sc_place(const sc_shape *shape, const double position[3], const double orientation[4], sc_placed *out) {
  double q[4], turned[3];
  sc_quat_mul(orientation, shape->orientation, q);
  sc_quat_matrix(q, out->R);
  sc_quat_rotate(orientation, shape->position, turned);
  sc_add(position, turned, out->position);
  out->shape = shape;
}

/* Index: family of a, family of b. NULL: the function of (b, a) is used with exchanged shapes. If both are
 * NULL, the pair never touches. */
// clang-format off
static sc_narrow_function *const matrix[SC_FAMILIES][SC_FAMILIES] = {
[SC_FAMILY_SPHERE]  = {[SC_FAMILY_SPHERE] = sc_narrow_sphere_sphere, [SC_FAMILY_CAPSULE] = sc_narrow_sphere_capsule,
                       [SC_FAMILY_SOLID] = sc_narrow_sphere_solid,   [SC_FAMILY_HALFSPACE] = sc_narrow_sphere_halfspace,
                       [SC_FAMILY_MESH] = sc_narrow_sphere_mesh},
[SC_FAMILY_CAPSULE] = {[SC_FAMILY_CAPSULE] = sc_narrow_capsule_capsule, [SC_FAMILY_SOLID] = sc_narrow_convex,
                       [SC_FAMILY_HALFSPACE] = sc_narrow_capsule_halfspace, [SC_FAMILY_MESH] = sc_narrow_convex_mesh},
[SC_FAMILY_SOLID]   = {[SC_FAMILY_SOLID] = sc_narrow_convex, [SC_FAMILY_HALFSPACE] = sc_narrow_solid_halfspace,
                       [SC_FAMILY_MESH] = sc_narrow_convex_mesh},
};
// clang-format on

static int reverse_normals(sc_touch *touch, int count) {
  for (int k = 0; k < count; k++) sc_scale(-1, touch[k].normal, touch[k].normal);
  return count;
}

/* Returns the function that finds the touches of a pair; NULL: the shapes never touch. *turned: true if the
 * function expects (b, a). Two solids are ordered by their types, so that the result does not depend on the
 * order of the pair. */
static sc_narrow_function *find_function(const sc_placed *a, const sc_placed *b, bool *turned) {
  const sc_family of_a = sc_kind_of(a->shape)->family, of_b = sc_kind_of(b->shape)->family;
  bool both = of_a == SC_FAMILY_SOLID && of_b == SC_FAMILY_SOLID;
  *turned = !matrix[of_a][of_b] || (both && a->shape->type > b->shape->type);
  return *turned ? matrix[of_b][of_a] : matrix[of_a][of_b];
}

int sc_narrow(const sc_placed *a, const sc_placed *b, double reach, sc_touch out[SC_MAX_TOUCHES]) {
  SC_ASSERT(a && b && reach >= 0 && out);
  bool turned;
  sc_narrow_function *function = find_function(a, b, &turned);
  if (!function) return 0;
  return turned ? reverse_normals(out, function(b, a, reach, out)) : function(a, b, reach, out);
}

int sc_narrow_again(const sc_placed *a, const sc_placed *b, double reach, sc_pair_cache *cache,
    sc_triangle_cache *triangles, const struct sc_box_kernels *kernels, sc_touch out[SC_MAX_TOUCHES]) {
  bool turned;
  sc_narrow_function *function = find_function(a, b, &turned);
  const sc_placed *one = turned ? b : a, *two = turned ? a : b;
  int count;
  if (function == sc_narrow_convex_mesh) {
    count = sc_mesh_touches(one, two, reach, triangles, kernels, out);
  } else if (function == sc_narrow_sphere_mesh) {
    count = sc_ball_touches(one, two, reach, triangles, out);
  } else if (function == sc_narrow_convex) {
    if (sc_axis_separates(one, two, cache, reach)) return 0;
    if (cache->axis[0] <= 1) *cache = (sc_pair_cache){.axis = {0, 0, 0}};
    count = sc_convex_touches(one, two, reach, cache, out);
  } else {
    return sc_narrow(a, b, reach, out);
  }
  return turned ? reverse_normals(out, count) : count;
}
