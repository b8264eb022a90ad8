/* Mechanisms go on by RATTLE (Andersen 1983; Hairer, Lubich & Wanner 2006, section VII.1).
 *
 * In a part of a step, of length h, from poses q and velocities v that meet the joints,
 *     v+ = v + h/2 M^-1 f + M^-1 J(q)' x        such that the poses q' = q after h v+ meet the joints,
 *     v' = v+ + h/2 M^-1 f' + M^-1 J(q')' y     such that J(q') v' meets them;
 * bodies turn free of torque between the two (math/turn.c). Forces, motors and friction give half of
 * their impulse at either end. The scheme is symmetric and symplectic: errors are of second order in h
 * and energy does not drift.
 *
 * x is found from J v+ = 0 and then by Newton's method on the errors of position, with the matrix
 * J M^-1 J' of the start throughout: it converges by a factor of the turn in a part. An error from
 * before stays for the correction of positions, and so does what conflicting joints leave. Springs take
 * the mean stretch of the part for both of their impulses (problem/joints/springs.c). */
#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/assembly/assemble.h"
#include "problem/joints/joint_reactions.h"
#include "problem/joints/joints.h"
#include "problem/joints/springs.h"
#include "world/step/account.h"
#include "world/mechanism/swing.h"

enum { MOST_ROUNDS = 30 };
static const double FOLLOWED = 1e-8; /* error of position per length that is as good as none */

void sc_motion_read(const sc_bodies *bodies, int32_t row, sc_motion *out) {
  sc_copy3(bodies->position[row], out->position);
  memcpy(out->orientation, bodies->orientation[row], sizeof out->orientation);
  sc_copy3(bodies->velocity[row], out->velocity);
  sc_copy3(bodies->spin[row], out->spin);
}

void sc_motion_write(const sc_motion *in, sc_bodies *bodies, int32_t row) {
  sc_copy3(in->position, bodies->position[row]);
  memcpy(bodies->orientation[row], in->orientation, sizeof in->orientation);
  sc_copy3(in->velocity, bodies->velocity[row]);
  sc_copy3(in->spin, bodies->spin[row]);
}

static void read_all(const sc_swing *s, sc_motion *out) {
  for (int32_t i = 0; i < s->bodies; i++) sc_motion_read(&s->world->bodies, s->body[i], out + i);
}

static void write_all(const sc_swing *s, const sc_motion *in) {
  for (int32_t i = 0; i < s->bodies; i++) sc_motion_write(in + i, &s->world->bodies, s->body[i]);
}

/* ---- the rows at the present poses ---- */

/* Bodies as they move, with what forces give in `kick` of time. */
static void take_velocities(sc_swing *s, double kick) {
  const scree_world *world = s->world;
  sc_assemble_in in = {.bodies = &world->bodies, .dt = kick};
  memcpy(in.gravity, world->def.gravity, sizeof in.gravity);
  for (int32_t i = 0; i < s->bodies; i++)
    sc_assemble_body(&in, s->body[i], s->total + s->body[i], s->problem.K[s->body[i]]);
}

static void give_velocities(const sc_swing *s) {
  sc_bodies *bodies = &s->world->bodies;
  for (int32_t i = 0; i < s->bodies; i++) {
    int32_t row = s->body[i];
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    sc_copy3(s->total[row].v, bodies->velocity[row]);
    sc_scale(1 / sc_body_scale(bodies, row), s->total[row].q, bodies->spin[row]);
  }
}

static bool one_sided(const sc_joint_row *row) { return row->lo == 0 && row->hi == INFINITY; }

/* Motors and friction give half of their impulse at each end of a part; nothing is given yet. */
static void halve_bounds(sc_problem *problem) {
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    sc_joint_row *row = problem->joint_row + r;
    row->x = 0;
    if (sc_joint_row_held(row) || one_sided(row)) continue;
    row->lo /= 2, row->hi /= 2;
  }
}

/* What the rows are for: the impulses at the start of a part, those at its end, or a shift of joints
 * alone. */
enum { START, END, SHAKE };

static void set_spring(sc_swing *s, int32_t r, double inverse_mass, double h, int stage) {
  sc_joint_row *row = s->problem.joint_row + r;
  if (stage == START) sc_spring_begin(row, inverse_mass, h);
  if (stage == END) s->given[r] = sc_spring_end(row, inverse_mass, h, s->begun[s->at[r]]);
}

/* Springs among the held rows, before these are factorised. For a shift all springs keep the impulse that
 * they have. */
