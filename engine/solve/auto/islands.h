/* Islands of a problem: contacts and joint rows whose movable bodies are connected. Impulses of one
 * island have no effect on another island. */
#ifndef SC_ISLANDS_H
#define SC_ISLANDS_H

#include "model/bodies.h"
#include "problem/problem.h"

typedef struct sc_island {
  int32_t bodies, balls, generals, joint_rows, rows; /* rows: of contacts and joints */
  double residual;                                   /* largest of its contacts and rows [m/s] */
  double speed;                                      /* of its fastest body before the step [m/s] */
  sc_wait wait;                                      /* longest wait of its bodies */
  double load;                                       /* largest velocity by one impulse [m/s] */
  double change,
      start;  /* largest change of a body's velocity in this step; start: if over twice its speed [m/s] */
  bool unfit; /* the second-order solver has no rule for a contact */
} sc_island;

typedef struct sc_islands {
  int32_t count;
  sc_island *island;
  int32_t *of_body; /* [bodies] island; -1: the body cannot move, or touches nothing */
  /* contact: indices of contacts and rows in the problem. Island k has entries first[k] .. first[k + 1] - 1,
   * ascending */
  int32_t *first, *contact;
  int32_t *number; /* [bodies] scratch of sc_islands_cut; -1 between calls */
} sc_islands;

/* Finds the islands, in the order of their first contacts, with residuals. Returns false without memory. */
bool sc_islands_find(const sc_problem *problem, sc_arena *arena, sc_islands *islands);
/* Joins the chosen islands to one island, and removes all other islands. */
void sc_islands_join(const sc_problem *problem, sc_islands *islands, const bool *chosen);
/* Returns whether the second-order solver has no rule for a general contact's law. */
bool sc_islands_unfit(const sc_problem *problem, const sc_general_contact *general);
/* One island as a problem in rows. Bodies, contacts and impulses are copies. */
typedef struct sc_island_problem {
  sc_problem problem;
  double (*position)[3];                     /* [bodies]; NULL: not known */
  double (*velocity)[3], (*spin)[3], *scale; /* [bodies] before the step; NULL: not known */
  int32_t *body;                             /* [bodies] row of each body in the whole */
  const int32_t *contact;                    /* indices of contacts and rows in the whole, ascending */
} sc_island_problem;
/* Cuts one island out of the whole problem. Returns false without memory. */
bool sc_islands_cut(const sc_problem *problem, const sc_islands *islands, int32_t island, sc_arena *arena,
    sc_island_problem *out);
/* Sets the wait of every movable body of an island. */
void sc_islands_wait(sc_island_problem *island, sc_wait wait);
/* Copies velocities, waits and impulses of an island back to the whole problem. */
void sc_islands_put(const sc_problem *problem, const sc_island_problem *from);

#endif
