/* Convex shapes against triangle meshes.
 *
 * The mesh's tree lists the triangles near the shape. Balls have a file of their own (mesh_ball.c). For any
 * other convex shape each triangle is a convex core (distance, depth, manifold); for boxes separating axes
 * are tried first (mesh_box.c). The normal is corrected: a touch on an edge or corner that is not sharp gets
 * the normal of the face, and a solid has no touches from behind. Touches at the same point with the same
 * normal are merged.
 *
 * A shape that overlaps a solid mesh is pushed outwards. All other meshes are walls: surfaces without
 * thickness whose triangles have contacts on both sides. */
#include "collide/narrow/mesh/mesh.h"
#include "collide/narrow/mesh/mesh_inside.h"

static inline double larger_of(double a, double b) { return b > a ? b : a; }

/* Returns the separation of the shape and a triangle along the unit vector n [m]. First reverses n if it does
 * not point towards the shape. */
static double triangle_separation(const sc_crossing *m, const sc_convex *triangle, double n[3]) {
  double d[3], back[3], mine[3], its[3];
  sc_sub(m->shape->position, triangle->position, d);
  if (sc_dot(d, n) < 0) sc_scale(-1, n, n);
  sc_scale(-1, n, back);
  sc_convex_support(m->shape, back, mine);
  sc_convex_support(triangle, n, its);
  sc_sub(mine, its, d);
  return sc_dot(d, n) - m->shape->radius;
}

/* Returns the largest separation along the normals of the triangle's edges within its plane [m]. Stops early
 * if the separation exceeds m->limit. */
static double sideways_separation(const sc_crossing *m, const sc_convex *triangle, const double normal[3]) {
  double most = -INFINITY;
  for (int k = 0; k < 3 && most <= m->limit; k++) {
    double n[3], edge[3];
    sc_sub(triangle->triangle[(k + 1) % 3], triangle->triangle[k], edge);
    sc_cross(edge, normal, n);
    sc_normalise(n, n);
    most = larger_of(most, triangle_separation(m, triangle, n));
  }
  return most;
}

/* Returns true if some axis proves that triangle t is out of reach. Adds t to the triangle cache if its
 * separation is within m->limit. */
static bool is_triangle_apart(const sc_crossing *m, int32_t t, const sc_convex *triangle) {
  double face[3], n[3];
  sc_mat_vec(m->mesh->R, m->mesh->shape->geometry->normal[t], face);
  sc_copy3(face, n);
  double apart = triangle_separation(m, triangle, n);
  if (!(apart > m->limit)) apart = larger_of(apart, sideways_separation(m, triangle, face));
  if (apart > m->limit) return true;
  sc_triangle_cache_add(m->cache, t);
  return apart > m->beyond;
}

/* Sets *triangle to triangle t as a convex core whose position is its centroid. corner: set to its corners.
 * about: memory for its corners relative to the centroid. */
static void place_triangle(
    const sc_crossing *m, int32_t t, double corner[3][3], double about[3][3], sc_convex *triangle) {
  const scree_geometry *g = m->mesh->shape->geometry;
  *triangle = (sc_convex){.triangle = (const double(*)[3])about, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int k = 0; k < 3; k++) {
    sc_to_world(m->mesh, g->point[g->triangle[t][k]], corner[k]);
    sc_sub(corner[k], m->origin, corner[k]);
    sc_axpy(1.0 / 3, corner[k], triangle->position, triangle->position);
  }
  for (int k = 0; k < 3; k++) {
    sc_sub(corner[k], triangle->position, about[k]);
    triangle->size = fmax(triangle->size, sc_norm(about[k]));
  }
}

static bool correct_normal(const sc_crossing *m, int32_t t, const double corner[3][3], sc_nearest *nearest,
    sc_correction *correction) {
  const scree_geometry *g = m->mesh->shape->geometry;
  double face[3];
  sc_mat_vec(m->mesh->R, g->normal[t], face);
  return sc_mesh_correct_normal(g, t, corner, face, m->inside, nearest, correction);
}

static void touch_triangle(sc_crossing *m, int32_t t) {
  double corner[3][3], about[3][3];
  sc_convex triangle;
  sc_nearest nearest;
  sc_correction correction;
  place_triangle(m, t, corner, about, &triangle);
  if (!m->lanes && is_triangle_apart(m, t, &triangle)) return;
  if (!sc_convex_nearest(m->shape, &triangle, m->reach, &nearest)) return;
  if (nearest.distance > m->reach + m->shape->radius || !correct_normal(m, t, corner, &nearest, &correction))
    return;
  sc_touch touch[SC_MAX_TOUCHES];
  /* a corrected normal does not belong to the nearest points, so only touches of the faces' overlap are
   * used */
  int count = correction != SC_KEPT
      ? sc_manifold_faces(m->shape, &triangle, &nearest, m->reach, m->origin, touch)
      : sc_manifold(m->shape, &triangle, &nearest, m->reach, m->origin, NULL, touch);
  sc_mesh_add(m, t, correction, nearest.distance - m->shape->radius, touch, count);
}

/* Adds the touches of the triangles in the lanes. */
static void touch_lanes(sc_crossing *m) {
  if (!m->lanes) return;
  m->kernels->test_triangles(m->lanes);
  for (int lane = 0; lane < m->lanes->count; lane++)
    if (!sc_mesh_touch_box(m, lane)) touch_triangle(m, m->lanes->triangle[lane]);
  m->lanes->count = 0;
}

