/* Moves a bundle of trees. The code is written once over a vector type. The including file defines the type
 * and its width (math/lanes/lane_vector.h).
 *
 * Every lane performs the operations of the one-lane version in the same order. A branch for a lane depends
 * only on this lane. All widths therefore give the same bits, for any contents of the other lanes.
 *
 * The scheme is RATTLE as in rattle.c. Every joint is a ball joint. Its three rows are the relative velocity
 * u and the position error of its anchor points p1 and p2, with arms r1 and r2:
 *     u = v1 + w1 x r1 - v2 - w2 x r2,    error = p1 - p2. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "math/lanes/lane_vector.h"

#include "math/lanes/lane_skyline.h"
#include "math/lanes/lane_turn.h"

static inline VEC load_lanes(const sc_lane from, int l) { return load1(from + l); }
static inline void store_lanes(VEC from, int l, sc_lane to) { store1(from, to + l); }
static inline void load_vectors(int count, const sc_lane *from, int l, VEC *to) {
  for (int k = 0; k < count; k++) to[k] = load_lanes(from[k], l);
}
static inline void store_vectors(int count, const VEC *from, int l, sc_lane *to) {
  for (int k = 0; k < count; k++) store_lanes(from[k], l, to[k]);
}

#include "world/mechanism/trees/tree_turn.h"

/* ---- the start of a substep ---- */

/* Sets K = R I^-1 R', the inverse inertia in world axes (R: rotation matrix of the body). kind: symmetry of
 * the inertia (tree.h). */
static void set_inertia(sc_tree_body *body, int kind, int l) {
  VEC q[4], B[6], R[3][3], T[3][3], K[6];
  load_vectors(6, body->inverse, l, B);
  if (kind == SC_TREE_BALL) {
    store_vectors(6, B, l, body->K);
    return;
  }
  load_vectors(4, body->q, l, q);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][i] = 1 - 2 * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
    R[i][j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
    R[j][i] = 2 * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
  }
  for (int i = 0; i < 3; i++) symmetric(B, R[i], T[i]);
  K[0] = dot(T[0], R[0]), K[1] = dot(T[0], R[1]), K[2] = dot(T[0], R[2]);
  K[3] = dot(T[1], R[1]), K[4] = dot(T[1], R[2]), K[5] = dot(T[2], R[2]);
  store_vectors(6, K, l, body->K);
}

static void set_arms(const sc_tree_run *r, int32_t i, int l) {
  sc_tree_joint *joint = r->joint + i;
  for (int side = 0; side < 2; side++) {
    VEC q[4], a[3];
    load_vectors(4, r->body[r->plan->body[i][side]].q, l, q);
    load_vectors(3, joint->anchor[side], l, a);
    rotate(q, a, a);
    store_vectors(3, a, l, joint->arm[side]);
  }
}

/* Sets column[k] = K (r x e_k): the change of spin by a unit impulse along axis k at the arm r. */
static inline void compute_responses(const VEC K[6], const VEC r[3], VEC column[3][3]) {
  const VEC none = splat(0), lever[3][3] = {{none, r[2], -r[1]}, {-r[2], none, r[0]}, {r[1], -r[0], none}};
  for (int k = 0; k < 3; k++) symmetric(K, lever[k], column[k]);
}

/* Sets M to the 3x3 block of the Delassus matrix that couples the rows of joint i with those of joint j
 * through a body of both joints. side_i, side_j: side of this body in each joint. */
static inline void set_coupling(
    const sc_tree_run *r, int32_t i, int side_i, int32_t j, int side_j, int l, VEC M[3][3]) {
  const sc_tree_body *body = r->body + r->plan->body[i][side_i];
  VEC K[6], arm_i[3], arm_j[3], column[3][3], felt[3], own = load_lanes(body->inverse_mass, l);
  load_vectors(6, body->K, l, K);
  load_vectors(3, r->joint[i].arm[side_i], l, arm_i);
  load_vectors(3, r->joint[j].arm[side_j], l, arm_j);
  compute_responses(K, arm_j, column);
  for (int k = 0; k < 3; k++) {
    cross(column[k], arm_i, felt);
    felt[k] += own;
    for (int m = 0; m < 3; m++) M[m][k] = side_i == side_j ? felt[m] : -felt[m];
  }
}

