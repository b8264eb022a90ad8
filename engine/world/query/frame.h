/* Inside of frames: the buffer that holds one, and what the ranks of a world fill it by. */
#ifndef SC_WORLD_FRAME_H
#define SC_WORLD_FRAME_H

#include "base/base.h"
#include "model/bodies.h"
#include "scree/frame.h"
#include "scree/world.h"

struct scree_frame_buffer {
  scree_frame frame;
  scree_frame_choice choice;
  bool has_choice;                        /* false: all bodies are captured */
  size_t bodies, shapes, contacts, bonds; /* capacities */
  uint64_t *id;
  int32_t *row; /* rows in the order of ids */
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin;
  double *value; /* bodies x columns of the world */
  size_t values; /* capacity of value */
  scree_shape_info *shape;
  scree_frame_contact *contact, *bond;
};

/* Returns whether a row is captured: a body of this rank that the buffer's choice has. */
bool sc_frame_wants(const scree_frame_buffer *b, const sc_bodies *bodies, int32_t row);
/* Room for so many rows; false without memory. */
bool sc_frame_reserve(scree_frame_buffer *b, size_t bodies, size_t shapes, size_t contacts);
/* Allocates the values of so many bodies. Returns false without memory. */
bool sc_frame_reserve_values(scree_frame_buffer *b, const sc_bodies *of, size_t bodies);
/* This rank's contacts, with the forces that are given (NULL: none); there must be room. */
void sc_frame_copy_contacts(scree_frame_buffer *b, const scree_world *world, double (*force)[3]);
/* All rows that are this rank's own; a whole world owns all. */
scree_status sc_frame_capture_here(
    scree_frame_buffer *b, const scree_world *world, bool with_contacts, scree_error *error);

#endif
