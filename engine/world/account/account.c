/* The energy balance: kinetic + potential + elastic + dissipated - work - correction is constant.
 *
 * An impulse p that changes a relative velocity from u to u' does the work p.(u + u')/2. A force f does the
 * work dt f.(v + v')/2 in a step. u and v are velocities before the solution of the step, u' and v' after the
 * solution. The kinetic energy changes by the work of gravity, of loads and of all impulses, to rounding. The
 * kinetic energy includes the energy of the rotors of joints.
 *   dissipated  minus the work of impulses on relative velocities in contacts, friction, limits and
 *               dampers; in locked rows of joints and in unresolved springs -p.found/2, with `found` the
 *               part of u that arose after the end of the last step
 *   work        work of loads, motors, driven bodies, running surfaces, and the motion of a cell; work of
 *               loads and motors along position shifts
 *   correction  potential energy of position shifts; minus the work of loads and motors along position
 *               shifts; dt/2 m g.(v' - v), because the work of gravity is computed half a step before the
 *               displacement (the sum does not grow; 0 in free flight); work of locked rows beyond their
 *               losses, and of shifts with velocities; work of springs beyond the energy that they store
 *               and lose
 * No term includes external changes, for example by set_velocity. docs/measure.md has a table. */
#include "world/account/account.h"

#include "math/vec.h"
#include "model/relative.h"
#include "problem/joints/joints.h"
#include "problem/joints/springs.h"

static double twice_kinetic(const sc_bodies *bodies, int32_t row, const double v[3], const double spin[3]) {
  double w[3], I[6];
  if (bodies->tensor_row[row] == SC_TENSOR_BALL)
    return bodies->mass[row] * sc_dot(v, v) + bodies->ball_inertia[row] * sc_dot(spin, spin);
  sc_bodies_inertia(bodies, row, I);
  sc_quat_unrotate(bodies->orientation[row], spin, w);
  return bodies->mass[row] * sc_dot(v, v) + I[0] * w[0] * w[0] + I[3] * w[1] * w[1] + I[5] * w[2] * w[2] +
      2 * (I[1] * w[0] * w[1] + I[2] * w[0] * w[2] + I[4] * w[1] * w[2]);
}

/* Returns the change of rotational energy between two spins [J]. The inertia I and both spins are in body
 * axes. */
static double rotation_energy_change(const double I[6], const double from[3], const double to[3]) {
  double d[3], s[3];
  sc_sub(to, from, d), sc_add(from, to, s);
  return 0.5 *
      (d[0] * (I[0] * s[0] + I[1] * s[1] + I[2] * s[2]) + d[1] * (I[1] * s[0] + I[3] * s[1] + I[4] * s[2]) +
          d[2] * (I[2] * s[0] + I[4] * s[1] + I[5] * s[2]));
}

/* Returns the change of kinetic energy of a body [J]. step: to->velocity - from->velocity. The function
 * multiplies differences by sums, because this loses no digits if the change is small. */
static double kinetic_change(
    const sc_bodies *bodies, int32_t row, const sc_motion *from, const sc_motion *to, const double step[3]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double sum[3], one[3], two[3];
  sc_add(from->velocity, to->velocity, sum);
  const double moving = 0.5 * bodies->mass[row] * sc_dot(step, sum);
  if (!tensor) {
    sc_sub(to->spin, from->spin, one), sc_add(from->spin, to->spin, two);
    return moving + 0.5 * bodies->ball_inertia[row] * sc_dot(one, two);
  }
  sc_quat_unrotate(bodies->orientation[row], from->spin, one);
  sc_quat_unrotate(bodies->orientation[row], to->spin, two);
  return moving + rotation_energy_change(tensor->inertia, one, two);
}

double sc_account_turned(const sc_bodies *bodies, int32_t row, const double from[4], const double spin[3]) {
  const sc_tensor *tensor = sc_bodies_tensor(bodies, row);
  double one[3], two[3];
  if (!tensor) return 0;
  sc_quat_unrotate(from, spin, one);
  sc_quat_unrotate(bodies->orientation[row], bodies->spin[row], two);
  return rotation_energy_change(tensor->inertia, one, two);
}

