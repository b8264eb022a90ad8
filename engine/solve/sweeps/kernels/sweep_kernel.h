/* Sweep over bundles of balls, written once for all vector widths. The including file defines:
 *   VEC, MASK      vector of LANES doubles, and of as many 64-bit integers
 *   LANES          lanes per vector; divides SC_LANES
 *   vector_sqrt(v)
 *   load_bodies(body, index, column)   column[k] = member k of LANES bodies (sc_solver_body as 8
 *                                      doubles)
 *   store_bodies(column, target)       stores columns to LANES addresses
 * Every lane does the operations of the scalar version in the same order, so all widths have the same bits.
 *
 * For each contact (docs/theory/laws.md, the closed form for balls):
 *   u = v_i - v_j - (q_i + q_j) x n,   a_n = 1/m_i + 1/m_j,   a_t = a_n + k_i + k_j
 *   x_n = p.n - (u.n + bias)/a_n,      x_t = p - (p.n) n - (u - (u.n) n)/a_t,   |x_t| cut back to mu
 *                                      x_n;   0 where x_n <= 0
 * With springs (sc_contact_spring) u, a_n and a_t contain the contributions of the springs. */

/* Solves the law for one vector of contacts. u: relative velocity. out: new impulse. */
static inline void solve_ball_law(
    const VEC n[3], const VEC p[3], const VEC u[3], VEC bias, VEC mu, VEC a_n, VEC a_t, VEC out[3]) {
  VEC u_n = dot(u, n), p_n = dot(p, n), x_n = p_n - (u_n + bias) / a_n, inv_t = 1.0 / a_t, x_t[3];
  for (int k = 0; k < 3; k++) x_t[k] = (p[k] - p_n * n[k]) - (u[k] - u_n * n[k]) * inv_t;
  VEC square = dot(x_t, x_t), most = mu * x_n;
  VEC cut = choose((MASK)(square > most * most), most / vector_sqrt(square), splat(1));
  MASK closed = (MASK)(x_n > 0);
  for (int k = 0; k < 3; k++) out[k] = choose(closed, x_n * n[k] + cut * x_t[k], splat(0));
}

/* Relaxes p towards x by the factor omega. d: change of p. */
static inline void relax_towards(const VEC x[3], double omega, VEC p[3], VEC d[3]) {
  for (int k = 0; k < 3; k++) {
    d[k] = x[k] - p[k];
    if (omega == 1) {
      p[k] = x[k];
    } else {
      d[k] = omega * d[k];
      p[k] = p[k] + d[k];
    }
  }
}

/* Computes the relative velocity u at the contacts, world axes. */
static inline void meeting_velocity(const columns *a, const columns *b, const VEC n[3], VEC u[3]) {
  VEC spin[3], turn[3];
  for (int k = 0; k < 3; k++) spin[k] = a->q[k] + b->q[k];
  cross(spin, n, turn);
  for (int k = 0; k < 3; k++) u[k] = (a->v[k] - b->v[k]) - turn[k];
}

/* Adds the springs of lanes l .. l + LANES - 1 to velocities and Delassus entries. A contact with a
 * spring has the bias of the spring. */
static inline void add_springs(
    sc_bundle_spring *s, int l, const VEC n[3], const VEC p[3], VEC u[3], VEC *bias, VEC *a_n, VEC *a_t) {
  VEC normal = load1(s->normal + l), tangent = load1(s->tangent + l), p_n = dot(p, n), last[3];
  VEC along = (normal - tangent) * p_n;
  load3(s->last, l, last);
  for (int k = 0; k < 3; k++) u[k] += along * n[k] + tangent * (p[k] - last[k]);
  *bias = choose((MASK)(normal > 0), load1(s->bias + l), *bias);
  *a_n += normal;
  *a_t += tangent;
}

/* Applies the impulses d to bodies a and -d to bodies b. */
static inline __attribute__((always_inline)) void push_balls(
    columns *a, columns *b, const VEC n[3], const VEC d[3]) {
  VEC turn[3];
  cross(d, n, turn); /* torque/s on either body: (-n) x d */
  for (int k = 0; k < 3; k++) {
    a->v[k] += a->inv_mass * d[k];
    b->v[k] -= b->inv_mass * d[k];
    a->q[k] += a->k * turn[k];
    b->q[k] += b->k * turn[k];
  }
}

/* Relaxes one vector of contacts in place. Returns the squared velocity changes. spring: springs of the
 * bundle, NULL if contacts are rigid. */
static inline __attribute__((always_inline)) VEC relax_balls(columns *a, columns *b, const VEC n[3], VEC p[3],
    VEC bias, VEC mu, sc_bundle_spring *spring, int l, double omega) {
  VEC u[3], x[3], d[3];
  meeting_velocity(a, b, n, u);
  VEC a_n = a->inv_mass + b->inv_mass, a_t = (a_n + a->k) + b->k;
  if (spring) add_springs(spring, l, n, p, u, &bias, &a_n, &a_t);
  solve_ball_law(n, p, u, bias, mu, a_n, a_t, x);
  relax_towards(x, omega, p, d);
  push_balls(a, b, n, d);
  return (a_t * a_t) * dot(d, d);
}

