/* Table of the shapes of all bodies. Each shape has a short row. A form is the complete data of a shape;
 * shapes with equal data share one form. A slot is an entry that stores the index of a form. A row refers to
 * its form by the index of a slot. */
#ifndef SC_SHAPES_H
#define SC_SHAPES_H

#include "base/alike.h"
#include "base/base.h"
#include "model/bodies.h"
#include "scree/world.h"

/* Complete data of one shape on its body. Plain data without padding. */
typedef struct sc_shape {
  int32_t type; /* scree_shape_type */
  int32_t material;
  uint32_t serial; /* index of the shape within its body; part of the key of the contact cache */
  uint32_t pad;    /* always 0, so that equal shapes have equal bytes */
  /* radius: of a sphere, capsule, cylinder or cone [m]. half: half the length of a capsule, cylinder or cone
   * [m]. */
  double radius, half;
  double extent[3];                   /* box: half edges; ellipsoid: semi-axes [m] */
  double position[3], orientation[4]; /* pose in the body's frame, whose origin is the centre of mass */
  /* bounding radius about `position` [m]; INFINITY for a half-space, whose outward normal is its local z
   * axis */
  double bound;
  const scree_geometry *geometry;
  /* layers: bits of the layers to which the shape belongs; avoids: bits of the layers that the shape avoids.
   * Two shapes can touch if neither avoids a layer of the other. */
  uint32_t layers, avoids;
  /* parameters that only one kind of shape has and that are not lengths, for example exponents */
  double own[SCREE_SHAPE_OWN];
} sc_shape;

/* Returns true if the layers of two shapes allow contacts. */
static inline bool sc_shape_meets(const sc_shape *a, const sc_shape *b) {
  return !(a->layers & b->avoids) && !(b->layers & a->avoids);
}

/* Row of a shape. No other data are needed for a ball: a sphere about the centre of mass without rotation,
 * which is the first shape of its body, is in the first layer and avoids no layer. Any other shape also has a
 * slot, which stores the index of its form. */
typedef struct sc_shape_row {
  int32_t body; /* row of its body in sc_bodies */
  int32_t next; /* row of the next shape of the same body; -1: last shape */
  int32_t material;
  int32_t slot; /* index of the shape's slot in sc_shapes.slot; -1: the shape is a ball */
  double bound; /* bounding radius [m]; for a ball its radius */
} sc_shape_row;

typedef struct sc_shapes {
  int32_t count;
  size_t capacity;
  sc_shape_row *row;
  /* [slots] row of the shape's form in `form`; for a free slot: the next free slot, -1: none */
  int32_t *slot;
  int32_t slots, free_slot;
  size_t slot_capacity;
  sc_alike form; /* table of sc_shape; each of its rows owns one reference to its geometry */
} sc_shapes;

/* Frees all tables, releases the geometries and sets the struct to 0. */
void sc_shapes_free(sc_shapes *shapes);
/* Reserves memory for `more` further rows and `forms` further forms. Returns false if out of memory. */
bool sc_shapes_reserve(sc_shapes *shapes, int32_t more, int32_t forms);
/* Sets *out to the complete shape in a row. */
void sc_shapes_get(const sc_shapes *shapes, int32_t row, sc_shape *out);
/* Returns the form of the shape in a row; NULL for a ball. */
static inline const sc_shape *sc_shapes_form(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = (const sc_shape *)(const void *)shapes->form.row;
  int32_t slot = shapes->row[row].slot;
  return slot < 0 ? NULL : form + shapes->slot[slot];
}
/* Returns the scree_shape_type of the shape in a row. */
static inline int sc_shapes_type(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->type : SCREE_SPHERE;
}
/* Returns the geometry of the shape in a row; NULL: it has none. */
static inline const scree_geometry *sc_shapes_geometry(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->geometry : NULL;
}
/* Returns the index of a shape within its body. */
static inline uint32_t sc_shapes_serial(const sc_shapes *shapes, int32_t row) {
  const sc_shape *form = sc_shapes_form(shapes, row);
  return form ? form->serial : 0;
}
/* Returns true if all shapes are spheres and half-spaces. */
bool sc_shapes_plain(const sc_shapes *shapes);
/* Returns true if all shapes are spheres, capsules and half-spaces. */
bool sc_shapes_closed(const sc_shapes *shapes);
/* Returns the number of shapes of a body. */
int32_t sc_shapes_of(const sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Appends a shape as a new row that is not linked to its body. Memory must have been reserved. Returns the
 * row. */
int32_t sc_shapes_append(sc_shapes *shapes, int32_t body, const sc_shape *shape);
/* Appends a shape and links it to the end of its body's list. Memory must have been reserved. */
void sc_shapes_attach(sc_shapes *shapes, sc_bodies *bodies, int32_t body, const sc_shape *shape);
/* Removes a row. The last row moves to the freed row; slots and forms do not move. Returns the former row of
 * the last shape. */
int32_t sc_shapes_detach(sc_shapes *shapes, sc_bodies *bodies, int32_t row);
/* Sets the body of all shapes of the body in row `body` to this row. Call it after a body has moved to this
 * row. */
void sc_shapes_body_moved(sc_shapes *shapes, const sc_bodies *bodies, int32_t body);
/* Returns the scratch bytes that sc_shapes_permute needs. */
size_t sc_shapes_scratch(const sc_shapes *shapes);
/* Permutes shapes, slots and forms into the order of the bodies. Call it after sc_bodies_permute. map: [rows]
 * receives the old row of each new row. scratch: sc_shapes_scratch bytes. */
void sc_shapes_permute(sc_shapes *shapes, sc_bodies *bodies, int32_t *map, void *scratch);
/* Returns the bytes of heap memory of the tables. */
size_t sc_shapes_bytes(const sc_shapes *shapes);

/* A shape at its pose in the world: the input of the narrow phase. */
typedef struct sc_placed {
  const sc_shape *shape; /* form of the shape; valid until shapes are added, removed or permuted */
  double position[3];    /* position of the shape in the world [m] */
  double R[9];           /* rotation matrix from the shape's frame to the world, row-major */
  int32_t row;           /* row in sc_shapes */
} sc_placed;

#endif
