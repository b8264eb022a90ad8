/* Advances positions and orientations with the velocities at the end of the step.
 *
 * pos' = pos + dt v, q' = exp(dt w) q. A body that is not a ball rotates free of torque within the step. Its
 * angular momentum and energy are constant, and its spin follows the inertia (math/turn/turn.c). This is the
 * gyroscopic term. In a planar world the term is 0, because the axis of every spin is the plane's normal.
 *
 * Balls rotate without sine and cosine: with h = dt |w|/2 the rotation is q' = normalise(q + tan(h) (0,w/|w|)
 * q). tan(h)/h is a short series for small h. A ball with a joint rotates by sc_turn like other bodies. */
#include "world/world.h"
#include "world/account/account.h"
#include "world/steps.h"
#include "math/turn/turn.h"
#include "math/vec.h"
#include "problem/planar.h"

#include <string.h>

/* Sets out = exp(dt w) q. */
static void rotate_ball(const double q[4], const double w[3], double dt, double out[4]) {
  static const double LARGEST = 1; /* largest h^2 for which the series is used */
  const double z = dt * dt / 4 * sc_dot(w, w);
  if (!(z < LARGEST)) {
    sc_turn(q, w, dt, out);
    return;
  }
  const double half = dt / 2 * sc_tangent_ratio(z);
  double turn[4] = {0, half * w[0], half * w[1], half * w[2]}, change[4], sum[4];
  sc_quat_mul(turn, q, change);
  for (int k = 0; k < 4; k++) sum[k] = q[k] + change[k];
  sc_quat_normalise(sum, out);
}

/* Sets out = R M R' a for a symmetric matrix M in the body's frame (R: rotation matrix of q). */
static void body_frame_apply(const double M[6], const double q[4], const double a[3], double out[3]) {
  double b[3];
  sc_quat_unrotate(q, a, b);
  double c[3] = {M[0] * b[0] + M[1] * b[1] + M[2] * b[2], M[1] * b[0] + M[3] * b[1] + M[4] * b[2],
      M[2] * b[0] + M[4] * b[1] + M[5] * b[2]};
  sc_quat_rotate(q, c, out);
}

/* Sets out to the angular acceleration about the plane's normal p by a torque: p (p.torque) / (p'I p). */
static void turn_in_plane(const sc_bodies *bodies, int32_t row, const double torque[3], double out[3]) {
  const double *p = bodies->plane;
  double Ip[3], I[6];
  sc_bodies_inertia(bodies, row, I);
  body_frame_apply(I, bodies->orientation[row], p, Ip);
  sc_scale(sc_dot(p, torque) / sc_dot(p, Ip), p, out);
}

void sc_world_flatten(sc_bodies *bodies) {
  const double *p = bodies->plane;
  for (int32_t row = 0; row < bodies->count && bodies->planar; row++) {
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    sc_planar_project(p, bodies->velocity[row], bodies->velocity[row]);
    sc_scale(sc_dot(p, bodies->spin[row]), p, bodies->spin[row]);
  }
}

void sc_world_turn(const sc_bodies *bodies, int32_t row, const double torque[3], double out[3]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  if (bodies->planar) turn_in_plane(bodies, row, torque, out);
  else if (!tensor) sc_scale(bodies->ball_inverse[row], torque, out);
  else body_frame_apply(tensor->inverse, bodies->orientation[row], torque, out);
}

void sc_world_advance_row(sc_bodies *bodies, int32_t row, double dt, bool held) {
  if (bodies->kind[row] == SCREE_FIXED) return;
  sc_axpy(dt, bodies->velocity[row], bodies->position[row], bodies->position[row]);
  double *w = bodies->spin[row], *q = bodies->orientation[row];
  if (w[0] == 0 && w[1] == 0 && w[2] == 0) return;
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  if (bodies->kind[row] == SCREE_DYNAMIC && tensor && !bodies->planar)
    sc_turn_free(tensor->inertia, tensor->inverse, dt, q, w);
  else if (bodies->tensor_row[row] == SC_TENSOR_BALL && !held) rotate_ball(q, w, dt, q);
  else sc_turn(q, w, dt, q);
}

