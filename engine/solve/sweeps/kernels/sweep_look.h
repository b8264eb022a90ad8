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

static void find_approach(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, double u[SC_LANES]) {
  for (int l = 0; l < SC_LANES; l += LANES) {
    meeting m;
    VEC du[3];
    look_with_arms(body, generals->bundle + at, l, &m);
    relative_velocity(&m, du);
    store1(dot(m.n, du), u + l);
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
