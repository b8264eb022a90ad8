/* Access to the contacts of a problem, in rows or in bundles. */
#ifndef SC_CONTACTS_ACCESS_H
#define SC_CONTACTS_ACCESS_H

#include "problem/problem.h"

/* ---- bundles: groups of contacts, one per SIMD lane, for solvers that sweep ----
 * Assembly creates a store, plans the place of each contact, and writes the contacts to their places. Sweeps
 * over a problem in rows use a store of copies (sc_contacts_of_rows). */

/* Contacts for which slots are planned (slots.h), and which arrays their bundles need. Contact c has the
 * bodies first[c * stride] and second[c * stride]. */
typedef struct sc_contact_pairs {
  const int32_t *first, *second;
  size_t stride; /* distance between successive contacts in `first` and `second`, in int32 units */
  bool one_mu;   /* all contacts have the friction coefficient mu */
  bool gaps;     /* true: contacts are written with gap/dt, because positions are corrected separately */
  bool holds;    /* true: a general contact has a larger coefficient of friction while it sticks */
  bool elliptic; /* true: the friction of a general contact depends on its direction */
  bool rolls;    /* true: a general contact has torsional or rolling friction */
  bool springs;  /* true: some contacts have springs */
  double mu;     /* friction coefficient of all contacts if one_mu */
} sc_contact_pairs;

/* Returns an empty store in the arena; NULL if out of memory. The threads of the pool sweep its contacts. If
 * each thread would have fewer than contacts_per_thread contacts, one thread sweeps all contacts. pool may be
 * NULL. */
sc_contacts *sc_contacts_create(
    int64_t contacts_per_thread, const sc_exchange *exchange, sc_pool *pool, sc_arena *arena);
/* Returns the number of spare rows that sweeps need behind the last body (slots.h). */
int32_t sc_contacts_spare(const sc_contacts *store);
/* Allocates the store for the given numbers of contacts. Call this function once. user_law: a script defines
 * one of the laws, so one thread sweeps the general contacts. Returns false if out of memory. */
bool sc_contacts_open(sc_contacts *store, int32_t balls, int32_t generals, bool user_law, sc_arena *arena);
/* Assigns each ball contact to a lane of a bundle. The problem's bodies must be set. Frees the arena memory
 * allocated since the mark, including the pairs. Returns false if out of memory. */
bool sc_contacts_plan_balls(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    sc_arena_mark mark, sc_arena *arena);
/* Assigns each general contact to a lane of a bundle, like sc_contacts_plan_balls. form: [generals] form of
 * the law (sc_law_form). A contact whose law has no form has a row of the problem. Returns false if out of
 * memory. */
bool sc_contacts_plan_generals(sc_contacts *store, const sc_problem *problem, const sc_contact_pairs *pairs,
    const uint8_t *form, sc_arena_mark mark, sc_arena *arena);
/* Returns a store with copies of the contacts of a problem in rows; NULL if out of memory. All threads of the
 * pool sweep the contacts. pool may be NULL. */
sc_contacts *sc_contacts_of_rows(const sc_problem *problem, sc_pool *pool, sc_arena *arena);
/* Copies the impulses to the rows of the problem if the store contains copies of the contacts
 * (sc_contacts_of_rows). For every store, copies the moments of ball contacts to problem->couple, and the
 * moments of general contacts to the place that sc_problem_general reads. */
void sc_contacts_copy_back(const sc_contacts *store, const sc_problem *problem);
/* Returns the number of bundles of general contacts. */
int32_t sc_contacts_groups(const sc_contacts *store);
/* Returns the number of contacts of bundle `group` that are assembled with SIMD: all of them, or 0 if their
 * law has no form. *general: set to the indices of these general contacts. */
int sc_contacts_members(const sc_contacts *store, int32_t group, const int32_t **general);
/* Computes all contacts of bundle `group` from their input. */
void sc_contacts_make_group(
    sc_contacts *store, const sc_problem *problem, int32_t group, const sc_general_source *from);

/* Returns the sum over general contacts of the closing velocity max(0, b_n) [m/s] (problem.h). The terms are
 * added in the order of the contacts. */
double sc_problem_closing_generals(const sc_problem *problem, sc_pool *pool);

/* ---- single contacts; threads may access different contacts at the same time ---- */

enum { SC_BALLS = 64 }; /* ball contacts per batch, for callers that read or write all of them */
/* Returns ball contacts first .. first + count - 1: a pointer to the rows, or to scratch[count] with
 * copies. */
const sc_ball_contact *sc_problem_balls(
    const sc_problem *problem, int32_t first, int32_t count, sc_ball_contact *scratch);
/* Returns ball contact c. */
static inline sc_ball_contact sc_problem_ball(const sc_problem *problem, int32_t c) {
  sc_ball_contact scratch;
  return *sc_problem_balls(problem, c, 1, &scratch);
}
/* Returns the contact of the collision stage that ball contact c comes from. */
static inline int32_t sc_problem_ball_source(const sc_problem *problem, int32_t c) {
  return problem->ball_contact ? problem->ball_contact[c] : c;
}
/* Writes ball contacts first .. first + count - 1. gap: [count] gap/dt [m/s], whose positive part becomes the
 * bias. If gap is NULL, positions are not corrected, and the bias is that of the contact. */
void sc_problem_put_balls(
    const sc_problem *problem, int32_t first, int32_t count, const sc_ball_contact *from, const double *gap);
/* Sets the impulse of ball contact c. */
void sc_problem_ball_set(const sc_problem *problem, int32_t c, const double p[3]);

/* Returns the number of general contacts that have a row. */
static inline int32_t sc_problem_rows(const sc_problem *problem) {
  return problem->store ? problem->general_rows : problem->generals;
}
/* Returns a general contact from its row. */
static inline sc_general sc_problem_row(const sc_problem *problem, const sc_general_contact *row) {
  return (sc_general){row, problem->block + row->block, problem->x + row->x};
}
/* Returns general contact c. The result points to the row of the contact, or to `scratch`. */
sc_general sc_problem_general(const sc_problem *problem, int32_t c, sc_general_room *scratch);
/* Like sc_problem_general, but faster, because block, law and index in the collision stage may remain
 * unset. */
sc_general sc_problem_impulse(const sc_problem *problem, int32_t c, sc_general_room *scratch);
/* Returns the contact of the collision stage that general contact c comes from. */
static inline int32_t sc_problem_general_source(const sc_problem *problem, int32_t c) {
  if (!problem->store) return problem->general[c].contact;
  return problem->general_contact ? problem->general_contact[c] : c;
}
/* Writes general contact c to its place in the store. If the contact has a row, `from` points to this row.
 * gap: value of gap/dt [m/s]. */
void sc_problem_put_general(const sc_problem *problem, int32_t c, const sc_general *from, double gap);
/* Sets the impulses x[dim] of general contact c, in its frame. */
void sc_problem_general_set(const sc_problem *problem, int32_t c, const double *x);
/* Sets *i and *j to the bodies of general contact c. */
void sc_problem_sides(const sc_problem *problem, int32_t c, int32_t *i, int32_t *j);

#endif
