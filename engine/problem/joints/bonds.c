/* Bonds as soft blocks of six rows.
 *
 * d points from body 1, which can move, to body 2. The arms are c = (distance of the point)/s, and
 * ratio = s1/s2. The relative velocities are
 *     u = v1 - v2 + (c1 q1 + c2 q2) x d,     r = q1 - ratio q2 (s1 times the relative spin).
 * An impulse p on body 1 at the point and a moment s1 m change velocities by
 *     v1 += p/m1, q1 += k1 (c1 d x p + m);   v2 -= p/m2, q2 += k2 (c2 d x p - ratio m).
 * The inertia of each body is equal about all axes, so the block decouples. With h = m x d and g = r x d
 *     along d      u.d = Wn p.d,   r.d = Wr m.d
 *     across d     u = Ws p + X h,   g = X p + Wr h
 *     Wn = 1/m1 + 1/m2, Ws = Wn + c1^2 k1 + c2^2 k2, Wr = k1 + ratio^2 k2, X = c1 k1 - ratio c2 k2.
 * Springs and dampers are implicit, as in joints (springs.c): u + push = -S p, r + turn = -S m. Each equation
 * has one softness S along d and one across d. */
#include "problem/joints/bonds.h"

#include <string.h>
#include "math/vec.h"
#include "problem/joints/springs.h"

void sc_problem_bond_apply(
    const sc_problem *problem, const sc_bond_row *row, const double p[3], const double m[3]) {
  sc_solver_body *a = problem->body + row->i, *b = problem->body + row->j;
  double turn[3];
  sc_cross(row->d, p, turn);
  for (int k = 0; k < 3; k++) {
    a->v[k] += a->inv_mass * p[k];
    a->q[k] += a->k * (row->arm1 * turn[k] + m[k]);
    b->v[k] -= b->inv_mass * p[k];
    b->q[k] += b->k * (row->arm2 * turn[k] - row->ratio * m[k]);
  }
}

/* ---- blocks ---- */

typedef struct block {
  double n, s, r, x; /* Wn, Ws, Wr, X of the file head */
} block;

static block bond_block_of(const sc_solver_body *a, const sc_solver_body *b, const sc_bond_row *row) {
  block w = {.n = a->inv_mass + b->inv_mass, .r = a->k + row->ratio * row->ratio * b->k};
  w.s = w.n + row->arm1 * row->arm1 * a->k + row->arm2 * row->arm2 * b->k;
  w.x = row->arm1 * a->k - row->ratio * row->arm2 * b->k;
  return w;
}

double sc_problem_bond_residual(const sc_problem *problem, const sc_bond_row *row) {
  const sc_solver_body *a = problem->body + row->i, *b = problem->body + row->j;
  const block w = bond_block_of(a, b, row);
  const double *d = row->d, *S = row->soft;
  double u[3], r[3], g[3], square;
  sc_bond_velocity(a, b, row, u, r);
  const double pn = sc_dot(row->p, d), mn = sc_dot(row->m, d);
  for (int k = 0; k < 3; k++) {
    u[k] += row->push[k] + S[1] * row->p[k];
    r[k] += row->turn[k] + S[3] * row->m[k];
  }
  const double un = sc_dot(u, d) + (S[0] - S[1]) * pn, rn = sc_dot(r, d) + (S[2] - S[3]) * mn;
  const double along = w.n / (w.n + S[0]) * un, about = w.r / (w.r + S[2]) * rn;
  sc_axpy(-sc_dot(u, d), d, u, u);
  sc_cross(r, d, g);
  const double A = w.s + S[1], B = w.r + S[3], inv = 1 / (A * B - w.x * w.x);
  square = along * along + about * about;
  for (int k = 0; k < 3; k++) {
    const double p = (B * u[k] - w.x * g[k]) * inv, h = (A * g[k] - w.x * u[k]) * inv;
    const double du = w.s * p + w.x * h, dg = w.x * p + w.r * h;
    square += du * du + dg * dg;
  }
  return sqrt(square);
}

