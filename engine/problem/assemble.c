/* Assembly: from bodies and contacts to the plain arrays of problem.h.
 *
 * Free velocities: v + dt (g + f/m), w + dt I^-1 torque. The gyroscopic term acts when orientations are advanced, where angular
 * momentum is conserved exactly (world/integrate.c). Spin is carried as q = s w with s the ball's radius, or the bounding
 * radius of a general body, or 1 for bodies that cannot move. */
#include "problem/lanes.h"
#include "collide/collide.h"
#include "math/vec.h"
#include "model/bodies.h"
#include "model/pairs.h"
#include "problem/planar.h"

#include <string.h>

double sc_body_scale(const sc_bodies *bodies, int32_t row) {
  return bodies->kind[row] == SCREE_DYNAMIC || bodies->tensor_row[row] == SC_TENSOR_BALL ? bodies->radius[row] : 1;
}

/* K = s^2 R I^-1 R' in world axes, symmetric. */
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

/* K = s^2 p p' / (p'I p), I in world axes. */
static void planar_inverse_inertia(const sc_assemble_in *in, int32_t row, double s, double K[6]) {
  const double *p = in->bodies->plane;
  double a[3], I[6];
  sc_bodies_inertia(in->bodies, row, I);
  sc_quat_unrotate(in->bodies->orientation[row], p, a);
  double about = I[0] * a[0] * a[0] + I[3] * a[1] * a[1] + I[5] * a[2] * a[2]
      + 2 * (I[1] * a[0] * a[1] + I[2] * a[0] * a[2] + I[4] * a[1] * a[2]);
  double k = s * s / about;
  K[0] = k * p[0] * p[0]; K[1] = k * p[0] * p[1]; K[2] = k * p[0] * p[2];
  K[3] = k * p[1] * p[1]; K[4] = k * p[1] * p[2]; K[5] = k * p[2] * p[2];
}

static void set_body(const sc_assemble_in *in, int32_t row, sc_solver_body *body, double K[6]) {
  const sc_bodies *bodies = in->bodies;
  double s = sc_body_scale(bodies, row);
  sc_copy3(bodies->velocity[row], body->v);
  sc_scale(s, bodies->spin[row], body->q);
  body->inv_mass = bodies->inv_mass[row];
  body->k = 0;
  memset(K, 0, 6 * sizeof *K);
  if (bodies->kind[row] == SCREE_FIXED) {
    sc_set3(0, 0, 0, body->v);
    sc_set3(0, 0, 0, body->q);
  }
  if (bodies->kind[row] != SCREE_DYNAMIC) return;
  const double *force = sc_bodies_load(bodies, row), *torque = force + 3;
  for (int k = 0; k < 3; k++) body->v[k] += in->dt * (in->gravity[k] + force[k] * body->inv_mass);
  if (in->bodies->planar) {
    planar_inverse_inertia(in, row, s, K);
    sc_planar_project(in->bodies->plane, body->v, body->v);
    sc_scale(sc_dot(in->bodies->plane, body->q), in->bodies->plane, body->q);
  } else if (bodies->tensor_row[row] == SC_TENSOR_BALL) {
    body->k = s * s * bodies->ball_inverse[row];
    K[0] = K[3] = K[5] = body->k;
  } else {
    scaled_inverse_inertia(bodies->tensor[bodies->tensor_row[row]].inverse, bodies->orientation[row], s, K);
  }
  if (torque[0] != 0 || torque[1] != 0 || torque[2] != 0)
    for (int k = 0; k < 3; k++) {
      const double rows[3][3] = {{K[0], K[1], K[2]}, {K[1], K[3], K[4]}, {K[2], K[4], K[5]}};
      body->q[k] += in->dt / s * sc_dot(rows[k], torque);
    }
}

/* A copy's share of the mass: 1/m and K are times the number of copies. */
static void share_mass(int32_t copies, sc_solver_body *body, double K[6]) {
  body->inv_mass *= copies;
  body->k *= copies;
  for (int k = 0; k < 6; k++) K[k] *= copies;
}

