/* Energy in the springs of contacts, and the mean load of contacts (springs.h). */
#include "world/world.h"
#include "world/account/springs.h"

#include <math.h>

#include "collide/collide.h"
#include "math/vec.h"
#include "problem/contacts/contacts.h"

/* Filter constant of a mean load that decreases: per step, the filtered mean moves by this share of its
 * difference from the present load. */
static const double FALL = 0.01;

/* Largest relative growth of slow_load (the filtered mean load) per step. Growth from 0 is not limited. A
 * faster growth would suddenly stiffen the springs of all contacts. Their overlaps, which belong to softer
 * springs, would then eject bodies. */
static const double RISE = 0.05;

enum { ENERGY, LOAD, CARRIERS, SUMS };

/* Energy of a spring with Hertz's law (2/5 F d) divided by the energy of a linear spring (F d/2), for a force
 * F and a deflection d. */
static const double HERTZ_ENERGY = 0.8;

/* Returns the stiffness parameters of the contact's pair of materials. */
static const scree_stiffness *stiffness_of_contact(const scree_world *world, int32_t contact) {
  sc_sides at;
  sc_collide_sides(world->collide, &world->shapes, contact, &at);
  return &sc_world_rule(world, at.material1, at.material2)->stiffness;
}

static void add_contact(const scree_world *world, int32_t contact, const sc_contact_spring *spring,
    double p_n, double square, double sum[SUMS]) {
  if (p_n > 0) sum[LOAD] += p_n / world->problem.dt, sum[CARRIERS] += 1;
  if (!(spring->normal > 0) || !(square > 0)) return;
  const scree_stiffness *s = stiffness_of_contact(world, contact);
  const double hertz = s->law == SCREE_STIFFNESS_HERTZ ? HERTZ_ENERGY : 1;
  /* The normal compliance contains the relaxation time, but the energy of a spring does not. */
  const double normal = hertz * (1 + s->relaxation / world->problem.dt) * spring->normal;
  sum[ENERGY] += (normal * p_n * p_n + spring->tangent * (square - p_n * p_n)) / 2;
}

static void add_balls(void *context, int64_t first, int64_t end, double sum[SUMS]) {
  const scree_world *world = context;
  const sc_problem *problem = &world->problem;
  sc_ball_contact room[SC_BALLS];
  for (int64_t at = first; at < end; at += SC_BALLS) {
    const int32_t count = end - at < SC_BALLS ? (int32_t)(end - at) : SC_BALLS;
    const sc_ball_contact *ball = sc_problem_balls(problem, (int32_t)at, count, room);
    for (int32_t c = 0; c < count; c++)
      add_contact(world, sc_problem_ball_source(problem, (int32_t)at + c), &ball[c].spring,
          sc_dot(ball[c].p, ball[c].n), sc_dot(ball[c].p, ball[c].p), sum);
  }
}

static void add_generals(void *context, int64_t first, int64_t end, double sum[SUMS]) {
  const scree_world *world = context;
  sc_general_room room;
  for (int64_t c = first; c < end; c++) {
    const sc_general g = sc_problem_impulse(&world->problem, (int32_t)c, &room);
    add_contact(world, sc_problem_general_source(&world->problem, (int32_t)c), &g.c->spring, g.x[0],
        sc_dot(g.x, g.x), sum);
  }
}

/* Updates the two filtered mean loads of contacts with the present mean load. Not called if no contact
 * carries a load: the filtered loads stay unchanged then, so the next contact does not get softer springs. */
static void follow_load(sc_energy *energy, double load) {
  const double mean = energy->mean_load, slow = energy->slow_load,
               risen = slow > 0 ? fmin(load, (1 + RISE) * slow) : load;
  energy->mean_load += (load > mean ? 1 : FALL) * (load - mean);
  energy->slow_load = load > slow ? risen : slow + FALL * (load - slow);
}

void sc_springs_keep(scree_world *world) {
  const sc_problem *problem = &world->problem;
  world->energy.impulse_time = problem->dt;
  if (!problem->springs) { // contacts have no springs any more, so the energy of former springs is dissipated
    world->energy.dissipated += world->energy.elastic;
    world->energy.elastic = 0;
    return;
  }
  double balls[SUMS], generals[SUMS];
  sc_pool_sums(world->pool, problem->balls, SC_RANGE, add_balls, world, balls);
  sc_pool_sums(world->pool, problem->generals, SC_RANGE, add_generals, world, generals);
  for (int k = 0; k < SUMS; k++) balls[k] += generals[k];
  world->energy.dissipated -= balls[ENERGY] - world->energy.elastic;
  world->energy.elastic = balls[ENERGY];
  sc_ranks_sum(world->ranks, balls, SUMS);
  if (balls[CARRIERS] > 0) follow_load(&world->energy, balls[LOAD] / balls[CARRIERS]);
}
