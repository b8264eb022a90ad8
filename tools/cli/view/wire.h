/* Frames as the page gets them: named columns of plain numbers, little-endian, which a browser reads as
 * typed arrays. docs/view.md has the bytes. */
#ifndef VIEW_WIRE_H
#define VIEW_WIRE_H

#include "scree/geometry.h"
#include "scree/trajectory.h"
#include "view/bytes.h"

/* Hulls and meshes get numbers in the order in which frames show them. */
typedef struct view_shelf {
  struct view_shelf_entry {
    const scree_geometry *geometry; /* a reference is held */
    uint64_t print;                 /* hash of points and triangles */
  } * entry;
  int32_t count, room;
  int failed; /* memory ran out over one of them */
} view_shelf;
void view_shelf_free(view_shelf *shelf);
/* Columns points and triangles. */
void view_wire_geometry(view_bytes *out, const scree_geometry *geometry);

/* What makes a packed frame smaller; all 0: columns in single precision. */
typedef struct view_packing {
  double position, turn, speed, spin; /* quanta [m], [1], [m/s], [rad/s]; 0: single precision */
} view_packing;

typedef struct view_wire {
  view_shelf *shelf;
  int fields;           /* SCREE_FIELD_...; others are left out */
  uint64_t roster;      /* what the receiver has: its columns are left out where they are the same */
  view_packing packing; /* with quanta a frame needs the one before it, unless `fresh` */
  int fresh;
  double origin[3]; /* positions are relative to it [m] */
  /* the quanta of the frame before, column by column */
  struct view_memory {
    int32_t *value;
    size_t count;
    uint64_t roster;
  } memory[4];
} view_wire;
/* Returns 1 if the frame has a shape that is not a ball about the position of its body. */
int view_wire_has_shapes(const scree_frame *frame);
/* Appends a frame. Its roster is left in wire->roster. */
void view_wire_frame(view_wire *wire, const scree_frame *frame, int64_t number, view_bytes *out);
void view_wire_free(view_wire *wire);

#endif
