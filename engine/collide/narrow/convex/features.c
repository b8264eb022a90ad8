/* Hull against hull: distance or depth from cached features that are proven to be the nearest.
 *
 * The difference D of two hulls is bounded by facets. A facet is a face of one hull with a corner of the
 * other, or two edges. Let F be the projection of the origin onto the plane of a facet. If F lies inside the
 * facet by w, the general search would end at this facet:
 *   - If the origin is outside of D, F is the nearest point, because D lies behind the plane.
 *   - If the origin is inside, at depth h, a facet whose normal is turned by an angle t has the disc of
 *     radius w about F behind it. Its distance is at least h cos t + w sin t, which is more than h for
 *     tan(t/2) < w/h. Facets with a reversed normal lie beyond the difference of the centres of mass, which
 *     is in D.
 * So the features of the last step, or features next to them, need no search while they are proven. In all
 * other cases the search finds the features. Distance and normal are then computed from the features in the
 * same way.
 *
 * The search knows the depth to 1e-10 of the sizes s. A normal that is turned by t gives a depth that is
 * larger by w t/2. So the normal of the search is turned by at most 2e-10 s/w, and its heights of corners are
 * off by at most 4e-10 s^2/w. Features are accepted if all other corners are lower by ten times this value.
 * The search then finds the same features, and results do not depend on the cache. */
#include "collide/narrow/convex/convex.h"

/* Values of sc_pair_cache.feature.kind. FACE_OF_A, FACE_OF_B: at[0] is a face of this hull, at[1] a corner of
 * the other hull. EDGES: at[0] is an edge of a, at[1] an edge of b. */
static const float FACE_OF_A = 2, FACE_OF_B = 3, EDGES = 4;
static const double inside = 1e-3;     /* smallest w of a proven facet, relative to the size */
static const double lower = 4e-9;      /* factor of the height difference that required_drop returns */
static const double least_sine = 0.03; /* smallest sine between crossing edges */
static const double deepest = 0.1;     /* largest ratio h/w of a proven facet */
static const double flat = 1e-10;      /* smallest squared sine between the faces beside an edge */

/* A facet of the difference. */
typedef struct facet {
  sc_nearest nearest;
  double within; /* w: how far inside the facet the foot F lies; negative: outside [m] */
  /* border of the facet that is nearest to F; -1: not known. For a facet of a face: index of the face's edge.
   * For a facet of two edges: 0 or 1: end of the edge of a, 2 or 3: end of the edge of b */
  int32_t nearest_border;
  /* faces beside the edge of a and the edge of b that the facet's normal has turned past; -1: none */
  int32_t passed[2];
} facet;

static const scree_geometry *hull_of(const sc_convex *c) { return c->shape->geometry; }
static double sum_of_sizes(const sc_convex *a, const sc_convex *b) { return a->size + b->size; }

/* Returns by how much all other corners must be lower than a proven facet along its normal [m]. within: w of
 * the facet. */
static double required_drop(double size, double within) { return lower * size * size / within; }

/* Returns the distance of a point in the plane of a face from the border of the face [m]; negative: outside.
 * foot: the point in the hull's axes. rim: set to the index of the nearest edge of the face. */
static double distance_inside_face(
    const scree_geometry *g, int32_t face, const double foot[3], int32_t *rim) {
  double least = INFINITY;
  for (int32_t k = g->first[face]; k < g->first[face + 1]; k++) {
    const double in = sc_dot(g->rim[k], foot) - g->rim[k][3];
    if (in < least) least = in, *rim = k;
  }
  return least;
}

/* Computes the facet of a face of `holder` and the lowest corner of `other` over this face. The search for
 * the corner starts at *corner, and *corner returns the result. Returns true if the facet contains the foot
 * and all other corners are higher. */
static bool compute_face_facet(
    const sc_convex *holder, const sc_convex *other, int32_t face, uint16_t *corner, facet *out) {
  const scree_geometry *g = hull_of(holder), *h = hull_of(other);
  const double size = sum_of_sizes(holder, other);
  double n[3], back[3], local[3], point[3], foot[3], fall;
  if (face >= g->faces || *corner >= h->points) return false;
  sc_mat_vec(holder->R, g->plane[face], n);
  sc_scale(-1, n, back);
  sc_mat_tvec(other->R, back, local);
  const int32_t lowest = sc_hull_summit(h, local, *corner, &fall);
  *corner = (uint16_t)lowest;
  sc_convex_to_world(other, h->point[lowest], point);
  sc_sub(point, holder->position, foot);
  sc_mat_tvec(holder->R, foot, foot);
  const double height = sc_dot(foot, g->plane[face]) - g->plane[face][3];
  sc_axpy(-height, g->plane[face], foot, foot);
  out->within = distance_inside_face(g, face, foot, &out->nearest_border);
  out->nearest.distance = height;
  sc_copy3(n, out->nearest.normal);
  sc_copy3(point, out->nearest.a);
  sc_axpy(-height, n, point, out->nearest.b);
  const double drop = required_drop(size, out->within);
  return out->within >= inside * size && g->depth[face] >= drop && fall >= drop;
}

