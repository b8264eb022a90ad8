/* Response of mechanisms to impulses.
 *
 * Joints are rigid during an impact. An impulse p at a point changes the velocities of a mechanism by
 *     M^-1 (D' p + J' y),   y such that J M^-1 (D' p + J' y) = 0.
 * M: masses, D: Jacobian of the point, J: Jacobian of the joints, y: impulses of the joints, ': transpose.
 * The factors of solve/joints/joint_blocks.h solve this equation. At the point, the mechanism has the inverse
 * effective mass D M^-1 D' - D M^-1 J' (J M^-1 J')^+ J M^-1 D' (+: pseudoinverse). The impact laws use it as
 * they use the inverse mass of a free body. Limits, bounded motors and friction have no impulse, because an
 * impact has no duration. */
#include <string.h>
#include "math/vec.h"
#include "problem/assembly/assemble.h"
#include "problem/joints/joint_reactions.h"
#include "problem/joints/joints.h"
#include "problem/planar.h"
#include "solve/joints/joint_blocks.h"
#include "world/world.h"
#include "world/steps.h"
#include "world/impact/impact.h"
#include "world/account/account.h"
#include "problem/operator/delassus.h"
#include "problem/assembly/assembly.h"

enum { MOST_SWEEPS = 200 }; /* largest number of sweeps over the joint blocks of a mechanism */

struct sc_tied {
  sc_bodies *bodies;
  sc_joints *joints;
  /* rows of joints; problem.body: changes of the bodies' velocities, 0 between calls */
  sc_problem problem;
  sc_joint_blocks blocks; /* factors of the joint rows */
  int32_t *leader;        /* [bodies] union-find parent within a mechanism; -1: the body has no joints */
  /* [bodies] index in `blocks` of the first block of a mechanism, stored at its leader; -1: the body leads no
   * mechanism */
  int32_t *first;
  int32_t *next; /* [blocks] index of the next block of the same mechanism; -1: none */
  double work;   /* work of driven bodies and motors by impulses of joints since the last sc_tied_work [J] */
};

/* ---- creation ---- */

static int32_t mechanism_root_of(int32_t *leader, int32_t row) {
  while (leader[row] != row) row = leader[row] = leader[leader[row]];
  return row;
}

static bool is_movable_row(const sc_tied *t, int32_t row) {
  return row < t->bodies->count && t->problem.body[row].inv_mass > 0;
}

/* Sets mass and inertia of a body in the problem. Makes the body its own union-find leader. */
static void set_body(const sc_tied *t, int32_t row) {
  const sc_assemble_in in = {.bodies = t->bodies};
  sc_assemble_body(&in, row, t->problem.body + row, t->problem.K[row]);
  t->leader[row] = row;
}

/* Unites the mechanisms of two bodies if both can move. a, b: rows of the bodies; -1: none. */
static void unite_bodies(sc_tied *t, int32_t a, int32_t b) {
  if (a < 0 || b < 0 || !is_movable_row(t, a) || !is_movable_row(t, b)) return;
  const int32_t one = mechanism_root_of(t->leader, a), two = mechanism_root_of(t->leader, b);
  t->leader[one > two ? one : two] = one > two ? two : one;
}

/* Sets up all bodies with joints and finds their mechanisms. */
static void set_bodies(sc_tied *t, const sc_joints *joints) {
  int32_t rows = t->bodies->count;
  for (int32_t row = 0; row < rows; row++) t->leader[row] = -1;
  memset(t->problem.body + rows, 0, sizeof *t->problem.body);
  memset(t->problem.K[rows], 0, sizeof *t->problem.K);
  for (int32_t i = 0; i < joints->count; i++) {
    const scree_joint_def *def = &joints->row[i].def;
    int32_t a = sc_bodies_row(t->bodies, def->a), b = sc_bodies_row(t->bodies, def->b);
    const int32_t housing = sc_joint_housing(t->bodies, def);
    if (a >= 0 && t->leader[a] < 0) set_body(t, a);
    if (b >= 0 && t->leader[b] < 0) set_body(t, b);
    if (housing >= 0 && t->leader[housing] < 0) set_body(t, housing);
    unite_bodies(t, a, b);
    unite_bodies(t, a, housing);
    unite_bodies(t, b, housing);
  }
}

