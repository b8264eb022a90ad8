/* Islands: see islands.h. */
#include "solve/auto/islands.h"

#include <math.h>
#include <string.h>
#include "base/sets.h"
#include "solve/newton/build.h"
#include "problem/contacts/contacts.h"
#include "problem/operator/delassus.h"
#include "problem/residual/residual.h"

/* Writes the bodies of a contact or joint row to `body` and returns their number. index: counts ball
 * contacts, then general contacts, then joint rows. */
static int find_bodies(const sc_problem *problem, int32_t index, int32_t body[3]) {
  const int32_t general = index - problem->balls, row = general - problem->generals;
  if (row >= 0) return sc_problem_row_bodies(problem, problem->joint_row + row, body);
  if (general < 0) {
    const sc_ball_contact ball = sc_problem_ball(problem, index);
    body[0] = ball.i, body[1] = ball.j;
  } else sc_problem_sides(problem, general, body, body + 1);
  return 2;
}

/* Unites connected movable bodies (union-find). of: [bodies] becomes a forest with one tree per island. */
static void unite_all(const sc_problem *problem, int32_t *of) {
  const int32_t all = problem->balls + problem->generals + problem->joint_rows;
  for (int32_t b = 0; b < problem->bodies; b++) of[b] = b;
  for (int32_t c = 0; c < all; c++) {
    int32_t body[3];
    for (int n = find_bodies(problem, c, body), j = 1; j < n; j++)
      for (int i = 0; i < j; i++)
        if (sc_problem_moves(problem, body[i]) && sc_problem_moves(problem, body[j]))
          sc_sets_join(of, body[i], body[j]);
  }
}

bool sc_islands_unfit(const sc_problem *problem, const sc_general_contact *g) {
  return sc_newton_misfit(problem->law[g->law], problem->par + g->par) != NULL;
}

/* Returns the island of two bodies, NULL if neither can move. Numbers the island if it is new. */
static sc_island *find_island(
    const sc_problem *problem, sc_islands *out, int32_t *number, int32_t *of, int32_t i, int32_t j) {
  int32_t body = sc_problem_moves(problem, i) ? i : sc_problem_moves(problem, j) ? j : -1;
  if (body < 0) return NULL;
  int32_t t = sc_sets_top(of, body);
  if (number[t] < 0) number[t] = out->count++;
  return out->island + number[t];
}

/* Adds a contact or joint row to the sums and maxima of an island. push: velocity caused by its impulse
 * [m/s]. */
static void add_contact_to_island(
    const sc_problem *problem, sc_island *island, int32_t index, int rows, double push) {
  island->rows += rows;
  island->residual = fmax(island->residual, sc_problem_residual_of(problem, index));
  island->load = fmax(island->load, fabs(push));
}

static void count_all(const sc_problem *problem, sc_islands *out, int32_t *number, int32_t *of) {
  sc_island *island;
  sc_general_room room;
  for (int32_t c = 0; c < problem->balls; c++) {
    const sc_ball_contact ball = sc_problem_ball(problem, c);
    if (!(island = find_island(problem, out, number, of, ball.i, ball.j))) continue;
    double mass = problem->body[ball.i].inv_mass + problem->body[ball.j].inv_mass;
    add_contact_to_island(problem, island, c, 3, mass * sc_dot(ball.n, ball.p));
    island->balls++;
    island->unfit |= problem->couple != NULL;
  }
  for (int32_t c = 0; c < problem->generals; c++) {
    const sc_general g = sc_problem_general(problem, c, &room);
    if (!(island = find_island(problem, out, number, of, g.c->i, g.c->j))) continue;
    add_contact_to_island(problem, island, problem->balls + c, g.c->dim, g.A[0] * g.x[0]);
    island->generals++;
    island->unfit |= sc_islands_unfit(problem, g.c);
  }
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    const sc_joint_row *row = problem->joint_row + r;
    if (!(island = find_island(problem, out, number, of, row->i, row->j))) continue;
    add_contact_to_island(problem, island, problem->balls + problem->generals + r, 1,
        sc_problem_joint_diagonal(problem, row) * row->x);
    island->joint_rows++;
  }
}

static double compute_length(const double v[3], const double q[3]) {
  return sqrt(sc_dot(v, v) + sc_dot(q, q));
}

