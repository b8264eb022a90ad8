/* Frames as they are sent to the page: named columns of little-endian numbers, which a browser reads as
 * typed arrays. docs/view.md describes the bytes. */
#ifndef VIEW_WIRE_H
#define VIEW_WIRE_H

#include "scree/geometry.h"
#include "scree/trajectory.h"
#include "view/bytes.h"

/* The hulls and meshes of the frames sent so far, numbered in the order in which they appeared. */
typedef struct view_shelf {
  struct view_shelf_entry {
    const scree_geometry *geometry; /* geometry, retained by the shelf */
    uint64_t print;                 /* hash of points and triangles */
  } * entry;
  int32_t count, room;
  int failed; /* 1: memory ran out while a geometry was added */
} view_shelf;
/* Releases all geometries. */
void view_shelf_free(view_shelf *shelf);
/* Appends a geometry as the columns points and triangles. */
void view_wire_geometry(view_bytes *out, const scree_geometry *geometry);

/* Quanta of a packed frame; all 0: columns in single precision. */
typedef struct view_packing {
  /* quanta of position [m], quaternion components [1], velocity [m/s] and spin [rad/s]; 0: single
   * precision */
  double position, turn, speed, spin;
} view_packing;

/* State of a sequence of frames. */
typedef struct view_wire {
  view_shelf *shelf;
  int fields;           /* SCREE_FIELD_...; others are left out */
  uint64_t roster;      /* roster that the receiver has; its columns are left out if it is unchanged */
  view_packing packing; /* quanta of a frame; with quanta, a frame needs the frame before, unless `fresh` */
  int fresh;            /* 1: the next frame must not depend on the frame before */
  double origin[3];     /* positions are relative to it [m] */
  /* quantised values of the previous frame, for each column */
  struct view_memory {
    int32_t *value;
    size_t count;
    uint64_t roster;
  } memory[4];
} view_wire;
/* Returns 1 if the frame has a shape that is not a ball about the position of its body. */
int view_wire_has_shapes(const scree_frame *frame);
/* Appends a frame. Sets wire->roster to its roster. */
void view_wire_frame(view_wire *wire, const scree_frame *frame, int64_t number, view_bytes *out);
/* Frees the quantised values (wire->memory) of the previous frame. */
void view_wire_free(view_wire *wire);

#endif
