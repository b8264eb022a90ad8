/* Islands of a problem: contacts and joint rows whose movable bodies hang together. Nothing that happens in
 * one is felt in another. */
#ifndef SC_ISLANDS_H
#define SC_ISLANDS_H

#include "model/bodies.h"
#include "problem/problem.h"

typedef struct sc_island {
  int32_t bodies, balls, generals, joint_rows, rows; /* rows: of contacts and joints */
  double residual;                                   /* of its worst contact or row [m/s] */
  double speed;                                      /* of its fastest body before the step [m/s] */
  sc_wait wait;                                      /* the longest of its bodies */
  double load;                                       /* largest velocity that an impulse makes [m/s] */
  double change,
      start;  /* largest change of a body's velocity in this step, and of one that was slower [m/s] */
  bool unfit; /* has what the second-order solver does not take */
} sc_island;

typedef struct sc_islands {
  int32_t count;
  sc_island *island;
  int32_t *of_body; /* -1: cannot move, or touches nothing */
  /* contacts and rows by their index among all, those of island k from first[k] to before first[k + 1],
   * ascending */
  int32_t *first, *contact;
  int32_t *number; /* room of sc_islands_cut, -1 for all bodies */
} sc_islands;

/* Islands in the order of their first contacts, with residuals. False without memory. */
bool sc_islands_find(const sc_problem *problem, sc_arena *arena, sc_islands *islands);
/* The chosen islands become one, and the others none. */
void sc_islands_join(const sc_problem *problem, sc_islands *islands, const bool *chosen);
/* Whether the second-order solver does not take a general contact's law. */
bool sc_islands_unfit(const sc_problem *problem, const sc_general_contact *general);
/* One island as a problem of its own: bodies and contacts are copies, impulses of general contacts in rows
 * are those of the whole. False without memory. */
typedef struct sc_island_problem {
  sc_problem problem;
  double (*position)[3];                     /* of its bodies; NULL: not known */
  double (*velocity)[3], (*spin)[3], *scale; /* likewise */
  int32_t *body;                             /* [bodies] row of each body in the whole */
  const int32_t *contact; /* contacts and rows by their index among all of the whole, ascending */
} sc_island_problem;
bool sc_islands_cut(const sc_problem *problem, const sc_islands *islands, int32_t island, sc_arena *arena,
    sc_island_problem *out);
/* Bodies of an island are to wait so. */
void sc_islands_wait(sc_island_problem *island, sc_wait wait);
/* Velocities, waits and impulses of an island go back into the whole. */
void sc_islands_put(const sc_problem *problem, const sc_island_problem *from);

#endif