/* ---- assembly ---- */

enum { BODIES_AHEAD = 6 }; /* prefetch distance in bonds, because bodies of a bond are not adjacent */

typedef struct maker {
  const sc_bonds *bonds;
  const sc_bodies *bodies;
  double dt, warm_start;
  sc_problem *problem;
  sc_solver_body *start;
  int32_t (*side)[2];
} maker;

static void find_sides(void *context, int64_t first, int64_t end) {
  const maker *m = context;
  for (int64_t i = first; i < end; i++) {
    m->side[i][0] = sc_bodies_row(m->bodies, m->bonds->row[i].a);
    m->side[i][1] = sc_bodies_row(m->bodies, m->bonds->row[i].b);
  }
}

/* Stores in m->start the velocities before the step, the inverse masses and the lengths s of a range of
 * bodies. */
static void note_starts(void *context, int64_t first, int64_t end) {
  const maker *m = context;
  for (int64_t row = first; row < end; row++) {
    sc_solver_body *body = m->start + row;
    body->inv_mass = m->bodies->inv_mass[row];
    body->k = sc_body_scale(m->bodies, (int32_t)row);
    sc_copy3(m->bodies->velocity[row], body->v);
    sc_scale(body->k, m->bodies->spin[row], body->q);
  }
}

/* Sets out to along * (component of x along d) + across * (component of x perpendicular to d). */
static void scale_parts(double along, double across, const double d[3], const double x[3], double out[3]) {
  const double part = sc_dot(x, d) * (along - across);
  for (int k = 0; k < 3; k++) out[k] = across * x[k] + part * d[k];
}

/* Computes softnesses and biases of two springs of a bond, [0] along d and [1] across d. W: inverse effective
 * masses (Wn, Ws or Wr of the file head). e: stretch. u0: relative velocity before the step. */
static void soften_bond(const maker *m, const double stiffness[2], const double damping[2], const double W[2],
    const double d[3], const double e[3], const double u0[3], double soft[2], double bias[3]) {
  double stretch[2], behind[2], part[3];
  for (int k = 0; k < 2; k++) {
    const sc_spring_rates rates = sc_spring_rates_of(stiffness[k], damping[k] * stiffness[k], W[k], m->dt);
    soft[k] = 1 / fmax(m->dt * rates.ahead, 1e-250);
    stretch[k] = stiffness[k] * m->dt * soft[k];
    behind[k] = rates.behind * m->dt * soft[k];
  }
  scale_parts(stretch[0], stretch[1], d, e, bias);
  scale_parts(behind[0], behind[1], d, u0, part);
  sc_sub(bias, part, bias);
}

/* Makes the row of a bond that breaks in this step. With the softness 1e100 the row's impulse is the constant
 * load of the bond. */
static void make_yielding(const maker *m, const sc_bond *bond, double s1, double sign, sc_bond_row *row) {
  static const double slack = 1e100;
  sc_scale(sign * m->dt, bond->force, row->p);
  sc_scale(sign * m->dt / s1, bond->torque, row->m);
  for (int k = 0; k < 4; k++) row->soft[k] = slack;
  sc_scale(-slack, row->p, row->push);
  sc_scale(-slack, row->m, row->turn);
}

/* Sets softness and bias of a row from the springs and dampers of its bond. */
static void make_bond_springs(
    const maker *m, const sc_bond *bond, const sc_bond_pose *pose, double s1, double sign, sc_bond_row *row) {
  const scree_bond_ways k = bond->stiffness, c = sc_bond_glue(m->bonds, bond)->damping;
  const block w = bond_block_of(m->problem->body + row->i, m->problem->body + row->j, row);
  const double square = s1 * s1, shift[2] = {k.normal, k.shear},
               turn[2] = {k.twist / square, k.bending / square}, W[2] = {w.n, w.s}, Wr[2] = {w.r, w.r},
               slow[2] = {c.normal, c.shear}, slow_turn[2] = {c.twist, c.bending};
  double u[3], r[3], e[3];
  sc_bond_velocity(m->start + row->i, m->start + row->j, row, u, r);
  sc_scale(sign, pose->stretch, e);
  soften_bond(m, shift, slow, W, row->d, e, u, row->soft, row->push);
  sc_scale(sign * s1, pose->turned, e);
  soften_bond(m, turn, slow_turn, Wr, row->d, e, r, row->soft + 2, row->turn);
}

