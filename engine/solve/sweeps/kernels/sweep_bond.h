/* Sweep over bundles of bonds (bonds.h), written with the vectors of sweep_kernel.h. Include it after that
 * file. Each bond is solved with all other impulses fixed, by the block of problem/joints/bonds.c. */

/* Axis d, arms, ratio s1/s2 and softness S of a vector of bonds. */
typedef struct {
  VEC d[3], arm1, arm2, ratio, S[4];
} beams;

static inline beams load_beams(sc_bond_bundle *s, int l) {
  beams b = {.arm1 = load1(s->arm1 + l), .arm2 = load1(s->arm2 + l), .ratio = load1(s->ratio + l)};
  load3(s->d, l, b.d);
  for (int k = 0; k < 4; k++) b.S[k] = load1(s->soft[k] + l);
  return b;
}

/* Computes the relative velocity u and the relative spin r (times s1) of two bodies at a bond. */
static inline void bond_velocity(const columns *a, const columns *b, const beams *e, VEC u[3], VEC r[3]) {
  VEC spin[3], turn[3];
  for (int k = 0; k < 3; k++) {
    spin[k] = e->arm1 * a->q[k] + e->arm2 * b->q[k];
    r[k] = a->q[k] - e->ratio * b->q[k];
  }
  cross(spin, e->d, turn);
  for (int k = 0; k < 3; k++) u[k] = (a->v[k] - b->v[k]) + turn[k];
}

/* Adds bias and softness terms to u and r. u and r then are the residual at the impulses p and m. */
static inline void add_residual_terms(
    sc_bond_bundle *s, int l, const beams *e, const VEC p[3], const VEC m[3], VEC u[3], VEC r[3]) {
  VEC push[3], turn[3], pn = (e->S[0] - e->S[1]) * dot(p, e->d), mn = (e->S[2] - e->S[3]) * dot(m, e->d);
  load3(s->push, l, push);
  load3(s->turn, l, turn);
  for (int k = 0; k < 3; k++) {
    u[k] += (push[k] + e->S[1] * p[k]) + pn * e->d[k];
    r[k] += (turn[k] + e->S[3] * m[k]) + mn * e->d[k];
  }
}

/* Multiplies u and r by the inverse softness S^-1. */
static inline void multiply_inverse_softness(sc_bond_bundle *s, int l, const beams *e, VEC u[3], VEC r[3]) {
  VEC across_u = load1(s->hard[1] + l), across_r = load1(s->hard[3] + l),
      un = dot(u, e->d) * (load1(s->hard[0] + l) - across_u),
      rn = dot(r, e->d) * (load1(s->hard[2] + l) - across_r);
  for (int k = 0; k < 3; k++) {
    u[k] = across_u * u[k] + un * e->d[k];
    r[k] = across_r * r[k] + rn * e->d[k];
  }
}

/* Relaxes one vector of bonds. Returns the squared velocity changes. */
static inline VEC relax_bond(
    columns *a, columns *b, sc_bond_bundle *s, int l, double omega, VEC p[3], VEC m[3]) {
  const beams e = load_beams(s, l);
  VEC u[3], y[3], g[3], turn[3], dp[3], h[3], dm[3];
  bond_velocity(a, b, &e, u, y);
  add_residual_terms(s, l, &e, p, m, u, y);
  cross(y, e.d, g);
  VEC n = a->inv_mass + b->inv_mass, w = (n + e.arm1 * e.arm1 * a->k) + e.arm2 * e.arm2 * b->k,
      r = a->k + e.ratio * e.ratio * b->k, c = e.arm1 * a->k - e.ratio * e.arm2 * b->k;
  VEC A = w + e.S[1], B = r + e.S[3], inv = omega / (A * B - c * c), un = dot(u, e.d),
      along = -omega * un / (n + e.S[0]), about = -omega * dot(y, e.d) / (r + e.S[2]),
      square = (n * along) * (n * along) + (r * about) * (r * about);
  for (int k = 0; k < 3; k++) {
    u[k] -= un * e.d[k];
    dp[k] = (c * g[k] - B * u[k]) * inv;
    h[k] = (c * u[k] - A * g[k]) * inv;
    VEC du = w * dp[k] + c * h[k], dg = c * dp[k] + r * h[k];
    square += du * du + dg * dg;
  }
  cross(e.d, h, dm); /* h = dm x d */
  for (int k = 0; k < 3; k++) {
    dp[k] += along * e.d[k];
    dm[k] += about * e.d[k];
    p[k] += dp[k];
    m[k] += dm[k];
  }
  cross(e.d, dp, turn);
  for (int k = 0; k < 3; k++) {
    a->v[k] += a->inv_mass * dp[k];
    b->v[k] -= b->inv_mass * dp[k];
    a->q[k] += a->k * (e.arm1 * turn[k] + dm[k]);
    b->q[k] += b->k * (e.arm2 * turn[k] - e.ratio * dm[k]);
  }
  return square;
}

