/* Balls against triangle meshes.
 *
 * A ball touches where its distance to the mesh has a local minimum: inside a triangle, or on an edge or
 * corner, unless a triangle that shares this edge or corner is nearer. A ball that rolls over a tessellated
 * plane therefore touches the plane once, and inner edges have no effect. At a corner the distances to all
 * triangles that meet there are equal up to rounding, so several triangles can have local minima. Therefore,
 * of touches whose points on the mesh are within 1e-4 of the radius of each other, only the nearest remains.
 * Triangles near a ball are cached together with its position, as in mesh.c for other shapes. */
#include <string.h>
#include "collide/narrow/mesh/mesh.h"
#include "collide/narrow/mesh/mesh_inside.h"

enum { MOST_NEAR = 512 }; /* largest number of triangles near a ball */

/* The point of a triangle that is nearest to the ball's centre. */
typedef struct closest {
  int32_t triangle;
  int part;               /* part of the triangle on which the point lies: 0: inside; 1 to 3: edge after
                             corner 0 to 2; 4 to 6: corner 0 to 2 */
  double foot[3], square; /* the point in the mesh's axes, its squared distance from the ball's centre */
} closest;

/* Returns true if triangle t has the edge or corner on which the nearest point c lies. */
static bool has_feature(const scree_geometry *g, int32_t t, const closest *c) {
  const int32_t *mine = g->triangle[t], *theirs = g->triangle[c->triangle];
  int32_t p = theirs[c->part >= 4 ? c->part - 4 : c->part - 1], q = c->part >= 4 ? p : theirs[c->part % 3];
  bool has_p = mine[0] == p || mine[1] == p || mine[2] == p,
       has_q = mine[0] == q || mine[1] == q || mine[2] == q;
  return has_p && has_q;
}

/* Returns whether nearest point a is closer to the ball's centre than nearest point b. Equal distances are
 * ordered by triangle, so exactly one of the triangles that share a nearest point is the closest. */
static bool is_closer(const closest *a, const closest *b) {
  return a->square != b->square ? a->square < b->square : a->triangle < b->triangle;
}

/* Returns whether no triangle that shares the edge or corner of a nearest point is nearer. */
static bool is_local_minimum(const scree_geometry *g, const closest *all, int count, int k) {
  if (all[k].part == 0) return true;
  for (int i = 0; i < count; i++)
    if (i != k && has_feature(g, all[i].triangle, all + k) && is_closer(all + i, all + k)) return false;
  return true;
}

static bool is_one_foot(const closest *a, const closest *b, double apart) {
  double d[3];
  sc_sub(a->foot, b->foot, d);
  return sc_dot(d, d) <= apart * apart;
}

/* Adds local minimum k to the list, unless a nearer minimum of the list has the same foot (point on the
 * mesh). Removes further minima with this foot. Returns the length of the list. If two minima are equally
 * near up to rounding, the one inside a triangle remains, because its normal is exact. */
static int add_minimum(const closest *all, int k, double apart, int *minimum, int count) {
  static const double rounding = 1e-12;
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const closest *a = all + minimum[i], *b = all + k;
    if (!is_one_foot(a, b, apart)) {
      minimum[kept++] = minimum[i];
      continue;
    }
    const bool level = fabs(a->square - b->square) <= rounding * b->square && !a->part != !b->part;
    if (level ? !a->part : is_closer(a, b)) {
      memmove(minimum + kept, minimum + i, (size_t)(count - i) * sizeof *minimum);
      return kept + count - i;
    }
  }
  minimum[kept++] = k;
  return kept;
}

/* Computes the outward direction at a nearest point: the normal of the face, or the sum of the normals of the
 * faces that share the edge or corner. */
static void outward_direction(const scree_geometry *g, const closest *all, int count, int k, double n[3]) {
  sc_copy3(g->normal[all[k].triangle], n);
  for (int i = 0; i < count && all[k].part; i++)
    if (i != k && has_feature(g, all[i].triangle, all + k)) sc_add(n, g->normal[all[i].triangle], n);
}