static bool is_counted(const sc_bodies *bodies, int32_t row) {
  return bodies->kind[row] == SCREE_DYNAMIC && sc_bodies_own(bodies, row);
}

sc_change sc_account_change(const sc_bodies *bodies, const double gravity[3], int32_t row,
    const sc_motion *from, const sc_motion *to, const double load[6], double dt) {
  double mean[3], turn[3], step[3], m = bodies->mass[row];
  sc_change c = {0};
  if (!is_counted(bodies, row)) return c;
  sc_add(from->velocity, to->velocity, mean);
  sc_add(from->spin, to->spin, turn);
  sc_sub(to->velocity, from->velocity, step);
  c.loads = dt / 2 * (sc_dot(load, mean) + sc_dot(load + 3, turn));
  c.early = -dt / 2 * m * sc_dot(gravity, step);
  c.lost = dt / 2 * m * sc_dot(gravity, mean) + c.loads - kinetic_change(bodies, row, from, to, step);
  return c;
}

double sc_account_energy(
    const sc_bodies *bodies, const double gravity[3], int32_t row, const sc_motion *motion) {
  if (!is_counted(bodies, row)) return 0;
  return twice_kinetic(bodies, row, motion->velocity, motion->spin) / 2 -
      bodies->mass[row] * sc_dot(gravity, motion->position);
}

double sc_account_potential(const sc_bodies *bodies, const double gravity[3]) {
  double sum = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (is_counted(bodies, row)) sum -= bodies->mass[row] * sc_dot(gravity, bodies->position[row]);
  return sum;
}

double sc_account_kinetic_of(const sc_bodies *bodies, int32_t row) {
  return twice_kinetic(bodies, row, bodies->velocity[row], bodies->spin[row]) / 2;
}

double sc_account_kinetic(const sc_bodies *bodies) {
  double sum = 0;
  for (int32_t row = 0; row < bodies->count; row++)
    if (is_counted(bodies, row)) sum += sc_account_kinetic_of(bodies, row);
  return sum;
}

double sc_account_rotors(const sc_joints *joints) {
  double sum = 0;
  for (int32_t i = 0; i < joints->count; i++)
    sum += sc_joint_rotor_energy(joints->row + i, joints->row[i].rotor);
  return sum;
}

double sc_account_driven(const sc_bodies *bodies, const sc_contact *c, const double impulse[3]) {
  double r1[3], r2[3], v[3];
  if (bodies->kind[c->body2] != SCREE_KINEMATIC && !sc_bodies_runs(bodies, c->body2)) return 0;
  sc_contact_arms(bodies, c->body1, c->body2, &c->image, c->point, c->normal, r1, r2);
  sc_surface_velocity(bodies, c->body2, r2, c->normal, v);
  return sc_dot(impulse, v);
}

/* Returns the part of the relative velocity of a joint row that its immovable bodies cause (driven bodies and
 * moving surfaces). */
static double driven_velocity_of_row(const sc_problem *problem, const sc_joint_row *row) {
  const sc_solver_body *a = problem->body + row->i, *b = problem->body + row->j;
  double sum = 0;
  if (!(a->inv_mass > 0)) sum += sc_dot(row->lin1, a->v) + sc_dot(row->ang1, a->q);
  if (!(b->inv_mass > 0)) sum += sc_dot(row->lin2, b->v) + sc_dot(row->ang2, b->q);
  const sc_joint_third *third = sc_problem_third(problem, row);
  const sc_solver_body *c = third ? problem->body + third->body : NULL;
  if (c && !(c->inv_mass > 0)) sum += sc_dot(third->lin, c->v) + sc_dot(third->ang, c->q);
  return sum;
}

/* Returns true if the impulse of a row can have only one sign, as the impulse of a limit. */
static bool is_one_sided(const sc_joint_row *row) { return row->lo == 0 && row->hi == INFINITY; }

bool sc_account_is_motor(const sc_joint_row *row) {
  if (row->rotor) return false;
  if (row->softness > 0) return row->motor;
  return row->free && !is_one_sided(row) && (row->lo == row->hi || row->bias != 0);
}