static double bias_of(const sc_assemble_in *in, double gap) {
  if (gap > 0) return gap / in->dt;
  if (in->positions) return 0;
  double bias = in->drift_time > 0 ? gap / fmax(in->drift_time, in->dt) : in->erp * gap / in->dt;
  return in->max_correction > 0 ? fmax(bias, -in->max_correction) : bias;
}

/* A body whose side of a ball contact needs no spin or carries it as q: a ball, or an immovable body that does not turn. */
static bool ball_side(const sc_assemble_in *in, int32_t row) {
  const sc_bodies *bodies = in->bodies;
  if (bodies->kind[row] == SCREE_DYNAMIC) return bodies->tensor_row[row] == SC_TENSOR_BALL;
  return bodies->kind[row] == SCREE_FIXED || sc_dot(bodies->spin[row], bodies->spin[row]) == 0;
}

/* Law and parameters between two materials. */
static const sc_rule *rule_of(const sc_assemble_in *in, int32_t material1, int32_t material2) {
  return in->pairs->rule + in->pairs->table[(size_t)material1 * (size_t)in->pairs->materials + (size_t)material2];
}

/* Bounds of a ball contact by a rule; false where the rule has no closed form for balls that the solver takes. */
static bool ball_form(const sc_assemble_in *in, const sc_rule *rule, double *mu, sc_ball_couple *couple) {
  const sc_law *law = in->law[rule->law];
  couple->torsion = couple->rolling = 0;
  if (!law->ball_kernel) return false;
  if (law->ball_mu && law->ball_mu(rule->params, mu)) return true;
  return in->couples && law->ball_couple && law->ball_couple(rule->params, mu, &couple->torsion, &couple->rolling);
}

static bool any_couple(const sc_assemble_in *in) {
  double mu;
  sc_ball_couple couple;
  for (int32_t r = 0; r < in->pairs->rules; r++)
    if (ball_form(in, in->pairs->rule + r, &mu, &couple) && (couple.torsion > 0 || couple.rolling > 0)) return true;
  return false;
}

static bool is_ball_contact(const sc_assemble_in *in, const sc_sides *sides) {
  double mu;
  sc_ball_couple couple;
  if (in->bodies->planar) return false;
  return ball_side(in, sides->body1) && ball_side(in, sides->body2) &&
      ball_form(in, rule_of(in, sides->material1, sides->material2), &mu, &couple);
}

/* Moment of the step before of a contact, [N m s]; NULL: none is kept. */
static const double *kept_moment(const sc_assemble_in *in, int32_t contact) {
  return in->couple_at < 0 || !in->state_stride ? NULL : in->state + (size_t)contact * (size_t)in->state_stride + in->couple_at;
}

/* Scales and warm start of a couple whose bounds are lengths. */
static void set_couple(const sc_assemble_in *in, const sc_sides *sides, int32_t index, sc_ball_couple *couple) {
  double s1 = sc_body_scale(in->bodies, sides->body1), s2 = sc_body_scale(in->bodies, sides->body2);
  const double *moment = kept_moment(in, index);
  couple->torsion /= s1;
  couple->rolling /= s1;
  couple->ratio = s1 / s2;
  sc_set3(0, 0, 0, couple->m);
  if (moment) sc_scale(in->warm_start / s1, moment, couple->m);
}

/* Arm r/s of a body at a contact; a ball's arm reaches its own surface, which keeps its block diagonal. */
static void set_arm(const sc_assemble_in *in, int32_t row, const sc_contact *contact, double side, double arm[3], double *scale) {
  const sc_bodies *bodies = in->bodies;
  *scale = sc_body_scale(bodies, row);
  if (bodies->tensor_row[row] == SC_TENSOR_BALL) {
    sc_scale(side, contact->normal, arm);
  } else {
    sc_sub(contact->point, bodies->position[row], arm);
    sc_scale(1 / *scale, arm, arm);
  }
}

