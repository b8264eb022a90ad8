/* Bonds: elastic beams of glue between pairs of bodies, which can break.
 *
 * The parallel bond of Potyondy & Cundall (2004) is a round beam of radius B between the centres of two
 * bodies at the distance L. Its section has the area A = pi B^2 and the second moments of area I = pi B^4/4
 * (bending) and J = 2 I (twist). Its stiffnesses at the middle of the gap are
 *     stretch  E A/L        shear    E A/(ratio L)
 *     bending  E I/L        twist    E J/(ratio L)
 * unless the glue sets other stiffnesses. E and `ratio` are members of scree_glue. Forces of bonds are
 * integrated implicitly, so the stiffness does not limit the step. A bond breaks after a step in which one of
 * its stresses exceeded its strength.
 *
 * Bonds are joints of type SCREE_JOINT_BOND. Their ids, states, removal and records of breaking are those of
 * joints (joint.h). */
#ifndef SCREE_BOND_H
#define SCREE_BOND_H

#include "scree/joint.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* One number for each of the four deformations of a bond. */
typedef struct scree_bond_ways {
  double normal, shear, bending, twist;
} scree_bond_ways;

/* Properties shared by many bonds. Strengths are stresses [Pa]; INFINITY: the bond never breaks. */
typedef struct scree_glue {
  double young;  /* Young's modulus E of the beam [Pa], >= 0; must be > 0 if any member of `stiffness` is 0 */
  double ratio;  /* stiffness along the axis divided by stiffness across it, > 0 */
  double radius; /* B divided by the radius of the smaller body, > 0 */
  /* stiffnesses that replace those of the beam, >= 0: normal and shear [N/m], bending and twist [N m/rad]; 0:
   * stiffness of the beam */
  scree_bond_ways stiffness;
  scree_bond_ways damping; /* damping divided by stiffness, >= 0 [s] */
  /* strengths: largest tensile, compressive and shear force, each divided by A; largest bending moment
   * divided by I/B; largest twisting moment divided by J/B */
  double tension, compression, shear, bending, twist;
  /* strengths at the edge of the section: largest stress of tension and bending together; largest stress of
   * shear and twist together */
  double edge_tension, edge_shear;
  int32_t collide; /* nonzero: the two bodies of a bond can also have contacts */
} scree_glue;
/* Parameter table of the keys of a glue. Examples: normal_stiffness is `stiffness.normal`, shear_damping is
 * `damping.shear`. */
extern const scree_param scree_glue_params[];
extern const int scree_glue_params_count;
/* Returns a glue with ratio 1, radius 1 and no damping, which never breaks. Young's modulus and stiffnesses
 * are 0. */
scree_glue scree_glue_defaults(void);

/* Adds a bond between pair[k][0] and pair[k][1] for each k < count, at their present poses. At least one body
 * of a pair must be dynamic, and a dynamic body must have an isotropic inertia, as balls have. The ids are
 * *first, *first + 1, ... On an error no bond is added. Returns SCREE_E_ARGUMENT for numbers out of range,
 * for a pair that cannot be bonded, and for a solver, stepper, cell, plane or distributed world that does not
 * support bonds. Returns SCREE_E_STALE if a body was removed. */
scree_status scree_world_add_bonds(scree_world *world, const scree_glue *glue, const scree_id (*pair)[2],
    int64_t count, scree_joint *first, scree_error *error);
/* Returns the number of bonds that are not broken. */
int64_t scree_world_bonds_count(const scree_world *world);
/* Returns the bond at an index, 0 <= index < count, in the order in which bonds were added. */
scree_joint scree_world_bond_at(const scree_world *world, int64_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
