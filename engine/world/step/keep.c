/* Stores a solved problem: impulses and states in contacts, velocities in bodies, and the dissipated energy
 * in the energy balance. Threads work on fixed ranges. Sums are added in the order of these ranges, so that
 * they do not depend on the number of threads. */
#include <string.h>
#include "world/account/account.h"
#include "world/step/faces.h"
#include "world/step/free_motion.h"
#include "world/step/second_order.h"
#include "world/cell/cell.h"
#include "world/cell/cell_drive.h"
#include "world/account/springs.h"
#include "world/account/losses.h"
#include "world/steps.h"
#include "world/mechanism/ties.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "solve/solver.h"
#include "model/relative.h"
#include "problem/joints/joint_reactions.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"

/* A slip below this multiple of the solver's residual counts as sticking. */
static const double LEFT = 10;

/* Arguments of the loops over contacts. */
typedef struct keeper {
  scree_world *world;
  uint8_t *met;       /* [bodies] SC_MET_ marks to set (sc_world_store_impulses); NULL: none */
  double least;       /* slip speed up to which a contact sticks [m/s] */
  int moment_at;      /* offset of the moment in a contact's state; negative: states have no moments */
  const double *pull; /* [contacts of the problem] impulse by which cohesion pulls [N s]; NULL: no cohesion */
  /* Inner radius of the friction polygon of solver lemke, divided by the radius of the friction circle; 0:
   * the solver uses the circle. */
  double polygon;
} keeper;

/* Marks a body that has a contact with an impulse. still: true if the other body cannot move. Bits are only
 * set and never cleared, so the order of threads does not matter. */
static void mark_touched(uint8_t *met, bool still) {
  uint8_t had = __atomic_load_n(met, __ATOMIC_RELAXED);
  if (had & SC_MET_MORE) return;
  had = __atomic_fetch_or(met, still ? SC_MET_ONE | SC_MET_STILL : SC_MET_ONE, __ATOMIC_RELAXED);
  if (had & SC_MET_ONE) __atomic_fetch_or(met, SC_MET_MORE, __ATOMIC_RELAXED);
}

static void mark_both(const keeper *k, int32_t i, int32_t j) {
  const double *inverse = k->world->bodies.inv_mass;
  const bool still1 = !(inverse[i] > 0), still2 = !(inverse[j] > 0);
  if (!still1) mark_touched(k->met + i, still2);
  if (!still2) mark_touched(k->met + j, still1);
}

/* Stores the pull of cohesion in the contact's state and subtracts it from the solver's impulse p along the
 * normal n. The solver's impulse does not contain the pull. */
static void keep_pull(scree_world *world, int32_t contact, double pull, const double n[3], double p[3]) {
  int at = sc_pull_place(&world->contacts);
  if (at < 0) return;
  sc_contact_state(&world->contacts, contact)[at] = pull;
  sc_axpy(-pull, n, p, p);
}

/* Stores the moment scale * m in a contact's state, if states have moments. m: NULL for a moment of 0. */
static void keep_moment(const keeper *k, int32_t contact, double scale, const double *m) {
  if (k->moment_at < 0) return;
  double *kept = sc_contact_state(&k->world->contacts, contact) + k->moment_at;
  for (int i = 0; i < SC_MOMENT; i++) kept[i] = m ? scale * m[i] : 0;
}

/* Stores the impulse p and the state of a contact. c: index in the problem; contact: index in the world; n:
 * normal; slides: true if friction is at its bound. Returns true if the contact has an impulse. */
static bool keep_impulse(
    const keeper *k, int32_t c, int32_t contact, const double n[3], double p[3], bool slides) {
  if (k->pull) keep_pull(k->world, contact, k->pull[c], n, p);
  const bool any = p[0] != 0 || p[1] != 0 || p[2] != 0;
  const int32_t state = !any ? SCREE_SEPARATING : slides ? SCREE_SLIDING : SCREE_STICKING;
  sc_collide_keep(k->world->collide, contact, p, state);
  return any;
}