static inline sc_lane *entry_of(const sc_tree_run *r, int32_t row, int32_t column) {
  return r->entry + r->plan->at[row] + (column - r->plan->first[row]);
}

/* A row of a joint is redundant if its pivot in the factorisation is below this fraction of its diagonal
 * entry. */
static const double DEPENDENT = 1e-11;

/* Sets the three rows of joint i in the lower triangle of the Delassus matrix, including the diagonal. */
static void set_rows(const sc_tree_run *r, int32_t i, int l) {
  const sc_tree_plan *plan = r->plan;
  VEC M[3][3], N[3][3];
  set_coupling(r, i, 0, i, 0, l, M);
  set_coupling(r, i, 1, i, 1, l, N);
  for (int m = 0; m < 3; m++) {
    for (int32_t c = plan->first[3 * i]; c < 3 * i; c++) store_lanes(splat(0), l, *entry_of(r, 3 * i + m, c));
    for (int k = 0; k <= m; k++) store_lanes(M[m][k] + N[m][k], l, *entry_of(r, 3 * i + m, 3 * i + k));
  }
  for (int32_t at = plan->from[i]; at < plan->from[i + 1]; at++) {
    const sc_tree_link *link = plan->link + at;
    set_coupling(r, i, link->side, link->joint, link->other_side, l, M);
    for (int m = 0; m < 3; m++)
      for (int k = 0; k < 3; k++) store_lanes(M[m][k], l, *entry_of(r, 3 * i + m, 3 * link->joint + k));
  }
}

/* Computes inertias, arms, the Delassus matrix and its factors at the present poses. */
static void prepare_poses(const sc_tree_run *r, int l) {
  const sc_tree_plan *plan = r->plan;
  for (int32_t b = 0; b < plan->bodies; b++) set_inertia(r->body + b, plan->turns[b], l);
  for (int32_t i = 0; i < plan->joints; i++) set_arms(r, i, l);
  for (int32_t i = 0; i < plan->joints; i++) set_rows(r, i, l);
  skyline_factor(3 * plan->joints, plan->first, plan->at, DEPENDENT, l, r->entry);
}

/* ---- impulses of joints ---- */

static void solve_system(const sc_tree_run *r, int l) {
  skyline_solve(3 * r->plan->joints, r->plan->first, r->plan->at, r->entry, l, r->want);
}

/* Sets u to the relative velocity of the two anchor points of joint i. */
static void compute_joint_velocity(const sc_tree_run *r, int32_t i, int l, VEC u[3]) {
  VEC side[2][3];
  for (int s = 0; s < 2; s++) {
    const sc_tree_body *body = r->body + r->plan->body[i][s];
    VEC v[3], w[3], arm[3];
    load_vectors(3, body->v, l, v);
    load_vectors(3, body->w, l, w);
    load_vectors(3, r->joint[i].arm[s], l, arm);
    cross(w, arm, side[s]);
    for (int k = 0; k < 3; k++) side[s][k] += v[k];
  }
  for (int k = 0; k < 3; k++) u[k] = side[0][k] - side[1][k];
}

