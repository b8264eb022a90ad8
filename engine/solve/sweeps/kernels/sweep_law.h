/* Laws in SIMD lanes, written with the vectors of sweep_kernel.h. Include it after that file. Every lane does
 * the operations of the law's scalar code (law/friction) in the same order, independent of other lanes.
 * Branches become selections, and a loop runs until the last lane is done. */
#include "law/secular.h"

/* Input of a law. */
typedef struct {
  VEC A[6];          /* Delassus block: nn, nt, no, tt, to, oo */
  VEC b[3];          /* right-hand side */
  VEC mu, mu_static; /* friction coefficients */
  VEC x[3];          /* last iterate */
} query;

/* The reduced problem (law/law_parts.h). */
typedef struct {
  VEC inv, at, ao, bn, htt, hto, hoo, gt, go, det, pt, po;
} reduced;

static inline reduced reduce_problem(const VEC A[6], const VEC b[3]) {
  reduced r = {.inv = 1 / A[0], .at = A[1], .ao = A[2], .bn = b[0]};
  VEC st = r.at * r.inv, so = r.ao * r.inv;
  r.htt = A[3] - r.at * st;
  r.hto = A[4] - r.at * so;
  r.hoo = A[5] - r.ao * so;
  r.gt = b[1] - st * r.bn;
  r.go = b[2] - so * r.bn;
  r.det = larger(r.htt * r.hoo - r.hto * r.hto, 1e-32 * A[3] * A[5]);
  r.pt = r.hoo * r.gt - r.hto * r.go;
  r.po = r.htt * r.go - r.hto * r.gt;
  return r;
}

/* Returns the lanes whose contact sticks. */
static inline TRUTH find_sticking_lanes(const reduced *r, VEC mu_static) {
  VEC room = mu_static * r->inv * (r->bn * r->det - r->at * r->pt - r->ao * r->po);
  return at_least(room, splat(0)) & at_least(room * room, r->pt * r->pt + r->po * r->po);
}

/* Computes the impulses x of sticking for all lanes. Returns the lanes whose contact sticks. */
static inline TRUTH compute_stick_impulses(const reduced *r, VEC mu_static, VEC x[3]) {
  VEC inv = 1 / r->det;
  x[1] = r->pt * inv;
  x[2] = r->po * inv;
  x[0] = larger((r->bn - r->at * x[1] - r->ao * x[2]) * r->inv, splat(0));
  return find_sticking_lanes(r, mu_static);
}

/* Coefficients of the secular equation (law/friction/secular.c). */
typedef struct {
  VEC n[3], k[3];
} curve;

/* Returns the positive root d of h + c d - k2 d^2. */
static inline VEC parabola_root(VEC h, VEC c, VEC k2) {
  VEC root = vector_sqrt(c * c + 4 * k2 * h);
  TRUTH rises = above(c, splat(0));
  return pick(rises, c + root, 2 * h) / pick(rises, 2 * k2, root - c);
}

/* Returns a start value of the secular equation's multiplier from the old direction e of sliding. ep, eq: dot
 * products of e with the vectors p and q of the equation. */
static inline VEC secular_start(VEC ep, VEC eq, VEC k0, VEC k1, VEC k2) {
  VEC h = ep + k0, c = eq + k1, l = parabola_root(h, c, k2), none = splat(0);
  TRUTH sound = above(h, none) & above(c * c + 4 * k2 * h, splat(SC_SECULAR_LEAST));
  return pick(sound & above(splat(INFINITY), l), l, none);
}

typedef struct {
  VEC turn, square, norm, h, c;
} curve_look;

static inline curve_look look_at_curve(const curve *f, VEC l) {
  const VEC *n = f->n, *k = f->k, turn = n[1] + l * n[2], square = n[0] + l * (n[1] + turn),
            norm = vector_sqrt(square);
  return (curve_look){
      turn, square, norm, norm + k[0] + l * (k[1] - l * k[2]), turn + norm * (k[1] - 2 * k[2] * l)};
}

static inline VEC secular_series(const curve *f, VEC bow, const curve_look *a, VEC *wide, VEC *left) {
  VEC inv = 1 / (a->c * a->square), inv_c = inv * a->square, inv_square = inv * a->c,
      u = a->h * a->norm * inv_c, by = u * inv_c, bend = bow * inv_square, fall = f->k[2] * a->norm,
      most = size_of(by) * (bend + fall), tau = by * (bend - fall), bent = by * bend,
      turn = u * a->turn * inv_square, spin = u * u * f->n[2] * inv_square;
  *wide = most * most + spin;
  *left = (u * most) * (u * most) * (*wide * *wide) * *wide;
  return -u *
      (1 + tau + (2 * tau * tau + bent * turn) +
          (5 * tau * (tau * tau + bent * turn) + bent * (1.25 * turn * turn - 0.25 * spin)));
}