/* Makes a row without effect, for a bond without an axis. Returns 0, the energy of the bond. */
static double make_idle(const maker *m, sc_bond_row *row) {
  memset(row, 0, sizeof *row);
  row->i = row->j = m->problem->bodies - 1;
  for (int k = 0; k < 4; k++) row->soft[k] = 1;
  return 0;
}

/* Makes the row of a bond. Body 1 of the row is a, or b if a cannot move. Returns the energy in the bond
 * [J]. */
static double make_row(const maker *m, int64_t index, sc_bond_row *row) {
  const sc_bond *bond = m->bonds->row + index;
  const int32_t *side = m->side[index];
  sc_bond_pose pose;
  if (!sc_bond_place_rows(m->bodies, bond, side[0], side[1], &pose)) return make_idle(m, row);
  const bool swap = !(m->problem->body[pose.row1].inv_mass > 0);
  const double sign = row->sign = swap ? -1 : 1;
  row->i = swap ? pose.row2 : pose.row1;
  row->j = swap ? pose.row1 : pose.row2;
  const double s1 = m->start[row->i].k, s2 = m->start[row->j].k;
  sc_scale(sign, pose.axis, row->d);
  row->arm1 = (swap ? pose.arm2 : pose.arm1) / s1;
  row->arm2 = (swap ? pose.arm1 : pose.arm2) / s2;
  row->ratio = s1 / s2;
  sc_scale(sign * m->dt * m->warm_start, bond->force, row->p);
  sc_scale(sign * m->dt * m->warm_start / s1, bond->torque, row->m);
  if (bond->yields) make_yielding(m, bond, s1, sign, row);
  else make_bond_springs(m, bond, &pose, s1, sign, row);
  return sc_bond_elastic(bond, &pose);
}

SC_FETCH fetch_sides(const maker *m, const int32_t side[2]) {
  sc_bond_fetch(m->bodies, side);
  for (int k = 0; k < 2; k++) {
    if (side[k] < 0) continue;
    __builtin_prefetch(m->start + side[k]);
    __builtin_prefetch(m->problem->body + side[k]);
  }
}

static double make_bond_rows(void *context, int64_t first, int64_t end) {
  const maker *m = context;
  double stored = 0;
  for (int64_t i = first; i < end; i++) {
    if (i + BODIES_AHEAD < end) fetch_sides(m, m->side[i + BODIES_AHEAD]);
    stored += make_row(m, i, m->problem->bond + i);
  }
  return stored;
}

bool sc_bonds_assemble(const sc_bonds *bonds, const sc_bodies *bodies, double dt, double warm_start,
    sc_pool *pool, sc_arena *arena, sc_problem *problem) {
  maker m = {bonds, bodies, dt, warm_start, problem, .start = SC_TAKE(arena, sc_solver_body, bodies->count)};
  m.side = sc_arena_take(arena, (size_t)bonds->count * sizeof *m.side);
  problem->bonds = bonds->count;
  problem->bond = SC_TAKE(arena, sc_bond_row, bonds->count);
  problem->bond_start = m.start;
  problem->bond_side = m.side;
  if (!problem->bond || !m.start || !m.side) return false;
  sc_pool_ranges(pool, bodies->count, SC_RANGE, note_starts, &m);
  sc_pool_ranges(pool, bonds->count, SC_RANGE, find_sides, &m);
  problem->bond_energy = sc_pool_sum(pool, bonds->count, make_bond_rows, &m);
  return true;
}

/* ---- after the solve ---- */

/* Computes the products of a and b by parts: out[0] from the components along d, out[1] from the components
 * perpendicular to d. */
