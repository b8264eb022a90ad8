/* Moves mechanisms by RATTLE (Andersen 1983; Hairer, Lubich & Wanner 2006, section VII.1).
 *
 * A substep has the length h. It starts from poses q and velocities v that satisfy the joints:
 *     v+ = v + h/2 M^-1 f + M^-1 J(q)' x        such that the poses q' after h v+ satisfy the joints,
 *     v' = v+ + h/2 M^-1 f' + M^-1 J(q')' y     such that J(q') v' satisfies the joints.
 * M: masses, f: forces, J: Jacobian of the joints, x and y: impulses of the joints. Between q and q' bodies
 * rotate free of torque (math/turn.c). Forces, motors and friction apply half of their impulse at each end of
 * the substep. The scheme is symmetric and symplectic: errors are of second order in h and energy does not
 * drift.
 *
 * x is computed from J v+ = 0 and then by Newton's method on the position errors. All iterations use the
 * matrix J M^-1 J' of the start. Each iteration multiplies the error by about the rotation angle of the
 * substep [rad]. Newton's method does not remove position errors from before the substep, nor errors of
 * conflicting joints. They remain for the position correction after the step. Springs use the mean stretch of
 * the substep for both impulses (problem/joints/springs.c). */
#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/assembly/assemble.h"
#include "problem/joints/joint_reactions.h"
#include "problem/joints/joints.h"
#include "problem/joints/springs.h"
#include "world/world.h"
#include "world/account/account.h"
#include "world/mechanism/swing.h"
#include "world/steps.h"
#include "problem/operator/delassus.h"
#include "problem/assembly/assembly.h"

enum { MOST_ROUNDS = 30 }; /* largest number of Newton iterations on positions per substep */
/* Largest position error that counts as 0, as a multiple of the length of the largest body. */
static const double FOLLOWED = 1e-8;

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

static void read_motions(const sc_mechanism_group *s, sc_motion *out) {
  for (int32_t i = 0; i < s->bodies; i++) sc_motion_read(&s->world->bodies, s->body[i], out + i);
}

static void write_motions(const sc_mechanism_group *s, const sc_motion *in) {
  for (int32_t i = 0; i < s->bodies; i++) sc_motion_write(in + i, &s->world->bodies, s->body[i]);
}

/* ---- rows at the present poses ---- */

/* Sets the velocities in the problem to those of the bodies plus the velocity change by all forces during the
 * time `kick` [s]. */
static void read_velocities(sc_mechanism_group *s, double kick) {
  const scree_world *world = s->world;
  sc_assemble_in in = {.bodies = &world->bodies, .dt = kick};
  memcpy(in.gravity, world->def.gravity, sizeof in.gravity);
  for (int32_t i = 0; i < s->bodies; i++)
    sc_assemble_body(&in, s->body[i], s->total + s->body[i], s->problem.K[s->body[i]]);
}

static void write_velocities(const sc_mechanism_group *s) {
  sc_bodies *bodies = &s->world->bodies;
  for (int32_t i = 0; i < s->bodies; i++) {
    int32_t row = s->body[i];
    if (bodies->kind[row] != SCREE_DYNAMIC) continue;
    sc_copy3(s->total[row].v, bodies->velocity[row]);
    sc_scale(1 / sc_body_scale(bodies, row), s->total[row].q, bodies->spin[row]);
  }
}

static bool is_limit(const sc_joint_row *row) { return row->lo == 0 && row->hi == INFINITY; }

/* Halves the impulse bounds of motors and friction, because these rows act twice in a substep: at its start
 * and at its end. Sets all impulses to 0. */
static void halve_bounds(sc_problem *problem) {
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    sc_joint_row *row = problem->joint_row + r;
    row->x = 0;
    if (sc_joint_row_held(row) || is_limit(row)) continue;
    row->lo /= 2, row->hi /= 2;
  }
}

/* Stage in which rows are used. START: impulses at the start of a substep. END: impulses at its end. SHAKE:
 * shift of positions only (sc_shake). */
enum { START, END, SHAKE };

static void set_spring(sc_mechanism_group *s, int32_t r, double inverse_mass, double h, int stage) {
  sc_joint_row *row = s->problem.joint_row + r;
  if (stage == START) sc_spring_begin(row, inverse_mass, h);
  if (stage == END) s->given[r] = sc_spring_end(row, inverse_mass, h, s->begun[s->at[r]]);
}

