/* Balls against triangle meshes.
 *
 * A ball touches where its distance to the mesh has a local least value: inside a triangle, or on an edge
 * or corner, unless a triangle that shares this edge or corner is nearer. So a ball rolling over a
 * tessellated plane touches it once and never feels the edges inside. */
#include "collide/narrow/mesh.h"

enum { MOST_NEAR = 512 };

typedef struct closest {
  int32_t triangle;
  int part;
  double foot[3], square;
} closest;

/* Whether a triangle holds the edge or corner on which another's nearest point lies. */
static bool holds(const scree_geometry *g, int32_t t, const closest *c) {
  const int32_t *mine = g->triangle[t], *theirs = g->triangle[c->triangle];
  int32_t p = theirs[c->part >= 4 ? c->part - 4 : c->part - 1], q = c->part >= 4 ? p : theirs[c->part % 3];
  bool has_p = mine[0] == p || mine[1] == p || mine[2] == p,
       has_q = mine[0] == q || mine[1] == q || mine[2] == q;
  return has_p && has_q;
}

/* A nearest point on an edge or corner counts if no triangle that shares it is nearer, or as near and
 * listed before. */
static bool is_local_least(const scree_geometry *g, const closest *all, int count, int k) {
  if (all[k].part == 0) return true;
  for (int i = 0; i < count; i++) {
    if (i == k || !holds(g, all[i].triangle, all + k)) continue;
    double slight = 1e-12 * all[k].square;
    if (all[i].square < all[k].square - slight ||
        (all[i].square <= all[k].square + slight && (i < k || all[i].part == 0)))
      return false;
  }
  return true;
}

/* Outward direction at a nearest point: of the face, or the mean of the faces that share the edge or
 * corner. */
static void outward(const scree_geometry *g, const closest *all, int count, int k, double n[3]) {
  sc_copy3(g->normal[all[k].triangle], n);
  for (int i = 0; i < count && all[k].part; i++)
    if (i != k && holds(g, all[i].triangle, all + k)) sc_add(n, g->normal[all[i].triangle], n);
}

static int touch_least(const sc_placed *ball, const sc_placed *mesh, const double x[3], const closest *all,
    int count, int k, double reach, sc_touch *out) {
  const scree_geometry *g = mesh->shape->geometry;
  double d[3], n[3], face[3], distance;
  sc_sub(x, all[k].foot, d);
  outward(g, all, count, k, face);
  distance = sc_normalise(d, n);
  if (!(distance > 0)) sc_normalise(face, n);
  if (g->closed && sc_dot(n, face) < 0) sc_scale(-1, n, n), distance = -distance;
  /* inside a triangle its own normal is exact, however near the centre is */
  if (all[k].part == 0)
    sc_scale(sc_dot(n, g->normal[all[k].triangle]) < 0 ? -1 : 1, g->normal[all[k].triangle], n);
  double world[3];
  sc_mat_vec(mesh->R, n, world);
  return sc_touch_ball(ball->position, ball->shape->radius, world, distance, reach,
      sc_mesh_name(all[k].triangle, (uint32_t)all[k].part), out);
}

/* Deepest touches first into out, at most SC_MAX_TOUCHES. */
static int keep_touches(sc_touch *found, int count, sc_touch *out) {
  int kept = 0;
  for (; kept < count && kept < SC_MAX_TOUCHES; kept++) {
    int deepest = kept;
    for (int k = kept + 1; k < count; k++)
      if (found[k].gap < found[deepest].gap) deepest = k;
    sc_touch swap = found[kept];
    found[kept] = found[deepest], found[deepest] = swap;
    out[kept] = found[kept];
  }
  return kept;
}

/* Triangles about a point with the nearest point of each, those within `far`; when full the furthest
 * makes room. */
typedef struct around {
  const scree_geometry *g;
  double x[3], far;
  int count;
  closest all[MOST_NEAR];
} around;

static bool gather(void *context, int32_t triangle) {
  around *a = context;
  closest c = {.triangle = triangle};
  double d[3];
  c.part = sc_triangle_nearest(a->g, triangle, a->x, c.foot);
  sc_sub(a->x, c.foot, d);
  c.square = sc_dot(d, d);
  if (!(c.square <= a->far * a->far)) return true;
  int at = a->count;
  if (at < MOST_NEAR) {
    a->count++;
  } else {
    at = 0;
    for (int k = 1; k < MOST_NEAR; k++)
      if (a->all[k].square > a->all[at].square) at = k;
    if (!(c.square < a->all[at].square)) return true;
  }
  a->all[at] = c;
  return true;
}

int sc_narrow_sphere_mesh(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  around near;
  double min[3], max[3];
  sc_touch found[MOST_NEAR];
  int touches = 0;
  near.g = b->shape->geometry, near.count = 0, near.far = a->shape->radius + reach;
  if (!(near.far > 0)) return 0;
  sc_to_local(b, a->position, near.x);
  for (int k = 0; k < 3; k++) min[k] = near.x[k] - near.far, max[k] = near.x[k] + near.far;
  sc_geometry_query(near.g, min, max, gather, &near);
  for (int k = 0; k < near.count; k++)
    if (is_local_least(near.g, near.all, near.count, k))
      touches += touch_least(a, b, near.x, near.all, near.count, k, reach, found + touches);
  return keep_touches(found, touches, out);
}

/* ---- for the list ---- */

static bool stop_at_first(void *context, int32_t triangle) {
  (void)triangle;
  *(bool *)context = true;
  return false;
}

bool sc_mesh_near(const sc_placed *mesh, const double centre[3], double radius) {
  double x[3], min[3], max[3];
  bool found = false;
  sc_to_local(mesh, centre, x);
  for (int k = 0; k < 3; k++) min[k] = x[k] - radius, max[k] = x[k] + radius;
  sc_geometry_query(mesh->shape->geometry, min, max, stop_at_first, &found);
  return found;
}
