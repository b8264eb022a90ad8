/* Hull against hull: nearest features that prove themselves.
 *
 * The difference D of two hulls is bounded by facets: a face of one with a corner of the other, or two
 * edges. Where the origin's foot F on the plane of such a facet lies inside it by w, the facet is what the
 * search for distance or depth ends at:
 *   - outside of D the foot is the nearest point, since D lies behind the plane;
 *   - inside, at depth h, a facet whose normal is turned by t has the disc of radius w about F behind it, so
 *     it is at least h cos t + w sin t away: more than h for tan(t/2) < w/h. Facets that look the other way
 *     lie beyond the difference of the middles of mass, which is in D.
 * So the features of the step before, or others beside them, need no search while they prove themselves.
 * Everywhere else, and without memory, the search finds the features; either way distance and normal come
 * from them in the same way.
 *
 * The search knows the depth to 1e-10 of the sizes s. By the above a normal that is turned by t tells a depth
 * that is larger by w t/2, so the search's is turned by 2e-10 s/w at most, and mistakes heights of corners
 * along it by 4e-10 s^2/w. Features are taken where all other corners are lower by ten times that: what is
 * proven the search finds, and results do not depend on what is remembered. */
#include "collide/narrow/convex/convex.h"

/* Kinds of hints above 1, and what lies at[]: face and corner; edges of a and b. */
static const float FACE_OF_A = 2, FACE_OF_B = 3, EDGES = 4;
/* Of the sizes: how far inside feet lie; and w times how much lower other corners are. */
static const double inside = 1e-3, lower = 4e-9;
static const double least_sine = 0.03; /* between edges */
static const double deepest = 0.1;     /* h/w */
static const double flat = 1e-10;      /* square of the sine between faces beside an edge */

typedef struct facet {
  sc_nearest nearest;
  double within; /* how far inside the foot lies */
  /* of the face's rims, or of the ends of both edges, the one that it is least inside of; and the face beside
   * each edge that the normal has passed, -1: none */
  int32_t least, passed[2];
} facet;

static const scree_geometry *hull_of(const sc_convex *c) { return c->shape->geometry; }
static double size_of(const sc_convex *a, const sc_convex *b) { return a->size + b->size; }

/* How much lower other corners must be. */
static double drop_for(double size, double within) { return lower * size * size / within; }

/* How far inside a face a point of its plane is, own axes; rim: of which it is least inside. */
static double within_face(const scree_geometry *g, int32_t face, const double foot[3], int32_t *rim) {
  double least = INFINITY;
  for (int32_t k = g->first[face]; k < g->first[face + 1]; k++) {
    const double in = sc_dot(g->rim[k], foot) - g->rim[k][3];
    if (in < least) least = in, *rim = k;
  }
  return least;
}

/* A corner of `other` over a face of `holder`, which is looked for from *corner on. */
static bool over_face(
    const sc_convex *holder, const sc_convex *other, int32_t face, uint16_t *corner, facet *out) {
  const scree_geometry *g = hull_of(holder), *h = hull_of(other);
  const double size = size_of(holder, other);
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
  out->within = within_face(g, face, foot, &out->least);
  out->nearest.distance = height;
  sc_copy3(n, out->nearest.normal);
  sc_copy3(point, out->nearest.a);
  sc_axpy(-height, n, point, out->nearest.b);
  const double drop = drop_for(size, out->within);
  return out->within >= inside * size && g->lift[face] >= drop && fall >= drop;
}

/* The same with a as the holder: the normal leads from b to a. */
static void turn_round(sc_nearest *nearest) {
  double point[3];
  sc_copy3(nearest->a, point);
  sc_copy3(nearest->b, nearest->a);
  sc_copy3(point, nearest->b);
  sc_scale(-1, nearest->normal, nearest->normal);
}

/* An edge in the world. */
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

/* An edge is all that supports a direction d across it, world axes, where d is a sum of the normals beside
 * the edge, d = x m + y n: a corner that is lower along m by p and along n by q is so along d by x p + y q,
 * and p or q is no less than the edge's lift there. -1 then, else the face that d is near or beyond. */
static int32_t passed_face(const sc_convex *c, const edge *e, const double d[3], double drop) {
  const scree_geometry *g = hull_of(c);
  const sc_edge *own = e->own;
  const double cosine = own->cosine, square = 1 - cosine * cosine;
  double local[3];
  sc_mat_tvec(c->R, d, local);
  const double m = sc_dot(g->plane[own->face[0]], local), n = sc_dot(g->plane[own->face[1]], local),
               least = drop * square;
  if (!(square > flat && (n - cosine * m) * own->lift[1] >= least)) return own->face[0];
  return (m - cosine * n) * own->lift[0] >= least ? -1 : own->face[1];
}