/* Sets up the rows of springs that act as locked rows. Must be called before these rows are factorised. h:
 * length of the substep. In stage SHAKE the impulses of all springs are constant. */
static void set_held_springs(sc_mechanism_group *s, double h, int stage) {
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    sc_joint_row *row = s->problem.joint_row + r;
    bool next = r == 0 || row[-1].joint != row->joint;
    s->at[r] = next ? row->joint * SC_JOINT_ROWS : s->at[r - 1] + 1;
    s->given[r] = 0;
    if (!(row->softness > 0)) continue;
    s->springs = true;
    if (row->rotor) {
      if (stage == SHAKE)
        row->bias -= row->softness * row->x; // the speed includes the impulse of the solution
      continue;
    }
    if (stage == SHAKE) row->lo = row->hi = row->x, row->softness = 0;
    else if (sc_joint_row_held(row) && !row->free) {
      row->softness = 0;
      set_spring(s, r, sc_problem_joint_diagonal(&s->problem, row), h, stage);
    }
  }
}

/* Sets up all springs that do not act as locked rows. Their inverse masses come from the factors. h: length
 * of the substep. */
static void set_free_springs(sc_mechanism_group *s, double h, int stage) {
  for (int32_t b = 0; b < s->blocks.count; b++) {
    const sc_joint_block *block = s->blocks.block + b;
    for (int32_t c = 0; c < block->boxed; c++) {
      int32_t r = block->row[block->held + c];
      if (s->problem.joint_row[r].softness > 0)
        set_spring(s, r, block->reduced[c * block->boxed + c], h, stage);
    }
  }
}

/* Assembles and factorises the rows of joints for a substep of length h. */
static scree_status assemble_part(
    sc_mechanism_group *s, double h, double warm_start, int stage, scree_error *error) {
  scree_world *world = s->world;
  /* Rows of a shift contain the impulses of the solution before the shift. In a step of second order, the
   * forces of that solution acted for half of the substep. */
  const sc_joints_in in = {.dt = stage == SHAKE && world->phase ? h / 2 : h,
      .way = h,
      .solved = stage != START,
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
  bool done = s->rest && s->gap && s->pre && s->outside && s->given && s->at;
  if (done) set_held_springs(s, h, stage);
  if (!done || !sc_joint_blocks_build(&s->problem, &world->arena, &s->blocks))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d rows of joints", s->problem.joint_rows);
  set_free_springs(s, h, stage);
  return SCREE_OK;
}

/* ---- position errors ---- */

/* Returns true if the position error of a joint is its travel: its relative velocity, summed over steps. */
static bool has_travel_error(const sc_joint *joint) {
  return sc_joint_geared(joint->def.type) && !sc_joint_framed(joint);
}

/* Returns true if a row is locked and has a position error of its own. */
static bool has_position_error(const sc_joint_row *row) {
  return sc_joint_row_held(row) && !row->free && !(row->softness > 0);
}

/* Sets out[rows] to the position errors at the present poses of rows for which has_position_error() is true.
 * Sets it to 0 for all other rows. */
static scree_status measure_errors(sc_mechanism_group *s, double *out, scree_error *error) {
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
    out[r] = has_position_error(row) && found ? there.joint_row[at++].bias : 0;
  }
  sc_arena_back(arena, mark);
  return status;
}

/* Returns the displacement along a row's free direction since the start of the substep, in the units of the
 * row. */
