/* The buffer of a frame, and the functions by which ranks fill it. */
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
  size_t bodies, shapes, contacts, bonds; /* capacities of the arrays below, in rows */
  uint64_t *id;
  int32_t *row; /* [captured bodies, sorted by id] row of the body in the world */
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin;
  double *inertia; /* [bodies x 6]; see scree_frame */
  size_t inertia_capacity;
  double *value; /* [bodies][columns of the world] values of columns */
  size_t values; /* capacity of `value`, in numbers */
  scree_shape_info *shape;
  scree_frame_contact *contact, *bond;
};

/* Returns true if a body is captured: if this rank owns it and the buffer's choice contains it. */
bool sc_frame_wants(const scree_frame_buffer *b, const sc_bodies *bodies, int32_t row);
/* Grows the arrays to at least these numbers of bodies, shapes and contacts. Returns false without memory. */
bool sc_frame_reserve(scree_frame_buffer *b, size_t bodies, size_t shapes, size_t contacts);
/* Grows the array of column values to at least this number of bodies. of: bodies of the world. Returns false
 * without memory. */
bool sc_frame_reserve_values(scree_frame_buffer *b, const sc_bodies *of, size_t bodies);
/* Sets inertia to the inertia of a body in the form of frames: zeros for a solid ball and for a body that is
 * not dynamic. */
void sc_frame_body_inertia(const sc_bodies *bodies, int32_t row, double inertia[6]);
/* Sets the inertia of the body at `index` in the frame. count: number of bodies of the frame. Allocates the
 * frame's array of inertias at the first inertia that is not 0. Returns false without memory. */
bool sc_frame_put_inertia(scree_frame_buffer *b, size_t index, size_t count, const double inertia[6]);
/* Copies this rank's contacts to the frame, whose arrays must be large enough. force: [contacts] recorded
 * forces to copy; NULL: none. */
void sc_frame_copy_contacts(scree_frame_buffer *b, const scree_world *world, double (*force)[3]);
/* Copies all captured bodies of this rank and their shapes. Also copies contacts and bonds if with_contacts
 * is true. */
scree_status sc_frame_capture_here(
    scree_frame_buffer *b, const scree_world *world, bool with_contacts, scree_error *error);

#endif