/* Returns the slip speed of a ball's contact for the solved velocities [m/s]. */
static double find_slip(const keeper *k, int32_t contact, const sc_ball_contact *ball) {
  const sc_bodies *bodies = &k->world->bodies;
  const int32_t rows[2] = {ball->i, ball->j};
  double arm[2][3], u[3] = {0, 0, 0};
  sc_contact c;
  sc_world_contact(k->world, contact, &c);
  sc_arms(bodies, c.body1, c.body2, &c.image, c.point, arm[0], arm[1]);
  for (int side = 0; side < 2; side++) {
    const sc_solver_body *body = k->world->problem.body + rows[side];
    double turned[3];
    sc_cross(body->q, arm[side], turned);
    sc_axpy(side ? -1 : 1, body->v, u, u);
    sc_axpy((side ? -1 : 1) / sc_body_scale(bodies, rows[side]), turned, u, u);
  }
  sc_axpy(-sc_dot(u, ball->n), ball->n, u, u);
  return sc_norm(u);
}

/* Returns true if the friction of a ball's contact is at its bound. p_n: normal impulse [N s]; square:
 * squared friction impulse [N^2 s^2]. */
static bool ball_slides(
    const keeper *k, int32_t contact, const sc_ball_contact *ball, double p_n, double square) {
  if (!(ball->mu > 0)) return false;
  if (!(k->polygon > 0)) return sc_slides_in_circle(ball->mu, 0, p_n, square);
  return sc_slides_in_circle(k->polygon * ball->mu, 0, p_n, square) && find_slip(k, contact, ball) > k->least;
}

static void store_ball(const keeper *k, int32_t c, const sc_ball_contact *ball) {
  const sc_problem *problem = &k->world->problem;
  const int32_t contact = sc_problem_ball_source(problem, c);
  const double p_n = sc_dot(ball->p, ball->n), square = sc_dot(ball->p, ball->p) - p_n * p_n;
  double p[3];
  sc_copy3(ball->p, p);
  keep_impulse(k, c, contact, ball->n, p, ball_slides(k, contact, ball, p_n, square));
  keep_moment(
      k, contact, sc_body_scale(&k->world->bodies, ball->i), problem->couple ? problem->couple[c].m : NULL);
}

static void store_balls(void *context, int64_t first, int64_t end) {
  const keeper *k = context;
  sc_ball_contact room[SC_BALLS];
  for (int64_t at = first; at < end; at += SC_BALLS) {
    int32_t count = end - at < SC_BALLS ? (int32_t)(end - at) : SC_BALLS;
    const sc_ball_contact *ball = sc_problem_balls(&k->world->problem, (int32_t)at, count, room);
    for (int32_t c = 0; c < count; c++) store_ball(k, (int32_t)at + c, ball + c);
  }
}

static double slip_of(double u, double v) { return sqrt(u * u + v * v); }

/* Returns true if a contact slides: if its friction is at its law's bound and it slips faster than the
 * solver's residual. The bound alone is not sufficient. Forces of a body on several contacts are not unique,
 * so friction may be at the bound at some contacts of a body at rest. The slip alone decides if the law's
 * bound is not known. */
static bool is_sliding(const keeper *k, const sc_general *g, int32_t contact, const double n[3],
    const double p[3], double slip) {
  const sc_problem *problem = &k->world->problem;
  const int32_t row = problem->partners[contact].rule;
  const sc_law *law = problem->law[problem->row_law[row]];
  const double *par = problem->par + (size_t)row * SCREE_LAW_MAX_PARAMS;
  if (!law->slides || k->polygon > 0 || !(slip > k->least)) return slip > k->least;
  if (!law->round || !law->round(par)) return law->slides(par, g->x);
  const double p_n = sc_dot(p, n), square = sc_dot(p, p) - p_n * p_n, x[3] = {p_n, sqrt(fmax(0, square)), 0};
  return law->slides(par, x);
}

