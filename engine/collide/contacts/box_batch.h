/* Box batches: several pairs of boxes of the list are tested side by side before the scan of contacts.c
 * reaches them. */
#ifndef SC_BOX_BATCH_H
#define SC_BOX_BATCH_H

#include "collide/narrow/box/box_lanes.h"
#include "collide/state.h"

enum {
  SC_BATCH_MAX = 64,        /* largest number of pairs of a batch */
  SC_BATCH_NOT_TESTED = -1, /* the batch did not test the pair */
  SC_BATCH_APART = -2       /* the pair is out of reach */
};

/* Results for the pairs first..end - 1 of the list. */
typedef struct sc_box_batch {
  int32_t first, end;
  /* [pair - first] lane of the pair in `boxes`, SC_BATCH_NOT_TESTED or SC_BATCH_APART */
  int8_t lane[SC_BATCH_MAX];
  sc_box_lanes boxes;
} sc_box_batch;

/* Tests the pairs of boxes from row `first` of the list on, until all lanes are in use or `end` is reached.
 * The pair cache must exist. rest: the bodies if pairs at rest are skipped, else NULL. */
void sc_box_batch_fill(
    const sc_collide *collide, const sc_bodies *rest, int32_t first, int32_t end, sc_box_batch *batch);

/* Returns the lane of a pair of the batch, SC_BATCH_NOT_TESTED or SC_BATCH_APART. batch: NULL: no pair is
 * tested. */
static inline int sc_box_batch_lane(const sc_box_batch *batch, int32_t pair) {
  return batch ? batch->lane[pair - batch->first] : SC_BATCH_NOT_TESTED;
}

#endif
