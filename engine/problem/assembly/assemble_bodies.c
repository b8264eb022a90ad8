/* Assembly of bodies: velocities from forces without contacts and joints, masses, and inertias in world axes.
 *
 * Free velocities: v + dt (g + f/m), w + dt I^-1 torque. The gyroscopic term acts when orientations are
 * advanced, where angular momentum is conserved exactly (world/step/integrate.c). The solver body of a body
 * has the scaled spin q = s w. s is the radius of a ball, the bounding radius of a general body, and 1 for
 * bodies that cannot move. */
#include <string.h>
#include "math/vec.h"
#include "model/rest.h"
#include "problem/assembly/assemble.h"
#include "problem/planar.h"
#include "problem/assembly/assembly.h"
#include "problem/contacts/contacts.h"

/* Computes K = s^2 R I^-1 R' in world axes, symmetric. B: I^-1 in the body's axes. R: rotation matrix of
 * q. */
static void scaled_inverse_inertia(const double B[6], const double q[4], double s, double K[6]) {
  double R[9], T[9], M[9] = {B[0], B[1], B[2], B[1], B[3], B[4], B[2], B[4], B[5]};
  sc_quat_matrix(q, R);
  sc_mat_mul(R, M, T);
  K[0] = sc_dot(T, R) * s * s;
  K[1] = sc_dot(T, R + 3) * s * s;
  K[2] = sc_dot(T, R + 6) * s * s;
  K[3] = sc_dot(T + 3, R + 3) * s * s;
  K[4] = sc_dot(T + 3, R + 6) * s * s;
  K[5] = sc_dot(T + 6, R + 6) * s * s;
}

/* Computes K = s^2 p p' / (p'I p) of a body in a planar problem. p: normal of the plane. I: inertia in world
 * axes. */
static void planar_inverse_inertia(const sc_assemble_in *in, int32_t row, double s, double K[6]) {
  const double *p = in->bodies->plane;
  double a[3], I[6];
  sc_bodies_inertia(in->bodies, row, I);
  sc_quat_unrotate(in->bodies->orientation[row], p, a);
  double about = I[0] * a[0] * a[0] + I[3] * a[1] * a[1] + I[5] * a[2] * a[2] +
      2 * (I[1] * a[0] * a[1] + I[2] * a[0] * a[2] + I[4] * a[1] * a[2]);
  double k = s * s / about;
  K[0] = k * p[0] * p[0];
  K[1] = k * p[0] * p[1];
  K[2] = k * p[0] * p[2];
  K[3] = k * p[1] * p[1];
  K[4] = k * p[1] * p[2];
  K[5] = k * p[2] * p[2];
}

void sc_assemble_body(const sc_assemble_in *in, int32_t row, sc_solver_body *body, double K[6]) {
  const sc_bodies *bodies = in->bodies;
  double s = sc_body_scale(bodies, row);
  sc_copy3(bodies->velocity[row], body->v);
  sc_scale(s, bodies->spin[row], body->q);
  if (in->wrap && bodies->cell->moves) {
    double drift[3];
    sc_cell_drift(bodies->cell, in->wrap + row, drift);
    sc_sub(body->v, drift, body->v);
  }
  body->inv_mass = bodies->inv_mass[row];
  body->k = 0;
  memset(K, 0, 6 * sizeof *K);
  if (sc_bodies_asleep(bodies, row)) body->inv_mass = 0; // an immovable body with velocity 0
  if (bodies->kind[row] != SCREE_DYNAMIC || sc_bodies_asleep(bodies, row)) return;
  const double *force = sc_bodies_load(bodies, row), *torque = force + 3;
  const double dt = in->no_forces ? 0 : in->dt;
  for (int k = 0; k < 3; k++) body->v[k] += dt * (in->gravity[k] + force[k] * body->inv_mass);
  if (in->bodies->planar) {
    planar_inverse_inertia(in, row, s, K);
    sc_planar_project(in->bodies->plane, body->v, body->v);
    sc_scale(sc_dot(in->bodies->plane, body->q), in->bodies->plane, body->q);
  } else if (bodies->tensor_row[row] == SC_TENSOR_BALL) {
    body->k = s * s * bodies->ball_inverse[row];
    K[0] = K[3] = K[5] = body->k;
  } else {
    scaled_inverse_inertia(sc_bodies_tensor(bodies, row)->inverse, bodies->orientation[row], s, K);
  }
  if (torque[0] != 0 || torque[1] != 0 || torque[2] != 0)
    for (int k = 0; k < 3; k++) {
      const double rows[3][3] = {{K[0], K[1], K[2]}, {K[1], K[3], K[4]}, {K[2], K[4], K[5]}};
      body->q[k] += dt / s * sc_dot(rows[k], torque);
    }
}

/* Divides the mass of a body equally among its copies on several ranks: multiplies 1/m and K by their
 * number. */
static void share_mass(int32_t copies, sc_solver_body *body, double K[6]) {
  body->inv_mass *= copies;
  body->k *= copies;
  for (int k = 0; k < 6; k++) K[k] *= copies;
}

/* Returns true if every body that can move has the same inertia about all axes, and the problem is not
 * planar. */
static bool all_round(const sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && bodies->tensor_row[row] != SC_TENSOR_BALL) return false;
  return !bodies->planar;
}

static bool allocate_bodies(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem) {
  size_t rows = (size_t)in->bodies->count + 1;
  bool round = all_round(in->bodies);
  problem->bodies = (int32_t)rows;
  problem->body = SC_TAKE(
      arena, sc_solver_body, rows + (in->store ? (size_t)sc_contacts_spare(in->store) : 0));
  problem->position = in->wrapped ? in->wrapped : (const double(*)[3])in->bodies->position;
  problem->velocity = in->bodies->velocity;
  problem->spin = in->bodies->spin;
  problem->scale = in->bodies->radius;
  if (!round) problem->K = SC_TAKE(arena, sc_inertia_row, rows);
  return problem->body && (round || problem->K);
}
typedef struct setter {
  const sc_assemble_in *in;
  sc_problem *problem;
} setter;

static void set_bodies(void *context, int64_t first, int64_t end) {
  const setter *s = context;
  for (int64_t row = first; row < end; row++) {
    double round[6], *K = s->problem->K ? s->problem->K[row] : round;
    if (s->in->alone && s->in->alone[row]) {
      s->problem->body[row] = (sc_solver_body){.inv_mass = 0};
      memset(K, 0, 6 * sizeof *K);
      continue;
    }
    sc_assemble_body(s->in, (int32_t)row, s->problem->body + row, K);
    if (s->in->copies && s->in->copies[row] > 1) share_mass(s->in->copies[row], s->problem->body + row, K);
  }
}
bool sc_assemble_bodies(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem) {
  int32_t rows = in->bodies->count;
  setter s = {in, problem};
  if (!allocate_bodies(in, arena, problem)) return false;
  sc_pool_ranges(in->pool, rows, SC_SHORT_RANGE, set_bodies, &s);
  memset(problem->body + rows, 0, sizeof *problem->body);
  if (problem->K) memset(problem->K + rows, 0, sizeof *problem->K);
  return true;
}