static inline void take_bonded(const sc_bond_bundle *s, int l, sc_solver_body *body, sc_solver_body *sink,
    columns *a, columns *b, sc_solver_body *to_i[LANES], sc_solver_body *to_j[LANES]) {
  int32_t read_i[LANES], read_j[LANES];
  for (int e = 0; e < LANES; e++) {
    int32_t i = s->i[l + e], j = s->j[l + e];
    read_i[e] = sc_lane_body(i);
    read_j[e] = sc_lane_body(j);
    to_i[e] = i < 0 ? sink : body + i;
    to_j[e] = j < 0 ? sink : body + j;
  }
  load_bodies(body, read_i, (VEC *)a);
  load_bodies(body, read_j, (VEC *)b);
}

enum { BONDS_AHEAD = 3, BONDED_AHEAD = 1 };
SC_FETCH fetch_bonded(const sc_bond_bundle *s, const sc_solver_body *body) {
  for (int e = 0; e < SC_LANES; e++) {
    __builtin_prefetch(body + sc_lane_body(s->i[e]), 1);
    __builtin_prefetch(body + sc_lane_body(s->j[e]), 1);
  }
}
/* Prefetches bytes from .. end - 1 of a bundle. writes: true if the sweep also writes these bytes. */
SC_FETCH fetch_bonds(const sc_bond_bundle *s, size_t from, size_t end, bool writes) {
  for (size_t at = from; at < end; at += LINE)
    if (writes) __builtin_prefetch((const char *)s + at, 1);
    else __builtin_prefetch((const char *)s + at, 0);
}
/* Prefetches the members of a bundle that a sweep reads or writes. */
SC_FETCH fetch_swept(const sc_bond_bundle *s) {
  fetch_bonds(s, 0, offsetof(sc_bond_bundle, hard), false);
  fetch_bonds(s, offsetof(sc_bond_bundle, soft), offsetof(sc_bond_bundle, p), false);
  fetch_bonds(s, offsetof(sc_bond_bundle, p), offsetof(sc_bond_bundle, push), true);
  fetch_bonds(s, offsetof(sc_bond_bundle, push), sizeof *s, false);
}

static double sweep_bond(const sc_bond_sweep_in *in) {
  const sc_bond_lanes *lanes = in->bonds;
  VEC largest = splat(0);
  for (int32_t at = in->first; at < in->end; at++) {
    sc_bond_bundle *s = lanes->bundle + at;
    if (at + BONDS_AHEAD < in->last) fetch_swept(s + BONDS_AHEAD);
    if (at + BONDED_AHEAD < in->last) fetch_bonded(s + BONDED_AHEAD, in->body);
    for (int l = 0; l < SC_LANES; l += LANES) {
      sc_solver_body *to_i[LANES], *to_j[LANES];
      columns a, b;
      VEC p[3], m[3];
      take_bonded(s, l, in->body, in->sink, &a, &b, to_i, to_j);
      load3(s->p, l, p);
      load3(s->m, l, m);
      if (lanes->past)
        extrapolate_by_momentum(p, lanes->past + at, l, in->beta),
            extrapolate_by_momentum(m, lanes->couple_past + at, l, in->beta);
      largest = larger(relax_bond(&a, &b, s, l, in->omega, p, m), largest);
      store3(p, l, s->p);
      store3(m, l, s->m);
      store_bodies((const VEC *)&a, to_i);
      store_bodies((const VEC *)&b, to_j);
    }
  }
  return largest_of(largest);
}

/* ---- passes on bodies, for elastic.c ---- */

