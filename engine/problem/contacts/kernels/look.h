/* Relative velocities of bundles of general contacts, and effects of their impulses, before and after sweeps.
 * Included after vector_*.h and meeting.h. Every lane does the operations of the code for rows
 * (problem/operator/delassus.c) in the same order. */

/* Loads the bodies of lanes l .. l + LANES - 1, for reading only. */
static inline void look_at(const sc_solver_body *body, const sc_general_bundle *s, int l, meeting *m) {
  for (int e = 0; e < LANES; e++) {
    m->i[e] = sc_lane_body(s->i[l + e]);
    m->j[e] = sc_lane_body(s->j[l + e]);
  }
  load_bodies(body, m->i, (VEC *)&m->a);
  load_bodies(body, m->j, (VEC *)&m->b);
}

/* Prefetches a later bundle, and the bodies of the bundle after the next one. */
SC_FETCH fetch_looks(const sc_generals *generals, const sc_solver_body *body, int32_t at) {
  const sc_general_bundle *near = generals->bundle + at + 2;
  if (at + GENERALS_AHEAD >= generals->slots.count) return;
  fetch_approach(generals->bundle + at + GENERALS_AHEAD);
  for (int l = 0; l < SC_LANES; l++) {
    __builtin_prefetch(body + sc_lane_body(near->i[l]));
    __builtin_prefetch(body + sc_lane_body(near->j[l]));
  }
}

static inline void read3(const double (*from)[SC_LANES], int l, VEC to[3]) {
  for (int k = 0; k < 3; k++) to[k] = load1(from[k] + l);
}

static inline void look_at_arms(const sc_general_bundle *s, int l, meeting *m) {
  read3(s->n, l, m->n);
  read3(s->arm1, l, m->arm1);
  read3(s->arm2, l, m->arm2);
}

static inline void look_with_arms(const sc_solver_body *body, const sc_general_bundle *s, int l, meeting *m) {
  look_at(body, s, l, m);
  look_at_arms(s, l, m);
}

static inline void look_at_frame(const sc_general_bundle *s, int l, meeting *m) {
  read3(s->t, l, m->t);
  cross(m->n, m->t, m->o);
}

/* Returns the velocities along the normals of lanes l .. l + LANES - 1. */
static inline VEC find_approach(const sc_solver_body *body, const sc_general_bundle *s, int l) {
  meeting m;
  VEC du[3];
  look_with_arms(body, s, l, &m);
  relative_velocity(&m, du);
  return dot(m.n, du);
}

static void find_closing(const sc_generals *generals, const sc_solver_body *body, int32_t at) {
  const sc_general_bundle *s = generals->bundle + at;
  const int taken = sc_slot_taken(generals->taken[at]);
  fetch_looks(generals, body, at);
  for (int l = 0; l < taken; l += LANES)
    store1(larger(-find_approach(body, s, l) - load1(s->bias + l), splat(0)), generals->push[at].x + l);
}

/* A contact with a spring is not pushed open (solve/sweeps/positions.c). */
static inline void aim_springs(
    const sc_generals *generals, int32_t at, int l, VEC u_n, sc_bundle_push *push) {
  const sc_bundle_spring *s = generals->spring + at;
  const VEC normal = load1(s->normal + l),
            left = u_n + load1(s->bias + l) + normal * load1(generals->bundle[at].x[0] + l);
  store1(pick(above(normal, splat(0)), larger(left, splat(0)), load1(push->want + l)), push->want + l);
}

static void aim_pushes(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, double fraction, double limit) {
  sc_bundle_push *push = generals->push + at;
  const int taken = sc_slot_taken(generals->taken[at]);
  fetch_looks(generals, body, at);
  for (int l = 0; l < taken; l += LANES) {
    const VEC u_n = find_approach(body, generals->bundle + at, l), left = load1(push->want + l) + u_n,
              back = larger(fraction * left, splat(-limit));
    store1(pick(at_least(left, splat(0)), left, back), push->want + l);
    if (generals->spring) aim_springs(generals, at, l, u_n, push);
  }
}

/* Computes the moments of lanes l .. l + LANES - 1 in world axes. */
static inline void find_moments(const sc_general_moments *from, const meeting *m, int l, VEC out[3]) {
  VEC x[3];
  read3(from->x, l, x);
  for (int k = 0; k < 3; k++) out[k] = m->n[k] * x[0] + m->t[k] * x[1] + m->o[k] * x[2];
}

