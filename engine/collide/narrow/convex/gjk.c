/* Distance of two convex cores by the method of Gilbert, Johnson and Keerthi (1988).
 *
 * The difference a - b is convex. If the origin lies outside, its distance from a - b is the distance of the
 * cores. The algorithm refines a simplex of up to four points of the difference. v is the point of the
 * simplex nearest to the origin. A corner carries v if its weight in v is not 0. Each step adds the support
 * point in direction -v and drops the corners that do not carry the new v. The search ends if the simplex
 * contains the origin. It also ends if the support point cannot decrease v.v by more than rounding or a
 * relative 1e-12. For round shapes the limit is 1e-10, because convergence is slow.
 *
 * For faces that nearly touch, v is a difference of nearly equal numbers, so its direction is inexact. If
 * three corners carry v, the normal is that of their triangle, which stays exact down to contact. For cores
 * nearer than 1e-8 of their size the search reports an overlap, because EPA has no such loss of digits. */
#include "collide/narrow/convex/convex.h"

enum { MAX_STEPS = 96 };
/* smallest relative decrease of v.v for which the search continues */
static const double relative = 1e-12;
static const double relative_round = 1e-10; /* value of `relative` for cores with a curved surface */
static const double rough = 1e-3;           /* value of `relative` for a rough search */
/* cores at a smaller distance count as overlapping, relative to the size */
static const double touching = 1e-8;

/* Returns the weight of q at the point of segment pq nearest to the origin. */
static double nearest_on_segment(const double p[3], const double q[3]) {
  double d[3];
  sc_sub(q, p, d);
  double square = sc_dot(d, d);
  return square > 0 ? sc_clamp(-sc_dot(p, d) / square, 0, 1) : 0;
}

/* Returns the squared distance from the origin of a point given by weights of the corners. */
static double square_at(const sc_corner *corner, const double *weight, int count) {
  double v[3] = {0, 0, 0};
  for (int k = 0; k < count; k++) sc_axpy(weight[k], corner[k].w, v, v);
  return sc_dot(v, v);
}

/* Computes the weights of the point of a triangle nearest to the origin, inside or on an edge. */
static void nearest_on_triangle(const sc_corner corner[3], double weight[3]) {
  double e[3], f[3], n[3], area[3], sum = 0, c[3];
  sc_sub(corner[1].w, corner[0].w, e);
  sc_sub(corner[2].w, corner[0].w, f);
  sc_cross(e, f, n);
  bool inside = sc_dot(n, n) > 0;
  for (int k = 0; k < 3; k++) {
    sc_cross(corner[(k + 1) % 3].w, corner[(k + 2) % 3].w, c);
    area[k] = sc_dot(c, n);
    sum += area[k];
    inside = inside && area[k] > 0;
  }
  if (inside) {
    for (int k = 0; k < 3; k++) weight[k] = area[k] / sum;
    return;
  }
  double best = INFINITY;
  for (int k = 0; k < 3; k++) {
    double trial[3] = {0, 0, 0}, t = nearest_on_segment(corner[k].w, corner[(k + 1) % 3].w);
    trial[k] = 1 - t, trial[(k + 1) % 3] = t;
    double square = square_at(corner, trial, 3);
    if (square < best) best = square, memcpy(weight, trial, sizeof trial);
  }
}

/* Returns six times the signed volume of the tetrahedron of p, q, r and the origin. */
static double origin_volume(const double p[3], const double q[3], const double r[3]) {
  double c[3];
  sc_cross(q, r, c);
  return sc_dot(p, c);
}

/* Returns true if a tetrahedron contains the origin. Else computes the weights of the point nearest to the
 * origin, which lies on a triangle. */
static bool nearest_on_tetrahedron(const sc_corner corner[4], double weight[4]) {
  double part[4], sum = 0;
  static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  for (int k = 0; k < 4; k++) {
    part[k] = origin_volume(corner[face[k][0]].w, corner[face[k][1]].w, corner[face[k][2]].w);
    sum += part[k];
  }
  bool all = sum != 0;
  for (int k = 0; k < 4; k++) all = all && part[k] / sum > 0;
  if (all) {
    for (int k = 0; k < 4; k++) weight[k] = part[k] / sum;
    return true;
  }
  double best = INFINITY;
  for (int k = 0; k < 4; k++) {
    /* a triangle whose inner side faces the origin cannot have the nearest point */
    if (sum != 0 && part[k] / sum > 1e-9) continue;
    sc_corner three[3] = {corner[face[k][0]], corner[face[k][1]], corner[face[k][2]]};
    double w[3], square;
    nearest_on_triangle(three, w);
    square = square_at(three, w, 3);
    if (!(square < best)) continue;
    best = square;
    memset(weight, 0, 4 * sizeof *weight);
    for (int i = 0; i < 3; i++) weight[face[k][i]] = w[i];
  }
  return false;
}