/* Loads the rows of both bodies of lanes l .. l + LANES - 1. */
static inline void take_rows(
    const sc_bond_bundle *s, int l, const sc_solver_body *row, columns *a, columns *b) {
  int32_t i[LANES], j[LANES];
  for (int e = 0; e < LANES; e++) {
    i[e] = sc_lane_body(s->i[l + e]);
    j[e] = sc_lane_body(s->j[l + e]);
  }
  load_bodies(row, i, (VEC *)a);
  load_bodies(row, j, (VEC *)b);
}

/* Adds the impulses p and moments m to the loads of both bodies. */
static inline void load_rows(const sc_bond_sweep_in *in, const sc_bond_bundle *s, int l, const beams *e,
    const VEC p[3], const VEC m[3]) {
  sc_solver_body *to_i[LANES], *to_j[LANES];
  columns a, b;
  VEC turn[3];
  take_bonded(s, l, in->load, in->sink, &a, &b, to_i, to_j);
  cross(e->d, p, turn);
  for (int k = 0; k < 3; k++) {
    a.v[k] += p[k];
    b.v[k] -= p[k];
    a.q[k] += e->arm1 * turn[k] + m[k];
    b.q[k] += e->arm2 * turn[k] - e->ratio * m[k];
  }
  store_bodies((const VEC *)&a, to_i);
  store_bodies((const VEC *)&b, to_j);
}

static inline void pass_product(const sc_bond_sweep_in *in, sc_bond_bundle *s, int l) {
  const beams e = load_beams(s, l);
  columns a, b;
  VEC u[3], r[3];
  take_rows(s, l, in->body, &a, &b);
  bond_velocity(&a, &b, &e, u, r);
  multiply_inverse_softness(s, l, &e, u, r);
  load_rows(in, s, l, &e, u, r);
}

static inline void pass_unmet(const sc_bond_sweep_in *in, sc_bond_bundle *s, int l) {
  const beams e = load_beams(s, l);
  columns a, b;
  VEC u[3], r[3], p[3], m[3], du[3], dr[3];
  take_rows(s, l, in->body, &a, &b);
  bond_velocity(&a, &b, &e, u, r);
  load3(s->p, l, p);
  load3(s->m, l, m);
  add_residual_terms(s, l, &e, p, m, u, r);
  if (in->pass == SC_BOND_FINISH) {
    take_rows(s, l, in->load, &a, &b);
    bond_velocity(&a, &b, &e, du, dr);
    for (int k = 0; k < 3; k++) u[k] += du[k], r[k] += dr[k];
  }
  multiply_inverse_softness(s, l, &e, u, r);
  if (in->pass == SC_BOND_UNMET) {
    load_rows(in, s, l, &e, u, r);
    return;
  }
  for (int k = 0; k < 3; k++) p[k] -= u[k], m[k] -= r[k];
  store3(p, l, s->p);
  store3(m, l, s->m);
}

static double product_bonds(const sc_bond_sweep_in *in) {
  for (int32_t at = in->first; at < in->end; at++) {
    sc_bond_bundle *s = in->bonds->bundle + at;
    if (at + BONDS_AHEAD < in->last) fetch_bonds(s + BONDS_AHEAD, 0, offsetof(sc_bond_bundle, soft), false);
    if (at + BONDED_AHEAD < in->last) {
      fetch_bonded(s + BONDED_AHEAD, in->body);
      fetch_bonded(s + BONDED_AHEAD, in->load);
    }
    for (int l = 0; l < SC_LANES; l += LANES) pass_product(in, s, l);
  }
  return 0;
}

static double pass_bonds(const sc_bond_sweep_in *in) {
  if (in->pass == SC_BOND_PRODUCT) return product_bonds(in);
  for (int32_t at = in->first; at < in->end; at++) {
    sc_bond_bundle *s = in->bonds->bundle + at;
    if (at + BONDS_AHEAD < in->last) fetch_bonds(s + BONDS_AHEAD, 0, sizeof *s, true);
    if (at + BONDED_AHEAD < in->last) {
      fetch_bonded(s + BONDED_AHEAD, in->body);
      fetch_bonded(s + BONDED_AHEAD, in->load);
    }
    for (int l = 0; l < SC_LANES; l += LANES) pass_unmet(in, s, l);
  }
  return 0;
}