static void find_states(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, bool planar, sc_general_group *out) {
  const sc_general_bundle *s = generals->bundle + at;
  const int taken = sc_slot_taken(generals->taken[at]);
  fetch_looks(generals, body, at);
  for (int l = 0; l < taken; l += LANES) {
    meeting m;
    VEC du[3], x[3];
    look_with_arms(body, s, l, &m);
    look_at_frame(s, l, &m);
    relative_velocity(&m, du);
    read3(s->x, l, x);
    store1(dot(m.n, du), out->u[0] + l);
    store1(dot(m.t, du), out->u[1] + l);
    store1(planar ? splat(0) : dot(m.o, du), out->u[2] + l);
    for (int k = 0; k < 3; k++) store1(m.n[k] * x[0] + m.t[k] * x[1] + m.o[k] * x[2], out->p[k] + l);
    if (!sc_law_rolls(sc_slot_kind(generals->taken[at]))) continue;
    find_moments(generals->moments + at, &m, l, x);
    store3(x, l, out->room[1]);
  }
}

/* Computes the changes of v and q of one body by an impulse p, and by a moment over a scale if not NULL. The
 * other two members are 0. */
static inline void find_change(const VEC K[6], const VEC arm[3], const VEC p[3], const VEC *moment,
    const double *scale, VEC inv_mass, double sign, VEC column[8]) {
  VEC turn[3], dq[3];
  cross(arm, p, turn);
  for (int k = 0; k < 3 && moment; k++) turn[k] = 1 / load1(scale) * moment[k] + turn[k];
  turn_by(K, turn, dq);
  for (int k = 0; k < 3; k++) {
    column[k] = sign * inv_mass * p[k];
    column[4 + k] = sign * dq[k];
  }
  column[3] = column[7] = splat(0);
}

/* Returns the body that a lane names if it can move and its row is in low..high, else nobody. */
static inline sc_solver_body *mover(
    sc_solver_body *body, int32_t name, int32_t low, int32_t high, sc_solver_body *nobody) {
  return name >= 0 && name >= low && name <= high ? body + name : nobody;
}

/* Finds the bodies of lanes l .. l + LANES - 1 and their inverse masses. Bodies that cannot move or lie
 * outside rows low..high are replaced by nobody, because other threads write to bodies outside. */
static inline void find_movers(sc_solver_body *body, const int32_t name[SC_LANES], int l, int32_t low,
    int32_t high, sc_solver_body *nobody, sc_solver_body *to[LANES], int32_t row[LANES], VEC *inv_mass) {
  double room[LANES];
  for (int e = 0; e < LANES; e++) {
    to[e] = mover(body, name[l + e], low, high, nobody);
    row[e] = sc_lane_body(name[l + e]);
    room[e] = to[e]->inv_mass;
  }
  *inv_mass = load1(room);
}

/* Applies the impulses of a bundle, and moments if not NULL, lane after lane. Lanes may share bodies. */
static void apply_impulses(const sc_generals *generals, sc_solver_body *body, const sc_general_bundle *s,
    const sc_general_moments *turned, int32_t low, int32_t high) {
  _Alignas(sizeof(sc_solver_body)) sc_solver_body nobody = {.k = 0};
  for (int l = 0; l < SC_LANES; l += LANES) {
    meeting m;
    VEC x[3], p[3], moment[3], one[8], other[8];
    sc_solver_body *to_i[LANES], *to_j[LANES];
    find_movers(body, s->i, l, low, high, &nobody, to_i, m.i, &m.a.inv_mass);
    find_movers(body, s->j, l, low, high, &nobody, to_j, m.j, &m.b.inv_mass);
    look_at_arms(s, l, &m);
    look_at_frame(s, l, &m);
    load_inertia(&m, generals->K);
    read3(s->x, l, x);
    for (int k = 0; k < 3; k++) p[k] = m.n[k] * x[0] + m.t[k] * x[1] + m.o[k] * x[2];
    if (turned) find_moments(turned, &m, l, moment);
    const VEC *e = turned ? moment : NULL;
    find_change(m.Ka, m.arm1, p, e, e ? turned->scale1 + l : NULL, m.a.inv_mass, 1, one);
    find_change(m.Kb, m.arm2, p, e, e ? turned->scale2 + l : NULL, m.b.inv_mass, -1, other);
    add_bodies(one, other, to_i, to_j);
  }
}