/* Extrapolates impulses to p + beta (p - past), and sets `past` to the old p. */
static inline void extrapolate_by_momentum(VEC p[3], sc_bundle_past *past, int l, double beta) {
  for (int k = 0; k < 3; k++) {
    VEC before;
    memcpy(&before, &past->p[k][l], sizeof before);
    memcpy(&past->p[k][l], &p[k], sizeof p[k]);
    p[k] += beta * (p[k] - before);
  }
}

/* Prefetch distances in bundles. If data exceed the caches, latency is most of a sweep's time. Bundles are
 * prefetched farther ahead than bodies, because their indices are needed to prefetch bodies. The stream of
 * bundles enters a new memory page every seven bundles. */
enum { BODIES_AHEAD = 10, BUNDLES_AHEAD = 16 };
SC_FETCH fetch_bodies(const sc_bundle *s, const sc_solver_body *body) {
  for (int m = 0; m < SC_LANES; m++) {
    __builtin_prefetch(body + s->i[m], 1);
    __builtin_prefetch(body + sc_lane_body(s->j[m]), 1);
  }
}
SC_FETCH fetch_bundle(const sc_bundle *s) {
  for (size_t at = 0; at < sizeof *s; at += LINE) __builtin_prefetch((const char *)s + at, 1);
}

/* Loads the bodies of lanes l .. l + LANES - 1 into a and b. to_i, to_j: set to the addresses where the
 * bodies are stored later; for a body that cannot move this is `sink`, a scratch row. */
static inline void take_bodies(const sc_bundle *s, int l, sc_solver_body *body, sc_solver_body *sink,
    columns *a, columns *b, sc_solver_body *to_i[LANES], sc_solver_body *to_j[LANES]) {
  int32_t read_j[LANES];
  for (int m = 0; m < LANES; m++) {
    int32_t j = s->j[l + m];
    read_j[m] = sc_lane_body(j);
    to_i[m] = body + s->i[l + m];
    to_j[m] = j < 0 ? sink : body + j;
  }
  load_bodies(body, s->i + l, (VEC *)a);
  load_bodies(body, read_j, (VEC *)b);
}

static inline double largest_of(VEC values) {
  double result = 0;
  for (int m = 0; m < LANES; m++)
    if (values[m] > result) result = values[m];
  return result;
}

SC_FETCH fetch_spring(const sc_bundle_spring *s) {
  for (size_t at = 0; at < sizeof *s; at += LINE) __builtin_prefetch((const char *)s + at);
}

/* Sweeps bundles of balls. spring: springs of all bundles, NULL if contacts are rigid. */
static inline __attribute__((always_inline)) double sweep_ball_vectors(
    const sc_sweep_in *in, sc_bundle_spring *spring) {
  const double beta = in->beta, omega = in->omega;
  sc_solver_body *const body = in->body, *const sink = in->sink;
  sc_bundle *const bundle = in->bundles->bundle;
  sc_bundle_past *const past = in->bundles->past;
  const double(*const mu_row)[SC_LANES] = in->bundles->mu;
  const int mu_step = in->bundles->mu_step;
  const VEC least = splat(in->bundles->least);
  const int32_t end = in->end, last = in->last;
  VEC largest = splat(0);
  for (int32_t c = in->first; c < end; c++) {
    sc_bundle *s = bundle + c;
    if (c + BUNDLES_AHEAD < last) {
      fetch_bundle(s + BUNDLES_AHEAD);
      if (spring) fetch_spring(spring + c + BUNDLES_AHEAD);
    }
    if (c + BODIES_AHEAD < last) fetch_bodies(s + BODIES_AHEAD, body);
    for (int l = 0; l < SC_LANES; l += LANES) {
      sc_solver_body *to_i[LANES], *to_j[LANES];
      columns a, b;
      VEC n[3], p[3];
      take_bodies(s, l, body, sink, &a, &b, to_i, to_j);
      load3(s->n, l, n);
      load3(s->p, l, p);
      if (past) extrapolate_by_momentum(p, past + c, l, beta);
      VEC bias = larger(load1(s->bias + l), least), mu = load1(mu_row[(size_t)c * (size_t)mu_step] + l);
      largest = larger(relax_balls(&a, &b, n, p, bias, mu, spring ? spring + c : NULL, l, omega), largest);
      store3(p, l, s->p);
      store_bodies((const VEC *)&a, to_i);
      store_bodies((const VEC *)&b, to_j);
    }
  }
  return largest_of(largest);
}

static double sweep_plain(const sc_sweep_in *in) { return sweep_ball_vectors(in, NULL); }
static double sweep_spring(const sc_sweep_in *in) { return sweep_ball_vectors(in, in->bundles->spring); }
