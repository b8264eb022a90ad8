/* General contacts in bundles (slots.h), for sweeps. Assembly writes contacts to bundles
 * (generals_store.c). Sweeps over a problem in rows copy the rows to bundles, and the impulses back to the
 * rows (copy_rows.c).
 *
 * All contacts of a bundle have one kind. Laws with a form (sc_law_form) are computed with SIMD
 * (solve/sweeps/kernels/sweep_general.h). The operations are those of the law's own code, so the results are
 * identical. If a law has no form, the bundle has only the rows of its contacts. Sweeps solve these contacts
 * one after the other. */
#ifndef SC_GENERALS_H
#define SC_GENERALS_H

#include "problem/contacts/store.h"

/* The kind of a bundle is the form of its law. */
enum { SC_BUNDLE_ROWS = SC_FORM_NONE };
_Static_assert((int)SC_LAW_FORMS <= (int)SC_SLOT_KINDS, "every form has a kind of slot");
_Static_assert((int)SC_LANES == (int)SC_GROUP, "a group of contacts is a bundle");

typedef struct sc_general_bundle {
  double n[3][SC_LANES], t[3][SC_LANES], arm1[3][SC_LANES], arm2[3][SC_LANES];
  double A[6][SC_LANES]; /* Delassus block: nn, nt, no, tt, to, oo */
  double x[3][SC_LANES], bias[SC_LANES], mu[SC_LANES];
  /* rows of bodies; ~row for a body that cannot move: the body is read but never written. In bundles of kind
   * SC_BUNDLE_ROWS, i is a row of problem.general, negative in an empty lane */
  int32_t i[SC_LANES], j[SC_LANES];
} sc_general_bundle;
_Static_assert(sizeof(sc_general_bundle) == 192 * SC_LANES, "192 bytes a contact");

/* Moments of a bundle of contacts with torsional and rolling friction, in axes n, t, o. m: moments. R: their
 * Delassus block (nn, nt, no, tt, to, oo). torsion, rolling: largest |m| about n and across n per unit of
 * normal impulse. ratio: s1/s2, with the scales s of the bodies (problem.h). m is divided by s1, so it is an
 * impulse. The relative spin q1 - ratio q2 is then a velocity. */
typedef struct sc_general_couple {
  double m[3][SC_LANES], R[6][SC_LANES], torsion[SC_LANES], rolling[SC_LANES], ratio[SC_LANES];
} sc_general_couple;

/* Moments of a bundle, in the units of problem.x [N m s], and the scales s of bodies 1 and 2 [m]. */
typedef struct sc_general_moments {
  double x[3][SC_LANES], scale1[SC_LANES], scale2[SC_LANES];
} sc_general_moments;

/* All general contacts of a problem. */
typedef struct sc_generals {
  sc_slots slots;
  const uint8_t *taken;      /* [bundles] packed number and kind of contacts: sc_slot_taken, sc_slot_kind */
  sc_general_bundle *bundle; /* [bundles] contacts */
  double (*mu_static)[SC_LANES];  /* [bundles] coefficients of static friction; NULL if all are mu */
  double (*ellipse)[4][SC_LANES]; /* [bundles] tt, to, ot, oo of sc_law_lane.t; NULL if no cone is elliptic */
  sc_general_couple *couple;      /* [bundles] moments for sweeps; NULL if no contact has moments */
  sc_bundle_spring *spring;       /* [bundles] springs of the contacts; NULL without springs */
  sc_bundle_past *past;           /* [bundles] impulses x after the previous sweep; NULL without momentum */
  sc_bundle_past *couple_past;    /* [bundles] moments m after the previous sweep; NULL without momentum or
                                     moments */
  const sc_inertia_row *K;        /* [bodies] scaled inverse inertias (problem.h) */
  int32_t (*origin)[SC_LANES];    /* [bundles] number of the general contact in each lane */
  sc_general_moments *moments;    /* [bundles] moments for reading; NULL if no contact has moments */
  sc_bundle_push *push;           /* [bundles] position corrections; want: gap/dt [m/s]; x: scratch */
  const struct sc_contact_kernels *kernels; /* kernels of this processor's SIMD width */
} sc_generals;

/* ---- functions shared by the files of bundles ---- */

/* Writes a contact to a slot (bundle and lane). row: index in problem->general; only read if the contact's
 * law has no form (sc_law_form). */
void sc_generals_put_lane(
    const sc_generals *to, const sc_problem *problem, int32_t slot, const sc_general *from, int32_t row);
/* Writes the bodies and the coefficients of a contact to a slot. */
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
/* Clears the bundles that have empty lanes. Sets each empty lane to an open contact of the immovable
 * world. */
void sc_generals_clear_rest(const sc_generals *to, const sc_problem *problem);
/* Allocates bundles and the arrays that `pairs` needs, and K if the problem has none. Returns false if out of
 * memory. */
bool sc_generals_take_room(
    const sc_problem *problem, const sc_contact_pairs *pairs, sc_arena *arena, sc_generals *to);
/* Allocates `past` and couple_past and copies the present impulses to them. Call it before the first sweep.
 * Returns false if out of memory. */
bool sc_generals_remember(sc_generals *generals, sc_arena *arena);

/* Allocates the slots of `count` general contacts of a store. Threads of the pool sweep the contacts. Returns
 * false if out of memory. */
bool sc_generals_open(sc_contacts *store, int32_t count, sc_pool *pool, sc_arena *arena);

#endif