/* Updates the largest speeds and velocity changes of an island by those of body b. */
static void add_motion_to_island(const sc_problem *problem, int32_t b, sc_island *island) {
  const sc_solver_body *body = problem->body + b;
  double v[3], q[3], before[3];
  if (!problem->velocity) return;
  sc_scale(problem->scale[b], problem->spin[b], before);
  sc_sub(body->v, problem->velocity[b], v);
  sc_sub(body->q, before, q);
  double change = compute_length(v, q), speed = compute_length(problem->velocity[b], before);
  island->change = fmax(island->change, change);
  island->speed = fmax(island->speed, speed);
  if (change > 2 * speed) island->start = fmax(island->start, change);
}

/* Sorts contacts and rows by island. */
static void list_contacts(const sc_problem *problem, sc_islands *islands) {
  int32_t all = problem->balls + problem->generals + problem->joint_rows, *first = islands->first;
  first[0] = 0;
  for (int32_t k = 0; k < islands->count; k++) {
    const sc_island *island = islands->island + k;
    first[k + 1] = first[k] + island->balls + island->generals + island->joint_rows;
  }
  for (int32_t c = 0; c < all; c++) {
    int32_t body[3];
    find_bodies(problem, c, body);
    const int32_t *of = islands->of_body, k = of[body[0]] >= 0 ? of[body[0]] : of[body[1]];
    if (k >= 0) islands->contact[first[k]++] = c;
  }
  memmove(first + 1, first, (size_t)islands->count * sizeof *first); /* first[k] is now island k's end */
  first[0] = 0;
}

bool sc_islands_find(const sc_problem *problem, sc_arena *arena, sc_islands *out) {
  int32_t bodies = problem->bodies, *of = SC_TAKE(arena, int32_t, bodies),
          all = problem->balls + problem->generals + problem->joint_rows;
  *out = (sc_islands){.island = SC_TAKE(arena, sc_island, bodies),
      .of_body = SC_TAKE(arena, int32_t, bodies),
      .first = SC_TAKE(arena, int32_t, bodies + 1),
      .contact = SC_TAKE(arena, int32_t, all),
      .number = SC_TAKE(arena, int32_t, bodies)};
  if (!of || !out->island || !out->of_body || !out->first || !out->contact || !out->number) return false;
  int32_t *number = out->number;
  memset(number, -1, (size_t)bodies * sizeof *number);
  memset(out->island, 0, (size_t)bodies * sizeof *out->island);
  unite_all(problem, of);
  count_all(problem, out, number, of);
  for (int32_t b = 0; b < bodies; b++) {
    out->of_body[b] = sc_problem_moves(problem, b) ? number[sc_sets_top(of, b)] : -1;
    if (out->of_body[b] < 0) continue;
    sc_island *island = out->island + out->of_body[b];
    island->bodies++;
    add_motion_to_island(problem, b, island);
    if (!problem->wait) continue;
    if (problem->wait[b].left > island->wait.left) island->wait.left = problem->wait[b].left;
    if (problem->wait[b].last > island->wait.last) island->wait.last = problem->wait[b].last;
  }
  memset(number, -1, (size_t)bodies * sizeof *number);
  list_contacts(problem, out);
  return true;
}

void sc_islands_join(const sc_problem *problem, sc_islands *islands, const bool *chosen) {
  sc_island all = {0};
  for (int32_t k = 0; k < islands->count; k++) {
    const sc_island *island = islands->island + k;
    if (!chosen[k]) continue;
    all.bodies += island->bodies, all.balls += island->balls, all.generals += island->generals;
    all.joint_rows += island->joint_rows, all.rows += island->rows;
    all.residual = fmax(all.residual, island->residual);
    all.unfit |= island->unfit;
  }
  for (int32_t b = 0; b < problem->bodies; b++)
    if (islands->of_body[b] >= 0) islands->of_body[b] = chosen[islands->of_body[b]] ? 0 : -1;
  islands->count = 1;
  islands->island[0] = all;
  list_contacts(problem, islands);
}

/* ---- one island ---- */

static void note_speed(const sc_problem *problem, int32_t body, sc_island_problem *out, int32_t n) {
  sc_copy3(problem->velocity[body], out->velocity[n]);
  sc_copy3(problem->spin[body], out->spin[n]);
  out->scale[n] = problem->scale[body];
}