/* Exchanges a and b in a result, so that the normal points from b to a again. */
static void swap_shapes(sc_nearest *nearest) {
  double point[3];
  sc_copy3(nearest->a, point);
  sc_copy3(nearest->b, nearest->a);
  sc_copy3(point, nearest->b);
  sc_scale(-1, nearest->normal, nearest->normal);
}

/* An edge in world axes: its start, and the vector to its end. */
typedef struct edge {
  const sc_edge *own;
  double start[3], way[3];
} edge;

static bool place_edge(const sc_convex *c, int32_t at, edge *out) {
  const scree_geometry *g = hull_of(c);
  if (at >= g->edges) return false;
  out->own = g->edge + at;
  sc_convex_to_world(c, g->point[out->own->end[0]], out->start);
  sc_mat_vec(c->R, out->own->way, out->way);
  return true;
}

/* Returns -1 if the faces beside the edge prove that every corner except the ends of the edge is lower than
 * the edge in direction d, by at least `drop` [m]. d: world axes, perpendicular to the edge. Else returns the
 * face beside the edge whose normal d is close to or has turned past. Proof: let d = x m + y n with the
 * normals m, n of the two faces. A corner that is lower by p along m and by q along n is lower by x p + y q
 * along d. p or q is at least the edge's depth at this face (depth of sc_edge). */
static int32_t find_passed_face(const sc_convex *c, const edge *e, const double d[3], double drop) {
  const scree_geometry *g = hull_of(c);
  const sc_edge *own = e->own;
  const double cosine = own->cosine, square = 1 - cosine * cosine;
  double local[3];
  sc_mat_tvec(c->R, d, local);
  const double m = sc_dot(g->plane[own->face[0]], local), n = sc_dot(g->plane[own->face[1]], local),
               least = drop * square;
  if (!(square > flat && (n - cosine * m) * own->depth[1] >= least)) return own->face[0];
  return (m - cosine * n) * own->depth[0] >= least ? -1 : own->face[1];
}

/* Computes the facet of edge at[0] of a and edge at[1] of b. Returns true if the facet contains the foot and
 * both edges support the normal. */
static bool compute_edge_facet(const sc_convex *a, const sc_convex *b, const uint16_t at[2], facet *out) {
  const double size = sum_of_sizes(a, b);
  edge e, f;
  double c[3], d[3], n[3], back[3];
  if (!place_edge(a, at[0], &e) || !place_edge(b, at[1], &f)) return false;
  sc_cross(e.way, f.way, c);
  const double ee = sc_dot(e.way, e.way), ff = sc_dot(f.way, f.way), ef = sc_dot(e.way, f.way),
               square = sc_dot(c, c), sines = square / (ee * ff);
  if (!(sines > least_sine * least_sine)) return false;
  sc_normalise(c, n);
  sc_convex_middle(a, d);
  sc_sub(d, e.start, d);
  if (sc_dot(d, n) < 0) sc_scale(-1, n, n);
  sc_scale(-1, n, back);
  sc_sub(e.start, f.start, d);
  const double de = sc_dot(d, e.way), df = sc_dot(d, f.way), s = (ef * df - ff * de) / square,
               t = (ee * df - ef * de) / square;
  const double along[2] = {sqrt(ee) * fmin(s, 1 - s), sqrt(ff) * fmin(t, 1 - t)};
  out->nearest_border = along[0] < along[1] ? s > 0.5 : 2 + (t > 0.5);
  out->within = sqrt(sines) * fmin(along[0], along[1]);
  out->nearest.distance = sc_dot(d, n);
  sc_copy3(n, out->nearest.normal);
  sc_axpy(s, e.way, e.start, out->nearest.a);
  sc_axpy(t, f.way, f.start, out->nearest.b);
  const double drop = required_drop(size, out->within);
  if (!(out->within >= inside * size)) return false;
  out->passed[0] = find_passed_face(a, &e, back, drop), out->passed[1] = find_passed_face(b, &f, n, drop);
  return out->passed[0] < 0 && out->passed[1] < 0;
}

