/* Laws with a form, over the vectors of sweep_kernel.h, behind which this is included. Every lane does
 * the operations of the law's own code (law/friction) in the same order, whatever its neighbours need:
 * branches become choices, and a loop goes on until the last lane has its answer. */

/* What a law is asked: block (nn, nt, no, tt, to, oo), right-hand side, coefficients, last iterate. */
typedef struct {
  VEC A[6], b[3], mu, mu_static, x[3];
} query;

static inline VEC size_of(VEC a) { return pick(above(splat(0), a), -a, a); }

/* The reduced problem (law/law_parts.h). */
typedef struct {
  VEC inv, at, ao, bn, htt, hto, hoo, gt, go, det, pt, po;
} reduced;

static inline reduced reduce(const VEC A[6], const VEC b[3]) {
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

/* Sticking impulses, and where they are the answer. */
static inline TRUTH stick(const reduced *r, VEC mu_static, VEC x[3]) {
  VEC room = mu_static * r->inv * (r->bn * r->det - r->at * r->pt - r->ao * r->po), inv = 1 / r->det;
  x[1] = r->pt * inv;
  x[2] = r->po * inv;
  x[0] = larger((r->bn - r->at * x[1] - r->ao * x[2]) * r->inv, splat(0));
  return at_least(room, splat(0)) & at_least(room * room, r->pt * r->pt + r->po * r->po);
}

/* The secular equation (law/friction/secular.c) with N(l) = |p + l q|, in the lanes that are asked for. */
typedef struct {
  VEC n[3], k[3];
} curve;

/* A start by the direction of the old p. */
static inline VEC secular_start(const VEC p[2], const VEC q[2], const VEC k[3], const VEC old[2]) {
  VEC square = old[0] * old[0] + old[1] * old[1], none = splat(0),
      inv = pick(above(square, none), 1 / vector_sqrt(square), none), et = old[0] * inv, eo = old[1] * inv;
  VEC h = et * p[0] + eo * p[1] + k[0], c = et * q[0] + eo * q[1] + k[1],
      root = vector_sqrt(c * c + 4 * k[2] * h);
  TRUTH rises = above(c, none);
  VEC l = pick(rises, c + root, 2 * h) / pick(rises, 2 * k[2], root - c);
  return pick(above(h, none) & above(splat(INFINITY), l), l, none);
}

/* One step from *l; the lanes that are to go on. */
static inline TRUTH secular_step(const curve *f, VEC cross_square, VEC *l, TRUTH asked) {
  const VEC *n = f->n, *k = f->k;
  VEC square = n[0] + *l * (2 * n[1] + n[2] * *l), inv = 1 / square, norm = vector_sqrt(square);
  VEC slope = (n[1] + n[2] * *l) * inv * norm;
  TRUTH still = asked & ~above(norm, splat(0));
  if (any(still)) slope = pick(still, vector_sqrt(n[2]), slope);
  VEC h = norm + k[0] + *l * (k[1] - k[2] * *l), c = slope + k[1] - 2 * k[2] * *l;
  asked &= above(h, splat(0));
  VEC d = -h * c / (c * c + k[2] * h);
  TRUTH rises = asked & ~above(splat(0), c);
  if (any(rises)) d = pick(rises, (c + vector_sqrt(c * c + 4 * k[2] * h)) / (2 * k[2]), d);
  TRUTH finite = above(splat(INFINITY), d);
  *l = pick(asked, pick(finite, *l + d, splat(INFINITY)), *l);
  return asked & finite & above(d, 1e-16 * *l) &
      ~at_least(2e-17 * *l * norm * -c, d * d * (cross_square * inv + 2 * k[2] * norm));
}

static inline VEC secular(const curve *f, VEC l, TRUTH asked) {
  enum { MOST = 200 };
  const VEC cross_square = f->n[0] * f->n[2] - f->n[1] * f->n[1];
  for (int i = 0; i < MOST && any(asked); i++) asked = secular_step(f, cross_square, &l, asked);
  return l;
}

/* ---- Coulomb's law (law/friction/coulomb.c) where numbers are tame ---- */

static inline curve curve_of(const reduced *r, VEC m) {
  return (curve){
      {r->pt * r->pt + r->po * r->po, r->pt * r->gt + r->po * r->go, r->gt * r->gt + r->go * r->go},
      {m * (r->at * r->pt + r->ao * r->po - r->bn * r->det),
          m * (r->at * r->gt + r->ao * r->go - r->bn * (r->htt + r->hoo)), m * r->bn}};
}

/* Sliding impulses for the root l. */
static inline void at_root(const reduced *r, VEC mu, VEC l, VEC x[3]) {
  VEC inv = 1 / (r->det + l * (r->htt + r->hoo + l));
  x[1] = (r->pt + l * r->gt) * inv;
  x[2] = (r->po + l * r->go) * inv;
  x[0] = vector_sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
}

static inline void slide_coulomb(const query *q, const reduced *r, TRUTH slides, VEC x[3]) {
  const curve f = curve_of(r, q->mu * r->inv);
  const VEC p[2] = {r->pt, r->po}, g[2] = {r->gt, r->go};
  VEC l = secular(&f, secular_start(p, g, f.k, q->x + 1), slides), y[3];
  at_root(r, q->mu, l, y);
  /* no root: no impulse */
  TRUTH none = slides & equal(l, splat(INFINITY));
  for (int e = 0; e < 3; e++) x[e] = pick(none, splat(0), pick(slides, y[e], x[e]));
}

static inline __attribute__((always_inline)) TRUTH coulomb(const query *q, TRUTH tame, VEC x[3]) {
  const reduced r = reduce(q->A, q->b);
  TRUTH closed = at_least(q->b[0], splat(0)), moves = tame & closed & ~stick(&r, q->mu_static, x),
        free = moves & equal(q->mu, splat(0)), slides = moves & ~free;
  x[0] = pick(free, r.bn * r.inv, x[0]);
  x[1] = pick(free, splat(0), x[1]);
  x[2] = pick(free, splat(0), x[2]);
  if (any(slides)) slide_coulomb(q, &r, slides, x);
  VEC sum = x[0] + x[1] + x[2];
  closed &= equal(sum, sum);
  for (int e = 0; e < 3; e++) x[e] = pick(closed, x[e], splat(0));
  return ~tame;
}
