/* A cell that is driven by stress.
 *
 * Some components of the velocity gradient L follow from a prescribed stress s*. As in the method of
 * Parrinello & Rahman (1981), velocities are v = c + L (x - x_0). Contacts change the peculiar velocity c.
 * The cell has an inertia W in each driven component:
 *
 *     W dL_ij / dt = V (s_ij - s*_ij),    V s = sum m c c' + sum over contacts f l'.
 *
 * V is the volume, s the stress (positive in compression), m the mass of a body, f the force and l the branch
 * vector of a contact. ' denotes the transpose, except that L' is the gradient at the end of the step. Within
 * a step the contact part follows from the step's impulses p:
 *
 *     W (L' - L) = dt V (kinetic - s*) + sum p l'.
 *
 * Therefore L' is one more unknown of the contact problem, coupled to all contacts. After each sweep over
 * contacts, L' is set to its value for the present impulses, and the velocities of all bodies and images
 * change with L'. The sweeps end when neither contacts nor L' change. There is no feedback from one step to
 * the next. The sum of p l' follows from the changes of the bodies' momenta:
 *
 *     sum p l' = sum over bodies m dc x' - sum over contacts across the cell p (H n)'.
 *
 * x is the position of a body in the cell, H the matrix of the cell, n the image of a contact's second body.
 * Sweeps converge if W is not small compared with m d^2 summed over contacts. W is therefore the sum of m d^2
 * over bodies (d: diameter) times the factor `inertia`. With momentum (solver.acceleration), velocities and L
 * are extrapolated between sweeps.
 *
 * Sweeps with momentum are under-relaxed, because they could diverge otherwise. Equal impulses of all
 * contacts do not move the bodies of a crystal, but they change L. Each contact then opens at q times the
 * speed a that its own unit impulse causes:
 *
 *     q = sum over contacts l^2 / (3 W a),   a = 1/m1 + 1/m2 + E.
 *
 * E is the softness of the contact's spring. L' changes only after a sweep. A sweep with the relaxation omega
 * therefore multiplies the error of such impulses by 1 - q/(1/omega - 1/2). For a close packing (q = 1) and
 * omega = 1 this factor is -1. Momentum amplifies errors whose factor is below -1/3. With
 * omega = 1/(1/2 + q) the factor is 0.
 *
 * On several ranks each rank sums over its own bodies and contacts, after the copies of bodies have exchanged
 * velocities. The sums are added in the order of ranks, so that L' is the same on each rank. */
#include "world/world.h"
#include "world/cell/cell.h"
#include "world/cell/cell_drive.h"
#include "math/vec.h"
#include "problem/contacts/contacts.h"

#include <math.h>
#include <string.h>

typedef struct drive {
  sc_exchange exchange;
  const sc_exchange *beyond; /* exchange of velocities between ranks; called before the gradient is updated */
  scree_world *world;
  const double (*place)[3]; /* [bodies] positions of the images in the cell [m] */
  /* [bodies] velocities that the step would have without impulses, for the velocity gradient at its start
   * [m/s] */
  double (*rest)[3];
  double start[9];   /* velocity gradient at the start of the step [1/s] */
  double rests[9];   /* velocity gradient at the end of the step if all impulses were 0 [1/s] */
  double now[9];     /* present velocity gradient [1/s] */
  double before[9];  /* velocity gradient after the last sweep, for momentum [1/s] */
  double centre[3];  /* centre of mass of the bodies [m] */
  double inertia;    /* inertia W of the cell [kg m^2] */
  double length;     /* mean diameter of the bodies [m] */
  double relaxation; /* 0 < relaxation <= 1: relaxation of sweeps with momentum */
  double change;     /* largest change of the gradient in the last sweep, times length [m/s] */
  bool active;       /* false: the velocity gradient no longer changes */
} drive;

static bool is_dynamic_row(const drive *d, int32_t row) {
  return d->world->bodies.kind[row] == SCREE_DYNAMIC;
}

