/* Layout of saved contacts, which save.c and save_piece.c share. */
#ifndef SC_COLLIDE_SAVE_H
#define SC_COLLIDE_SAVE_H

#include "collide/state.h"

typedef struct sc_list_header {
  uint64_t magic;
  int64_t rebuilds;
  uint64_t reserved[5];                 /* read by nobody; older versions kept figures of a tuned skin here */
  int32_t age, lived, straight, drifts; /* drifts: 0 also where none were known when it was written */
  int32_t dirty, removals, known, listed, pairs, contacts, stride, contact_bytes;
} sc_list_header;

#define SC_LIST_MAGIC UINT64_C(0x336564696c6c6f63)
#define SC_LIST_MAGIC_CELL UINT64_C(0x346564696c6c6f63) /* of a world with a cell: with images of pairs */

/* Anchor of a shape with what `turned` holds of it; zeros for a ball. */
typedef struct sc_saved_anchor {
  double position[3], orientation[4], lever, slack;
} sc_saved_anchor;

/* Where there are drifts: what is known of them, then each, then the drift of each anchor. */
typedef struct sc_saved_drift {
  double span, half, elapsed, stepped, difference, typical, mended;
} sc_saved_drift;

/* Where there are images: the cell as the list was built, and the strain that it is good for; then the
 * images. */
typedef struct sc_saved_strain {
  double matrix[9], origin[3], strain;
} sc_saved_strain;

enum {
  SC_LIST_PAIRS,
  SC_LIST_ANCHORS,
  SC_LIST_ALIAS,
  SC_LIST_ORIGIN,
  SC_LIST_RANKS,
  SC_LIST_CONTACTS,
  SC_LIST_TOUCHES,
  SC_LIST_STATES,
  SC_LIST_DRIFTS,
  SC_LIST_IMAGES,
  SC_LIST_STRETCHES
};
enum { SC_OLD_TAIL = 96 }; /* bytes that older versions put at the end, for the same */
enum { SC_CONTACT_BYTES = sizeof(sc_kept) + sizeof(sc_touch) };

#endif
