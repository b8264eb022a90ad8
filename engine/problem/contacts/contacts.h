/* Contacts of a problem, wherever they lie. */
#ifndef SC_CONTACTS_ACCESS_H
#define SC_CONTACTS_ACCESS_H

#include "problem/problem.h"

/* ---- bundles: contacts of a problem side by side, where sweeps want them ----
 * Assembly opens a store, plans its contacts by their bodies, and puts each into its lane. */

/* Bodies of contacts to be planned. Those of contact c are first[c * stride], second[c * stride]. */
typedef struct sc_contact_pairs {
  const int32_t *first, *second;
  size_t stride; /* in int32 units */
  bool one_mu;   /* all have the friction mu */
  bool gaps;     /* they come with gaps */
  bool holds;    /* some general contact has more friction while it sticks */
  bool elliptic; /* some friction differs by direction */
  bool rolls;    /* some general contact has torsional or rolling friction */
  double mu;
} sc_contact_pairs;

/* Returns an empty store in the arena, for contacts that the threads of a pool sweep; NULL without memory.
 * Fewer contacts than contacts_per_thread for each thread are left to one thread. */
sc_contacts *sc_contacts_create(
    int64_t contacts_per_thread, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);
/* Rows of memory that sweeps want behind the last body. */
int32_t sc_contacts_spare(const sc_contacts *store);
/* Takes room for so many contacts, once. laned: general contacts lie in bundles, too. False: no memory. */
bool sc_contacts_open(sc_contacts *store, int32_t balls, int32_t generals, bool laned, sc_arena *arena);
/* Plan where each contact goes; the problem's bodies are set. All of the arena that was taken since the mark,
 * the pairs, too, is given back. form: of the law of each general contact (sc_law_form); a contact whose law
 * has no form has a row. False without memory. */
bool sc_contacts_plan_balls(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    sc_arena_mark mark, sc_arena *arena);
bool sc_contacts_plan_generals(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    const uint8_t *form, sc_arena_mark mark, sc_arena *arena);
/* Ball contacts first, first + 1, ... gap: gap/dt [m/s] of each, whose positive part is the bias, or NULL.
 * Threads may put and get different contacts at a time. */
void sc_contacts_put_balls(
    sc_contacts *store, int32_t first, int32_t count, const sc_ball_contact *from, const double *gap);
void sc_contacts_get_balls(const sc_contacts *store, int32_t first, int32_t count, sc_ball_contact *to);
void sc_contacts_set_ball(sc_contacts *store, int32_t c, const double p[3]); /* an impulse alone */
void sc_contacts_put_general(
    sc_contacts *store, const sc_problem *problem, int32_t c, const sc_general *from, double gap);
sc_general sc_contacts_get_general(
    const sc_contacts *store, const sc_problem *problem, int32_t c, bool block, sc_general_room *room);
void sc_contacts_set_general(sc_contacts *store, const sc_problem *problem, int32_t c, const double *x);
void sc_contacts_sides(
    const sc_contacts *store, const sc_problem *problem, int32_t c, int32_t *i, int32_t *j);
/* Groups of general contacts in bundles. */
int32_t sc_contacts_groups(const sc_contacts *store);
/* Returns how many contacts of a group are made side by side: all, or 0 where they have no form. */
int sc_contacts_members(const sc_contacts *store, int32_t group, const int32_t **general);
void sc_contacts_make_group(
    sc_contacts *store, const sc_problem *problem, int32_t group, const sc_general_source *from);

/* ---- general contacts, wherever they lie ---- */

/* Groups of at most SC_GROUP contacts side by side; and what one of them does at the bodies' velocities. */
int32_t sc_problem_groups(const sc_problem *problem);
void sc_problem_group_states(const sc_problem *problem, int32_t group, sc_general_group *out);
/* Applies the impulses of contacts first, first + 1, ..., at most SC_GROUP, in their order, to bodies in rows
 * low..high. */
void sc_problem_apply_generals(
    const sc_problem *problem, int32_t first, int32_t count, int32_t low, int32_t high);
/* Returns the sum over general contacts of the closing velocity max(0, b_n), in their order. */
double sc_problem_closing_generals(const sc_problem *problem, sc_pool *pool);

/* ---- a contact, wherever it lies ---- */

/* Ball contacts first .. first + count - 1, wherever they lie: in place, or copied to
 * room, which has place for as many. */
enum { SC_BALLS = 64 };
static inline const sc_ball_contact *sc_problem_balls(
    const sc_problem *problem, int32_t first, int32_t count, sc_ball_contact *room) {
  if (!problem->store) return problem->ball + first;
  sc_contacts_get_balls(problem->store, first, count, room);
  return room;
}
/* One of them. */
static inline sc_ball_contact sc_problem_ball(const sc_problem *problem, int32_t c) {
  sc_ball_contact room;
  return *sc_problem_balls(problem, c, 1, &room);
}

/* Its impulse is written. */
static inline void sc_problem_ball_set(const sc_problem *problem, int32_t c, const double p[3]) {
  if (problem->store) sc_contacts_set_ball(problem->store, c, p);
  else sc_copy3(p, problem->ball[c].p);
}

/* The contact of the collision stage that a general contact comes from. */
static inline int32_t sc_problem_general_source(const sc_problem *problem, int32_t c) {
  if (!problem->laned) return problem->general[c].contact;
  return problem->general_contact ? problem->general_contact[c] : c;
}
/* A general contact in a row; and general contact c, wherever it lies, and the same without its block. */
static inline sc_general sc_problem_row(const sc_problem *problem, const sc_general_contact *row) {
  return (sc_general){row, problem->block + row->block, problem->x + row->x};
}
static inline sc_general sc_problem_general(const sc_problem *problem, int32_t c, sc_general_room *room) {
  if (problem->laned) return sc_contacts_get_general(problem->store, problem, c, true, room);
  return sc_problem_row(problem, problem->general + c);
}
static inline sc_general sc_problem_impulse(const sc_problem *problem, int32_t c, sc_general_room *room) {
  if (problem->laned) return sc_contacts_get_general(problem->store, problem, c, false, room);
  return sc_problem_row(problem, problem->general + c);
}
/* Its impulses are written. */
static inline void sc_problem_general_set(const sc_problem *problem, int32_t c, const double *x) {
  if (problem->laned) sc_contacts_set_general(problem->store, problem, c, x);
  else memcpy(problem->x + problem->general[c].x, x, (size_t)problem->general[c].dim * sizeof *x);
}
/* Its bodies. */
static inline void sc_problem_sides(const sc_problem *problem, int32_t c, int32_t *i, int32_t *j) {
  if (problem->laned) sc_contacts_sides(problem->store, problem, c, i, j);
  else *i = problem->general[c].i, *j = problem->general[c].j;
}

#endif
