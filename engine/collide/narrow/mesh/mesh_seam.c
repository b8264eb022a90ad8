/* Queries of a mesh near one of its points: the faces at the point, and whether the mesh continues a surface.
 *
 * The search for seams (collide/contacts/seam.c) calls these functions if a shape touches an edge of the
 * mesh. */
#include "collide/narrow/mesh/mesh_seam.h"
#include "model/geometry/geometry.h"

/* A search near a point of a mesh, in the mesh's axes. */
typedef struct mesh_search {
  const scree_geometry *g;
  double x[3], up[3], off;
  double low, high; /* range of heights of the surface over the point [m] */
  double way[3];    /* direction in which a sharp edge is crossed */
  bool found;
  int32_t *face; /* rows of the triangles at the point */
  int faces, most;
} mesh_search;

static void query_near(mesh_search *a, double reach, sc_tree_visit *visit) {
  double min[3], max[3];
  for (int k = 0; k < 3; k++) min[k] = a->x[k] - reach, max[k] = a->x[k] + reach;
  sc_geometry_query(a->g, min, max, visit, a);
}

/* Returns whether a triangle comes within `off` of a point. */
static bool is_within(const mesh_search *a, int32_t t, const double x[3]) {
  double foot[3], d[3];
  sc_triangle_nearest(a->g, t, x, foot);
  sc_sub(x, foot, d);
  return sc_dot(d, d) <= a->off * a->off;
}

static bool find_surface(void *context, int32_t t) {
  /* smallest cosine of the angle between a face's normal and the up direction; steeper faces are skipped */
  static const double steepest = 0.1;
  mesh_search *a = context;
  const double *n = a->g->normal[t];
  double d[3], p[3], rise = sc_dot(n, a->up);
  if (!(a->g->is_solid ? rise >= steepest : fabs(rise) >= steepest)) return true;
  sc_sub(a->g->point[a->g->triangle[t][0]], a->x, d);
  const double height = sc_dot(d, n) / rise;
  if (!(height >= a->low && height <= a->high)) return true;
  sc_axpy(height, a->up, a->x, p);
  a->found = is_within(a, t, p);
  return !a->found;
}

bool sc_mesh_covers(const sc_placed *mesh, const sc_cover *c) {
  mesh_search a = {.g = mesh->shape->geometry, .off = c->aside, .low = c->low, .high = c->high};
  sc_to_local(mesh, c->point, a.x);
  sc_mat_tvec(mesh->R, c->up, a.up);
  query_near(&a, c->aside + fmax(fabs(c->low), fabs(c->high)), find_surface);
  return a.found;
}

/* Relation of a point and a direction to an edge of a triangle. SC_AWAY: the edge is not sharp or too far
 * from the point. SC_OUT: the direction leads out of the triangle. SC_IN: it leads into the triangle. */
typedef enum passage { SC_AWAY, SC_OUT, SC_IN } passage;

/* Returns the relation of the search's point and direction to edge k of triangle t. */
static passage find_passage(const mesh_search *a, int32_t t, int k) {
  const double *p = a->g->point[a->g->triangle[t][k]], *q = a->g->point[a->g->triangle[t][(k + 1) % 3]];
  double edge[3], out[3], d[3];
  if (!(a->g->sharp[t] >> k & 1)) return SC_AWAY;
  sc_sub(q, p, edge);
  sc_cross(edge, a->g->normal[t], out);
  sc_normalise(out, out);
  sc_sub(p, a->x, d);
  if (!(sc_dot(d, out) <= a->off)) return SC_AWAY;
  return sc_dot(a->way, out) > 0 ? SC_OUT : SC_IN;
}

bool sc_mesh_rises(const sc_placed *mesh, int32_t t, const double x[3], const double up[3]) {
  double at[3], turned[3];
  sc_to_local(mesh, x, at);
  sc_mat_tvec(mesh->R, up, turned);
  return sc_geometry_rise(mesh->shape->geometry, t, at, turned) > 0;
}

/* Finds a border of the face at the point. The border may begin at a corner of a triangle without an edge
 * on the border, so all triangles at the point are tested. */
