/* Sweep over bundles of general contacts (generals.h), written with the vectors of sweep_kernel.h, the laws
 * of sweep_law.h and the bodies of sweep_general_bodies.h. Include it after these files. Every lane does the
 * operations of the scalar code (delassus.c and local.c of problem/operator) in the same order. */

/* ---- impulses ---- */

/* Computes the law's right-hand side b for the old impulse x. */
static inline void right_side(
    const sc_general_sweep_in *in, const meeting *m, const VEC A[6], const VEC x[3], VEC bias, VEC b[3]) {
  VEC du[3], u_o = splat(0);
  relative_velocity(m, du);
  if (!in->planar) u_o = dot(m->o, du);
  b[0] = -dot(m->n, du) + A[0] * x[0] + A[1] * x[1] + A[2] * x[2] - bias;
  b[1] = -dot(m->t, du) + A[1] * x[0] + A[3] * x[1] + A[4] * x[2];
  b[2] = -u_o + A[2] * x[0] + A[4] * x[1] + A[5] * x[2];
}

/* Adds the springs of lanes l .. l + LANES - 1 to the right-hand side. The blocks contain the compliances. */
static inline void right_side_of_springs(sc_bundle_spring *s, int l, const VEC x[3], VEC bias, VEC b[3]) {
  VEC normal = load1(s->normal + l), tangent = load1(s->tangent + l);
  b[0] -= normal * x[0] + pick(above(normal, splat(0)), load1(s->bias + l) - bias, splat(0));
  for (int k = 1; k < 3; k++) b[k] -= tangent * (x[k] - load1(s->last[k] + l));
}

static inline VEC square_of(const VEC A[6], const VEC d[3]) {
  VEC n = A[0] * d[0] + A[1] * d[1] + A[2] * d[2], t = A[1] * d[0] + A[3] * d[1] + A[4] * d[2],
      o = A[2] * d[0] + A[4] * d[1] + A[5] * d[2];
  return n * n + t * t + o * o;
}

/* Solves the law of a bundle. */
static inline __attribute__((always_inline)) void answer_form(
    const sc_generals *generals, int32_t at, int l, int form, const query *q, VEC x[3]) {
  VEC t[4];
  if (!sc_law_elliptic(form)) {
    answer_round(form, q, x);
    return;
  }
  for (int k = 0; k < 4; k++) t[k] = load1(generals->ellipse[at][k] + l);
  answer_elliptic(form, q, t, x);
}

static inline void load_arms(sc_general_bundle *s, int l, meeting *m) {
  load3(s->arm1, l, m->arm1);
  load3(s->arm2, l, m->arm2);
}

static inline void load_frame(sc_general_bundle *s, int l, meeting *m) {
  load3(s->n, l, m->n);
  load3(s->t, l, m->t);
}

/* Relaxes the impulses of lanes l .. l + LANES - 1 of a bundle, rows n, t, o. p: impulse changes in world
 * axes. *x_n: new normal impulses. Returns the squared velocity changes; 0 unless in->measured. Arms are
 * loaded again after the law, because they would be spilled to the stack. Frames are loaded again only for
 * the longest vectors, for which a spill takes longer than a load. */
static inline __attribute__((always_inline)) VEC relax_rows(const sc_general_sweep_in *in, int32_t at, int l,
    const places *where, int form, meeting *m, VEC p[3], VEC *x_n) {
  sc_general_bundle *s = in->generals->bundle + at;
  query q;
  VEC next[3], d[3];
  load_meeting(where, m);
  load_frame(s, l, m);
  load_arms(s, l, m);
  cross(m->n, m->t, m->o);
  for (int k = 0; k < 6; k++) q.A[k] = load1(s->A[k] + l);
  load3(s->x, l, q.x);
  q.mu = load1(s->mu + l);
  q.mu_static = in->generals->mu_static ? load1(in->generals->mu_static[at] + l) : q.mu;
  if (in->generals->past) extrapolate_by_momentum(q.x, in->generals->past + at, l, in->beta);
  right_side(in, m, q.A, q.x, load1(s->bias + l), q.b);
  if (in->generals->spring) right_side_of_springs(in->generals->spring + at, l, q.x, load1(s->bias + l), q.b);
  answer_form(in->generals, at, l, form, &q, next);
  relax_towards(next, in->omega, q.x, d);
  store3(q.x, l, s->x);
  load_arms(s, l, m);
  if (LANES == SC_LANES) load_frame(s, l, m);
  for (int k = 0; k < 3; k++) p[k] = m->n[k] * d[0] + m->t[k] * d[1] + m->o[k] * d[2];
  *x_n = q.x[0];
  return in->measured ? square_of(q.A, d) : splat(0);
}

