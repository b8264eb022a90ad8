/* Shapes: rows of geometry attached to bodies; and geometry shared by hulls and meshes. */
#ifndef SC_SHAPES_H
#define SC_SHAPES_H

#include "base/alike.h"
#include "base/base.h"
#include "model/bodies.h"
#include "scree/world.h"

/* Geometry and pose of one shape on its body. Plain data without gaps. */
typedef struct sc_shape {
  int32_t type; /* scree_shape_type */
  int32_t material;
  uint32_t serial;                    /* number of the shape within its body: part of the contact key */
  uint32_t pad;                       /* 0 */
  double radius, half;                /* sphere, capsule, cylinder, cone; half: half the length */
  double extent[3];                   /* box: half edges; ellipsoid: semi-axes */
  double position[3], orientation[4]; /* in the body's frame, about the centre of mass */
  /* bounding radius about position; INFINITY for a half-space. A half-space's outward normal is local
   * z */
  double bound;
  const scree_geometry *geometry;
  uint32_t layers, avoids;     /* bits; another shape's layers and avoids decide with these who touches */
  double own[SCREE_SHAPE_OWN]; /* what only one kind has */
} sc_shape;

/* Whether two shapes touch by their layers. */
static inline bool sc_shape_meets(const sc_shape *a, const sc_shape *b) {
  return !(a->layers & b->avoids) && !(b->layers & a->avoids);
}

/* What the table holds of every shape. It says all there is to say of a ball: the first shape of its body, a
 * sphere about the centre of mass in the body's own axes, in the first layer, that avoids none. All other
 * shapes have a seat each, which leads to their form; those that are alike share one. */
typedef struct sc_shape_row {
  int32_t body; /* row of its body */
  int32_t next; /* next shape of the same body, -1 ends */
  int32_t material;
  int32_t seat; /* a number of its own, -1: a ball */
  double bound; /* bounding radius; of a ball its radius */
} sc_shape_row;

typedef struct sc_shapes {
  int32_t count;
  size_t capacity;
  sc_shape_row *row;
  int32_t *seat; /* number of the form; of a free one the next that is free, -1 ends */
  int32_t seats, free_seat;
  size_t seat_capacity;
  sc_alike form; /* sc_shape, holding shares of their geometries */
} sc_shapes;

void sc_shapes_free(sc_shapes *shapes);
/* Room for `more` further rows, so many of them with forms; false without memory. */
bool sc_shapes_reserve(sc_shapes *shapes, int32_t more, int32_t forms);
/* The whole of a shape, whether it has a form or not. */
void sc_shapes_get(const sc_shapes *shapes, int32_t row, sc_shape *out);
/* NULL: the shape is a ball. */
static inline const sc_shape *sc_shapes_form(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = (const sc_shape *)(const void *)shapes->form.row;
  int32_t seat = shapes->row[row].seat;
  return seat < 0 ? NULL : form + shapes->seat[seat];
}
static inline int sc_shapes_type(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->type : SCREE_SPHERE;
}
static inline const scree_geometry *sc_shapes_geometry(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->geometry : NULL;
}
static inline uint32_t sc_shapes_serial(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->serial : 0;
}
/* Whether there is a shape of a type, other than a sphere. */
bool sc_shapes_any(const sc_shapes *shapes, int type);
/* Whether all are spheres and half-spaces; and whether all are these and capsules. */
bool sc_shapes_plain(const sc_shapes *shapes);
bool sc_shapes_closed(const sc_shapes *shapes);
/* The number of shapes of a body. */
int32_t sc_shapes_of(const sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Puts a shape into a new row (room must be there) that no list holds yet. */
int32_t sc_shapes_append(sc_shapes *shapes, int32_t body, const sc_shape *shape);
/* The same at the end of its body's list. */
void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, int32_t body, const sc_shape *shape);
/* Takes a row out; the last row moves into its place, seats and forms stay where they are. Returns the former
 * row of that last shape. */
int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row);
/* To be called when the body now in row `body` came from another row: mends the back references of its
 * shapes. */
void sc_shapes_body_moved(sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Puts shapes, their seats and forms into the order of the bodies' rows after sc_bodies_permute. map[new row]
 * = old row; scratch: of that many bytes. */
size_t sc_shapes_scratch(const sc_shapes *shapes);
void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, void *scratch);
/* Heap bytes held. */
size_t sc_shapes_bytes(const sc_shapes *shapes);

/* A shape put into the world: what the narrow phase works on. */
typedef struct sc_placed {
  const sc_shape *shape; /* in the table: its form, until shapes are added, removed or put in order */
  double position[3];    /* world */
  double R[9];           /* shape frame to world */
  int32_t row;           /* in the table of shapes */
} sc_placed;

#endif