static void set_held_springs(sc_swing *s, double h, int stage) {
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    sc_joint_row *row = s->problem.joint_row + r;
    bool next = r == 0 || row[-1].joint != row->joint;
    s->at[r] = next ? row->joint * SC_JOINT_ROWS : s->at[r - 1] + 1;
    s->given[r] = 0;
    if (!(row->softness > 0)) continue;
    s->springs = true;
    if (stage == SHAKE) row->lo = row->hi = row->x, row->softness = 0;
    else if (sc_joint_row_held(row) && !row->free) {
      row->softness = 0;
      set_spring(s, r, sc_problem_joint_diagonal(&s->problem, row), h, stage);
    }
  }
}

/* The others know what they carry from the factors. */
static void set_free_springs(sc_swing *s, double h, int stage) {
  for (int32_t b = 0; b < s->blocks.count; b++) {
    const sc_joint_block *block = s->blocks.block + b;
    for (int32_t c = 0; c < block->boxed; c++) {
      int32_t r = block->row[block->held + c];
      if (s->problem.joint_row[r].softness > 0)
        set_spring(s, r, block->reduced[c * block->boxed + c], h, stage);
    }
  }
}

/* Rows of joints for a part of length h, factorised. */
static scree_status assemble(sc_swing *s, double h, double warm_start, int stage, scree_error *error) {
  scree_world *world = s->world;
  /* rows of a shift have the impulses of the solution before the shift; in a step of second order the
   * forces of that solution acted for half of the way */
  const sc_joints_in in = {.dt = stage == SHAKE && world->stage ? h / 2 : h,
      .way = h,
      .solved = stage == SHAKE,
      .most = world->def.max_correction,
      .warm_start = warm_start,
      .yield = world->joints.yield};
  scree_status status = sc_joints_assemble(
      &s->joints, &world->bodies, &in, &world->arena, &s->problem, error);
  if (status != SCREE_OK) return status;
  if (s->smooth) halve_bounds(&s->problem);
  s->rest = SC_TAKE(&world->arena, double, s->problem.joint_rows);
  s->gap = SC_TAKE(&world->arena, double, s->problem.joint_rows);
  s->pre = SC_TAKE(&world->arena, double, s->problem.joint_rows);
  s->outside = SC_TAKE(&world->arena, double, s->problem.joint_rows);
  s->given = SC_TAKE(&world->arena, double, s->problem.joint_rows);
  s->at = SC_TAKE(&world->arena, int32_t, s->problem.joint_rows);
  bool room = s->rest && s->gap && s->pre && s->outside && s->given && s->at;
  if (room) set_held_springs(s, h, stage);
  if (!room || !sc_joint_blocks_build(&s->problem, &world->arena, &s->blocks))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d rows of joints", s->problem.joint_rows);
  set_free_springs(s, h, stage);
  return SCREE_OK;
}

/* ---- errors of position ---- */

/* Whether a joint's error is a travel, kept from step to step. */
static bool travels(const sc_joint *joint) {
  return sc_joint_geared(joint->def.type) && !sc_joint_framed(joint);
}

/* Whether a row keeps the joint together, with an error of position of its own. */
static bool placed(const sc_joint_row *row) {
  return sc_joint_row_held(row) && !row->free && !(row->softness > 0);
}

/* Errors of position of such rows at the present poses, 0 for others. */
static scree_status measure(sc_swing *s, double *out, scree_error *error) {
  sc_arena *arena = &s->world->arena;
  sc_arena_mark mark = sc_arena_here(arena);
  sc_problem there = {.bodies = s->problem.bodies, .dt = s->problem.dt, .planar = s->problem.planar};
  sc_copy3(s->problem.plane, there.plane);
  const sc_joints_in in = {
      .dt = s->problem.dt, .feedback = 1, .yield = s->world->joints.yield, .displace = true};
  scree_status status = sc_joints_assemble(&s->joints, &s->world->bodies, &in, arena, &there, error);
  int32_t at = 0;
  for (int32_t r = 0; status == SCREE_OK && r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    bool next = r == 0 || row[-1].joint != row->joint;
    while (next && at < there.joint_rows && there.joint_row[at].joint < row->joint) at++;
    bool found = at < there.joint_rows && there.joint_row[at].joint == row->joint;
    out[r] = placed(row) && found ? there.joint_row[at++].bias : 0;
  }
  sc_arena_back(arena, mark);
  return status;
}

