/* Moments of general contacts with torsional and rolling friction, over the laws of sweep_law.h, behind which
 * this is included. One turn a visit: with the normal impulse given, torsion is cut to its bound, then
 * rolling opposes what spin is left. A sweep so goes over three blocks of a contact, n t o, torsion,
 * rolling, each with the others held; its fixed point is the law's answer (docs/theory/laws.md). */

/* Over the scale s1 of body 1 (generals.h), in axes n, t, o: block (nn, nt, no, tt, to, oo), relative spin,
 * old moment, bounds. */
typedef struct {
  VEC R[6], w[3], m[3], torsion, rolling;
} spin_query;

static inline VEC within(VEC x, VEC most) {
  return pick(above(x, most), most, pick(above(-most, x), -most, x));
}

/* Towards the y in a disc for which R y - g, or 0, opposes y (solve_part of many_rows.c): with the multiplier
 * that the old direction tells, which is off by the square of the turn that y takes, and none at the end. */
static inline void roll_within(const VEC R[6], const VEC g[2], VEC most, const VEC old[2], VEC y[2]) {
  const VEC none = splat(0), tt = R[3], to = R[4], oo = R[5], trace = tt + oo,
            det = larger(tt * oo - to * to, 1e-32 * tt * oo), room = most * det;
  const VEC q[2] = {oo * g[0] - to * g[1], tt * g[1] - to * g[0]}, k[3] = {-room, -most * trace, most};
  TRUTH rolls = above(most, none), slips = rolls & above(q[0] * q[0] + q[1] * q[1], room * room);
  VEC by = pick(rolls, 1 / det, none);
  for (int e = 0; e < 2; e++) y[e] = q[e];
  if (any(slips)) {
    VEC square = old[0] * old[0] + old[1] * old[1],
        inv = pick(above(square, none), 1 / vector_sqrt(square), none), et = old[0] * inv, eo = old[1] * inv,
        start = secular_start(et * q[0] + eo * q[1], et * g[0] + eo * g[1], k[0], k[1], k[2]),
        l = pick(slips, start, none);
    for (int e = 0; e < 2; e++) y[e] = q[e] + l * g[e];
    by = pick(slips, most / vector_sqrt(y[0] * y[0] + y[1] * y[1]), by);
  }
  for (int e = 0; e < 2; e++) y[e] = by * y[e];
}

/* New moments m at a normal impulse. */
static inline void answer_moment(const spin_query *s, VEC x_n, VEC m[3]) {
  const VEC *R = s->R, *old = s->m;
  m[0] = within(old[0] - s->w[0] / R[0], s->torsion * x_n);
  VEC d = m[0] - old[0];
  const VEC g[2] = {R[3] * old[1] + R[4] * old[2] - (s->w[1] + R[1] * d),
      R[4] * old[1] + R[5] * old[2] - (s->w[2] + R[2] * d)};
  roll_within(R, g, s->rolling * x_n, old + 1, m + 1);
}
