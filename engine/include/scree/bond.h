/* Bonds: elastic beams of glue between pairs of bodies, which break.
 *
 * The parallel bond of Potyondy & Cundall (2004): a round beam of radius B between the centres of two
 * bodies at the distance L, with section A = pi B^2, moments I = pi B^4/4 and J = 2 I, that resists
 *     stretch  E A/L        shear    E A/(ratio L)
 *     bending  E I/L        twist    E J/(ratio L)
 * at the middle of the gap, or as stiffly as its glue says. Its forces are taken implicitly, so no
 * stiffness sets the step. It breaks after a step in which one of its stresses was above what it bears.
 * Bonds are joints of type SCREE_JOINT_BOND: their ids, states, removal and records of breaking are those
 * of joints (joint.h). */
#ifndef SCREE_BOND_H
#define SCREE_BOND_H

#include "scree/joint.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* A number for each way in which a bond gives. */
typedef struct scree_bond_ways {
  double normal, shear, bending, twist;
} scree_bond_ways;

/* What many bonds have in common. Stresses [Pa], INFINITY: never. */
typedef struct scree_glue {
  double young;  /* E [Pa], at least 0; above 0 where any stiffness is 0 */
  double ratio;  /* of the stiffness along to that across, above 0 */
  double radius; /* B in radii of the smaller body, above 0 */
  /* in place of the beam's [N/m, N m/rad], at least 0; 0: the beam's */
  scree_bond_ways stiffness;
  scree_bond_ways damping; /* over stiffness, at least 0 [s] */
  /* force that draws apart, that presses together, and across, over A; moments across over I/B, about the
   * axis over J/B */
  double tension, compression, shear, bending, twist;
  /* at the edge of the section: pull and bending together, shear and twist together */
  double edge_tension, edge_shear;
  int32_t collide; /* contacts between the bodies of a pair are kept */
} scree_glue;
/* ratio 1, radius 1, no damping, never breaks; young and stiffnesses are left 0. */
scree_glue scree_glue_defaults(void);

/* Bonds pair[k][0] to pair[k][1], k < count, as the bodies stand; one of each pair must be dynamic, and what
 * is dynamic must have the same inertia about all axes, as balls have. Their ids are first, first + 1, ...
 * SCREE_E_ARGUMENT, and none is made: numbers out of range, a pair that cannot be bonded, a solver, stepper,
 * cell, plane or spread world that takes no bonds; SCREE_E_STALE: a body that is gone. */
scree_status scree_world_add_bonds(scree_world *world, const scree_glue *glue, const scree_id (*pair)[2],
    int64_t count, scree_joint *first, scree_error *error);
/* Bonds that hold, in the order they were made; 0 <= index < count. */
int64_t scree_world_bonds_count(const scree_world *world);
scree_joint scree_world_bond_at(const scree_world *world, int64_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