static void store_generals(void *context, int64_t first, int64_t end) {
  const keeper *k = context;
  const sc_problem *problem = &k->world->problem;
  sc_general_room room;
  sc_general_state at;
  for (int64_t c = first; c < end; c++) {
    const sc_general g = sc_problem_impulse(problem, (int32_t)c, &room);
    const int32_t contact = sc_problem_general_source(problem, (int32_t)c);
    sc_problem_general_state(problem, &g, &at);
    const bool slips = is_sliding(k, &g, contact, at.n, at.p, slip_of(at.u[1], at.u[2]));
    const bool any = keep_impulse(k, (int32_t)c, contact, at.n, at.p, slips);
    keep_moment(k, contact, 1, at.m);
    if (any && k->met) mark_both(k, g.c->i, g.c->j);
  }
}

/* Returns the inner radius of the friction polygon with k directions in a unit circle, cos(pi/k). Returns 0
 * if the solver does not use a polygon, and 1 in a planar world, where friction acts along a line. */
static double polygon_of(const scree_world *world) {
  const double k = (double)world->def.solver.directions;
  double sine, cosine;
  if (strcmp(sc_world_solver(world)->name, "lemke") != 0) return 0;
  if (world->bodies.planar) return 1;
  sc_sin_cos(3.14159265358979323846 / (k > 2 ? k : k > 0 ? 3 : 8), &sine, &cosine);
  return cosine;
}

void sc_world_store_impulses(scree_world *world, uint8_t *met) {
  enum { GENERALS = 512 };
  const sc_problem *problem = &world->problem;
  keeper k = {.world = world,
      .met = met,
      .least = fmax(1e-9 * world->figures.residual_scale, LEFT * world->figures.residual),
      .moment_at = sc_moment_place(&world->contacts),
      .pull = world->assembled.ball_pull,
      .polygon = polygon_of(world)};
  sc_pool_ranges(world->pool, problem->balls, SC_RANGE, store_balls, &k);
  k.pull = world->assembled.general_pull;
  sc_pool_ranges(world->pool, problem->generals, GENERALS, store_generals, &k);
}

static bool is_driven(const sc_bodies *bodies, int32_t row) {
  return bodies->kind[row] == SCREE_KINEMATIC || sc_bodies_runs(bodies, row);
}

/* Returns the work of kinematic bodies and moving surfaces at contacts first .. end - 1 [J]. */
static double driven_work(void *context, int64_t first, int64_t end) {
  const scree_world *world = context;
  const sc_bodies *bodies = &world->bodies;
  double work = 0;
  const int moment_at = sc_moment_place(&world->contacts);
  for (int64_t c = first; c < end; c++) {
    sc_sides sides;
    sc_collide_sides(world->collide, &world->shapes, (int32_t)c, &sides);
    int32_t j = sides.body2;
    if (!is_driven(bodies, j)) continue;
    sc_contact contact;
    sc_world_contact(world, (int32_t)c, &contact);
    if (contact.state == SCREE_SEPARATING) continue;
    double r1[3], r2[3], v[3];
    sc_arms(bodies, sides.body1, j, &contact.image, contact.point, r1, r2);
    sc_surface_velocity(bodies, j, r2, contact.normal, v);
    work += sc_dot(contact.impulse, v);
    if (moment_at >= 0) work += sc_dot(sc_contact_state(&world->contacts, c) + moment_at, bodies->spin[j]);
  }
  return work;
}

/* Returns half the work of the cell's motion at contacts between images, at the present velocity gradient
 * [J]. The velocities of bodies do not contain the velocities of their images. */
static double drift_work(void *context, int64_t first, int64_t end) {
  const scree_world *world = context;
  double work = 0, v[3];
  for (int64_t c = first; c < end; c++) {
    sc_contact contact;
    sc_image image = sc_collide_image(world->collide, (int32_t)c);
    if (sc_image_is_body(&image)) continue;
    sc_world_contact(world, (int32_t)c, &contact);
    sc_cell_drift(&world->cell, &image, v);
    work += sc_dot(contact.impulse, v) / 2;
  }
  return work;
}

static double work_of_cell(scree_world *world) {
  return world->cell.moves ? sc_pool_sum(world->pool, world->contacts.count, drift_work, world) : 0;
}

static bool any_driven(const sc_bodies *bodies) {
  for (int32_t row = 0; row < bodies->count; row++)
    if (is_driven(bodies, row)) return true;
  return false;
}

