/* Cohesion between two materials: an attractive force along the normal of a contact, by one of five laws. */
#ifndef SCREE_COHESION_H
#define SCREE_COHESION_H

#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_cohesion_law {
  SCREE_COHESION_CONSTANT, /* constant force up to the gap `range` */
  SCREE_COHESION_LINEAR,   /* full `force` at a closed contact; decreases linearly to 0 at the gap `range` */
  /* a liquid bridge, which forms when the surfaces touch and breaks at its rupture distance */
  SCREE_COHESION_CAPILLARY,
  SCREE_COHESION_JKR, /* constant pull-off force of Johnson, Kendall & Roberts */
  SCREE_COHESION_DMT  /* pull-off force of Derjaguin, Muller & Toporov */
} scree_cohesion_law;

typedef struct scree_cohesion { /* all members 0: no cohesion */
  int law;
  double force; /* laws constant and linear: largest attractive force [N] */
  /* constant, linear: gap up to which the force acts [m]; constant: 0 means 1e-4 of the effective radius */
  double range;
  double volume;        /* capillary: volume of the liquid of a bridge [m3] */
  double contact_angle; /* capillary: contact angle [rad], 0 to pi/2 */
  double tension;       /* capillary: surface tension [N/m] */
  double work;          /* jkr, dmt: work of adhesion [J/m2] */
} scree_cohesion;
/* Parameter table of the keys: cohesion_law, cohesion, cohesion_range, volume, contact_angle, tension,
 * work. */
extern const scree_param scree_cohesion_params[];
extern const int scree_cohesion_params_count;

/* Returns SCREE_OK if the keys that the law needs are set and no others. Otherwise returns SCREE_E_ARGUMENT
 * with a message that names `path` and the key. */
scree_status scree_cohesion_check(const scree_cohesion *cohesion, const char *path, scree_error *error);
/* Returns the attractive force >= 0 between two rigid surfaces that adhere [N]. gap: distance of the surfaces
 * [m]. radius: effective radius R with 1/R = 1/R1 + 1/R2 [m], INFINITY between flat surfaces. */
double scree_cohesion_pull(const scree_cohesion *cohesion, double gap, double radius);
/* Returns the largest gap at which the cohesion of adhering surfaces acts [m]. radius: effective radius
 * [m]. */
double scree_cohesion_rupture(const scree_cohesion *cohesion, double radius);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
