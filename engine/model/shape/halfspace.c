/* Half-spaces: all points below the plane z = 0. The outward normal is the z axis. */
#include "model/shape/kind.h"

static const scree_param keys[] = {{"normal", SCREE_VEC3, SCREE_REQUIRED | SCREE_NONZERO, "", 0, 0, 0,
    SC_SHAPE_AT(normal), NULL, "points into the free side"}};

static double bound_halfspace(const sc_shape *s) {
  (void)s;
  return INFINITY;
}
static void box_of_halfspace(const sc_shape *s, double middle[3], double half[3]) {
  (void)s, (void)middle;
  sc_set3(INFINITY, INFINITY, INFINITY, half);
}

const sc_shape_kind sc_kind_halfspace = {SC_SHAPE_ABOUT("halfspace", keys, 0), .family = SC_FAMILY_HALFSPACE,
    .bound = bound_halfspace, .box = box_of_halfspace};