/* Crossing edges of both. */
static bool across_edges(const sc_convex *a, const sc_convex *b, const uint16_t at[2], facet *out) {
  const double size = size_of(a, b);
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
  out->least = along[0] < along[1] ? s > 0.5 : 2 + (t > 0.5);
  out->within = sqrt(sines) * fmin(along[0], along[1]);
  out->nearest.distance = sc_dot(d, n);
  sc_copy3(n, out->nearest.normal);
  sc_axpy(s, e.way, e.start, out->nearest.a);
  sc_axpy(t, f.way, f.start, out->nearest.b);
  const double drop = drop_for(size, out->within);
  if (!(out->within >= inside * size)) return false;
  out->passed[0] = passed_face(a, &e, back, drop), out->passed[1] = passed_face(b, &f, n, drop);
  return out->passed[0] < 0 && out->passed[1] < 0;
}

static void between_middles(const sc_convex *a, const sc_convex *b, double out[3]) {
  double p[3], q[3];
  sc_convex_middle(a, p);
  sc_convex_middle(b, q);
  sc_sub(p, q, out);
}

/* Whether a facet that holds its foot is what a search would end at. Where it lies at the very reach the
 * search has the last word. */
static bool is_proven(const sc_convex *a, const sc_convex *b, double reach, const facet *f) {
  const double depth = -f->nearest.distance, size = size_of(a, b);
  if (fabs(depth + reach) < 1e-9 * (reach + size)) return false;
  if (depth <= 0) return true;
  double d[3];
  between_middles(a, b, d);
  const double high = sc_dot(d, f->nearest.normal);
  return depth <= deepest * f->within && high > 0.5 * sc_norm(d) && high > 4 * depth && high > 0.01 * size;
}

/* By the features of a hint; false where these do not prove themselves. */
static bool by_features(const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, facet *f) {
  const float kind = hint->feature.kind;
  uint16_t *at = hint->feature.at;
  f->within = 0, f->least = f->passed[0] = f->passed[1] = -1;
  const bool held = kind == FACE_OF_A ? over_face(a, b, at[0], at + 1, f)
      : kind == FACE_OF_B             ? over_face(b, a, at[0], at + 1, f)
      : kind == EDGES                 ? across_edges(a, b, at, f)
                                      : false;
  if (!held) return false;
  if (kind == FACE_OF_A) turn_round(&f->nearest);
  return is_proven(a, b, reach, f);
}

/* ---- features beside those that are known ----
 * As hulls move on, a foot leaves its face or edge, or the normal of two edges passes a face beside one. */

/* Features that are tried in the place of others. */
typedef struct trial {
  const sc_convex *a, *b;
  double reach;
  sc_hint hint;
  facet *found;
} trial;

static bool try_features(trial *t, float kind, int32_t first, int32_t second) {
  t->hint.feature.kind = kind;
  t->hint.feature.at[0] = (uint16_t)first, t->hint.feature.at[1] = (uint16_t)second;
  return by_features(t->a, t->b, t->reach, &t->hint, t->found);
}

/* The edges at a corner of a, or of b, with an edge of the other. */
static bool try_edges_at(trial *t, bool of_a, int32_t corner, int32_t other) {
  const scree_geometry *g = hull_of(of_a ? t->a : t->b);
  for (int32_t k = g->near_first[corner]; k < g->near_first[corner + 1]; k++)
    if (try_features(t, EDGES, of_a ? g->near_edge[k] : other, of_a ? other : g->near_edge[k])) return true;
  return false;
}

/* The edge behind a corner of a face. */
static int32_t rim_edge(const scree_geometry *g, int32_t face, int32_t rim) {
  const int32_t p = g->corner[rim], q = g->corner[rim + 1 < g->first[face + 1] ? rim + 1 : g->first[face]];
  int32_t k = g->near_first[p];
  while (g->near[k] != q) k++;
  return g->near_edge[k];
}

/* A face of a, or of b, and its edges with an edge of the other. */
static bool try_face(trial *t, bool of_a, int32_t face, int32_t other) {
  const scree_geometry *g = hull_of(of_a ? t->a : t->b), *h = hull_of(of_a ? t->b : t->a);
  if (try_features(t, of_a ? FACE_OF_A : FACE_OF_B, face, h->edge[other].end[0])) return true;
  for (int32_t k = g->first[face]; k < g->first[face + 1]; k++) {
    const int32_t mine = rim_edge(g, face, k);
    if (try_features(t, EDGES, of_a ? mine : other, of_a ? other : mine)) return true;
  }
  return false;
}

