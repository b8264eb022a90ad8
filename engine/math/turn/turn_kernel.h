/* Free turns of tops, written once over a vector type; the file that includes this says how wide it is
 * (lane_vector.h) and names the function TURN. Every lane does the operations of sc_turn_free in the same
 * order. */
#include <math.h>
#include <string.h>
#include "math/lanes/lane_vector.h"
#include "math/turn/turn.h"

#include "math/lanes/lane_turn.h"

static inline void reads(int count, const sc_lane *from, int l, VEC *to) {
  for (int k = 0; k < count; k++) to[k] = load1(from[k] + l);
}

/* q turns by h w and stays of length 1. */
static inline void turn_by(const VEC w[3], VEC h, VEC q[4]) {
  VEC s[4], sum[4];
  exponential(w, h, s);
  multiply(s, q, sum);
  VEC size = vector_sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
  for (int k = 0; k < 4; k++) q[k] = choose((MASK)(size > splat(0)), sum[k] / size, q[k]);
}

/* L, M: angular momentum in world axes, in the body's frame. */
static inline void turn_top(const VEC inverse[6], VEC axis, VEC h, const VEC L[3], const VEC M[3], VEC q[4]) {
  const MASK x = (MASK)(axis == splat(0)), y = (MASK)(axis == splat(1)), at[3] = {x, y, ~(x | y)};
  VEC along = choose(x, inverse[0], choose(y, inverse[3], inverse[5])),
      across = choose(x, inverse[3], choose(y, inverse[5], inverse[0])), own[3], turn[3], s[4];
  for (int k = 0; k < 3; k++) own[k] = choose(at[k], (along - across) * M[k], splat(0));
  exponential(own, h, s);
  multiply(q, s, q);
  for (int k = 0; k < 3; k++) turn[k] = across * L[k];
  turn_by(turn, h, q);
}

void TURN(sc_tops *tops, double dt) {
  for (int l = 0; l < SC_LANES; l += LANES) {
    VEC q[4], w[3], inertia[6], inverse[6], own[3], M[3], L[3];
    reads(4, tops->q, l, q), reads(3, tops->w, l, w);
    reads(6, tops->inertia, l, inertia), reads(6, tops->inverse, l, inverse);
    unrotate(q, w, own);
    symmetric(inertia, own, M);
    rotate(q, M, L);
    turn_top(inverse, load1(tops->axis + l), splat(dt), L, M, q);
    unrotate(q, L, M);
    symmetric(inverse, M, own);
    rotate(q, own, w);
    for (int k = 0; k < 4; k++) store1(q[k], tops->q[k] + l);
    for (int k = 0; k < 3; k++) store1(w[k], tops->w[k] + l);
  }
}
