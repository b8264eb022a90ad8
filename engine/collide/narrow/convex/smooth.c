/* Distance or depth of smooth cores by Newton's method alone, without GJK or EPA.
 *
 * Let s(n) = min over a of n.x - max over b of n.x, as in polish.c. s has its largest value at the normal.
 * There the difference w = a - b of the support points is parallel to n. Newton's step in the tangent plane
 * is (K + s E)^-1 P w, with P, K and E of polish.c. Steps that decrease s are halved, so that s increases to
 * a maximum. The first normal is that of ellipsoids with the same axes. It solves (A + B) n = d. d is the
 * vector between the centres. A is R diag(axes^2) R' of core a, and B that of core b.
 *
 * Certificate: if the cores are apart, |w| >= distance >= s(n). So w parallel to n proves the distance, and
 * any s(n) above the reach proves that there is no contact. If the cores overlap, consider balls that roll
 * inside both surfaces. A ball with the sum of their radii then rolls inside the surface of a - b and touches
 * it at the point found. If the depth is less than this radius, the ball about the origin with the depth as
 * radius lies within the rolling ball. No other normal then has less depth. In all other cases the result is
 * false and the general search is used. */
#include "collide/narrow/convex/convex.h"

enum {
  EVALUATIONS = 20, /* largest number of normals tried */
  HALVINGS = 3      /* largest number of halvings of one step */
};
static const double LONGEST = 0.6;        /* longest step of the normal [rad] */
static const double CLOSE = 1e-13;        /* residual at which the iteration stops, relative to the size */
static const double CLOSE_ENOUGH = 1e-10; /* largest residual of an accepted result, relative to the size */

/* A trial normal. */
typedef struct trial {
  double n[3], t[3], o[3]; /* the normal and two unit vectors perpendicular to it */
  double a[3], b[3], w[3]; /* support points, and their difference a - b */
  /* component of w along n [m]; length of the component of w perpendicular to n [m] */
  double s, miss;
  double K[3]; /* sum of the radii of curvature: t.Kt, t.Ko, o.Ko [m] */
} trial;

static bool is_point(const sc_convex *c) { return sc_kind_of(c->shape)->family == SC_FAMILY_SPHERE; }

bool sc_convex_is_smooth(const sc_convex *c) {
  return c->shape &&
      (is_point(c) || (sc_kind_of(c->shape)->smooth && sc_kind_of(c->shape)->smooth(c->shape)));
}

void sc_convex_curve(const sc_convex *c, const double d[3], const double t[3], const double o[3],
    double point[3], double bends[3]) {
  double lt[3], lo[3], Kt[3], Ko[3], K[6];
  sc_mat_tvec(c->R, t, lt), sc_mat_tvec(c->R, o, lo);
  sc_kind_of(c->shape)->curve(c->shape, d, point, K);
  const double full[9] = {K[0], K[1], K[2], K[1], K[3], K[4], K[2], K[4], K[5]};
  sc_mat_vec(full, lt, Kt), sc_mat_vec(full, lo, Ko);
  bends[0] += sc_dot(lt, Kt), bends[1] += sc_dot(lt, Ko), bends[2] += sc_dot(lo, Ko);
}

/* Computes the support point of a core in the direction sign * n. Adds the core's radii of curvature to
 * x->K. */
static void add_support(const sc_convex *c, double sign, trial *x, double point[3]) {
  double d[3], out[3];
  sc_copy3(c->position, point);
  if (is_point(c)) return;
  sc_scale(sign, x->n, out);
  sc_mat_tvec(c->R, out, d);
  sc_convex_curve(c, d, x->t, x->o, out, x->K);
  sc_mat_vec(c->R, out, d);
  sc_add(d, point, point);
}

static void try_normal(const sc_convex *a, const sc_convex *b, const double n[3], trial *x) {
  double across[3];
  sc_copy3(n, x->n);
  sc_frame(n, x->t, x->o);
  sc_set3(0, 0, 0, x->K);
  add_support(a, -1, x, x->a), add_support(b, 1, x, x->b);
  sc_sub(x->a, x->b, x->w);
  x->s = sc_dot(x->w, n);
  sc_axpy(-x->s, n, x->w, across);
  x->miss = sc_norm(across);
}

