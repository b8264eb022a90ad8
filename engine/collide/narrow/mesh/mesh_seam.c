/* A mesh near one point of it: its faces there, whether it carries a surface on, how far a shape overlaps it.
 *
 * The search for seams (collide/contacts/seam.c) asks this where a shape touches an edge of the mesh. */
#include "collide/narrow/mesh/mesh_seam.h"
#include "model/geometry/geometry.h"

/* A point of a mesh in the mesh's axes, and what is found about it. */
typedef struct about {
  const sc_placed *mesh;
  const scree_geometry *g;
  double x[3], off;
  /* faces at the point */
  double (*normal)[3];
  int most, count;
  /* a surface that looks along `up`, between two heights over the point; whether it is there, and whether it
   * ends there in the direction `way` */
  double up[3], low, high, way[3];
  bool covered, ends;
  /* a shape, about its own position, and how deep it is in the triangles at the point */
  const sc_placed *shape;
  double deepest;
} about;

static void query(about *a, double reach, sc_tree_visit *visit) {
  double min[3], max[3];
  for (int k = 0; k < 3; k++) min[k] = a->x[k] - reach, max[k] = a->x[k] + reach;
  sc_geometry_query(a->g, min, max, visit, a);
}

/* Whether a triangle comes within `off` of a point. */
static bool is_within(const about *a, int32_t t, const double x[3], double off) {
  double foot[3], d[3];
  sc_triangle_nearest(a->g, t, x, foot);
  sc_sub(x, foot, d);
  return sc_dot(d, d) <= off * off;
}

static bool note_normal(void *context, int32_t t) {
  about *a = context;
  if (!is_within(a, t, a->x, a->off)) return true;
  double *n = a->normal[a->count];
  sc_mat_vec(a->mesh->R, a->g->normal[t], n);
  for (int k = 0; k < a->count; k++)
    if (fabs(sc_dot(a->normal[k], n)) >= 1 - 1e-15) return true;
  return ++a->count < a->most;
}

int sc_mesh_normals_at(const sc_placed *mesh, const double x[3], double off, double (*normal)[3], int most) {
  about a = {.mesh = mesh, .g = mesh->shape->geometry, .off = off, .normal = normal, .most = most};
  sc_to_local(mesh, x, a.x);
  query(&a, off, note_normal);
  return a.count;
}

static bool look_whether_covered(void *context, int32_t t) {
  static const double steepest = 0.1; /* cosine of a face's normal with the direction up */
  about *a = context;
  const double *n = a->g->normal[t];
  double d[3], p[3], rise = sc_dot(n, a->up);
  if (!(a->g->closed ? rise >= steepest : fabs(rise) >= steepest)) return true;
  sc_sub(a->g->point[a->g->triangle[t][0]], a->x, d);
  const double height = sc_dot(d, n) / rise;
  if (!(height >= a->low && height <= a->high)) return true;
  sc_axpy(height, a->up, a->x, p);
  a->covered = is_within(a, t, p, a->off);
  return !a->covered;
}

bool sc_mesh_covers(const sc_placed *mesh, const sc_cover *c) {
  about a = {.mesh = mesh, .g = mesh->shape->geometry, .off = c->aside, .low = c->low, .high = c->high};
  sc_to_local(mesh, c->point, a.x);
  sc_mat_tvec(mesh->R, c->up, a.up);
  query(&a, c->aside + fmax(fabs(c->low), fabs(c->high)), look_whether_covered);
  return a.covered;
}

/* Whether a triangle that looks along `up` has a sharp edge at the point, beyond which lies the way. */
static bool look_whether_it_ends(void *context, int32_t t) {
  static const double level = 1 - 1e-6; /* normals with a larger cosine count as parallel */
  about *a = context;
  if (fabs(sc_dot(a->g->normal[t], a->up)) < level || !is_within(a, t, a->x, a->off)) return true;
  for (int k = 0; k < 3; k++) {
    const double *p = a->g->point[a->g->triangle[t][k]], *q = a->g->point[a->g->triangle[t][(k + 1) % 3]];
    double edge[3], out[3], d[3];
    sc_sub(q, p, edge);
    sc_cross(edge, a->g->normal[t], out);
    sc_normalise(out, out);
    sc_sub(p, a->x, d);
    if ((a->g->sharp[t] >> k & 1) && sc_dot(d, out) <= a->off && sc_dot(a->way, out) > 0) a->ends = true;
  }
  return !a->ends;
}

bool sc_mesh_ends_at(
    const sc_placed *mesh, const double x[3], const double up[3], const double way[3], double off) {
  about a = {.mesh = mesh, .g = mesh->shape->geometry, .off = off};
  sc_to_local(mesh, x, a.x);
  sc_mat_tvec(mesh->R, up, a.up);
  sc_mat_tvec(mesh->R, way, a.way);
  query(&a, off, look_whether_it_ends);
  return a.ends;
}

/* How deep a convex shape is in a triangle, in world axes about the shape's position. */
static double depth_in(const about *a, int32_t t) {
  double corner[3][3];
  sc_convex shape, triangle = {.triangle = (const double(*)[3])corner, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  sc_nearest nearest;
  for (int k = 0; k < 3; k++) {
    sc_to_world(a->mesh, a->g->point[a->g->triangle[t][k]], corner[k]);
    sc_sub(corner[k], a->shape->position, corner[k]);
    sc_axpy(1.0 / 3, corner[k], triangle.position, triangle.position);
  }
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[k], triangle.position, corner[k]);
    triangle.size = fmax(triangle.size, sc_norm(corner[k]));
  }
  sc_convex_of(a->shape, a->shape->position, &shape);
  if (!sc_convex_nearest(&shape, &triangle, 0, &nearest)) return 0;
  return shape.radius - nearest.distance;
}

static bool sink(void *context, int32_t t) {
  about *a = context;
  if (is_within(a, t, a->x, a->off)) a->deepest = fmax(a->deepest, depth_in(a, t));
  return true;
}

double sc_mesh_overlap_at(const sc_placed *shape, const sc_placed *mesh, const double x[3], double off) {
  about a = {.mesh = mesh, .g = mesh->shape->geometry, .off = off, .shape = shape};
  sc_to_local(mesh, x, a.x);
  query(&a, off, sink);
  return a.deepest;
}