typedef struct storing {
  scree_world *world;
  /* marks of sc_swings (mechanism/swing.h). alone: [bodies] nonzero: the body is part of a tree of joints
   * that the problem does not contain; NULL: no such tree. held: [bodies] above SC_HELD: the body belongs to
   * a mechanism; NULL: no mechanisms */
  const uint8_t *alone, *held;
  bool flies;                  /* true: free bodies move with the mean of old and new velocity */
  sc_free_kick gravity;        /* change of velocity by gravity in the step, equal for all bodies */
  const sc_solver_body *shift; /* [bodies] position shifts of the step; NULL: none */
  /* time for which forces acted [s]; negative: the bodies have moved before the forces act */
  double time;
} storing;

/* Returns the change of velocity by gravity and loads of body `row` if the body is free. Returns NULL if the
 * body belongs to a mechanism, if an impulse acted on the body, or if s->flies is false. own: memory for the
 * result if bodies have loads. */
static inline const sc_free_kick *find_free_kick(const storing *s, int32_t row, sc_free_kick *own) {
  const sc_free_kick *kick = &s->gravity;
  if (!s->flies || (s->held && s->held[row] > SC_HELD)) return NULL;
  if (s->world->bodies.load) {
    *own = s->gravity, kick = own;
    sc_free_add_loads(s->world, row, own);
  }
  return sc_free_is_free(s->world, row, kick) ? kick : NULL;
}

/* Returns the work of a body's load along its position shift [J]. */
static double shifted_load_work(const storing *s, int32_t row) {
  const sc_bodies *bodies = &s->world->bodies;
  const double *load = sc_bodies_load(bodies, row), scale = sc_body_scale(bodies, row);
  if (!s->shift || !bodies->load || !sc_bodies_own(bodies, row)) return 0;
  return sc_world_shift_time(s->world) *
      (sc_dot(load, s->shift[row].v) + sc_dot(load + 3, s->shift[row].q) / scale);
}

/* Stores the solved velocities and spins in the bodies, and adds the energy changes to `sum`. Bodies of
 * mechanisms keep their positions, from which mechanisms move. Other free bodies are moved back, so that the
 * step moves them exactly (free_motion.c). */
static void store_velocities(void *context, int64_t first, int64_t end, double sum[SC_SUMS]) {
  const storing *s = context;
  scree_world *world = s->world;
  sc_bodies *bodies = &world->bodies;
  for (int32_t row = (int32_t)first; row < end; row++) {
    if (bodies->kind[row] != SCREE_DYNAMIC || (s->alone && s->alone[row])) continue;
    const sc_solver_body *body = world->problem.body + row;
    sc_change change = sc_account_solved(
        bodies, world->def.gravity, row, world->problem.body + row, fabs(s->time));
    if (s->time < 0) change.early = -change.early;
    sc_free_kick own;
    const sc_free_kick *kick = find_free_kick(s, row, &own);
    sc_copy3(body->v, bodies->velocity[row]);
    sc_scale(1 / sc_body_scale(bodies, row), body->q, bodies->spin[row]);
    if (kick) change.early = 0, change.loads += sc_free_move_back(bodies, row, kick, world->problem.dt);
    const double shifted = shifted_load_work(s, row);
    sum[0] += change.lost, sum[1] += change.early - shifted, sum[2] += change.loads + shifted;
    sc_bodies_clear_load(bodies, row);
  }
}

double sc_world_shift_time(const scree_world *world) {
  return world->phase ? world->phase->way : world->problem.dt;
}

/* Returns the time for which forces act in the solved problem [s]; negative if the bodies have already
 * moved. */
static double time_of_forces(const scree_world *world) {
  const sc_phase *phase = world->phase;
  if (phase && phase->strikes) return 0;
  return phase && phase->arrives ? -world->problem.dt : world->problem.dt;
}

