/* General contacts in bundles (slots.h): what sweeps work on, of contacts that assembly put there
 * (generals_store.c), or as copies of a problem's rows, and impulses on their way back.
 *
 * A bundle is of one kind. Laws that have a form (sc_law_form) are worked out side by side
 * (sweep_general.h), by the operations of the law's own code: both give the same bits. Others lie in
 * bundles that only say which contacts they hold; these are solved one after the other in their turn. */
#ifndef SC_GENERALS_H
#define SC_GENERALS_H

#include "problem/contacts/store.h"

/* Kinds are forms. */
enum { SC_BUNDLE_ROWS = SC_FORM_NONE };
_Static_assert((int)SC_LAW_FORMS <= (int)SC_SLOT_KINDS, "every form has a kind of slot");
_Static_assert((int)SC_LANES == (int)SC_GROUP, "a group of contacts is a bundle");

typedef struct sc_general_bundle {
  double n[3][SC_LANES], t[3][SC_LANES], arm1[3][SC_LANES], arm2[3][SC_LANES];
  double A[6][SC_LANES]; /* nn, nt, no, tt, to, oo */
  double x[3][SC_LANES], bias[SC_LANES], mu[SC_LANES];
  /* rows of bodies, ~row of one that cannot move: it is read, never written. Of kind SC_BUNDLE_ROWS i is
   * a row of general contacts, negative in an empty lane */
  int32_t i[SC_LANES], j[SC_LANES];
} sc_general_bundle;
_Static_assert(sizeof(sc_general_bundle) == 192 * SC_LANES, "192 bytes a contact");

/* Beside bundles of contacts with torsional and rolling friction: moments and the
 * block of these (nn, nt, no, tt, to, oo), in axes n, t, o and over the scale s1 of body 1, by which moments
 * are impulses and the relative spin q1 - ratio q2, ratio = s1/s2, is a velocity; their bounds per normal
 * impulse. */
typedef struct sc_general_couple {
  double m[3][SC_LANES], R[6][SC_LANES], torsion[SC_LANES], rolling[SC_LANES], ratio[SC_LANES];
} sc_general_couple;

/* Beside those of bundles that have no rows: moments as problem.x would have them, scales of both bodies. */
typedef struct sc_general_moments {
  double x[3][SC_LANES], scale1[SC_LANES], scale2[SC_LANES];
} sc_general_moments;

/* All general contacts of a problem. */
typedef struct sc_generals {
  sc_slots slots;
  const uint8_t *taken; /* per bundle: sc_slot_kind, sc_slot_taken */
  sc_general_bundle *bundle;
  double (*mu_static)[SC_LANES];  /* beside the bundles; NULL where it is mu everywhere */
  double (*ellipse)[4][SC_LANES]; /* tt, to, ot, oo of sc_law_lane.t; NULL where no cone is elliptic */
  sc_general_couple *couple;      /* beside the bundles; NULL where none has moments */
  sc_bundle_past *past;           /* of x; NULL without momentum */
  sc_bundle_past *couple_past;    /* of m */
  const sc_inertia_row *K;        /* of all bodies */
  int32_t (*origin)[SC_LANES];    /* numbers of contacts in lanes; NULL where they were copied from rows */
  sc_general_moments *moments;    /* beside couples with an origin */
  sc_bundle_push *push;           /* gaps over dt, and room */
  const struct sc_contact_kernels *kernels; /* of the machine's width */
} sc_generals;

/* Bundles of the rows as they are, swept by the threads of a pool; false without memory. */
bool sc_generals_fill(
    const sc_problem *problem, bool past, sc_pool *pool, sc_arena *arena, sc_generals *generals);
/* Impulses go back to the problem's rows, of all contacts that have one. */
void sc_generals_unpack(const sc_generals *generals, const sc_problem *problem);

/* ---- pieces, shared with the store ---- */

/* A contact into its slot; row: its number among rows, where its law has no form. */
void sc_generals_put_lane(
    const sc_generals *to, const sc_problem *problem, int32_t slot, const sc_general *from, int32_t row);
/* Its bodies, by ~row where they cannot move, and coefficients. */
static inline void sc_generals_put_rule(const sc_generals *to, const sc_problem *problem, int32_t slot,
    int32_t i, int32_t j, const sc_law_lane *lane) {
  const uint32_t group = (uint32_t)slot / SC_LANES, l = (uint32_t)slot % SC_LANES;
  sc_general_bundle *b = to->bundle + group;
  b->mu[l] = lane->mu;
  if (to->mu_static) to->mu_static[group][l] = lane->mu_static;
  for (int k = 0; k < 4 && to->ellipse; k++) to->ellipse[group][k][l] = lane->t[k / 2][k % 2];
  b->i[l] = sc_problem_moves(problem, i) ? i : ~i;
  b->j[l] = sc_problem_moves(problem, j) ? j : ~j;
}
/* Lanes that stay empty are cleared; and K of all bodies is made where there are contacts and the problem
 * keeps none. Room for bundles and what lies beside them. */
void sc_generals_clear_rest(const sc_generals *to, const sc_problem *problem, sc_pool *pool);
typedef struct sc_general_kinds {
  bool holds, elliptic, rolls; /* somewhere: see sc_contact_pairs */
} sc_general_kinds;
bool sc_generals_take_room(
    const sc_problem *problem, const sc_general_kinds *kinds, sc_arena *arena, sc_generals *to);
/* How impulses were before the first sweep; false without memory. */
bool sc_generals_remember(sc_generals *generals, sc_arena *arena);

/* Room for so many general contacts of a store; false without memory. */
bool sc_generals_open(sc_contacts *store, int32_t count, sc_arena *arena);

#endif
