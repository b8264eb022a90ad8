/* How bundles of general contacts move before and after sweeps. Over the vectors of sweep_kernel.h and the
 * meetings of sweep_general.h, behind which this is included. Every lane does the operations of the row's own
 * code (problem/delassus.c) in the same order. */

/* Bodies of lanes l and on, to be read alone. */
static inline void look_at(const sc_solver_body *body, const sc_general_bundle *s, int l, meeting *m) {
  for (int e = 0; e < LANES; e++) {
    m->i[e] = sc_lane_body(s->i[l + e]);
    m->j[e] = sc_lane_body(s->j[l + e]);
  }
  load_bodies(body, m->i, (VEC *)&m->a);
  load_bodies(body, m->j, (VEC *)&m->b);
}

static inline void read3(const double (*from)[SC_LANES], int l, VEC to[3]) {
  for (int k = 0; k < 3; k++) to[k] = load1(from[k] + l);
}

static inline void look_with_arms(const sc_solver_body *body, const sc_general_bundle *s, int l, meeting *m) {
  look_at(body, s, l, m);
  read3(s->n, l, m->n);
  read3(s->arm1, l, m->arm1);
  read3(s->arm2, l, m->arm2);
}

static inline void look_at_frame(const sc_general_bundle *s, int l, meeting *m) {
  read3(s->t, l, m->t);
  cross(m->n, m->t, m->o);
}

/* Velocities along the normals of lanes l and on. */
static inline VEC find_approach(const sc_solver_body *body, const sc_general_bundle *s, int l) {
  meeting m;
  VEC du[3];
  look_with_arms(body, s, l, &m);
  relative_velocity(&m, du);
  return dot(m.n, du);
}

static void find_closing(const sc_generals *generals, const sc_solver_body *body, int32_t at) {
  const sc_general_bundle *s = generals->bundle + at;
  for (int l = 0; l < SC_LANES; l += LANES)
    store1(larger(-find_approach(body, s, l) - load1(s->bias + l), splat(0)), generals->push[at].x + l);
}

static void aim_pushes(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, double fraction, double limit) {
  sc_bundle_push *push = generals->push + at;
  for (int l = 0; l < SC_LANES; l += LANES) {
    const VEC left = load1(push->want + l) + find_approach(body, generals->bundle + at, l),
              back = larger(fraction * left, splat(-limit));
    store1(pick(at_least(left, splat(0)), left, back), push->want + l);
  }
}

static void find_states(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, bool planar, sc_general_group *out) {
  const sc_general_bundle *s = generals->bundle + at;
  for (int l = 0; l < SC_LANES; l += LANES) {
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
  }
}

/* Changes of one side, as rows. */
static inline void put_effects(
    const VEC K[6], const VEC arm[3], const VEC p[3], VEC inv_mass, double sign, int l, sc_solver_body *to) {
  sc_solver_body *row[LANES];
  VEC turn[3], dq[3];
  cross(arm, p, turn);
  turn_by(K, turn, dq);
  const VEC m = sign * inv_mass, none = splat(0);
  const VEC column[8] = {m * p[0], m * p[1], m * p[2], none, sign * dq[0], sign * dq[1], sign * dq[2], none};
  for (int e = 0; e < LANES; e++) row[e] = to + l + e;
  store_bodies(column, row);
}

static void find_effects(const sc_generals *generals, const sc_solver_body *body, const sc_general_bundle *s,
    sc_general_effects *out) {
  for (int l = 0; l < SC_LANES; l += LANES) {
    meeting m;
    VEC x[3], p[3];
    look_with_arms(body, s, l, &m);
    look_at_frame(s, l, &m);
    load_inertia(&m, generals->K);
    read3(s->x, l, x);
    for (int k = 0; k < 3; k++) p[k] = m.n[k] * x[0] + m.t[k] * x[1] + m.o[k] * x[2];
    put_effects(m.Ka, m.arm1, p, m.a.inv_mass, 1, l, out->on1);
    put_effects(m.Kb, m.arm2, p, m.b.inv_mass, -1, l, out->on2);
    memcpy(out->i + l, m.i, sizeof m.i);
    memcpy(out->j + l, m.j, sizeof m.j);
  }
}
