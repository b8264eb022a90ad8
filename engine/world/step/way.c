/* The path of a body in a substep.
 *
 * The position moves along a straight line from the start to the end. A body rotates free of torque during a
 * substep, with the angular momentum L that it has at the end. Its orientation at t is therefore that of the
 * free motion from the end backwards by (1 - t) dt. A body that stops there conserves L, and its energy is
 * conserved up to rounding errors.
 *
 * Shifts that correct positions and joints also rotate bodies. The free motion has a numerical error if the
 * principal moments are unequal. The start of the free motion and the start of the body then differ by a
 * small rotation `rest`, which decreases linearly with t. If `rest` is not smaller than the whole rotation,
 * the body did not rotate freely. Its orientation then follows the straight line between two quaternions, the
 * shorter way. Bodies with equal moments of inertia about all axes also follow this line, because their spin
 * does not change. */
#include "world/world.h"
#include "world/steps.h"
#include "world/step/way.h"

#include <string.h>
#include "math/turn/turn.h"
#include "math/vec.h"
#include "world/account/account.h"

/* Returns the squared distance between two quaternions. */
static double square_between(const double a[4], const double b[4]) {
  double sum = 0;
  for (int k = 0; k < 4; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

/* Changes the sign of quaternion a if necessary, so that the shorter rotation leads from a to b. */
static void choose_sign(double a[4], const double b[4]) {
  double cosine = 0;
  for (int k = 0; k < 4; k++) cosine += a[k] * b[k];
  for (int k = 0; k < 4 && cosine < 0; k++) a[k] = -a[k];
}

/* Returns the largest rotation per unit of t along the straight line between two quaternions [rad]. square:
 * squared distance between them. The rate is largest in the middle: 4 tan(angle/4). */
static double rate_of_line(double square) { return 2 * sqrt(square) / sqrt(1 - fmin(square, 2) / 4); }

/* Sets out = I v for a tensor I (xx, xy, xz, yy, yz, zz). out may be v. */
static void apply_inertia(const double I[6], const double v[3], double out[3]) {
  sc_set3(I[0] * v[0] + I[1] * v[1] + I[2] * v[2], I[1] * v[0] + I[3] * v[1] + I[4] * v[2],
      I[2] * v[0] + I[4] * v[1] + I[5] * v[2], out);
}

/* Returns an upper bound of the angle by which a body without torque rotates in a time [rad]. The spin w of a
 * symmetric body has a constant size. For other bodies, Euler's equations imply |dw/dt| <= w^2/sqrt(3),
 * because the principal moments fulfil the triangle inequality. Also, w <= |L| trace(1/I). */
static double bound_free_turn(const sc_tensor *tensor, const double L[3], const double spin[3], double time) {
  const double *J = tensor->inverse, turn = sc_norm(spin) * time;
  if (sc_turn_axis(tensor->inertia) >= 0) return turn * (1 + 1e-9);
  const double by_momentum = sc_norm(L) * (J[0] + J[3] + J[5]) * time, slack = 1 - turn / sqrt(3);
  return slack > 0 ? fmin(by_momentum, turn / slack) : by_momentum;
}

/* Computes orientation and spin of the free motion at t. */
static void turn_back(const sc_way *way, double t, double turn[4], double spin[3]) {
  sc_copy3(way->spin, spin);
  memcpy(turn, way->to_turn, sizeof way->to_turn);
  sc_turn_free(way->tensor->inertia, way->tensor->inverse, -(1 - t) * way->time, turn, spin);
}

/* Sets way->rest for the present duration of the free motion, and sets spin to the spin at its start. */
static void find_rest(sc_way *way, double spin[3]) {
  static const double none[4] = {1, 0, 0, 0};
  double start[4], back[4];
  turn_back(way, 0, start, spin);
  for (int k = 0; k < 4; k++) back[k] = k ? -start[k] : start[k];
  sc_quat_mul(way->from_turn, back, way->rest);
  choose_sign(way->rest, none);
}

/* Returns the time by which the free motion must be shortened so that `rest` becomes, as far as possible, a
 * rotation about L. Both the free motion and rotations about L leave the energy unchanged. This time differs
 * from 0 because a long free motion has a numerical error. */
static double find_lag(const sc_way *way, const double spin[3], const double L[3]) {
  const double *turn = way->rest + 1, square = sc_dot(L, L), along = sc_dot(spin, L) / square;
  double across[3];
  sc_axpy(-along, L, spin, across);
  const double size = sc_dot(across, across);
  return size > 1e-12 * sc_dot(spin, spin) ? 2 * sc_dot(turn, across) / size : 0;
}

/* Computes the free motion of a body. Sets way->tensor to NULL if the body did not rotate freely. */
static void find_free_motion(sc_way *way) {
  enum { ROUNDS = 4 };
  static const double none[4] = {1, 0, 0, 0};
  const double whole = square_between(way->from_turn, way->to_turn), time = way->time;
  double spin[3], L[3];
  sc_quat_unrotate(way->to_turn, way->spin, L);
  apply_inertia(way->tensor->inertia, L, L);
  sc_quat_rotate(way->to_turn, L, L);
  find_rest(way, spin);
  for (int round = 0; round < ROUNDS; round++) {
    const double lag = find_lag(way, spin, L);
    if (!(fabs(way->time - lag - time) < 0.5 * time)) break;
    way->time -= lag;
    find_rest(way, spin);
  }
  const double apart = square_between(way->rest, none);
  if (apart < whole) way->rate = bound_free_turn(way->tensor, L, way->spin, way->time) + rate_of_line(apart);
  else way->tensor = NULL;
}

static void finish_way(const sc_bodies *bodies, int32_t row, double time, sc_way *way) {
  double d[3];
  sc_copy3(bodies->position[row], way->to);
  memcpy(way->to_turn, bodies->orientation[row], sizeof way->to_turn);
  choose_sign(way->from_turn, way->to_turn);
  sc_sub(way->to, way->from, d);
  way->length = sc_norm(d);
  way->cut = 1;
  way->rate = rate_of_line(square_between(way->from_turn, way->to_turn));
  way->tensor = bodies->kind[row] == SCREE_DYNAMIC && !bodies->planar && way->rate > 0
      ? sc_bodies_tensor(bodies, row)
      : NULL;
  way->time = time;
  sc_copy3(bodies->spin[row], way->spin);
  if (way->tensor) find_free_motion(way);
}

void sc_way_of(const scree_world *world, int32_t row, double dt, double share, sc_way *out) {
  sc_world_track_pose(world, row, dt, out->from, out->from_turn);
  finish_way(&world->bodies, row, share * dt, out);
}

void sc_way_of_fast(
    const scree_world *world, int32_t row, const sc_fast_body *fast, double dt, double share, sc_way *out) {
  sc_copy3(fast->position, out->from);
  memcpy(out->from_turn, fast->orientation, sizeof out->from_turn);
  finish_way(&world->bodies, row, share * dt, out);
}

/* Computes the orientation of the body at t, 0 < t < 1. */
static void turn_at(const sc_way *way, double t, double turn[4]) {
  double free[4], rest[4], spin[3];
  if (!way->tensor) {
    for (int k = 0; k < 4; k++) turn[k] = way->from_turn[k] + t * (way->to_turn[k] - way->from_turn[k]);
    sc_quat_normalise(turn, turn);
    return;
  }
  for (int k = 0; k < 4; k++) rest[k] = (1 - t) * way->rest[k] + (k ? 0 : t);
  sc_quat_normalise(rest, rest);
  turn_back(way, t, free, spin);
  sc_quat_mul(rest, free, turn);
  sc_quat_normalise(turn, turn);
}

void sc_way_pose(const sc_way *way, double when, double position[3], double turn[4]) {
  const double t = fmin(when, way->cut);
  for (int k = 0; k < 3; k++) position[k] = way->from[k] + t * (way->to[k] - way->from[k]);
  if (t > 0 && t < 1) turn_at(way, t, turn);
  else memcpy(turn, t > 0 ? way->to_turn : way->from_turn, sizeof way->to_turn);
}

/* Rotates a body to an orientation at constant angular momentum. Returns the change of its energy [J]. */
static double turn_body(sc_bodies *bodies, int32_t row, const double turn[4]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double before[4], spin[3], L[3], own[3];
  memcpy(before, bodies->orientation[row], sizeof before);
  sc_copy3(bodies->spin[row], spin);
  memcpy(bodies->orientation[row], turn, sizeof before);
  if (!tensor || bodies->planar) return 0;
  sc_quat_unrotate(before, spin, own);
  apply_inertia(tensor->inertia, own, own);
  sc_quat_rotate(before, own, L);
  sc_world_turn(bodies, row, L, bodies->spin[row]);
  return sc_account_turned(bodies, row, before, spin);
}

void sc_way_move_body(scree_world *world, int32_t row, const double position[3], const double turn[4]) {
  sc_bodies *bodies = &world->bodies;
  double shift[3];
  sc_sub(position, bodies->position[row], shift);
  sc_copy3(position, bodies->position[row]);
  world->energy.correction += turn_body(bodies, row, turn) -
      bodies->mass[row] * sc_dot(world->def.gravity, shift);
}
