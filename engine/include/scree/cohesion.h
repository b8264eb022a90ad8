/* Cohesion between two materials: a pull along the normal of a contact, by one of five laws. */
#ifndef SCREE_COHESION_H
#define SCREE_COHESION_H

#include "scree/param.h"
#include "scree/status.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_cohesion_law {
  SCREE_COHESION_CONSTANT,  /* `force` up to the gap `range` */
  SCREE_COHESION_LINEAR,    /* `force` at a closed contact, falling to 0 at the gap `range` */
  SCREE_COHESION_CAPILLARY, /* a liquid bridge: formed by contact, ruptures at its distance */
  SCREE_COHESION_JKR,       /* pull-off force of Johnson, Kendall & Roberts */
  SCREE_COHESION_DMT        /* pull-off force of Derjaguin, Muller & Toporov */
} scree_cohesion_law;

typedef struct scree_cohesion { /* all zero: none */
  int law;
  double force;         /* laws constant and linear: largest attractive force [N] */
  double range;         /* constant, linear [m]; constant with 0: 1e-4 of the effective radius */
  double volume;        /* capillary: liquid of a bridge [m3] */
  double contact_angle; /* capillary [rad], 0 to pi/2 */
  double tension;       /* capillary: surface tension [N/m] */
  double work;          /* jkr, dmt: work of adhesion [J/m2] */
} scree_cohesion;
/* The table of its keys: cohesion_law, cohesion, cohesion_range, volume, contact_angle, tension, work. */
extern const scree_param scree_cohesion_params[];
extern const int scree_cohesion_params_count;

/* Returns SCREE_OK if the keys that the law needs are set and no others. Otherwise SCREE_E_ARGUMENT, with a
 * text that names `path` and the key. */
scree_status scree_cohesion_check(const scree_cohesion *cohesion, const char *path, scree_error *error);
/* Returns the pull [N], at least 0, of two surfaces in cohesion at a gap [m]. radius: 1/R = 1/R1 + 1/R2 [m],
 * INFINITY between flats. Rigid grains. */
double scree_cohesion_pull(const scree_cohesion *cohesion, double gap, double radius);
/* Returns the largest gap at which an existing cohesion acts [m]. */
double scree_cohesion_rupture(const scree_cohesion *cohesion, double radius);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