void sc_world_store_solution(
    scree_world *world, const sc_swings *swings, const sc_solver_body *shift, uint8_t *met) {
  storing s = {.world = world,
      .alone = swings ? swings->alone : NULL,
      .held = swings ? swings->held : NULL,
      .flies = swings && !world->phase,
      .gravity = sc_free_gravity_kick(world),
      .shift = shift,
      .time = time_of_forces(world)};
  double sum[SC_SUMS];
  sc_world_store_impulses(world, met);
  world->contacts.deepest = sc_collide_deepest(world->collide);
  sc_joints_keep(&world->joints, &world->bodies, &world->problem);
  sc_world_keep_bonds(world);
  if (world->joints.count) /* rank 0 has solved the joints */
    world->ranks->send_all(
        world->ranks->context, world->joints.row, (size_t)world->joints.count * sizeof *world->joints.row, 0);
  double work = any_driven(&world->bodies)
      ? sc_pool_sum(world->pool, world->contacts.count, driven_work, world)
      : 0;
  sc_losses_add_half(world);
  work += work_of_cell(world);
  work += sc_world_drive_take(world);
  work += work_of_cell(world);
  sc_world_unwrap(world, 1);
  sc_pool_sums(world->pool, world->bodies.count, SC_SHORT_RANGE, store_velocities, (void *)&s, sum);
  world->energy.dissipated += sum[0] + work, world->energy.correction += sum[1],
      world->energy.work += sum[2] + work;
  sc_world_unwrap(world, -1);
  sc_springs_keep(world);
  sc_faces_keep(world);
}

/* ---- checks for finite numbers ---- */

/* Returns 0 if all solved velocities of the bodies first .. end - 1 are finite, else NaN. */
static double sum_velocities(void *context, int64_t first, int64_t end) {
  const scree_world *world = context;
  double sum = 0;
  for (int64_t row = first; row < end; row++) {
    const sc_solver_body *body = world->problem.body + row;
    sum += 0 * (body->v[0] + body->v[1] + body->v[2] + body->q[0] + body->q[1] + body->q[2]);
  }
  return sum;
}

/* Returns 0 if all positions, velocities and spins of the bodies first .. end - 1 are finite, else NaN. */
static double sum_states(void *context, int64_t first, int64_t end) {
  const sc_bodies *b = &((const scree_world *)context)->bodies;
  double sum = 0;
  for (int64_t row = first; row < end; row++)
    for (int k = 0; k < 3; k++) sum += 0 * (b->position[row][k] + b->velocity[row][k] + b->spin[row][k]);
  return sum;
}

/* Returns the first row for which the sum `numbers` is not finite, or -1. */
static int32_t broken_row(const scree_world *world, sc_range_sum numbers) {
  if (isfinite(sc_pool_sum(world->pool, world->bodies.count, numbers, (void *)world))) return -1;
  for (int64_t row = 0; row < world->bodies.count; row++)
    if (!isfinite(numbers((void *)world, row, row + 1))) return (int32_t)row;
  return -1;
}

/* Returns the probable cause of a number that is not finite. If the kinetic energy before any impulse was
 * finite, the solver diverged. Otherwise a force, velocity or mass is wrong. */
static const char *find_cause(const scree_world *world) {
  return world->figures.free_finite
      ? "forces and velocities were finite before the contacts were solved, so the "
        "solver diverged: a smaller dt "
        "or another solver.name may help (docs/solvers.md)"
      : "the usual cause is a force, velocity or mass set far out of range";
}

scree_status sc_world_check_state(const scree_world *world, scree_error *error) {
  int32_t row = broken_row(world, sum_states);
  if (row < 0) return SCREE_OK;
  return sc_fail(error, SCREE_E_NUMERIC,
      "at time %.9g body %llu goes to a place or gets a velocity that is not finite; %s", world->time,
      (unsigned long long)sc_bodies_id(&world->bodies, row), find_cause(world));
}

scree_status sc_world_check_finite(const scree_world *world, scree_error *error) {
  int32_t row = broken_row(world, sum_velocities);
  if (row < 0) return SCREE_OK;
  const double *p = world->bodies.position[row];
  return sc_fail(error, SCREE_E_NUMERIC,
      "at time %.9g body %llu at (%.6g, %.6g, %.6g) gets a velocity that is not finite; %s", world->time,
      (unsigned long long)sc_bodies_id(&world->bodies, row), p[0], p[1], p[2], find_cause(world));
}
