/* Bonds as rows of plain data, in the order they were made. */
#ifndef SC_BONDS_H
#define SC_BONDS_H

#include "base/base.h"
#include "model/bodies.h"
#include "scree/bond.h"

typedef struct sc_bond {
  uint64_t id;
  scree_id a, b;
  double anchor1[3], anchor2[3]; /* its point from either centre, in the bodies' frames */
  double share;                  /* of the distance of the centres from a to its point */
  double relative[4];            /* orientation of b in a's frame when made */
  double force[3], torque[3];    /* on a, at its point, last step */
  double radius;                 /* B */
  scree_bond_ways stiffness;     /* [N/m, N m/rad] */
  int32_t glue;                  /* row of the glues */
  int32_t yields;                /* 1 + row in sc_joints.yield; 0: the bond does not break in this step */
} sc_bond;

typedef struct sc_bonds {
  sc_bond *row; /* ids ascend */
  int32_t count;
  size_t capacity;
  scree_glue *glue;
  int32_t glues;
  size_t glue_capacity;
} sc_bonds;

/* Where a bond stands: rows of its bodies, its axis from a to b, distances of its point from either centre
 * along it, which add up to that of the centres, and how far it is strained: a's point against b's [m], a's
 * turn against b's [rad], world axes. */
typedef struct sc_bond_pose {
  int32_t row1, row2;
  double axis[3], arm1, arm2, stretch[3], turned[3];
} sc_bond_pose;

void sc_bonds_free(sc_bonds *bonds);
/* Row of a glue, found or added; -1 without memory. */
int32_t sc_bonds_glue(sc_bonds *bonds, const scree_glue *glue);
/* Its share, from its anchors. */
double sc_bond_share(const sc_bond *bond);
/* A bond between two bodies as they stand, whose centres differ; room for it has been made. */
sc_bond sc_bond_make(const sc_bodies *bodies, int32_t row1, int32_t row2, const scree_glue *glue);
int32_t sc_bonds_find(const sc_bonds *bonds, uint64_t id);
static inline const scree_glue *sc_bond_glue(const sc_bonds *bonds, const sc_bond *bond) {
  return bonds->glue + bond->glue;
}
/* False if a body is gone or the centres coincide; and of bodies whose rows are known. */
bool sc_bond_place(const sc_bodies *bodies, const sc_bond *bond, sc_bond_pose *pose);
bool sc_bond_place_rows(
    const sc_bodies *bodies, const sc_bond *bond, int32_t a, int32_t b, sc_bond_pose *pose);
/* What that is going to read. */
SC_FETCH sc_bond_fetch(const sc_bodies *bodies, const int32_t row[2]) {
  for (int k = 0; k < 2; k++) {
    if (row[k] < 0) continue;
    __builtin_prefetch(bodies->position + row[k]);
    __builtin_prefetch(bodies->orientation + row[k]);
  }
}
/* Energy in it [J]. */
double sc_bond_elastic(const sc_bond *bond, const sc_bond_pose *pose);
/* Whether any stress breaks it. */
bool sc_glue_breaks(const scree_glue *glue);
/* Returns the cause by which a force and torque on body a break a bond: the bound with the largest ratio of
 * load to strength. Sets *share to this ratio. Returns -1 if the bond does not break. axis: from a to b. */
int sc_bond_cause(const sc_bond *bond, const scree_glue *glue, const double axis[3], const double force[3],
    const double torque[3], double *share);

#endif