/* How far a free direction has gone since the start of the part, in the measure of a row. */
static double gone(const sc_swing *s, const sc_joint_row *row) {
  const sc_joint *joint = s->joints.row + row->joint;
  int which = row->free ? row->free - 1 : 0;
  sc_joint_pose pose;
  double d[3];
  sc_joint_place(&s->world->bodies, joint, &pose);
  double way = sc_joint_measure(joint, &pose, which) - joint->position[which];
  if (!sc_joint_direction(joint, &pose, which, d)) return way;
  if (sc_joint_freedom(joint->def.type, which) == 1) {
    double unit = sc_norm(row->ang1) * sc_body_scale(&s->world->bodies, pose.row1);
    if (joint->def.type == SCREE_JOINT_BALL) unit /= sc_norm(d);
    return sc_dot(row->ang1, d) < 0 ? -unit * way : unit * way;
  }
  return sc_dot(row->lin1, d) < 0 ? -way : way;
}

/* Springs whose stretch is measured on the joint; those of bushings follow their velocities. */
static bool stretched(const sc_swing *s, const sc_joint_row *row) {
  return row->free || s->joints.row[row->joint].def.type == SCREE_JOINT_DISTANCE;
}

/* Velocity by which a row misses its end, where the bodies stand at the end of a part. */
static double missing(const sc_swing *s, int32_t r, double h, const double *error) {
  const sc_joint_row *row = s->problem.joint_row + r;
  const sc_joint *joint = s->joints.row + row->joint;
  if (row->softness > 0)
    return stretched(s, row) ? gone(s, row) / h + row->bias + row->softness * row->x
                             : sc_problem_joint_unmet(&s->problem, row);
  if (placed(row) && !travels(joint)) return (error[r] - s->gap[r]) / h - s->rest[r];
  if (row->free) return gone(s, row) / h + row->bias - s->rest[r];
  return sc_problem_joint_velocity(&s->problem, row) + row->bias; // gears, friction of ball joints
}

/* Whether a row would change its impulse for what it misses. */
static bool unmet(const sc_joint_row *row, double missed) {
  return (row->x > row->lo || missed < 0) && (row->x < row->hi || missed > 0);
}

/* ---- a part of a step ---- */

static void relax(sc_swing *s) { sc_joint_blocks_relax(&s->problem, &s->blocks); }

/* Stores the velocities of rows before one end of a part. Forces and impulses of this end act between these
 * velocities and those of close_account. At the start of a step, part of a velocity may come from outside. */
static void open_account(sc_swing *s, bool first) {
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    s->pre[r] = sc_problem_joint_velocity(&s->problem, row);
    s->outside[r] = first && s->found
        ? sc_account_found(s->world, &s->problem, s->joints.row + row->joint, row)
        : 0;
  }
}

static void close_account(sc_swing *s) {
  sc_row_work sum = {0};
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    const sc_row_motion motion = {s->pre[r], sc_problem_joint_velocity(&s->problem, row), s->outside[r]};
    sc_account_row(&s->problem, row, &motion, &sum);
  }
  s->work += sum.work;
  s->lost += sum.lost;
}

/* Adds what rows ask for beyond the velocities that there are. */
static void correct(sc_swing *s, double *bias) {
  sc_problem *p = &s->problem;
  for (int32_t i = 0; i < s->bodies; i++) {
    sc_solver_body *body = s->change + s->body[i];
    *body = s->total[s->body[i]];
    sc_set3(0, 0, 0, body->v);
    sc_set3(0, 0, 0, body->q);
  }
  s->change[p->bodies - 1] = (sc_solver_body){.inv_mass = 0};
  for (int32_t r = 0; r < p->joint_rows; r++) {
    sc_joint_row *row = p->joint_row + r;
    double kept = row->bias;
    row->bias = bias[r] - row->softness * row->x;
    bias[r] = kept;
  }
  p->body = s->change;
  relax(s);
  p->body = s->total;
  for (int32_t r = 0; r < p->joint_rows; r++) p->joint_row[r].bias = bias[r];
  for (int32_t i = 0; i < s->bodies; i++) {
    sc_solver_body *body = s->total + s->body[i];
    if (!(body->inv_mass > 0)) continue;
    sc_add(body->v, s->change[s->body[i]].v, body->v);
    sc_add(body->q, s->change[s->body[i]].q, body->q);
  }
}

/* The bodies go from `here` for h with the problem's velocities. */
static void drift(sc_swing *s, double h) {
  write_all(s, s->here);
  give_velocities(s);
  for (int32_t i = 0; i < s->bodies; i++) sc_world_advance_row(&s->world->bodies, s->body[i], h, true);
}