/* Applies the impulse -r->want to each joint, in the lanes of the mask `asked`. */
static void apply_joint_impulses(const sc_tree_run *r, MASK asked, int l) {
  for (int32_t i = 0; i < r->plan->joints; i++) {
    sc_tree_joint *joint = r->joint + i;
    VEC p[3], x[3];
    load_vectors(3, r->want + 3 * i, l, p);
    load_vectors(3, joint->x, l, x);
    for (int k = 0; k < 3; k++) x[k] = choose(asked, x[k] - p[k], x[k]);
    store_vectors(3, x, l, joint->x);
    for (int s = 0; s < 2; s++) {
      sc_tree_body *body = r->body + r->plan->body[i][s];
      VEC K[6], arm[3], moment[3], turned[3], v[3], w[3], own = load_lanes(body->inverse_mass, l);
      load_vectors(6, body->K, l, K);
      load_vectors(3, joint->arm[s], l, arm);
      load_vectors(3, body->v, l, v);
      load_vectors(3, body->w, l, w);
      cross(arm, p, moment);
      symmetric(K, moment, turned);
      for (int k = 0; k < 3; k++) {
        v[k] = choose(asked, s ? v[k] + own * p[k] : v[k] - own * p[k], v[k]);
        w[k] = choose(asked, s ? w[k] + turned[k] : w[k] - turned[k], w[k]);
      }
      store_vectors(3, v, l, body->v);
      store_vectors(3, w, l, body->w);
    }
  }
}

static inline MASK all_lanes(void) { return (MASK)(splat(0) == splat(0)); }

/* Sets out = time (w1 x (w1 x r1) - w2 x (w2 x r2)): the change of the relative velocity of joint i within
 * `time` due to the rotation of its arms. */
static void compute_bend(const sc_tree_run *r, int32_t i, double time, int l, VEC out[3]) {
  VEC side[2][3];
  for (int s = 0; s < 2; s++) {
    VEC w[3], arm[3], swept[3];
    load_vectors(3, r->body[r->plan->body[i][s]].w, l, w);
    load_vectors(3, r->joint[i].arm[s], l, arm);
    cross(w, arm, swept);
    cross(w, swept, side[s]);
  }
  for (int k = 0; k < 3; k++) out[k] = time * (side[0][k] - side[1][k]);
}

/* Applies joint impulses that reduce the relative velocities of all joints to 0. If ahead > 0, the impulses
 * reduce instead the mean relative velocities over the next time `ahead` to 0, to first order in the rotation
 * of the arms. joint->rest receives the contribution of this rotation. */
static void relax_joints(const sc_tree_run *r, double ahead, int l) {
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC u[3], bent[3];
    compute_joint_velocity(r, i, l, u);
    if (ahead > 0) {
      compute_bend(r, i, ahead / 2, l, bent);
      for (int k = 0; k < 3; k++) u[k] += bent[k];
      store_vectors(3, bent, l, r->joint[i].rest);
    }
    store_vectors(3, u, l, r->want + 3 * i);
  }
  solve_system(r, l);
  apply_joint_impulses(r, all_lanes(), l);
}

/* Applies the impulses of gravity and loads over `time`. */
static void apply_forces(const sc_tree_run *r, double time, int l) {
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    sc_tree_body *body = r->body + b;
    VEC pull[3], torque[3], K[6], turned[3], v[3], w[3];
    load_vectors(3, body->pull, l, pull);
    load_vectors(3, body->torque, l, torque);
    load_vectors(3, body->v, l, v);
    load_vectors(3, body->w, l, w);
    load_vectors(6, body->K, l, K);
    symmetric(K, torque, turned);
    for (int k = 0; k < 3; k++) v[k] += time * pull[k], w[k] += time * turned[k];
    store_vectors(3, v, l, body->v);
    store_vectors(3, w, l, body->w);
  }
}

#include "world/mechanism/trees/tree_energy.h"
#include "world/mechanism/trees/tree_rates.h"

/* ---- positions at the end of a substep ---- */

/* Moves the bodies from x, q with their velocities for the time r->h. Stores the new poses in to_x, to_q. */
static void drift_tree(const sc_tree_run *r, int l) {
  const VEC h = splat(r->h);
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    sc_tree_body *body = r->body + b;
    VEC x[3], q[4], v[3], w[3], inertia[6], inverse[6];
    load_vectors(3, body->x, l, x);
    load_vectors(4, body->q, l, q);
    load_vectors(3, body->v, l, v);
    load_vectors(3, body->w, l, w);
    load_vectors(6, body->inertia, l, inertia);
    load_vectors(6, body->inverse, l, inverse);
    for (int k = 0; k < 3; k++) x[k] += h * v[k];
    turn_free(r->plan->turns[b], inertia, inverse, h, w, q);
    store_vectors(3, x, l, body->to_x);
    store_vectors(4, q, l, body->to_q);
  }
}

