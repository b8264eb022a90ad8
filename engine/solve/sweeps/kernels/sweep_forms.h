/* More laws that are solved in SIMD lanes, written with sweep_kernel.h and sweep_law.h. Include it after
 * these files. Each function writes the impulses x and returns the lanes that the law's scalar code must
 * solve: rare cases, and lanes that are not tame. A lane is tame if its numbers are far from overflow and
 * underflow (tame_lanes). */

/* ---- decoupled (law/friction/decoupled.c) ---- */

static inline TRUTH solve_decoupled(const query *q, TRUTH tame, VEC x[3]) {
  const VEC *A = q->A, *b = q->b, none = splat(0);
  VEC force = b[0] - A[1] * q->x[1] - A[2] * q->x[2], x_n = force / A[0], g_t = b[1] - A[1] * x_n,
      g_o = b[2] - A[2] * x_n, inv = 1 / (A[3] * A[5] - A[4] * A[4]);
  VEC t = (A[5] * g_t - A[4] * g_o) * inv, o = (A[3] * g_o - A[4] * g_t) * inv, square = t * t + o * o,
      most = q->mu_static * x_n;
  TRUTH slides = ~at_least(most * most, square);
  VEC cut = q->mu * x_n / vector_sqrt(square);
  t = pick(slides, t * cut, t);
  o = pick(slides, o * cut, o);
  VEC sum = x_n + t + o;
  TRUTH closed = above(force, none) & equal(sum, sum);
  x[0] = pick(closed, x_n, none);
  x[1] = pick(closed, t, none);
  x[2] = pick(closed, o, none);
  return ~tame;
}

/* ---- max_dissipation (law/friction/max_dissipation.c), where the cone's section is an ellipse ---- */

/* Computes the tangential impulses y of sliding on an ellipse of eccentricity k. rest: value of 1 - k^2. */
static inline void slide_ellipse(const reduced *r, VEC m, VEC rest, TRUTH slides, VEC y[2]) {
  VEC mt = m * r->at, mo = m * r->ao, side = -m * r->bn / rest, ct = side * mt, co = side * mo,
      rho = m * r->bn / vector_sqrt(rest);
  VEC gt = r->gt - r->htt * ct - r->hto * co, go = r->go - r->hto * ct - r->hoo * co;
  VEC btt = 1 - mt * mt, bto = -mt * mo, boo = 1 - mo * mo;
  VEC pt = r->hoo * gt - r->hto * go, po = r->htt * go - r->hto * gt, qt = boo * gt - bto * go,
      qo = btt * go - bto * gt;
  VEC mixed = r->hoo * btt + r->htt * boo - 2 * r->hto * bto;
  const curve f = {{pt * (btt * pt + 2 * bto * po) + boo * po * po, rest * (gt * pt + go * po),
                       rest * (gt * qt + go * qo)},
      {-rho * r->det, -rho * mixed, rho * rest}};
  VEC l = secular_root(&f, splat(0), slides), inv = 1 / (r->det + l * (mixed + l * rest));
  y[0] = ct + (pt + l * qt) * inv;
  y[1] = co + (po + l * qo) * inv;
}

static inline TRUTH solve_max_dissipation(const query *q, TRUTH tame, VEC x[3]) {
  const VEC none = splat(0);
  const reduced r = reduce_problem(q->A, q->b);
  VEC m = q->mu / q->A[0], rest = 1 - m * m * (r.at * r.at + r.ao * r.ao), y[2];
  TRUTH closed = at_least(q->b[0], none),
        moves = tame & closed & ~compute_stick_impulses(&r, q->mu_static, x),
        free = moves & equal(q->mu, none), round = above(rest, splat(0.01)), still = equal(r.bn, none),
        slides = moves & ~free & round & ~still;
  x[0] = pick(free, r.bn * r.inv, x[0]);
  for (int e = 1; e < 3; e++) x[e] = pick(free, none, x[e]);
  if (any(slides)) {
    slide_ellipse(&r, m, rest, slides, y);
    VEC x_n = vector_sqrt(y[0] * y[0] + y[1] * y[1]) / q->mu;
    x[0] = pick(slides, x_n, x[0]);
    for (int e = 1; e < 3; e++) x[e] = pick(slides, y[e - 1], x[e]);
  }
  VEC sum = x[0] + x[1] + x[2];
  closed &= equal(sum, sum);
  for (int e = 0; e < 3; e++) x[e] = pick(closed, x[e], none);
  return ~tame | (moves & ~free & ~slides);
}

