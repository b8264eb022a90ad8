/* Contacts of a problem, wherever they lie. */
#ifndef SC_CONTACTS_ACCESS_H
#define SC_CONTACTS_ACCESS_H

#include "problem/problem.h"

/* Ball contacts first .. first + count - 1, wherever they lie: in place, or copied to
 * room, which has place for as many. */
enum { SC_BALLS = 64 };
static inline const sc_ball_contact *sc_problem_balls(
    const sc_problem *problem, int32_t first, int32_t count, sc_ball_contact *room) {
  if (!problem->store) return problem->ball + first;
  problem->store->get(problem->store, first, count, room);
  return room;
}
/* One of them. */
static inline sc_ball_contact sc_problem_ball(const sc_problem *problem, int32_t c) {
  sc_ball_contact room;
  return *sc_problem_balls(problem, c, 1, &room);
}

/* Its impulse is written. */
static inline void sc_problem_ball_set(const sc_problem *problem, int32_t c, const double p[3]) {
  if (problem->store) problem->store->set(problem->store, c, p);
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
  if (problem->laned) return problem->store->get_general(problem->store, problem, c, true, room);
  return sc_problem_row(problem, problem->general + c);
}
static inline sc_general sc_problem_impulse(const sc_problem *problem, int32_t c, sc_general_room *room) {
  if (problem->laned) return problem->store->get_general(problem->store, problem, c, false, room);
  return sc_problem_row(problem, problem->general + c);
}
/* Its impulses are written. */
static inline void sc_problem_general_set(const sc_problem *problem, int32_t c, const double *x) {
  if (problem->laned) problem->store->set_general(problem->store, problem, c, x);
  else memcpy(problem->x + problem->general[c].x, x, (size_t)problem->general[c].dim * sizeof *x);
}
/* Its bodies. */
static inline void sc_problem_sides(const sc_problem *problem, int32_t c, int32_t *i, int32_t *j) {
  if (problem->laned) problem->store->sides(problem->store, problem, c, i, j);
  else *i = problem->general[c].i, *j = problem->general[c].j;
}

#endif