void sc_account_row(
    const sc_problem *problem, const sc_joint_row *row, const sc_row_motion *m, sc_row_work *sum) {
  const double done = row->x * (m->before + m->after) / 2, found = row->x * m->found / 2;
  sum->work -= row->x * driven_velocity_of_row(problem, row);
  if (row->rotor) { // a change of the rotor's own energy
    const double stored = -row->x * (sc_joint_row_rotor(row) - row->bias) / 2;
    sum->scheme += done + stored, sum->stored += stored;
    return;
  }
  if (sc_account_is_motor(row)) {
    sum->work += done;
  } else if (row->softness > 0 && row->lo == -INFINITY) {
    const double taken = sc_spring_loss(row, m->before, m->after) - (row->unresolved ? found : 0);
    sum->lost += taken, sum->scheme += done + taken;
  } else if (row->free || row->lo > -INFINITY) { // friction, also of a ball joint, or a limit
    sum->lost -= done;
  } else {
    sum->lost -= found, sum->scheme += done - found;
  }
}

/* ---- velocity changes between steps ---- */

void sc_account_note(sc_bodies *bodies, sc_joints *joints) {
  if (!bodies->left) return;
  for (int32_t row = 0; row < bodies->count; row++) {
    sc_copy3(bodies->velocity[row], bodies->left[row]);
    sc_copy3(bodies->spin[row], bodies->left[row] + 3);
  }
  joints->met = joints->serial;
}

static bool has_changed(const sc_bodies *bodies, int32_t row) {
  const double *v = bodies->velocity[row], *w = bodies->spin[row], *left = bodies->left[row];
  return v[0] != left[0] || v[1] != left[1] || v[2] != left[2] || w[0] != left[3] || w[1] != left[4] ||
      w[2] != left[5];
}

bool sc_account_changed(const sc_bodies *bodies, const sc_joints *joints) {
  const sc_bonds *bonds = &joints->bonds;
  if (!sc_joints_any(joints) || !bodies->left) return false;
  if (joints->count && joints->row[joints->count - 1].id > joints->met) return true;
  if (bonds->count && bonds->row[bonds->count - 1].id > joints->met) return true;
  for (int32_t row = 0; row < bodies->count; row++)
    if (has_changed(bodies, row)) return true;
  return false;
}

static double found_by(
    const sc_bodies *bodies, int32_t body, bool all, const double lin[3], const double ang[3]) {
  double v[3], w[3];
  if (body >= bodies->count) return 0;
  sc_copy3(bodies->velocity[body], v), sc_copy3(bodies->spin[body], w);
  if (!all) sc_sub(v, bodies->left[body], v), sc_sub(w, bodies->left[body] + 3, w);
  return sc_dot(lin, v) + sc_body_scale(bodies, body) * sc_dot(ang, w);
}

double sc_account_found(const sc_bodies *bodies, uint64_t met, const sc_problem *problem,
    const sc_joint *joint, const sc_joint_row *row) {
  const bool all = joint->id > met;
  const sc_joint_third *third = sc_problem_third(problem, row);
  const double sum = found_by(bodies, row->i, all, row->lin1, row->ang1) +
      found_by(bodies, row->j, all, row->lin2, row->ang2);
  return third ? sum + found_by(bodies, third->body, all, third->lin, third->ang) : sum;
}

/* ---- energies of the solution of a step ---- */

sc_change sc_account_solved(const sc_bodies *bodies, const double gravity[3], int32_t row,
    const sc_solver_body *solved, double time) {
  sc_motion from, to;
  if (!is_counted(bodies, row)) return (sc_change){0};
  sc_copy3(bodies->velocity[row], from.velocity);
  sc_copy3(bodies->spin[row], from.spin);
  sc_copy3(solved->v, to.velocity);
  sc_scale(1 / sc_body_scale(bodies, row), solved->q, to.spin);
  return sc_account_change(bodies, gravity, row, &from, &to, sc_bodies_load(bodies, row), time);
}
