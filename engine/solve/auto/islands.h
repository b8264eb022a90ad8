/* Islands of a problem: contacts and joint rows whose movable bodies are connected. Impulses of one
 * island have no effect on another island. */
#ifndef SC_ISLANDS_H
#define SC_ISLANDS_H

#include "model/bodies.h"
#include "problem/problem.h"

typedef struct sc_island {
  /* numbers of movable bodies, ball contacts, general contacts, joint rows */
  int32_t bodies, balls, generals, joint_rows;
  int32_t rows;    /* number of scalar rows of all contacts and joint rows */
  double residual; /* largest residual of a contact or joint row [m/s] */
  double speed;    /* largest speed of a body before the step [m/s] */
  sc_wait wait;    /* back-off of the body that backs off longest (model/bodies.h) */
  double load;     /* largest velocity caused by one normal or joint impulse [m/s] */
  double change;   /* largest velocity change of a body in this step [m/s] */
  double start;    /* largest velocity change that exceeds twice the body's speed; 0: none [m/s] */
  bool unfit;      /* the second-order solver does not support a contact */
} sc_island;

typedef struct sc_islands {
  int32_t count;
  sc_island *island;
  int32_t *of_body; /* [bodies] index of the island; -1: the body cannot move, or touches nothing */
  /* contact: indices of contacts and joint rows in the problem. Entries first[k] .. first[k + 1] - 1 belong
   * to island k, in ascending order. */
  int32_t *first, *contact;
  /* [bodies] scratch of sc_islands_cut: index of the body in the island's problem; -1 between calls */
  int32_t *number;
} sc_islands;

/* Finds the islands, in the order of their first contacts, and computes their residuals. Returns false if
 * out of memory. */
bool sc_islands_find(const sc_problem *problem, sc_arena *arena, sc_islands *islands);
/* Makes one island of the chosen islands, and removes all other islands from the list. chosen: [islands]. */
void sc_islands_join(const sc_problem *problem, sc_islands *islands, const bool *chosen);
/* Returns whether the second-order solver does not support the law of a general contact. */
bool sc_islands_unfit(const sc_problem *problem, const sc_general_contact *general);

/* One island as a problem in rows. Bodies, contacts and impulses are copies. */
typedef struct sc_island_problem {
  sc_problem problem;
  double (*position)[3]; /* [bodies] centres of mass [m]; NULL: the whole problem has no positions */
  /* [bodies] velocities, spins and lengths s before the step; NULL: the whole problem does not have them */
  double (*velocity)[3], (*spin)[3], *scale;
  int32_t *body;          /* [bodies] row of each body in the whole problem */
  const int32_t *contact; /* indices of contacts and joint rows in the whole problem, ascending */
} sc_island_problem;

/* Copies one island out of the whole problem. Returns false if out of memory. */
bool sc_islands_cut(const sc_problem *problem, const sc_islands *islands, int32_t island, sc_arena *arena,
    sc_island_problem *out);
/* Sets the back-off of every movable body of an island. */
void sc_islands_wait(sc_island_problem *island, sc_wait wait);
/* Copies velocities, back-offs and impulses of an island back to the whole problem. */
void sc_islands_put(const sc_problem *problem, const sc_island_problem *from);

#endif