/* Velocity of a body at a contact, before this step's forces. */
static void velocity_at(const sc_assemble_in *in, int32_t row, const double point[3], double v[3]) {
  double arm[3];
  sc_sub(point, in->bodies->position[row], arm);
  sc_cross(in->bodies->spin[row], arm, v);
  sc_add(v, in->bodies->velocity[row], v);
}

static void contact_info(const sc_assemble_in *in, const sc_problem *problem, const sc_general_contact *g,
    const sc_contact *contact,
                         scree_contact_info *info) {
  double u[SCREE_LAW_MAX_DIM];
  sc_problem_general_velocity(problem, g, u);
  info->body1 = sc_bodies_id(in->bodies, contact->body1);
  info->body2 = sc_bodies_id(in->bodies, contact->body2);
  sc_copy3(contact->point, info->point);
  sc_copy3(contact->normal, info->normal);
  sc_copy3(g->t, info->t);
  info->gap = contact->gap;
  info->dt = in->dt;
  sc_copy3(u, info->velocity);
  info->impulse[0] = sc_dot(contact->impulse, g->n);
  info->impulse[1] = sc_dot(contact->impulse, g->t);
  info->impulse[2] = sc_dot(contact->impulse, g->o);
  double v1[3], v2[3];
  velocity_at(in, contact->body1, contact->point, v1);
  velocity_at(in, contact->body2, contact->point, v2);
  sc_sub(v1, v2, v1);
  info->slip[0] = sc_dot(v1, g->t);
  info->slip[1] = sc_dot(v1, g->o);
  memcpy(info->orientation1, in->bodies->orientation[contact->body1], sizeof info->orientation1);
  memcpy(info->orientation2, in->bodies->orientation[contact->body2], sizeof info->orientation2);
  info->planar = in->bodies->planar;
  int32_t first = rule_of(in, contact->material1, contact->material2)->first;
  info->swapped = contact->material1 != first && contact->material2 == first;
}

/* Geometry, parameters and block of one general contact. */
static scree_status set_general(const sc_assemble_in *in, int32_t index, sc_general_contact *g, sc_problem *problem,
    int32_t *par_used,
                                int32_t *block_used, int32_t *x_used, scree_error *error) {
  sc_contact found;
  sc_collide_contact(in->collide, in->shapes, index, &found);
  const sc_contact *contact = &found;
  const sc_rule *rule = rule_of(in, contact->material1, contact->material2);
  const sc_law *law = in->law[rule->law];
  g->i = contact->body1;
  g->j = contact->body2;
  g->law = rule->law;
  g->contact = index;
  g->bias = bias_of(in, contact->gap);
  if (problem->positions) problem->general_gap[problem->generals] = contact->gap / in->dt;
  sc_copy3(contact->normal, g->n);
  if (in->bodies->planar) sc_planar_frame(in->bodies->plane, g->n, g->t, g->o);
  else sc_frame(g->n, g->t, g->o);
  set_arm(in, g->i, contact, -1, g->arm1, &g->scale1);
  set_arm(in, g->j, contact, 1, g->arm2, &g->scale2);
  g->dim = 3;
  /* parameters: this contact's own copy, refreshed */
  double *par = problem->par + *par_used;
  memcpy(par, rule->params, sizeof rule->params);
  g->par = *par_used;
  *par_used += SCREE_LAW_MAX_PARAMS;
  if (law->refresh) {
    scree_contact_info info;
    contact_info(in, problem, g, contact, &info);
    bool kept = in->couple_at < 0 ? in->state_stride > 0 : in->couple_at > 0;
    double *state = kept ? in->state + (size_t)index * (size_t)in->state_stride : NULL;
    if (law->refresh(law, par, state, &info, error)) return SCREE_E_LAW;
  }
  if (law->dim) g->dim = law->dim(par);
  /* block and warm start */
  g->block = *block_used;
  *block_used += g->dim * g->dim;
  sc_problem_general_block(problem, g, problem->block + g->block);
  g->x = *x_used;
  *x_used += g->dim;
  double *x = problem->x + g->x;
  memset(x, 0, (size_t)g->dim * sizeof *x);
  x[0] = in->warm_start * sc_dot(contact->impulse, g->n);
  x[1] = in->warm_start * sc_dot(contact->impulse, g->t);
  x[2] = in->warm_start * sc_dot(contact->impulse, g->o);
  const double *moment = kept_moment(in, index), *axis[] = {g->n, g->t, g->o};
  for (int r = 3; r < g->dim && moment; r++) x[r] = in->warm_start * sc_dot(moment, axis[r - 3]);
  return SCREE_OK;
}