static double displacement_of(const sc_mechanism_group *s, const sc_joint_row *row) {
  const sc_joint *joint = s->joints.row + row->joint;
  int which = row->free ? row->free - 1 : row->rotor ? row->rotor - 1 : 0;
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

/* Returns whether the displacement of a spring or rotor is measured on the joint. Bushings integrate
 * velocities, and so do rotors in a shift. */
static bool has_measured_stretch(const sc_mechanism_group *s, const sc_joint_row *row) {
  return row->free || (row->rotor && s->smooth) || s->joints.row[row->joint].def.type == SCREE_JOINT_DISTANCE;
}

/* Returns the velocity error of row r at the end of a substep, computed from the poses at that time. h:
 * length of the substep [s]. error: [rows] position errors at the end. */
static double velocity_error_of(const sc_mechanism_group *s, int32_t r, double h, const double *error) {
  const sc_joint_row *row = s->problem.joint_row + r;
  const sc_joint *joint = s->joints.row + row->joint;
  if (row->softness > 0)
    return has_measured_stretch(s, row) ? displacement_of(s, row) / h + row->bias + row->softness * row->x
                                        : sc_problem_joint_unmet(&s->problem, row);
  if (has_position_error(row) && !has_travel_error(joint)) return (error[r] - s->gap[r]) / h - s->rest[r];
  if (row->free) return displacement_of(s, row) / h + row->bias - s->rest[r];
  return sc_problem_joint_velocity(&s->problem, row) + row->bias; // gears, friction of ball joints
}

/* Returns true if the bounds of a row allow an impulse change that reduces its velocity error `missed`. */
static bool is_correctable(const sc_joint_row *row, double missed) {
  return (row->x > row->lo || missed < 0) && (row->x < row->hi || missed > 0);
}

/* ---- one substep ---- */

static void relax_blocks(sc_mechanism_group *s) { sc_joint_blocks_relax(&s->problem, &s->blocks); }

/* Starts the energy balance of one end of a substep: stores the velocities of rows before its forces and
 * impulses act. close_row_account uses these and the velocities afterwards. first: true at the start of the
 * step, where part of a velocity may have been changed between steps. */
static void open_row_account(sc_mechanism_group *s, bool first) {
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    s->pre[r] = sc_problem_joint_velocity(&s->problem, row);
    s->outside[r] = first && s->found ? sc_account_found(&s->world->bodies, s->world->joints.met, &s->problem,
                                            s->joints.row + row->joint, row)
                                      : 0;
  }
}

/* Adds work and losses of all rows since open_row_account to s->work and s->lost. */
static void close_row_account(sc_mechanism_group *s) {
  sc_row_work sum = {0};
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    const sc_row_motion motion = {s->pre[r], sc_problem_joint_velocity(&s->problem, row), s->outside[r]};
    sc_account_row(&s->problem, row, &motion, &sum);
  }
  s->work += sum.work;
  s->lost += sum.lost;
}

/* Solves for a velocity change whose row velocities are -bias[rows], and adds it to the velocities.
 * Overwrites `bias`. */
static void correct_velocities(sc_mechanism_group *s, double *bias) {
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
  relax_blocks(s);
  p->body = s->total;
  for (int32_t r = 0; r < p->joint_rows; r++) p->joint_row[r].bias = bias[r];
  for (int32_t i = 0; i < s->bodies; i++) {
    sc_solver_body *body = s->total + s->body[i];
    if (!(body->inv_mass > 0)) continue;
    sc_add(body->v, s->change[s->body[i]].v, body->v);
    sc_add(body->q, s->change[s->body[i]].q, body->q);
  }
}

/* Moves the bodies from the poses s->here with the problem's velocities for the time h. */
static void drift_bodies(sc_mechanism_group *s, double h) {
  write_motions(s, s->here);
  write_velocities(s);
  for (int32_t i = 0; i < s->bodies; i++) sc_world_advance_row(&s->world->bodies, s->body[i], h, true);
}

/* Solves the position errors by Newton's method and leaves the bodies at the final poses. Sets *followed to
 * true if the errors are below FOLLOWED. */
static scree_status solve_positions(sc_mechanism_group *s, double h, bool *followed, scree_error *error) {
  int32_t rows = s->problem.joint_rows;
  double *there = SC_TAKE(&s->world->arena, double, rows), *bias = SC_TAKE(&s->world->arena, double, rows),
         last = INFINITY, worst = 0;
  if (!there || !bias) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d rows of joints", rows);
  read_motions(s, s->here);
  scree_status status = measure_errors(s, s->gap, error);
  for (int32_t r = 0; r < rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    s->rest[r] = sc_joint_row_held(row) ? sc_problem_joint_velocity(&s->problem, row) + row->bias : 0;
  }
  for (int round = 0; status == SCREE_OK && round < MOST_ROUNDS; round++) {
    drift_bodies(s, h);
    status = measure_errors(s, there, error);
    worst = 0, s->failed = -1;
    for (int32_t r = 0; r < rows; r++) {
      bias[r] = velocity_error_of(s, r, h, there);
      if (is_correctable(s->problem.joint_row + r, bias[r]) && !(fabs(bias[r]) <= worst))
        worst = fabs(bias[r]), s->failed = s->problem.joint_row[r].joint;
    }
    if (!(worst < 0.5 * last)) break;
    last = worst;
    correct_velocities(s, bias);
  }
  *followed = worst * h <= FOLLOWED * s->length;
  return status;
}