void sc_world_hold(int32_t a, int32_t b, uint8_t *mark) {
  if (a >= 0 && !mark[a]) mark[a] = SC_HELD;
  if (b >= 0 && !mark[b]) mark[b] = SC_HELD;
}

scree_status sc_world_open_held(scree_world *world, uint8_t **held, scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  *held = NULL;
  if (!sc_joints_any(&world->joints)) return SCREE_OK;
  uint8_t *mark = SC_TAKE(&world->arena, uint8_t, (size_t)bodies->count + 1);
  if (!mark) return sc_fail(error, SCREE_E_MEMORY, "no memory to mark %d bodies", bodies->count);
  memset(mark, 0, (size_t)bodies->count + 1);
  *held = mark;
  return SCREE_OK;
}

scree_status sc_world_mark_held(scree_world *world, uint8_t **held, scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  const scree_status status = sc_world_open_held(world, held, error);
  for (int32_t i = 0; i < world->joints.count && status == SCREE_OK; i++) {
    const scree_joint_def *def = &world->joints.row[i].def;
    sc_world_hold(sc_bodies_row(bodies, def->a), sc_bodies_row(bodies, def->b), *held);
    sc_world_hold(sc_joint_housing(bodies, def), -1, *held);
  }
  return status;
}

void sc_world_mark_bonded(const scree_world *world, uint8_t *held) {
  for (int32_t i = 0; i < world->joints.bonds.count; i++)
    sc_world_hold(world->problem.bond_side[i][0], world->problem.bond_side[i][1], held);
}

typedef struct advance {
  scree_world *world;
  double dt;
  const uint8_t *held;         /* [bodies] SC_HELD marks; NULL: there are no joints */
  const sc_solver_body *shift; /* [bodies] position shifts; NULL: no shifts */
} advance;

/* Applies a position shift to a body. Returns the energy that it adds [J]: potential energy, and the change
 * of rotational energy when the inertia rotates at a constant spin. */
static double shift_row(scree_world *world, int32_t row, const sc_solver_body *shift, double dt) {
  sc_bodies *bodies = &world->bodies;
  double w[3], before[4], *q = bodies->orientation[row];
  if (!(shift->inv_mass > 0)) return 0;
  sc_axpy(dt, shift->v, bodies->position[row], bodies->position[row]);
  double brought = -dt * bodies->mass[row] * sc_dot(world->def.gravity, shift->v);
  if (!(sc_bodies_ball(bodies, row) > 0)) { // a shift of a ball acts through its centre
    memcpy(before, q, sizeof before);
    sc_scale(1 / sc_body_scale(bodies, row), shift->q, w);
    rotate_ball(q, w, dt, q);
    brought += sc_account_turned(bodies, row, before, bodies->spin[row]);
  }
  return sc_bodies_own(bodies, row) ? brought : 0;
}

static void advance_range(void *context, int64_t first, int64_t end, double sum[SC_SUMS]) {
  const advance *a = context;
  for (int32_t row = (int32_t)first; row < end; row++) {
    const uint8_t held = a->held ? a->held[row] : 0;
    if (held != SC_MOVED) sc_world_advance_row(&a->world->bodies, row, a->dt, held);
    if (a->shift) sum[0] += shift_row(a->world, row, a->shift + row, a->dt);
  }
}

void sc_world_advance(scree_world *world, double dt, const uint8_t *held, const sc_solver_body *shift) {
  advance a = {world, dt, held, shift};
  double sum[SC_SUMS];
  sc_pool_sums(world->pool, world->bodies.count, SC_SHORT_RANGE, advance_range, &a, sum);
  world->energy.correction += sum[0];
}
