/* Computes velocities along the normals of bundles of general contacts, before sweeps. Included after
 * vector_*.h and meeting.h. Every lane does the operations of the code for rows
 * (problem/operator/delassus.c) in the same order. */

/* Loads the bodies of lanes l .. l + LANES - 1, for reading only. */
static inline void load_pair(const sc_solver_body *body, const sc_general_bundle *s, int l, meeting *m) {
  for (int e = 0; e < LANES; e++) {
    m->i[e] = sc_lane_body(s->i[l + e]);
    m->j[e] = sc_lane_body(s->j[l + e]);
  }
  load_bodies(body, m->i, (VEC *)&m->a);
  load_bodies(body, m->j, (VEC *)&m->b);
}

/* Prefetches bundle at + GENERALS_AHEAD, and the bodies of bundle at + 2. */
SC_FETCH fetch_looks(const sc_generals *generals, const sc_solver_body *body, int32_t at) {
  const sc_general_bundle *near = generals->bundle + at + 2;
  if (at + GENERALS_AHEAD >= generals->slots.count) return;
  fetch_approach(generals->bundle + at + GENERALS_AHEAD);
  for (int l = 0; l < SC_LANES; l++) {
    __builtin_prefetch(body + sc_lane_body(near->i[l]));
    __builtin_prefetch(body + sc_lane_body(near->j[l]));
  }
}

static inline void load_vector(const double (*from)[SC_LANES], int l, VEC to[3]) {
  for (int k = 0; k < 3; k++) to[k] = load1(from[k] + l);
}

/* Returns the velocities along the normals of lanes l .. l + LANES - 1. */
static inline VEC find_approach(const sc_solver_body *body, const sc_general_bundle *s, int l) {
  meeting m;
  VEC du[3];
  load_pair(body, s, l, &m);
  load_vector(s->n, l, m.n);
  load_vector(s->arm1, l, m.arm1);
  load_vector(s->arm2, l, m.arm2);
  relative_velocity(&m, du);
  return dot(m.n, du);
}

/* Computes the closing velocities of a bundle, in push.x. */
static void find_closing(const sc_generals *generals, const sc_solver_body *body, int32_t at) {
  const sc_general_bundle *s = generals->bundle + at;
  const int taken = sc_slot_taken(generals->taken[at]);
  fetch_looks(generals, body, at);
  for (int l = 0; l < taken; l += LANES)
    store1(larger(-find_approach(body, s, l) - load1(s->bias + l), splat(0)), generals->push[at].x + l);
}

/* Returns the speed at which position corrections may close a contact; negative: speed at which they must
 * open the contact. left: gap at the end of the step without corrections, over dt [m/s]. fraction, limit: as
 * in aim_pushes. */
static inline VEC aim_speed(VEC left, double fraction, double limit) {
  return pick(at_least(left, splat(0)), left, larger(fraction * left, splat(-limit)));
}

/* Sets push->want in lanes l .. l + LANES - 1 of bundle `at` for contacts with springs, and leaves rigid
 * contacts unchanged. Computes closing_speed_of_spring of solve/sweeps/positions.c. */
static inline void aim_springs(const sc_generals *generals, int32_t at, int l, VEC u_n, double fraction,
    double limit, sc_bundle_push *push) {
  const sc_bundle_spring *s = generals->spring + at;
  const VEC normal = load1(s->normal + l),
            open = u_n + load1(s->bias + l) + normal * load1(generals->bundle[at].x[0] + l),
            want = aim_speed(larger(open, splat(0)) - load1(s->rest + l), fraction, limit);
  store1(pick(above(normal, splat(0)), want, load1(push->want + l)), push->want + l);
}

/* Replaces gap/dt in push.want by the speeds at which position corrections may close the contacts of a
 * bundle. fraction: share of each penetration to correct. limit: largest speed of correction [m/s]. */
static void aim_pushes(
    const sc_generals *generals, const sc_solver_body *body, int32_t at, double fraction, double limit) {
  sc_bundle_push *push = generals->push + at;
  const int taken = sc_slot_taken(generals->taken[at]);
  fetch_looks(generals, body, at);
  for (int l = 0; l < taken; l += LANES) {
    const VEC u_n = find_approach(body, generals->bundle + at, l), left = load1(push->want + l) + u_n;
    store1(aim_speed(left, fraction, limit), push->want + l);
    if (generals->spring) aim_springs(generals, at, l, u_n, fraction, limit, push);
  }
}