static __attribute__((noinline)) VEC climb_curve(const curve *f, const curve_look *a, VEC l) {
  VEC flat = vector_sqrt(f->n[2]) + f->k[1] - 2 * f->k[2] * l,
      slope = pick(above(a->norm, splat(0)), a->c / a->norm, flat);
  return parabola_root(a->h, slope, f->k[2]);
}

/* Makes one step of the iteration from *l in the lanes `asked`. Returns the lanes that need more steps. */
static inline TRUTH secular_step(const curve *f, VEC bow, VEC *l, TRUTH asked) {
  const curve_look a = look_at_curve(f, *l);
  VEC wide, left, d = secular_series(f, bow, &a, &wide, &left);
  TRUTH near = above(splat(0), a.c) & at_least(splat(SC_SECULAR_NEAR), wide), far = asked & ~near;
  if (any(far)) {
    d = pick(near, d, climb_curve(f, &a, *l));
    asked &= near | above(a.h, splat(0));
  }
  TRUTH finite = above(splat(INFINITY), d);
  *l = pick(asked, pick(finite, *l + d, splat(INFINITY)), *l);
  return asked & finite & ~(near & at_least(SC_SECULAR_DONE * (*l * *l), left));
}

/* Returns the root of the secular equation in the lanes `asked`, with l as start value. */
static inline VEC secular_root(const curve *f, VEC l, TRUTH asked) {
  enum { MOST = 200 };
  const VEC bow = 0.5 * larger(f->n[0] * f->n[2] - f->n[1] * f->n[1], splat(0));
  for (int i = 0; i < MOST && any(asked); i++) asked = secular_step(f, bow, &l, asked);
  return l;
}

/* ---- Coulomb's law (law/friction/coulomb.c), for tame lanes ---- */

static inline curve curve_of(const reduced *r, VEC m) {
  return (curve){
      {r->pt * r->pt + r->po * r->po, r->pt * r->gt + r->po * r->go, r->gt * r->gt + r->go * r->go},
      {m * (r->at * r->pt + r->ao * r->po - r->bn * r->det),
          m * (r->at * r->gt + r->ao * r->go - r->bn * (r->htt + r->hoo)), m * r->bn}};
}

/* Returns the root in lanes that slide, 0 in other lanes. */
static inline VEC slide_coulomb(const query *q, const reduced *r, TRUTH slides) {
  const curve f = curve_of(r, q->mu * r->inv);
  VEC m = q->mu * q->x[0], s = q->x[1] * q->x[1] + q->x[2] * q->x[2] + m * m, et = 2 * m * q->x[1],
      eo = 2 * m * q->x[2];
  VEC l = secular_start(et * r->pt + eo * r->po, et * r->gt + eo * r->go, s * f.k[0], s * f.k[1], s * f.k[2]);
  return pick(slides, secular_root(&f, l, slides), splat(0));
}

/* Computes the impulses x for the root l of the secular equation. l = 0: the contact sticks. */
static inline void at_root(const reduced *r, VEC mu, VEC l, VEC x[3]) {
  VEC inv = 1 / (r->det + l * (r->htt + r->hoo + l)), none = splat(0);
  x[1] = (r->pt + l * r->gt) * inv;
  x[2] = (r->po + l * r->go) * inv;
  VEC rest = r->bn - r->at * x[1] - r->ao * x[2];
  x[0] = pick(above(rest, none), rest * r->inv, none);
  TRUTH thin = above(l, none) & above(r->bn, SC_ROW_LEFT * rest);
  if (any(thin)) x[0] = pick(thin, vector_sqrt(x[1] * x[1] + x[2] * x[2]) / mu, x[0]);
}

static inline __attribute__((always_inline)) TRUTH solve_coulomb(const query *q, TRUTH tame, VEC x[3]) {
  const reduced r = reduce_problem(q->A, q->b);
  const VEC none = splat(0);
  TRUTH closed = at_least(q->b[0], none), moves = tame & closed & ~find_sticking_lanes(&r, q->mu_static),
        free = moves & equal(q->mu, none), slides = moves & ~free;
  VEC y[3];
  at_root(&r, q->mu, any(slides) ? slide_coulomb(q, &r, slides) : none, y);
  VEC sum = y[0] + y[1] + y[2];
  closed &= equal(sum, sum); /* a lane without a root has an infinite l, so its sum is NaN */
  x[0] = pick(closed, pick(free, r.bn * r.inv, y[0]), none);
  for (int e = 1; e < 3; e++) x[e] = pick(closed & ~free, y[e], none);
  return ~tame;
}