/* Whether every body that can move has an inertia that is the same about all axes. */
static bool all_round(const sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count; row++)
    if (bodies->kind[row] == SCREE_DYNAMIC && bodies->tensor_row[row] != SC_TENSOR_BALL) return false;
  return !bodies->planar;
}

static bool take_bodies(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem) {
  size_t rows = (size_t)in->bodies->count + 1;
  bool round = all_round(in->bodies);
  problem->bodies = (int32_t)rows;
  problem->spare = in->spare;
  problem->body = SC_TAKE(arena, sc_solver_body, rows + (size_t)in->spare);
  problem->position = in->bodies->position;
  if (!round) problem->K = sc_arena_take(arena, rows * sizeof *problem->K);
  return problem->body && (round || problem->K);
}

static bool take_generals(int32_t generals, sc_arena *arena, sc_problem *problem) {
  problem->general = SC_TAKE(arena, sc_general_contact, generals);
  problem->par = SC_TAKE(arena, double, (size_t)generals * SCREE_LAW_MAX_PARAMS);
  problem->block = SC_TAKE(arena, double, (size_t)generals * SCREE_LAW_MAX_DIM * SCREE_LAW_MAX_DIM);
  problem->x = SC_TAKE(arena, double, (size_t)generals * SCREE_LAW_MAX_DIM);
  if (problem->positions) problem->general_gap = SC_TAKE(arena, double, generals);
  return problem->general && problem->par && problem->block && problem->x && (problem->general_gap || !problem->positions);
}

static bool left_out(const sc_assemble_in *in, int32_t c) {
  sc_contact contact;
  if (in->skip && in->skip[c]) return true;
  if (!in->bodies->planar) return false;
  sc_collide_contact(in->collide, in->shapes, c, &contact);
  return sc_planar_flat(in->bodies->plane, contact.normal);
}

/* ---- contacts fall into their buckets: counted by chunks, placed by chunks, so that threads can share both ---- */

enum { LEFT_OUT, BALL, GENERAL };
typedef struct bodies_of { int32_t i, j; } bodies_of;
typedef struct sorter {
  const sc_assemble_in *in;
  sc_problem *problem;
  uint8_t *kind;           /* per contact, NULL where all are balls */
  int32_t *balls;          /* per chunk of contacts: ball contacts before it */
  bodies_of *pair;         /* per ball contact, while lanes are planned */
  int mixed;               /* not all ball contacts have the friction of the first */
  double mu;               /* of the first */
} sorter;

static double friction_of(const sc_assemble_in *in, int32_t material1, int32_t material2) {
  double mu = 0;
  sc_ball_couple couple;
  ball_form(in, rule_of(in, material1, material2), &mu, &couple);
  return mu;
}

static void sort_chunk(void *context, int64_t first, int64_t end) {
  sorter *s = context;
  int32_t balls = 0;
  for (int64_t c = first; c < end; c++) {
    sc_sides sides;
    sc_collide_sides(s->in->collide, s->in->shapes, (int32_t)c, &sides);
    s->kind[c] = left_out(s->in, (int32_t)c) ? LEFT_OUT : is_ball_contact(s->in, &sides) ? BALL : GENERAL;
    balls += s->kind[c] == BALL;
  }
  s->balls[first / SC_RANGE] = balls;
}