static int touch_minimum(const sc_placed *ball, const sc_placed *mesh, const double x[3], const closest *all,
    int count, int k, double reach, sc_touch *out) {
  const scree_geometry *g = mesh->shape->geometry;
  double d[3], n[3], face[3], distance;
  sc_sub(x, all[k].foot, d);
  outward_direction(g, all, count, k, face);
  distance = sc_normalise(d, n);
  if (!(distance > 0)) sc_normalise(face, n);
  if (g->is_solid && sc_dot(n, face) < 0) sc_scale(-1, n, n), distance = -distance;
  /* inside a triangle the triangle's normal is exact, no matter how near the centre is */
  if (all[k].part == 0)
    sc_scale(sc_dot(n, g->normal[all[k].triangle]) < 0 ? -1 : 1, g->normal[all[k].triangle], n);
  double world[3];
  sc_mat_vec(mesh->R, n, world);
  out->triangle = all[k].triangle;
  return sc_touch_ball(ball->position, ball->shape->radius, world, distance, reach,
      sc_mesh_feature_id(all[k].triangle, (uint32_t)all[k].part), out);
}

/* Copies the deepest touches to out, sorted by gap, at most SC_MAX_TOUCHES. Returns their number. */
static int copy_deepest(sc_touch *found, int count, sc_touch *out) {
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

/* A search for the triangles near a point. If there are more than MOST_NEAR, the furthest is dropped. */
typedef struct ball_search {
  const scree_geometry *g;
  double x[3];              /* the point in the mesh's axes */
  double far;               /* triangles up to this distance are listed [m] */
  double limit;             /* triangles up to this distance are stored in the triangle cache [m] */
  sc_triangle_cache *cache; /* triangle cache; NULL: not to be written */
  int count;
  closest all[MOST_NEAR]; /* [count] nearest points of the triangles */
} ball_search;

static bool collect_triangle(void *context, int32_t triangle) {
  ball_search *a = context;
  closest c = {.triangle = triangle};
  double d[3];
  c.part = sc_triangle_nearest(a->g, triangle, a->x, c.foot);
  sc_sub(a->x, c.foot, d);
  c.square = sc_dot(d, d);
  if (c.square <= a->limit * a->limit) sc_triangle_cache_add(a->cache, triangle);
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

/* Returns true if the ball has moved so little that all triangles within a->far are in the cache. */
static bool is_cache_valid(const ball_search *a, double radius, const sc_triangle_cache *cache) {
  double way[3];
  if (!cache || cache->full || cache->count < 0) return false;
  sc_sub(a->x, cache->middle, way);
  return sc_norm(way) + a->far + 1e-9 * radius <= cache->limit;
}

/* Lists all triangles within `far`, from the cache or from the tree. A search in the tree fills the cache,
 * with a limit that allows motions of `share` of the radius. */
static void collect_triangles(ball_search *a, double radius, sc_triangle_cache *cache) {
  static const double share = 0.25;
  double min[3], max[3];
  if (is_cache_valid(a, radius, cache)) {
    for (int32_t k = 0; k < cache->count; k++) collect_triangle(a, cache->triangle[k]);
    return;
  }
  if (cache && !cache->full) {
    a->cache = cache, a->limit = cache->limit = a->far + share * radius, cache->count = 0;
    sc_copy3(a->x, cache->middle);
  }
  for (int k = 0; k < 3; k++) min[k] = a->x[k] - a->limit, max[k] = a->x[k] + a->limit;
  sc_geometry_query(a->g, min, max, collect_triangle, a);
}

int sc_ball_touches(
    const sc_placed *a, const sc_placed *b, double reach, sc_triangle_cache *cache, sc_touch *out) {
  /* minima whose feet are closer together than this fraction of the radius count as one minimum */
  static const double one_foot = 1e-4;
  ball_search all;
  sc_touch found[MOST_NEAR];
  int minimum[MOST_NEAR], count = 0, touches = 0;
  all.g = b->shape->geometry, all.count = 0, all.cache = NULL, all.limit = all.far = a->shape->radius + reach;
  if (!(all.far > 0)) return 0;
  sc_to_local(b, a->position, all.x);
  collect_triangles(&all, a->shape->radius, cache);
  for (int k = 0; k < all.count; k++)
    if (is_local_minimum(all.g, all.all, all.count, k))
      count = add_minimum(all.all, k, one_foot * a->shape->radius, minimum, count);
  for (int k = 0; k < count; k++)
    touches += touch_minimum(a, b, all.x, all.all, all.count, minimum[k], reach, found + touches);
  if (!touches) return sc_mesh_push_out(a, b, a->position, out);
  return copy_deepest(found, touches, out);
}

int sc_narrow_sphere_mesh(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return sc_ball_touches(a, b, reach, NULL, out);
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
