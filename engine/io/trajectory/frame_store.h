/* A frame that owns its arrays. The codec stores the last frame in an sc_frame_store, the writer its queue, a
 * reader the frame that it returns. */
#ifndef SC_FRAME_STORE_H
#define SC_FRAME_STORE_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/trajectory.h"

typedef struct sc_frame_store {
  /* the frame; its pointers refer to the arrays below, and are NULL for fields that the frame does not
   * have */
  scree_frame frame;
  size_t bodies_capacity, shapes_capacity, contacts_capacity;
  uint64_t *id;
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin;
  double *inertia; /* [bodies x 6]; NULL: no frame had inertias so far */
  size_t inertia_capacity;
  double *value;        /* [bodies x columns] values of the columns */
  scree_column *column; /* [SCREE_COLUMNS_MOST] names and units of the columns; NULL: no columns so far */
  size_t values_capacity;
  scree_shape_info *shape;
  scree_frame_contact *contact;
} sc_frame_store;

/* Frees all arrays and zeroes the store. */
void sc_frame_store_free(sc_frame_store *store);
/* Resizes the arrays, and sets the numbers and pointers of the frame. fields: SCREE_FIELD_... that the frame
 * has. Values are undefined. Returns false if out of memory. */
bool sc_frame_store_shape(
    sc_frame_store *store, int64_t bodies, int64_t shapes, int64_t contacts, int fields);
/* Sets the script columns of the frame and resizes the array of their values. Values are undefined. Returns
 * false if out of memory. A later sc_frame_store_shape removes all columns. */
bool sc_frame_store_columns(sc_frame_store *store, const scree_column *column, int32_t columns);
/* Adds the array of inertias to the frame. Its values are those of the last such call if the number of bodies
 * has not grown, else undefined. Returns false if out of memory. A later sc_frame_store_shape removes the
 * array. */
bool sc_frame_store_inertia(sc_frame_store *store);
/* Copies a frame with those of its fields that `fields` (SCREE_FIELD_...) names. Returns false if out of
 * memory. */
bool sc_frame_store_copy(sc_frame_store *store, const scree_frame *frame, int fields);
/* Copies the values of a body from row `row` of a frame to row `to` of the store, but not its shapes. The
 * inertia is 0 if only the store has inertias. Frame and store must have equally many script columns. */
void sc_frame_store_copy_body(sc_frame_store *store, int64_t to, const scree_frame *frame, int64_t row);
/* Copies the data of the whole frame: time, step, dt, cell, and whether contacts have forces and images. */
void sc_frame_store_copy_head(sc_frame_store *store, const scree_frame *frame);
/* Sets the value of a body in the static column `id` (SC_COLUMN_GROUP to _INERTIA_LAST) from its word. */
void sc_frame_store_set_static(sc_frame_store *store, int id, int64_t row, uint64_t word);
/* Copies the static column `id` (SC_COLUMN_GROUP to SC_COLUMN_MASS) of a frame with the same bodies. */
void sc_frame_store_copy_static(sc_frame_store *store, const scree_frame *from, int id);
/* Retains every geometry of the store's shapes if `hold`, else releases them. Frames that wait in a queue
 * retain them, because the world may release its own reference before the frame is packed. */
void sc_frame_store_hold(sc_frame_store *store, bool hold);
/* Returns the bits SCREE_FIELD_... of the fields that a frame has. */
int sc_frame_fields(const scree_frame *frame);
/* Checks the conditions on which all users of frames rely: numbers and arrays match, ids ascend, shapes are
 * in the order of bodies. Fails with SCREE_E_ARGUMENT. */
scree_status sc_frame_check(const scree_frame *frame, scree_error *error);
/* Returns whether two shapes are equal in every bit. Does not compare body and geometry. */
bool sc_shape_same(const scree_shape_info *a, const scree_shape_info *b);

#endif