/* Returns the index of a body in the island's problem. Copies the body if it has no index yet. */
static int32_t number_island_body(
    const sc_problem *problem, int32_t *number, sc_island_problem *out, int32_t body) {
  if (number[body] < 0) {
    int32_t n = number[body] = out->problem.bodies++;
    out->body[n] = body;
    out->problem.body[n] = problem->body[body];
    if (problem->K) memcpy(out->problem.K[n], problem->K[body], sizeof problem->K[body]);
    if (sc_problem_moves(problem, body)) {
      if (out->position) sc_copy3(problem->position[body], out->position[n]);
      if (out->velocity) note_speed(problem, body, out, n);
      if (out->problem.wait) out->problem.wait[n] = problem->wait[body];
    }
  }
  return number[body];
}

/* Allocates the back-off counters and the velocities before the step for the island's problem. Omits arrays
 * that the whole problem does not have. Returns false if out of memory. */
static bool allocate_motion(
    const sc_problem *problem, size_t bodies, sc_arena *arena, sc_island_problem *out) {
  out->velocity = out->spin = NULL;
  out->scale = NULL;
  if (problem->wait && !(out->problem.wait = SC_TAKE(arena, sc_wait, bodies))) return false;
  if (problem->wait) memset(out->problem.wait, 0, bodies * sizeof *out->problem.wait);
  if (!problem->velocity) return true;
  out->velocity = sc_arena_take(arena, bodies * sizeof *out->velocity);
  out->spin = sc_arena_take(arena, bodies * sizeof *out->spin);
  out->scale = SC_TAKE(arena, double, bodies);
  out->problem.velocity = (const double(*)[3])out->velocity;
  out->problem.spin = (const double(*)[3])out->spin;
  out->problem.scale = out->scale;
  return out->velocity && out->spin && out->scale;
}

/* Allocates the Delassus blocks and impulses of an island's problem. */
static bool allocate_blocks(const sc_island *i, sc_arena *arena, sc_problem *out) {
  out->x = SC_TAKE(arena, double, i->rows + 1);
  out->block = SC_TAKE(arena, double, SCREE_LAW_MAX_DIM *(size_t)i->rows + 1);
  return out->x && out->block;
}

static bool allocate_island_problem(
    const sc_problem *problem, const sc_island *i, sc_arena *arena, sc_island_problem *out) {
  /* upper bound: the island's movable bodies, two or three bodies per contact or row, and the immovable
   * world */
  const size_t contacts = (size_t)i->balls + (size_t)i->generals, rows = (size_t)i->joint_rows;
  size_t bodies = (size_t)i->bodies + 2 * contacts + (problem->thirds ? 3 : 2) * rows + 1;
  if (bodies > (size_t)problem->bodies + 1) bodies = (size_t)problem->bodies + 1;
  out->problem = *problem;
  out->problem.store = NULL, out->problem.couple = NULL, out->problem.exchange = NULL;
  out->problem.gap = NULL;
  out->problem.bodies = out->problem.balls = out->problem.generals = out->problem.joint_rows = 0;
  out->problem.body = SC_TAKE(arena, sc_solver_body, bodies);
  out->problem.K = problem->K ? SC_TAKE(arena, sc_inertia_row, bodies) : NULL;
  out->position = problem->position ? sc_arena_take(arena, bodies * sizeof *out->position) : NULL;
  if (out->position) memset(out->position, 0, bodies * sizeof *out->position);
  out->problem.position = (const double(*)[3])out->position;
  if (!allocate_motion(problem, bodies, arena, out) || !allocate_blocks(i, arena, &out->problem))
    return false;
  out->problem.ball = SC_TAKE(arena, sc_ball_contact, i->balls + 1);
  out->problem.ball_contact = SC_TAKE(arena, int32_t, i->balls + 1);
  out->problem.general = SC_TAKE(arena, sc_general_contact, i->generals + 1);
  out->problem.joint_row = SC_TAKE(arena, sc_joint_row, i->joint_rows + 1);
  out->problem.thirds = 0;
  out->problem.third = problem->thirds ? SC_TAKE(arena, sc_joint_third, rows + 1) : NULL;
  out->body = SC_TAKE(arena, int32_t, bodies);
  return out->problem.body && (out->problem.K || !problem->K) && (out->position || !problem->position) &&
      out->problem.ball && out->problem.ball_contact && out->problem.general && out->problem.joint_row &&
      (out->problem.third || !problem->thirds) && out->body;
}

