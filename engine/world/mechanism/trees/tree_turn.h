/* Rotations of the bodies of trees in SIMD lanes. Included after math/lanes/lane_turn.h, whose functions it
 * uses. */

static inline void normalise_lanes(VEC q[4]) {
  VEC n = 1 / vector_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] = q[k] * n;
}

static inline void turn_ball(const VEC w[3], VEC h, VEC q[4]) {
  VEC s[4];
  exponential(w, h, s);
  multiply(s, q, q);
  normalise_lanes(q);
}

/* Sets out to axis k of a body in world axes. q: orientation. */
static inline void compute_axis(int k, const VEC q[4], VEC out[3]) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  out[k] = 1 - 2 * (q[i + 1] * q[i + 1] + q[j + 1] * q[j + 1]);
  out[i] = 2 * (q[k + 1] * q[i + 1] + q[0] * q[j + 1]);
  out[j] = 2 * (q[k + 1] * q[j + 1] - q[0] * q[i + 1]);
}

/* Multiplies q from the right by the rotation by `angle` about the body's axis k. */
static inline void turn_about(int k, VEC angle, VEC q[4]) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  VEC sine, cosine, old[4] = {q[0], q[1], q[2], q[3]};
  sine_cosine(angle / 2, &sine, &cosine);
  q[0] = old[0] * cosine - old[k + 1] * sine;
  q[k + 1] = old[k + 1] * cosine + old[0] * sine;
  q[i + 1] = old[i + 1] * cosine + old[j + 1] * sine;
  q[j + 1] = old[j + 1] * cosine - old[i + 1] * sine;
}

/* Moments of inertia of a symmetric top about its axis k and across the axis, and their inverses. */
typedef struct top {
  VEC along, across, inverse_along, inverse_across;
} top;
static inline top top_of(int k, const VEC inertia[6], const VEC inverse[6]) {
  static const int diagonal[] = {0, 3, 5};
  const int own = diagonal[k], other = diagonal[(k + 1) % 3];
  return (top){inertia[own], inertia[other], inverse[own], inverse[other]};
}

/* Rotates a symmetric top with axis k exactly over the time h: q becomes exp(h L/A) q exp(h (1/C - 1/A) C w.e
 * e). A: moment of inertia across the axis; C: along the axis; L: angular momentum; e: axis; w: spin. */
static inline void turn_top(
    int k, const VEC inertia[6], const VEC inverse[6], VEC h, const VEC w[3], VEC q[4]) {
  const top t = top_of(k, inertia, inverse);
  VEC e[3], around[3], s[4];
  compute_axis(k, q, e);
  VEC rate = dot(w, e), more = (t.along - t.across) * t.inverse_across * rate;
  for (int m = 0; m < 3; m++) around[m] = w[m] + more * e[m];
  turn_about(k, h * (t.inverse_along - t.inverse_across) * t.along * rate, q);
  exponential(around, h, s);
  multiply(s, q, q);
}

/* Sets w to the spin of a symmetric top at the orientation `on` that has the same angular momentum as the
 * given w at the orientation q. k: axis of the top. */
static inline void spin_top(
    int k, const VEC inertia[6], const VEC inverse[6], const VEC q[4], const VEC on[4], VEC w[3]) {
  const top t = top_of(k, inertia, inverse);
  VEC e[3], L[3];
  compute_axis(k, q, e);
  VEC more = (t.along - t.across) * dot(w, e);
  for (int m = 0; m < 3; m++) L[m] = t.across * w[m] + more * e[m];
  compute_axis(k, on, e);
  VEC own = (t.inverse_along - t.inverse_across) * dot(L, e);
  for (int m = 0; m < 3; m++) w[m] = t.inverse_across * L[m] + own * e[m];
}

/* Makes one step of the midpoint rule of length h in the lanes of the mask `moves`. M: angular momentum in
 * the body's frame. */
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

/* Rotates a body without symmetry over the time h. Divides h into steps of the midpoint rule with rotations
 * of at most half a radian. M: angular momentum in the body's frame. */
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
  normalise_lanes(q);
}

/* Rotates a body without torque over the time h. kind: symmetry of its inertia (tree.h). For a symmetric top,
 * the length of q may then differ from 1 by a rounding error. */
static inline void turn_free(
    int kind, const VEC inertia[6], const VEC inverse[6], VEC h, const VEC w[3], VEC q[4]) {
  VEC own[3], M[3];
  if (kind == SC_TREE_BALL) {
    turn_ball(w, h, q);
  } else if (kind == SC_TREE_FREE) {
    unrotate(q, w, own);
    symmetric(inertia, own, M);
    turn_parts(inverse, h, w, M, q);
  } else {
    turn_top(kind, inertia, inverse, h, w, q);
  }
}

/* Sets w to the spin after turn_free, which leaves the angular momentum unchanged. q, on: orientations before
 * and after. Also normalises `on` for symmetric tops. */
static inline void spin_on(
    int kind, const VEC inertia[6], const VEC inverse[6], const VEC q[4], VEC on[4], VEC w[3]) {
  VEC own[3], M[3], L[3];
  if (kind == SC_TREE_BALL) return;
  if (kind != SC_TREE_FREE) {
    normalise_lanes(on);
    spin_top(kind, inertia, inverse, q, on, w);
    return;
  }
  unrotate(q, w, own);
  symmetric(inertia, own, M);
  rotate(q, M, L);
  unrotate(on, L, M);
  symmetric(inverse, M, own);
  rotate(on, own, w);
}