/* Sets e to the position error of joint i at the poses to_x, to_q. */
static inline void compute_end_error(const sc_tree_run *r, int32_t i, int l, VEC e[3]) {
  VEC p[2][3];
  for (int s = 0; s < 2; s++) {
    const sc_tree_body *body = r->body + r->plan->body[i][s];
    VEC q[4], x[3], a[3];
    load_vectors(4, body->to_q, l, q);
    load_vectors(3, body->to_x, l, x);
    load_vectors(3, r->joint[i].anchor[s], l, a);
    rotate(q, a, a);
    for (int k = 0; k < 3; k++) p[s][k] = x[k] + a[k];
  }
  for (int k = 0; k < 3; k++) e[k] = p[0][k] - p[1][k];
}

/* Sets gap to the position error of joint i at the start of a substep. Returns the largest absolute
 * coordinate from which the error was computed [m]. It bounds the rounding error of gap. */
static VEC compute_gap(const sc_tree_run *r, int32_t i, int l, VEC gap[3]) {
  VEC p[2][3], max = splat(0);
  for (int s = 0; s < 2; s++) {
    VEC arm[3];
    load_vectors(3, r->body[r->plan->body[i][s]].x, l, p[s]);
    load_vectors(3, r->joint[i].arm[s], l, arm);
    for (int k = 0; k < 3; k++) {
      max = larger(larger(larger(p[s][k], -p[s][k]), larger(arm[k], -arm[k])), max);
      p[s][k] += arm[k];
    }
  }
  for (int k = 0; k < 3; k++) gap[k] = p[0][k] - p[1][k];
  return max;
}

/* Sets joint->gap and joint->rest to the position errors and velocities that the substep does not correct.
 * Position errors of rounding size count as 0. Sets *stays to the largest position error at the end of the
 * substep that both cause [m]. Returns the largest absolute coordinate [m], which bounds rounding errors. */
static VEC store_rest(const sc_tree_run *r, int l, VEC *stays) {
  const double rounding = 32 * DBL_EPSILON;
  VEC largest = splat(0);
  *stays = splat(0);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC u[3], rest[3], gap[3], max = compute_gap(r, i, l, gap);
    compute_joint_velocity(r, i, l, u);
    load_vectors(3, r->joint[i].rest, l, rest);
    for (int k = 0; k < 3; k++) {
      rest[k] += u[k];
      VEC size = larger(gap[k], -gap[k]);
      gap[k] = choose((MASK)(size > rounding * max), gap[k], splat(0));
      *stays = larger(*stays, larger(gap[k], -gap[k]) + r->h * larger(rest[k], -rest[k]));
    }
    store_vectors(3, rest, l, r->joint[i].rest);
    store_vectors(3, gap, l, r->joint[i].gap);
    largest = larger(max, largest);
  }
  return largest;
}

/* Sets r->want to the position errors of all joints at the end of the substep, divided by the length of the
 * substep. Returns the largest absolute component [m/s]. */
static VEC compute_end_errors(const sc_tree_run *r, int l) {
  const double pace = 1 / r->h;
  VEC worst = splat(0);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC e[3], gap[3], rest[3];
    compute_end_error(r, i, l, e);
    load_vectors(3, r->joint[i].gap, l, gap);
    load_vectors(3, r->joint[i].rest, l, rest);
    for (int k = 0; k < 3; k++) {
      e[k] = (e[k] - gap[k]) * pace - rest[k];
      VEC size = larger(e[k], -e[k]);
      worst = choose((MASK)(size <= worst), worst, size); // if size is NaN, worst becomes NaN
    }
    store_vectors(3, e, l, r->want + 3 * i);
  }
  return worst;
}

