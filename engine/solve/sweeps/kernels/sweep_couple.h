/* Sweep over bundles of balls with moments, written with the vectors of sweep_kernel.h. Include it after that
 * file. The law is solved as in problem/operator/couple.c. A contact has the normal impulse x_n, the
 * tangential impulse p_t, and the moment m. The vector t = n x m describes the part of m perpendicular
 * to n. x_n and the moment about n are solved first, each alone. If p_t sticks, p_t and t are then solved
 * together. If p_t slides, one Gauss-Seidel step from the last iterate updates p_t and then t, and cuts each
 * back to its bound. The only fixed point of such steps is the law's solution. A branch is skipped if no lane
 * of a vector needs it. This changes no lane, so all widths have the same bits. */

/* Tangential part of a vector of contacts: coupled law of the tangential impulse p_t and of n x moment. */
typedef struct {
  VEC t, r, c;               /* Delassus entries of p_t and of n x moment, and their coupling */
  VEC inv_t, inv_r, inv_det; /* reciprocals of the members t and r, and of t r - c^2 */
  VEC p[3], m[3];            /* last iterate: tangential impulse p_t; vector n x moment (t of the head) */
  /* tangential velocity u_t, and n x w with the relative spin w, at the old impulses */
  VEC u[3], w[3];
  VEC most_p, most_m; /* upper bounds of |p| and |m| */
} across;

static inline bool all_lanes(MASK mask) { return !any_bit(~mask); }

/* Shortens x to length `most` if x is longer. */
static inline void shorten_to(VEC most, VEC x[3]) {
  VEC square = dot(x, x);
  MASK within = (MASK)(square <= most * most);
  if (all_lanes(within)) return;
  VEC factor = choose(within, splat(1), most / vector_sqrt(square));
  for (int k = 0; k < 3; k++) x[k] = factor * x[k];
}

/* Computes the new p and m (members of `across`) within the bounds most_p and most_m. */
static inline void slide_and_roll(const across *s, VEC p[3], VEC m[3]) {
  VEC q[3], o[3];
  for (int k = 0; k < 3; k++) m[k] = s->m[k] - (s->t * s->w[k] - s->c * s->u[k]) * s->inv_det;
  shorten_to(s->most_m, m);
  for (int k = 0; k < 3; k++) p[k] = s->p[k] - (s->u[k] + s->c * (m[k] - s->m[k])) * s->inv_t;
  MASK sticks = (MASK)(dot(p, p) <= s->most_p * s->most_p);
  if (all_lanes(sticks)) return;
  for (int k = 0; k < 3; k++) q[k] = s->p[k] - s->u[k] * s->inv_t;
  shorten_to(s->most_p, q);
  for (int k = 0; k < 3; k++) o[k] = s->m[k] - (s->w[k] + s->c * (q[k] - s->p[k])) * s->inv_r;
  shorten_to(s->most_m, o);
  for (int k = 0; k < 3; k++) {
    p[k] = choose(sticks, p[k], q[k]);
    m[k] = choose(sticks, m[k], o[k]);
  }
}

/* Solves the law for one vector of contacts. u, w: relative velocity and spin. p, m: impulse and moment of
 * the last iterate. x, y: set to the new impulse and moment. */
static inline void answer_couple(const VEC n[3], const VEC p[3], const VEC m[3], const VEC u[3],
    const VEC w[3], VEC bias, VEC mu, VEC torsion, VEC rolling, VEC a_n, across *s, VEC x[3], VEC y[3]) {
  VEC u_n = dot(u, n), p_n = dot(p, n), m_n = dot(m, n), x_n = p_n - (u_n + bias) / a_n, most = torsion * x_n,
      t[3], roll[3];
  for (int k = 0; k < 3; k++) {
    s->p[k] = p[k] - p_n * n[k];
    s->u[k] = u[k] - u_n * n[k];
  }
  cross(n, m, s->m);
  cross(n, w, s->w);
  s->inv_t = 1.0 / s->t;
  s->inv_r = 1.0 / s->r;
  s->inv_det = 1.0 / (s->t * s->r - s->c * s->c);
  MASK closed = (MASK)(x_n > 0);
  /* lanes of open contacts need no bound, because their impulses are 0 */
  s->most_p = choose(closed, mu * x_n, splat(INFINITY));
  s->most_m = choose(closed, rolling * x_n, splat(INFINITY));
  slide_and_roll(s, x, t);
  VEC twist = m_n - dot(w, n) * s->inv_r;
  twist = choose((MASK)(twist > most), most, choose((MASK)(twist < -most), -most, twist));
  cross(t, n, roll);
  for (int k = 0; k < 3; k++) {
    x[k] = choose(closed, x_n * n[k] + x[k], splat(0));
    y[k] = choose(closed, twist * n[k] + roll[k], splat(0));
  }
}