/* Stores the reactions and the speeds of rotors at the start of the substep, and the travel of gears. The
 * velocities contain the last position correction that reduced the position errors. The bodies stay at the
 * end of the substep. */
static void store_reactions(sc_mechanism_group *s, double h) {
  for (int32_t r = 0; r < s->problem.joint_rows; r++) {
    const sc_joint_row *row = s->problem.joint_row + r;
    sc_joint *joint = s->joints.row + row->joint;
    if (has_travel_error(joint)) joint->travel += h * sc_problem_joint_velocity(&s->problem, row);
  }
  read_motions(s, s->on);
  write_motions(s, s->here);
  sc_joints_react(&s->joints, &s->world->bodies, &s->problem);
  write_motions(s, s->on);
}

scree_status sc_shake(sc_mechanism_group *s, double dt, bool *followed, scree_error *error) {
  read_velocities(s, 0);
  scree_status status = assemble_part(s, dt, 1, SHAKE, error);
  if (status == SCREE_OK) relax_blocks(s);
  if (status == SCREE_OK) status = solve_positions(s, dt, followed, error);
  if (status == SCREE_OK && *followed) store_reactions(s, 0); // travel of gears already contains this step
  return status;
}

/* Handles the constant part of the impulses of springs at the end of a substep. first: true to apply this
 * part to the bodies before the solve, false to add it afterwards to the solved impulses of the rows. */
static void apply_springs(sc_mechanism_group *s, bool first) {
  for (int32_t r = 0; r < s->problem.joint_rows && s->springs; r++) {
    sc_joint_row *row = s->problem.joint_row + r;
    if (first) sc_problem_joint_apply(&s->problem, row, s->given[r]);
    else row->x += s->given[r];
  }
}

static void store_springs(sc_mechanism_group *s) {
  for (int32_t r = 0; r < s->problem.joint_rows && s->springs; r++)
    s->begun[s->at[r]] = s->problem.joint_row[r].x;
}

/* Applies the second half of the forces of a substep. Then applies joint impulses that make the velocities
 * satisfy the joints at the present poses. */
static void end_part(sc_mechanism_group *s, double h) {
  open_row_account(s, false);
  read_velocities(s, h / 2);
  apply_springs(s, true);
  relax_blocks(s);
  apply_springs(s, false);
  close_row_account(s);
  sc_joints_react(&s->joints, &s->world->bodies, &s->problem);
  for (int32_t r = 0; r < s->problem.joint_rows; r++) s->problem.joint_row[r].x = 0;
  write_velocities(s);
}

/* Applies the first half of the forces of a substep, and joint impulses that make the poses at its end
 * satisfy the joints. Moves the bodies for the time h. first: true for the first substep of a step. */
static scree_status start_part(
    sc_mechanism_group *s, double h, bool first, bool *followed, scree_error *error) {
  open_row_account(s, first);
  read_velocities(s, h / 2);
  relax_blocks(s);
  scree_status status = solve_positions(s, h, followed, error);
  if (status != SCREE_OK) return status;
  close_row_account(s);
  store_springs(s);
  store_reactions(s, h);
  return SCREE_OK;
}

scree_status sc_rattle(sc_mechanism_group *s, double dt, int parts, bool *followed, scree_error *error) {
  sc_arena *arena = &s->world->arena;
  double h = dt / parts;
  *followed = true;
  for (int part = 0; part <= parts && *followed; part++) {
    sc_arena_mark mark = sc_arena_here(arena);
    read_velocities(s, 0); // sets the masses for the present poses
    scree_status status = assemble_part(s, h, 0, part > 0 ? END : START, error);
    if (status != SCREE_OK) return status;
    if (part > 0) end_part(s, h);
    if (part > 0 && part < parts && s->springs) { // springs need other factors at a start than at an end
      read_velocities(s, 0);
      status = assemble_part(s, h, 0, START, error);
    }
    if (status == SCREE_OK && part < parts) status = start_part(s, h, part == 0, followed, error);
    if (status != SCREE_OK) return status;
    sc_arena_back(arena, mark);
  }
  return SCREE_OK;
}