/* Newton's method on positions, with the factors of the substep's start. A lane stops when its errors are as
 * small as the rounding errors of coordinates, or when an iteration does not halve them. */
static void solve_lane_positions(sc_tree_run *r, int l) {
  enum { MOST_ROUNDS = 30 };
  VEC last = splat(INFINITY), left = splat(INFINITY);
  MASK asked = all_lanes();
  VEC stays, rounding = 2 * DBL_EPSILON / r->h * store_rest(r, l, &stays);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    drift_tree(r, l);
    VEC worst = compute_end_errors(r, l);
    left = choose(asked, worst, left);
    asked &= (MASK)(worst < 0.5 * last) & (MASK)(worst > rounding);
    if (!any_bit(asked)) break;
    last = choose(asked, worst, last);
    solve_system(r, l);
    apply_joint_impulses(r, asked, l);
  }
  const VEC length = load_lanes(r->length, l), off = left * r->h;
  const MASK met = (MASK)(off <= SC_TREE_FOLLOWED * length),
             placed = (MASK)(off + stays <= SC_TREE_PLACED * length);
  for (int k = 0; k < LANES; k++) {
    r->placed[l + k] = ((const int64_t *)&placed)[k] != 0;
    if (!((const int64_t *)&met)[k]) r->failed[l + k] = true;
  }
}

/* Replaces the poses and spins at the start of the substep by those at its end, for the next substep. */
static void finish_part(const sc_tree_run *r, int l) {
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    sc_tree_body *body = r->body + b;
    VEC x[3], q[4], on[4], w[3], inertia[6], inverse[6];
    load_vectors(3, body->to_x, l, x);
    load_vectors(4, body->q, l, q);
    load_vectors(4, body->to_q, l, on);
    load_vectors(3, body->w, l, w);
    load_vectors(6, body->inertia, l, inertia);
    load_vectors(6, body->inverse, l, inverse);
    spin_on(r->plan->turns[b], inertia, inverse, q, on, w);
    store_vectors(3, x, l, body->x);
    store_vectors(4, on, l, body->q);
    store_vectors(3, w, l, body->w);
  }
}

/* Moves the bodies by one step without forces. prepare_poses() must have been called. */
static void shake_lanes(sc_tree_run *r, int l) {
  r->h = r->dt;
  relax_joints(r, r->h, l);
  solve_lane_positions(r, l);
  finish_part(r, l);
}

static void store_first(const sc_tree_run *r, int l) {
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC x[3];
    load_vectors(3, r->joint[i].x, l, x);
    store_vectors(3, x, l, r->joint[i].first);
  }
}

/* Moves the bodies by `parts` substeps of RATTLE. The half impulses of forces at the end of a substep and at
 * the start of the next substep are applied together. This is possible because the velocities at both satisfy
 * equal joint equations. */
static void rattle_lanes(sc_tree_run *r, int parts, int l) {
  const VEC before = open_energy_balance(r, l);
  r->h = r->dt / parts;
  apply_forces(r, r->h / 2, l);
  relax_joints(r, r->h, l);
  for (int part = 1; part <= parts; part++) {
    solve_lane_positions(r, l);
    if (part == 1) store_first(r, l);
    finish_part(r, l);
    prepare_poses(r, l);
    apply_forces(r, part < parts ? r->h : r->h / 2, l);
    relax_joints(r, part < parts ? r->h : 0, l);
  }
  close_energy_balance(r, before, l);
}

static void move_trees(sc_tree_run *r) {
  for (int l = 0; l < r->lanes; l += LANES) {
    prepare_poses(r, l);
    int parts = r->parts == SC_TREE_OPEN ? common_parts_of(r, l) : r->parts;
    if (parts > 0) rattle_lanes(r, parts, l);
    if (parts == SC_TREE_SHAKE) shake_lanes(r, l);
    for (int k = l; k < l + LANES && parts >= 0; k++) r->needs[k] = 2 * parts;
  }
}