/* Disables all rows that are not rigid: springs, limits, bounded motors and friction. Rotors take part. */
static void disable_soft_rows(sc_problem *problem) {
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    sc_joint_row *row = problem->joint_row + r;
    row->x = 0;
    if (row->rotor) continue;
    row->bias = 0;
    if (!sc_joint_row_held(row) || row->softness > 0) row->lo = row->hi = 0;
  }
}

static void list_blocks(sc_tied *t) {
  for (int32_t row = 0; row < t->bodies->count; row++) t->first[row] = -1;
  for (int32_t b = t->blocks.count - 1; b >= 0; b--) {
    const sc_joint_row *row = t->problem.joint_row + t->blocks.block[b].row[0];
    int32_t lead = mechanism_root_of(t->leader, is_movable_row(t, row->i) ? row->i : row->j);
    t->next[b] = t->first[lead];
    t->first[lead] = b;
  }
}

static bool allocate_bodies(sc_tied *t, sc_arena *arena) {
  size_t rows = (size_t)t->bodies->count + 1;
  t->problem.bodies = (int32_t)rows;
  t->problem.planar = t->bodies->planar;
  sc_copy3(t->bodies->plane, t->problem.plane);
  t->problem.body = SC_TAKE(arena, sc_solver_body, rows);
  t->problem.K = SC_TAKE(arena, sc_inertia_row, rows);
  t->leader = SC_TAKE(arena, int32_t, rows);
  t->first = SC_TAKE(arena, int32_t, rows);
  return t->problem.body && t->problem.K && t->leader && t->first;
}

/* ---- impulses ---- */

static void add_change(sc_tied *t, int32_t row) {
  sc_solver_body *change = t->problem.body + row;
  sc_add(t->bodies->velocity[row], change->v, t->bodies->velocity[row]);
  sc_axpy(1 / sc_body_scale(t->bodies, row), change->q, t->bodies->spin[row], t->bodies->spin[row]);
}

/* Solves the joints of a mechanism for the present velocity changes of its bodies. lead: leader of the
 * mechanism. */
static void solve_mechanism(sc_tied *t, int32_t lead) {
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    double moved = 0;
    for (int32_t b = t->first[lead]; b >= 0; b = t->next[b])
      moved = fmax(moved, sc_joint_block_relax(&t->problem, t->blocks.block + b));
    if (!(moved > 0) || t->first[lead] < 0 || t->next[t->first[lead]] < 0)
      return; // a single block is solved exactly
  }
}

/* Returns the contribution of a body to the relative velocity of a row before the impact. Returns 0 if
 * `driven` and the body is movable. lin, ang: Jacobian of the row for this body. */
static double body_velocity_along(
    const sc_tied *t, int32_t body, bool driven, const double lin[3], const double ang[3]) {
  if (body >= t->bodies->count || (driven && is_movable_row(t, body))) return 0;
  return sc_dot(lin, t->bodies->velocity[body]) +
      sc_body_scale(t->bodies, body) * sc_dot(ang, t->bodies->spin[body]);
}

/* Returns the relative velocity of a row before the impact. driven: true to return only the contribution of
 * immovable bodies. */
static double row_velocity(const sc_tied *t, const sc_joint_row *row, bool driven) {
  const sc_joint_third *third = sc_problem_third(&t->problem, row);
  const double v = body_velocity_along(t, row->i, driven, row->lin1, row->ang1) +
      body_velocity_along(t, row->j, driven, row->lin2, row->ang2);
  return third ? v + body_velocity_along(t, third->body, driven, third->lin, third->ang) : v;
}

/* Adds the work of motors without a bound in an impact. Such motors hold their speed during the impact. Must
 * be called before the velocities change. */
static void add_motor_work(sc_tied *t, int32_t lead) {
  for (int32_t b = t->first[lead]; b >= 0; b = t->next[b]) {
    const sc_joint_block *block = t->blocks.block + b;
    for (int32_t k = 0; k < block->held + block->boxed; k++) {
      const sc_joint_row *row = t->problem.joint_row + block->row[k];
      if (!row->motor || row->x == 0) continue;
      t->work += row->x * (row_velocity(t, row, false) + sc_problem_joint_velocity(&t->problem, row) / 2);
    }
  }
}

double sc_tied_work(sc_tied *t) {
  const double work = t->work;
  t->work = 0;
  return work;
}

