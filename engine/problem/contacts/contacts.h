/* Access to the contacts of a problem, in rows or in bundles. */
#ifndef SC_CONTACTS_ACCESS_H
#define SC_CONTACTS_ACCESS_H

#include "problem/problem.h"

/* ---- bundles: contacts of a problem side by side, for solvers that sweep ----
 * Assembly creates a store, plans where each contact lies, and puts the contacts there. Sweeps over a problem
 * in rows use a store of copies (sc_contacts_of_rows). */

/* Bodies of contacts whose places are planned. Contact c has the bodies first[c * stride] and
 * second[c * stride]. */
typedef struct sc_contact_pairs {
  const int32_t *first, *second;
  size_t stride; /* in int32 units */
  bool one_mu;   /* all contacts have the friction coefficient mu */
  bool gaps;     /* contacts are put with their gaps */
  bool holds;    /* a general contact has more friction while it sticks */
  bool elliptic; /* the friction of a general contact depends on its direction */
  bool rolls;    /* a general contact has torsional or rolling friction */
  bool springs;  /* some contacts have springs */
  double mu;
} sc_contact_pairs;

/* Returns an empty store in the arena; NULL without memory. The threads of the pool sweep its contacts. One
 * thread sweeps all contacts if each thread had fewer than contacts_per_thread. pool may be NULL. */
sc_contacts *sc_contacts_create(
    int64_t contacts_per_thread, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);
/* Returns the number of rows that sweeps use behind the last body. */
int32_t sc_contacts_spare(const sc_contacts *store);
/* Allocates the store for two numbers of contacts; called once. user_law: some law is a user's, so one thread
 * sweeps the general contacts. Returns false without memory. */
bool sc_contacts_open(sc_contacts *store, int32_t balls, int32_t generals, bool user_law, sc_arena *arena);
/* Plan the places of contacts. The problem's bodies are set. Arena memory allocated since the mark is freed,
 * the pairs included. form: per general contact, the form of its law (sc_law_form); a contact whose law has
 * no form keeps a row. Both return false without memory. */
bool sc_contacts_plan_balls(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    sc_arena_mark mark, sc_arena *arena);
bool sc_contacts_plan_generals(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    const uint8_t *form, sc_arena_mark mark, sc_arena *arena);
/* Returns a store with copies of the contacts of a problem in rows; NULL without memory. All threads of the
 * pool sweep the contacts. pool may be NULL. */
sc_contacts *sc_contacts_of_rows(const sc_problem *problem, sc_pool *pool, sc_arena *arena);
/* Copies the impulses of a store to the rows of the problem that the store has copies of, and moments to
 * where readers find them. */
void sc_contacts_copy_back(const sc_contacts *store, const sc_problem *problem);
/* Returns the number of bundles of general contacts. */
int32_t sc_contacts_groups(const sc_contacts *store);
/* Returns how many contacts of a bundle are made side by side: all of them, or 0 if they have no form.
 * general: their numbers. */
int sc_contacts_members(const sc_contacts *store, int32_t group, const int32_t **general);
/* Makes the contacts of a bundle. */
void sc_contacts_make_group(
    sc_contacts *store, const sc_problem *problem, int32_t group, const sc_general_source *from);

/* Returns the sum over general contacts of the closing velocity max(0, b_n) [m/s], in the order of the
 * contacts. */
double sc_problem_closing_generals(const sc_problem *problem, sc_pool *pool);

/* ---- one contact; threads may handle different contacts at a time ---- */

/* Returns ball contacts first .. first + count - 1, in place or copied to room, which has `count` entries. */
enum { SC_BALLS = 64 };
const sc_ball_contact *sc_problem_balls(
    const sc_problem *problem, int32_t first, int32_t count, sc_ball_contact *room);
/* Returns ball contact c. */
static inline sc_ball_contact sc_problem_ball(const sc_problem *problem, int32_t c) {
  sc_ball_contact room;
  return *sc_problem_balls(problem, c, 1, &room);
}
/* Returns the contact of the collision stage that ball contact c comes from. */
static inline int32_t sc_problem_ball_source(const sc_problem *problem, int32_t c) {
  return problem->ball_contact ? problem->ball_contact[c] : c;
}
/* Writes ball contacts first .. first + count - 1. gap: gap/dt of each [m/s], whose positive part is the
 * bias; NULL if positions are not corrected: each contact has its bias. */
void sc_problem_put_balls(
    const sc_problem *problem, int32_t first, int32_t count, const sc_ball_contact *from, const double *gap);
/* Sets the impulse of ball contact c. */
void sc_problem_ball_set(const sc_problem *problem, int32_t c, const double p[3]);

/* Returns the number of general contacts that have a row. */
static inline int32_t sc_problem_rows(const sc_problem *problem) {
  return problem->store ? problem->general_rows : problem->generals;
}
/* Returns a general contact that has a row. */
static inline sc_general sc_problem_row(const sc_problem *problem, const sc_general_contact *row) {
  return (sc_general){row, problem->block + row->block, problem->x + row->x};
}
/* Returns general contact c; sc_problem_impulse returns it without its block, law and source. The result may
 * point to room. */
sc_general sc_problem_general(const sc_problem *problem, int32_t c, sc_general_room *room);
sc_general sc_problem_impulse(const sc_problem *problem, int32_t c, sc_general_room *room);
/* Returns the contact of the collision stage that general contact c comes from. */
static inline int32_t sc_problem_general_source(const sc_problem *problem, int32_t c) {
  if (!problem->store) return problem->general[c].contact;
  return problem->general_contact ? problem->general_contact[c] : c;
}
/* Writes general contact c. A contact that has a row is already in its row. gap: gap/dt [m/s]. */
void sc_problem_put_general(const sc_problem *problem, int32_t c, const sc_general *from, double gap);
/* Sets the impulses of general contact c. */
void sc_problem_general_set(const sc_problem *problem, int32_t c, const double *x);
/* Finds the bodies i and j of general contact c. */
void sc_problem_sides(const sc_problem *problem, int32_t c, int32_t *i, int32_t *j);

#endif
