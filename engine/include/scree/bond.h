/* Bonds: elastic beams of glue between pairs of bodies, which can break.
 *
 * The parallel bond of Potyondy & Cundall (2004): a round beam of radius B between the centres of two
 * bodies at the distance L, with section A = pi B^2, moments I = pi B^4/4 and J = 2 I. Its stiffnesses are
 *     stretch  E A/L        shear    E A/(ratio L)
 *     bending  E I/L        twist    E J/(ratio L)
 * at the middle of the gap, or those that its glue gives. Its forces are integrated implicitly, so stiffness
 * does not limit the step. A bond breaks after a step in which one of its stresses exceeded its strength.
 * Bonds are joints of type SCREE_JOINT_BOND: their ids, states, removal and records of breaking are those
 * of joints (joint.h). */
#ifndef SCREE_BOND_H
#define SCREE_BOND_H

#include "scree/joint.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* A number for each of the four deformations of a bond. */
typedef struct scree_bond_ways {
  double normal, shear, bending, twist;
} scree_bond_ways;

/* Properties shared by many bonds. Strengths are stresses [Pa], INFINITY: never breaks. */
typedef struct scree_glue {
  double young;  /* E [Pa], at least 0; greater than 0 if any stiffness is 0 */
  double ratio;  /* ratio of the stiffness along the axis to that across, above 0 */
  double radius; /* B over the radius of the smaller body, above 0 */
  /* replaces the stiffnesses of the beam [N/m, N m/rad], at least 0; 0: the beam's */
  scree_bond_ways stiffness;
  scree_bond_ways damping; /* damping over stiffness, at least 0 [s] */
  /* strengths: tensile, compressive and shear force over A; bending moment over I/B, twisting moment over
   * J/B */
  double tension, compression, shear, bending, twist;
  /* strengths at the edge of the section: tension and bending together, shear and twist together */
  double edge_tension, edge_shear;
  int32_t collide; /* nonzero: the bodies of a pair can also have contacts */
} scree_glue;
/* The table of the keys of a glue; normal_stiffness is `stiffness.normal`, shear_damping `damping.shear`. */
extern const scree_param scree_glue_params[];
extern const int scree_glue_params_count;
/* Returns a glue with ratio 1, radius 1, no damping, that never breaks; young and stiffnesses are 0. */
scree_glue scree_glue_defaults(void);

/* Bonds pair[k][0] to pair[k][1], k < count, at their present poses. One of each pair must be dynamic, and a
 * dynamic body must have an isotropic inertia, as balls have. The ids are *first, *first + 1, ... On an error
 * no bond is added. SCREE_E_ARGUMENT: numbers out of range, a pair that cannot be bonded, a solver, stepper,
 * cell, plane or distributed world that does not support bonds. SCREE_E_STALE: a body was removed. */
scree_status scree_world_add_bonds(scree_world *world, const scree_glue *glue, const scree_id (*pair)[2],
    int64_t count, scree_joint *first, scree_error *error);
/* Returns the number of bonds that are not broken. */
int64_t scree_world_bonds_count(const scree_world *world);
/* Returns a bond, in the order in which they were made; 0 <= index < count. */
scree_joint scree_world_bond_at(const scree_world *world, int64_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