/* Relaxes lanes l .. l + LANES - 1 of a bundle without moments. Returns the squared velocity changes; 0
 * unless in->measured. */
static inline __attribute__((always_inline)) VEC relax_general(
    const sc_general_sweep_in *in, int32_t at, int l, const places *where) {
  meeting m;
  VEC p[3], x_n, square = relax_rows(in, at, l, where, sc_slot_kind(in->generals->taken[at]), &m, p, &x_n);
  apply_impulse(in, p, where, &m);
  return square;
}

/* ---- moments ---- */

static inline void ask_spin(
    const sc_general_sweep_in *in, const sc_general_couple *c, int l, const meeting *m, spin_query *s) {
  VEC w[3], ratio = load1(c->ratio + l);
  for (int k = 0; k < 3; k++) w[k] = m->a.q[k] - ratio * m->b.q[k];
  s->w[0] = in->planar ? splat(0) : dot(m->n, w);
  s->w[1] = in->planar ? splat(0) : dot(m->t, w);
  s->w[2] = dot(m->o, w);
  for (int k = 0; k < 6; k++) s->R[k] = load1(c->R[k] + l);
  s->torsion = load1(c->torsion + l);
  s->rolling = load1(c->rolling + l);
}

/* Applies the change e of the moments, axes n, t, o, to both bodies. */
static inline void apply_moments(const sc_general_couple *c, int l, const VEC e[3], meeting *m) {
  VEC turn[3], dq[3], ratio = load1(c->ratio + l);
  for (int k = 0; k < 3; k++) turn[k] = m->n[k] * e[0] + m->t[k] * e[1] + m->o[k] * e[2];
  turn_by(m->Ka, turn, dq);
  for (int k = 0; k < 3; k++) {
    m->a.q[k] += dq[k];
    turn[k] = ratio * turn[k];
  }
  turn_by(m->Kb, turn, dq);
  for (int k = 0; k < 3; k++) m->b.q[k] -= dq[k];
}

/* Relaxes the moments at normal impulses x_n. Returns the squared velocity changes. */
static inline VEC relax_moments(const sc_general_sweep_in *in, int32_t at, int l, VEC x_n, meeting *m) {
  sc_general_couple *c = in->generals->couple + at;
  spin_query s;
  VEC next[3], e[3];
  ask_spin(in, c, l, m, &s);
  load3(c->m, l, s.m);
  if (in->generals->couple_past) extrapolate_by_momentum(s.m, in->generals->couple_past + at, l, in->beta);
  answer_moment(&s, x_n, next);
  relax_towards(next, in->omega, s.m, e);
  store3(s.m, l, c->m);
  apply_moments(c, l, e, m);
  return square_of(s.R, e);
}

/* Relaxes lanes l .. l + LANES - 1 of a bundle with moments. Returns the squared velocity changes. */
static __attribute__((noinline)) VEC relax_rolling(
    const sc_general_sweep_in *in, int32_t at, int l, const places *where) {
  meeting m;
  VEC p[3], felt[3], x_n,
      square = relax_rows(
          in, at, l, where, sc_law_first_rows(sc_slot_kind(in->generals->taken[at])), &m, p, &x_n);
  find_felt(in, p, felt);
  load_sixes(where->one.K, m.Ka);
  load_sixes(where->other.K, m.Kb);
  push_one(p, felt, &m);
  push_other(p, felt, &m);
  square += relax_moments(in, at, l, x_n, &m);
  store_bodies((const VEC *)&m.a, where->one.to);
  store_bodies((const VEC *)&m.b, where->other.to);
  return square;
}