static void between_middles(const sc_convex *a, const sc_convex *b, double out[3]) {
  double p[3], q[3];
  sc_convex_middle(a, p);
  sc_convex_middle(b, q);
  sc_sub(p, q, out);
}

/* Returns true if the general search would end at a facet that contains its foot. Returns false if the
 * distance is nearly equal to the reach; the search then decides. */
static bool is_proven(const sc_convex *a, const sc_convex *b, double reach, const facet *f) {
  const double depth = -f->nearest.distance, size = sum_of_sizes(a, b);
  if (fabs(depth + reach) < 1e-9 * (reach + size)) return false;
  if (depth <= 0) return true;
  double d[3];
  between_middles(a, b, d);
  const double high = sc_dot(d, f->nearest.normal);
  return depth <= deepest * f->within && high > 0.5 * sc_norm(d) && high > 4 * depth && high > 0.01 * size;
}

/* Computes the facet of the features in the pair cache. Returns false if it is not proven. */
static bool compute_facet(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, facet *f) {
  const float kind = cache->feature.kind;
  uint16_t *at = cache->feature.at;
  f->within = 0, f->nearest_border = f->passed[0] = f->passed[1] = -1;
  const bool held = kind == FACE_OF_A ? compute_face_facet(a, b, at[0], at + 1, f)
      : kind == FACE_OF_B             ? compute_face_facet(b, a, at[0], at + 1, f)
      : kind == EDGES                 ? compute_edge_facet(a, b, at, f)
                                      : false;
  if (!held) return false;
  if (kind == FACE_OF_A) swap_shapes(&f->nearest);
  return is_proven(a, b, reach, f);
}

/* ---- features next to the cached features ----
 * When hulls move, the foot leaves its face or edge, or the normal of two edges passes a face beside an
 * edge. */

/* A trial of features next to the cached features. */
typedef struct trial {
  const sc_convex *a, *b;
  double reach;
  sc_pair_cache cache;
  facet *found;
} trial;

static bool try_features(trial *t, float kind, int32_t first, int32_t second) {
  t->cache.feature.kind = kind;
  t->cache.feature.at[0] = (uint16_t)first, t->cache.feature.at[1] = (uint16_t)second;
  return compute_facet(t->a, t->b, t->reach, &t->cache, t->found);
}

/* Tries all edges at a corner of one hull (a if of_a) with edge `other` of the other hull. */
static bool try_edges_at(trial *t, bool of_a, int32_t corner, int32_t other) {
  const scree_geometry *g = hull_of(of_a ? t->a : t->b);
  for (int32_t k = g->near_first[corner]; k < g->near_first[corner + 1]; k++)
    if (try_features(t, EDGES, of_a ? g->near_edge[k] : other, of_a ? other : g->near_edge[k])) return true;
  return false;
}

/* Returns the edge that starts at corner `rim` of a face. */
static int32_t rim_edge(const scree_geometry *g, int32_t face, int32_t rim) {
  const int32_t p = g->corner[rim], q = g->corner[rim + 1 < g->first[face + 1] ? rim + 1 : g->first[face]];
  int32_t k = g->near_first[p];
  while (g->near[k] != q) k++;
  return g->near_edge[k];
}

/* Tries a face of one hull with a corner of the other hull's edge `other`. Then tries all edges of the face
 * with edge `other`. */
static bool try_face(trial *t, bool of_a, int32_t face, int32_t other) {
  const scree_geometry *g = hull_of(of_a ? t->a : t->b), *h = hull_of(of_a ? t->b : t->a);
  if (try_features(t, of_a ? FACE_OF_A : FACE_OF_B, face, h->edge[other].end[0])) return true;
  for (int32_t k = g->first[face]; k < g->first[face + 1]; k++) {
    const int32_t mine = rim_edge(g, face, k);
    if (try_features(t, EDGES, of_a ? mine : other, of_a ? other : mine)) return true;
  }
  return false;
}

/* Tries the two faces beside edge `at` of one hull with a corner of the other hull. The search for this
 * corner starts at `corner`. */
static bool try_faces_of(trial *t, bool of_a, int32_t at, int32_t corner) {
  const int32_t *face = hull_of(of_a ? t->a : t->b)->edge[at].face;
  const float kind = of_a ? FACE_OF_A : FACE_OF_B;
  return try_features(t, kind, face[0], corner) || try_features(t, kind, face[1], corner);
}

/* Call if the foot has left a face. Tries the adjacent face, then the edge between the two faces with all
 * edges at the corner of the other hull. */