/* Adds the change of a rotor's speed to the joint. The rows of an impact contain changes alone. */
static void add_rotor_change(const sc_tied *t, const sc_joint_row *row) {
  sc_joint *joint = t->joints->row + row->joint;
  if (!row->rotor) return;
  const double speed = joint->rotor[row->rotor - 1];
  sc_joint_turn_rotor(joint, t->bodies, row);
  joint->rotor[row->rotor - 1] += speed;
}

/* Resets the changes of velocities and the impulses of a mechanism to 0. give: first adds the changes to the
 * velocities of the bodies, and the impulses to the joints. */
static void reset_mechanism(sc_tied *t, int32_t lead, bool give) {
  for (int32_t b = t->first[lead]; b >= 0; b = t->next[b]) {
    const sc_joint_block *block = t->blocks.block + b;
    for (int32_t k = 0; k < block->held + block->boxed; k++) {
      sc_joint_row *row = t->problem.joint_row + block->row[k];
      int32_t of_row[3];
      const int sides = sc_problem_row_bodies(&t->problem, row, of_row);
      if (give) t->work -= row->x * row_velocity(t, row, true);
      if (give && row->x != 0) sc_joint_add_impact(t->joints->row + row->joint, t->bodies, row);
      if (give) add_rotor_change(t, row);
      row->x = 0;
      for (int side = 0; side < sides; side++) {
        const int32_t body = of_row[side];
        if (!is_movable_row(t, body)) continue;
        if (give) add_change(t, body);
        sc_set3(0, 0, 0, t->problem.body[body].v);
        sc_set3(0, 0, 0, t->problem.body[body].q);
      }
    }
  }
}

/* Adds work and losses of all rows to the energy balance. before: [rows] velocities of rows before the
 * projection. The velocities after the projection are those in the problem. */
static void add_row_energies(scree_world *world, const sc_tied *t, const double *before) {
  const bool found = sc_account_changed(&world->bodies, &world->joints);
  sc_row_work sum = {0};
  for (int32_t r = 0; r < t->problem.joint_rows; r++) {
    const sc_joint_row *row = t->problem.joint_row + r;
    const sc_row_motion motion = {.before = before[r],
        .after = sc_problem_joint_velocity(&t->problem, row),
        .found = found ? sc_account_found(&world->bodies, world->joints.met, &t->problem,
                             world->joints.row + row->joint, row)
                       : 0};
    sc_account_row(&t->problem, row, &motion, &sum);
  }
  if (world->ranks->rank != 0) return;
  world->energy.work += sum.work;
  world->energy.dissipated += sum.lost;
  world->energy.elsewhere[SCREE_LOST_JOINTS] += sum.lost;
  world->energy.correction += sum.scheme;
}

/* Projects the velocities of bodies onto their joints. The target speed of a rigid motor is its present
 * speed. before: [rows] receives the velocities of rows before the projection. */
static void project_velocities(scree_world *world, sc_tied *t, double *before) {
  for (int32_t row = 0; row < t->bodies->count; row++) {
    if (t->leader[row] < 0) continue;
    sc_copy3(t->bodies->velocity[row], t->problem.body[row].v);
    sc_scale(sc_body_scale(t->bodies, row), t->bodies->spin[row], t->problem.body[row].q);
  }
  for (int32_t r = 0; r < t->problem.joint_rows; r++) {
    sc_joint_row *row = t->problem.joint_row + r;
    before[r] = sc_problem_joint_velocity(&t->problem, row);
    if (row->free && sc_joint_row_held(row)) row->bias = -before[r]; // a motor keeps its present speed
  }
  for (int32_t row = 0; row < t->bodies->count; row++)
    if (t->leader[row] == row) solve_mechanism(t, row);
  add_row_energies(world, t, before);
  for (int32_t r = 0; r < t->problem.joint_rows; r++) {
    sc_joint_row *row = t->problem.joint_row + r;
    if (row->x != 0 && world->ranks->rank == 0)
      sc_joint_add_impact(t->joints->row + row->joint, t->bodies, row);
    sc_joint_turn_rotor(t->joints->row + row->joint, t->bodies, row);
    row->x = row->bias = 0;
  }
  for (int32_t row = 0; row < t->bodies->count; row++) {
    if (t->leader[row] < 0) continue;
    sc_solver_body *body = t->problem.body + row;
    if (is_movable_row(t, row)) {
      sc_copy3(body->v, t->bodies->velocity[row]);
      sc_scale(1 / sc_body_scale(t->bodies, row), body->q, t->bodies->spin[row]);
    }
    sc_set3(0, 0, 0, body->v);
    sc_set3(0, 0, 0, body->q);
  }
}

