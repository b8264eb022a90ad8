/* Contents of the store of contacts: bundles of ball contacts (slots.h), for sweeps and kernels. */
#ifndef SC_CONTACT_STORE_H
#define SC_CONTACT_STORE_H

#include "problem/contacts/contacts.h"
#include "problem/contacts/slots.h"

typedef struct sc_bundle {
  double n[3][SC_LANES], p[3][SC_LANES];
  double bias[SC_LANES]; /* bias, or gap/dt if positions are corrected: sweeps use max(bias, bundles.least) */
  /* rows of bodies; j = ~row for a body that cannot move: the body is read but never written */
  int32_t i[SC_LANES], j[SC_LANES];
} sc_bundle;

/* Moments of the contacts of a bundle, if ball contacts have torsional or rolling friction; members as in
 * sc_ball_couple. */
typedef struct sc_bundle_couple {
  double m[3][SC_LANES], torsion[SC_LANES], rolling[SC_LANES], ratio[SC_LANES];
} sc_bundle_couple;

/* Springs of the contacts of a bundle, if some contacts have springs (sc_contact_spring). */
typedef struct sc_bundle_spring {
  double normal[SC_LANES], tangent[SC_LANES], bias[SC_LANES], last[3][SC_LANES], rest[SC_LANES];
} sc_bundle_spring;
/* Writes a spring to lane l of a bundle. */
static inline void sc_spring_put(const sc_contact_spring *from, sc_bundle_spring *to, uint32_t l) {
  to->normal[l] = from->normal, to->tangent[l] = from->tangent;
  to->bias[l] = from->bias, to->rest[l] = from->rest;
  to->last[0][l] = from->last[0], to->last[1][l] = from->last[1], to->last[2][l] = from->last[2];
}
/* Returns the spring in lane l of a bundle. */
static inline sc_contact_spring sc_spring_get(const sc_bundle_spring *from, uint32_t l) {
  return (sc_contact_spring){from->normal[l], from->tangent[l], from->bias[l], from->rest[l],
      {from->last[0][l], from->last[1][l], from->last[2][l]}};
}

/* Impulses of a bundle after the previous sweep, if sweeps have momentum (momentum.h). */
typedef struct sc_bundle_past {
  double p[3][SC_LANES];
} sc_bundle_past;

/* Position corrections of the contacts of a bundle. want: speed at which the contact may close, negative
 * if it must open [m/s]. x: impulse of the correction along the normal. */
typedef struct sc_bundle_push {
  double want[SC_LANES], x[SC_LANES];
} sc_bundle_push;

/* Arrays that sweeps use, indexed by bundle. */
typedef struct sc_bundles {
  sc_bundle *bundle; /* [bundles] contacts */
  /* friction coefficients: a row per bundle if mu_step is 1, one row for all bundles if mu_step is 0 */
  const double (*mu)[SC_LANES];
  int mu_step;
  /* lower bound of the bias in sweeps [m/s]; 0: the members `bias` contain gap/dt, and only its positive part
   * acts */
  double least;
  sc_bundle_past *past;        /* [bundles] impulses p after the previous sweep; NULL without momentum */
  sc_bundle_couple *couple;    /* [bundles] moments; NULL without moments */
  sc_bundle_spring *spring;    /* [bundles] springs; NULL without springs */
  sc_bundle_past *couple_past; /* [bundles] moments m after the previous sweep; NULL without moments or
                                  momentum */
} sc_bundles;

/* All contacts of a problem. */
struct sc_contacts {
  const sc_exchange *exchange;
  /* smallest number of contacts per thread; with fewer, one thread sweeps all contacts */
  int64_t contacts_per_thread;
  int32_t spare; /* number of spare body rows that sweeps need behind the last body */
  sc_pool *pool; /* threads that sweep; NULL: one thread */
  sc_slots slots;
  sc_bundles bundles;
  double (*mu)[SC_LANES];     /* bundles.mu as a writable array */
  const sc_solver_body *body; /* [bodies] solver bodies of the problem */
  struct sc_generals *generals;
};

/* Allocates the moments of all bundles and copies them from problem->couple (couples.c). past: true if sweeps
 * have momentum, so the moments after the previous sweep are allocated, too. Returns false if out of
 * memory. */
bool sc_couples_fill(const sc_problem *problem, sc_contacts *lanes, bool past, sc_arena *arena);
/* Reads the moment of ball contact c from its bundle. */
void sc_couple_get(const sc_contacts *lanes, int32_t c, double m[3]);

#endif