/* Which contacts are balls, and for lanes their bodies and whether all have the same friction. */
static void list_chunk(void *context, int64_t first, int64_t end) {
  sorter *s = context;
  int32_t at = s->balls[first / SC_RANGE], material1 = -1, material2 = -1;
  for (int64_t c = first; c < end; c++) {
    sc_sides sides;
    if (s->kind && s->kind[c] != BALL) continue;
    if (s->problem->ball_contact) s->problem->ball_contact[at] = (int32_t)c;
    if (s->pair) {
      sc_collide_sides(s->in->collide, s->in->shapes, (int32_t)c, &sides);
      s->pair[at] = (bodies_of){sides.body1, sides.body2};
      bool same = sides.material1 == material1 && sides.material2 == material2;
      material1 = sides.material1, material2 = sides.material2;
      if (!same && friction_of(s->in, material1, material2) != s->mu) __atomic_store_n(&s->mixed, 1, __ATOMIC_RELAXED);
    }
    at++;
  }
}

/* Contact of the collision stage that a ball contact comes from. */
static int32_t source(const sc_problem *problem, int64_t ball) { return problem->ball_contact ? problem->ball_contact[ball] : (int32_t)ball; }

static void set_ball(const sorter *s, const sc_meeting *from, sc_ball_contact *ball) {
  sc_copy3(from->normal, ball->n);
  sc_scale(s->in->warm_start, from->impulse, ball->p);
  ball->bias = bias_of(s->in, from->gap);
  ball->mu = s->mixed ? friction_of(s->in, from->sides.material1, from->sides.material2) : s->mu;
  ball->i = from->sides.body1;
  ball->j = from->sides.body2;
}

static void place_rows(void *context, int64_t first, int64_t end) {
  const sorter *s = context;
  for (int64_t b = first; b < end; b++) {
    sc_meeting from;
    sc_collide_meeting(s->in->collide, s->in->shapes, source(s->problem, b), &from);
    set_ball(s, &from, s->problem->ball + b);
    if (s->problem->positions) s->problem->ball_gap[b] = from.gap / s->in->dt;
    if (s->problem->couple) {
      double mu;
      ball_form(s->in, rule_of(s->in, from.sides.material1, from.sides.material2), &mu, s->problem->couple + b);
      set_couple(s->in, &from.sides, source(s->problem, b), s->problem->couple + b);
    }
  }
}

/* Bodies of a contact that comes later. */
SC_FETCH fetch_bodies(const sorter *s, int64_t b) {
  sc_sides sides;
  sc_collide_sides(s->in->collide, s->in->shapes, source(s->problem, b), &sides);
  __builtin_prefetch(s->problem->body + sides.body1);
  __builtin_prefetch(s->problem->body + sides.body2);
}

/* Into their lanes; the closing velocities are summed on the way, for normals and bodies are at hand. */
static double place_lanes(void *context, int64_t first, int64_t end) {
  enum { LANES_AHEAD = 16, BODIES_AHEAD = 6 };
  const sorter *s = context;
  const sc_problem *problem = s->problem;
  double sum = 0;
  for (int64_t b = first; b < end; b++) {
    sc_meeting from;
    sc_ball_contact ball;
    double u[3];
    if (b + LANES_AHEAD < end) sc_lane_fetch(problem->lanes, (int32_t)b + LANES_AHEAD, true);
    if (b + BODIES_AHEAD < end) fetch_bodies(s, b + BODIES_AHEAD);
    sc_collide_meeting(s->in->collide, s->in->shapes, source(problem, b), &from);
    set_ball(s, &from, &ball);
    const sc_solver_body *one = problem->body + ball.i, *two = problem->body + ball.j;
    sc_ball_velocity(one, two, ball.n, u);
    double closing = -sc_dot(u, ball.n) - ball.bias;
    if (closing > 0) sum += closing;
    if (problem->positions) ball.bias = from.gap / s->in->dt;
    sc_lane_put(problem->lanes, (int32_t)b, &ball, !(two->inv_mass > 0));
  }
  return sum;
}

/* Whether any two of the bodies make a ball contact, by whatever rule: no contact needs to be looked at then. */
static bool only_balls(const sc_assemble_in *in) {
  double mu;
  sc_ball_couple couple;
  if (in->skip || in->bodies->planar) return false;
  for (int32_t row = 0; row < in->bodies->count; row++)
    if (!ball_side(in, row)) return false;
  for (int32_t r = 0; r < in->pairs->rules; r++)
    if (!ball_form(in, in->pairs->rule + r, &mu, &couple)) return false;
  return true;
}

