/* A frame that owns its arrays: what the codec remembers, what the writer's queue holds, what a reader
 * gives back. */
#ifndef SC_FRAME_STORE_H
#define SC_FRAME_STORE_H

#include <stdbool.h>
#include "base/base.h"
#include "scree/trajectory.h"

typedef struct sc_frame_store {
  scree_frame frame; /* its pointers lead into the arrays below; fields not kept are NULL */
  size_t bodies_capacity, shapes_capacity, contacts_capacity;
  uint64_t *id;
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin;
  double *value;        /* bodies x columns */
  scree_column *column; /* [SCREE_COLUMNS_MOST], or NULL */
  size_t values_capacity;
  scree_shape_info *shape;
  scree_frame_contact *contact;
} sc_frame_store;

void sc_frame_store_free(sc_frame_store *store);
/* Makes room and sets counts and pointers of the frame; contents are undefined. False without memory. */
bool sc_frame_store_shape(
    sc_frame_store *store, int64_t bodies, int64_t shapes, int64_t contacts, int fields);
/* Sets the columns of the frame and makes room for their values, whose contents are undefined. Returns false
 * without memory. sc_frame_store_shape removes all columns. */
bool sc_frame_store_columns(sc_frame_store *store, const scree_column *column, int32_t columns);
/* Copies a frame, those of its fields that are wanted. False without memory. */
bool sc_frame_store_copy(sc_frame_store *store, const scree_frame *frame, int fields);
/* Sets one value of a static column (SC_COLUMN_GROUP, _KIND, _RADIUS or _MASS) from its word. */
void sc_frame_store_set_static(sc_frame_store *store, int id, int64_t row, uint64_t word);
/* Copies a static column of a frame with the same bodies. */
void sc_frame_store_copy_static(sc_frame_store *store, const scree_frame *from, int id);
/* Takes a share of every geometry of the store's shapes, or gives it back: a world may drop its own
 * before the frame is packed. */
void sc_frame_store_hold(sc_frame_store *store, bool hold);
/* SCREE_FIELD_... that a frame holds. */
int sc_frame_fields(const scree_frame *frame);
/* Ids and shapes in ascending order, counts sound: what every consumer of frames relies on. */
scree_status sc_frame_check(const scree_frame *frame, scree_error *error);
/* True if two shapes are the same in every bit, body and geometry left out. */
bool sc_shape_same(const scree_shape_info *a, const scree_shape_info *b);

#endif
