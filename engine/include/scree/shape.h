/* Types of shapes. A new type is a file in engine/model/shape and a row in the list below. The row defines
 * its name and the keys of its constructor. */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/param.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Files store the index of a type, so new rows must be added at the end. */
// clang-format off
#define SCREE_SHAPE_LIST(row) \
  row(SPHERE, sphere)         \
  row(CAPSULE, capsule)       \
  row(HALFSPACE, halfspace)   \
  row(BOX, box)               \
  row(CYLINDER, cylinder)     \
  row(CONE, cone)             \
  row(ELLIPSOID, ellipsoid)   \
  row(HULL, hull)             \
  row(MESH, mesh)             \
  row(SUPERELLIPSOID, superellipsoid)
// clang-format on

/* SCREE_SPHERE = 0, SCREE_CAPSULE, ... */
typedef enum scree_shape_type {
#define SCREE_SHAPE_ENUM(upper, name) SCREE_##upper,
  SCREE_SHAPE_LIST(SCREE_SHAPE_ENUM)
#undef SCREE_SHAPE_ENUM
      SCREE_SHAPE_TYPES
} scree_shape_type;

/* Largest number of parameters that a type of shape has in addition to lengths. They are not lengths, so
 * scaling a shape does not change them. */
enum { SCREE_SHAPE_OWN = 2 };
enum {
  SCREE_SHAPE_CONVEX = 1,
  SCREE_SHAPE_SOLID = 2,   /* the shape has a mass, so dynamic bodies may have it */
  SCREE_SHAPE_GEOMETRY = 4 /* the shape needs a scree_geometry of its type */
};

typedef struct scree_shape_kind {
  const char *name;
  /* parameter table of the keys that only this type has; members of scree_shape_def */
  const scree_param *params;
  int params_count;
  int flags; /* properties of the type: SCREE_SHAPE_... bits */
} scree_shape_kind;

/* Returns the description of a scree_shape_type; NULL for an unknown type. */
const scree_shape_kind *scree_shape_kind_at(int type);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
