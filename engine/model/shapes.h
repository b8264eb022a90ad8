/* Shapes: rows of geometry attached to bodies; and geometry shared by hulls and meshes. */
#ifndef SC_SHAPES_H
#define SC_SHAPES_H

#include "base/base.h"
#include "model/bodies.h"
#include "scree/world.h"

/* One shape on one body. Plain data. */
typedef struct sc_shape {
  int32_t body;            /* row of its body */
  int32_t next;            /* next shape of the same body, -1 ends */
  int32_t type;            /* scree_shape_type */
  int32_t material;
  uint32_t serial;         /* number of the shape within its body: part of the contact key */
  double radius, half;     /* sphere, capsule, cylinder, cone; half: half the length */
  double extent[3];        /* box: half edges; ellipsoid: semi-axes */
  double position[3], orientation[4]; /* in the body's frame, about the centre of mass */
  double bound;            /* bounding radius about position; INFINITY for a half-space. A half-space's outward normal is local z */
  const scree_geometry *geometry;
} sc_shape;

typedef struct sc_shapes { int32_t count; size_t capacity; sc_shape *row; } sc_shapes;

void sc_shapes_free(sc_shapes *shapes);
/* Room for `more` further rows; false without memory. */
bool sc_shapes_reserve(sc_shapes *shapes, int32_t more);
/* Appends a row (room must be there; holds a share of its geometry) to the end of its body's list. */
void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, const sc_shape *shape);
/* Takes a row out; the last row moves into its place. Returns the former row of that last shape. */
int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row);
/* To be called when the body now in row `body` came from another row: mends the back references of its shapes. */
void sc_shapes_body_moved(sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Puts shapes into the order of the bodies' rows after sc_bodies_permute. map[new row] = old row; scratch holds count rows. */
void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, sc_shape *scratch);

/* A shape put into the world: what the narrow phase works on. */
typedef struct sc_placed {
  const sc_shape *shape;
  double position[3];      /* world */
  double R[9];             /* shape frame to world */
} sc_placed;

#endif
