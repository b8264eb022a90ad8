/* Computes rotations of bodies over a step of length dt.
 *
 * The rotation of a symmetric top (moments of inertia: C about the axis e, A about axes perpendicular to e)
 * has a closed form. q, q': orientations before and after the step. The angular momentum L (world axes) is
 * constant, and
 *     q' = exp(dt L/A) q exp(dt (1/C - 1/A) (L.e) e).
 * Any other free body is integrated by the midpoint rule for its angular momentum M in the body's frame, in
 * substeps h,
 *     s = exp(h W),   W = I^-1 (M + M')/2,   M' = s^-1 M s,   q' = q s.
 * M' - M is a multiple of W x (M + M')/2, because s rotates about W; so M'.I^-1 M' = M.I^-1 M. The length of
 * M is constant because M is rotated. Energy and momentum are therefore conserved for any h (Lewis & Simo
 * 1994 give the rule with Cayley's rotation, which lags behind a fast spin; the exponential does not). M' is
 * computed by fixed-point iteration, whose error decreases by at least the factor h |W|/2 per round. Substeps
 * are short enough that h |W| <= 1/2. */
#include "math/turn/turn.h"

#include "math/elementary.h"
#include "math/vec.h"

enum { MOST_ROUNDS = 60, MOST_PARTS = 1000 };
static const double LARGEST_TURN = 0.5; /* largest rotation per substep of the midpoint rule [rad] */

/* Sets out to the quaternion of the rotation by the rotation vector dt w. */
static void turn_quaternion(const double w[3], double dt, double out[4]) {
  double rate = sc_norm(w), half = dt / 2 * rate, sine, cosine;
  sc_sin_cos(half, &sine, &cosine);
  double share = half != 0 ? sine / half * (dt / 2) : dt / 2;
  out[0] = cosine;
  for (int k = 0; k < 3; k++) out[k + 1] = share * w[k];
}

void sc_turn(const double q[4], const double w[3], double dt, double out[4]) {
  double turn[4];
  turn_quaternion(w, dt, turn);
  sc_quat_mul(turn, q, turn);
  sc_quat_normalise(turn, out);
}

static void apply_tensor(const double M[6], const double a[3], double out[3]) {
  const double b[3] = {a[0], a[1], a[2]};
  out[0] = M[0] * b[0] + M[1] * b[1] + M[2] * b[2];
  out[1] = M[1] * b[0] + M[3] * b[1] + M[4] * b[2];
  out[2] = M[2] * b[0] + M[4] * b[1] + M[5] * b[2];
}

int sc_turn_axis(const double I[6]) {
  const double d[3] = {I[0], I[3], I[5]}, same = 1e-13 * (d[0] + d[1] + d[2]);
  if (fabs(I[1]) > same || fabs(I[2]) > same || fabs(I[4]) > same) return -1;
  for (int k = 2; k >= 0; k--)
    if (fabs(d[(k + 1) % 3] - d[(k + 2) % 3]) <= same) return k;
  return -1;
}

/* Rotates the orientation q of a symmetric top over dt. axis: index of the axis of symmetry. L, M: angular
 * momentum in world axes and in the body's frame. */
static void turn_top(
    const double inverse[6], int axis, double dt, const double L[3], const double M[3], double q[4]) {
  const double diagonal[3] = {inverse[0], inverse[3], inverse[5]};
  double across = diagonal[(axis + 1) % 3], own[3] = {0, 0, 0}, turn[3], s[4];
  own[axis] = (diagonal[axis] - across) * M[axis];
  turn_quaternion(own, dt, s);
  sc_quat_mul(q, s, q);
  sc_scale(across, L, turn);
  sc_turn(q, turn, dt, q);
}

static void turn_substep(const double inverse[6], double h, double M[3], double q[4]) {
  double next[3], W[3], s[4], last = INFINITY;
  sc_copy3(M, next);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double before[3] = {next[0], next[1], next[2]}, middle[3];
    sc_add(M, next, middle);
    sc_scale(0.5, middle, middle);
    apply_tensor(inverse, middle, W);
    turn_quaternion(W, h, s);
    sc_quat_unrotate(s, M, next);
    sc_sub(next, before, before);
    double moved = sc_norm(before);
    if (moved == 0 || (moved >= last && moved <= 1e-14 * sc_norm(M))) break;
    last = moved;
  }
  sc_copy3(next, M);
  sc_quat_mul(q, s, q);
}

void sc_turn_free(const double I[6], const double inverse[6], double dt, double q[4], double w[3]) {
  double own[3], M[3], L[3];
  sc_quat_unrotate(q, w, own);
  apply_tensor(I, own, M);
  sc_quat_rotate(q, M, L);
  int axis = sc_turn_axis(I);
  if (axis >= 0) {
    turn_top(inverse, axis, dt, L, M, q);
  } else {
    double parts = floor(fabs(dt) * sc_norm(w) / LARGEST_TURN) + 1;
    int count = parts < MOST_PARTS ? (int)parts : MOST_PARTS;
    for (int part = 0; part < count; part++) turn_substep(inverse, dt / count, M, q);
    sc_quat_normalise(q, q);
  }
  sc_quat_unrotate(q, L, M);
  apply_tensor(inverse, M, own);
  sc_quat_rotate(q, own, w);
}
