/* Moments of general contacts with torsional and rolling friction, written with the laws of sweep_law.h.
 * Include it after that file. Each visit makes one Gauss-Seidel step over three blocks of a contact: the
 * impulse n t o, the torsion, the rolling moment. Each block is solved with the other blocks fixed. The
 * torsion is cut to its bound, then rolling opposes the spin that is left. The fixed point is the law's
 * solution (docs/theory/laws.md). */

/* Input of the moment law, in axes n, t, o, divided by the scale s1 of body 1 (generals.h). */
typedef struct {
  VEC R[6];             /* Delassus block: nn, nt, no, tt, to, oo */
  VEC w[3];             /* relative spin */
  VEC m[3];             /* old moment */
  VEC torsion, rolling; /* bounds per unit normal impulse */
} spin_query;

/* Clamps x to [-most, most]. */
static inline VEC clamp_to(VEC x, VEC most) {
  return pick(above(x, most), most, pick(above(-most, x), -most, x));
}

/* Approximates the moment y in the disc |y| <= most for which R y - g is 0 or opposes y (solve_part of
 * many_rows.c). The multiplier is computed from the old direction of y. Its error is the square of the angle
 * between old and new direction, so it vanishes at the fixed point. */
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

/* Computes the new moments m for the normal impulses x_n, which bound them. */
static inline void answer_moment(const spin_query *s, VEC x_n, VEC m[3]) {
  const VEC *R = s->R, *old = s->m;
  m[0] = clamp_to(old[0] - s->w[0] / R[0], s->torsion * x_n);
  VEC d = m[0] - old[0];
  const VEC g[2] = {R[3] * old[1] + R[4] * old[2] - (s->w[1] + R[1] * d),
      R[4] * old[1] + R[5] * old[2] - (s->w[2] + R[2] * d)};
  roll_within(R, g, s->rolling * x_n, old + 1, m + 1);
}
