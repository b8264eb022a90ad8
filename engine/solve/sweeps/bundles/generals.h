/* General contacts in bundles (slots.h): copies of the problem's rows that sweeps work on, and impulses on
 * their way back.
 *
 * A bundle is of one kind. Laws that have a form (sc_law_form) are worked out side by side
 * (sweep_general.h), by the operations of the law's own code: both give the same bits. Others lie in
 * bundles that only say which contacts they hold; these are solved one after the other in their turn. */
#ifndef SC_GENERALS_H
#define SC_GENERALS_H

#include "solve/sweeps/bundles/lanes.h"

/* Kinds are forms. */
enum { SC_BUNDLE_ROWS = SC_FORM_NONE };
_Static_assert((int)SC_LAW_FORMS <= (int)SC_SLOT_KINDS, "every form has a kind of slot");

typedef struct sc_general_bundle {
  double n[3][SC_LANES], t[3][SC_LANES], arm1[3][SC_LANES], arm2[3][SC_LANES];
  double A[6][SC_LANES]; /* nn, nt, no, tt, to, oo */
  double x[3][SC_LANES], bias[SC_LANES], mu[SC_LANES];
  /* rows of bodies, ~row of one that cannot move: it is read, never written. Of kind SC_BUNDLE_ROWS i is
   * a general contact, negative in an empty lane */
  int32_t i[SC_LANES], j[SC_LANES];
} sc_general_bundle;
_Static_assert(sizeof(sc_general_bundle) == 192 * SC_LANES, "192 bytes a contact");

/* All general contacts of a problem. */
typedef struct sc_generals {
  sc_slots slots;
  const uint8_t *taken; /* per bundle: sc_slot_kind, sc_slot_taken */
  sc_general_bundle *bundle;
  double (*mu_static)[SC_LANES]; /* beside the bundles; NULL where it is mu everywhere */
  sc_bundle_past *past;          /* of x; NULL without momentum */
  const double (*K)[6];          /* of all bodies */
} sc_generals;

/* Bundles of the rows as they are, swept by the threads of a pool; false without memory. */
bool sc_generals_fill(
    const sc_problem *problem, bool past, sc_pool *pool, sc_arena *arena, sc_generals *generals);
/* Impulses go back to the problem's rows. */
void sc_generals_unpack(const sc_generals *generals, const sc_problem *problem);

#endif