/* ---- cone (law/friction/cone.c), if the Newton iteration ends at the optimum ---- */

/* Trigonometric polynomial c0 + c1 cos a + s1 sin a + c2 cos 2a + s2 sin 2a. */
typedef struct {
  VEC c0, c1, s1, c2, s2;
} circle;

static inline circle stationarity_polynomial(const query *q) {
  VEC an = q->A[0], at = q->A[1], ao = q->A[2], ct = q->A[3], cx = q->A[4], co = q->A[5], bn = q->b[0],
      bt = q->b[1], bo = q->b[2];
  VEC mean = (ct + co) / 2, half = (ct - co) / 2, m2 = q->mu * q->mu;
  VEC sum = at * bo - ao * bt, mixed = at * bo + ao * bt, along = ao * bo - at * bt;
  return (circle){.c0 = q->mu * 1.5 * sum,
      .c2 = q->mu * (0.5 * mixed - bn * cx),
      .s2 = q->mu * (0.5 * along + bn * half),
      .c1 = bo * an - bn * ao + m2 * (bo * (mean + half) - bt * cx),
      .s1 = -bt * an + bn * at + m2 * (-bt * (mean - half) + bo * cx)};
}

static inline void climb_to_stationary_point(const circle *h, TRUTH asked, VEC u[2]) {
  enum { MOST = 16 };
  const VEC most = splat(0.5), none = splat(0);
  for (int i = 0; i < MOST && any(asked); i++) {
    VEC c = u[0], s = u[1], cc = c * c - s * s, ss = 2 * c * s;
    VEC f = h->c0 + h->c1 * c + h->s1 * s + h->c2 * cc + h->s2 * ss,
        slope = h->s1 * c - h->c1 * s + 2 * (h->s2 * cc - h->c2 * ss);
    VEC turn = pick(above(none, slope), -f / slope, pick(above(f, none), most, -most));
    turn = pick(above(turn, most), most, pick(above(-most, turn), -most, turn));
    VEC nc = c - turn * s, ns = s + turn * c, inv = 1 / vector_sqrt(1 + turn * turn);
    u[0] = pick(asked, nc * inv, u[0]);
    u[1] = pick(asked, ns * inv, u[1]);
    asked &= ~above(splat(1e-8), size_of(turn));
  }
}

/* Computes sliding impulses x. Returns the lanes in which they are the optimum. */
static inline TRUTH slide_cone(const query *q, TRUTH slides, VEC x[3]) {
  const VEC *A = q->A, *b = q->b, none = splat(0);
  const circle h = stationarity_polynomial(q);
  VEC u[2] = {b[1] * A[0] - b[0] * A[1], b[2] * A[0] - b[0] * A[2]},
      norm = vector_sqrt(u[0] * u[0] + u[1] * u[1]);
  slides &= above(norm, none);
  for (int e = 0; e < 2; e++) u[e] = u[e] / norm;
  climb_to_stationary_point(&h, slides, u);
  norm = 1 / vector_sqrt(u[0] * u[0] + u[1] * u[1]);
  for (int e = 0; e < 2; e++) u[e] = u[e] * norm;
  VEC wt = q->mu * u[0], wo = q->mu * u[1], force = b[0] + wt * b[1] + wo * b[2],
      cost = A[0] + wt * (2 * A[1] + A[3] * wt + 2 * A[4] * wo) + wo * (2 * A[2] + A[5] * wo),
      s = pick(above(force, none), force / cost, none);
  x[0] = s;
  x[1] = s * wt;
  x[2] = s * wo;
  VEC vt = A[1] * x[0] + A[3] * x[1] + A[4] * x[2] - b[1],
      vo = A[2] * x[0] + A[4] * x[1] + A[5] * x[2] - b[2], against = -(vt * u[0] + vo * u[1]),
      across_it = size_of(vo * u[0] - vt * u[1]);
  return slides & above(x[0], none) & above(against, none) & at_least(1e-11 * against, across_it);
}

