/* Compatible contact forces: the unique force network that stiff elastic grains would have.
 *
 * Hard contact determines the motion but not the forces of a dense packing: the forces that Gauss-Seidel
 * reports depend on its order. This post-processing step conserves the load of the contacts on each body in
 * the last step. It distributes this load like a no-tension truss of elastic contacts in the limit of large
 * stiffness (Olsen & Kamrin 2018, Eqs. 36 and 37). */
#ifndef SCREE_FORCES_H
#define SCREE_FORCES_H

#include <stdbool.h>
#include <stdint.h>
#include "scree/param.h"
#include "scree/status.h"
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_FORCES_HOOKE, SCREE_FORCES_HERTZ };
enum { SCREE_FRICTION_NONE, SCREE_FRICTION_COULOMB, SCREE_FRICTION_CONE };
enum { SCREE_LOAD_STEP, SCREE_LOAD_WEIGHT };
enum { SCREE_CELL_DRIVEN, SCREE_CELL_FREE, SCREE_CELL_HELD };

typedef struct scree_forces_def {
  int law;         /* SCREE_FORCES_...: contact energy k c^2/2 or 2/5 k c^(5/2) */
  double exponent; /* p > 1 of a contact energy k c^p/p; 0: the law's, 2 or 5/2 */
  /* SCREE_LOAD_STEP: the load of the contacts in the last step; SCREE_LOAD_WEIGHT: the weights of the
   * bodies */
  int load;
  /* SCREE_FRICTION_...: none, Coulomb's, or the forces of least complementary energy in the friction
   * cones (Hooke; extensions of the paper) */
  int friction;
  double tangential; /* tangential over normal stiffness, with friction */
  /* periodic cell: the unknown components of its displacement gradient. SCREE_CELL_DRIVEN: components that
   * stress drives or that have a velocity; SCREE_CELL_FREE: all; SCREE_CELL_HELD: none. The forces balance
   * the load of the unknown components. This load is the stress of the contacts in the step, or with
   * SCREE_LOAD_WEIGHT the wanted stress; all components without a wanted stress are then held. A held
   * component balances any load, like a wall */
  int cell;
  /* contacts without an impulse count if their gap at the end of the step is below this share of the smaller
   * radius */
  double closed;
  /* largest unbalanced force, relative to the largest load on a body; the cell's load counts as a mean force
   * of the contacts across it */
  double tolerance;
  int64_t iterations; /* largest number of Newton steps */
  /* relative stiffness by materials, table_materials squared and symmetric; entries 0 are missing; or NULL */
  const double *table;
  int table_materials;
  /* relative stiffness per contact, as many as scree_world_contacts_count; NULL: from the table, or
   * from the pairs' laws (hooke: stiffness, hertz: 4/3 E* sqrt R*), 1 everywhere if no pair has one */
  const double *stiffness;
} scree_forces_def;
extern const scree_param scree_forces_params[];
extern const int scree_forces_params_count;
/* Returns the default values. */
scree_forces_def scree_forces_defaults(void);

typedef struct scree_forces_report {
  int64_t iterations, cg_iterations; /* Newton steps, conjugate-gradient steps */
  int64_t closed;                    /* number of contacts used */
  double residual;                   /* largest unbalanced force on a body over the largest load */
  /* body of the residual; if a load cannot be balanced, the body without support. 0: none */
  scree_id worst;
} scree_forces_report;

/* Computes the force on body 1 of each contact of the last step [N], world frame, in the order of
 * scree_world_contact. force has scree_world_contacts_count rows. report may be NULL. Errors:
 * SCREE_E_ARGUMENT for a stiffness not above 0, an exponent not above 1, pairs of which only some have a
 * stiffness, a packing without load in a held cell; SCREE_E_NUMERIC for a load that the contacts cannot
 * balance, of a body (with its name or id) or of the cell; for forces with friction that do not converge; and
 * if the allowed number of steps is not enough. */
scree_status scree_world_compatible_forces(const scree_world *world, const scree_forces_def *def,
    double (*force)[3], scree_forces_report *report, scree_error *error);

/* ---- whether a structure can be at rest ---- */

enum { SCREE_VARY_SCALE, SCREE_VARY_MU };

typedef struct scree_rest_def {
  /* SCREE_LOAD_WEIGHT: the weight of each body; SCREE_LOAD_STEP: the load of the last step, including applied
   * forces and joints */
  int load;
  /* SCREE_VARY_SCALE: a factor on the friction coefficient of every pair; SCREE_VARY_MU: one coefficient for
   * all contacts */
  int vary;
  double most;        /* largest value tried */
  double closed;      /* as in scree_forces_def */
  double tolerance;   /* relative error of the computed values */
  int64_t rounds;     /* most rounds of the restricted problem */
  int64_t iterations; /* most Newton steps of a solve */
} scree_rest_def;
extern const scree_param scree_rest_params[];
extern const int scree_rest_params_count;
/* Returns the default values. */
scree_rest_def scree_rest_defaults(void);

typedef struct scree_rest_range {
  /* least value for which forces in the friction cones balance the loads. Below it no state of rest exists.
   * INFINITY: none up to `most` */
  double associated;
  /* value at which a mechanism that slips without dilation begins to move, computed from the normal forces at
   * rest; at least `associated`. INFINITY: the rounds did not converge */
  double restricted;
  int64_t closed; /* number of contacts used */
  int64_t rounds; /* rounds of the restricted problem */
  /* the body that moves furthest in the mechanism just below `associated`; 0: none, rest needs no friction */
  scree_id first;
  /* why `associated` is INFINITY, else NULL: "most" (a larger value suffices), "mu" (all coefficients are
   * 0) or "mechanism" (no friction suffices: bodies topple or lift off) */
  const char *why;
} scree_rest_range;

/* Computes the least friction with which the structure of the last step's contacts can rest (docs/forces.md).
 * Errors: SCREE_E_ARGUMENT before the first step, with joints and SCREE_LOAD_WEIGHT, for a law without a
 * plain mu, on several ranks; SCREE_E_NUMERIC if a stop is requested (scree_world_set_stop). */
scree_status scree_world_rest_range(
    const scree_world *world, const scree_rest_def *def, scree_rest_range *range, scree_error *error);

/* From now on frames captured with contacts have the compatible forces of their step
 * (scree_frame_contact.force); NULL stops this. The table is copied; def->stiffness must be NULL. If loads
 * cannot be balanced to the tolerance, the best forces found are recorded. */
scree_status scree_world_record_forces(scree_world *world, const scree_forces_def *def, scree_error *error);

/* Sets a function that the search for compatible forces calls now and then, from the calling thread. If it
 * returns true, the search ends with SCREE_E_NUMERIC, and recorded forces are the best found so far. NULL:
 * none. */
void scree_world_set_stop(scree_world *world, bool (*asked)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
