/* Inside of the store of contacts: bundles of ball contacts (slots.h), for sweeps and kernels. A solver
 * copies the rows of a problem without bundles to bundles of its own. */
#ifndef SC_LANES_H
#define SC_LANES_H

#include "problem/contacts/contacts.h"
#include "problem/contacts/slots.h"

typedef struct sc_bundle {
  double n[3][SC_LANES], p[3][SC_LANES];
  double bias[SC_LANES]; /* at least `least` of the bundles counts */
  /* rows of bodies; j = ~row for a body that cannot move: it is read, never written */
  int32_t i[SC_LANES], j[SC_LANES];
} sc_bundle;

/* Moments beside a bundle, where ball contacts have torsional or rolling friction (problem.couple). */
typedef struct sc_bundle_couple {
  double m[3][SC_LANES], torsion[SC_LANES], rolling[SC_LANES], ratio[SC_LANES];
} sc_bundle_couple;

/* Impulses of a bundle after the sweep before, where sweeps carry momentum (momentum.h). */
typedef struct sc_bundle_past {
  double p[3][SC_LANES];
} sc_bundle_past;

/* Corrections of positions beside a bundle: the speed by which each contact may close (negative: must
 * open), and its impulse along the normal. */
typedef struct sc_bundle_push {
  double want[SC_LANES], x[SC_LANES];
} sc_bundle_push;

/* What sweeps see of them; all arrays have a row per bundle. */
typedef struct sc_bundles {
  sc_bundle *bundle;
  /* friction: a row per bundle where mu_step is 1, one for all where it is 0 */
  const double (*mu)[SC_LANES];
  int mu_step;
  double least;             /* 0: biases are gaps, of which the positive part counts; -INFINITY: all count */
  sc_bundle_past *past;     /* NULL without momentum */
  sc_bundle_couple *couple; /* NULL without moments */
  sc_bundle_past *couple_past; /* of m */
} sc_bundles;

/* All ball contacts of a problem and, where they are wanted, general ones. */
struct sc_contacts {
  const sc_exchange *exchange;
  int64_t contacts_per_thread; /* fewer are left to one thread */
  int32_t spare;               /* sc_contacts_spare */
  sc_pool *pool;
  sc_slots slots;
  sc_bundles bundles;
  double (*mu)[SC_LANES];
  const sc_solver_body *body;   /* of the problem that was planned for */
  struct sc_generals *generals; /* NULL: they lie in rows */
};

/* Moments from the rows of a problem beside the bundles that its balls were copied to (couples.c), with
 * momentum where `past` is set; false without memory. And contact c's back. */
bool sc_couples_fill(const sc_problem *problem, sc_contacts *lanes, bool past, sc_arena *arena);
void sc_couple_get(const sc_contacts *lanes, int32_t c, double m[3]);

#endif