/* Computes Newton's step [rad] along x->t and x->o. The matrix is shifted to be positive definite. */
static void compute_step(const trial *x, double size, double turn[2]) {
  double tt = (x->K[0] + x->s) / size, to = x->K[1] / size, oo = (x->K[2] + x->s) / size;
  const double half = 0.5 * (tt - oo), min = 0.5 * (tt + oo) - sqrt(half * half + to * to);
  if (!(min > 1e-6)) tt += 0.05 - min, oo += 0.05 - min;
  const double g = sc_dot(x->w, x->t) / size, h = sc_dot(x->w, x->o) / size, inv = 1 / (tt * oo - to * to);
  turn[0] = inv * (oo * g - to * h), turn[1] = inv * (tt * h - to * g);
  const double way = sqrt(turn[0] * turn[0] + turn[1] * turn[1]);
  if (way > LONGEST) turn[0] *= LONGEST / way, turn[1] *= LONGEST / way;
}

/* Adds the matrix R diag(axes^2) R' of a core to A. Elements of A: xx, xy, xz, yy, yz, zz. */
static void add_axes(const sc_convex *c, double A[6]) {
  const double *e = c->shape->extent, *R = c->R;
  for (int i = 0, at = 0; i < 3 && !is_point(c); i++)
    for (int j = i; j < 3; j++, at++)
      for (int k = 0; k < 3; k++) A[at] += e[k] * e[k] * R[3 * i + k] * R[3 * j + k];
}

/* Computes the first normal. Uses the adjugate of A + B, because only the direction matters. */
static bool first_normal(const sc_convex *a, const sc_convex *b, double n[3]) {
  double A[6] = {0}, d[3];
  sc_sub(a->position, b->position, d);
  add_axes(a, A), add_axes(b, A);
  const double xx = A[3] * A[5] - A[4] * A[4], xy = A[2] * A[4] - A[1] * A[5], xz = A[1] * A[4] - A[2] * A[3],
               yy = A[0] * A[5] - A[2] * A[2], yz = A[1] * A[2] - A[0] * A[4], zz = A[0] * A[3] - A[1] * A[1];
  sc_set3(xx * d[0] + xy * d[1] + xz * d[2], xy * d[0] + yy * d[1] + yz * d[2],
      xz * d[0] + yz * d[1] + zz * d[2], n);
  return sc_normalise(n, n) > 0;
}

/* Maximises s by Newton's method. Stops at once if s > far. Returns false if it does not converge. */
static bool maximise_separation(const sc_convex *a, const sc_convex *b, double size, double far, trial *x) {
  trial next;
  double turn[2], n[3];
  int halved = 0;
  compute_step(x, size, turn);
  for (int left = EVALUATIONS; left > 0 && x->miss > CLOSE * size && x->s <= far; left--) {
    for (int k = 0; k < 3; k++) n[k] = x->n[k] + turn[0] * x->t[k] + turn[1] * x->o[k];
    sc_normalise(n, n);
    try_normal(a, b, n, &next);
    if (next.s > x->s || next.miss < 0.5 * x->miss) {
      *x = next, halved = 0;
      compute_step(x, size, turn);
    } else if (++halved <= HALVINGS) {
      turn[0] /= 2, turn[1] /= 2;
    } else {
      break;
    }
  }
  return x->s > far || x->miss <= CLOSE_ENOUGH * size;
}

static double rolling_radius(const sc_convex *c) {
  return is_point(c) ? 0 : sc_kind_of(c->shape)->rolls(c->shape);
}

bool sc_convex_smooth(const sc_convex *a, const sc_convex *b, double far, sc_nearest *out) {
  const double size = a->size + b->size;
  double n[3];
  trial x;
  if (!first_normal(a, b, n)) return false;
  try_normal(a, b, n, &x);
  if (!maximise_separation(a, b, size, far, &x) || (x.s < 0 && -x.s > rolling_radius(a) + rolling_radius(b)))
    return false;
  *out = (sc_nearest){.distance = x.s > far ? INFINITY : x.s};
  sc_copy3(x.n, out->normal), sc_copy3(x.a, out->a), sc_copy3(x.b, out->b);
  return true;
}
