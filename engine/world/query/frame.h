/* The buffer of a frame, and the functions with which ranks fill it. */
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
  size_t bodies, shapes, contacts, bonds; /* capacities of the arrays, in rows */
  uint64_t *id;
  int32_t *row; /* row of each captured body, in the order of ids */
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin;
  double *inertia; /* [bodies x 6]; see scree_frame */
  size_t inertia_capacity;
  double *value; /* [bodies][columns of the world] values of the columns */
  size_t values; /* capacity of value */
  scree_shape_info *shape;
  scree_frame_contact *contact, *bond;
};

/* Returns true if a body is captured: if this rank owns it and the buffer's choice contains it. */
bool sc_frame_wants(const scree_frame_buffer *b, const sc_bodies *bodies, int32_t row);
/* Grows the arrays to at least these numbers of rows. Returns false without memory. */
bool sc_frame_reserve(scree_frame_buffer *b, size_t bodies, size_t shapes, size_t contacts);
/* Grows the array of values to at least this number of bodies. Returns false without memory. */
bool sc_frame_reserve_values(scree_frame_buffer *b, const sc_bodies *of, size_t bodies);
/* Sets inertia to a body's inertia as frames have it: zeros for a solid ball and a body that is not
 * dynamic. */
void sc_frame_body_inertia(const sc_bodies *bodies, int32_t row, double inertia[6]);
/* Sets the inertia of body `index` of the frame, of `count` bodies. The frame gets an array of inertias with
 * the first one that is not 0. Returns false without memory. */
bool sc_frame_put_inertia(scree_frame_buffer *b, size_t index, size_t count, const double inertia[6]);
/* Copies this rank's contacts. force: [contacts] forces to copy; NULL: none. The arrays must be large
 * enough. */
void sc_frame_copy_contacts(scree_frame_buffer *b, const scree_world *world, double (*force)[3]);
/* Copies all captured bodies that this rank owns, their shapes and, if with_contacts, contacts and bonds. */
scree_status sc_frame_capture_here(
    scree_frame_buffer *b, const scree_world *world, bool with_contacts, scree_error *error);

#endif