/* Returns true if this rank's sums include the body: if the body is dynamic and this rank owns it. */
static bool is_summed(const drive *d, int32_t row) {
  return is_dynamic_row(d, row) && sc_bodies_own(&d->world->bodies, row);
}

static double mass_of(const drive *d, int32_t row) { return d->world->bodies.mass[row]; }

static void add_dyad(double s, const double a[3], const double b[3], double sum[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[3 * i + j] += s * a[i] * b[j];
}

/* Adds sum over bodies m dc x' to `sum`: the part of sum p l' that follows from the changes of the bodies'
 * momenta. */
static void sum_bodies(const drive *d, const sc_solver_body *body, double sum[9]) {
  double change[9], x[3], flow[3], dv[3];
  for (int k = 0; k < 9; k++) change[k] = d->now[k] - d->start[k];
  for (int32_t row = 0; row < d->world->bodies.count; row++) {
    if (!is_summed(d, row)) continue;
    sc_sub(d->place[row], d->centre, x);
    sc_mat_vec(change, x, flow);
    sc_sub(body[row].v, d->rest[row], dv);
    sc_sub(dv, flow, dv);
    add_dyad(mass_of(d, row), dv, x, sum);
  }
}

/* Returns the image of the contact's second body relative to the first, for the positions of both bodies in
 * the cell. */
static sc_image image_of(const drive *d, const sc_general_contact *g) {
  const sc_image *wrap = d->world->wrap;
  return sc_image_sub(sc_collide_image(d->world->collide, g->contact), sc_image_sub(wrap[g->i], wrap[g->j]));
}

static void sum_across(const drive *d, double sum[9]) {
  const sc_problem *problem = &d->world->problem;
  for (int32_t c = 0; c < sc_problem_rows(problem); c++) { // contacts with images have rows
    const sc_general_contact *g = problem->general + c;
    const double *x = problem->x + g->x;
    sc_image image = image_of(d, g);
    double p[3], shift[3];
    if (sc_image_is_body(&image)) continue;
    for (int k = 0; k < 3; k++) p[k] = g->n[k] * x[0] + g->t[k] * x[1] + g->o[k] * x[2];
    sc_cell_shift(&d->world->cell, &image, shift);
    add_dyad(-1, p, shift, sum);
  }
}

static void move_bodies(const drive *d, sc_solver_body *body, const double next[9]) {
  double change[9], x[3], v[3];
  for (int k = 0; k < 9; k++) change[k] = next[k] - d->now[k];
  for (int32_t row = 0; row < d->world->bodies.count; row++) {
    if (!is_dynamic_row(d, row)) continue;
    sc_sub(d->place[row], d->centre, x);
    sc_mat_vec(change, x, v);
    sc_add(body[row].v, v, body[row].v);
  }
}

static void move_images(drive *d, const double next[9]) {
  sc_problem *problem = &d->world->problem;
  double x[3], v[3];
  for (int32_t c = 0; c < sc_problem_rows(problem); c++) {
    sc_general_contact *g = problem->general + c;
    sc_image image = image_of(d, g);
    if (sc_image_is_body(&image)) continue;
    sc_cell_shift(&d->world->cell, &image, x);
    sc_mat_vec(next, x, v);
    g->drift[0] = -sc_dot(g->n, v), g->drift[1] = -sc_dot(g->t, v);
    g->drift[2] = problem->planar ? 0 : -sc_dot(g->o, v);
  }
  memcpy(d->now, next, sizeof d->now);
}

/* Extrapolates the cell's velocity gradient by the factor beta. The solver's momentum (solver.acceleration)
 * extrapolates the velocities of the bodies by this factor, so the gradient must follow. */
static void move_on(void *context, double beta) {
  drive *d = context;
  double next[9];
  if (!d->active) return;
  for (int k = 0; k < 9; k++) next[k] = d->now[k] + beta * (d->now[k] - d->before[k]);
  memcpy(d->before, d->now, sizeof d->before);
  move_images(d, next);
}

/* Sets the gradient to its value for the present impulses. Called once per sweep. body: the problem's bodies,
 * whose velocities change with the gradient. */
static void relax_cell(void *context, sc_solver_body *body) {
  drive *d = context;
  double sum[9] = {0}, next[9], most = 0;
  d->beyond->finish(d->beyond->context, body);
  if (!d->active) return;
  sum_bodies(d, body, sum);
  sum_across(d, sum);
  sc_ranks_sum(d->world->ranks, sum, 9);
  memcpy(next, d->now, sizeof next);
  for (int k = 0; k < 9; k++) {
    if (!d->world->cell.driven[k]) continue;
    next[k] = d->rests[k] + sum[k] / d->inertia;
    most = fmax(most, fabs(next[k] - d->now[k]));
  }
  move_bodies(d, body, next);
  move_images(d, next);
  d->change = most * d->length;
}

static void start_exchange(void *context, const sc_solver_body *body) {
  const drive *d = context;
  d->beyond->start(d->beyond->context, body);
}

static bool advance_exchange(void *context, sc_solver_body *body) {
  const drive *d = context;
  return d->beyond->advance(d->beyond->context, body);
}

static double find_largest(void *context, double value) {
  const drive *d = context;
  return d->beyond->largest(d->beyond->context, value);
}

/* Returns the larger one of two squared changes in the last sweep [m^2/s^2]: `value`, the change of contact
 * velocities, and the change of the velocity gradient times length. */
static double decide_change(void *context, bool first, double value) {
  const drive *d = context;
  return d->beyond->decide(d->beyond->context, first, d->active ? fmax(value, d->change * d->change) : value);
}

static double conclude_exchange(void *context, double value) {
  const drive *d = context;
  return d->beyond->conclude(d->beyond->context, value);
}

/* ---- drive in a step ---- */

const sc_solver *sc_world_solver(const scree_world *world) {
  return world->cell.is_driven ? &sc_solver_nbgs : world->solver;
}

/* Computes the inertia W, the mean diameter and the centre of mass of the bodies. A change of L about this
 * centre does not change the total momentum. */
static void measure_bodies(drive *d) {
  const sc_bodies *bodies = &d->world->bodies;
  /* sums of m d^2, d, number of bodies, mass, [4..6] first moment of mass */
  double sum[7] = {0}, *first = sum + 4;
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!is_summed(d, row)) continue;
    double across = 2 * bodies->radius[row];
    sum[0] += bodies->mass[row] * across * across;
    sum[1] += across, sum[2]++;
    sc_axpy(bodies->mass[row], bodies->position[row], first, first);
    sum[3] += bodies->mass[row];
  }
  sc_ranks_sum(d->world->ranks, sum, 7);
  d->inertia = sum[0] * d->world->cell.inertia;
  if (!(sum[2] > 0)) return;
  d->length = sum[1] / sum[2];
  sc_scale(1 / sum[3], first, d->centre);
}

