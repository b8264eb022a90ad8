/* Rotations in lanes, as math/turn.c does them one by one; behind tree_vector.h. */

/* Nearest whole number, for what is far below 2^51. */
static inline VEC nearest(VEC x) {
  const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
  return (x + shift) - shift;
}

/* As sc_sin_cos of math/elementary.h. */
static inline void sine_cosine(VEC x, VEC *sine, VEC *cosine) {
  static const double s[] = {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
      -1.0 / 5040, 1.0 / 120, -1.0 / 6};
  static const double c[] = {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
      1.0 / 40320, -1.0 / 720, 1.0 / 24};
  VEC n = nearest(x * 0.63661977236758134), r = (x - n * SC_HALF_PI_HIGH) - n * SC_HALF_PI_LOW, z = r * r,
      odd = splat(s[0]), even = splat(c[0]);
  for (int i = 1; i < 7; i++) odd = odd * z + s[i], even = even * z + c[i];
  VEC near = r + r * z * odd, far = 1 - z / 2 + z * z * even;
  VEC quarter = n - 4 * nearest(n / 4); /* -2 to 2 */
  MASK swap = (MASK)(quarter * quarter == splat(1));
  VEC ahead = choose(swap, far, near), beside = choose(swap, near, far);
  *sine = choose((MASK)((quarter == splat(-1)) | (quarter * quarter == splat(4))), -ahead, ahead);
  *cosine = choose((MASK)((quarter == splat(1)) | (quarter * quarter == splat(4))), -beside, beside);
}

/* The rotation by the vector h w as a quaternion. */
static inline void exponential(const VEC w[3], VEC h, VEC out[4]) {
  VEC rate = vector_sqrt(dot(w, w)), half = h / 2 * rate, sine, cosine;
  sine_cosine(half, &sine, &cosine);
  VEC share = choose((MASK)(half != splat(0)), sine / half * (h / 2), h / 2);
  out[0] = cosine;
  for (int k = 0; k < 3; k++) out[k + 1] = share * w[k];
}

static inline void multiply(const VEC p[4], const VEC q[4], VEC out[4]) {
  VEC w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  VEC x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  VEC y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  VEC z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
  out[0] = w, out[1] = x, out[2] = y, out[3] = z;
}

static inline void normalise(VEC q[4]) {
  VEC n = 1 / vector_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] = q[k] * n;
}

static inline void rotate(const VEC q[4], const VEC a[3], VEC out[3]) {
  VEC c[3], d[3];
  cross(q + 1, a, c);
  for (int k = 0; k < 3; k++) c[k] += q[0] * a[k];
  cross(q + 1, c, d);
  for (int k = 0; k < 3; k++) out[k] = a[k] + 2 * d[k];
}

static inline void unrotate(const VEC q[4], const VEC a[3], VEC out[3]) {
  const VEC p[4] = {q[0], -q[1], -q[2], -q[3]};
  rotate(p, a, out);
}

static inline void turn(const VEC w[3], VEC h, VEC q[4]) {
  VEC s[4];
  exponential(w, h, s);
  multiply(s, q, q);
  normalise(q);
}

/* A top; L, M: angular momentum in world axes and in the body's frame. */
static inline void turn_top(const VEC inverse[6], int axis, VEC h, const VEC L[3], const VEC M[3], VEC q[4]) {
  const VEC diagonal[3] = {inverse[0], inverse[3], inverse[5]};
  VEC across = diagonal[(axis + 1) % 3], own[3] = {splat(0), splat(0), splat(0)}, w[3], s[4];
  own[axis] = (diagonal[axis] - across) * M[axis];
  exponential(own, h, s);
  multiply(q, s, q);
  for (int k = 0; k < 3; k++) w[k] = across * L[k];
  turn(w, h, q);
}

/* The midpoint rule over h, in the lanes `moves`. */
static inline void turn_part(const VEC inverse[6], VEC h, MASK moves, VEC M[3], VEC q[4]) {
  enum { MOST_ROUNDS = 60 };
  VEC next[3], s[4], last = splat(INFINITY), size = 1e-14 * vector_sqrt(dot(M, M)), turned[4];
  MASK asked = moves;
  for (int k = 0; k < 3; k++) next[k] = M[k];
  for (int k = 0; k < 4; k++) s[k] = splat(k == 0);
  for (int round = 0; round < MOST_ROUNDS && any_bit(asked); round++) {
    VEC W[3], middle[3], change[3], now[4], there[3];
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (M[k] + next[k]);
    symmetric(inverse, middle, W);
    exponential(W, h, now);
    unrotate(now, M, there);
    for (int k = 0; k < 3; k++) change[k] = there[k] - next[k];
    VEC moved = vector_sqrt(dot(change, change));
    for (int k = 0; k < 3; k++) next[k] = choose(asked, there[k], next[k]);
    for (int k = 0; k < 4; k++) s[k] = choose(asked, now[k], s[k]);
    asked &= ~((MASK)(moved == splat(0)) | ((MASK)(moved >= last) & (MASK)(moved <= size)));
    last = choose(asked, moved, last);
  }
  multiply(q, s, turned);
  for (int k = 0; k < 3; k++) M[k] = next[k];
  for (int k = 0; k < 4; k++) q[k] = choose(moves, turned[k], q[k]);
}

/* Parts of the midpoint rule that turn by half a radian at most. */
static inline void turn_parts(const VEC inverse[6], VEC h, const VEC w[3], VEC M[3], VEC q[4]) {
  enum { MOST_PARTS = 1000 };
  VEC turns = 2 * h * vector_sqrt(dot(w, w)), count = nearest(turns);
  count = choose((MASK)(count > turns), count, count + 1);
  count = choose((MASK)(count < splat(MOST_PARTS)), count, splat(MOST_PARTS));
  const VEC own = h / count;
  for (int part = 0; part < MOST_PARTS; part++) {
    MASK moves = (MASK)(count > splat(part));
    if (!any_bit(moves)) break;
    turn_part(inverse, own, moves, M, q);
  }
  normalise(q);
}

/* A body turns free of torque for h; its spin follows. */
static inline void turn_free(
    int kind, const VEC inertia[6], const VEC inverse[6], VEC h, VEC q[4], VEC w[3]) {
  VEC own[3], M[3], L[3];
  if (kind == SC_TREE_BALL) {
    turn(w, h, q);
    return;
  }
  unrotate(q, w, own);
  symmetric(inertia, own, M);
  rotate(q, M, L);
  if (kind == SC_TREE_FREE) turn_parts(inverse, h, w, M, q);
  else turn_top(inverse, kind, h, L, M, q);
  unrotate(q, L, M);
  symmetric(inverse, M, own);
  rotate(q, own, w);
}