enum { PARTS = SC_LANES / LANES };

/* Computes the addresses of all bodies of a bundle, and prefetches the bodies if in->far. */
static inline void find_places(const sc_general_sweep_in *in, const sc_general_bundle *s, places out[PARTS]) {
  for (int h = 0; h < PARTS; h++) {
    find_side(in, s->i + h * LANES, &out[h].one);
    find_side(in, s->j + h * LANES, &out[h].other);
    if (in->far) fetch_side(&out[h].one), fetch_side(&out[h].other);
  }
}

SC_FETCH fetch_moments(const sc_generals *generals, int32_t at) {
  if (!sc_law_rolls(sc_slot_kind(generals->taken[at]))) return;
  for (size_t to = 0; to < sizeof *generals->couple; to += LINE)
    __builtin_prefetch((const char *)(generals->couple + at) + to, 0, 2);
}

static double sweep_general(const sc_general_sweep_in *in) {
  const sc_general_bundle *bundle = in->generals->bundle;
  places where[2][PARTS];
  VEC largest = splat(0);
  if (in->first < in->end) find_places(in, bundle + in->first, where[in->first & 1]);
  for (int32_t at = in->first; at < in->end; at++) {
    const places *here = where[at & 1];
    if (at + GENERALS_AHEAD < in->last) {
      fetch_general(bundle + at + GENERALS_AHEAD);
      fetch_moments(in->generals, at + GENERALS_AHEAD);
    }
    if (at + 1 < in->last) find_places(in, bundle + at + 1, where[(at + 1) & 1]);
    const bool rolls = sc_law_rolls(sc_slot_kind(in->generals->taken[at]));
    for (int h = 0; h < PARTS; h++)
      largest = larger(
          rolls ? relax_rolling(in, at, h * LANES, here + h) : relax_general(in, at, h * LANES, here + h),
          largest);
  }
  return largest_of(largest);
}

/* ---- position sweeps ---- */

static inline VEC relax_general_push(const sc_general_sweep_in *in, int32_t at, int l, const places *where) {
  sc_general_bundle *s = in->generals->bundle + at;
  sc_bundle_push *own = in->push + at;
  meeting m;
  VEC du[3], p[3], a = load1(s->A[0] + l), x = load1(own->x + l);
  load_meeting(where, &m);
  load3(s->n, l, m.n);
  load_arms(s, l, &m);
  relative_velocity(&m, du);
  VEC next = larger(x - in->omega * ((dot(m.n, du) + load1(own->want + l)) / a), splat(0)), d = next - x;
  TRUTH moves = ~equal(d, splat(0));
  if (!any(moves)) return splat(0);
  memcpy(own->x + l, &next, sizeof next);
  for (int k = 0; k < 3; k++) p[k] = m.n[k] * d;
  apply_impulse(in, p, where, &m);
  return a * a * d * d;
}

SC_FETCH fetch_general_pushed(const sc_general_bundle *s, const sc_bundle_push *push) {
  fetch_approach(s);
  __builtin_prefetch(s->A[0]);
  __builtin_prefetch(push->want);
  __builtin_prefetch(push->x, 1);
}

static double sweep_general_push(const sc_general_sweep_in *in) {
  const sc_general_bundle *bundle = in->generals->bundle;
  places where[2][PARTS];
  VEC largest = splat(0);
  if (in->first < in->end) find_places(in, bundle + in->first, where[in->first & 1]);
  for (int32_t at = in->first; at < in->end; at++) {
    const places *here = where[at & 1];
    if (at + GENERALS_AHEAD < in->last)
      fetch_general_pushed(bundle + at + GENERALS_AHEAD, in->push + at + GENERALS_AHEAD);
    if (at + 1 < in->last) find_places(in, bundle + at + 1, where[(at + 1) & 1]);
    for (int h = 0; h < PARTS; h++)
      largest = larger(relax_general_push(in, at, h * LANES, here + h), largest);
  }
  return largest_of(largest);
}
