/* Compatible contact forces: the unique force network that stiff elastic grains would have.
 *
 * Hard contact determines the motion but not the forces of a dense packing. The forces that Gauss-Seidel
 * reports depend on the order of its visits. This post-processing step conserves the load that the contacts
 * put on each body in the last step. It distributes this load like a no-tension truss of elastic contacts in
 * the limit of large stiffness (Olsen & Kamrin 2018, Eqs. 36 and 37). */
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
  /* SCREE_FORCES_HOOKE: contact energy k c^2/2; SCREE_FORCES_HERTZ: 2/5 k c^(5/2). k: stiffness, c:
   * compression */
  int law;
  double exponent; /* exponent p > 1 of a contact energy k c^p/p; 0: exponent of `law`, which is 2 or 5/2 */
  /* SCREE_LOAD_STEP: load of the contacts on each body in the last step; SCREE_LOAD_WEIGHT: weight of each
   * body */
  int load;
  /* SCREE_FRICTION_NONE: no tangential forces; SCREE_FRICTION_COULOMB: tangential springs with Coulomb's law;
   * SCREE_FRICTION_CONE: forces with the smallest complementary energy in the friction cones. Friction needs
   * the law Hooke. It is an extension of Olsen & Kamrin (2018) */
  int friction;
  double tangential; /* tangential stiffness divided by normal stiffness, with friction */
  /* Periodic cell: components of its displacement gradient that are unknowns of the problem.
   * SCREE_CELL_DRIVEN: components that stress drives or that have a velocity; SCREE_CELL_FREE: all;
   * SCREE_CELL_HELD: none. The forces balance the load of the unknown components. This load is the stress of
   * the contacts in the step. With SCREE_LOAD_WEIGHT it is the prescribed stress, and components without a
   * prescribed stress are not unknowns. A component that is not an unknown balances any load, like a wall. */
  int cell;
  /* contacts without an impulse are included if their gap at the end of the step, divided by the smaller
   * radius, is below this number */
  double closed;
  /* The search ends when the largest unbalanced force, divided by the largest load on a body, is below this
   * number. The load of the cell counts as the mean force of the contacts across its faces */
  double tolerance;
  int64_t iterations; /* largest number of Newton steps */
  /* [table_materials][table_materials] relative stiffness of pairs of materials, symmetric; 0: the table
   * lacks this pair; NULL: no table */
  const double *table;
  int table_materials;
  /* [scree_world_contacts_count] relative stiffness of each contact. NULL: stiffness from `table`, else from
   * the laws of the pairs (hooke: stiffness, hertz: 4/3 E* sqrt R*), else 1 if no pair has a stiffness */
  const double *stiffness;
} scree_forces_def;
extern const scree_param scree_forces_params[];
extern const int scree_forces_params_count;
/* Returns a definition with default values. */
scree_forces_def scree_forces_defaults(void);

typedef struct scree_forces_report {
  int64_t iterations, cg_iterations; /* numbers of Newton steps and of conjugate-gradient steps */
  int64_t closed;                    /* number of contacts that were included */
  double residual;                   /* largest unbalanced force on a body, divided by the largest load */
  /* body with the largest unbalanced force; if a load cannot be balanced, the body without support; 0:
   * none */
  scree_id worst;
} scree_forces_report;

/* Computes the force on body 1 of each contact of the last step [N], in world axes and in the order of
 * scree_world_contact. force: scree_world_contacts_count rows. report may be NULL. Returns SCREE_E_ARGUMENT
 * for a stiffness that is not positive, an exponent that is not above 1, pairs of which only some have a
 * stiffness, and a packing without load whose cell is held (SCREE_CELL_HELD). Returns SCREE_E_NUMERIC if the
 * contacts cannot balance the load on a body (the message has its name or id) or on the cell, if forces with
 * friction do not converge, and if the allowed number of steps is not sufficient. */
scree_status scree_world_compatible_forces(const scree_world *world, const scree_forces_def *def,
    double (*force)[3], scree_forces_report *report, scree_error *error);

/* ---- limits of rest ---- */

enum { SCREE_VARY_SCALE, SCREE_VARY_MU };

typedef struct scree_rest_def {
  /* SCREE_LOAD_WEIGHT: the weight of each body; SCREE_LOAD_STEP: the load of the last step, including applied
   * forces and joints */
  int load;
  /* quantity that is varied: SCREE_VARY_SCALE: a factor on the friction coefficients of all pairs;
   * SCREE_VARY_MU: one friction coefficient for all contacts */
  int vary;
  double most;        /* largest value of the varied quantity that is tried */
  double closed;      /* largest gap of included contacts without an impulse, as in scree_forces_def */
  double tolerance;   /* relative error up to which the results are computed */
  int64_t rounds;     /* largest number of rounds in which scree_rest_range.restricted is computed */
  int64_t iterations; /* largest number of Newton steps per solve */
} scree_rest_def;
extern const scree_param scree_rest_params[];
extern const int scree_rest_params_count;
/* Returns a definition with default values. */
scree_rest_def scree_rest_defaults(void);

typedef struct scree_rest_range {
  /* smallest value of the varied quantity for which forces in the friction cones balance the loads. Below it
   * no state of rest exists. INFINITY: no such value up to `most` */
  double associated;
  /* value of the varied quantity at which a mechanism that slips without dilation begins to move, computed
   * with the normal forces at rest; at least `associated`. INFINITY: the rounds did not converge */
  double restricted;
  int64_t closed; /* number of contacts that were included */
  int64_t rounds; /* number of rounds in which `restricted` was computed */
  /* body that moves furthest in the mechanism of collapse just below `associated`; 0: rest needs no
   * friction */
  scree_id first;
  /* reason why `associated` is INFINITY: "most" (a larger value is sufficient), "mu" (all friction
   * coefficients are 0) or "mechanism" (no friction is sufficient, because bodies topple or lift off); NULL:
   * `associated` is finite */
  const char *why;
} scree_rest_range;

/* Computes the smallest friction for which the structure of the last step's contacts can be at rest
 * (docs/forces.md). Returns SCREE_E_ARGUMENT before the first step, with joints and SCREE_LOAD_WEIGHT, for a
 * law without a constant mu, and on several ranks. Returns SCREE_E_NUMERIC if the function of
 * scree_world_set_stop stops the search. */
scree_status scree_world_rest_range(
    const scree_world *world, const scree_rest_def *def, scree_rest_range *range, scree_error *error);

/* Starts to record compatible forces: each later frame that is captured with contacts contains the compatible
 * forces of its step (scree_frame_contact.force). def NULL: ends the recording. The table in *def is copied;
 * def->stiffness must be NULL. If loads cannot be balanced within the tolerance, the best forces found are
 * recorded. */
scree_status scree_world_record_forces(scree_world *world, const scree_forces_def *def, scree_error *error);

/* Sets a function that searches for compatible forces call from time to time, from the calling thread. If
 * `asked` returns true, the search ends with SCREE_E_NUMERIC. Recorded forces are then the best found so far.
 * asked NULL: no function. */
void scree_world_set_stop(scree_world *world, bool (*asked)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