/* Kinds of all contacts and the first ball of every chunk. */
static bool sort_contacts(sorter *s, sc_arena *arena, int32_t *balls, int32_t *generals) {
  int32_t chunks = (s->in->contacts + SC_RANGE - 1) / SC_RANGE;
  s->balls = SC_TAKE(arena, int32_t, chunks);
  if (!s->balls) return false;
  if (only_balls(s->in)) {
    for (int32_t k = 0; k < chunks; k++) s->balls[k] = k * SC_RANGE;
    *balls = s->in->contacts, *generals = 0;
    return true;
  }
  s->kind = SC_TAKE(arena, uint8_t, s->in->contacts);
  if (!s->kind) return false;
  sc_pool_ranges(s->in->pool, s->in->contacts, SC_RANGE, sort_chunk, s);
  *balls = *generals = 0;
  for (int32_t k = 0; k < chunks; k++) {
    int32_t count = s->balls[k];
    s->balls[k] = *balls;
    *balls += count;
  }
  if (*balls < s->in->contacts)
    for (int32_t c = 0; c < s->in->contacts; c++) *generals += s->kind[c] == GENERAL;
  return true;
}

static bool take_rows(sorter *s, int32_t balls, sc_arena *arena) {
  sc_problem *problem = s->problem;
  problem->ball = SC_TAKE(arena, sc_ball_contact, balls);
  problem->ball_contact = SC_TAKE(arena, int32_t, balls);
  if (problem->positions) problem->ball_gap = SC_TAKE(arena, double, balls);
  if (!problem->ball || !problem->ball_contact || (problem->positions && !problem->ball_gap)) return false;
  if (any_couple(s->in) && balls && !(problem->couple = SC_TAKE(arena, sc_ball_couple, balls))) return false;
  sc_pool_ranges(s->in->pool, s->in->contacts, SC_RANGE, list_chunk, s);
  return true;
}

/* Friction of the first ball contact. */
static double first_friction(const sorter *s) {
  sc_sides sides;
  int32_t c = 0;
  while (s->kind && s->kind[c] != BALL) c++;
  sc_collide_sides(s->in->collide, s->in->shapes, c, &sides);
  return friction_of(s->in, sides.material1, sides.material2);
}

/* Plans the lanes; the bodies must be set. */
static bool take_lanes(sorter *s, int32_t balls, int32_t generals, sc_arena *arena) {
  const sc_assemble_in *in = s->in;
  sc_problem *problem = s->problem;
  sc_lanes *lanes = SC_TAKE(arena, sc_lanes, 1);
  if (s->kind) problem->ball_contact = SC_TAKE(arena, int32_t, balls);
  if (!lanes || (s->kind && !problem->ball_contact)) return false;
  sc_lanes_in want = {.count = balls, .pool = sc_solver_pool((int64_t)balls + generals, in->contacts_per_thread, in->pool), .border = in->border,
                      .least = problem->positions ? 0 : -INFINITY};
  if (!sc_lanes_begin(&want, arena, lanes)) return false;
  sc_arena_mark mark = sc_arena_here(arena);
  s->pair = SC_TAKE(arena, bodies_of, balls);
  if (!s->pair) return false;
  s->mixed = 0;
  if (balls) s->mu = first_friction(s);
  sc_pool_ranges(in->pool, in->contacts, SC_RANGE, list_chunk, s);
  want.one_mu = !s->mixed;
  if (balls) want.first = &s->pair->i, want.second = &s->pair->j, want.stride = sizeof *s->pair / sizeof(int32_t);
  if (!sc_lanes_plan(problem, &want, mark, arena, lanes)) return false;
  problem->lanes = lanes;
  return true;
}