static inline TRUTH solve_cone(const query *q, TRUTH tame, VEC x[3]) {
  const VEC *b = q->b, none = splat(0);
  const reduced r = reduce_problem(q->A, q->b);
  VEC y[3];
  TRUTH opens = at_least(none, b[0]) & at_least(b[0] * b[0], q->mu * q->mu * (b[1] * b[1] + b[2] * b[2])),
        sticks = compute_stick_impulses(&r, q->mu_static, x),
        moves = tame & ~opens & ~(sticks & above(x[0], none)), free = moves & equal(q->mu, none),
        slides = moves & ~free, found = slides;
  x[0] = pick(free, r.bn * r.inv, x[0]);
  for (int e = 1; e < 3; e++) x[e] = pick(free, none, x[e]);
  if (any(slides)) {
    found = slide_cone(q, slides, y);
    for (int e = 0; e < 3; e++) x[e] = pick(found, y[e], x[e]);
  }
  VEC sum = x[0] + x[1] + x[2];
  TRUTH closed = ~opens & equal(sum, sum);
  for (int e = 0; e < 3; e++) x[e] = pick(closed, x[e], none);
  return ~tame | (slides & ~found);
}

/* ---- all these laws ---- */

/* Solves the law by its scalar code in those lanes that are true in `lanes`. */
static __attribute__((noinline)) void answer_alone(TRUTH lanes, int form, const query *q, VEC x[3]) {
  for (int l = 0; l < LANES; l++) {
    if (!lane_true(lanes, l)) continue;
    const VEC *A = q->A;
    const double block[9] = {A[0][l], A[1][l], A[2][l], A[1][l], A[3][l], A[4][l], A[2][l], A[4][l], A[5][l]};
    const double right[3] = {q->b[0][l], q->b[1][l], q->b[2][l]};
    const sc_law_lane lane = {(sc_law_form)form, q->mu[l], q->mu_static[l]};
    double own[3] = {q->x[0][l], q->x[1][l], q->x[2][l]};
    sc_law_form_solve(&lane, block, right, own);
    for (int e = 0; e < 3; e++) x[e][l] = own[e];
  }
}

/* Returns the lanes whose numbers are so far from overflow and underflow that vector code is exact to the
 * bit. */
static inline TRUTH tame_lanes(const query *q) {
  VEC big = size_of(q->b[0]) + size_of(q->b[1]) + size_of(q->b[2]), sum = q->A[0] + q->A[3] + q->A[5];
  return above(big, splat(1e-30)) & above(splat(1e30), big) & above(splat(1e20), sum) &
      above(q->A[0], splat(1e-20));
}

/* Computes the impulses x of a law with a circular cone. form: form of the law (sc_law_form). */
static inline __attribute__((always_inline)) void answer_round(int form, const query *q, VEC x[3]) {
  TRUTH tame = tame_lanes(q),
        alone = form == SC_FORM_COULOMB ? solve_coulomb(q, tame, x)
      : form == SC_FORM_CONE            ? solve_cone(q, tame, x)
      : form == SC_FORM_SPLIT           ? solve_decoupled(q, tame, x)
                                        : solve_max_dissipation(q, tame, x);
  if (!any(alone)) return;
  /* a copy, because the compiler keeps an object in memory, not in registers, if its address is used */
  const query again = *q;
  VEC own[3] = {x[0], x[1], x[2]};
  answer_alone(alone, form, &again, own);
  for (int e = 0; e < 3; e++) x[e] = own[e];
}

/* ---- elliptic cones (law/friction/refine.c) ---- */

/* Returns the problem in which the cone is circular: rows t and o are transformed by T. The law's scalar code
 * also scales by powers of two, which changes no bits. */
static inline query round_query(const query *q, const VEC t[4]) {
  const VEC *A = q->A, *b = q->b, *x = q->x;
  VEC tt = A[3] * t[0] + A[4] * t[2], to = A[3] * t[1] + A[4] * t[3], ot = A[4] * t[0] + A[5] * t[2],
      oo = A[4] * t[1] + A[5] * t[3], square = t[1] * t[1] + t[3] * t[3];
  return (query){.A = {A[0], A[1] * t[0] + A[2] * t[2], A[1] * t[1] + A[2] * t[3], tt * t[0] + ot * t[2],
                     to * t[0] + oo * t[2], to * t[1] + oo * t[3]},
      .b = {b[0], b[1] * t[0] + b[2] * t[2], b[1] * t[1] + b[2] * t[3]},
      .mu = q->mu,
      .mu_static = q->mu_static,
      .x = {x[0], t[0] * x[1] + t[2] * x[2], (t[1] * x[1] + t[3] * x[2]) / square}};
}

static __attribute__((noinline)) void answer_elliptic(int form, const query *q, const VEC t[4], VEC x[3]) {
  const query round = round_query(q, t);
  VEC z[3];
  answer_round(form - SC_FORM_ELLIPTIC + 1, &round, z);
  x[0] = z[0];
  x[1] = t[0] * z[1] + t[1] * z[2];
  x[2] = t[2] * z[1] + t[3] * z[2];
}