static void multiply_parts(const double d[3], const double a[3], const double b[3], double out[2]) {
  out[0] = sc_dot(a, d) * sc_dot(b, d);
  out[1] = sc_dot(a, b) - out[0];
}

typedef struct keeper {
  sc_bonds *bonds;
  const sc_problem *problem;
  const sc_bonds_found *found; /* NULL: velocities have not changed since the end of the last step */
} keeper;

/* Returns the energy that dampers absorb at the mean velocities u and r [J]. */
static double damper_loss(const keeper *k, int64_t index, const double u[3], const double r[3]) {
  const sc_bond_row *row = k->problem->bond + index;
  const sc_bond *bond = k->bonds->row + index;
  const scree_bond_ways s = bond->stiffness, c = sc_bond_glue(k->bonds, bond)->damping;
  const double s1 = k->problem->bond_start[row->i].k;
  double shift[2], turn[2];
  multiply_parts(row->d, u, u, shift), multiply_parts(row->d, r, r, turn);
  return k->problem->dt *
      (c.normal * s.normal * shift[0] + c.shear * s.shear * shift[1] +
          (c.twist * s.twist * turn[0] + c.bending * s.bending * turn[1]) / (s1 * s1));
}

/* Returns a solver body whose velocity is the change of velocity since the end of the last step. all: true:
 * returns the whole velocity, for a bond that is new in this step. */
static sc_solver_body found_on(const keeper *k, int32_t row, bool all) {
  sc_solver_body body = k->problem->bond_start[row];
  const double *left = k->found->left[row];
  if (all) return body;
  sc_sub(body.v, left, body.v);
  sc_axpy(-body.k, left + 3, body.q, body.q);
  return body;
}

/* Returns the energy that the springs along d and across d dissipate [J]: impulse x times half the velocity
 * u. A spring whose motion the step resolves dissipates nothing. */
static double unresolved_loss(const double d[3], const double x[3], const double u[3],
    const double stiffness[2], const double damping[2], const double W[2], double h) {
  double done[2], sum = 0;
  multiply_parts(d, x, u, done);
  for (int k = 0; k < 2; k++)
    if (sc_spring_rates_of(stiffness[k], damping[k] * stiffness[k], W[k], h).unresolved) sum -= done[k] / 2;
  return sum;
}

/* Returns the energy that those springs of a bond dissipate whose motion the step does not resolve. Like a
 * rigid bond, such a spring stops the relative velocity that has arisen since the end of the last step. */
static double bond_unresolved_loss(const keeper *k, int64_t index) {
  const sc_problem *problem = k->problem;
  const sc_bond_row *row = problem->bond + index;
  const sc_bond *bond = k->bonds->row + index;
  const scree_bond_ways s = bond->stiffness, c = sc_bond_glue(k->bonds, bond)->damping;
  const bool all = bond->id > k->found->met;
  const sc_solver_body a = found_on(k, row->i, all), b = found_on(k, row->j, all);
  const block w = bond_block_of(problem->body + row->i, problem->body + row->j, row);
  const double square = a.k * a.k, stiff[2] = {s.normal, s.shear}, slow[2] = {c.normal, c.shear},
               stiff_turn[2] = {s.twist / square, s.bending / square}, slow_turn[2] = {c.twist, c.bending};
  double u[3], r[3];
  sc_bond_velocity(&a, &b, row, u, r);
  return unresolved_loss(row->d, row->p, u, stiff, slow, (const double[2]){w.n, w.s}, problem->dt) +
      unresolved_loss(row->d, row->m, r, stiff_turn, slow_turn, (const double[2]){w.r, w.r}, problem->dt);
}

/* Adds the work and the losses of a bond's impulses to sum. For a bond that breaks, the loss is all of the
 * work. */