static bool visit_triangle(void *context, int32_t t) {
  sc_crossing *m = context;
  if (!m->lanes) {
    touch_triangle(m, t);
    return true;
  }
  if (m->lanes->count == SC_LANES) touch_lanes(m);
  sc_mesh_add_to_lanes(m, t);
  return true;
}

/* Computes m->turn and m->shift: rotation and translation from the mesh's axes to the shape's axes. */
static void compute_transform(sc_crossing *m) {
  double d[3], column[3], turned[3];
  for (int k = 0; k < 3; k++) {
    sc_column(m->mesh->R, k, column);
    sc_mat_tvec(m->shape->R, column, turned);
    for (int i = 0; i < 3; i++) m->turn[3 * i + k] = turned[i];
  }
  sc_sub(m->mesh->position, m->origin, d);
  sc_sub(d, m->shape->position, d);
  sc_mat_tvec(m->shape->R, d, m->shift);
}

/* Computes the bounding box of a convex shape in the mesh's axes, enlarged by its radius and the reach. */
static void local_box(const sc_convex *shape, const sc_placed *mesh, const double origin[3], double reach,
    double min[3], double max[3]) {
  for (int k = 0; k < 3; k++) {
    double axis[3], back[3], p[3], d[3];
    sc_column(mesh->R, k, axis);
    sc_scale(-1, axis, back);
    sc_sub(origin, mesh->position, d);
    double offset = sc_dot(d, axis);
    sc_convex_support(shape, axis, p);
    max[k] = sc_dot(p, axis) + offset + shape->radius + reach;
    sc_convex_support(shape, back, p);
    min[k] = sc_dot(p, axis) + offset - shape->radius - reach;
  }
}

/* ---- the triangle cache ---- */

/* Returns an upper bound of the distance that a point of the shape has moved relative to the mesh since the
 * cache was filled [m]. middle: position of the shape in the mesh's axes. */
static double motion_since(const sc_crossing *m, const double middle[3]) {
  double d[3], turned = 0;
  for (int k = 0; k < 9; k++) {
    const double change = m->turn[k] - m->cache->turn[k];
    turned += change * change;
  }
  sc_sub(middle, m->cache->middle, d);
  return sc_norm(d) + (m->shape->size + m->shape->radius) * sqrt(turned);
}

/* Adds the touches of the shape and the mesh. The cache lists all triangles within the distance cache->limit
 * of the shape at the time the cache was filled. While the motion since then plus the reach is at most this
 * limit, no other triangle can be in reach. Otherwise the cache is filled again from the tree. Its new limit
 * allows motions of `share` of the shape's size. If there are too many triangles, the cache is not used. */
static void visit_near_triangles(sc_crossing *m) {
  static const double share = 0.05;
  double min[3], max[3], back[3], middle[3];
  const double size = m->shape->size + m->shape->radius;
  sc_triangle_cache *cache = m->cache && !m->cache->full ? m->cache : NULL;
  m->cache = cache;
  sc_scale(-1, m->shift, back);
  sc_mat_tvec(m->turn, back, middle);
  if (cache && cache->count >= 0 && motion_since(m, middle) + m->beyond + 1e-9 * size <= cache->limit) {
    m->cache = NULL;
    for (int32_t k = 0; k < cache->count; k++) visit_triangle(m, cache->triangle[k]);
    touch_lanes(m);
    return;
  }
  if (cache) {
    m->limit += share * size;
    cache->limit = m->limit, cache->count = 0;
    memcpy(cache->turn, m->turn, sizeof cache->turn);
    sc_copy3(middle, cache->middle);
  }
  local_box(m->shape, m->mesh, m->origin, m->limit, min, max);
  sc_geometry_query(m->mesh->shape->geometry, min, max, visit_triangle, m);
  touch_lanes(m);
}

int sc_mesh_touches(const sc_placed *a, const sc_placed *b, double reach, sc_triangle_cache *cache,
    const sc_box_kernels *kernels, sc_touch *out) {
  sc_convex shape;
  sc_triangle_lanes lanes;
  sc_touch found[SC_MESH_FOUND];
  sc_mesh_place place[SC_MESH_FOUND];
  sc_convex_of(a, a->position, &shape);
  double doubt = (sc_convex_is_round(&shape) ? 1e-3 : 1e-9) * (shape.size + shape.radius);
  sc_crossing m = {.shape = &shape,
      .mesh = b,
      .origin = a->position,
      .reach = reach,
      .beyond = reach * (1 + 1e-6) + doubt,
      .cache = cache,
      .lanes = a->shape->type == SCREE_BOX ? &lanes : NULL,
      .kernels = kernels ? kernels : &sc_box_scalar,
      .found = found,
      .place = place};
  m.limit = m.beyond;
  sc_convex_middle(&shape, m.middle);
  sc_add(m.middle, a->position, m.inside);
  sc_to_local(b, m.inside, m.inside);
  compute_transform(&m);
  if (m.lanes) sc_triangle_lanes_open(&shape, m.turn, m.shift, &lanes);
  visit_near_triangles(&m);
  if (sc_convex_is_round(&shape)) sc_mesh_drop_slivers(&m);
  if (!m.count) {
    sc_add(m.middle, a->position, m.middle);
    return sc_mesh_push_out(a, b, m.middle, out);
  }
  m.count = sc_drop_redundant(found, m.count, shape.size);
  return sc_touch_copy_thinned(found, m.count, out);
}

int sc_narrow_convex_mesh(const sc_placed *a, const sc_placed *b, double reach, sc_touch *out) {
  return sc_mesh_touches(a, b, reach, NULL, NULL, out);
}
