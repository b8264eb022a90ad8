/* Shapes: rows of geometry attached to bodies, and geometry shared by hulls and meshes. */
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
  uint32_t serial; /* number of the shape within its body; part of the contact key */
  uint32_t pad;    /* 0 */
  /* radius of a sphere, capsule, cylinder or cone; half: half the length */
  double radius, half;
  double extent[3];                   /* box: half edges; ellipsoid: semi-axes */
  double position[3], orientation[4]; /* in the body's frame, about the centre of mass */
  /* bounding radius about position; INFINITY for a half-space. A half-space's outward normal is local
   * z */
  double bound;
  const scree_geometry *geometry;
  /* bit masks; two shapes touch unless a layer of one is avoided by the other */
  uint32_t layers, avoids;
  double own[SCREE_SHAPE_OWN]; /* numbers that only one kind of shape has */
} sc_shape;

/* Returns whether the layers of two shapes allow contacts. */
static inline bool sc_shape_meets(const sc_shape *a, const sc_shape *b) {
  return !(a->layers & b->avoids) && !(b->layers & a->avoids);
}

/* Row of a shape. The row alone describes a ball: a sphere about the centre of mass, without rotation, that
 * is the first shape of its body, lies in the first layer and avoids no layer. Each other shape also has a
 * seat, which points to a form; equal shapes share a form. */
typedef struct sc_shape_row {
  int32_t body; /* row of its body */
  int32_t next; /* row of the next shape of the same body, -1: last */
  int32_t material;
  int32_t seat; /* index into sc_shapes.seat, -1: a ball */
  double bound; /* bounding radius; the radius of a ball */
} sc_shape_row;

typedef struct sc_shapes {
  int32_t count;
  size_t capacity;
  sc_shape_row *row;
  int32_t *seat; /* [seats] row in `form`; of a free seat: next free seat, -1: last */
  int32_t seats, free_seat;
  size_t seat_capacity;
  sc_alike form; /* rows of sc_shape; each row owns one reference to its geometry */
} sc_shapes;

/* Frees all tables, releases the geometries and zeroes the struct. */
void sc_shapes_free(sc_shapes *shapes);
/* Reserves memory for `more` further rows and `forms` further forms. Returns false if out of memory. */
bool sc_shapes_reserve(sc_shapes *shapes, int32_t more, int32_t forms);
/* Sets out to the complete shape, with or without a form. */
void sc_shapes_get(const sc_shapes *shapes, int32_t row, sc_shape *out);
/* Returns the form of a shape; NULL for a ball. */
static inline const sc_shape *sc_shapes_form(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = (const sc_shape *)(const void *)shapes->form.row;
  int32_t seat = shapes->row[row].seat;
  return seat < 0 ? NULL : form + shapes->seat[seat];
}
/* Returns the scree_shape_type of a shape. */
static inline int sc_shapes_type(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->type : SCREE_SPHERE;
}
/* Returns the geometry of a shape, NULL without one. */
static inline const scree_geometry *sc_shapes_geometry(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->geometry : NULL;
}
/* Returns the number of a shape within its body. */
static inline uint32_t sc_shapes_serial(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->serial : 0;
}
/* Returns whether there is a shape of a type other than SCREE_SPHERE. */
bool sc_shapes_any(const sc_shapes *shapes, int type);
/* Returns whether all shapes are spheres and half-spaces. */
bool sc_shapes_plain(const sc_shapes *shapes);
/* Returns whether all shapes are spheres, capsules and half-spaces. */
bool sc_shapes_closed(const sc_shapes *shapes);
/* Returns the number of shapes of a body. */
int32_t sc_shapes_of(const sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Appends a shape as a new row, which is not linked to its body yet; memory must be reserved. Returns the
 * row. */
int32_t sc_shapes_append(sc_shapes *shapes, int32_t body, const sc_shape *shape);
/* Appends a shape and links it to the end of its body's list; memory must be reserved. */
void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, int32_t body, const sc_shape *shape);
/* Removes a row; the last row moves into its place. Seats and forms do not move. Returns the former row of
 * the last shape. */
int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row);
/* Sets the body of the shapes of row `body`. Call it after a body has moved into this row. */
void sc_shapes_body_moved(sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Returns the scratch bytes that sc_shapes_permute needs. */
size_t sc_shapes_scratch(const sc_shapes *shapes);
/* Permutes shapes, seats and forms into the order of the bodies' rows, after sc_bodies_permute. map[new row]
 * = old row; scratch: sc_shapes_scratch bytes. */
void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, void *scratch);
/* Returns the heap bytes of the tables. */
size_t sc_shapes_bytes(const sc_shapes *shapes);

/* A shape at its world pose: the input of the narrow phase. */
typedef struct sc_placed {
  const sc_shape *shape; /* its form in the table; valid until shapes are added, removed or permuted */
  double position[3];    /* world */
  double R[9];           /* shape frame to world */
  int32_t row;           /* row in sc_shapes */
} sc_placed;

#endif