scree_status sc_tied_make(scree_world *world, double dt, sc_tied **out, scree_error *error) {
  sc_arena *arena = &world->arena;
  *out = NULL;
  if (!world->joints.count) return SCREE_OK;
  sc_tied *t = SC_TAKE(arena, sc_tied, 1);
  if (t) *t = (sc_tied){.bodies = &world->bodies, .joints = &world->joints};
  if (!t || !allocate_bodies(t, arena))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on joints");
  set_bodies(t, &world->joints);
  const sc_joints_in in = {.dt = dt, .starts = true};
  scree_status status = sc_joints_assemble(&world->joints, t->bodies, &in, arena, &t->problem, error);
  if (status != SCREE_OK) return status;
  disable_soft_rows(&t->problem);
  if (!sc_joint_blocks_build(&t->problem, arena, &t->blocks) ||
      !(t->next = SC_TAKE(arena, int32_t, (size_t)t->blocks.count + 1)))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d joints", world->joints.count);
  double *before = SC_TAKE(arena, double, (size_t)t->problem.joint_rows + 1);
  if (!before)
    return sc_fail(error, SCREE_E_MEMORY, "no memory for impacts on %d joints", world->joints.count);
  list_blocks(t);
  project_velocities(world, t, before);
  *out = t;
  return SCREE_OK;
}

void sc_tied_share_impacts(scree_world *world) {
  if (world->ranks->ranks < 2 || !world->joints.struck) return;
  for (int32_t i = 0; i < world->joints.count; i++)
    sc_ranks_sum(world->ranks, world->joints.row[i].impact, 6);
}

void sc_joints_forget_impacts(sc_joints *joints) {
  if (!joints->struck) return;
  for (int32_t i = 0; i < joints->count; i++) memset(joints->row[i].impact, 0, sizeof joints->row[i].impact);
  joints->struck = false;
}

int32_t sc_tied_leader(const sc_tied *t, int32_t row) {
  return t && t->leader[row] >= 0 && t->bodies->inv_mass[row] > 0 ? mechanism_root_of(t->leader, row) : -1;
}

/* Adds the velocity change of body `row` by an impulse p at the arm r to the problem's body, as if the body
 * had no joints. */
static void add_impulse(sc_tied *t, int32_t row, const double r[3], const double p[3]) {
  double turn[3], spin[3], felt[3];
  sc_solver_body *change = t->problem.body + row;
  if (t->bodies->planar) sc_planar_project(t->bodies->plane, p, felt);
  else sc_copy3(p, felt);
  sc_axpy(t->bodies->inv_mass[row], felt, change->v, change->v);
  sc_cross(r, p, turn);
  sc_world_turn(t->bodies, row, turn, spin);
  sc_axpy(sc_body_scale(t->bodies, row), spin, change->q, change->q);
}

void sc_tied_respond(
    sc_tied *t, const int32_t row[2], const double arm[2][3], const double p[3], bool give, double u[3]) {
  int32_t lead[2] = {sc_tied_leader(t, row[0]), sc_tied_leader(t, row[1])};
  const double back[3] = {-p[0], -p[1], -p[2]};
  sc_set3(0, 0, 0, u);
  for (int side = 0; side < 2; side++)
    if (lead[side] >= 0) add_impulse(t, row[side], arm[side], side ? back : p);
  if (lead[0] >= 0) solve_mechanism(t, lead[0]);
  if (lead[1] >= 0 && lead[1] != lead[0]) solve_mechanism(t, lead[1]);
  for (int side = 0; side < 2; side++) {
    if (lead[side] < 0) continue;
    const sc_solver_body *change = t->problem.body + row[side];
    double v[3];
    sc_cross(change->q, arm[side], v);
    sc_scale(1 / sc_body_scale(t->bodies, row[side]), v, v);
    sc_add(v, change->v, v);
    sc_axpy(side ? -1 : 1, v, u, u);
  }
  for (int side = 0; side < 2 && give; side++)
    if (lead[side] >= 0 && (side == 0 || lead[1] != lead[0])) add_motor_work(t, lead[side]);
  if (lead[0] >= 0) reset_mechanism(t, lead[0], give);
  if (lead[1] >= 0 && lead[1] != lead[0]) reset_mechanism(t, lead[1], give);
}