/* Reduces the simplex to the corners that carry the point v nearest to the origin. Returns true, without a
 * reduction, if the simplex contains the origin. */
static bool reduce_simplex(sc_simplex *s, double v[3]) {
  double *w = s->weight;
  if (s->count == 4 && nearest_on_tetrahedron(s->corner, w)) return true;
  if (s->count == 3) nearest_on_triangle(s->corner, w);
  if (s->count == 2) w[1] = nearest_on_segment(s->corner[0].w, s->corner[1].w), w[0] = 1 - w[1];
  if (s->count == 1) w[0] = 1;
  int kept = 0;
  for (int k = 0; k < s->count; k++)
    if (w[k] > 0) s->corner[kept] = s->corner[k], w[kept++] = w[k];
  s->count = kept;
  sc_set3(0, 0, 0, v);
  for (int k = 0; k < kept; k++) sc_axpy(w[k], s->corner[k].w, v, v);
  return false;
}

static bool has_corner(const sc_simplex *s, const double w[3]) {
  for (int k = 0; k < s->count; k++)
    if (s->corner[k].w[0] == w[0] && s->corner[k].w[1] == w[1] && s->corner[k].w[2] == w[2]) return true;
  return false;
}

static void compute_result(const sc_simplex *s, const double v[3], double size, sc_nearest *out) {
  out->distance = sc_normalise(v, out->normal);
  sc_set3(0, 0, 0, out->a);
  sc_set3(0, 0, 0, out->b);
  for (int k = 0; k < s->count; k++) {
    sc_axpy(s->weight[k], s->corner[k].a, out->a, out->a);
    sc_axpy(s->weight[k], s->corner[k].b, out->b, out->b);
  }
  if (s->count != 3 || out->distance > 1e-3 * size) return;
  double e[3], f[3], n[3];
  sc_sub(s->corner[1].w, s->corner[0].w, e);
  sc_sub(s->corner[2].w, s->corner[0].w, f);
  sc_cross(e, f, n);
  if (!(sc_norm(n) > 1e-8 * sc_norm(e) * sc_norm(f))) return;
  sc_normalise(n, n);
  double along = sc_dot(n, out->normal);
  /* rounding turns v by about 1e-15 size / |v|; if the triangle's normal differs by much more, the search did
   * not end on this triangle */
  if (fabs(along) > 0.5) sc_scale(along < 0 ? -1 : 1, n, out->normal);
}

bool sc_gjk(
    const sc_convex *a, const sc_convex *b, double far, bool roughly, sc_simplex *s, sc_nearest *out) {
  double v[3], size = a->size + b->size, before = INFINITY;
  double share = roughly                               ? rough
      : sc_convex_is_round(a) || sc_convex_is_round(b) ? relative_round
                                                       : relative,
         slack = (roughly ? 1e-4 : 2e-15) * size;
  sc_sub(a->position, b->position, v);
  if (!(sc_norm(v) > 0)) sc_set3(1, 0, 0, v);
  s->count = 1, s->weight[0] = 1;
  double first[3] = {-v[0], -v[1], -v[2]};
  sc_convex_corner(a, b, first, s->corner);
  sc_copy3(s->corner[0].w, v);
  for (int step = 0; step < MAX_STEPS; step++) {
    double square = sc_dot(v, v), length = sqrt(square);
    if (length <= touching * size) return false;
    if (!(square < before)) break;
    before = square;
    double back[3] = {-v[0], -v[1], -v[2]};
    sc_corner next;
    sc_convex_corner(a, b, back, &next);
    /* the plane perpendicular to v through the support point bounds a - b; if the plane is further than `far`
     * from the origin, the cores are further than `far` apart */
    double along = sc_dot(v, next.w);
    if (along > 0 && along > far * length) {
      out->distance = INFINITY;
      sc_scale(1 / length, v, out->normal);
      return true;
    }
    if (square - along <= share * square + slack * length && (along > 0 || !roughly)) break;
    if (has_corner(s, next.w)) break;
    sc_simplex trial = *s;
    double nearer[3];
    trial.corner[trial.count++] = next;
    if (reduce_simplex(&trial, nearer)) {
      *s = trial;
      return false;
    }
    /* no decrease because of rounding */
    if (!(sc_dot(nearer, nearer) < square)) break;
    *s = trial;
    sc_copy3(nearer, v);
  }
  compute_result(s, v, size, out);
  return true;
}