/* Returns l^2/a of a contact between the bodies in rows i and j. l is the sum of their radii, a the speed
 * that a unit impulse along the normal causes. spring: normal softness E of the contact's spring [1/kg]. */
static double stiffness_share(const drive *d, int32_t i, int32_t j, double spring) {
  const sc_bodies *bodies = &d->world->bodies;
  const double a = bodies->inv_mass[i] + bodies->inv_mass[j] + spring;
  double l = 0;
  if (is_dynamic_row(d, i)) l += bodies->radius[i];
  if (is_dynamic_row(d, j)) l += bodies->radius[j];
  return a > 0 ? l * l / a : 0;
}

/* Sets the relaxation of sweeps with momentum to 1/(1/2 + q), at most 1. Collective. */
static void find_relaxation(drive *d) {
  const sc_problem *problem = &d->world->problem;
  double sum = 0;
  for (int32_t c = 0; c < problem->balls; c++) {
    const sc_ball_contact ball = sc_problem_ball(problem, c);
    sum += stiffness_share(d, ball.i, ball.j, ball.spring.normal);
  }
  for (int32_t c = 0; c < problem->generals; c++) {
    sc_general_room room;
    const sc_general g = sc_problem_general(problem, c, &room);
    sum += stiffness_share(d, g.c->i, g.c->j, g.c->spring.normal);
  }
  sc_ranks_sum(d->world->ranks, &sum, 1);
  d->relaxation = fmin(1, 1 / (0.5 + sum / (3 * d->inertia)));
}