static scree_status set_generals(const sorter *s, int32_t generals, scree_error *error) {
  sc_problem *problem = s->problem;
  int32_t par_used = 0, block_used = 0, x_used = 0;
  for (int32_t c = 0; c < s->in->contacts && problem->generals < generals; c++) {
    if (s->kind[c] != GENERAL) continue;
    scree_status status = set_general(s->in, c, problem->general + problem->generals, problem, &par_used, &block_used, &x_used,
        error);
    if (status != SCREE_OK) return status;
    problem->generals++;
  }
  return SCREE_OK;
}

static void set_bodies(void *context, int64_t first, int64_t end) {
  const sorter *s = context;
  for (int64_t row = first; row < end; row++) {
    double round[6], *K = s->problem->K ? s->problem->K[row] : round;
    set_body(s->in, (int32_t)row, s->problem->body + row, K);
    if (s->in->copies && s->in->copies[row] > 1) share_mass(s->in->copies[row], s->problem->body + row, K);
  }
}

/* Ball contacts into rows or lanes. */
static bool place_balls(sorter *s, int32_t balls, int32_t generals, sc_arena *arena) {
  sc_problem *problem = s->problem;
  problem->balls = balls;
  s->mixed = 1;
  bool lanes = s->in->lanes && !any_couple(s->in); /* moments lie beside rows */
  if (!(lanes ? take_lanes(s, balls, generals, arena) : take_rows(s, balls, arena))) return false;
  problem->closing_known = lanes;
  if (lanes) problem->closing = sc_pool_sum(s->in->pool, balls, place_lanes, s);
  else sc_pool_ranges(s->in->pool, balls, SC_RANGE, place_rows, s);
  return true;
}

scree_status sc_assemble(const sc_assemble_in *in, sc_arena *arena, sc_problem *problem, scree_error *error) {
  sorter s = {.in = in, .problem = problem};
  int32_t balls, generals, rows = in->bodies->count;
  *problem = (sc_problem){.law = (const sc_law **)in->law, .laws = in->laws, .dt = in->dt, .positions = in->positions,
                          .share = in->drift_time > 0 ? in->dt / fmax(in->drift_time, in->dt) : in->erp,
                          .most = in->max_correction > 0 ? in->max_correction : INFINITY, .planar = in->bodies->planar,
                          .gravity = sc_norm(in->gravity)};
  sc_copy3(in->bodies->plane, problem->plane);
  if (!sort_contacts(&s, arena, &balls, &generals) || !take_bodies(in, arena, problem) || !take_generals(generals, arena, problem))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", in->contacts);
  sc_pool_ranges(in->pool, rows, SC_RANGE, set_bodies, &s);
  memset(problem->body + rows, 0, sizeof *problem->body);
  if (problem->K) memset(problem->K + rows, 0, sizeof *problem->K);
  if (!place_balls(&s, balls, generals, arena)) return sc_fail(error, SCREE_E_MEMORY, "no memory for %d contacts", in->contacts);
  return set_generals(&s, generals, error);
}

/* Impulses and gaps back into lanes. A contact whose bodies are gone stands open. */
static void place_again(void *context, int64_t first, int64_t end) {
  const sorter *s = context;
  for (int64_t b = first; b < end; b++) {
    sc_meeting from;
    sc_ball_contact ball = sc_problem_ball(s->problem, (int32_t)b);
    sc_collide_meeting(s->in->collide, s->in->shapes, source(s->problem, b), &from);
    bool gone = from.sides.body1 < 0;
    ball.bias = gone ? INFINITY : from.gap / s->in->dt;
    sc_copy3(from.impulse, ball.p);
    sc_lane_put(s->problem->lanes, (int32_t)b, &ball, !(s->problem->body[ball.j].inv_mass > 0));
  }
}

bool sc_assemble_again(const sc_assemble_in *in, sc_problem *problem) {
  sorter s = {.in = in, .problem = problem};
  if (!problem->lanes || !problem->lanes->used) return true;
  if (sc_collide_memory(in->collide, NULL, 0, NULL) != in->contacts) return false;
  sc_pool_ranges(in->pool, problem->balls, SC_RANGE, place_again, &s);
  problem->lanes->used = false;
  return true;
}