/* ---- correction of positions ---- */

/* Sets r->want to the position errors at the poses to_x, to_q. Returns the largest component [m]. */
static VEC compute_errors(const sc_tree_run *r, int l) {
  VEC worst = splat(0);
  for (int32_t i = 0; i < r->plan->joints; i++) {
    VEC e[3];
    compute_end_error(r, i, l, e);
    for (int k = 0; k < 3; k++) {
      VEC size = larger(e[k], -e[k]);
      worst = choose((MASK)(size <= worst), worst, size);
    }
    store_vectors(3, e, l, r->want + 3 * i);
  }
  return worst;
}

/* Displaces the poses to_x, to_q by the shifts in v and w, and then sets v and w to 0. Acts only in the lanes
 * of the mask `asked`. */
static void displace_bodies(const sc_tree_run *r, MASK asked, int l) {
  const VEC none[3] = {splat(0), splat(0), splat(0)};
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    sc_tree_body *body = r->body + b;
    VEC x[3], q[4], v[3], s[4], moved[4];
    load_vectors(3, body->to_x, l, x);
    load_vectors(4, body->to_q, l, q);
    load_vectors(3, body->v, l, v);
    load_vectors(3, body->w, l, s + 1);
    for (int k = 0; k < 3; k++) x[k] = choose(asked, x[k] + v[k], x[k]), s[k + 1] = 0.5 * s[k + 1];
    s[0] = splat(1);
    multiply(s, q, moved);
    normalise_lanes(moved);
    for (int k = 0; k < 4; k++) q[k] = choose(asked, moved[k], q[k]);
    store_vectors(3, x, l, body->to_x);
    store_vectors(4, q, l, body->to_q);
    store_vectors(3, none, l, body->v);
    store_vectors(3, none, l, body->w);
  }
}

static void reset_targets(const sc_tree_run *r, int l) {
  for (int32_t b = 0; b < r->plan->bodies; b++) {
    VEC x[3], q[4];
    load_vectors(3, r->body[b].x, l, x);
    load_vectors(4, r->body[b].q, l, q);
    store_vectors(3, x, l, r->body[b].to_x);
    store_vectors(4, q, l, r->body[b].to_q);
  }
}

/* Returns the largest coordinate of the anchor points of all joints [m], which bounds rounding errors. */
static VEC largest_coordinate_of(const sc_tree_run *r, int l) {
  VEC max = splat(0), gap[3];
  for (int32_t i = 0; i < r->plan->joints; i++) max = larger(compute_gap(r, i, l, gap), max);
  return max;
}

/* Corrects positions by Newton's method with the factors of the first iteration. A lane stops when its errors
 * are as small as the rounding errors of coordinates, or when an iteration does not halve them. */
static void correct_lanes(sc_tree_run *r, int l) {
  enum { MOST_ROUNDS = 6 };
  reset_targets(r, l);
  VEC worst = compute_errors(r, l), last = splat(INFINITY);
  MASK asked = (MASK)(worst > SC_TREE_PLACED * load_lanes(r->length, l));
  for (int k = 0; k < LANES; k++) r->moved[l + k] = ((const int64_t *)&asked)[k] != 0;
  if (!any_bit(asked)) return;
  prepare_poses(r, l);
  const VEC rounding = 2 * DBL_EPSILON * largest_coordinate_of(r, l);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    asked &= (MASK)(worst < 0.5 * last) & (MASK)(worst > rounding);
    if (!any_bit(asked)) return;
    last = choose(asked, worst, last);
    solve_system(r, l);
    apply_joint_impulses(r, asked, l);
    displace_bodies(r, asked, l);
    worst = compute_errors(r, l);
  }
}

static void correct_trees(sc_tree_run *r) {
  for (int l = 0; l < r->lanes; l += LANES) correct_lanes(r, l);
}

const sc_tree_kernels TREES = {.move = move_trees, .correct = correct_trees};