static bool find_border(void *context, int32_t t) {
  static const double level = 1 - 1e-6; /* normals with a larger cosine count as parallel */
  mesh_search *a = context;
  if (fabs(sc_dot(a->g->normal[t], a->up)) < level || !is_within(a, t, a->x)) return true;
  for (int k = 0; k < 3 && !a->found; k++)
    a->found = a->g->across[t][k] < 0 && find_passage(a, t, k) == SC_OUT;
  return !a->found;
}

/* Stores a triangle unless a parallel triangle is stored. */
static void store_face(mesh_search *a, int32_t t) {
  for (int k = 0; k < a->faces; k++)
    if (fabs(sc_dot(a->g->normal[a->face[k]], a->g->normal[t])) >= 1 - 1e-15) return;
  if (a->faces < a->most) a->face[a->faces++] = t;
}

static bool find_face(void *context, int32_t t) {
  mesh_search *a = context;
  if (is_within(a, t, a->x)) store_face(a, t);
  return a->faces < a->most;
}

/* Returns whether the search's point lies within a->off of the line through edge k of a triangle. from:
 * vector from corner k to the point. */
static bool is_at_edge(const mesh_search *a, int32_t t, int k, const double from[3]) {
  const double *p = a->g->point[a->g->triangle[t][k]], *q = a->g->point[a->g->triangle[t][(k + 1) % 3]];
  double edge[3], c[3];
  sc_sub(q, p, edge);
  sc_cross(edge, from, c);
  return sc_dot(c, c) <= a->off * a->off * sc_dot(edge, edge);
}

int sc_mesh_faces_at(
    const sc_placed *mesh, int32_t t, const double x[3], double off, int32_t *face, int most) {
  mesh_search a = {.g = mesh->shape->geometry, .off = off, .face = face, .most = most};
  const uint8_t sharp = a.g->sharp[t];
  double from[3][3];
  if (!sharp) return 0;
  sc_to_local(mesh, x, a.x);
  for (int k = 0; k < 3; k++) {
    sc_sub(a.x, a.g->point[a.g->triangle[t][k]], from[k]);
    if (!(sharp >> (3 + k) & 1) || sc_dot(from[k], from[k]) > off * off) continue;
    store_face(&a, t);
    query_near(&a, off, find_face);
    return a.faces;
  }
  for (int k = 0; k < 3; k++) {
    if (!(sharp >> k & 1) || !is_at_edge(&a, t, k, from[k])) continue;
    store_face(&a, t);
    if (a.g->across[t][k] >= 0) store_face(&a, a.g->across[t][k]);
  }
  return a.faces;
}

void sc_mesh_normal(const sc_placed *mesh, int32_t t, double normal[3]) {
  sc_mat_vec(mesh->R, mesh->shape->geometry->normal[t], normal);
}

sc_beyond sc_mesh_beyond(const sc_placed *mesh, int32_t t, const double x[3], const double up[3],
    const double way[3], double off, int32_t *riser) {
  mesh_search a = {.g = mesh->shape->geometry, .off = off};
  sc_to_local(mesh, x, a.x);
  sc_mat_tvec(mesh->R, up, a.up);
  sc_mat_tvec(mesh->R, way, a.way);
  const bool front = sc_dot(a.up, a.g->normal[t]) > 0;
  bool falls = false, other = false;
  for (int k = 0; k < 3; k++) {
    const passage here = find_passage(&a, t, k);
    if (here == SC_AWAY) continue;
    const bool border = a.g->across[t][k] < 0, rises = !border && (a.g->fold[t] >> k & 1) == front;
    if (here == SC_OUT) {
      *riser = a.g->across[t][k];
      return border ? SC_NOTHING : rises ? SC_RISES : SC_FALLS;
    }
    if (border || rises) other = true;
    else falls = true;
  }
  if (falls && !other) return SC_BEHIND;
  if (!(a.g->fold[t] >> 3)) return SC_FLAT;
  query_near(&a, off, find_border);
  return a.found ? SC_NOTHING : SC_FLAT;
}