static void add_work(const keeper *k, int64_t index, double sum[SC_SUMS]) {
  const sc_problem *problem = k->problem;
  const sc_bond_row *row = problem->bond + index;
  const sc_solver_body *b = problem->bond_start + row->j, none = {.inv_mass = 0};
  double u[3], r[3], u1[3], r1[3];
  sc_bond_velocity(problem->bond_start + row->i, b, row, u, r);
  sc_bond_velocity(problem->body + row->i, problem->body + row->j, row, u1, r1);
  for (int x = 0; x < 3; x++) u[x] = (u[x] + u1[x]) / 2, r[x] = (r[x] + r1[x]) / 2;
  const double done = sc_dot(row->p, u) + sc_dot(row->m, r);
  double lost = -done;
  if (!k->bonds->row[index].yields)
    lost = damper_loss(k, index, u, r) + (k->found ? bond_unresolved_loss(k, index) : 0);
  sum[0] += done + lost;
  sum[1] += lost;
  if (b->inv_mass > 0) return;
  sc_bond_velocity(&none, b, row, u, r);
  sum[2] -= sc_dot(row->p, u) + sc_dot(row->m, r);
}

void sc_bond_load(const sc_problem *problem, const sc_bond_row *row, double force[3], double torque[3]) {
  sc_scale(row->sign / problem->dt, row->p, force);
  sc_scale(row->sign * problem->bond_start[row->i].k / problem->dt, row->m, torque);
}

typedef struct judge {
  const sc_bonds *bonds;
  const sc_problem *problem;
  int8_t *cause;
  double *share;
} judge;

static double judge_range(void *context, int64_t first, int64_t end) {
  const judge *j = context;
  double count = 0, force[3], torque[3], axis[3];
  for (int64_t i = first; i < end; i++) {
    const sc_bond_row *row = j->problem->bond + i;
    const sc_bond *bond = j->bonds->row + i;
    const scree_glue *glue = sc_bond_glue(j->bonds, bond);
    j->cause[i] = -1;
    if (bond->yields || row->i == j->problem->bodies - 1 || !sc_glue_breaks(glue)) continue;
    sc_bond_load(j->problem, row, force, torque);
    sc_scale(row->sign, row->d, axis);
    j->cause[i] = (int8_t)sc_bond_cause(bond, glue, axis, force, torque, j->share + i);
    count += j->cause[i] >= 0;
  }
  return count;
}

int32_t sc_bonds_judge(
    const sc_bonds *bonds, const sc_problem *problem, sc_pool *pool, int8_t *cause, double *share) {
  judge j = {bonds, problem, cause, share};
  return (int32_t)sc_pool_sum(pool, bonds->count, judge_range, &j);
}

SC_FETCH fetch_row(const sc_problem *problem, const sc_bond_row *row) {
  if (row->i == problem->bodies - 1) return;
  __builtin_prefetch(problem->bond_start + row->i);
  __builtin_prefetch(problem->bond_start + row->j);
  __builtin_prefetch(problem->body + row->i);
  __builtin_prefetch(problem->body + row->j);
}

/* Stores the forces of a range of bonds, and adds their work and losses to `part`. */
static void keep_range(void *context, int64_t first, int64_t end, double part[SC_SUMS]) {
  const keeper *k = context;
  for (int64_t i = first; i < end; i++) {
    if (i + BODIES_AHEAD < end) fetch_row(k->problem, k->problem->bond + i + BODIES_AHEAD);
    const sc_bond_row *row = k->problem->bond + i;
    sc_bond *bond = k->bonds->row + i;
    if (row->i == k->problem->bodies - 1) continue;
    sc_bond_load(k->problem, row, bond->force, bond->torque);
    add_work(k, i, part);
  }
}

sc_bonds_work sc_bonds_keep(
    sc_bonds *bonds, const sc_problem *problem, const sc_bonds_found *found, sc_pool *pool) {
  keeper k = {bonds, problem, found};
  double sum[SC_SUMS];
  sc_pool_sums(pool, problem->bonds, SC_RANGE, keep_range, &k, sum);
  return (sc_bonds_work){sum[0], sum[1], sum[2], problem->bond_energy};
}