/* The faces beside an edge of a, or of b, with the other's corners from `corner` on. */
static bool try_faces_of(trial *t, bool of_a, int32_t at, int32_t corner) {
  const int32_t *face = hull_of(of_a ? t->a : t->b)->edge[at].face;
  const float kind = of_a ? FACE_OF_A : FACE_OF_B;
  return try_features(t, kind, face[0], corner) || try_features(t, kind, face[1], corner);
}

/* A foot has left a face: the face beside it, and the edge between them with those at the corner. */
static bool try_beside_face(trial *t, const facet *left) {
  const bool of_a = t->hint.feature.kind == FACE_OF_A;
  const scree_geometry *g = hull_of(of_a ? t->a : t->b);
  const int32_t face = t->hint.feature.at[0], corner = t->hint.feature.at[1];
  if (left->least < 0 || !g->edges || !hull_of(of_a ? t->b : t->a)->edges) return false;
  const int32_t crossed = rim_edge(g, face, left->least), *beside = g->edge[crossed].face;
  return try_features(t, t->hint.feature.kind, beside[beside[0] == face], corner) ||
      try_edges_at(t, !of_a, corner, crossed);
}

/* A foot has left an edge by its end, or the normal has passed a face. */
static bool try_beside_edges(trial *t, const facet *left) {
  const int32_t at[2] = {t->hint.feature.at[0], t->hint.feature.at[1]};
  if (left->least < 0) return false;
  const sc_edge *e = hull_of(t->a)->edge + at[0], *f = hull_of(t->b)->edge + at[1];
  if (left->passed[0] >= 0 && try_face(t, true, left->passed[0], at[1])) return true;
  if (left->passed[1] >= 0 && try_face(t, false, left->passed[1], at[0])) return true;
  if (left->passed[0] >= 0 || left->passed[1] >= 0 || left->within > 0) return false;
  const bool of_a = left->least < 2;
  const int32_t corner = of_a ? e->end[left->least] : f->end[left->least - 2], other = at[of_a];
  return try_faces_of(t, !of_a, other, corner) || try_edges_at(t, of_a, corner, other);
}

bool sc_features_nearest(
    const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, sc_nearest *nearest) {
  facet f, left;
  bool proven = by_features(a, b, reach, hint, &f);
  if (!proven && hint->feature.kind > 1) {
    trial t = {a, b, reach, *hint, &f};
    left = f;
    proven = hint->feature.kind == EDGES ? try_beside_edges(&t, &left) : try_beside_face(&t, &left);
    if (proven) *hint = t.hint;
  }
  if (proven) *nearest = f.nearest;
  return proven;
}

/* ---- after a search ---- */

/* The face that looks along d, unit vector in own axes; -1: none does to 1e-5. */
static int32_t face_along(const scree_geometry *g, const double d[3]) {
  int32_t best = -1;
  double most = 1 - 1e-10;
  for (int32_t k = 0; k < g->faces; k++) {
    const double along = sc_dot(g->plane[k], d);
    if (along > most) most = along, best = k;
  }
  return best;
}

/* The highest corner along d, world axes, and the edge to the highest of its neighbours. */
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

/* The same as sc_features_nearest by these features alone. */
static bool find_by(
    const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, sc_nearest *nearest) {
  facet f;
  if (!by_features(a, b, reach, hint, &f)) return false;
  *nearest = f.nearest;
  return true;
}

bool sc_features_find(
    const sc_convex *a, const sc_convex *b, double reach, sc_hint *hint, sc_nearest *nearest) {
  double back[3], local[3];
  sc_scale(-1, nearest->normal, back);
  if (!hull_of(a)->edges || !hull_of(b)->edges) return false;
  const uint16_t corner[2] = {
      edge_along(a, back, hint->feature.at), edge_along(b, nearest->normal, hint->feature.at + 1)};
  hint->feature.kind = EDGES;
  if (find_by(a, b, reach, hint, nearest)) return true;
  for (int k = 0; k < 2; k++) {
    const sc_convex *holder = k ? b : a;
    sc_mat_tvec(holder->R, k ? nearest->normal : back, local);
    const int32_t face = face_along(hull_of(holder), local);
    if (face < 0) continue;
    hint->feature.kind = k ? FACE_OF_B : FACE_OF_A;
    hint->feature.at[0] = (uint16_t)face, hint->feature.at[1] = corner[1 - k];
    if (find_by(a, b, reach, hint, nearest)) return true;
  }
  *hint = (sc_hint){.axis = {0, 0, 0}};
  return false;
}