static bool try_beside_face(trial *t, const facet *left) {
  const bool of_a = t->cache.feature.kind == FACE_OF_A;
  const scree_geometry *g = hull_of(of_a ? t->a : t->b);
  const int32_t face = t->cache.feature.at[0], corner = t->cache.feature.at[1];
  if (left->nearest_border < 0 || !g->edges || !hull_of(of_a ? t->b : t->a)->edges) return false;
  const int32_t crossed = rim_edge(g, face, left->nearest_border), *beside = g->edge[crossed].face;
  return try_features(t, t->cache.feature.kind, beside[beside[0] == face], corner) ||
      try_edges_at(t, !of_a, corner, crossed);
}

/* Call if the foot has left an edge at its end, or the normal has passed a face beside an edge. Tries the
 * features at this end or face. */
static bool try_beside_edges(trial *t, const facet *left) {
  const int32_t at[2] = {t->cache.feature.at[0], t->cache.feature.at[1]};
  if (left->nearest_border < 0) return false;
  const sc_edge *e = hull_of(t->a)->edge + at[0], *f = hull_of(t->b)->edge + at[1];
  if (left->passed[0] >= 0 && try_face(t, true, left->passed[0], at[1])) return true;
  if (left->passed[1] >= 0 && try_face(t, false, left->passed[1], at[0])) return true;
  if (left->passed[0] >= 0 || left->passed[1] >= 0 || left->within > 0) return false;
  const bool of_a = left->nearest_border < 2;
  const int32_t corner = of_a ? e->end[left->nearest_border] : f->end[left->nearest_border - 2],
                other = at[of_a];
  return try_faces_of(t, !of_a, other, corner) || try_edges_at(t, of_a, corner, other);
}

bool sc_features_nearest(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, sc_nearest *nearest) {
  facet f, left;
  bool proven = compute_facet(a, b, reach, cache, &f);
  if (!proven && cache->feature.kind > 1) {
    trial t = {a, b, reach, *cache, &f};
    left = f;
    proven = cache->feature.kind == EDGES ? try_beside_edges(&t, &left) : try_beside_face(&t, &left);
    if (proven) *cache = t.cache;
  }
  if (proven) *nearest = f.nearest;
  return proven;
}

/* ---- after a search ---- */

/* Returns the face whose normal is within about 1e-5 rad of the unit vector d, in the hull's axes; -1:
 * none. */
static int32_t face_along(const scree_geometry *g, const double d[3]) {
  int32_t best = -1;
  double max = 1 - 1e-10;
  for (int32_t k = 0; k < g->faces; k++) {
    const double along = sc_dot(g->plane[k], d);
    if (along > max) max = along, best = k;
  }
  return best;
}

/* Returns the highest corner along d (world axes). *found: set to the edge to its highest neighbour. */
static uint16_t edge_along(const sc_convex *c, const double d[3], uint16_t *found) {
  const scree_geometry *g = hull_of(c);
  double local[3], high = -INFINITY;
  sc_mat_tvec(c->R, d, local);
  const int32_t top = sc_hull_highest(g, local, 0);
  for (int32_t k = g->near_first[top]; k < g->near_first[top + 1]; k++) {
    const double height = sc_dot(g->point[g->near[k]], local);
    if (height > high) high = height, *found = (uint16_t)g->near_edge[k];
  }
  return (uint16_t)top;
}

/* Like sc_features_nearest, but does not try adjacent features. */
static bool compute_nearest_from(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, sc_nearest *nearest) {
  facet f;
  if (!compute_facet(a, b, reach, cache, &f)) return false;
  *nearest = f.nearest;
  return true;
}

bool sc_features_find(
    const sc_convex *a, const sc_convex *b, double reach, sc_pair_cache *cache, sc_nearest *nearest) {
  double back[3], local[3];
  sc_scale(-1, nearest->normal, back);
  if (!hull_of(a)->edges || !hull_of(b)->edges) return false;
  const uint16_t corner[2] = {
      edge_along(a, back, cache->feature.at), edge_along(b, nearest->normal, cache->feature.at + 1)};
  cache->feature.kind = EDGES;
  if (compute_nearest_from(a, b, reach, cache, nearest)) return true;
  for (int k = 0; k < 2; k++) {
    const sc_convex *holder = k ? b : a;
    sc_mat_tvec(holder->R, k ? nearest->normal : back, local);
    const int32_t face = face_along(hull_of(holder), local);
    if (face < 0) continue;
    cache->feature.kind = k ? FACE_OF_B : FACE_OF_A;
    cache->feature.at[0] = (uint16_t)face, cache->feature.at[1] = corner[1 - k];
    if (compute_nearest_from(a, b, reach, cache, nearest)) return true;
  }
  *cache = (sc_pair_cache){.axis = {0, 0, 0}};
  return false;
}