scree_status sc_world_drive_begin(scree_world *world, double dt, scree_error *error) {
  const sc_bodies *bodies = &world->bodies;
  const sc_cell *cell = &world->cell;
  if (!cell->is_driven) return SCREE_OK;
  drive *d = SC_TAKE(&world->arena, drive, 1);
  double kinetic[9], volume = sc_cell_volume(cell);
  if (d)
    *d = (drive){
        .world = world, .beyond = world->problem.exchange, .place = world->problem.position, .active = true};
  if (d) d->rest = sc_arena_take(&world->arena, ((size_t)bodies->count + 1) * sizeof *d->rest);
  if (!d || !d->rest) return sc_fail(error, SCREE_E_MEMORY, "no memory to drive the cell");
  for (int32_t row = 0; row < bodies->count; row++) sc_copy3(world->problem.body[row].v, d->rest[row]);
  memcpy(d->start, cell->gradient, sizeof d->start);
  memcpy(d->now, cell->gradient, sizeof d->now);
  memcpy(d->before, cell->gradient, sizeof d->before);
  memcpy(d->rests, cell->gradient, sizeof d->rests);
  measure_bodies(d);
  if (!(d->inertia > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "stress cannot drive a cell without dynamic bodies");
  find_relaxation(d);
  scree_status status = scree_world_cell_stress(world, kinetic, NULL, error);
  for (int k = 0; k < 9; k++)
    if (cell->driven[k]) d->rests[k] += dt * volume * (kinetic[k] - cell->stress[k]) / d->inertia;
  d->exchange = (sc_exchange){.context = d,
      .shared = d->beyond->shared,
      .moves_all = true,
      .start = start_exchange,
      .advance = advance_exchange,
      .finish = relax_cell,
      .largest = find_largest,
      .decide = decide_change,
      .conclude = conclude_exchange,
      .move = move_on};
  world->problem.exchange = &d->exchange;
  return status;
}

void sc_world_drive_end(scree_world *world) {
  if (!world->cell.is_driven) return;
  drive *d = world->problem.exchange->context;
  d->active = false; /* position corrections do not change the gradient */
}

double sc_world_drive_speed(const scree_world *world) {
  double most = 0;
  if (!world->cell.is_driven) return 0;
  const drive *d = world->problem.exchange->context;
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(d->rests[k] - d->start[k]));
  return most * d->length;
}

double sc_world_drive_relaxation(const scree_world *world) {
  const drive *d = world->cell.is_driven ? world->problem.exchange->context : NULL;
  return d ? d->relaxation : 1;
}

double sc_world_drive_take(scree_world *world) {
  const sc_bodies *bodies = &world->bodies;
  if (!world->cell.is_driven) return 0;
  const drive *d = world->problem.exchange->context;
  double change[9], x[3], flow[3], both[3], work = 0;
  for (int k = 0; k < 9; k++) change[k] = d->now[k] - d->start[k];
  sc_cell_set_gradient(&world->cell, d->now);
  sc_world_unwrap(world, 1);
  for (int32_t row = 0; row < bodies->count; row++) {
    if (!is_summed(d, row)) continue;
    sc_sub(bodies->position[row], d->centre, x);
    sc_mat_vec(change, x, flow);
    sc_add(bodies->velocity[row], world->problem.body[row].v, both);
    work += mass_of(d, row) * sc_dot(flow, both) / 2;
  }
  sc_world_unwrap(world, -1);
  return work;
}
