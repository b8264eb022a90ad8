/* Touches of shapes whose middle lies so deep in a solid mesh that they touch no triangle. The normal points
 * from the middle to the nearest point of the surface. */
#include "collide/narrow/mesh/mesh_inside.h"
#include "collide/narrow/convex/convex.h"
#include "collide/narrow/mesh/mesh.h"

/* Finds the point of the surface of a mesh that is nearest to the inner point x. Returns its distance [m].
 * likely: radius of the first search [m], which is doubled until a point is found. */
static double find_foot(const scree_geometry *g, const double x[3], double likely, double foot[3]) {
  double within = likely, distance;
  do {
    distance = sc_geometry_nearest(g, x, within, foot);
    within *= 2;
  } while (!(distance < 0.5 * within) && within < 4 * g->bound);
  return distance;
}

/* Returns how far a convex shape reaches along a unit direction from a point [m]. */
static double reach_towards(const sc_placed *shape, const double d[3], const double from[3]) {
  sc_convex convex;
  double point[3];
  sc_convex_of(shape, from, &convex);
  sc_convex_support(&convex, d, point);
  return sc_dot(point, d) + convex.radius;
}

int sc_mesh_push_out(const sc_placed *shape, const sc_placed *mesh, const double middle[3], sc_touch *out) {
  const scree_geometry *g = mesh->shape->geometry;
  double x[3], foot[3], n[3], world[3], back[3];
  if (!g->is_solid) return 0;
  sc_to_local(mesh, middle, x);
  if (!sc_geometry_holds(g, x)) return 0;
  const double depth = find_foot(g, x, 2 * shape->shape->bound, foot);
  sc_sub(foot, x, n);
  if (!(sc_normalise(n, n) > 0)) return 0;
  sc_mat_vec(mesh->R, n, world);
  sc_scale(-1, world, back);
  out->triangle = 0;
  return sc_touch_ball(
      middle, reach_towards(shape, back, middle), world, -depth, 0, sc_mesh_feature_id(0, UINT16_MAX), out);
}