/* Newton's method on positions; the bodies end where it leads. */
static scree_status meet_positions(sc_swing *s, double h, bool *followed, scree_error *error) {
  int32_t rows = s->problem.joint_rows;
  double *there = SC_TAKE(&s->world->arena, double, rows), *bias = SC_TAKE(&s->world->arena, double, rows),
         last = INFINITY, worst = 0;
  if (!there || !bias) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d rows of joints", rows);
  read_all(s, s->here);
  scree_status status = measure(s, s->gap, error);
  for (int32_t r = 0; r < rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    s->rest[r] = sc_joint_row_held(row) ? sc_problem_joint_velocity(&s->problem, row) + row->bias : 0;
  }
  for (int round = 0; status == SCREE_OK && round < MOST_ROUNDS; round++) {
    drift(s, h);
    status = measure(s, there, error);
    worst = 0, s->failed = -1;
    for (int32_t r = 0; r < rows; r++) {
      bias[r] = missing(s, r, h, there);
      if (unmet(s->problem.joint_row + r, bias[r]) && !(fabs(bias[r]) <= worst))
        worst = fabs(bias[r]), s->failed = s->problem.joint_row[r].joint;
    }
    if (!(worst < 0.5 * last)) break;
    last = worst;
    correct(s, bias);
  }
  *followed = worst * h <= FOLLOWED * s->length;
  return status;
}

/* The last correction before errors stopped to shrink is in the velocities, and the bodies stand there.
 * Reactions are those at the start of the part. */
static void keep_reactions(sc_swing *s, double h) {
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    sc_joint *joint = s->joints.row + row->joint;
    if (travels(joint)) joint->travel += h * sc_problem_joint_velocity(&s->problem, row);
  }
  read_all(s, s->on);
  write_all(s, s->here);
  sc_joints_react(&s->joints, &s->world->bodies, &s->problem);
  write_all(s, s->on);
}

scree_status sc_shake(sc_swing *s, double dt, bool *followed, scree_error *error) {
  take_velocities(s, 0);
  scree_status status = assemble(s, dt, 1, SHAKE, error);
  if (status == SCREE_OK) relax(s);
  if (status == SCREE_OK) status = meet_positions(s, dt, followed, error);
  if (status == SCREE_OK && *followed) keep_reactions(s, 0); // gears have gone already
  return status;
}

/* What springs give at the end of a part in any case; then on top of what they answered. */
static void give_springs(sc_swing *s, bool first) {
  for (int32_t r = 0; r < s->problem.joint_rows && s->springs; r++) {
    sc_joint_row *row = s->problem.joint_row + r;
    if (first) sc_problem_joint_apply(&s->problem, row, s->given[r]);
    else row->x += s->given[r];
  }
}

static void keep_springs(sc_swing *s) {
  for (int32_t r = 0; r < s->problem.joint_rows && s->springs; r++)
    s->begun[s->at[r]] = s->problem.joint_row[r].x;
}

/* Velocities at the present poses that meet the joints, half of the forces given. */
static void end_part(sc_swing *s, double h) {
  open_account(s, false);
  take_velocities(s, h / 2);
  give_springs(s, true);
  relax(s);
  give_springs(s, false);
  close_account(s);
  sc_joints_react(&s->joints, &s->world->bodies, &s->problem);
  for (int32_t r = 0; r < s->problem.joint_rows; r++) s->problem.joint_row[r].x = 0;
  give_velocities(s);
}

static scree_status start_part(sc_swing *s, double h, bool first, bool *followed, scree_error *error) {
  open_account(s, first);
  take_velocities(s, h / 2);
  relax(s);
  scree_status status = meet_positions(s, h, followed, error);
  if (status != SCREE_OK) return status;
  close_account(s);
  keep_springs(s);
  keep_reactions(s, h);
  return SCREE_OK;
}

scree_status sc_rattle(sc_swing *s, double dt, int parts, bool *followed, scree_error *error) {
  sc_arena *arena = &s->world->arena;
  double h = dt / parts;
  *followed = true;
  for (int part = 0; part <= parts && *followed; part++) {
    sc_arena_mark mark = sc_arena_here(arena);
    take_velocities(s, 0); // masses at the present poses
    scree_status status = assemble(s, h, 0, part > 0 ? END : START, error);
    if (status != SCREE_OK) return status;
    if (part > 0) end_part(s, h);
    if (part > 0 && part < parts && s->springs) { // which ask for other factors
      take_velocities(s, 0);
      status = assemble(s, h, 0, START, error);
    }
    if (status == SCREE_OK && part < parts) status = start_part(s, h, part == 0, followed, error);
    if (status != SCREE_OK) return status;
    sc_arena_back(arena, mark);
  }
  return SCREE_OK;
}