static void cut_ball(const sc_problem *problem, int32_t *number, int32_t c, sc_island_problem *out) {
  sc_problem *p = &out->problem;
  sc_ball_contact ball = sc_problem_ball(problem, c);
  ball.i = number_island_body(problem, number, out, ball.i);
  ball.j = number_island_body(problem, number, out, ball.j);
  p->ball_contact[p->balls] = sc_problem_ball_source(problem, c);
  p->ball[p->balls++] = ball;
}

/* Copies a general contact with its block and impulses. */
static void cut_general(const sc_problem *problem, int32_t *number, int32_t c, sc_island_problem *out) {
  sc_problem *p = &out->problem;
  sc_general_room room;
  const sc_general from = sc_problem_general(problem, c, &room);
  sc_general_contact *g = p->general + p->generals;
  *g = *from.c;
  const sc_general_contact *last = g - 1;
  g->x = p->generals ? last->x + last->dim : 0;
  g->block = p->generals ? last->block + last->dim * last->dim : 0;
  memcpy(p->x + g->x, from.x, (size_t)g->dim * sizeof *from.x);
  memcpy(p->block + g->block, from.A, (size_t)(g->dim * g->dim) * sizeof *from.A);
  g->i = number_island_body(problem, number, out, g->i);
  g->j = number_island_body(problem, number, out, g->j);
  p->generals++;
}

static void cut_joint_row(const sc_problem *problem, int32_t *number, int32_t r, sc_island_problem *out) {
  sc_problem *p = &out->problem;
  sc_joint_row row = problem->joint_row[r];
  row.i = number_island_body(problem, number, out, row.i);
  row.j = number_island_body(problem, number, out, row.j);
  if (row.third) {
    sc_joint_third *third = p->third + p->thirds++;
    *third = *sc_problem_third(problem, problem->joint_row + r);
    third->body = number_island_body(problem, number, out, third->body);
    row.third = p->thirds;
  }
  p->joint_row[p->joint_rows++] = row;
}

bool sc_islands_cut(const sc_problem *problem, const sc_islands *islands, int32_t index, sc_arena *arena,
    sc_island_problem *out) {
  int32_t *number = islands->number, balls = problem->balls, contacts = balls + problem->generals;
  if (!allocate_island_problem(problem, islands->island + index, arena, out)) return false;
  out->contact = islands->contact + islands->first[index];
  for (int32_t k = 0; k < islands->first[index + 1] - islands->first[index]; k++) {
    const int32_t c = out->contact[k];
    if (c < balls) cut_ball(problem, number, c, out);
    else if (c < contacts) cut_general(problem, number, c - balls, out);
    else cut_joint_row(problem, number, c - contacts, out);
  }
  number[problem->bodies - 1] = -1; // the world is the last body of every problem
  number_island_body(problem, number, out, problem->bodies - 1);
  for (int32_t b = 0; b < out->problem.bodies; b++) number[out->body[b]] = -1;
  return true;
}

void sc_islands_wait(sc_island_problem *island, sc_wait wait) {
  const sc_problem *p = &island->problem;
  for (int32_t b = 0; b < p->bodies && p->wait; b++)
    if (sc_problem_moves(p, b)) p->wait[b] = wait;
}

void sc_islands_put(const sc_problem *problem, const sc_island_problem *from) {
  const sc_problem *p = &from->problem;
  for (int32_t b = 0; b < p->bodies; b++)
    if (sc_problem_moves(p, b)) {
      problem->body[from->body[b]] = p->body[b];
      if (p->wait) problem->wait[from->body[b]] = p->wait[b];
    }
  const int32_t *general = from->contact + p->balls, *row = general + p->generals;
  const int32_t contacts = problem->balls + problem->generals;
  for (int32_t c = 0; c < p->balls; c++) sc_problem_ball_set(problem, from->contact[c], p->ball[c].p);
  for (int32_t c = 0; c < p->generals; c++)
    sc_problem_general_set(problem, general[c] - problem->balls, p->x + p->general[c].x);
  for (int32_t r = 0; r < p->joint_rows; r++) problem->joint_row[row[r] - contacts].x = p->joint_row[r].x;
}
