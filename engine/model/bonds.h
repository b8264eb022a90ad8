/* Table of bonds: beams that connect two bodies. Rows are plain data, in the order in which bonds were
 * added. */
#ifndef SC_BONDS_H
#define SC_BONDS_H

#include "base/base.h"
#include "model/bodies.h"
#include "scree/bond.h"

typedef struct sc_bond {
  uint64_t id;
  scree_id a, b;
  /* vector from each body's centre to the bond's point, in the body's frame [m] */
  double anchor1[3], anchor2[3];
  /* distance of the bond's point from a's centre, divided by the distance of both centres */
  double share;
  double relative[4];         /* orientation of b in a's frame when the bond was created */
  double force[3], torque[3]; /* force [N] and torque [N m] on a at the bond's point in the last step */
  double radius;              /* radius of the beam [m] */
  scree_bond_ways stiffness;  /* stiffnesses of the beam [N/m], [N m/rad] */
  int32_t glue;               /* index of the bond's material parameters in sc_bonds.glue */
  int32_t yields;             /* 1 + index in sc_joints.yield; 0: the bond does not break in this step */
} sc_bond;

typedef struct sc_bonds {
  sc_bond *row; /* [count] bonds in ascending order of ids */
  int32_t count;
  size_t capacity;
  scree_glue *glue;
  int32_t glues;
  size_t glue_capacity;
} sc_bonds;

/* Pose of a bond. row1, row2: rows of its bodies. axis: unit vector from a to b. arm1, arm2: distances of the
 * bond's point from each centre along the axis; their sum is the distance of the centres. stretch:
 * displacement of a's point relative to b's point [m]. turned: rotation of a relative to b [rad]. Vectors are
 * in world axes. */
typedef struct sc_bond_pose {
  int32_t row1, row2;
  double axis[3], arm1, arm2, stretch[3], turned[3];
} sc_bond_pose;

/* Frees all tables and zeroes the struct. */
void sc_bonds_free(sc_bonds *bonds);
/* Returns the index of a glue (parameters that bonds share) in bonds->glue. Adds the glue if bonds->glue does
 * not contain an equal one. Returns -1 if out of memory. */
int32_t sc_bonds_glue(sc_bonds *bonds, const scree_glue *glue);
/* Returns the value that sc_bond.share must have for the anchors of a bond. */
double sc_bond_share(const sc_bond *bond);
/* Returns a bond between two bodies at their present poses, without an id. The centres of the bodies must
 * differ. */
sc_bond sc_bond_make(const sc_bodies *bodies, int32_t row1, int32_t row2, const scree_glue *glue);
/* Returns the row of the bond with an id, or -1 if there is none. */
int32_t sc_bonds_find(const sc_bonds *bonds, uint64_t id);
/* Returns the glue of a bond. */
static inline const scree_glue *sc_bond_glue(const sc_bonds *bonds, const sc_bond *bond) {
  return bonds->glue + bond->glue;
}
/* Computes the pose of a bond. Returns false if a body no longer exists or if the centres coincide. */
bool sc_bond_place(const sc_bodies *bodies, const sc_bond *bond, sc_bond_pose *pose);
/* Computes the pose of a bond like sc_bond_place. a, b: rows of its bodies. */
bool sc_bond_place_rows(
    const sc_bodies *bodies, const sc_bond *bond, int32_t a, int32_t b, sc_bond_pose *pose);
/* Prefetches the members of two bodies that sc_bond_place_rows reads. row: rows of the bodies; a negative row
 * is skipped. */
SC_FETCH sc_bond_fetch(const sc_bodies *bodies, const int32_t row[2]) {
  for (int k = 0; k < 2; k++) {
    if (row[k] < 0) continue;
    __builtin_prefetch(bodies->position + row[k]);
    __builtin_prefetch(bodies->orientation + row[k]);
  }
}
/* Returns the elastic energy of a bond [J]. */
double sc_bond_elastic(const sc_bond *bond, const sc_bond_pose *pose);
/* Returns true if a bond with this glue can break. */
bool sc_glue_breaks(const scree_glue *glue);
/* Returns the cause (SCREE_BREAK_) by which a force and a torque on body a break a bond: the stress with the
 * largest ratio of stress to strength. Sets *share to this ratio. Returns -1 if no stress exceeds its
 * strength. axis: unit vector from a to b. */
int sc_bond_cause(const sc_bond *bond, const scree_glue *glue, const double axis[3], const double force[3],
    const double torque[3], double *share);

#endif