/* Relaxes one vector of contacts in place. Returns the squared velocity changes. */
static inline VEC relax_couple(columns *a, columns *b, const VEC n[3], VEC p[3], VEC m[3], VEC bias, VEC mu,
    VEC torsion, VEC rolling, VEC ratio, sc_bundle_spring *spring, int l, double omega) {
  VEC turn[3], u[3], w[3], x[3], y[3], d[3], e[3], a_n = a->inv_mass + b->inv_mass;
  across s;
  meeting_velocity(a, b, n, u);
  for (int k = 0; k < 3; k++) w[k] = a->q[k] - ratio * b->q[k];
  s.t = (a_n + a->k) + b->k;
  if (spring) add_springs(spring, l, n, p, u, &bias, &a_n, &s.t);
  s.r = a->k + ratio * ratio * b->k;
  s.r = choose((MASK)(s.r > 0), s.r, splat(1)); /* 1 in empty lanes avoids a division by 0 */
  s.c = a->k - ratio * b->k;
  answer_couple(n, p, m, u, w, bias, mu, torsion, rolling, a_n, &s, x, y);
  relax_towards(x, omega, p, d);
  relax_towards(y, omega, m, e);
  cross(d, n, turn);
  for (int k = 0; k < 3; k++) {
    a->v[k] += a->inv_mass * d[k];
    b->v[k] -= b->inv_mass * d[k];
    a->q[k] += a->k * (turn[k] + e[k]);
    b->q[k] += b->k * (turn[k] - ratio * e[k]);
  }
  return (s.t * s.t) * dot(d, d) + (s.r * s.r) * dot(e, e);
}

/* Relaxes lanes l .. l + LANES - 1 of a bundle. Returns the squared velocity changes. */
static inline VEC sweep_vector(const sc_sweep_in *in, int32_t at, int l) {
  const sc_bundles *bundles = in->bundles;
  sc_solver_body *body = in->body, *sink = in->sink;
  sc_bundle *s = bundles->bundle + at;
  sc_bundle_couple *r = bundles->couple + at;
  sc_solver_body *to_i[LANES], *to_j[LANES];
  columns a, b;
  VEC n[3], p[3], m[3];
  take_bodies(s, l, body, sink, &a, &b, to_i, to_j);
  load3(s->n, l, n);
  load3(s->p, l, p);
  load3(r->m, l, m);
  if (bundles->past) extrapolate_by_momentum(p, bundles->past + at, l, in->beta);
  if (bundles->couple_past) extrapolate_by_momentum(m, bundles->couple_past + at, l, in->beta);
  VEC bias = larger(load1(s->bias + l), splat(bundles->least)),
      mu = load1(bundles->mu[at * bundles->mu_step] + l);
  VEC square = relax_couple(&a, &b, n, p, m, bias, mu, load1(r->torsion + l), load1(r->rolling + l),
      load1(r->ratio + l), bundles->spring ? bundles->spring + at : NULL, l, in->omega);
  store3(p, l, s->p);
  store3(m, l, r->m);
  store_bodies((const VEC *)&a, to_i);
  store_bodies((const VEC *)&b, to_j);
  return square;
}

SC_FETCH fetch_couple(const sc_bundle_couple *s) {
  for (size_t at = 0; at < sizeof *s; at += LINE) __builtin_prefetch((const char *)s + at, 1);
}

static double sweep_couple(const sc_sweep_in *in) {
  const sc_bundles *bundles = in->bundles;
  VEC largest = splat(0);
  for (int32_t at = in->first; at < in->end; at++) {
    if (at + BUNDLES_AHEAD < in->last) {
      fetch_bundle(bundles->bundle + at + BUNDLES_AHEAD);
      fetch_couple(bundles->couple + at + BUNDLES_AHEAD);
    }
    if (at + BODIES_AHEAD < in->last) fetch_bodies(bundles->bundle + at + BODIES_AHEAD, in->body);
    for (int l = 0; l < SC_LANES; l += LANES) largest = larger(sweep_vector(in, at, l), largest);
  }
  return largest_of(largest);
}
